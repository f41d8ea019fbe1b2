fn f<T: real>(x: T) -> T = x;
