// Ranks count x fastest; sizes are products.
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t
// RUN: FileCheck %s < %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
kernel k(y: out u64[7]) launch(block = (4, 2), grid = 3) { y[0] = u64(thread.rank); y[1] = u64(warp.rank); y[2] = block.rank; y[3] = u64(block.size); y[4] = grid.size; y[5] = grid.thread_rank; y[6] = u64(warp.size); }
// CHECK:      %tid.x
// CHECK:      st.global.u64
