// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// warp/load.ck - loads and stores of a tile of items by a warp or tile.
//
// warp.load<how>(it, base, N), with `default = value`; warp.store<how>(it, base, items);
// warp.tile<G>.load, warp.tile<G>.store.
//
//   shape         a warp or G lanes of one, in any block; transpose: of constant size; N items of any
//                 type a lane. The last warp of a block may have fewer lanes: its tile has fewer items
//   it            a span, an array or an iterator; elements base to base + N * lanes - 1
//   arrangement   blocked: lane l has elements base + l * N + k; striped: base + l + k * lanes
//   called by     all lanes of the group; base is the same in all of them
//   result        T[N]. An element at index it.len or above is the default, or zero; none is stored
//                 there
//   how           blocked, striped, vectorized, transpose: as block/load.ck says
//   shared bytes  transpose: that of the exchange; others: none
//   steps         N accesses; transpose: an exchange
//   target        any
//   CUB           WarpLoad::Load(it, items)           warp.load(it, base, N)
//                 ::Load(it, items, valid)            warp.load(it.take(base + n), base, N)
//                     CUB leaves the other items as they were, here they are zero
//                 ::Load(it, items, valid, default)   warp.load(it.take(base + n), base, N, default = value)
//                 WARP_LOAD_DIRECT                    warp.load<blocked>(it, base, N)
//                 WARP_LOAD_STRIPED                   warp.load<striped>(it, base, N)
//                 WARP_LOAD_VECTORIZE                 warp.load<vectorized>(it, base, N)
//                 WARP_LOAD_TRANSPOSE                 warp.load<transpose>(it, base, N)
//                 WarpStore::Store(it, items)         warp.store(it, base, items)
//                 ::Store(it, items, valid)           warp.store(it.take(base + n), base, items)
//                 WARP_STORE_DIRECT                   warp.store<blocked>(it, base, items)
//                 WARP_STORE_STRIPED                  warp.store<striped>(it, base, items)
//                 WARP_STORE_VECTORIZE                warp.store<vectorized>(it, base, items)
//                 WARP_STORE_TRANSPOSE                warp.store<transpose>(it, base, items)
//
//   kernel doubled(n: u64, x: in f32[n], y: out f32[n]) launch(block = 64, grid = ceil_div(n, 256))
//   {
//       let base = block.id.x * 256 + warp.rank * 128;
//       var v = warp.load<transpose>(x, base, 4, default = 1);
//       for (k in 0..4) v[k] *= 2;
//       warp.store<transpose>(y, base, v);
//   }
//   CALL: doubled(x=iota:1000)
//   EXPECT: y = 2 * x
//   COST: 1024 bytes, 1 barrier

fn __group_load<const HOW: u32, const G: u32, const N: u32, I: type, T: type>(it: I, base: u64, default: T) -> T[N] {
    static_assert(HOW <= 1 || HOW == 3 || HOW == 4, "a warp's load is blocked, striped, vectorized or transpose");
    comptime if (HOW == 0) return __load_items<0, N, G>(it, base, default);
    else comptime if (HOW == 1) return __load_items<2, N, G>(it, base, default);
    else comptime if (HOW == 3) return __load_wide<N, G>(it, base, default);
    else return __group_exchange<striped_to_blocked, G>(__load_items<2, N, G>(it, base, default));
}
fn __group_store<const HOW: u32, const G: u32, I: type, T: type, const N: u32>(it: I, base: u64, items: T[N]) {
    static_assert(HOW <= 1 || HOW == 3 || HOW == 4, "a warp's store is blocked, striped, vectorized or transpose");
    comptime if (HOW == 0) __store_items<0, G>(it, base, items);
    else comptime if (HOW == 1) __store_items<2, G>(it, base, items);
    else comptime if (HOW == 3) __store_wide<G>(it, base, items);
    else __store_items<2, G>(it, base, __group_exchange<blocked_to_striped, G>(items));
}

fn warp.load<const how: u32 = 0, I: type, J: int>(it: I, base: J, const items: u32) = __group_load<how, 32, items>(it, u64(base), __zero(it[0u64]));
fn warp.load<const how: u32 = 0, I: type, J: int, T: type = element_of<I>>(it: I, base: J, const items: u32, default: T) = __group_load<how, 32, items>(it, u64(base), __as<element_of<I>>(default));
fn warp.store<const how: u32 = 0, I: type, J: int, T: type, const N: u32>(it: I, base: J, items: T[N]) { __group_store<how, 32>(it, u64(base), items); }

fn warp.tile.load<const G: u32, const how: u32 = 0, I: type, J: int>(it: I, base: J, const items: u32) = __group_load<how, G, items>(it, u64(base), __zero(it[0u64]));
fn warp.tile.load<const G: u32, const how: u32 = 0, I: type, J: int, T: type = element_of<I>>(it: I, base: J, const items: u32, default: T) = __group_load<how, G, items>(it, u64(base), __as<element_of<I>>(default));
fn warp.tile.store<const G: u32, const how: u32 = 0, I: type, J: int, T: type, const N: u32>(it: I, base: J, items: T[N]) { __group_store<how, G>(it, u64(base), items); }
