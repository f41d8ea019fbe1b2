/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* result.c - an algorithm's value, from the buffer of its last parameter: printed, or part by part.
 *
 * The manifest names each number by the way to it: ".lo" of a struct, ".0" of a tuple, "[0]" of an
 * array or vector. What starts alike stands in one pair of brackets.
 */
#include <string.h>

#include "run.h"

bool run_is_result(const Run *run, const Param *param)
{
  return ck_kernel_result_part_count(run->kernel) && param == &run->params[run->count - 1];
}

Exit result_read(const Run *run, Arena *arena, const char **out_bytes)
{
  const Param *param = &run->params[run->count - 1];
  size_t bytes = param->info.element_bytes;
  char *data = arena_alloc(arena, bytes);
  *out_bytes = data;
  ck_status_t status = ck_buffer_read(param->buffer, 0, data, bytes, run->stream);
  if (status == CK_OK) status = ck_stream_sync(run->stream);
  return status == CK_OK ? EXIT_OK : fail_status(status);
}

typedef struct Writer {
  const Run *run;
  const char *bytes;
  size_t index, count; /* of the part at hand; of all */
} Writer;

static ck_result_part_t part_at(const Writer *writer, size_t index)
{
  ck_result_part_t part;
  ck_kernel_get_result_part(writer->run->kernel, index, &part);
  return part;
}

/* The length of one step: ".lo", "[12]". */
static size_t step_length(const char *name)
{
  if (*name == '[') return strcspn(name, "]") + 1;
  return *name ? 1 + strcspn(name + 1, ".[") : 0;
}

/* The parts whose names start with the first `len` bytes of the next one's. */
static void write_below(Writer *writer, size_t len)
{
  const char *prefix = part_at(writer, writer->index).name;
  if (!prefix[len]) {
    ck_result_part_t part = part_at(writer, writer->index++);
    char text[NUMBER_TEXT_BYTES];
    number_text(text, part.dtype, writer->bytes + part.offset);
    fputs(text, stdout);
    return;
  }
  bool is_list = prefix[len] == '[', is_tuple = prefix[len + 1] >= '0' && prefix[len + 1] <= '9';
  putchar(is_list ? '[' : is_tuple ? '(' : '{');
  for (bool is_first = true; writer->index < writer->count; is_first = false) {
    const char *name = part_at(writer, writer->index).name;
    if (strncmp(name, prefix, len) != 0) break;
    size_t step = step_length(name + len);
    if (!is_first) fputs(", ", stdout);
    if (!is_list && !is_tuple) printf("%.*s: ", (int)step - 1, name + len + 1);
    write_below(writer, len + step);
  }
  putchar(is_list ? ']' : is_tuple ? ')' : '}');
}

Exit result_print(const Run *run)
{
  Writer writer = {.run = run, .count = ck_kernel_result_part_count(run->kernel)};
  if (!writer.count) return EXIT_OK;
  Exit exit = result_read(run, run->arena, &writer.bytes);
  if (exit != EXIT_OK) return exit;
  fputs("result = ", stdout);
  write_below(&writer, 0);
  putchar('\n');
  return EXIT_OK;
}
