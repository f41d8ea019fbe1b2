// A struct is laid out as in C: in the kernel's ABI, in memory, in the manifest. A bool is a byte.
// RUN: %ckc %s --stop-after=gen --target=sm_90 --backend=nvptx | FileCheck %s
// RUN: %ckc %s --emit=manifest --target=sm_90 --backend=nvptx | FileCheck %s --check-prefix=SIZE
struct P { on: bool; d: f64; h: i16; }
struct Q { p: P; c: u8[3]; }
kernel k(q: Q, x: inout Q[2]) { x[1].p.on = q.p.on && !x[0].p.on; }
// CHECK: define ptx_kernel void @k({ { i8, double, i16 }, [3 x i8] } %q, ptr addrspace(1)
// CHECK: store i8
// SIZE: "name": "q", "kind": "scalar", "type": "Q", "bytes": 32, "align": 8
// SIZE: "name": "x", "kind": "span", "type": "Q", "bytes": 32, "align": 8
