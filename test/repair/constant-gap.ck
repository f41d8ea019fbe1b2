// Three components of a constant take the room of four, before a member and before the next element.
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=nvptx -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas-verify < %t.ptx %}
// RUN: %if nvvm %{ %ckc %s %repair --emit=ptx --target=sm_90 --backend=libnvvm -o - | FileCheck %s %}
// RUN: %ckc %s --no-repair=constant_gap --emit=ptx --target=sm_90 --backend=nvptx -o - | FileCheck %s --check-prefix=WITHOUT
// RUN: %if nvvm %{ %ckc %s --no-repair=constant_gap --emit=ptx --target=sm_90 --backend=libnvvm -o - | FileCheck %s --check-prefix=WITHOUT %}
struct Row { at: u8x3; by: u8; to: u32; }
const rows: Row[2] = [Row(u8x3(1, 2, 3), 4, 5), Row(u8x3(6), 7, 8)];
kernel k(i: u32, y: out u32[3]) launch(block = 1, grid = 1)
{
    (y[0], y[1], y[2]) = (u32(rows[i].at.z), u32(rows[i].by), rows[i].to);
}
// CHECK:   .b8 {{.*}}[24] = {1, 2, 3, 0, 4, 0, 0, 0, 5, 0, 0, 0, 6, 6, 6, 0, 7, 0, 0, 0, 8
// The members behind the three components are read one byte too far.
// WITHOUT: .b8 {{.*}}[24] = {1, 2, 3, 4, 0, 0, 0, 5, 0, 0, 0, 6, 6, 6, 7,
