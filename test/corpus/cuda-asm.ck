kernel k(y: out u32[1]) {
    u32 lane;
    asm volatile("mov.u32 %0, %laneid;" : "=r"(lane));
    y[0] = lane;
}
