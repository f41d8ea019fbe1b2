// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// thrust_points.ck - Thrust's examples of points and meshes: bounding_box, bucket_sort2d, discrete_voronoi,
// padded_grid_reduction, remove_points2d, weld_vertices.

// ---- bounding_box: the least box around all points ----
struct Box { low: f32x2; high: f32x2; }
fn join(a: Box, b: Box) -> Box = Box(min(a.low, b.low), max(a.high, b.high));
algorithm bounding_box(n: u64, p: in f32x2[n]) -> Box =
    reduce(p.map(|v| Box(v, v)), join, Box(f32x2(inf), f32x2(-inf)));
// CALL: bounding_box(p=rand:1000)
// EXPECT: result = {low: (min(p[:, 0]), min(p[:, 1])), high: (max(p[:, 0]), max(p[:, 1]))}
// CALL: bounding_box(p=[[1, 5]])
// EXPECT: result = {low: (1, 5), high: (1, 5)}

// ---- bucket_sort2d: points sorted by the cell of a grid, and where each cell begins and ends ----
fn cell(p: f32x2, w: u32) -> u32 = min(u32(p.y * f32(w)), w - 1) * w + min(u32(p.x * f32(w)), w - 1);
algorithm bucket_sort2d(n: u64, w: u32, cells: u64, p: in f32x2[n], sorted: out f32x2[n], begins: out u32[cells], ends: out u32[cells]) {
    scratch keys: u32[n];
    scratch places: u32[n];
    scratch order: u32[n];
    scratch of: u32[n];
    transform(p, of, |v| cell(v, w));
    radix_sort(of, count<u32>(), to = keys, to_values = order);
    transform(order, sorted, |i| p[i]);
    transform(count<u32>().take(cells), begins, |c| u32(lower_bound(keys, c)));
    transform(count<u32>().take(cells), ends, |c| u32(upper_bound(keys, c)));
}
// CALL: bucket_sort2d(w=2, cells=4, p=[[0.9, 0.9], [0.1, 0.1], [0.8, 0.1], [0.2, 0.3]], begins=zeros:4, ends=zeros:4)
// EXPECT: sorted = [[0.1, 0.1], [0.2, 0.3], [0.8, 0.1], [0.9, 0.9]]
// EXPECT: begins = [0, 2, 3, 3]
// EXPECT: ends = [2, 3, 3, 4]

// ---- discrete_voronoi: the nearest seed of each pixel, by the jump flooding algorithm ----
fn nearer(at: u64, w: u64, a: i32, b: i32) -> i32 {
    if (a < 0) return b;
    if (b < 0) return a;
    let (x, y) = (i32(at % w), i32(at / w));
    let (ax, ay) = (a % i32(w) - x, a / i32(w) - y);
    let (bx, by) = (b % i32(w) - x, b / i32(w) - y);
    let (da, db) = (ax * ax + ay * ay, bx * bx + by * by);
    return db < da || (db == da && b < a) ? b : a;
}
fn flood(from: in i32[], to: out i32[], w: u64, h: u64, step: i64) {
    for (at in grid.stride(w * h)) {
        var best = from[at];
        for (k in 0..9u32) {
            let (x, y) = (i64(at % w) + (i64(k % 3) - 1) * step, i64(at / w) + (i64(k / 3) - 1) * step);
            if (x >= 0 && y >= 0 && x < i64(w) && y < i64(h)) best = nearer(at, w, best, from[u64(y) * w + u64(x)]);
        }
        to[at] = best;
    }
}
// `seeds` has a pixel's own number where there is a seed, else -1.
algorithm discrete_voronoi(w: u64, h: u64, seeds: in i32[w * h], nearest: out i32[w * h]) {
    scratch a: i32[w * h];
    scratch b: i32[w * h];
    transform(seeds, a, |v| v);
    for (round in 0..5) {
        launch flood(block = 256, grid = ceil_div(w * h, 256), a, b, w, h, i64(16u64 >> round));
        launch flood(block = 256, grid = ceil_div(w * h, 256), b, a, w, h, 1i64);
    }
    transform(a, nearest, |v| v);
}
// CALL: discrete_voronoi(w=8, h=8, seeds=[i if i == 9 or i == 54 else -1 for i in range(64)], nearest=zeros:64)
// EXPECT: nearest = [9 if (i % 8 - 1) ** 2 + (i // 8 - 1) ** 2 <= (i % 8 - 6) ** 2 + (i // 8 - 6) ** 2 else 54 for i in range(64)]

// ---- padded_grid_reduction: the extremes of a matrix whose rows are padded ----
algorithm padded_grid_reduction(rows: u64, pitch: u64, width: u64, x: in f32[rows, pitch]) -> (f32, f32) =
    reduce(x.region(0, 0, rows, width).map(|v| (v, v)), |a, b| (min(a[0], b[0]), max(a[1], b[1])), (f32(inf), -f32(inf)));
// CALL: padded_grid_reduction(width=10, x=[[j if j < 10 else 999 for j in range(16)] for i in range(7)])
// EXPECT: result = (0, 9)

// ---- remove_points2d: only points within the unit circle are kept ----
algorithm remove_points2d(n: u64, p: inout f32x2[n]) -> u64 = select(p, |v| v.x * v.x + v.y * v.y <= 1, p);
// CALL: remove_points2d(p=[[1, 1], [0.5, 0.5], [-1, 0], [0.9, 0.9]])
// EXPECT: result = 2
// EXPECT: p[:2] = [[0.5, 0.5], [-1, 0]]

// ---- weld_vertices: each corner once, and triangles by the numbers of corners ----
fn before(a: f32x2, b: f32x2) -> bool = a.x != b.x ? a.x < b.x : a.y < b.y;
algorithm weld_vertices(n: u64, corners: in f32x2[n], vertices: inout f32x2[n], numbers: out u32[n]) -> u64 {
    scratch sorted: f32x2[n];
    merge_sort(corners, sorted, before);
    let k = unique(sorted, vertices, |a, b| a.x == b.x && a.y == b.y);
    transform(corners, numbers, |v| u32(lower_bound(vertices.take(k), v, before)));
    return k;
}
// CALL: weld_vertices(corners=[[0, 0], [1, 0], [0, 1], [1, 0], [1, 1], [0, 1], [1, 0], [2, 0], [1, 1]], vertices=zeros:9, numbers=zeros:9)
// EXPECT: result = 5
// EXPECT: vertices[:5] = [[0, 0], [0, 1], [1, 0], [1, 1], [2, 0]]
// EXPECT: numbers = [0, 2, 1, 2, 3, 1, 2, 4, 3]
