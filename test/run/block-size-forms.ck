// A function that asks for the block's size is checked for each block, however it is written.
// REQUIRES: ckc, host
// RUN: %run-test %s
struct Tile {
    base: u32 = block.size;
    fn last(by: u32) -> u32 { shared all: u32[block.size]; return by + u32(all.len) - self.base; }
    fn size -> u32 = block.size;
    fn +(o: Tile) -> Tile = Tile(self.base + o.base + /* ; } */ block.size);
}
fn Tile.outside() -> u32 = (block.size)  // ;
    ;
fn Tile.twice -> u32 { return 2 * block.size; }
fn block.half -> u32 = block.size / 2;
fn block.id.next(by: u32) -> u32 { return block.id.x + by * block.size; }
@require(sm >= 75)
fn -(a: Tile) -> u32 = a.base + block.size;
fn[](a: Tile, i: u32) -> u32 = a.base + i * block.size;
fn filled(a: u32[block.size], add: u32 = block.size) -> u32 { return u32(a.len) + add; }
fn scaled(v: u32) -> u32 = (|x| x * block.size)(v);
fn work() -> u32 {
    let t = Tile(1);
    let s = t + t;
    var a: u32[block.size];
    return t.last(1) + t.size + s.base + t.outside() + t.twice + block.half + block.id.next(1) + -t + t[2]
        + filled(a) + scaled(3);
}
// last B, size B, sum 2 + B, outside B, twice 2B, half B/2, next B, -t 1 + B, t[2] 1 + 2B, 2B, 3B
// CALL: a(y=zeros:1)
// EXPECT: y = [4 + 15 * 64 + 32]
kernel a(y: out u32[1]) launch(block = 64, grid = 1) { let v = work(); if (thread.rank == 0) y[0] = v; }
// CALL: b(y=zeros:1)
// EXPECT: y = [4 + 15 * 32 + 16]
kernel b(y: out u32[1]) launch(block = 32, grid = 1) { let v = work(); if (thread.rank == 0) y[0] = v; }
