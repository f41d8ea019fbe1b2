// Sorts, merges, sets and copies of ranges that would write what they read are errors.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s --implicit-check-not=error:
algorithm right(n: u64, x: inout i32[n], y: out i32[n]) {
    merge_sort(x, <);
    merge_sort(x.reverse(), y, <);
    segmented_sort(x, count(0).take(2), >);
}
algorithm wrong(n: u64, x: inout i32[n], y: inout i32[n], z: out i32[n]) {
    // CHECK: :[[#@LINE+1]]:5: error: 'elements' of 'merge_sort' reads what 'to' writes, 'x' [step_overlap]
    merge_sort(x.take(5), x.drop(5), <);
    // CHECK: :[[#@LINE+1]]:5: error: 'it' of 'merge_sort' {{.*}}'x' [step_overlap]
    merge_sort(zip(x, x), |a, b| a[0] < b[0]);
    // CHECK: :[[#@LINE+1]]:5: error: 'less' of 'merge_sort' reads what 'it' writes, 'x' [step_overlap]
    merge_sort(x.take(n / 2), |a, b| x[a] < x[b]);
    // CHECK: :[[#@LINE+1]]:5: error: 'b' of 'merge' reads what 'to' writes, 'y' [step_overlap]
    merge(x, y, y, <);
    // CHECK: :[[#@LINE+1]]:5: error: 'a' of 'set_union' reads what 'to' writes, 'x' [step_overlap]
    set_union(x, y, x, <);
    // CHECK: :[[#@LINE+1]]:5: error: 'all' of 'segmented_sort' reads what 'it' writes, 'x' [step_overlap]
    segmented_sort(x, x, <);
    // CHECK: :[[#@LINE+1]]:5: error: 'all_places' of 'batched_copy' reads what 'to' writes, 'y' [step_overlap]
    batched_copy(x, count(0), count(0).take(3), y, y);
}
