// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hashtable.ck - a hash table of pairs of u32 with open addressing and linear probing (Knuth, The Art of Computer
// Programming, volume 3, 6.4, algorithm L). A slot is a u64, the key in its upper half and the value in the lower one, so
// that a compare-and-swap writes both together. The finalizer of MurmurHash3 hashes a key to its first slot
// (Appleby, 2011). If several values are inserted with one key, the greatest is kept, in any order of insertion.
//
//     slot    home     home + 1   home + 2   home + 3
//             other    other      key        empty        two steps to find the key, three to know that one is not there
//
// The number of slots is a power of two. Searches for keys that are missing end at an empty slot: there is always one.
// All bits of an empty slot are ones, so that its value is MISSING; 0xffffffff is no key.
//
// In a full table a known key is found, and an inserted one goes to the only empty slot, wherever its home is.
// CALL: hash_insert(keys=[7, 9, 7, 5], values=[3, 1, 8, 4], table=[9 << 32 | 2, 5 << 32 | 3, 1 << 32 | 6, 7 << 32 | 5])
// EXPECT: table = [9 << 32 | 2, 5 << 32 | 4, 1 << 32 | 6, 7 << 32 | 8]
// CALL: hash_insert(keys=[5], values=[4], table=[9 << 32 | 2, 2**64 - 1, 1 << 32 | 6, 7 << 32 | 5])
// EXPECT: table = [9 << 32 | 2, 5 << 32 | 4, 1 << 32 | 6, 7 << 32 | 5]
// CALL: hash_lookup(keys=[1, 7, 9, 5, 1], table=[9 << 32 | 2, 5 << 32 | 4, 1 << 32 | 6, 7 << 32 | 5])
// EXPECT: found = [6, 5, 2, 4, 6]
// FOR: n in 1, 33, 1000, 4095
// CALL: hash_trip(slots=4096, keys=arange(n) * 2654435761 % 2**32, values=arange(n) + 1, queries=arange(n + 500) * 2654435761 % 2**32)
// EXPECT: found = where(arange(n + 500) < n, arange(n + 500) + 1, 2**32 - 1)
// EXPECT: used = n
// FOR: n in 7, 700, 3001
// CALL: hash_trip(slots=8, keys=arange(n) % 7, values=arange(n), queries=arange(10))
// EXPECT: found = where(arange(10) < 7, n - 1 - (n - 1 - arange(10)) % 7, 2**32 - 1)
// EXPECT: used = 7
// BENCH: hash_insert(slots=2**25, keys=arange(2**24) * 2654435761 % 2**32, values=iota:2**24, table=0 * arange(2**25) + (2**64 - 1)) bytes = 40 * n
// BENCH: hash_lookup(slots=2**25, keys=arange(2**24) * 2654435761 % 2**32, table=0 * arange(2**25) + (2**64 - 1)) bytes = 40 * n

const EMPTY = ~0u64;
const MISSING = ~0u32;
const BLOCK: u32 = 256;

fn hash(key: u32) -> u32
{
    var h = key;
    h = (h ^ h >> 16) * 0x85ebca6b;
    h = (h ^ h >> 13) * 0xc2b2ae35;
    return h ^ h >> 16;
}

fn insert(table: inout u64[], slots: u32, key: u32, value: u32)
{
    let mine = u64(key) << 32 | value;
    var at = hash(key) & slots - 1;
    while (true) {
        let old = atomic.compare_exchange(table[at], EMPTY, mine);
        if (old == EMPTY) return;
        if (u32(old >> 32) == key) {
            if (old < mine) atomic.max(table[at], mine);
            return;
        }
        at = at + 1 & slots - 1;
    }
}

fn find(table: in u64[], slots: u32, key: u32) -> u32
{
    var at = hash(key) & slots - 1;
    var slot = table[at];
    while (u32(slot >> 32) != key && slot != EMPTY) {
        at = at + 1 & slots - 1;
        slot = table[at];
    }
    return u32(slot);
}

kernel hash_insert(n: u32, slots: u32, keys: in u32[n], values: in u32[n], table: inout u64[slots])
    launch(block = BLOCK, grid = ceil_div(n, BLOCK))
{
    let i = u32(grid.thread_rank);
    if (i < n) insert(table, slots, keys[i], values[i]);
}

kernel hash_lookup(n: u32, slots: u32, keys: in u32[n], table: in u64[slots], found: out u32[n])
    launch(block = BLOCK, grid = ceil_div(n, BLOCK))
{
    let i = u32(grid.thread_rank);
    if (i < n) found[i] = find(table, slots, keys[i]);
}

// For the tests, in one block: inserts into an empty table, looks up, and counts the used slots.
kernel hash_trip(n: u32, m: u32, slots: u32, keys: in u32[n], values: in u32[n], queries: in u32[m],
                 found: out u32[m], used: out u32[1])
    launch(block = BLOCK, grid = 1)
{
    scratch table: u64[slots];
    for (i in block.stride(slots)) table[i] = EMPTY;
    block.sync();
    for (i in block.stride(n)) insert(table, slots, keys[i], values[i]);
    block.sync();
    for (i in block.stride(m)) found[i] = find(table, slots, queries[i]);
    var mine = 0u32;
    for (i in block.stride(slots)) mine += u32(table[i] != EMPTY);
    let all = block.reduce(mine, +);
    if (thread.x == 0) used[0] = all;
}
