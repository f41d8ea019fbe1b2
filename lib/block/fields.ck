// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// block/fields.ck - radix sort of items by several fields.
//
// block.radix_sort(items, by), block.radix_sort(items, values, by), with begin_bit = 0,
// end_bit = all, descending = false, and how, bits and scan as in radix.ck.
//
//   shape         any block of constant size; N items of any type a thread
//   arrangement   blocked, in and out; radix_sort<striped>: the result is striped
//   by            by(item) returns the sort key: an integer, a float or a bool; or a tuple of 2 to
//                 8 of them, or an array, compared lexicographically
//   called by     all threads of the block; begin_bit, end_bit and descending are the same in all
//   result        the items, sorted, stable; (items, values) if there are values. Floats as in
//                 radix.ck; false comes before true
//   begin_bit, end_bita window of the key as one number: the last field has the lowest bits; a bool has
//                 8 bits. Fields outside of the window are ignored
//   shared bytes  the larger of the items or the values, 1/32 more, and the rank's (rank.ck)
//   steps         radix.ck's passes for each field, the last one first; they move whole items
//   target        any
//   CUB           BlockRadixSort::Sort(items, decomposer)         block.radix_sort(items, by)
//                     by = |s| (s.a, s.b)
//                 ::Sort(items, decomposer, begin_bit, end_bit)   block.radix_sort(items, by, begin_bit = b, end_bit = e)
//                 ::Sort(items, values, decomposer)               block.radix_sort(items, values, by)
//                 ::SortDescending(items, decomposer)             block.radix_sort(items, by, descending = true)
//                     with values too
//                 ::SortBlockedToStriped(items, decomposer)       block.radix_sort<striped>(items, by)
//                     descending and with values too
//
//   struct Item { group: u8; cost: f32; at: u32; }
//   kernel sort(order: out u32[128]) launch(block = 64, grid = 1)
//   {
//       let items = block.load(count<u32>().map(|i| Item(u8(i % 2), -f32(i), i)), 0, 2);
//       let sorted = block.radix_sort(items, by = |s| (s.group, s.cost));
//       block.store(order, 0, [sorted[0].at, sorted[1].at]);
//   }
//   CALL: sort()
//   EXPECT: order = where(arange(128) < 64, 126 - 2 * arange(128), 255 - 2 * arange(128))
//   COST: 2064 bytes, 17 barriers

fn __field_bits<K: type>(like: K) -> u32 = 8 * (sizeof<K>);

// Sorts by one field, whose lowest bit is bit `low` of the combined key.
fn __sort_field<const HOW: u32, K: type, T: type, const N: u32, V: type, F: fn>(like: K, items: T[N], values: V, field: F, low: u32, begin: u32, end: u32, descending: bool) -> (T[N], V) {
    let high = low + __field_bits(like);
    let zero = __key(like) ^ __key(like);
    let flip = descending ? ~zero : zero;
    return __radix_passes<HOW>(items, values, |item| __digits(like, __key(field(item))) ^ flip, clamp(begin, low, high) - low, clamp(end, low, high) - low);
}
// Sorts by fields COUNT - 1 to 0: the least significant first, as each pass is stable.
fn __sort_fields<const HOW: u32, const COUNT: u32, T: type, const N: u32, V: type, F: fn>(items: T[N], values: V, by: F, low: u32, begin: u32, end: u32, descending: bool) -> (T[N], V) {
    comptime if (COUNT == 0) {
        return (items, values);
    } else {
        let like = by(items[0])[COUNT - 1];
        let (i, v) = __sort_field<HOW>(like, items, values, |item| by(item)[COUNT - 1], low, begin, end, descending);
        return __sort_fields<HOW, COUNT - 1>(i, v, by, low + __field_bits(like), begin, end, descending);
    }
}

// The number of fields of the type of `like`. Overload resolution takes the first that fits, so the
// form for a single value is last.
fn __sort_like<const HOW: u32, K: type, const COUNT: u32, T: type, const N: u32, V: type, F: fn>(like: K[COUNT], items: T[N], values: V, by: F, begin: u32, end: u32, descending: bool) -> (T[N], V) =
    __sort_fields<HOW, COUNT>(items, values, by, 0, begin, end, descending);
fn __sort_like<const HOW: u32, K0: type, K1: type, T: type, const N: u32, V: type, F: fn>(like: (K0, K1), items: T[N], values: V, by: F, begin: u32, end: u32, descending: bool) -> (T[N], V) =
    __sort_fields<HOW, 2>(items, values, by, 0, begin, end, descending);
fn __sort_like<const HOW: u32, K0: type, K1: type, K2: type, T: type, const N: u32, V: type, F: fn>(like: (K0, K1, K2), items: T[N], values: V, by: F, begin: u32, end: u32, descending: bool) -> (T[N], V) =
    __sort_fields<HOW, 3>(items, values, by, 0, begin, end, descending);
fn __sort_like<const HOW: u32, K0: type, K1: type, K2: type, K3: type, T: type, const N: u32, V: type, F: fn>(like: (K0, K1, K2, K3), items: T[N], values: V, by: F, begin: u32, end: u32, descending: bool) -> (T[N], V) =
    __sort_fields<HOW, 4>(items, values, by, 0, begin, end, descending);
fn __sort_like<const HOW: u32, K0: type, K1: type, K2: type, K3: type, K4: type, T: type, const N: u32, V: type, F: fn>(like: (K0, K1, K2, K3, K4), items: T[N], values: V, by: F, begin: u32, end: u32, descending: bool) -> (T[N], V) =
    __sort_fields<HOW, 5>(items, values, by, 0, begin, end, descending);
fn __sort_like<const HOW: u32, K0: type, K1: type, K2: type, K3: type, K4: type, K5: type, T: type, const N: u32, V: type, F: fn>(like: (K0, K1, K2, K3, K4, K5), items: T[N], values: V, by: F, begin: u32, end: u32, descending: bool) -> (T[N], V) =
    __sort_fields<HOW, 6>(items, values, by, 0, begin, end, descending);
fn __sort_like<const HOW: u32, K0: type, K1: type, K2: type, K3: type, K4: type, K5: type, K6: type, T: type, const N: u32, V: type, F: fn>(like: (K0, K1, K2, K3, K4, K5, K6), items: T[N], values: V, by: F, begin: u32, end: u32, descending: bool) -> (T[N], V) =
    __sort_fields<HOW, 7>(items, values, by, 0, begin, end, descending);
fn __sort_like<const HOW: u32, K0: type, K1: type, K2: type, K3: type, K4: type, K5: type, K6: type, K7: type, T: type, const N: u32, V: type, F: fn>(like: (K0, K1, K2, K3, K4, K5, K6, K7), items: T[N], values: V, by: F, begin: u32, end: u32, descending: bool) -> (T[N], V) =
    __sort_fields<HOW, 8>(items, values, by, 0, begin, end, descending);
fn __sort_like<const HOW: u32, K: type, T: type, const N: u32, V: type, F: fn>(like: K, items: T[N], values: V, by: F, begin: u32, end: u32, descending: bool) -> (T[N], V) =
    __sort_field<HOW>(like, items, values, by, 0, begin, end, descending);

fn __sort_by<const TO: u32, const HOW: u32, T: type, const N: u32, V: type, F: fn>(items: T[N], values: V, by: F, begin: u32, end: u32, descending: bool) -> (T[N], V) {
    static_assert(TO <= 1, "a sort leaves its result blocked or striped");
    const BEST = __fastest<HOW, T, N, V>();
    const AT = __is_sorted_serially<T, N>() ? 0 : __ranked(BEST);
    let (i, v) = __sort_like<BEST>(by(items[0]), __arranged<0, AT>(items), __arranged<0, AT>(values), by, begin, end, descending);
    return (__arranged<AT, TO>(i), __arranged<AT, TO>(v));
}
fn block.radix_sort<const to: u32 = 0, const how: u32 = 0, T: type, const N: u32, F: fn>(items: T[N], by: F, begin_bit: u32 = 0, end_bit: u32 = ~0u32, descending: bool = false, const bits: u32 = 0, const scan: u32 = 0) -> T[N] =
    __sort_by<to, bits + 256 * how + 65536 * scan>(items, __None(0), by, begin_bit, end_bit, descending)[0];
fn block.radix_sort<const to: u32 = 0, const how: u32 = 0, T: type, const N: u32, V: type, F: fn>(items: T[N], values: V[N], by: F, begin_bit: u32 = 0, end_bit: u32 = ~0u32, descending: bool = false, const bits: u32 = 0, const scan: u32 = 0) -> (T[N], V[N]) =
    __sort_by<to, bits + 256 * how + 65536 * scan>(items, values, by, begin_bit, end_bit, descending);
fn block.radix_sort<const to: u32 = 0, const how: u32 = 0, T: type, const N: u32>(items: T[N], descending: bool = false) -> T[N] {
    static_assert(false, "radix_sort goes by integers, floats and bools: by = |item| (item.a, item.b) says by which of an item's");
    return items;
}
