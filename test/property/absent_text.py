# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""absent_text.py - the CK text of items that know whether they are valid, and of functions that
report what they get, for absent.py."""

ITEMS = ["Run", "Wide"]  # 8 bytes: algorithms by warps; 20 bytes: by raking

FAULTS = """\
// 1, 2: the first or second argument is not there. 3: they are no neighbours, or one and the same. 4: an index
// behind the end. 5: not what the block has.
fn tell(seen: inout u32[], fault: u32) { atomic.max(seen[0], fault); }
fn called(seen: inout u32[]) { atomic.max(seen[1], 1u32); }
const MARK: u32 = 0xa7000000;
// Segments of the items i % 5 == 3 and those behind them: numbers begin again at 1, 4096 further on.
fn segment(i: u32) -> u32 = i < 3 ? i + 1 : (i + 2) / 5 * 4096 + (i - 3) % 5 + 1;
fn told<const M: u32>(seen: inout u32[], c: u32[M]) {
    called(seen);
    for (j in 0..M) if (thread.rank * M + j >= 16 && c[j] != 0) tell(seen, 5u32);
}
"""
RUN = """\
struct Run { first: u32; last: u32; }
fn there_Run(i: u32) -> Run = Run(MARK | i, MARK | i);
fn absent_Run(i: u32) -> Run = Run(0x5e000000 | i, 0x5e000000 | i);
fn is_there(r: Run) -> bool = (r.first & 0xff000000) == MARK && (r.last & 0xff000000) == MARK;
fn both(a: Run, b: Run) -> Run = Run(a.first, b.last);
"""
WIDE = """\
struct Wide { first: u32; last: u32; more: u32[3]; }
fn there_Wide(i: u32) -> Wide = Wide(MARK | i, MARK | i, [MARK, MARK, MARK]);
fn absent_Wide(i: u32) -> Wide = Wide(0x5e000000 | i, 0x5e000000 | i, [0x5e000000, MARK, 0x5e000000]);
fn is_there(r: Wide) -> bool = (r.first & 0xff000000) == MARK && (r.last & 0xff000000) == MARK && r.more[0] == MARK && r.more[1] == MARK && r.more[2] == MARK;
fn both(a: Wide, b: Wide) -> Wide = Wide(a.first, b.last, a.more);
"""
# Item 0 precedes the first item of each segment.
FUNCTIONS = """\
fn are_there(seen: inout u32[], a: T, b: T) -> bool {
    called(seen);
    if (!is_there(a)) tell(seen, 1u32);
    if (!is_there(b)) tell(seen, 2u32);
    return is_there(a) && is_there(b);
}
fn join(seen: inout u32[], a: T, b: T) -> T {
    if (are_there(seen, a, b) && a.last + 1 != b.first && !(a.last == MARK && b.first % 4096 == 1)) tell(seen, 3u32);
    return both(a, b);
}
fn join_any(seen: inout u32[], a: T, b: T) -> T {
    if (are_there(seen, a, b) && a.first == b.first) tell(seen, 3u32);
    return a;
}
fn follows(seen: inout u32[], a: T, b: T) -> bool {
    if (are_there(seen, a, b) && a.last + 1 != b.first) tell(seen, 3u32);
    return b.first % 3 == 0;
}
fn differs(seen: inout u32[], left: T, item: T) -> T = follows(seen, left, item) ? left : item;
fn differs_right(seen: inout u32[], item: T, right: T) -> T = follows(seen, item, right) ? right : item;
fn key(a: T) -> u32 = a.first * 2654435761;
fn less(seen: inout u32[], a: T, b: T) -> bool {
    if (are_there(seen, a, b) && a.first == b.first) tell(seen, 3u32);
    return key(a) < key(b);
}
fn key_of(seen: inout u32[], a: T) -> u32 {
    are_there(seen, a, a);
    return key(a);
}
fn kept(seen: inout u32[], a: T) -> bool = key_of(seen, a) % 3 != 0;
fn behind(seen: inout u32[], all: T, total: u32) -> T {
    if (are_there(seen, all, all) && (all.first != (MARK | 1) || all.last != (MARK | total))) tell(seen, 5u32);
    return there_T(0u32);
}
// Element i of an iterator of n; an index of one.
fn element_T(seen: inout u32[], i: u64, n: u64) -> T {
    called(seen);
    if (i >= n) tell(seen, 4u32);
    return i < n ? there_T(u32(i) + 1) : absent_T(u32(i));
}
"""


def prelude():
    text = FAULTS + RUN + WIDE
    for item in ITEMS:
        functions = FUNCTIONS.replace("there_T", f"there_{item}").replace("absent_T", f"absent_{item}")
        functions = functions.replace("element_T", f"element_{item}")
        for part in (": T", "-> T"):
            functions = functions.replace(part, part[:-1] + item)
        text += functions
    return text
