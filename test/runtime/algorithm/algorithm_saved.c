/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* algorithm_saved.c - built algorithms are saved with code for several targets and loaded again;
 * what is no saved algorithm is refused. */
#include <unistd.h>

#include "algorithm.h"

enum { N = 5000 };

static int x[N];
static ck_iterator_t none, zero;
static ck_op_t plus, twice;
static ck_iterator_t doubled;
static const void *operands[4];

/* The sum of doubled numbers, built without arrays. */
static void open_operands(void)
{
  for (int i = 0; i < N; ++i) x[i] = i % 91;
  none = ck_iterator_array(ck_address_span(0, 0), CK_I32);
  zero = ck_iterator_constant(ck_i32(0));
  plus = ck_op("+");
  twice = ck_op("|v| 2 * v");
  doubled = ck_iterator_transform(&none, &twice);
  operands[0] = &doubled;
  operands[1] = &plus;
  operands[2] = &zero;
  operands[3] = &none;
}

static void check_sum(ck_algorithm_t *algorithm)
{
  ck_buffer_t *in = array_new(sizeof x, x), *out = array_new(4, NULL);
  ck_iterator_t it = ck_iterator_array(ck_whole(in), CK_I32);
  ck_iterator_t to = ck_iterator_array(ck_whole(out), CK_I32);
  ck_iterator_t own = ck_iterator_transform(&it, &twice);
  const void *given[] = {&own, &plus, &zero, &to};
  int want = 0, got;
  for (int i = 0; i < N; ++i) want += 2 * x[i];
  CHECK_OK(ck_algorithm_launch(algorithm, stream, given, 4, NULL));
  array_read(out, &got, 4);
  CHECK(got == want);
  ck_buffer_release(in);
  ck_buffer_release(out);
}

TEST(saved_for_targets)
{
  open_operands();
  /* The second one only where a linker for GPUs is. */
  const char *targets[] = {ck_device_target(device), "sm_90"};
  int count = access("/usr/local/cuda/nvvm", F_OK) ? 1 : 2;
  ck_algorithm_t *made, *loaded;
  size_t bytes;
  CHECK_OK(ck_algorithm_create_for_targets(targets, (size_t)count, CK_ALGORITHM_REDUCE, operands, 4,
                                           NULL, &made));
  const void *data = ck_algorithm_bytes(made, &bytes);
  CHECK(data && bytes > 100 && ck_algorithm_bytes(made, &bytes) == data);
  CHECK_STATUS(ck_algorithm_launch(made, stream, operands, 4, NULL), CK_INVALID_ARGUMENT,
               "ck_reduce: the algorithm was made for targets; ck_algorithm_from_bytes loads it");
  CHECK_OK(ck_algorithm_from_bytes(device, data, bytes, &loaded));
  ck_algorithm_release(made);
  check_sum(loaded);
  ck_algorithm_release(loaded);
}

TEST(saved_to_a_file)
{
  char path[] = "/tmp/ck-algorithm-XXXXXX";
  int file = mkstemp(path);
  CHECK(file >= 0);
  close(file);
  ck_algorithm_options_t options = CK_OPTIONS_INIT(ck_algorithm_options_t);
  ck_algorithm_t *made, *loaded, *again;
  open_operands();
  options.problem_size = N;
  CHECK_OK(ck_algorithm_create(device, CK_ALGORITHM_REDUCE, operands, 4, &options, &made));
  CHECK_OK(ck_algorithm_save(made, path));
  CHECK_OK(ck_algorithm_from_file(device, path, &loaded));
  check_sum(loaded);
  CHECK_OK(ck_algorithm_save(loaded, path)); /* what was loaded can be saved */
  CHECK_OK(ck_algorithm_from_file(device, path, &again));
  check_sum(again);
  ck_algorithm_release(loaded);
  CHECK_STATUS(ck_algorithm_save(made, "/nowhere/at/all"), CK_IO, "/nowhere/at/all");
  CHECK_STATUS(ck_algorithm_from_file(device, "/nowhere", &loaded), CK_IO, "/nowhere");
  ck_algorithm_release(made);
  ck_algorithm_release(again);
  unlink(path);
}

TEST(what_is_none)
{
  ck_algorithm_t *made, *loaded;
  size_t bytes;
  open_operands();
  CHECK_OK(ck_algorithm_create(device, CK_ALGORITHM_REDUCE, operands, 4, NULL, &made));
  const char *data = ck_algorithm_bytes(made, &bytes);
  char *copy = malloc(bytes);
  for (size_t at = 0; at < bytes; at += at < 400 ? 1 : bytes / 40) {
    memcpy(copy, data, bytes);
    copy[at] ^= 0x40;
    CHECK_STATUS(ck_algorithm_from_bytes(device, copy, bytes, &loaded), CK_INVALID_ARGUMENT,
                 "ck_algorithm_from_bytes: ");
    CHECK_STATUS(ck_algorithm_from_bytes(device, data, at, &loaded), CK_INVALID_ARGUMENT,
                 "ck_algorithm_from_bytes: ");
  }
  free(copy);
  ck_algorithm_release(made);
  const char *targets[] = {"sm_90", "nothing"};
  CHECK(ck_algorithm_create_for_targets(targets + 1, 1, CK_ALGORITHM_REDUCE, operands, 4, NULL,
                                        &made) != CK_OK);
  CHECK(strstr(ck_last_error(), "ck_reduce: ") && strstr(ck_last_error(), "nothing"));
  CHECK_STATUS(
      ck_algorithm_create_for_targets(targets, 0, CK_ALGORITHM_REDUCE, operands, 4, NULL, &made),
      CK_INVALID_ARGUMENT, "0 targets, not 1 to 16");
}

int main(void)
{
  return run_tests();
}
