// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// graph.ck - what a kernel can do to the graph it is a node of (ck/graph.h): set conditions, launch
// other graphs.

// Sets a conditional handle of the graph that this kernel is a node of; later conditional nodes
// read it. One thread calls it. `condition` is the number that ck_graph_builder_create_condition
// returned.
fn set_condition(condition: u64, value: u32) = __set_condition(condition, value);

// Launches another graph from a kernel of a graph; one thread calls it. Both graphs were created
// with CK_GRAPH_DEVICE_LAUNCH and uploaded; `graph` is ck_graph_native(). Returns 0 or a
// cudaError_t: 801 on the host device, which has no device launches. launch_graph is fire and
// forget: the new graph runs concurrently, and this graph isn't complete before it.
// launch_graph_tail starts it when this graph is complete. launch_graph_sibling runs it
// concurrently, and this graph doesn't wait for it.
fn launch_graph(graph: u64) -> u32 = __launch_graph(graph, 0x0200000000000000);
fn launch_graph_tail(graph: u64) -> u32 = __launch_graph(graph, 0x0100000000000000);
fn launch_graph_sibling(graph: u64) -> u32 = __launch_graph(graph, 0x0300000000000000);
