// Registers of roles are setmaxnreg on the chips that have it: less than a thread's fair part, or more.
// RUN: %ckc %s --emit=ptx --target=sm_90a --backend=nvptx -o %t.1 && FileCheck %s < %t.1
// RUN: %if ptxas %{ %ptxas-verify < %t.1 %}
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_90a -o %t.2 && FileCheck %s < %t.2 %}
// RUN: %if ptxas %{ %if nvvm %{ %ptxas-verify < %t.2 %} %}
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx | FileCheck %s --check-prefix=OLD
kernel k(x: inout u32[384]) launch(block = 384, grid = 1)
{
    split {
        load(warps = 4, registers = 40) { x[load.rank] = load.size; }
        work(warps = 8, registers = 232) { work.sync(); x[128 + work.rank] = work.size; }
    }
}
// CALL: k(x=zeros:384)
// EXPECT: x = [128 if i < 128 else 256 for i in range(384)]
// CHECK: .minnctapersm 1
// CHECK: setmaxnreg.dec.sync.aligned.u32 40;
// CHECK: setmaxnreg.inc.sync.aligned.u32 232;
// CHECK: bar.sync 2, 256;
// OLD-NOT: setmaxnreg
// OLD: bar.sync 2, 256;
