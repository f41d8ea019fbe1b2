// A literal that is stored through an iterator takes the type of the element.
// RUN: %run-test %s
kernel k(x: inout f64[4], y: out u8[4], z: inout f16[4]) launch(block = 1, grid = 1)
{
    x.reverse()[1] = 3;
    x.take(2)[0] = 1;
    y.strided(2)[1] = 200;
    zip(x, y)[3] = (7, 255);
    zip(x.drop(1), y.gather(count(0)), z)[0] = (0.5, 9, 2);
    discard<f32>()[3] = 1;
    let it = z.reverse();
    it[0] = 2.5;
    zip(z, x.map_store(|v| f64(v) / 2))[1] = (3, 5);
}
// CALL: k(x=zeros:4, y=zeros:4, z=zeros:4)
// EXPECT: x = [1, 2.5, 3, 7]
// EXPECT: y = [9, 0, 200, 255]
// EXPECT: z = [2, 3, 0, 2.5]
