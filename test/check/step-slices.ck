// A step that writes element i of what it has read element i of: no other view of it, no captured one.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s --implicit-check-not=error:
algorithm right(n: u64, a: u64, x: inout u32[n], y: inout u32[n], m: inout u32[n, n]) {
    transform(x[a..n], x[a..n], |v| v + 1);
    transform(x[0..a], x[a..n], |v| v + 1);
    transform(x.map(|v| v + y[0]), x, |v| v);
    transform(m.column(1), m.column(a), |v| v);
    transform(m.region(a, 0, n - a, n), m.region(a, 0, n - a, n), |v| v + 1);
    inclusive_scan_by_key(x, y, y, +);
}
algorithm wrong(n: u64, a: u64, x: inout u32[n], y: inout u32[n], m: inout u32[n, n], o: in u32[2]) {
    // CHECK: :[[#@LINE+1]]:5: error: 'it' of 'transform' reads what 'to' writes, 'x' [step_overlap]
    transform(x.map(|v| v + x[0]), x, |v| v);
    // CHECK: :[[#@LINE+1]]:5: error: 'it' of 'transform' reads what 'to' writes, 'm' [step_overlap]
    transform(m.region(0, 0, n - 1, n), m.region(1, 0, n - 1, n), |v| v + 1);
    // CHECK: :[[#@LINE+1]]:5: error: 'elements' of 'transform' reads what 'to' writes, 'm' [step_overlap]
    transform(m.row(0), m.column(0), |v| v + 1);
    // CHECK: :[[#@LINE+1]]:5: error: 'elements' of 'radix_sort' reads what 'to' writes, 'x' [step_overlap]
    radix_sort(x[0..a], to = x[1..n]);
    // CHECK: :[[#@LINE+1]]:5: error: 'elements' of 'top_k' reads what 'to' writes, 'x' [step_overlap]
    top_k(x[a..n], x[0..a]);
    // CHECK: :[[#@LINE+1]]:5: error: 'elements' of 'transform' reads what 'to' writes, 'x' [step_overlap]
    transform(x, tabulate_store(|i, v| { x[n - 1 - i] = v; }), |v| v);
    // CHECK: :[[#@LINE+1]]:5: error: 'elements' of 'segmented_scan' reads what 'to' writes, 'x' [step_overlap]
    exclusive_segmented_scan(x, o, x, +, 0u32);
}
