// A loop would come to the same bytes again: declarations and calls.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel a(n: u32) { for (i in 0..n) { scratch t: u32[4]; t[0] = i; } }
// CHECK: [[@LINE-1]]:46: error: 't' has scratch memory, and stands in a loop: its bytes are there once [scratch_loop]
algorithm b(n: u32) -> u32 {
    var s = 0u32;
    for (i in 0..n) s += grid.reduce(count<u32>().take(4), +, 0);
    return s;
}
// CHECK: [[@LINE-3]]:26: error: 'reduce<{{.*}}>' has scratch memory, and stands in a loop
