kernel k(p: u32, y: out u32[1]) { y[0] = p->x; }
