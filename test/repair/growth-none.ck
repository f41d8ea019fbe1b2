// Sums, hashes, searches and sorts are not hidden from libNVVM: they are trees of a few nodes.
// REQUIRES: nvvm
// RUN: %ckc %s %repair --emit=nvvm --target=sm_90 --backend=libnvvm -o - | FileCheck %s
kernel small(x: in u32[1024], y: inout u32[64]) launch(block = 64)
{
    let t = thread.rank;
    var sum = 0u32;
    var hash = x[t];
    var low = 0u32;
    var count = 1024u32;
    for (i in 0u32..1024) sum += x[i] * i;
    for (i in 0..40) { hash ^= hash >> 7; hash *= 0x9E3779B1; hash += hash << 3; }
    while (count > 0) {
        let half = count / 2;
        if (x[low + half] < hash) {
            low += half + 1;
            count -= half + 1;
        } else count = half;
    }
    var items: u32[4] = [sum, hash, low, t];
    for (i in 0..4) for (j in 0..3) {
        let least = min(items[j], items[j + 1]);
        items[j + 1] = max(items[j], items[j + 1]);
        items[j] = least;
    }
    y[t] = items[0] + items[3];
}
// CHECK: define void @small
// CHECK-NOT: asm "mov.b{{32|64}} $0, $1;"
// CHECK: nvvm.annotations
