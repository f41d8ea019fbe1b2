// A step doesn't read by an iterator or a function what it writes; spans of one parameter it takes.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s --implicit-check-not=error:
fn turned(x: inout u32[]) = x.reverse();
algorithm right(n: u64, x: inout u32[n], y: inout u32[n], z: out u32[n]) {
    grid.select(x, |v| v > 0, x[0..n]);
    grid.select(x.reverse(), |v| v > 0, y);
    grid.select(zip(x, y), |v| y[v[0]] > 0, z.map_store(|v| v[0]));
    shared t: u32[4];
    grid.select(x.map(|v| v + t[0]), |v| v > t[1], y.reverse());
    grid.radix_sort(gather(x, y));
    grid.select(x.reverse(), |v| v > y[0], z.map_store(|v| v + x[0] + y[0])); // what its function reads, it does not write
}
algorithm wrong(n: u64, x: inout u32[n], y: inout u32[n]) {
    // CHECK: :[[#@LINE+1]]:5: error: 'it' of 'select' reads what 'to' writes, 'x' [step_overlap]
    grid.select(x.reverse(), |v| v > 0, x);
    // CHECK: :[[#@LINE+1]]:5: error: 'it' of 'select' reads what 'to' writes, 'x' [step_overlap]
    grid.select(zip(y, x[1..n]), |v| v[0] > 0, x.map_store(|v| v[0]));
    // CHECK: :[[#@LINE+1]]:5: error: 'keep' of 'select' reads what 'to' writes, 'y' [step_overlap]
    grid.select(x, |v| y[v] > 0, y);
    // CHECK: :[[#@LINE+1]]:5: error: 'it' of 'select' reads what 'to' writes, 'x' [step_overlap]
    grid.select(count().take(n).map(|i| x[i]), |v| v > 0, x);
    // CHECK: :[[#@LINE+1]]:5: error: 'it' of 'select' reads what 'to' writes, 'x' [step_overlap]
    grid.select(turned(x), |v| v > 0, x);
    // CHECK: :[[#@LINE+1]]:5: error: 'it' of 'radix_sort' reads what 'it' writes, 'x' [step_overlap]
    grid.radix_sort(gather(x, x));
    // CHECK: :[[#@LINE+1]]:5: error: 'to' of 'select' reads what 'to' writes, 'y' [step_overlap]
    grid.select(x, |v| v > 0, y.map_store(|v| v + y[0]));
    let s = n > 3 ? x : y;
    // CHECK: :[[#@LINE+1]]:5: error: 'it' of 'select' may read what 'to' writes [step_overlap]
    grid.select(s.reverse(), |v| v > 0, y);
}
