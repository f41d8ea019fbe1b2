// Names of sorts, scans and sums that other libraries have lead to those that exist.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
algorithm a(n: u64, x: in f32[n], k: inout f32[n]) {
    sort(k);
    let b = sorted(x);
    let c = transform(x, x);
    let d = scan(x, +, 0);
}
kernel b(x: inout f32[32]) launch(block = 32, grid = 1) {
    let v = x[thread.x];
    let c = block.scan(v, +);
    let d = warp.scan(v, +);
    let e = block.sum(v);
    let f = inclusive_scan(v, +);
    let g = top_k(x, 3);
    block.sort(v);
    grid.sort(x);
    let h = transform(x, x);
}
// CHECK: :4:5: error: 'sort' can't be called [not_callable]
// CHECK: hint: An algorithm sorts in place, by radix_sort(x); a block by block.radix_sort(v)
// CHECK: hint: An algorithm sorts in place, by radix_sort(x).
// CHECK: hint: It launches kernels, so the host has to execute the algorithm
// CHECK: hint: An algorithm scans by inclusive_scan(x, y, +), exclusive_scan(x, y, +, 0); a block by block.inclusive_scan(v, +)
// CHECK: hint: There are block.inclusive_scan(v, +) and block.exclusive_scan(v, +).
// CHECK: hint: There are warp.inclusive_scan(v, +) and warp.exclusive_scan(v, +).
// CHECK: hint: Write block.reduce(v, +).
// CHECK: hint: It is a method of the group that scans: block.inclusive_scan(v, +), warp.inclusive_scan(v, +).
// CHECK: hint: A block's largest are block.top_k(v, 3).
// CHECK: hint: There are block.radix_sort(v) and block.merge_sort(v, |a, b| a < b).
// CHECK: hint: An algorithm sorts, by radix_sort(x).
// CHECK: hint: An iterator is transformed by x.map(f).
// CHECK-NOT: Did you mean
