// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// philox.ck - arrays of random bits, of uniform and of normal numbers by Philox4x32-10 (Salmon, Moraes, Dror and Shaw,
// Parallel Random Numbers: As Easy as 1, 2, 3, 2011). A thread encrypts the number of its quad, first + i, and a
// sequence's number with the seed as key, which gives four words, and stores four elements at once. Normal numbers
// are made of pairs (Box and Muller, A Note on the Generation of Random Normal Deviates, 1958). So an element is a
// function of seed, sequence and place alone, whatever the grid is.
//
// The known answers of the authors' Random123 as words, and what is made of them; then the rounds in NumPy.
// CALL: philox_bits(n=4, seed=0, sequence=0, first=0)
// EXPECT: y = [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]
// CALL: philox_bits(n=4, seed=2**64-1, sequence=2**64-1, first=2**64-1)
// EXPECT: y = [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd]
// FOR: n in 1, 2, 3, 4
// CALL: philox_bits(n=n, seed=0x299f31d0a4093822, sequence=0x0370734413198a2e, first=0x85a308d3243f6a88)
// EXPECT: y = (0xd16cfe09 * (arange(4) == 0) + 0x94fdcceb * (arange(4) == 1) + 0x5001e420 * (arange(4) == 2) + 0x24126ea1 * (arange(4) == 3))[:n]
// FOR: n in 1, 999, 1024, 1027, 5000
// FOR: first in 0, 2**32 - 100
// CALL: philox_bits(n=n, seed=0x123456789abcdef0, sequence=77 << 32 | 5, first=first)
// EXPECT: y = [c := [(first + arange((n + 3) // 4)) % 2**32, first + arange((n + 3) // 4) >> 32, arange((n + 3) // 4) * 0 + 5, arange((n + 3) // 4) * 0 + 77], *[c := [(0xcd9e8d57 * c[2] >> 32) ^ c[1] ^ (0x9abcdef0 + i * 0x9e3779b9) % 2**32, 0xcd9e8d57 * c[2] % 2**32, (0xd2511f53 * c[0] >> 32) ^ c[3] ^ (0x12345678 + i * 0xbb67ae85) % 2**32, 0xd2511f53 * c[0] % 2**32] for i in range(10)]][-1].T.reshape(-1)[:n]
// CALL: philox_uniform(n=4, seed=0, sequence=0, first=0)
// EXPECT: y = [(0x6627e8d5 + 0.5) / 2**32, (0xe169c58d + 0.5) / 2**32, (0xbc57ac4c + 0.5) / 2**32, (0x9b00dbd8 + 0.5) / 2**32]
// CALL: philox_normal(n=4, seed=0, sequence=0, first=0)
// EXPECT: y = [sqrt(-2 * log(0x6627e8d5 / 2**32)) * sin(0xe169c58d / 2**31 * pi), sqrt(-2 * log(0x6627e8d5 / 2**32)) * cos(0xe169c58d / 2**31 * pi), sqrt(-2 * log(0xbc57ac4c / 2**32)) * sin(0x9b00dbd8 / 2**31 * pi), sqrt(-2 * log(0xbc57ac4c / 2**32)) * cos(0x9b00dbd8 / 2**31 * pi)]
// FOR: first in 0, 3, 700
// CALL: philox_moments(n=2**18, seed=5, sequence=9, first=first)
// EXPECT: moments = [0.5, 1 / 3, 0, 1, 0, 3]
// TOLERANCE: 0.04
// BENCH: philox_bits(n=2**27, seed=1, sequence=0, first=0)
// BENCH: philox_uniform(n=2**27, seed=1, sequence=0, first=0)
// BENCH: philox_normal(n=2**27, seed=1, sequence=0, first=0)

const BLOCK: u32 = 256;

// Stores up to four elements from index `at` on.
fn put<T: type>(y: out T[], n: u32, at: u32, v: vec<T, 4>)
{
    if (at + 4 <= n) y.store(at, v);
    else unroll for (k in 0u32..3) if (at + k < n) y[at + k] = v[k];
}

kernel philox_bits(n: u32, seed: u64, sequence: u64, first: u64, y: out u32[n])
    launch(block = BLOCK, grid = ceil_div(n, 4 * BLOCK))
{
    let i = u32(grid.thread_rank);
    if (4 * i < n) put(y, n, 4 * i, philox(seed, sequence, first + i));
}

kernel philox_uniform(n: u32, seed: u64, sequence: u64, first: u64, y: out f32[n])
    launch(block = BLOCK, grid = ceil_div(n, 4 * BLOCK))
{
    let i = u32(grid.thread_rank);
    if (4 * i < n) put(y, n, 4 * i, random_uniform(philox(seed, sequence, first + i)));
}

kernel philox_normal(n: u32, seed: u64, sequence: u64, first: u64, y: out f32[n])
    launch(block = BLOCK, grid = ceil_div(n, 4 * BLOCK))
{
    let i = u32(grid.thread_rank);
    if (4 * i < n) put(y, n, 4 * i, random_normal(philox(seed, sequence, first + i)));
}

// For the tests: means of a uniform number and its square, and of a normal one and its powers 2 to 4, over n quads.
kernel philox_moments(n: u32, seed: u64, sequence: u64, first: u64, moments: out f32[6]) launch(block = BLOCK, grid = 1)
{
    var sums: f32[6];
    for (i in block.stride(n)) {
        let bits = philox(seed, sequence, first + i);
        let (u, v) = (random_uniform(bits), random_normal(bits));
        sums = [sums[0] + sum(u), sums[1] + dot(u, u), sums[2] + sum(v), sums[3] + dot(v, v), sums[4] + dot(v, v * v), sums[5] + dot(v * v, v * v)];
    }
    let all = block.reduce_batched(sums, +);
    if (thread.x < 6) moments[thread.x] = all[thread.x] / f32(4 * n);
}
