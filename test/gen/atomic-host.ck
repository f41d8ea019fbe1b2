// On the host atomics are LLVM's; a volatile load stays.
// RUN: %ckc %s --stop-after=gen --target=host | FileCheck %s
kernel k(i: u32, v: f32, a: inout u32[8], f: inout f32[8], l: inout i64[8], o: out u32[4])
{
    atomic.add(a[0], i);
    // CHECK: atomicrmw add ptr %{{.*}}, i32 %{{.*}} monotonic, align 4
    atomic.max(f[0], v, order = acq_rel);
    // CHECK: atomicrmw fmax ptr %{{.*}}, float %{{.*}} acq_rel, align 4
    atomic.min(l[0], -1, order = release);
    // CHECK: atomicrmw min ptr %{{.*}}, i64 -1 release, align 8
    atomic.inc(a[1], 9, order = seq_cst);
    // CHECK: atomicrmw uinc_wrap ptr %{{.*}}, i32 9 seq_cst, align 4
    atomic.compare_exchange(f[1], 1, v, order = acquire);
    // CHECK: cmpxchg ptr %{{.*}}, i32 1065353216, i32 %{{.*}} acquire acquire, align 4
    o[0] = atomic.load(a[2], order = acquire);
    // CHECK: load atomic i32, ptr %{{.*}} acquire, align 4
    atomic.store(o[1], 2, order = release);
    // CHECK: store atomic i32 2, ptr %{{.*}} release, align 4
    o[2] = load(a[3], cache = volatile);
    // CHECK: load volatile i32
    atomic.fence(order = seq_cst);
    // CHECK: fence seq_cst
}
