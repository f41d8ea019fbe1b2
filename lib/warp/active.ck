// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// warp/active.ck - the currently converged lanes of a warp, as a group.
//
// g = warp.active(): g.mask, g.size, g.rank, g.elect(), g.sync(); g.shuffle(v, rank),
// g.shuffle_up(v, d), g.shuffle_down(v, d), g.broadcast(v, rank); g.all(p), g.any(p), g.ballot(p),
// g.count(p); g.reduce(v, f), g.inclusive_scan(v, f), g.exclusive_scan(v, f, init).
//
//   shape         some lanes of a warp, at least the calling one, in any block
//   arrangement   one value per lane, of at most 256 bytes
//   f             associative, on any type; need not be commutative
//   called by     all lanes of g, in whatever branch they are: they wait for each other, but for no
//                 other lane. The hardware decides which lanes are converged; on the host each lane
//                 is alone
//   result        rank: the lane's index in g, from 0. shuffle: the value of the lane of that rank;
//                 shuffle_up, shuffle_down: of the lane d ranks below, above; if that rank doesn't
//                 exist, the lane's own. reduce: the same in all lanes of g. Bit i of mask and
//                 ballot is lane i of the warp. The group is valid as long as its lanes take the
//                 same branches
//   shared bytes  none
//   steps         a shuffle of data and one of ranks for each 32 bits; reduce: 1 instruction for
//                 32-bit integers from sm_80 on, else log2(size) pairs of shuffles; scans:
//                 log2(size) pairs of shuffles
//   target        any
//   CUB           beyond CUB                                    warp.active()
//
//   kernel compact(x: in i32[256], y: out i32[256], next: inout u32[1]) launch(block = 256, grid = 1)
//   {
//       let v = x[thread.x];
//       if (v < 0) return;
//       let g = warp.active();               // one atomic for all active lanes
//       var at = 0u32;
//       if (g.elect()) at = atomic.add(next[0], g.size);
//       y[g.broadcast(at, 0) + g.rank] = v;
//   }
//   CALL: compact(x=where(arange(256) % 3 == 0, -1, arange(256)), next=[0])
//   EXPECT: next = 170
//   COST: 0 bytes, 0 barriers

// The lanes of a warp that are below this one.
fn __lanes_below() -> u32 = (1u32 << __lane()) - 1;
// The position of the rank-th set bit of a mask, by binary search with popcount.
fn __lane_of(mask: u32, rank: u32) -> u32 {
    if (mask == ~0u32) return rank;
    var at = 0u32;
    var left = rank;
    unroll for (k in 0u32..5) {
        let half = 16u32 >> k;
        let below = popcount((mask >> at) & ((1u32 << half) - 1));
        if (left >= below) {
            left -= below;
            at += half;
        }
    }
    return at;
}
fn __active_move<T: type>(mask: u32, v: T, lane: u32) -> T {
    comptime if (target.is_host) return v;
    else {
        const WORDS = (sizeof<T> + 3) / 4;
        static_assert(WORDS <= 64, "a shuffle takes at most 256 bytes");
        var words = bit_cast<u32[WORDS]>(v);
        unroll for (k in 0..WORDS) words[k] = __active_shuffle(mask, words[k], lane, 31);
        return bit_cast<T>(words);
    }
}
fn __active_ballots(mask: u32, p: bool) -> u32 {
    comptime if (target.is_host) return p ? mask : 0u32;
    else return __active_ballot(mask, u32(p));
}

// Each lane holds f of a run of active lanes that starts at itself, and the number of the lane
// after the run. A step appends that lane's run: pointer doubling, as the lanes aren't contiguous.
fn __active_steps<T: type, F: fn>(mask: u32, v: T, f: F) -> T {
    let above = mask & ~__lanes_below() & ~(1u32 << __lane());
    var next = above == 0 ? 32u32 : ctz(above);
    var r = v;
    unroll for (k in 0..5) {
        let other = __active_move(mask, r, next & 31);
        let behind = __active_shuffle(mask, next, next & 31, 31);
        if (next < 32) {
            r = f(r, other);
            next = behind;
        }
    }
    return __active_move(mask, r, ctz(mask));
}
fn __active_reduce<T: type, F: fn>(mask: u32, v: T, f: F) -> T = __active_steps(mask, v, f);
fn __active_reduce<F: fn>(mask: u32, v: u32, f: F) -> u32 {
    comptime if (__sm() >= 80 && __operator(v, f) < 6) return __active_redux<__operator(v, f)>(mask, v);
    else return __active_steps(mask, v, f);
}
fn __active_reduce<F: fn>(mask: u32, v: i32, f: F) -> i32 {
    comptime if (__sm() >= 80 && __operator(v, f) < 6) return __active_redux<__operator(v, f)>(mask, v);
    else return __active_steps(mask, v, f);
}

// A group of lanes; warp.active() makes it.
struct ActiveLanes {
    mask: u32;
    fn size -> u32 = popcount(self.mask);
    fn rank -> u32 = popcount(self.mask & __lanes_below());
    // True in the lane of rank 0.
    fn elect() -> bool = self.mask & __lanes_below() == 0;
    // Waits for all lanes of the group; what they wrote to memory before is then visible to all of
    // them.
    fn sync() {
        comptime if (target.is_gpu) __active_sync(self.mask);
    }
    fn shuffle<T: type>(v: T, rank: u32) -> T = __active_move(self.mask, v, rank < self.size ? __lane_of(self.mask, rank) : __lane());
    fn shuffle_up<T: type>(v: T, d: u32) -> T = self.shuffle(v, d <= self.rank ? self.rank - d : self.rank);
    fn shuffle_down<T: type>(v: T, d: u32) -> T = self.shuffle(v, d < self.size - self.rank ? self.rank + d : self.rank);
    fn broadcast<T: type>(v: T, rank: u32) -> T = self.shuffle(v, rank);
    fn ballot(p: bool) -> u32 = __active_ballots(self.mask, p);
    fn all(p: bool) -> bool = self.ballot(p) == self.mask;
    fn any(p: bool) -> bool = self.ballot(p) != 0;
    fn count(p: bool) -> u32 = popcount(self.ballot(p));

    fn reduce<T: type, F: fn>(v: T, f: F) -> T {
        comptime if (target.is_host) return v;
        else return __active_reduce(self.mask, v, f);
    }
    // f of the lanes of ranks 0 to rank.
    fn inclusive_scan<T: type, F: fn>(v: T, f: F) -> T {
        comptime if (target.is_host) return v;
        else {
            let below = self.mask & __lanes_below();
            var last = below == 0 ? 32u32 : 31 - clz(below);
            var r = v;
            unroll for (k in 0..5) {
                let other = __active_move(self.mask, r, last & 31);
                let before = __active_shuffle(self.mask, last, last & 31, 31);
                if (last < 32) {
                    r = f(other, r);
                    last = before;
                }
            }
            return r;
        }
    }
    // f of init and the lanes of ranks 0 to rank - 1.
    fn exclusive_scan<T: type, F: fn>(v: T, f: F, init: T) -> T {
        let r = self.shuffle_up(self.inclusive_scan(v, f), 1);
        return self.rank == 0 ? init : f(init, r);
    }
}

fn __active_redux<const OP: u32>(m: u32, v: u32) -> u32 = OP == 0 ? __active_sum(m, v)
  : OP == 1 ? __active_min_u(m, v) : OP == 2 ? __active_max_u(m, v) : OP == 3 ? __active_and(m, v)
  : OP == 4 ? __active_or(m, v) : __active_xor(m, v);
fn __active_redux<const OP: u32>(m: u32, v: i32) -> i32 = OP == 1 ? __active_min_i(m, v)
  : OP == 2 ? __active_max_i(m, v) : i32(__active_redux<OP>(m, u32(v)));

// The lanes that are converged here, the calling one included.
fn warp.active() -> ActiveLanes = ActiveLanes(__active_mask());
