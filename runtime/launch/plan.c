/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* plan.c - launches an algorithm of several kernels, its steps, one behind the other on the stream.
 *
 * All steps have the algorithm's parameters, so the same array of addresses serves all of them;
 * behind them are the scratch memory, the persistent memory and the numbers of the loops:
 *
 *     slots: | parameters of the algorithm | scratch | persistent | loop 0 | loop 1 | ...
 *
 * A step says in the manifest under which condition it is launched, how many blocks it has, and
 * which loops are around it. Steps of one loop follow each other, and are repeated together. All of
 * it is computed twice: once before anything is launched, so that a grid that is too large is an
 * error without effects, and once more for the launches.
 *
 * Of code that has parts (code/parts.c), the first of these two passes also notes the steps that
 * are to be launched and have no code yet. They are compiled together, and the pass begins again.
 * Forms of the algorithm for other sizes are not compiled.
 *
 * A step may start while the one ahead of it ends (a programmatic dependent launch), as each of
 * them waits for it at its start.
 */
#include <inttypes.h>
#include <string.h>

#include "core/nvtx.h"
#include "launch_private.h"

/* Up to so many bytes of scratch memory are kept for the stream's next launch. */
enum { SMALL_BYTES = 1 << 20 };

/* So many steps are compiled at a time. */
enum { MISSING_MAX = 32 };

typedef struct PlanRun {
  Launch *launch;
  ck_kernel_t *plan;
  ck_stream_t *stream;
  uint32_t base;        /* the slot of the scratch memory */
  Workspace *workspace; /* of a captured launch; NULL: none */
  bool is_trial;        /* nothing is launched yet; the sizes of memory are computed */
  int64_t scratch_bytes, kept_bytes;
  const ManifestKernel *missing[MISSING_MAX]; /* found by the trial: steps without code */
  uint32_t missing_count;
} PlanRun;

static ck_status_t evaluate(const PlanRun *run, const Expr *expr, const char *what, int64_t *out)
{
  ExprError error = expr_eval(expr, run->launch->numbers, out);
  return error ? launch_expr_fault(run->launch, expr, what, error) : CK_OK;
}

/* The larger of *bytes and what the step needs. */
static ck_status_t widen(const PlanRun *run, const ManifestKernel *step, const Expr *expr,
                         const char *what, int64_t *bytes)
{
  int64_t needed;
  CK_TRY(evaluate(run, expr, what, &needed));
  if (needed < 0)
    return error_set(CK_INVALID_ARGUMENT, "kernel '%s': %" PRId64 " bytes of %s", step->name,
                     needed, what);
  if (needed > *bytes) *bytes = needed;
  return CK_OK;
}

static void note_missing(PlanRun *run, const ManifestKernel *step)
{
  for (uint32_t i = 0; i < run->missing_count; ++i)
    if (run->missing[i] == step) return;
  if (run->missing_count < MISSING_MAX) run->missing[run->missing_count++] = step;
}

static ck_status_t run_step(PlanRun *run, uint32_t index)
{
  Launch *launch = run->launch;
  const ManifestKernel *info = run->plan->info->steps[index];
  ck_kernel_t *step = atomic_load(&run->plan->steps[index]);
  int64_t holds = 1;
  launch->info = info;
  if (info->condition.text)
    CK_TRY(evaluate(run, &info->condition, "the condition of the step", &holds));
  if (!holds) return CK_OK;
  if (!step) {
    note_missing(run, info);
    return CK_OK;
  }
  bool is_empty = false;
  launch->kernel = step;
  launch->native.attrs = NULL;
  launch->native.numAttrs = 0;
  CK_TRY(launch_read_block(launch));
  if (info->needs_resident) CK_TRY(launch_read_resident(launch, run->stream));
  CK_TRY(launch_read_grid(launch, &is_empty));
  if (is_empty) return CK_OK;
  if (run->is_trial) {
    const CUlaunchConfig *native = &launch->native;
    const unsigned dims[] = {native->gridDimX,  native->gridDimY,  native->gridDimZ,
                             native->blockDimX, native->blockDimY, native->blockDimZ};
    for (size_t i = 0; i < COUNT_OF(dims); ++i) launch->numbers[NUMBER_grid + i] = dims[i];
    CK_TRY(widen(run, info, &info->scratch_bytes, "scratch memory", &run->scratch_bytes));
    return widen(run, info, &info->kept_bytes, "persistent memory", &run->kept_bytes);
  }
  CK_TRY(launch_read_cluster(launch));
  CK_TRY(launch_read_shared(launch));
  launch->config.flags = 0;
  if (info->is_cooperative) launch->config.flags |= CK_LAUNCH_COOPERATIVE;
  if (info->is_dependent && step->device->limits.has_clusters && !info->is_cooperative)
    launch->config.flags |= CK_LAUNCH_PROGRAMMATIC;
  if (launch->config.flags) CK_TRY(launch_read_flags(launch));
  for (uint32_t i = 0; i < info->loop_count; ++i)
    launch->values[run->base + 2 + i] = (uint64_t)launch->numbers[NUMBER_loop + i];
  bool is_marked = nvtx_begin("step", step->name);
  ck_status_t status = launch_put_into_stream(launch, run->stream);
  nvtx_end(is_marked);
  if (status == CK_OK && run->workspace)
    workspace_note(run->workspace, step, run->stream, run->base);
  return status;
}

/* Runs steps `first` to `last` - 1, which share the `depth` outermost loops. */
static ck_status_t run_steps(PlanRun *run, uint32_t first, uint32_t last, uint32_t depth)
{
  const ManifestKernel *const *steps = run->plan->info->steps;
  for (uint32_t i = first, next; i < last; i = next) {
    const ManifestKernel *info = steps[i];
    next = i + 1;
    if (info->loop_count <= depth) {
      CK_TRY(run_step(run, i));
      continue;
    }
    const ManifestLoop *loop = &info->loops[depth];
    while (next < last && steps[next]->loop_count > depth &&
           steps[next]->loops[depth].id == loop->id)
      ++next;
    int64_t from, to;
    run->launch->info = info;
    CK_TRY(evaluate(run, &loop->from, "the start of a loop", &from));
    CK_TRY(evaluate(run, &loop->to, "the end of a loop", &to));
    for (int64_t at = from; at < to; ++at) {
      run->launch->numbers[NUMBER_loop + depth] = at;
      CK_TRY(run_steps(run, i, next, depth + 1));
    }
  }
  return CK_OK;
}

/* Opens the steps that the trial has found without code. */
static ck_status_t open_missing(PlanRun *run)
{
  ck_kernel_t *plan = run->plan, *step;
  if (run->missing_count > 1) parts_prepare(plan->code, run->missing, run->missing_count);
  for (uint32_t i = 0; i < run->missing_count; ++i)
    for (uint32_t at = 0; at < plan->info->step_count; ++at)
      if (plan->info->steps[at] == run->missing[i]) CK_TRY(kernel_step(plan, at, &step));
  return CK_OK;
}

/* Checks all steps that will be launched, and computes the sizes of their memory. */
static ck_status_t try_steps(PlanRun *run)
{
  do {
    run->is_trial = true;
    run->scratch_bytes = run->kept_bytes = 0;
    run->missing_count = 0;
    CK_TRY(run_steps(run, 0, run->plan->info->step_count, 0));
    if (run->missing_count) CK_TRY(open_missing(run));
  } while (run->missing_count);
  return CK_OK;
}

static ck_status_t put_steps(PlanRun *run, CUdeviceptr scratch, CUdeviceptr kept)
{
  Launch *launch = run->launch;
  launch->values[run->base] = scratch;
  launch->values[run->base + 1] = kept;
  for (uint32_t i = 0; i < 2 + MAX_LOOPS; ++i)
    launch->slots[run->base + i] = &launch->values[run->base + i];
  run->is_trial = false;
  return run_steps(run, 0, run->plan->info->step_count, 0);
}

ck_status_t plan_launch(Launch *launch, ck_stream_t *stream)
{
  ck_kernel_t *plan = launch->kernel;
  const ck_launch_config_t *config = &launch->config;
  if (config->grid[0] || config->block[0] || config->cluster[0] || config->flags ||
      config->attribute_count || config->dynamic_shared_bytes)
    return error_set(CK_INVALID_ARGUMENT,
                     "'%s' is an algorithm of %u kernels: each has its own grid, block and "
                     "attributes, a launch gives none",
                     plan->name, plan->info->step_count);
  PlanRun run;
  run.launch = launch;
  run.plan = plan;
  run.stream = stream;
  run.base = plan->info->slot_count;
  CK_TRY(try_steps(&run));
  bool is_small = run.scratch_bytes <= SMALL_BYTES;
  bool is_captured = stream_keep(stream) != NULL;
  ck_memory_resource_t *resource = is_captured ? plan->graph_scratch : plan->scratch;
  if (!is_small && !resource)
    return error_set(CK_UNSUPPORTED, "'%s' has scratch memory: '%s' can't capture it", plan->name,
                     plan->device->name);
  void *host;
  Kept kept = {.bytes = {(size_t)run.kept_bytes, is_small ? (size_t)run.scratch_bytes : 0}};
  if (kept.bytes[0] || kept.bytes[1]) CK_TRY(kept_take(plan, stream, &kept));
  CUdeviceptr scratch = kept.address[1];
  ck_status_t status = CK_OK;
  if (!is_small)
    status = memory_allocate(resource, (size_t)run.scratch_bytes, stream, &scratch, &host);
  if (status != CK_OK) error_within(status, "algorithm '%s': scratch memory", plan->name);
  if (log_wants(LOG_launch))
    log_line(LOG_launch,
             "algorithm '%s', %" PRId64 " bytes of scratch and %" PRId64 " of persistent memory",
             plan->name, run.scratch_bytes, run.kept_bytes);
  bool is_marked = nvtx_begin("launch", plan->name);
  run.workspace = kept.workspace;
  if (status == CK_OK) status = put_steps(&run, scratch, kept.address[0]);
  nvtx_end(is_marked);
  kept_give(stream, &kept, status == CK_OK);
  if (!is_small && scratch) memory_deallocate(resource, scratch, (size_t)run.scratch_bytes, stream);
  return status;
}
