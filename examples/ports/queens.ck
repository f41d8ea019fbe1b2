// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// queens.ck - a queue of tasks: in how many ways n queens stand on a board of n x n squares, none attacking another, by
// sets of bits (Richards, Backtracking Algorithms in MCPL using Bit Patterns and Recursion, 1997), n at most 16.
//
// queens_tasks places queens in the first `depth` rows in each possible way, and appends these boards to a queue in
// global memory: a warp reserves a slot for each of its boards by one addition to `tail`. The queue is bounded: boards
// that don't fit are dropped, and tail then exceeds the capacity. queens_solve takes boards from the queue by
// additions to `head` until there are no more. A lane walks through the tree of its board with a stack in shared memory.
// No thread waits for another one. Taking a board from the queue, taking one from the stack and placing a queen are the
// steps of one loop, so lanes with small trees continue with other boards while others search large ones; the vote at the
// loop's head keeps the lanes of the warp together.
// FOR: n in 7, 8, 13
// FOR: capacity in 5, 200
// CALL: queens_tasks(n=n, depth=2, prefixes=n ** 2, capacity=capacity, tail=[0])
// EXPECT: tail = (n - 1) * (n - 2)
// NAME: from boards with one queen
// CALL: queens_solve(n=8, capacity=8, queue=where(arange(2) == 0, 2 ** arange(8)[:, None] + 2 ** 16 * (255 - (2 ** arange(8)[:, None] | 2 ** arange(8)[:, None] * 2 & 255 | 2 ** arange(8)[:, None] // 2)), 2 * 2 ** arange(8)[:, None] + 2 ** 16 * (2 ** arange(8)[:, None] // 2)), tail=[8], head=[0], solutions=[0]) --grid=3
// EXPECT: solutions = 92
// EXPECT: head = 128 * 3
// FOR: n in 1, 2, 3, 4, 5, 6, 7, 8, 10
// FOR: depth in 0, 1, 2
// CALL: queens(n=n, depth=min(depth, n - 1), prefixes=n ** min(depth, n - 1), capacity=200, queue=zeros:200, tail=[0], head=[0], solutions=[0])
// EXPECT: solutions = sum(where(arange(1, 11) == n, [1, 0, 0, 2, 10, 4, 40, 92, 352, 724], 0))
// BENCH: queens(n=14, depth=6, prefixes=14**6, capacity=2**18, queue=zeros:2**18, tail=[0], head=[0], solutions=[0]) bytes = 8 * capacity
// EXPECT: solutions = 365596

const BLOCK: u32 = 128;
const LEVELS: u32 = 13;                 // of the stack, n - depth - 1 are needed; 13 KB a block: 16 blocks fit on an H100

// The squares of the next row as sets: those attacked along columns and the two diagonals, and the
// free ones.
struct Board {
    columns: u32;
    left: u32;
    right: u32;
    free: u32;
    fn with_queen(square: u32, all: u32) -> Board {
        let (columns, left, right) = (self.columns | square, (self.left | square) << 1, (self.right | square) >> 1);
        return Board(columns, left, right, all & ~(columns | left | right));
    }
    fn packed -> u32x2 = u32x2(byte_perm(self.columns, self.free, 0x5410), byte_perm(self.left, self.right, 0x5410));
}
fn unpacked(v: u32x2) -> Board = Board(v.x & 0xffff, v.y & 0xffff, v.y >> 16, v.x >> 16);

// Adds 1 to the counter for each lane of the set; returns this lane's position, and the next
// warp's.
fn warp.places(lanes: u32, counter: inout u32[]) -> (u32, u32)
{
    var first = 0u32;
    if (warp.lane == 0) first = atomic.add(counter[0], popcount(lanes));
    first = warp.broadcast(first, 0);
    return (first + popcount(lanes & (1u32 << warp.lane) - 1), first + popcount(lanes));
}

// Appends the board whose rows' queens are the digits of `prefix`, if there is one. Called by a warp.
fn warp.append(n: u32, depth: u32, prefix: u32, prefixes: u32, queue: out u32x2[], tail: inout u32[])
{
    let all = (1u32 << n) - 1;
    var board = Board(0, 0, 0, all);
    var is_possible = prefix < prefixes;
    var digits = prefix;
    for (row in 0..depth) {
        let square = 1u32 << digits % n;
        is_possible = is_possible && (board.free & square) != 0;
        board = board.with_queen(square, all);
        digits /= n;
    }
    let lanes = warp.ballot(is_possible && board.free != 0);
    let (place, _) = warp.places(lanes, tail);
    if ((lanes >> warp.lane & 1) != 0 && place < u32(queue.len)) queue[place] = board.packed;
}

// Adds the solutions of the queue's boards. Called by a block.
fn block.solve(n: u32, tasks: u32, queue: in u32x2[], head: inout u32[], solutions: inout u32[])
{
    shared stack: u32x2[LEVELS * BLOCK];
    let all = (1u32 << n) - 1;
    var (count, top, is_open) = (0u32, thread.x, true);
    var board = Board(0, 0, 0, 0);
    while (true) {
        let idle = warp.ballot(board.free == 0 && top < BLOCK);
        if (idle != 0) {
            if (is_open) {
                let (task, next) = warp.places(idle, head);
                if (board.free == 0 && top < BLOCK && task < tasks) board = unpacked(queue[task]);
                is_open = next < tasks;
            } else if (idle == ~0u32) break;
        }
        if (board.free == 0 && top >= BLOCK) {
            top -= BLOCK;
            board = unpacked(stack[top]);
        }
        if (board.free != 0) {
            let square = board.free & (0 - board.free);
            board.free ^= square;
            if (board.free != 0) {
                stack[top] = board.packed;
                top += BLOCK;
            }
            board = board.with_queen(square, all);
            if (board.columns == all) count++;
        }
    }
    let total = warp.sum(count);
    if (warp.lane == 0) atomic.add(solutions[0], total);
}

kernel queens_tasks(n: u32, depth: u32, prefixes: u32, capacity: u32, queue: out u32x2[capacity], tail: inout u32[1])
    launch(block = BLOCK, grid = ceil_div(prefixes, BLOCK))
{
    warp.append(n, depth, u32(grid.thread_rank), prefixes, queue, tail);
}

kernel queens_solve(n: u32, capacity: u32, queue: in u32x2[capacity], tail: in u32[1], head: inout u32[1],
                    solutions: inout u32[1])
    launch(block = BLOCK)
{
    block.solve(n, min(tail[0], capacity), queue, head, solutions);
}

// Both steps in one launch of as many blocks as are resident.
kernel queens(n: u32, depth: u32, prefixes: u32, capacity: u32, queue: inout u32x2[capacity], tail: inout u32[1],
              head: inout u32[1], solutions: inout u32[1])
    launch(block = BLOCK, grid = resident)
{
    for (first in (0..prefixes).step(u32(grid.size))) {
        warp.append(n, depth, first + u32(grid.thread_rank), prefixes, queue, tail);
    }
    grid.sync();
    block.solve(n, min(grid.uniform(tail[0]), capacity), queue, head, solutions);
}
