// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// align.ck - global alignment scores of pairs of sequences of 1 to 128 letters (Needleman and Wunsch, A General
// Method Applicable to the Search for Similarities in the Amino Acid Sequence of Two Proteins, 1970). With
//     H[i, j] = max(H[i - 1, j - 1] + (a[i] == b[j] ? SAME : DIFFER), H[i - 1, j] + GAP, H[i, j - 1] + GAP)
// the score is the last element of H. F[i, j] = H[i, j] - GAP * (i + j + 2) has no gaps: it is 0 on the borders, a
// step down or to the right adds nothing, and a step along the diagonal adds -2 * GAP more than in H.
//
// A warp processes a pair, each lane four columns, in registers. In step s, lane l computes row s - l, so that
// the lanes are on an antidiagonal. From the lane to its left, a lane needs the last column of the previous step: a
// shuffle transfers it.
//
// GATTACA and GCATGCG; all letters the same; random letters.
// CALL: align<1, -1, -1>(a=(0x41434154544147 >> 8 * minimum(arange(128), 7)).reshape(1, 128) & 255, b=(0x47434754414347 >> 8 * minimum(arange(128), 7)).reshape(1, 128) & 255, a_length=[7], b_length=[7])
// EXPECT: score = 0
// CALL: align(a=rand:128x128:1:7..7, b=rand:128x128:1:7..7, a_length=1 + arange(128), b_length=1 + 5 * arange(128) % 128)
// EXPECT: score = 2 * minimum(1 + arange(128), 1 + 5 * arange(128) % 128) - 2 * abs(arange(128) - 5 * arange(128) % 128)
// FOR: letters in 2, 4, 20
// CALL: compare_scores<2, -1, -2>(a=rand:90x128:1:0..letters - 1, b=rand:90x128:2:0..letters - 1, a_length=rand:90:3:1..128, b_length=rand:90:4:1..128)
// EXPECT: differs = 0
// FOR: letters in 2, 4, 20
// CALL: compare_scores<5, -4, -10>(a=rand:90x128:1:0..letters - 1, b=rand:90x128:2:0..letters - 1, a_length=rand:90:3:1..128, b_length=rand:90:4:1..128)
// EXPECT: differs = 0
// BENCH: align(a=rand:2**17x128:1:0..3, b=rand:2**17x128:2:0..3, a_length=128 + 0 * arange(2**17), b_length=128 + 0 * arange(2**17)) flops = 128 * 128 * pairs

const LENGTH: u32 = 128;
const WARPS: u32 = 4;
const COLUMNS: u32 = 4;                 // of a lane

// The score of the first `rows` letters of `a` and the first `columns` of the warp's, of which a lane has four.
fn score_of<const SAME: i32, const DIFFER: i32, const GAP: i32, A: type>(a: A, rows: u32, b: u8x4, columns: u32) -> i32
{
    let letters = u32x4(b);
    var row_of_f: i32[COLUMNS];         // zeros above the first row
    var corner = 0;                     // F[row - 1, the column to the left of the lane's]
    unroll(1) for (step in 0..rows + (columns - 1) / COLUMNS) {
        let last = warp.shuffle_up(row_of_f[COLUMNS - 1], 1);
        let row = step - warp.lane;     // above the first row it wraps around
        if (row < rows) {
            let letter = u32(a[row]);
            var left = warp.lane == 0 ? 0 : last;
            var diagonal = corner;
            corner = left;
            unroll for (k in 0..COLUMNS) {
                let through = diagonal + (letter == letters[k] ? SAME - 2 * GAP : DIFFER - 2 * GAP);
                diagonal = row_of_f[k];
                left = max(max(through, diagonal), left);
                row_of_f[k] = left;
            }
        }
    }
    var last = row_of_f[0];
    unroll for (k in 1..COLUMNS) {
        let other = row_of_f[k];
        last = k == (columns - 1) % COLUMNS ? other : last;
    }
    return warp.shuffle(last, (columns - 1) / COLUMNS) + GAP * i32(rows + columns);
}

kernel align<const SAME: i32 = 2, const DIFFER: i32 = -1, const GAP: i32 = -2>(
    pairs: u32, a: in u8[pairs, LENGTH], b: in u8[pairs, LENGTH],
    a_length: in u32[pairs], b_length: in u32[pairs], score: out i32[pairs])
    launch(block = 32 * WARPS, grid = ceil_div(pairs, WARPS))
{
    shared letters: u8[WARPS * LENGTH];
    let pair = block.id.x * WARPS + warp.rank;
    if (pair >= pairs) return;
    let (first, at) = (LENGTH * warp.rank, COLUMNS * warp.lane);
    letters.store(first + at, a.load<4>(pair, at));
    warp.sync();
    let found = score_of<SAME, DIFFER, GAP>(letters[first..first + LENGTH], a_length[pair], b.load<4>(pair, at), b_length[pair]);
    if (warp.lane == 0) score[pair] = found;
}

// Compares the scores with the last elements of H, which the first lane computes row by row.
kernel compare_scores<const SAME: i32, const DIFFER: i32, const GAP: i32>(
    pairs: u32, a: in u8[pairs, LENGTH], b: in u8[pairs, LENGTH],
    a_length: in u32[pairs], b_length: in u32[pairs], differs: out u32[pairs])
    launch(block = 32, grid = pairs)
{
    let pair = block.id.x;
    let (rows, columns) = (a_length[pair], b_length[pair]);
    let found = score_of<SAME, DIFFER, GAP>(a.row(pair), rows, b.load<4>(pair, COLUMNS * warp.lane), columns);
    var h: i32[LENGTH + 1];
    for (j in 0..columns + 1) h[j] = GAP * i32(j);
    for (i in 0..rows) {
        var diagonal = h[0];
        h[0] += GAP;
        for (j in 0..columns) {
            let through = diagonal + (a[pair, i] == b[pair, j] ? SAME : DIFFER);
            diagonal = h[j + 1];
            h[j + 1] = max(through, max(h[j + 1], h[j]) + GAP);
        }
    }
    if (warp.lane == 0) differs[pair] = u32(found != h[columns]);
}
