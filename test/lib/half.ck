// Functions of f16 and bf16 are those of f32, rounded.
// RUN: %run-test %s
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_80 --backend=nvptx -o %t.nvptx %}
// RUN: %if ptxas %{ %ptxas-verify < %t.nvptx %}
// RUN: %if nvvm %{ %ckc %s --emit=ptx --target=sm_75 --backend=libnvvm -o %t.libnvvm %}
// RUN: %if ptxas %{ %ptxas-verify < %t.libnvvm %}
// CALL: k<f16>(x=[0.5, -0.25, 2.0, nan], y=zeros:4x9)
// EXPECT: y = [[np.sin(v), np.exp(v), np.fmin(v, 1), np.fmax(v, 1), abs(v), np.fmax(np.fmin(v, 1), -1) if v == v else -1, floor(v), np.arctan2(v, 3), 2.0 * (v != v)] for v in x]
// CALL: k<bf16>(x=[0.5, -0.25, 2.0, inf], y=zeros:4x9)
// EXPECT: y = [[np.sin(v), np.exp(v), np.fmin(v, 1), np.fmax(v, 1), abs(v), np.fmax(np.fmin(v, 1), -1), floor(v), np.arctan2(v, 3), 1.0 * (v == inf)] for v in x]
kernel k<T: half>(x: in T[4], y: out T[4, 9]) launch(block = 4, grid = 1)
{
    let i = thread.x;
    let v = x[i];
    y[i, 0] = sin(v);
    y[i, 1] = exp(v);
    y[i, 2] = min(v, 1);
    y[i, 3] = max(v, 1);
    y[i, 4] = abs(v);
    y[i, 5] = clamp(v, -1, 1);
    y[i, 6] = floor(v);
    y[i, 7] = atan2(v, 3);
    y[i, 8] = is_nan(v) ? 2 : is_inf(v) ? 1 : 0;
}
export k<f16>, k<bf16>;
