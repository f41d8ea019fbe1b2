// Methods and properties, inside and outside; a.f(b) is f(a, b) where a's type has no f.
// RUN: %run-test %s
// CALL: k(y=zeros:8)
// EXPECT: y = [5, 4, 10, 11, 3, 9, 2, 20]
struct P {
    x: f32; y: f32;
    fn len -> f32 = sqrt(self.x * self.x + self.y * self.y);
    fn plus(o: P, times: f32 = 1) -> P { return P(self.x + o.x * times, self.y + o.y * times); }
}
fn P.dot(o: P) -> f32 = self.x * o.x + self.y * o.y;
fn P.flip -> P = P(self.y, self.x);
fn f32.half -> f32 = self / 2;
fn twice(p: P) -> P = P(p.x * 2, p.y * 2);
fn dot(a: P, b: i32) -> f32 = 0.0;
fn count(x: in f32[]) -> f32 = f32(x.len);
kernel k(y: inout f32[8]) launch(block = 1, grid = 1)
{
    let p = P(3, 4);
    y[0] = p.len;
    y[1] = p.flip.x;
    y[2] = p.plus(P(1, 3), times = 2).y;
    y[3] = p.dot(P(1, 2));
    y[4] = p.flip.flip.x;
    y[5] = 9.0.max(p.twice().y);
    y[6] = p.y.half;
    let v = y[0];
    y[7] = p.twice().twice().plus(p).y * y.count() / 8;
}
