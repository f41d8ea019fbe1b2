// A shuffle, a vote or a reduction of lanes orders no accesses to memory: only warp.sync does.
// RUN: not %ckc run %s shuffled --device=host -check 2>&1 | FileCheck %s
// RUN: not %ckc run %s voted --device=host -check 2>&1 | FileCheck --check-prefix=VOTE %s
// RUN: not %ckc run %s clamped --device=host -check 2>&1 | FileCheck --check-prefix=CLAMP %s
kernel shuffled(y: out u32[32]) launch(block = 32, grid = 1)
{
    shared s: u32[32];
    s[thread.x] = thread.x;
    let v = warp.shuffle(thread.x, 3);
    y[thread.x] = s[31 - thread.x] + v;
}
// CHECK: race: 's[31 - thread.x]' reads 's', which thread [31,0,0] writes by 's[thread.x]'
kernel voted(y: out u32[32]) launch(block = 32, grid = 1)
{
    shared s: u32[32];
    s[thread.x] = thread.x;
    if (warp.any(thread.x == 7)) y[thread.x] = s[31 - thread.x];
}
// VOTE: race: 's[31 - thread.x]' reads 's', which thread [31,0,0] writes by 's[thread.x]'
kernel clamped(y: out u32[32]) launch(block = 32, grid = 1)
{
    shared s: u32[8];
    if (thread.x < 8) s[thread.x] = thread.x;
    warp.sync();
    let left = warp.shuffle_up(s[min(thread.x, 7)], 1);
    if (thread.x < 8) s[thread.x] = left;
    y[thread.x] = left;
}
// CLAMP: race: 's[thread.x]' writes 's', which thread [{{[0-9]+}},0,0] reads by 's[min(thread.x, 7)]'
