kernel a(y: out f32[1]) { y[0] = 1; }
kernel b(y: out f32[1]) { a(y); }
