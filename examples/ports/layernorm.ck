// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layernorm.ck - layer normalisation of rows of N numbers, forward and backward (Ba, Kiros and Hinton,
// Layer Normalization, 2016). A block processes a row, which stays in registers between its two
// reductions, so that each number is read and written once. Backward, a block processes every
// gridDim-th row, and keeps the sums over its rows for the gradients of gamma and beta in registers;
// layernorm_sum sums the blocks' results.
// TOLERANCE: 2e-5
// FOR: rows in 1, 3, 50
// CALL: layernorm<256, 64>(rows=rows, x=rand:rows x 256, gamma=rand:256:1, beta=rand:256:2)
// EXPECT: mu = mean(x, axis=1)
// EXPECT: rstd = 1 / sqrt(mean(x * x, axis=1) - mean(x, axis=1) ** 2 + 1e-5)
// EXPECT: y = (x - mean(x, axis=1, keepdims=True)) / sqrt(mean((x - mean(x, axis=1, keepdims=True)) ** 2, axis=1, keepdims=True) + 1e-5) * gamma + beta
// CALL: layernorm(rows=2, x=rand:2x1024, gamma=ones:1024, beta=zeros:1024)
// EXPECT: y = (x - mean(x, axis=1, keepdims=True)) / sqrt(mean((x - mean(x, axis=1, keepdims=True)) ** 2, axis=1, keepdims=True) + 1e-5)
// FOR: rows in 1, 3, 50
// CALL: layernorm_backward<256, 64>(rows=rows, blocks=1, dy=rand:rows x 256, x=rand:rows x 256:1, gamma=rand:256:2, mu=rand:rows:3, rstd=rand:rows:4:0.5..2)
// EXPECT: dx = rstd[:, None] * (dy * gamma - mean(dy * gamma, axis=1, keepdims=True) - (x - mu[:, None]) * rstd[:, None] * mean(dy * gamma * (x - mu[:, None]) * rstd[:, None], axis=1, keepdims=True))
// EXPECT: dgamma = sum(dy * (x - mu[:, None]) * rstd[:, None], axis=0)
// EXPECT: dbeta = sum(dy, axis=0)
// CALL: layernorm_sum(blocks=9, n=70, part=rand:9x70)
// EXPECT: total = sum(part, axis=0)
// BENCH: layernorm(rows=2**14, x=rand:2**14x1024, gamma=rand:1024, beta=rand:1024) bytes = 8 * 1024 * rows
// BENCH: layernorm_backward(rows=2**14, blocks=528, dy=rand:2**14x1024, x=rand:2**14x1024, gamma=rand:1024, mu=zeros:2**14, rstd=ones:2**14) bytes = 12 * 1024 * rows

const EPSILON = 1e-5;

kernel layernorm<const N: u32 = 1024, const BLOCK: u32 = 256>(
    rows: u32, x: in f32[rows, N], gamma: in f32[N], beta: in f32[N],
    y: out f32[rows, N], mu: out f32[rows], rstd: out f32[rows])
    launch(block = BLOCK, grid = rows)
{
    static_assert(N == 4 * BLOCK, "a thread has four numbers of the row");
    let (row, at) = (block.id.x, 4 * thread.x);
    let v = x.load<4>(row, at);
    let m = block.reduce(sum(v), +) / f32(N);
    let apart = v - m;
    let scale = rsqrt(block.reduce(dot(apart, apart), +) / f32(N) + EPSILON);
    y.store(row, at, apart * scale * gamma.load<4>(at) + beta.load<4>(at));
    if (thread.x == 0) (mu[row], rstd[row]) = (m, scale);
}

kernel layernorm_backward<const N: u32 = 1024, const BLOCK: u32 = 256>(
    rows: u32, blocks: u32, dy: in f32[rows, N], x: in f32[rows, N], gamma: in f32[N],
    mu: in f32[rows], rstd: in f32[rows],
    dx: out f32[rows, N], dgamma: out f32[blocks, N], dbeta: out f32[blocks, N])
    launch(block = BLOCK, grid = blocks)
{
    static_assert(N == 4 * BLOCK, "a thread has four numbers of the row");
    let at = 4 * thread.x;
    let scale = gamma.load<4>(at);
    var (of_gamma, of_beta) = (f32x4(0), f32x4(0));
    for (row in (block.id.x..rows).step(blocks)) {
        let slope = dy.load<4>(row, at);
        let normal = (x.load<4>(row, at) - mu[row]) * rstd[row];
        let scaled = slope * scale;
        // Both sums in one reduction: one pair of barriers.
        let sums = block.reduce(f32x2(sum(scaled), dot(scaled, normal)), +);
        dx.store(row, at, rstd[row] * (scaled - sums.x / f32(N) - normal * (sums.y / f32(N))));
        of_gamma += slope * normal;
        of_beta += slope;
    }
    dgamma.store(block.id.x, at, of_gamma);
    dbeta.store(block.id.x, at, of_beta);
}

kernel layernorm_sum(blocks: u32, n: u32, part: in f32[blocks, n], total: out f32[n])
    launch(block = (32, 8), grid = ceil_div(n, 32))
{
    shared sums: f32[8, 32];
    let column = block.id.x * 32 + thread.x;
    var mine = 0.0;
    if (column < n) for (row in (thread.y..blocks).step(8)) mine += part[row, column];
    sums[thread.y, thread.x] = mine;
    block.sync();
    if (thread.y == 0 && column < n) {
        unroll for (k in 1..8) mine += sums[k, thread.x];
        total[column] = mine;
    }
}
