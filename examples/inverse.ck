// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// inverse.ck - the inverses of many small matrices, N x N with N at most 8, by Gauss-Jordan
// elimination with partial pivoting: each thread inverts a matrix in registers. A block's matrices
// are transferred through shared memory, so that global accesses are coalesced: 2 * sizeof<T> * N *
// N bytes a matrix. A singular matrix gives infinities and NaNs.
// CALL: inverse<f32, 2>(count=2, a=[0, 2, 4, 0, 1, 2, 3, 4])
// EXPECT: b = [0, 0.25, 0.5, 0, -2, 1, 1.5, -0.5]
// FOR: count in 1, 127, 1001
// CALL: inverse<f64>(count=count, a=rand:(16 * count))
// EXPECT: b = [[i := m.T / sum(m * m), *[i := 2 * i - i @ (m @ i) for k in range(80)]][-1] for m in a.reshape(count, 4, 4)]
// TOLERANCE: 1e-8
// CALL: inverse<f32, 8>(count=200, a=sin(arange(12800) * arange(12800)) + where(arange(12800) % 64 % 9 == 0, 3, 0))
// EXPECT: b = [[i := m.T / sum(m * m), *[i := 2 * i - i @ (m @ i) for k in range(80)]][-1] for m in a.reshape(200, 8, 8)]
// TOLERANCE: 1e-4
// CALL: inverse<bf16, 1>(count=3, a=[1, 2, -4])
// EXPECT: b = [1, 0.5, -0.25]
// BENCH: inverse(count=2**20, a=rand:2**24) bytes = 128 * count

kernel inverse<T: float = f32, const N: u32 = 4, const BLOCK: u32 = 128>(
    count: u64, a: in T[count * N * N], b: out T[count * N * N])
    launch(block = BLOCK, grid = ceil_div(count, BLOCK))
{
    static_assert(N <= 8, "a matrix has 64 registers");
    let base = block.rank * (BLOCK * N * N);
    var m = block.load<transpose>(a, base, N * N);      // element (r, c) is m[r * N + c]
    var swaps = 0u32;                                   // a bit for each pair of rows
    unroll for (p in 0..N) {
        // Pivot: the row with the largest element of the column is swapped to row p. (The loop over
        // all N rows has a condition because libNVVM doesn't unroll loops that start at p, which
        // would leave the matrix in local memory.)
        unroll for (r in 0..N) {
            if (r > p) {
                let swap = abs(m[r * N + p]) > abs(m[p * N + p]);
                swaps = swaps << 1 | u32(swap);
                unroll for (c in 0..N) {
                    let (upper, lower) = (m[p * N + c], m[r * N + c]);
                    (m[p * N + c], m[r * N + c]) = (swap ? lower : upper, swap ? upper : lower);
                }
            }
        }
        // Scales row p; column p then receives column p of the inverse.
        let scale = 1 / m[p * N + p];
        m[p * N + p] = 1;
        unroll for (c in 0..N) m[p * N + c] *= scale;
        unroll for (r in 0..N) {
            if (r != p) {
                let factor = m[r * N + p];
                m[r * N + p] = 0;
                unroll for (c in 0..N) m[r * N + c] -= factor * m[p * N + c];
            }
        }
    }
    // Row swaps of the matrix are column swaps of the inverse: undoes them in reverse order.
    unroll for (i in 0..N) {
        unroll for (j in 0..N) {
            if (j < i) {
                let (p, r) = (N - 1 - i, N - 1 - j);
                let swap = (swaps & 1) == 1;
                swaps >>= 1;
                unroll for (row in 0..N) {
                    let (left, right) = (m[row * N + p], m[row * N + r]);
                    (m[row * N + p], m[row * N + r]) = (swap ? right : left, swap ? left : right);
                }
            }
        }
    }
    block.store<transpose>(b, base, m);
}
