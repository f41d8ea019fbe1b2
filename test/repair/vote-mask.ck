// A tile's vote has no lanes of another tile: behind a barrier ptxas asks the whole warp once for two tiles.
// RUN: %ckc %s %repair --emit=ptx --target=sm_90 --backend=nvptx -o %t
// RUN: FileCheck %s < %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
// RUN: %if nvvm %{ %ckc %s %repair --emit=ptx --target=sm_90 --backend=libnvvm -o - | FileCheck %s %}
// RUN: %ckc %s --no-repair=vote_mask --emit=ptx --target=sm_90 --backend=nvptx -o %t.without
// RUN: FileCheck %s --check-prefix=WITHOUT < %t.without
// RUN: %if sass %{ %sass < %t | FileCheck %s --check-prefix=SASS %}
// RUN: %if sass %{ %sass < %t.without | FileCheck %s --check-prefix=WRONG %}
kernel k(x: in u32[64], y: out u32[64], z: out u32[64], w: out u32[64]) launch(block = 64, grid = 1)
{
    let t = warp.tile<16>;
    let v = x[thread.rank];
    block.sync();
    y[thread.rank] = t.ballot((v & 1) == 0);
    z[thread.rank] = t.ballot((v & 2) == 0);
    w[thread.rank] = t.match_any(v);
}
// CHECK:      vote.sync.ballot.b32 {{ *}}[[A:%r[0-9]+]], %p{{[0-9]+}}, [[M:%r[0-9]+]];
// CHECK-NEXT: and.b32 [[A]], [[A]], [[M]];
// CHECK:      vote.sync.ballot.b32
// CHECK:      match.any.sync.b32 [[B:%r[0-9]+]], {{%r[0-9]+}}, [[M]];
// CHECK-NEXT: and.b32 [[B]], [[B]], [[M]];
// WITHOUT-NOT: and.b32 {{.*}}, 65535
// The second vote asks all lanes that are there, and its result is stored as it is.
// SASS:       BRA.DIV
// SASS-NEXT:  VOTE.ANY [[R:R[0-9]+]], PT
// SASS:       LOP3.LUT [[R]], [[R]],
// WRONG:      BRA.DIV
// WRONG-NEXT: VOTE.ANY [[R:R[0-9]+]], PT
// WRONG-NOT:  LOP3
// WRONG:      SHF.R.U32.HI [[S:R[0-9]+]], RZ, {{R[0-9]+}}, [[R]] ;
// WRONG-NOT:  LOP3
// WRONG:      STG.E desc{{.*}}, [[S]] ;
