// Orders and hints that an access does not have are errors.
// RUN: not %ckc %s --stop-after=check 2>&1 | FileCheck %s
kernel k(n: u32, z: inout u32[n], i: inout i32[n])
{
    z[0] = atomic.load(z[0], order = release);
    atomic.store(z[0], 1, order = acq_rel);
    atomic.fence(order = relaxed);
    atomic.add(z[0], 1, order = 7);
    atomic.add(z[0], 1, scope = 7);
    store(z[0], 1, cache = constant);
    atomic.add(z[0], 1, scope = n);
    atomic.add(z[0], 1, scope = relaxed);
    atomic.inc(i[0], 1);
    atomic.add(z[0], 1, sope = 1);
}
// CHECK-DAG: error: 'relaxed' is not declared [undeclared]
// CHECK-DAG: error: 'atomic.load' takes relaxed, acquire or seq_cst [memory_order]
// CHECK-DAG: error: 'atomic.store' takes relaxed, release or seq_cst [memory_order]
// CHECK-DAG: error: 'atomic.fence' takes acquire, release, acq_rel or seq_cst [memory_order]
// CHECK-DAG: error: 'atomic.add' takes relaxed, acquire, release, acq_rel or seq_cst [memory_order]
// CHECK-DAG: error: 'atomic.add' takes the scopes block, cluster, device and system [memory_order]
// CHECK-DAG: error: 'store' takes all, global, streaming, no_allocate, evict_first, evict_last, through or volatile [memory_order]
// CHECK-DAG: error: this is not known at compile time [not_constant]
// CHECK-DAG: error: 'atomic.inc' does not take 'i32' [bad_operand]
// CHECK-DAG: error: 'add' has no parameter 'sope' [unknown_argument]
