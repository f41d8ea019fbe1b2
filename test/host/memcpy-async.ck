// A checked build finds what touches memory that is copied to before the wait, and what is not aligned.
// RUN: not %ckc run %s early x=iota:64 --device=host -check 2>&1 | FileCheck --check-prefix=EARLY %s
// RUN: not %ckc run %s other x=iota:64 --device=host -check 2>&1 | FileCheck --check-prefix=OTHER %s
// RUN: not %ckc run %s prior x=iota:64 --device=host -check 2>&1 | FileCheck --check-prefix=PRIOR %s
// RUN: not %ckc run %s odd x=iota:64 --device=host -check 2>&1 | FileCheck --check-prefix=ODD %s
// RUN: %ckc run %s right x=iota:64 --device=host -check
kernel early(x: in f32[64], y: out f32[64]) launch(block = 64, grid = 1)
{
    shared t: f32[64];
    memcpy_async(t[thread.x], x[thread.x]);
    y[thread.x] = t[thread.x];
}
// EARLY: memcpy-async.ck:11:19: block: [0,0,0], thread: [0,0,0] 't[thread.x]' reads 't', to which thread [0,0,0] copies by 'memcpy_async(t[thread.x], x[thread.x])' at {{.*}}memcpy-async.ck:10:5, and has not waited for that
kernel other(x: in f32[64], y: out f32[64]) launch(block = 64, grid = 1)
{
    shared t: f32[64];
    memcpy_async(t[thread.x], x[thread.x]);
    pipeline.wait();
    y[thread.x] = t[thread.x / 2];
}
// OTHER: memcpy-async.ck:19:19: block: [0,0,0], thread: [1,0,0] race: 't[thread.x / 2]' reads 't', which thread [0,0,0] writes by 'memcpy_async(
kernel prior(x: in f32[64], y: out f32[64]) launch(block = 64, grid = 1)
{
    shared t: f32[2, 64];
    for (i in 0..2) { memcpy_async(t[i, thread.x], x[thread.x]); pipeline.commit(); }
    pipeline.wait(prior = 1);
    y[thread.x] = t[0, thread.x] + t[1, thread.x];
}
// PRIOR: memcpy-async.ck:27:36: {{.*}} 't[1, thread.x]' reads 't', to which
kernel odd(x: in f32[64], y: out f32[1]) launch(block = 1, grid = 1) { shared t: f32[64]; memcpy_async<4>(t[0], x[1]); }
// ODD: 'memcpy_async<4>(t[0], x[1])' copies 16 bytes, to which both sides must be aligned
kernel right(x: in f32[64], y: out f32[64]) launch(block = 64, grid = 1)
{
    shared t: f32[2, 64];
    for (i in 0..2) { memcpy_async(t[i, thread.x], x[thread.x]); pipeline.commit(); }
    pipeline.wait(prior = 1);
    block.sync();
    y[thread.x] = t[0, 63 - thread.x];
}
