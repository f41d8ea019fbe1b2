/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* algorithm_stress.c - runs each algorithm whose blocks wait for each other many times while other
 * streams are busy, directly and in a replayed graph: all results have the same bits.
 *
 *   algorithm_stress [RUNS [SEED]]   also $CK_COUNT, $CK_SEED; RUNS of each algorithm and length
 *   CK_FILTER=sort                   only algorithms with this text in their names
 *
 * A run fills the outputs with a pattern, calls the algorithm, and appends a digest of all output
 * bytes to a list on the device. So no run waits for the host, and a place that is not written
 * shows. The first run has the device for itself, and gives the digest that the others must have.
 * Beside each other run, a second stream starts a kernel of a random number of blocks and a random
 * length, or the same algorithm on outputs of its own.
 *
 * On the host device or a GPU ($CK_DEVICE); on a GPU by both back ends, and for lengths that take
 * one tile, some, and the forms for more than the L2 cache.
 */
#include "both.h"
#include "random.h"

#include "algorithm_stress.ck.text"

enum { PATTERN = 0xa5, LOADS = 40, RESULT_WORDS = 16 };

typedef struct Row {
  const char *name, *args; /* n; x, w: inputs; y, z: outputs; r: the result */
} Row;

static const Row rows[] = {
    {"sum_f32", "nxr"},
    {"sum_maps", "nxr"},
    {"least", "nxr"},
    {"running", "nxy"},
    {"before", "nxy"},
    {"running_maps", "nxy"},
    {"running_in_place", "nxy"},
    {"odd", "nxyr"},
    {"odd_places", "nxyr"},
    {"three_ways", "nxyzr"},
    {"two_ways", "nxyzr"},
    {"distinct", "nwyr"},
    {"firsts", "nwxyzr"},
    {"lengths", "nwyzr"},
    {"repeats", "nwyzr"},
    {"totals", "nwxyzr"},
    {"running_of_keys", "nwxy"},
    {"sort_keys", "nxy"},
    {"sort_in_place", "nxy"},
    {"sort_pairs", "nxyz"},
    {"sort_wide", "nxy"},
    {"merge_keys", "nxy"},
    {"best", "nxyz"},
    {"segment_sums", "nxy"},
    {"segment_sort", "nxy"},
    {"segment_radix", "nxy"},
    {"copies", "nxy"},
    {"late", "nxr"},
    {"either", "nwyr"},
    {"common", "nwyr"},
    {"bins", "nxy"},
};

/* What one stream writes. */
typedef struct Lane {
  ck_stream_t *stream;
  ck_buffer_t *y, *z, *r, *sum, *count, *list;
} Lane;

static Lane lanes[2];
static ck_buffer_t *x, *w, *unused;
static ck_kernel_t *fill, *digest, *append, *load;
static uint64_t length, most_runs;
static const char *what; /* back end and device, for messages */

static ck_arg_t address(const ck_buffer_t *buffer)
{
  return ck_address(ck_buffer_native(buffer));
}

static void digest_of(const Lane *lane, ck_stream_t *to, ck_buffer_t *buffer, uint64_t words)
{
  ck_arg_t args[] = {ck_u64(words), address(buffer), address(lane->sum)};
  CHECK_OK(ck_launch_args(to, NULL, digest, args, 3));
}

/* One run, in stream order. `to` is the lane's stream, or one that captures it. */
static void run_once(const Lane *lane, ck_stream_t *to, ck_kernel_t *algorithm, const char *letters)
{
  ck_arg_t args[8];
  size_t count = 0;
  uint64_t words = 4 * length;
  CHECK_OK(ck_buffer_fill(lane->y, 0, 4 * words, PATTERN, 1, to));
  CHECK_OK(ck_buffer_fill(lane->z, 0, 4 * length, PATTERN, 1, to));
  CHECK_OK(ck_buffer_fill(lane->r, 0, 4 * RESULT_WORDS, PATTERN, 1, to));
  for (const char *at = letters; *at; ++at) switch (*at) {
    case 'n': args[count++] = ck_u64(length); break;
    case 'x': args[count++] = address(x); break;
    case 'w': args[count++] = address(w); break;
    case 'y': args[count++] = address(lane->y); break;
    case 'z': args[count++] = address(lane->z); break;
    default: args[count++] = address(lane->r); break;
    }
  CHECK_OK(ck_launch_args(to, NULL, algorithm, args, count));
  digest_of(lane, to, lane->y, words);
  digest_of(lane, to, lane->z, length);
  digest_of(lane, to, lane->r, RESULT_WORDS);
  ck_arg_t list[] = {ck_u64(most_runs), address(lane->sum), address(lane->count),
                     address(lane->list)};
  CHECK_OK(ck_launch_args(to, NULL, append, list, 4));
}

static void busy(ck_kernel_t *algorithm, const char *letters, uint64_t *beside)
{
  if (one_in(3) && *beside < most_runs) {
    run_once(&lanes[1], lanes[1].stream, algorithm, letters);
    ++*beside;
    return;
  }
  bool is_host = strstr(what, "host") != NULL;
  ck_arg_t args[] = {ck_u64(is_host ? 1 : 1 + below(600)), ck_u64(1 + below(is_host ? 10 : 20000)),
                     address(unused)};
  CHECK_OK(ck_launch_args(lanes[1].stream, NULL, load, args, 3));
}

static void clear(const Lane *lane)
{
  CHECK_OK(ck_buffer_fill(lane->sum, 0, 8, 0, 4, lane->stream));
  CHECK_OK(ck_buffer_fill(lane->count, 0, 8, 0, 4, lane->stream));
  CHECK_OK(ck_stream_sync(lane->stream));
}

/* The runs of a lane whose digest is not `want`; prints the first one. */
static uint64_t compare(const Lane *lane, uint64_t runs, uint64_t want, const char *name,
                        const char *how)
{
  uint64_t *list = malloc(8 * (runs + 1)), count = 0, wrong = 0;
  CHECK_OK(ck_buffer_read(lane->count, 0, &count, 8, lane->stream));
  if (runs) CHECK_OK(ck_buffer_read(lane->list, 0, list, 8 * runs, lane->stream));
  CHECK_OK(ck_stream_sync(lane->stream));
  CHECK(count == runs);
  for (uint64_t i = 0; i < runs; ++i) {
    if (list[i] != want && wrong++ == 0)
      printf("%s: %s of %llu elements, %s: run %llu of %llu differs from the first one\n", what,
             name, (unsigned long long)length, how, (unsigned long long)i,
             (unsigned long long)runs);
  }
  free(list);
  return wrong;
}

static void stress(const Row *row, uint64_t runs)
{
  ck_kernel_t *algorithm = kernel(row->name);
  uint64_t want = 0, beside = 0;
  clear(&lanes[0]);
  clear(&lanes[1]);
  run_once(&lanes[0], lanes[0].stream, algorithm, row->args);
  CHECK_OK(ck_buffer_read(lanes[0].list, 0, &want, 8, lanes[0].stream));
  CHECK_OK(ck_stream_sync(lanes[0].stream));
  clear(&lanes[0]);
  for (uint64_t i = 0; i < runs && !failed; ++i) {
    busy(algorithm, row->args, &beside);
    run_once(&lanes[0], lanes[0].stream, algorithm, row->args);
    if (i % LOADS == LOADS - 1) CHECK_OK(ck_stream_sync(lanes[1].stream));
  }
  CHECK(compare(&lanes[0], runs, want, row->name, "directly") == 0);
  clear(&lanes[0]);
  ck_graph_builder_t *builder;
  ck_graph_t *graph;
  CHECK_OK(ck_graph_builder_create(device, &builder));
  CHECK_OK(ck_graph_builder_begin(builder, CK_CAPTURE_RELAXED));
  run_once(&lanes[0], ck_graph_builder_stream(builder), algorithm, row->args);
  CHECK_OK(ck_graph_builder_end(builder));
  CHECK_OK(ck_graph_builder_create_graph(builder, NULL, &graph));
  ck_graph_builder_release(builder);
  for (uint64_t i = 0; i < runs && !failed; ++i) {
    busy(algorithm, row->args, &beside);
    CHECK_OK(ck_graph_launch(graph, lanes[0].stream));
    if (i % LOADS == LOADS - 1) CHECK_OK(ck_stream_sync(lanes[1].stream));
  }
  CHECK(compare(&lanes[0], runs, want, row->name, "in a graph") == 0);
  CHECK(compare(&lanes[1], beside, want, row->name, "on the second stream") == 0);
  ck_graph_release(graph);
  ck_kernel_release(algorithm);
}

TEST(all_runs_are_equal)
{
  const char *filter = getenv("CK_FILTER");
  ck_arg_t args[] = {ck_u64(length), address(x), address(w)};
  CHECK_OK(ck_launch_args(lanes[0].stream, NULL, fill, args, 3));
  CHECK_OK(ck_stream_sync(lanes[0].stream));
  for (size_t i = 0; i < sizeof rows / sizeof *rows && !failed; ++i)
    if (!filter || strstr(rows[i].name, filter)) {
      random_start(length + i);
      stress(&rows[i], random_count);
    }
}

static void open_lane(Lane *lane, uint64_t most)
{
  CHECK_OK(ck_stream_create(device, NULL, &lane->stream));
  lane->y = zeros(16 * most);
  lane->z = zeros(4 * most);
  lane->r = zeros(4 * RESULT_WORDS);
  lane->sum = zeros(8);
  lane->count = zeros(8);
  lane->list = zeros(8 * most_runs);
}

static void close_lane(Lane *lane)
{
  ck_buffer_t *all[] = {lane->y, lane->z, lane->r, lane->sum, lane->count, lane->list};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) ck_buffer_release(all[i]);
  ck_stream_release(lane->stream);
}

/* Compiles by one back end, and runs all algorithms for each length. Returns the exit status. */
static int run_backend(ck_backend_t backend, const uint64_t *lengths, size_t count)
{
  ck_program_t *program;
  ck_compile_options_t options = CK_OPTIONS_INIT(ck_compile_options_t);
  options.file_name = "algorithm_stress.ck";
  options.backend = backend;
  if (ck_program_create(algorithm_stress_ck, strlen(algorithm_stress_ck), &options, &program) ||
      ck_program_compile(program, device, &code)) {
    printf("%s: %s\n", what, ck_last_error());
    return strstr(ck_last_error(), "CK_UNAVAILABLE") ? 77 : 1;
  }
  ck_program_release(program);
  fill = kernel("fill");
  digest = kernel("digest");
  append = kernel("append");
  load = kernel("load");
  for (size_t i = 0; i < count; ++i) {
    length = lengths[i];
    printf("%s, %llu elements\n", what, (unsigned long long)length);
    fflush(stdout);
    RUN(all_runs_are_equal);
  }
  ck_kernel_t *kernels[] = {fill, digest, append, load};
  for (size_t i = 0; i < sizeof kernels / sizeof *kernels; ++i) ck_kernel_release(kernels[i]);
  ck_object_code_release(code);
  code = NULL;
  return 0;
}

int main(int argc, char **argv)
{
  static const uint64_t small[] = {100, 3001}, large[] = {1000, 65537, (1 << 20) + 7, 5000011};
  if (ck_device_open_auto(&device) != CK_OK || ck_stream_create(device, NULL, &stream) != CK_OK) {
    printf("0 passed, 0 failed: %s\n", ck_last_error());
    return 77;
  }
  bool is_host = ck_device_is_host(device);
  bool is_watched = getenv("CK_SANITIZER") != NULL; /* by a tool that makes it slow */
  random_open(argc, argv, is_host ? 3 : is_watched ? 2 : 100);
  size_t lengths = is_watched ? 2 : 4;
  most_runs = 2 * random_count + 1;
  uint64_t most = is_host ? small[1] : large[3];
  x = zeros(4 * most);
  w = zeros(4 * most);
  unused = zeros(4);
  open_lane(&lanes[0], most);
  open_lane(&lanes[1], most);
  int status = 0;
  if (is_host) {
    what = "host";
    status = run_backend(CK_BACKEND_AUTO, small, 2);
  } else {
    what = "libnvvm";
    status = run_backend(CK_BACKEND_LIBNVVM, large, lengths);
    what = "nvptx";
    int other = run_backend(CK_BACKEND_NVPTX, large, lengths);
    status = status == 77 ? other : status | (other == 77 ? 0 : other);
  }
  close_lane(&lanes[0]);
  close_lane(&lanes[1]);
  ck_buffer_release(x);
  ck_buffer_release(w);
  ck_buffer_release(unused);
  int result = close_both();
  return status ? status : result;
}
