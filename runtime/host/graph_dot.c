/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* graph_dot.c - writes a graph of the host device as a Graphviz file.
 *
 * A node's label has its type and the name of its kernel and, as the flags request, its parameters.
 * Child graphs and branches are clusters.
 */
#include <inttypes.h>
#include <stdio.h>

#include "code/manifest.h"
#include "graph.h"

static const char type_names[][17] = {
    "KERNEL",       "MEMCPY",       "MEMSET",           "HOST",           "GRAPH",     "EMPTY",
    "WAIT_EVENT",   "EVENT_RECORD", "EXT_SEMAS_SIGNAL", "EXT_SEMAS_WAIT", "MEM_ALLOC", "MEM_FREE",
    "BATCH_MEM_OP", "CONDITIONAL",
};

static bool wants(unsigned flags, unsigned flag)
{
  return flags & (flag | CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE);
}

static void print_kernel(FILE *file, const HostOp *op, unsigned flags)
{
  CUDA_KERNEL_NODE_PARAMS launch;
  host_read_launch(op, &launch);
  const ManifestKernel *info = ((const HostKernel *)(void *)launch.kern)->info;
  fprintf(file, "\\n%s", info->name);
  if (!wants(flags, CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_PARAMS)) return;
  fprintf(file, "\\n<<<(%u,%u,%u), (%u,%u,%u), %u>>>", launch.gridDimX, launch.gridDimY,
          launch.gridDimZ, launch.blockDimX, launch.blockDimY, launch.blockDimZ,
          launch.sharedMemBytes);
  for (uint32_t i = 0; i < info->param_count; ++i)
    fprintf(file, "\\n%s = 0x%" PRIx64, info->params[i].name,
            *(const uint64_t *)launch.kernelParams[info->params[i].slot]);
}

static void print_copy(FILE *file, const HostOp *op)
{
  CUDA_MEMCPY3D copy;
  host_read_copy(op, &copy);
  fprintf(file, "\\n%zu x %zu x %zu bytes", copy.WidthInBytes, copy.Height, copy.Depth);
}

static void print_fill(FILE *file, const HostOp *op)
{
  CUDA_MEMSET_NODE_PARAMS fill;
  host_read_fill(op, &fill);
  fprintf(file, "\\n%zu x %zu of 0x%x, %u bytes each", fill.width, fill.height, fill.value,
          fill.elementSize);
}

static void print_node(FILE *file, const HostNode *node, unsigned flags)
{
  fprintf(file, "  n%" PRIu64 " [label=\"%s", node->id, type_names[node->type]);
  if (wants(flags, CU_GRAPH_DEBUG_DOT_FLAGS_HANDLES)) fprintf(file, "\\n%p", (const void *)node);
  if (node->type == CU_GRAPH_NODE_TYPE_KERNEL) print_kernel(file, node->op, flags);
  else if (node->type == CU_GRAPH_NODE_TYPE_MEMCPY &&
           wants(flags, CU_GRAPH_DEBUG_DOT_FLAGS_MEMCPY_NODE_PARAMS))
    print_copy(file, node->op);
  else if (node->type == CU_GRAPH_NODE_TYPE_MEMSET &&
           wants(flags, CU_GRAPH_DEBUG_DOT_FLAGS_MEMSET_NODE_PARAMS))
    print_fill(file, node->op);
  else if (node->memory)
    fprintf(file, "\\n%p, %zu bytes", node->memory->start, node->memory->bytes);
  fprintf(file, "\"];\n");
}

static void print_graph(FILE *file, HostGraph *graph, unsigned flags)
{
  for (size_t i = 0; i < graph->node_count; ++i) {
    HostNode *node = graph->nodes[i];
    print_node(file, node, flags);
    for (size_t j = 0; j < node->after_count; ++j)
      fprintf(file, "  n%" PRIu64 " -> n%" PRIu64 ";\n", node->after[j]->id, node->id);
    for (unsigned b = 0; b <= node->branch_count; ++b) {
      HostGraph *inner =
          b < node->branch_count ? (HostGraph *)(void *)node->branches[b] : node->child;
      if (!inner) continue;
      fprintf(file, "  subgraph cluster_%" PRIu64 "_%u {\n", node->id, b);
      print_graph(file, inner, flags);
      fprintf(file, "  }\n");
    }
  }
}

CUresult host_cuGraphDebugDotPrint(CUgraph native, const char *path, unsigned flags)
{
  FILE *file = fopen(path, "w");
  if (!file) return CUDA_ERROR_OPERATING_SYSTEM;
  fprintf(file, "digraph graph_%p {\n", (void *)native);
  pthread_mutex_lock(&host_graph_mutex);
  print_graph(file, (HostGraph *)(void *)native, flags);
  pthread_mutex_unlock(&host_graph_mutex);
  fprintf(file, "}\n");
  return fclose(file) == 0 ? CUDA_SUCCESS : CUDA_ERROR_OPERATING_SYSTEM;
}
