fn negate<T: type>(x: T) -> T = -x;
fn twice<T: type>(x: T) -> T = negate(negate(x));
kernel k(p: bool, y: out bool[1]) { y[0] = twice(p); }
