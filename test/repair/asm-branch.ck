// All threads run a convergent asm, though some alone want its result: without an effect libNVVM would
// take it along into their branch.
// Only a GPU has shown a shuffle that lanes miss: libNVVM 13.0 leaves the asm of all programs whose PTX was read
// where it is.
// RUN: %ckc %s %repair --emit=nvvm --target=sm_80 | FileCheck %s
// RUN: %if nvvm %{ %ckc %s %repair --emit=ptx --target=sm_80 -o %t.1 %}
// RUN: %if nvvm %{ FileCheck %s --check-prefix=PTX < %t.1 %}
// RUN: %ckc %s %repair --emit=ptx --target=sm_80 --backend=nvptx -o %t.2
// RUN: FileCheck %s --check-prefix=PTX < %t.2
// RUN: %ckc %s --no-repair=asm_branch --emit=nvvm --target=sm_80 | FileCheck %s --check-prefix=WITHOUT
kernel k(x: in u32[512], y: out u32[512]) launch(block = 512)
{
    y[thread.x] = block.inclusive_scan<warp_scans>(x[thread.x], +);
}
// CHECK: call i32 asm sideeffect "{{.*}}shfl.sync{{.*}} nounwind convergent
// PTX: bar.sync
// PTX: ld.shared
// PTX-NOT: shfl.sync
// PTX: L__BB0_{{[0-9]+}}:
// PTX: shfl.sync
// WITHOUT: call i32 asm "{{.*}}shfl.sync{{.*}} nounwind convergent
