// All threads run a convergent asm, though some alone want its result: without an effect libNVVM would
// take it along into their branch.
// RUN: %ckc %s --emit=nvvm --target=sm_80 | FileCheck %s
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_80 -o %t.1 %}
// RUN: %if nvvm %{ FileCheck %s --check-prefix=PTX < %t.1 %}
// RUN: %ckc %s --emit=ptx --target=sm_80 --backend=nvptx -o %t.2
// RUN: FileCheck %s --check-prefix=PTX < %t.2
kernel k(x: in u32[32], y: out u32[32]) launch(block = 32)
{
    let i = thread.x;
    let upto = asm<u32>("shfl.sync.up.b32 $0, $1, 1, 0, -1;", x[i], convergent = true);
    if (x[31 - i] > 7) y[i] = upto;
}
// CHECK: call i32 asm sideeffect "shfl.sync{{.*}} nounwind convergent
// PTX-NOT: bra
// PTX: shfl.sync.up.b32
// PTX: bra
