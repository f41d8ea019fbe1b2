// What kernels do to graphs is a call of a function that ptxas knows.
// RUN: %ckc %s --emit=ptx --target=sm_90 --backend=nvptx -o %t
// RUN: FileCheck %s < %t
// RUN: %if ptxas %{ %ptxas-verify < %t %}
// RUN: %ckc %s --emit=host -o %t.host
kernel k(c: u64, g: u64, y: out u32[3]) launch(block = 1, grid = 1)
{
    set_condition(c, 2);
    y[0] = launch_graph(g);
    y[1] = launch_graph_tail(g);
    y[2] = launch_graph_sibling(g);
}
// CHECK: call.uni{{[[:space:]]+}}cudaGraphSetConditional,
// CHECK: 144115188075855872
// CHECK: cudaGraphLaunch,
