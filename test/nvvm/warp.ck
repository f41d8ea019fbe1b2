// Shuffles, votes and matches are one instruction each.
// REQUIRES: nvvm
// RUN: %ckc %s --emit=ptx --target=sm_75 --backend=libnvvm -o %t.libnvvm
// RUN: FileCheck %s < %t.libnvvm
// RUN: %if ptxas %{ %ptxas-verify < %t.libnvvm %}
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t.nvptx
// RUN: FileCheck %s < %t.nvptx
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
kernel k(x: in u32[32], f: inout f32[32], y: out u32[9, 32]) launch(block = 32, grid = 1)
{
    let i = thread.x;
    y[0, i] = warp.shuffle(x[i], 3);
    y[1, i] = warp.shuffle_up(x[i], 1);
    y[2, i] = warp.shuffle_down(x[i], 2);
    f[i] = warp.shuffle_xor(f[i], 16);
    y[3, i] = warp.ballot(x[i] > 4);
    y[4, i] = u32(warp.any(x[i] > 5)) + u32(warp.all(x[i] > 6));
    y[5, i] = warp.match_any(x[i]) + u32(warp.match_all(u64(x[i])));
    y[6, i] = warp.active_mask();
    y[7, i] = warp.tile<8>.shuffle_xor(x[i], 4);
}
// CHECK: shfl.sync.idx.b32 {{.*}}, 3, 31, -1;
// CHECK: shfl.sync.up.b32 {{.*}}, 1, 0, -1;
// CHECK: shfl.sync.down.b32 {{.*}}, 2, 31, -1;
// CHECK: shfl.sync.bfly.b32 {{.*}}, 16, 31, -1;
// CHECK: vote.sync.ballot.b32
// CHECK: vote.sync.any.pred
// CHECK: vote.sync.all.pred
// CHECK: match.any.sync.b32
// CHECK: match.all.sync.b64
// CHECK: activemask.b32
// CHECK: shfl.sync.bfly.b32 {{.*}}, 4, 6151,
