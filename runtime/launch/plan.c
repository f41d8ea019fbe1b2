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
 * it is computed before anything is launched, so that a grid that is too large is an error without
 * effects, and so are the needs of the algorithm, such as that its output has room for as many
 * elements as its input has. The result is a schedule, a list of launches in the driver's form:
 *
 *     | step 1, grid, block, attributes | step 3, ..., loop 0 = 0 | step 3, ..., loop 0 = 1 | ...
 *
 * It depends on the numbers among the arguments (scalars that occur in expressions, lengths) and on
 * the multiprocessors of the stream. Calls with the same ones often follow each other, and
 * expressions take longer than the launches, so the algorithm keeps the schedule of its last call.
 *
 * Of code that has parts (code/parts.c), the steps that are to be launched and have no code yet are
 * noted as well. They are compiled together, and the schedule is made again. Steps whose condition
 * doesn't hold, such as those for other sizes, are not compiled. The first launches use quick code
 * where that has the same results. From the second call on, which may be in a later process,
 * thorough code is compiled in the background. When some is there, the schedule is made again. What
 * is captured has thorough code, since it may be replayed often.
 *
 * Persistent memory and up to STREAM_BYTES of scratch memory are the stream's (kept.c). More
 * scratch memory is allocated for the launch, or is a buffer of the caller's.
 *
 * A step may start while the one ahead of it ends (a programmatic dependent launch), as each of
 * them waits for it at its start.
 */
#include <inttypes.h>
#include <pthread.h>
#include <string.h>

#include "core/nvtx.h"
#include "launch_private.h"

/* Up to so many bytes of scratch memory are kept for the stream's next launch: CUDA's allocation
 * and free in the stream's order take 1 to 2 us, which launches hide that use more memory. Each
 * captured launch has memory of its own as long as the graph exists, so it keeps less. */
enum { STREAM_BYTES = 1 << 24, GRAPH_BYTES = 1 << 20 };

/* So many steps are compiled at a time. */
enum { MISSING_MAX = 32 };

/* A schedule with more launches isn't kept. */
enum { KEPT_LAUNCHES = 256 };

typedef struct PlanEntry {
  ck_kernel_t *step;     /* of the plan that keeps the schedule */
  CUlaunchConfig native; /* without stream and attributes */
  CUlaunchAttribute attributes[SHAPE_ATTRIBUTES];
  uint32_t flags;
  int64_t loops[MAX_LOOPS];
} PlanEntry;

struct PlanSchedule {
  Object object;
  Arena arena; /* of what follows */
  VEC(PlanEntry) entries;
  int64_t *numbers; /* for each parameter; only those of is_number count */
  uint32_t multiprocessors;
  uint32_t version; /* parts_version, before it was made */
  bool is_kept_own; /* the persistent memory is for this algorithm alone */
  bool is_quick;    /* a launch has quick code, */
  bool is_old;      /* which an earlier process has compiled */
  int64_t scratch_bytes, kept_bytes;
};

typedef struct PlanRun {
  Launch *launch;
  ck_kernel_t *plan;
  ck_stream_t *stream;
  uint32_t base; /* the slot of the scratch memory */
  PlanSchedule *schedule;
  bool is_captured;
  PartWanted missing[MISSING_MAX]; /* steps without code that will do */
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
    return error_argument("kernel '%s': %" PRId64 " bytes of %s", step->name, needed, what);
  if (needed > *bytes) *bytes = needed;
  return CK_OK;
}

static void note_missing(PlanRun *run, const ManifestKernel *step, PartForm form)
{
  for (uint32_t i = 0; i < run->missing_count; ++i) {
    if (run->missing[i].kernel != step) continue;
    if (run->missing[i].form > form) run->missing[i].form = form;
    return;
  }
  if (run->missing_count < MISSING_MAX)
    run->missing[run->missing_count++] = (PartWanted){step, form};
}

static uint32_t multiprocessors_of(const PlanRun *run)
{
  if (UNLIKELY(run->stream && run->stream->context)) return run->stream->context->sm_count;
  return (uint32_t)run->plan->device->limits.multiprocessors;
}

static int64_t value_of(const Expr *expr, const int64_t *numbers, int64_t otherwise)
{
  int64_t value;
  return expr->text && !expr_eval(expr, numbers, &value) ? value : otherwise;
}

/* As many blocks as fit on a multiprocessor at most, whatever registers the code takes. */
static int64_t most_blocks(const PlanRun *run, const ManifestKernel *step)
{
  enum { THREADS_MAX = 2048, BLOCKS_MAX = 32, RESERVED_BYTES = 1024 }; /* of all GPUs so far */
  const int64_t *numbers = run->launch->numbers;
  int64_t threads = 1, most = BLOCKS_MAX, bytes = step->shared_bytes + RESERVED_BYTES;
  int64_t bytes_max = run->plan->device->limits.shared_bytes_optin + RESERVED_BYTES;
  for (int i = 0; i < 3; ++i) threads *= value_of(&step->block[i], numbers, 1);
  bytes += value_of(&step->dynamic_shared, numbers, 0);
  if (threads > 0 && THREADS_MAX / threads < most) most = THREADS_MAX / threads;
  if (bytes > 0 && bytes_max / bytes < most) most = bytes_max / bytes;
  return most > 1 ? most : 1;
}

/* Is the step's grid the same whatever registers the code takes? */
static bool has_fixed_grid(const PlanRun *run, const ManifestKernel *step)
{
  int64_t *numbers = run->launch->numbers;
  bool is_fixed = true;
  if (!step->needs_resident || !run->plan->device->driver->traits->takes_ptx) return true;
  int64_t multiprocessors = multiprocessors_of(run), most = most_blocks(run, step);
  for (int i = 0; i < 3; ++i) {
    numbers[NUMBER_resident] = multiprocessors;
    int64_t least_grid = value_of(&step->grid[i], numbers, 1);
    numbers[NUMBER_resident] = multiprocessors * most;
    is_fixed &= least_grid == value_of(&step->grid[i], numbers, 1);
  }
  return is_fixed;
}

/* The form of code that will do for a step. */
static PartForm form_for(const PlanRun *run, const ManifestKernel *step)
{
  if (run->is_captured || !parts_may_be_quick(run->plan->code)) return PART_thorough;
  return has_fixed_grid(run, step) ? PART_quick_sums : PART_quick;
}

/* Adds a launch of the step to the schedule, if its condition holds. */
static ck_status_t add_step(PlanRun *run, uint32_t index)
{
  Launch *launch = run->launch;
  PlanSchedule *schedule = run->schedule;
  const ManifestKernel *info = run->plan->info->steps[index];
  ck_kernel_t *step = atomic_load(&run->plan->steps[index]);
  int64_t holds = 1;
  launch->info = info;
  if (info->condition.text)
    CK_TRY(evaluate(run, &info->condition, "the condition of the step", &holds));
  if (!holds) return CK_OK;
  PartForm form = form_for(run, info);
  if (!kernel_step_will_do(run->plan, step, index, form)) {
    note_missing(run, info, form);
    return CK_OK;
  }
  schedule->is_quick |= step->code->part_form != PART_thorough;
  schedule->is_old |= step->code->part_form != PART_thorough && step->code->is_kept_part;
  bool is_empty = false;
  CUlaunchConfig *native = &launch->native;
  launch->kernel = step;
  native->attrs = NULL;
  native->numAttrs = 0;
  CK_TRY(launch_read_block(launch));
  if (info->needs_resident) CK_TRY(launch_read_resident(launch, run->stream));
  CK_TRY(launch_read_grid(launch, &is_empty));
  if (is_empty) return CK_OK;
  const unsigned dims[] = {native->gridDimX,  native->gridDimY,  native->gridDimZ,
                           native->blockDimX, native->blockDimY, native->blockDimZ};
  for (size_t i = 0; i < COUNT_OF(dims); ++i) launch->numbers[NUMBER_grid + i] = dims[i];
  CK_TRY(widen(run, info, &info->scratch_bytes, "scratch memory", &schedule->scratch_bytes));
  CK_TRY(widen(run, info, &info->kept_bytes, "persistent memory", &schedule->kept_bytes));
  schedule->is_kept_own |= info->is_kept_own;
  CK_TRY(launch_read_cluster(launch));
  CK_TRY(launch_read_shared(launch));
  launch->config.flags = 0;
  if (info->is_cooperative) launch->config.flags |= CK_LAUNCH_COOPERATIVE;
  if (info->is_dependent && step->device->limits.has_clusters && !info->is_cooperative)
    launch->config.flags |= CK_LAUNCH_PROGRAMMATIC;
  if (launch->config.flags) CK_TRY(launch_read_flags(launch));
  PlanEntry entry = {.step = step, .native = *native, .flags = launch->config.flags};
  memcpy(entry.attributes, launch->attributes, native->numAttrs * sizeof *launch->attributes);
  for (uint32_t i = 0; i < info->loop_count; ++i) entry.loops[i] = launch->numbers[NUMBER_loop + i];
  vec_push(&schedule->arena, &schedule->entries, entry);
  return CK_OK;
}

/* Adds steps `first` to `last` - 1, which share the `depth` outermost loops. */
static ck_status_t add_steps(PlanRun *run, uint32_t first, uint32_t last, uint32_t depth)
{
  const ManifestKernel *const *steps = run->plan->info->steps;
  for (uint32_t i = first, next; i < last; i = next) {
    const ManifestKernel *info = steps[i];
    next = i + 1;
    if (info->loop_count <= depth) {
      CK_TRY(add_step(run, i));
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
      CK_TRY(add_steps(run, i, next, depth + 1));
    }
  }
  return CK_OK;
}

/* Opens the steps that were found without code. */
static ck_status_t open_missing(PlanRun *run)
{
  ck_kernel_t *plan = run->plan, *step;
  if (run->missing_count > 1) parts_prepare(plan->code, run->missing, run->missing_count);
  for (uint32_t i = 0; i < run->missing_count; ++i)
    for (uint32_t at = 0; at < plan->info->step_count; ++at)
      if (plan->info->steps[at] == run->missing[i].kernel)
        CK_TRY(kernel_step(plan, at, run->missing[i].form, &step));
  return CK_OK;
}

/* ---- schedules ---- */

static pthread_mutex_t schedule_lock = PTHREAD_MUTEX_INITIALIZER; /* guards plan->schedule */

void plan_schedule_release(PlanSchedule *schedule)
{
  if (!schedule || atomic_fetch_sub(&schedule->object.reference_count, 1) != 1) return;
  arena_free(&schedule->arena);
  object_free(schedule);
}

/* Does a schedule depend on the parameter's number? */
static bool is_number(const ManifestParam *param)
{
  return param->is_in_expr || param->kind == CK_PARAM_SPAN;
}

/* The schedule of the last call, if it is right for this one: a new reference, or NULL. */
static PlanSchedule *find_schedule(const PlanRun *run)
{
  const ManifestKernel *info = run->plan->info;
  pthread_mutex_lock(&schedule_lock);
  PlanSchedule *found = run->plan->schedule;
  bool fits = found && found->multiprocessors == multiprocessors_of(run) &&
              found->version == parts_version(run->plan->code) &&
              !(found->is_quick && run->is_captured);
  for (uint32_t i = 0; fits && i < info->param_count; ++i)
    fits = !is_number(&info->params[i]) || found->numbers[i] == run->launch->numbers[i];
  if (fits) object_retain(&found->object);
  pthread_mutex_unlock(&schedule_lock);
  return fits ? found : NULL;
}

static void keep_schedule(const PlanRun *run)
{
  if (run->schedule->entries.count > KEPT_LAUNCHES) return;
  object_retain(&run->schedule->object);
  pthread_mutex_lock(&schedule_lock);
  PlanSchedule *old = run->plan->schedule;
  run->plan->schedule = run->schedule;
  pthread_mutex_unlock(&schedule_lock);
  plan_schedule_release(old);
}

static ck_status_t new_schedule(PlanRun *run)
{
  const ManifestKernel *info = run->plan->info;
  PlanSchedule *schedule = run->schedule = object_new(sizeof *schedule);
  if (!schedule) return CK_OUT_OF_MEMORY;
  schedule->multiprocessors = multiprocessors_of(run);
  schedule->numbers = NEW_ARRAY(&schedule->arena, int64_t, info->param_count + 1);
  for (uint32_t i = 0; i < info->param_count; ++i)
    if (is_number(&info->params[i])) schedule->numbers[i] = run->launch->numbers[i];
  return CK_OK;
}

/* A number that is stored has to be one of its type. */
static ck_status_t compare_type(const PlanRun *run, const ManifestNeed *need, int64_t greatest)
{
  ck_arg_t number = ck_i64(greatest);
  if (launch_integer_fits(&number, need->dtype)) return CK_OK;
  const char *type = ck_dtype_name(need->dtype);
  unsigned bits = 8 * (unsigned)ck_dtype_bytes(need->dtype) - (*type == 'i');
  return error_argument("'%s': elements of %s are of type %s, up to %" PRId64
                        ", and get numbers up to %" PRId64 ": give it elements of a wider type",
                        run->plan->name, need->what, type, (INT64_C(1) << bits) - 1, greatest);
}

static ck_status_t compare_needs(const PlanRun *run)
{
  const ck_kernel_t *plan = run->plan;
  const int64_t *numbers = run->launch->numbers;
  for (uint32_t i = 0; i < plan->info->need_count; ++i) {
    const ManifestNeed *need = &plan->info->needs[i];
    int64_t holds = 1, has, needs;
    /* Without a value there is no need: what the launch itself computes reports its own faults. */
    if (need->condition.text && (expr_eval(&need->condition, numbers, &holds) || !holds)) continue;
    if (need->dtype != CK_NONE) {
      if (!expr_eval(&need->needs, numbers, &needs)) CK_TRY(compare_type(run, need, needs));
      continue;
    }
    if (expr_eval(&need->has, numbers, &has)) continue;
    if (!need->needs.text) {
      if (!has) return error_argument("'%s': %s", plan->name, need->what);
      continue;
    }
    if (expr_eval(&need->needs, numbers, &needs)) continue;
    if (has < needs)
      return error_argument("'%s': %s has %" PRId64 " element%s, but needs %" PRId64, plan->name,
                            need->what, has, has == 1 ? "" : "s", needs);
  }
  return CK_OK;
}

/* Checks all steps that will be launched, and computes their launches and the sizes of memory. */
static ck_status_t make_schedule(PlanRun *run)
{
  CK_TRY(compare_needs(run));
  CK_TRY(new_schedule(run));
  PlanSchedule *schedule = run->schedule;
  do {
    schedule->scratch_bytes = schedule->kept_bytes = 0;
    schedule->entries.count = 0;
    schedule->is_quick = schedule->is_old = false;
    schedule->version = parts_version(run->plan->code);
    run->missing_count = 0;
    CK_TRY(add_steps(run, 0, run->plan->info->step_count, 0));
    if (run->missing_count) CK_TRY(open_missing(run));
  } while (run->missing_count);
  keep_schedule(run);
  return CK_OK;
}

static ck_status_t put_step(const PlanRun *run, PlanEntry *entry, Workspace *workspace)
{
  Launch *launch = run->launch;
  ck_kernel_t *step = entry->step;
  size_t bytes = entry->native.sharedMemBytes;
  if (bytes && bytes > atomic_load_explicit(&step->common->dynamic_limit, memory_order_relaxed))
    CK_TRY(kernel_allow_dynamic(step, bytes));
  launch->kernel = step;
  launch->info = step->info;
  launch->config.flags = entry->flags;
  launch->native = entry->native;
  launch->native.attrs = entry->attributes;
  for (uint32_t i = 0; i < step->info->loop_count; ++i)
    launch->values[run->base + 2 + i] = (uint64_t)entry->loops[i];
  bool is_marked = nvtx_begin("step", step->name);
  ck_status_t status = launch_put_into_stream(launch, run->stream);
  nvtx_end(is_marked);
  if (status == CK_OK && workspace) workspace_note(workspace, step, run->stream, run->base);
  return status;
}

static ck_status_t put_steps(const PlanRun *run, CUdeviceptr scratch, const Kept *kept)
{
  Launch *launch = run->launch;
  PlanSchedule *schedule = run->schedule;
  launch->values[run->base] = scratch;
  launch->values[run->base + 1] = kept->address[0];
  for (uint32_t i = 0; i < 2 + MAX_LOOPS; ++i)
    launch->slots[run->base + i] = &launch->values[run->base + i];
  for (uint32_t i = 0; i < schedule->entries.count; ++i)
    CK_TRY(put_step(run, &schedule->entries.at[i], kept->workspace));
  return CK_OK;
}

/* The address of the caller's scratch memory. */
static ck_status_t read_scratch(const PlanRun *run, size_t needed, CUdeviceptr *out_address)
{
  enum { ALIGNMENT = 256 }; /* that of allocations, which the kernels' layout assumes */
  const ck_launch_config_t *config = &run->launch->config;
  const ck_buffer_t *buffer = config->scratch;
  size_t offset = config->scratch_offset, bytes = ck_buffer_bytes(buffer);
  size_t room = offset < bytes ? bytes - offset : 0;
  *out_address = ck_buffer_native(buffer) + offset;
  if (needed > room)
    return error_argument(
        "algorithm '%s' needs %zu bytes of scratch memory, the buffer has %zu from "
        "byte %zu on: ck_kernel_get_scratch_bytes says how many",
        run->plan->name, needed, room, offset);
  if (needed && *out_address % ALIGNMENT)
    return error_argument("algorithm '%s': scratch memory at 0x%llx isn't aligned to %d bytes",
                          run->plan->name, (unsigned long long)*out_address, ALIGNMENT);
  return CK_OK;
}

/* Launches all that is in the schedule, with memory for it. */
static ck_status_t put_all(const PlanRun *run)
{
  ck_kernel_t *plan = run->plan;
  ck_stream_t *stream = run->stream;
  const ck_launch_config_t *config = &run->launch->config;
  int64_t scratch_bytes = run->schedule->scratch_bytes, kept_bytes = run->schedule->kept_bytes;
  bool is_captured = run->is_captured, is_given = config->scratch != NULL;
  bool is_small = scratch_bytes <= (is_captured ? GRAPH_BYTES : STREAM_BYTES) && !is_given &&
                  (!config->scratch_resource || !scratch_bytes);
  ck_memory_resource_t *resource = is_captured ? plan->graph_scratch : plan->scratch;
  if (config->scratch_resource) resource = config->scratch_resource;
  CUdeviceptr given = 0;
  if (UNLIKELY(is_given)) CK_TRY(read_scratch(run, (size_t)scratch_bytes, &given));
  if (!is_small && !is_given && !resource)
    return error_unsupported("'%s' has scratch memory: '%s' can't capture it", plan->name,
                             plan->device->name);
  void *host;
  Kept kept = {.bytes = {(size_t)kept_bytes, is_small ? (size_t)scratch_bytes : 0},
               .is_own = run->schedule->is_kept_own};
  if (kept.bytes[0] || kept.bytes[1]) CK_TRY(kept_take(plan, stream, &kept));
  CUdeviceptr scratch = is_given ? given : kept.address[1];
  ck_status_t status = CK_OK;
  if (is_given) is_small = true; /* nothing to allocate or to free */
  if (!is_small) status = memory_allocate(resource, (size_t)scratch_bytes, stream, &scratch, &host);
  if (status != CK_OK) error_within(status, "algorithm '%s': scratch memory", plan->name);
  if (log_wants(LOG_launch))
    log_line(LOG_launch,
             "algorithm '%s', %" PRId64 " bytes of scratch and %" PRId64 " of persistent memory",
             plan->name, scratch_bytes, kept_bytes);
  bool is_marked = nvtx_begin("launch", plan->name);
  if (status == CK_OK) status = put_steps(run, scratch, &kept);
  nvtx_end(is_marked);
  kept_give(stream, &kept, status == CK_OK);
  if (!is_small && scratch) memory_deallocate(resource, scratch, (size_t)scratch_bytes, stream);
  return status;
}

static ck_status_t begin(PlanRun *run, Launch *launch, ck_stream_t *stream)
{
  run->launch = launch;
  run->plan = launch->kernel;
  run->stream = stream;
  run->base = run->plan->info->slot_count;
  run->is_captured = stream_keep(stream) != NULL;
  run->schedule = find_schedule(run);
  return run->schedule ? CK_OK : make_schedule(run);
}

ck_status_t plan_scratch(Launch *launch, ck_stream_t *stream, size_t *out_bytes)
{
  PlanRun run;
  ck_status_t status = begin(&run, launch, stream);
  if (status == CK_OK) *out_bytes = (size_t)run.schedule->scratch_bytes;
  plan_schedule_release(run.schedule);
  return status;
}

ck_status_t plan_launch(Launch *launch, ck_stream_t *stream)
{
  ck_kernel_t *plan = launch->kernel;
  const ck_launch_config_t *config = &launch->config;
  if (config->grid[0] || config->block[0] || config->cluster[0] || config->flags ||
      config->attribute_count || config->dynamic_shared_bytes)
    return error_argument("'%s' is an algorithm of %u kernels: each has its own grid, block and "
                          "attributes, a launch gives none",
                          plan->name, plan->info->step_count);
  PlanRun run;
  ck_status_t status = begin(&run, launch, stream);
  if (status == CK_OK) status = put_all(&run);
  if (UNLIKELY(status == CK_OK && run.schedule->is_quick) &&
      (atomic_exchange(&plan->has_been_quick, true) || run.schedule->is_old))
    parts_improve(plan->code);
  plan_schedule_release(run.schedule);
  return status;
}
