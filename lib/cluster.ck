// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cluster.ck - thread block clusters, from sm_90 on: blocks that are scheduled together and can
// access each other's shared memory.
//
// In a launch without clusters, each block is a cluster of its own.

// The block's linear index in its cluster, x fastest, and the number of blocks of a cluster.
@require(sm >= 90)
fn cluster.rank -> u32 = __cluster_rank();
@require(sm >= 90)
fn cluster.size -> u32 = __cluster_size();

// The cluster's index in the grid.
@require(sm >= 90)
fn cluster.id.x -> u32 = __cluster_id_x();
@require(sm >= 90)
fn cluster.id.y -> u32 = __cluster_id_y();
@require(sm >= 90)
fn cluster.id.z -> u32 = __cluster_id_z();

// The number of blocks of a cluster along each axis.
@require(sm >= 90)
fn cluster.dim.x -> u32 = __cluster_dim_x();
@require(sm >= 90)
fn cluster.dim.y -> u32 = __cluster_dim_y();
@require(sm >= 90)
fn cluster.dim.z -> u32 = __cluster_dim_z();

// Waits until every thread of the cluster that has not ended has arrived; what they wrote before is
// then visible to all of them.
@require(sm >= 90)
fn cluster.sync() = __cluster_sync();

// v, which the program promises to be the same in all threads of the cluster. The host device
// compares the values of each block.
@require(sm >= 90)
fn cluster.uniform<T: type>(v: T) -> T = __assume_cluster(__check_block(v));

// The address in block `rank` of the cluster that corresponds to p in this block's shared memory.
@require(sm >= 90)
fn cluster.map<T: type>(p: ptr<T, shared>, rank: u32) -> ptr<T> {
    return ptr<T>(__cluster_map(u64(ptr<T>(p)), rank));
}
// The address of the first element of a shared array, in block `rank` of the cluster.
@require(sm >= 90)
fn cluster.map<T: type>(s: inout T[], rank: u32) -> ptr<T> {
    return ptr<T>(__cluster_map(u64(address(s[0])), rank));
}
