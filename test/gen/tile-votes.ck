// What a tile asks its lanes has no other lanes in it: votes and matches are masked, and nothing else but shuffles is used.
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx | FileCheck %s
kernel k(x: in u32[64], y: out u32[64], z: out u32[64], w: out u32[64]) launch(block = 64, grid = 1)
{
    let i = thread.x;
    let t = warp.tile<16>;
    y[i] = t.ballot(x[i] > 3);
    z[i] = t.match_any(x[i]);
    w[i] = u32(t.match_all(x[i])) + t.sum(x[i]) + u32(t.elect());
}
// CHECK-NOT: redux
// CHECK: vote.sync.ballot.b32 {{ *}}[[V:%r[0-9]+]], {{.*}}, [[M:%r[0-9]+]];
// CHECK-NEXT: and.b32 [[V]], [[V]], [[M]];
// CHECK-NOT: redux
// CHECK: match.any.sync.b32 [[A:%r[0-9]+]], {{.*}}, [[M]];
// CHECK-NEXT: and.b32 [[A]], [[A]], [[M]];
// CHECK-NOT: redux
// CHECK: match.any.sync.b32 [[B:%r[0-9]+]], {{.*}}, [[M]];
// CHECK-NEXT: and.b32 [[B]], [[B]], [[M]];
// CHECK-NOT: match.all
// CHECK-NOT: redux
// CHECK-NOT: elect.sync
