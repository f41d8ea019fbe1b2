// .len is the first extent of an array, and all elements of a span; .extent(k) is a span's along an axis.
// RUN: %ckc %s --dump=check --stop-after=check | FileCheck %s
kernel k(x: in f32[3, 4]) { var v: f32[2, 3]; let a = v.len; let b = x.len; let c = x.extent(1); }
// CHECK: let a : u64
// CHECK: int 2 : u64
// CHECK: let b : u64
// CHECK: let c : u64
