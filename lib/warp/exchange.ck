// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// warp/exchange.ck - changes the arrangement of items within a warp or tile, through shared memory
// or by shuffles.
//
// warp.exchange<how>(items), with `shuffle = true` or false, a constant; warp.exchange<how>(items, ranks), with
// `valid = flags`; warp.tile<G>.exchange.
//
//   shape         a warp or G lanes of one, in any block of constant size; N items of any type a lane
//   arrangement   blocked: lane l has items l * N to l * N + N - 1 of the group. striped: items l,
//                 l + lanes, ...; the last warp of a block strides by its own lanes
//   how           blocked_to_striped, striped_to_blocked; and with ranks, the destination of each
//                 item in the group: scatter_to_blocked, scatter_to_striped
//   called by     all lanes of the group
//   result        the items in the new arrangement; places that no item was sent to are unspecified
//   valid         bool[N]: which items to move
//   shuffle       true: through registers; N must be a power of two, at most the group's lanes, and
//                 the block must have whole groups. false: through shared memory. Default:
//                 registers for two items of up to 4 bytes, which take two thirds of the time of
//                 shared memory (8 items take 1.4 times as long through registers, 32 more than
//                 twice; H200)
//   shared bytes  sizeof<T> * N a thread of the block, 1/32 more with ranks, and where a lane's items
//                 are no rows of 16 bytes: each group has its own. shuffle: none
//   steps         N writes and reads, and two barriers of the group; shuffle: N shuffles of each 32
//                 bits, and log2(N) selects an item before and after them
//   target        any
//   CUB           WarpExchange::StripedToBlocked(in, out)   warp.exchange<striped_to_blocked>(items)
//                 ::BlockedToStriped(in, out)               warp.exchange<blocked_to_striped>(items)
//                 ::ScatterToStriped(in, out, ranks)        warp.exchange<scatter_to_striped>(items, ranks)
//                 WARP_EXCHANGE_SMEM                        warp.exchange<how>(items, shuffle = false)
//                 WARP_EXCHANGE_SHUFFLE                     warp.exchange<how>(items, shuffle = true)
//                     CUB takes as many items as lanes, here fewer too
//                 beyond CUB                                warp.exchange<scatter_to_blocked>(items, ranks, valid = flags)
//
//   kernel turn(x: in u32[128], y: out u32[128]) launch(block = 32, grid = 1)
//   {
//       let mine = warp.load<blocked>(x, 0, 4);
//       warp.store<striped>(y, 0, warp.exchange<blocked_to_striped>(mine));
//   }
//   CALL: turn(x=iota:128)
//   EXPECT: y = x
//   COST: 512 bytes, 0 barriers

// Other lanes may still be reading the previous iteration's items, in a loop that others of the
// block aren't in.
fn __group_exchange<const HOW: u32, const G: u32, T: type, const N: u32>(items: T[N]) -> T[N] {
    static_assert(HOW == blocked_to_striped || HOW == striped_to_blocked, "a warp's exchange is blocked_to_striped, striped_to_blocked or takes the items' ranks");
    __warp_sync(__lanes<G>());
    comptime if (HOW == blocked_to_striped) return __exchange<0, 2, G>(items);
    else return __exchange<2, 0, G>(items);
}

// Permutes items: element k becomes items[k ^ x], where x depends on the lane.
fn __turn_items<T: type, const N: u32>(items: T[N], x: u32) -> T[N] {
    const STEPS = 31 - clz(N);
    var r = items;
    unroll for (b in 0..STEPS) {
        let old = r;
        let is_turned = (x >> b & 1) != 0;
        unroll for (k in 0..N) r[k] = is_turned ? old[k ^ 1u32 << b] : old[k];
    }
    return r;
}
// Each lane sends its N items to N lanes, or receives them from N lanes, one per round. In round r
// it sends item r ^ a and receives item r ^ b. a and b, numbers below N, encode the lane's position
// from the other side's view, so that sender and receiver mean the same item.
fn __group_shuffle<const HOW: u32, const G: u32, T: type, const N: u32>(items: T[N]) -> T[N] {
    static_assert(HOW == blocked_to_striped || HOW == striped_to_blocked, "an exchange by shuffle is blocked_to_striped or striped_to_blocked");
    static_assert((N & (N - 1)) == 0 && N <= G, "an exchange by shuffle takes a power of two of items, at most as many as lanes: leave out `shuffle`");
    static_assert(block.size % G == 0, "an exchange by shuffle takes whole groups of lanes: leave out `shuffle`");
    const FEW = G / N; // lanes per item
    let lane = __rank_in<G>();
    let (low, high) = (lane % N, lane / N);
    let (outer, inner) = (lane / FEW, lane % FEW);
    let sent = __turn_items(items, HOW == blocked_to_striped ? outer : low);
    var got: T[N];
    unroll for (r in 0..N) {
        let from = HOW == blocked_to_striped ? (r ^ low) * FEW + high : inner * N + (r ^ outer);
        got[r] = __shuffle<0>(__lanes<G>(), sent[r], from, __clamp<G>());
    }
    return __turn_items(got, HOW == blocked_to_striped ? low : outer);
}

// Two one-word items are faster by shuffles, four are equally fast, eight are slower (H200).
fn __group_exchange_best<const HOW: u32, const G: u32, T: type, const N: u32>(items: T[N]) -> T[N] {
    comptime if (N == 2 && sizeof<T> <= 4 && block.size % G == 0 && HOW <= striped_to_blocked) return __group_shuffle<HOW, G>(items);
    else return __group_exchange<HOW, G>(items);
}

fn __group_scatter<const HOW: u32, const G: u32, const SOME: bool, T: type, const N: u32>(items: T[N], ranks: u32[N], valid: bool[N]) -> T[N] {
    static_assert(HOW == scatter_to_blocked || HOW == scatter_to_striped, "ranks are for scatter_to_blocked and scatter_to_striped");
    const TO: u32 = HOW == scatter_to_striped ? 2 : 0;
    shared all: T[block.size * N + block.size * N / 32 + 1];
    let start = __first_rank<G>() * N;
    __warp_sync(__lanes<G>());
    comptime if (SOME && target.is_host) { // as in block/exchange.ck
        __write_own<0>(ptr<T, shared>(address(all[0])), items);
        __warp_sync(__lanes<G>());
    }
    unroll for (k in 0..N) {
        if (!SOME || valid[k]) all[__padded<N>(start + ranks[k])] = items[k];
    }
    __warp_sync(__lanes<G>());
    return __read_own<TO, N, G>(ptr<T, shared>(address(all[0])));
}
fn __group_scatter_all<const HOW: u32, const G: u32, T: type, const N: u32>(items: T[N], ranks: u32[N]) -> T[N] {
    var valid: bool[N];
    return __group_scatter<HOW, G, false>(items, ranks, valid);
}

fn warp.exchange<const how: u32 = __no_word, T: type, const N: u32>(items: T[N]) -> T[N] = __group_exchange_best<how, 32>(items);
fn warp.exchange<const how: u32 = __no_word, T: type, const N: u32>(items: T[N], const shuffle: bool) -> T[N] {
    comptime if (shuffle) return __group_shuffle<how, 32>(items);
    else return __group_exchange<how, 32>(items);
}
fn warp.exchange<const how: u32 = __no_word, T: type, const N: u32>(items: T[N], ranks: u32[N]) -> T[N] = __group_scatter_all<how, 32>(items, ranks);
fn warp.exchange<const how: u32 = __no_word, T: type, const N: u32>(items: T[N], ranks: u32[N], valid: bool[N]) -> T[N] = __group_scatter<how, 32, true>(items, ranks, valid);

fn warp.tile.exchange<const G: u32, const how: u32 = __no_word, T: type, const N: u32>(items: T[N]) -> T[N] = __group_exchange_best<how, G>(items);
fn warp.tile.exchange<const G: u32, const how: u32 = __no_word, T: type, const N: u32>(items: T[N], const shuffle: bool) -> T[N] {
    comptime if (shuffle) return __group_shuffle<how, G>(items);
    else return __group_exchange<how, G>(items);
}
fn warp.tile.exchange<const G: u32, const how: u32 = __no_word, T: type, const N: u32>(items: T[N], ranks: u32[N]) -> T[N] = __group_scatter_all<how, G>(items, ranks);
fn warp.tile.exchange<const G: u32, const how: u32 = __no_word, T: type, const N: u32>(items: T[N], ranks: u32[N], valid: bool[N]) -> T[N] = __group_scatter<how, G, true>(items, ranks, valid);
