// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// quantised.ck - y = W x with weights of 4 bits, a scale for each 128 of a row, as in Frantar, Ashkboos, Hoefler and
// Alistarh, GPTQ (2022). A word holds 8 weights q, which represent (q - 8) * scale. A warp computes four rows: what it
// reads of x serves all of them. 0.5 bytes a weight are read.
// TOLERANCE: 1e-5
// CALL: matvec_int4(rows=4, k=256, w=0x98765432 + 0 * arange(128).reshape(4, 32), scale=ones:4x2, x=ones:256)
// EXPECT: y = 32 * (-6 - 5 - 4 - 3 - 2 - 1 + 0 + 1)
// FOR: rows in 4, 60
// FOR: k in 256, 1280
// CALL: matvec_int4(rows=rows, k=k, w=rand:rows x (k // 8):1:0..2**32-1, scale=rand:rows x (k // 128), x=rand:k)
// EXPECT: y = sum(((w[:, :, None] >> (4 * arange(8)) & 15) - 8).reshape(rows, k // 128, 128) * scale[:, :, None] * x.reshape(k // 128, 128), axis=2).sum(axis=1)
// BENCH: matvec_int4(rows=2**14, k=2**13, w=rand:2**14x2**10:1:0..2**32-1, scale=rand:2**14x64, x=rand:2**13) bytes = rows * k // 2, flops = 2 * rows * k

const GROUP = 128;                      // weights of a scale
const ROWS: u32 = 4;                    // rows of a warp
const WARPS: u32 = 4;

// Weight `place` of the word: q in the lowest bits of 2^23 is the float 2^23 + q, without a conversion.
fn weight(word: u32, place: i32) -> f32 = bit_cast<f32>(word >> u32(4 * place) & 15 | 0x4b000000) - 8388616;

// rows must be a multiple of ROWS, k of 256: a lane processes 8 weights at a time.
kernel matvec_int4(rows: u32, k: u32, w: in u32[rows, k / 8], scale: in f16[rows, k / GROUP], x: in f32[k], y: out f32[rows])
    launch(block = 32 * WARPS, grid = ceil_div(rows, ROWS * WARPS))
{
    let row = (block.id.x * WARPS + warp.rank) * ROWS;
    if (row >= rows) return;
    var sums: f32[ROWS];
    unroll(2) for (at in (0..k).step(256)) {
        let first = at + 8 * warp.lane;
        let (low, high) = (x.load<4>(first), x.load<4>(first + 4));
        unroll for (r in 0u32..ROWS) {
            let word = w[row + r, first / 8];
            var part = 0.0;
            unroll for (j in 0..4) part += weight(word, j) * low[j];
            unroll for (j in 0..4) part += weight(word, j + 4) * high[j];
            sums[r] += part * f32(scale[row + r, first / GROUP]);
        }
    }
    unroll for (r in 0u32..ROWS) {
        let total = warp.sum(sums[r]);
        if (warp.lane == 0) y[row + r] = total;
    }
}
