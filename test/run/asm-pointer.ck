// asm reads and writes what a pointer points at: shared memory by its 32-bit address, the rest by 64 bits.
// RUN: %run-test %s
// CALL: k(x=iota:32)
// EXPECT: x = 31 - x + 1
fn load(p: ptr<u32, shared>) -> u32 {
    comptime if (target.is_host) return p[0];
    else return asm<u32>("ld.shared.u32 $0, [$1];", p, memory = true);
}
fn store(p: ptr<u32>, v: u32) {
    comptime if (target.is_host) p[0] = v;
    else asm("st.u32 [$0], $1;", p, v, memory = true);
}
kernel k(x: inout u32[32]) launch(block = 32, grid = 1)
{
    shared tile: u32[32];
    tile[thread.x] = x[thread.x];
    block.sync();
    store(address(x[thread.x]), load(address(tile[31 - thread.x])) + 1);
}
