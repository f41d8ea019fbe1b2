kernel k<const X: f32>(y: inout f32[1]) { y[0] = X; }
export k<0.12345671>, k<0.12345678>;
