// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// matmul.ck - c = a * b, matrices of any size. A block computes a tile of c from tiles of a and b,
// which it loads into shared memory for all of its threads. matmul_async has two buffers of each
// (double buffering): while the block multiplies one pair of tiles, the next pair is copied.
// TOLERANCE: 1e-4
// CALL: matmul(a=[[1, 2], [3, 4]], b=[[5, 6], [7, 8]])
// EXPECT: c = [[19, 22], [43, 50]]
// CALL: matmul(a=rand:100x31, b=rand:31x33:7)
// EXPECT: c = host
// FOR: m in 1, 17, 100
// FOR: k in 1, 31
// FOR: n in 1, 33
// CALL: matmul(a=rand:m x k, b=rand:k x n:7)
// EXPECT: c = a @ b
// CALL: matmul(a=rand:130x257, b=rand:257x61)
// EXPECT: c = a @ b
// CALL: matmul<f64, 8>(a=rand:20x30, b=rand:30x10)
// EXPECT: c = a @ b
// CALL: matmul_async(a=[[1, 2], [3, 4]], b=[[5, 6], [7, 8]])
// EXPECT: c = [[19, 22], [43, 50]]
// CALL: matmul_async(a=rand:100x31, b=rand:31x33:7)
// EXPECT: c = host
// FOR: m in 1, 17, 100
// FOR: k in 1, 32, 67
// FOR: n in 1, 33
// CALL: matmul_async(a=rand:m x k, b=rand:k x n:7)
// EXPECT: c = a @ b
// CALL: matmul_async(a=rand:64x64, b=rand:64x64) -check
// EXPECT: c = a @ b
// CALL: matmul_async<8>(a=rand:20x30, b=rand:30x10)
// EXPECT: c = a @ b
// BENCH: matmul(a=rand:1024x1024, b=rand:1024x1024:7) flops = 2 * m * k * n
// BENCH: matmul_async(a=rand:1024x1024, b=rand:1024x1024:7) flops = 2 * m * k * n

kernel matmul<T: float = f32, const TILE: u32 = 16>(
    m: u32, k: u32, n: u32, a: in T[m, k], b: in T[k, n], c: out T[m, n])
    launch(block = (TILE, TILE), grid = (ceil_div(n, TILE), ceil_div(m, TILE)))
{
    shared left: T[TILE, TILE];
    shared right: T[TILE, TILE];
    let (x, y) = (thread.x, thread.y);
    let (row, col) = (block.id.y * TILE + y, block.id.x * TILE + x);
    var sum = T(0);
    for (start in (0..k).step(TILE)) {
        // Elements outside of a and b are zeros.
        left[y, x] = T(0);
        right[y, x] = T(0);
        if (row < m && start + x < k) left[y, x] = a[row, start + x];
        if (start + y < k && col < n) right[y, x] = b[start + y, col];
        block.sync();
        unroll for (i in 0..TILE) sum += left[y, i] * right[i, x];
        block.sync();
    }
    if (row < m && col < n) c[row, col] = sum;
}

// Elements outside of a and b are copied as zeros.
kernel matmul_async<const TILE: u32 = 16>(
    m: u32, k: u32, n: u32, a: in f32[m, k], b: in f32[k, n], c: out f32[m, n])
    launch(block = (TILE, TILE), grid = (ceil_div(n, TILE), ceil_div(m, TILE)))
{
    shared left: f32[2 * TILE, TILE];           // the current tile and the next one
    shared right: f32[2 * TILE, TILE];
    let (x, y) = (thread.x, thread.y);
    let (row, col) = (block.id.y * TILE, block.id.x * TILE);
    let steps = ceil_div(k, TILE);
    block.memcpy_async(left[0..TILE], a, row, 0);
    block.memcpy_async(right[0..TILE], b, 0, col);
    pipeline.commit();
    var sum = 0.0;
    for (step in 0..steps) {
        let (here, next) = (step % 2 * TILE, (step + 1) % 2 * TILE);
        if (step + 1 < steps) {
            block.memcpy_async(left[next..next + TILE], a, row, (step + 1) * TILE);
            block.memcpy_async(right[next..next + TILE], b, (step + 1) * TILE, col);
        }
        pipeline.commit();
        pipeline.wait(prior = 1);               // the next pair may still be in flight
        block.sync();                           // the other threads' copies have arrived too
        unroll for (i in 0..TILE) sum += left[here + y, i] * right[here + i, x];
        block.sync();                           // before these tiles are overwritten
    }
    if (row + y < m && col + x < n) c[row + y, col + x] = sum;
}
