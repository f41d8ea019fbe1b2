// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// graph.ck - what kernels do to the graphs that they run in (ck/graph.h).

// Sets a condition of the graph that this kernel is a node of, for nodes that come after it. One
// thread does it. A condition is the number that ck_graph_builder_create_condition gives.
fn set_condition(condition: u64, value: u32) = __set_condition(condition, value);

// Launches a graph that was created with CK_GRAPH_DEVICE_LAUNCH and uploaded, from a kernel of such
// a graph; one thread does it. `graph` is ck_graph_native(). 0, or a number of cudaError_t: 801 on
// the host device, which has no such launches. It runs beside this graph, which waits for it; or,
// `launch_graph_tail`, when this graph has ended; or, `launch_graph_sibling`, beside this graph,
// which does not wait.
fn launch_graph(graph: u64) -> u32 = __launch_graph(graph, 0x0200000000000000);
fn launch_graph_tail(graph: u64) -> u32 = __launch_graph(graph, 0x0100000000000000);
fn launch_graph_sibling(graph: u64) -> u32 = __launch_graph(graph, 0x0300000000000000);
