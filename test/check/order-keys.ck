// A merge sort by an order that compares keys is a radix sort: one side of each comparison is the other one
// with b for a. What only looks like that is merged.
// RUN: %ckc %s --emit=manifest --target=sm_90 -o %t
// RUN: FileCheck %s < %t
struct P { x: i32; y: i32; }
fn f(p: P, k: i32) -> i32 = p.x * k;
fn less(a: P, b: P) -> bool { return a.y < b.y; }
fn twice(a: P, b: P) -> bool = a.y < b.y;
fn twice(a: i32, b: i32) -> bool = a < b;
fn any<T: type>(a: T, b: T) -> bool = a.x < b.x;
// CHECK-DAG: yes1.{{[0-9]+}}.sweep_pass
algorithm yes1(n: u64, v: inout P[n], k: i32) { merge_sort(v, |a, b| f(a, k) < f(b, k)); }
// CHECK-DAG: yes2.{{[0-9]+}}.sweep_pass
algorithm yes2(n: u64, v: inout P[n]) { merge_sort(v, less); }
// CHECK-DAG: yes3.{{[0-9]+}}.sweep_pass
algorithm yes3(n: u64, v: inout P[n]) { merge_sort(v, |a, b| b.x == a.x ? a.y > b.y : b.x < a.x); }
// CHECK-DAG: no1.{{[0-9]+}}.merge_round
algorithm no1(n: u64, v: inout P[n], k: i32) { merge_sort(v, |a, b| f(a, k) < f(b, 2)); }
// CHECK-DAG: no2.{{[0-9]+}}.merge_round
algorithm no2(n: u64, v: inout P[n]) { merge_sort(v, |a, b| a.x != b.x ? a.x < b.x : a.y > b.y); }
// CHECK-DAG: no3.{{[0-9]+}}.merge_round
algorithm no3(n: u64, v: inout P[n]) { merge_sort(v, |a, b| a.y != b.y ? a.x < b.x : a.y < b.y); }
// CHECK-DAG: no4.{{[0-9]+}}.merge_round
algorithm no4(n: u64, v: inout P[n]) { merge_sort(v, |a, b| a.x < b.x || a.x == a.x && a.y < b.y); }
// CHECK-DAG: no5.{{[0-9]+}}.merge_round
algorithm no5(n: u64, v: inout P[n]) { merge_sort(v, |a, b| a.x < b.y); }
// CHECK-DAG: no6.{{[0-9]+}}.merge_round
algorithm no6(n: u64, v: inout P[n]) { merge_sort(v, twice); }
// CHECK-DAG: no7.{{[0-9]+}}.merge_round
algorithm no7(n: u64, v: inout P[n]) { merge_sort(v, any); }
// CHECK-DAG: no8.{{[0-9]+}}.merge_round
algorithm no8(n: u64, v: inout P[n]) { merge_sort(v, |a, b| a.x + b.x < b.x + a.x); }
// CHECK-DAG: no9.{{[0-9]+}}.merge_round
algorithm no9(n: u64, v: inout u32[n]) { merge_sort(v, |a, b| popcount(a) < clz(b)); }
