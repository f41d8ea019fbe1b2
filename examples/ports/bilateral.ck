// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bilateral.ck - the bilateral filter of a grey image (Tomasi and Manduchi, Bilateral Filtering for Gray and Color
// Images, 1998): the weighted mean of the pixels q within RADIUS rows and columns of p, by distance and difference,
//     weight(q) = exp(-space * |p - q|^2 - range * (image[p] - image[q])^2).
// Beyond the border, the pixels of the border are repeated. A block loads TILE x TILE pixels with a halo of RADIUS into
// shared memory. A thread computes ROWS pixels below each other, so that each pixel it reads there serves all of them.
// The factor log2(e) is folded into the two parameters, and weights below 2^-126 are zero: one instruction per exponential.
//
// Of a range of 0 it is a convolution, of the rows and then of the columns; where only what is equal counts, nothing
// changes; of ones and zeros it depends on how many there are of each. Then all of it in NumPy.
// TOLERANCE: 1e-5
// FOR: h in 1, 5, 37, 64
// FOR: w in 1, 33, 70
// CALL: bilateral(space=0.05, range=0, image=rand:h x w)
// EXPECT: y = sum(exp(-0.05 * (arange(9) - 4) ** 2) * (minimum(maximum(arange(h)[:, None, None] + arange(9) - 4, 0), h - 1) == arange(h)[:, None]), axis=2) @ image @ sum(exp(-0.05 * (arange(9) - 4) ** 2) * (minimum(maximum(arange(w)[:, None, None] + arange(9) - 4, 0), w - 1) == arange(w)[:, None]), axis=2).T / sum(exp(-0.05 * (arange(9) - 4) ** 2)) ** 2
// CALL: bilateral(space=0, range=1e4, image=iota:100x50)
// EXPECT: y = image
// FOR: h in 3, 65
// FOR: w in 31, 32
// CALL: bilateral(space=0, range=0.5, image=(7 * arange(h)[:, None] + 3 * arange(w) ** 2) % 5 < 2)
// EXPECT: y = (sum((minimum(maximum(arange(h)[:, None, None] + arange(9) - 4, 0), h - 1) == arange(h)[:, None]), axis=2) @ image @ sum((minimum(maximum(arange(w)[:, None, None] + arange(9) - 4, 0), w - 1) == arange(w)[:, None]), axis=2).T) * exp(-0.5 * (1 - image)) / ((sum((minimum(maximum(arange(h)[:, None, None] + arange(9) - 4, 0), h - 1) == arange(h)[:, None]), axis=2) @ image @ sum((minimum(maximum(arange(w)[:, None, None] + arange(9) - 4, 0), w - 1) == arange(w)[:, None]), axis=2).T) * exp(-0.5 * (1 - image)) + (81 - (sum((minimum(maximum(arange(h)[:, None, None] + arange(9) - 4, 0), h - 1) == arange(h)[:, None]), axis=2) @ image @ sum((minimum(maximum(arange(w)[:, None, None] + arange(9) - 4, 0), w - 1) == arange(w)[:, None]), axis=2).T)) * exp(-0.5 * image))
// FOR: h in 1, 5, 37, 64
// FOR: w in 1, 33, 70
// CALL: bilateral(space=0.05, range=3, image=rand:h x w)
// EXPECT: y = sum((a := exp(-0.05 * ((arange(9) - 4) ** 2 + (arange(9)[:, None] - 4) ** 2) - 3 * ((v := image.reshape(-1)[minimum(maximum(arange(h)[:, None, None, None] + arange(9)[:, None] - 4, 0), h - 1) * w + minimum(maximum(arange(w)[:, None, None] + arange(9) - 4, 0), w - 1)]) - image[:, :, None, None]) ** 2).reshape(h, w, 81)) * v.reshape(h, w, 81), axis=2) / sum(a, axis=2)
// BENCH: bilateral(space=0.05, range=10, image=rand:2**13x2**13)

const RADIUS: u32 = 4;
const TILE: u32 = 32;
const ROWS: u32 = 4;                    // of a thread
const SIDE = TILE + 2 * RADIUS;
const LOG2_E = 1.442695;

// 2^x; subnormal results become 0.
fn exp2_or_zero(x: f32) -> f32
{
    comptime if (target.is_host) return exp2(x);
    else return asm<f32>("ex2.approx.ftz.f32 $0, $1;", x);
}

@blocks_per_sm(8)                       // all warps that fit on a multiprocessor
kernel bilateral(h: u32, w: u32, space: f32, range: f32, image: in f32[h, w], y: out f32[h, w])
    launch(block = (TILE, TILE / ROWS), grid = (ceil_div(w, TILE), ceil_div(h, TILE)))
{
    shared tile: f32[SIDE, SIDE];
    let (top, left) = (block.id.y * TILE, block.id.x * TILE);
    unroll(4) for (i in block.stride(SIDE * SIDE)) {
        let row = clamp(i32(top + i / SIDE) - i32(RADIUS), 0, i32(h) - 1);
        let column = clamp(i32(left + i % SIDE) - i32(RADIUS), 0, i32(w) - 1);
        tile[i / SIDE, i % SIDE] = image[row, column];
    }
    block.sync();

    let first = thread.y * ROWS;        // the tile's row
    var mine: f32[ROWS];
    var total: f32[ROWS];
    var weight: f32[ROWS];
    unroll for (k in 0u32..ROWS) mine[k] = tile[first + RADIUS + k, thread.x + RADIUS];
    let (a, b) = (-LOG2_E * space, -LOG2_E * range);
    unroll(1) for (dx in 0..2 * RADIUS + 1) {
        let across = f32(i32(dx) - i32(RADIUS));
        unroll for (r in 0u32..ROWS + 2 * RADIUS) {
            let pixel = tile[first + r, thread.x + dx];
            unroll for (k in 0u32..ROWS) {
                let down = f32(i32(r - k) - i32(RADIUS));
                if (abs(down) > f32(RADIUS)) continue;
                let apart = pixel - mine[k];
                let part = exp2_or_zero(fma(apart * apart, b, a * (across * across + down * down)));
                total[k] += part * pixel;
                weight[k] += part;
            }
        }
    }
    let column = left + thread.x;
    unroll for (k in 0u32..ROWS) {
        let row = top + first + k;
        if (row < h && column < w) y[row, column] = fast_divide(total[k], weight[k]);
    }
}
