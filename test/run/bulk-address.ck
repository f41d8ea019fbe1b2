// RUN: %run-test %s
// Bulk copies by addresses: from and to any place of 16 bytes, of elements of any size.
struct Point { x: f32; y: f32; z: i32; }
kernel shift(n: u64, x: in Point[n], y: out Point[n]) launch(block = 32, grid = 1)
{
    shared tile: u32x4[12];
    shared full: barrier[1];
    if (thread.rank == 0) mbarrier.init(full[0], 1);
    block.sync();
    let rows = ptr<u32x4, shared>(address(tile[0]));
    if (thread.rank == 0) {
        mbarrier.arrive(full[0], bytes = 96);
        bulk.load(rows, ptr<u32x4, global>(ptr<Point, global>(address(x[4]))), 6, full[0]);
    }
    mbarrier.wait(full[0], 0);
    let points = ptr<Point, shared>(rows);
    var p: Point;
    if (thread.rank < 8) p = points[7 - thread.rank];
    block.sync();
    if (thread.rank < 8) points[thread.rank] = p;
    bulk.fence();
    block.sync();
    if (thread.rank == 0) {
        bulk.store(ptr<u32x4, global>(ptr<Point, global>(address(y[0]))), rows, 6);
        bulk.commit();
        bulk.wait();
    }
}
// CALL: shift(x=[{x: 0, y: 0, z: 0}, {x: 1, y: 0, z: 0}, {x: 2, y: 0, z: 0}, {x: 3, y: 0, z: 0}, {x: 4, y: 0, z: 4}, {x: 5, y: 0, z: 5}, {x: 6, y: 0, z: 6}, {x: 7, y: 0, z: 7}, {x: 8, y: 0, z: 8}, {x: 9, y: 0, z: 9}, {x: 10, y: 0, z: 10}, {x: 11, y: 0, z: 11}], y=zeros:12)
// EXPECT: y.z = [11, 10, 9, 8, 7, 6, 5, 4, 0, 0, 0, 0]
