/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* options.c - begins a call: finds its row, reads its options and puts them into the key. */
#include <string.h>

#include "call.h"

/* Does the row's text have the option? */
static bool has_option(const Row *row, const char *name)
{
  return strstr(row->text, name) != NULL;
}

static ck_status_t check_options(const Call *call)
{
  const ck_algorithm_options_t *options = &call->options;
  const Row *row = call->row;
  const struct {
    bool is_set;
    const char *option, *name;
  } checks[] = {
      {options->flags & CK_ALGORITHM_DESCENDING, "%radix", "CK_ALGORITHM_DESCENDING"},
      {options->begin_bit || options->end_bit, "%radix", "begin_bit and end_bit"},
      {options->flags & CK_ALGORITHM_LEAST, "%top", "CK_ALGORITHM_LEAST"},
      {options->flags & CK_ALGORITHM_UNSORTED, "%top", "CK_ALGORITHM_UNSORTED"},
      {options->flags & CK_ALGORITHM_RIGHT, "%right", "CK_ALGORITHM_RIGHT"},
      {options->channels, "%channels", "channels"},
      {options->largest_segment, "%segment", "largest_segment"},
  };
  for (size_t i = 0; i < COUNT_OF(checks); ++i)
    if (checks[i].is_set && !has_option(row, checks[i].option))
      return call_fail(call, CK_INVALID_ARGUMENT, "it has no option %s", checks[i].name);
  if (options->flags & ~15u)
    return call_fail(call, CK_INVALID_ARGUMENT, "flags 0x%x aren't CK_ALGORITHM_*",
                     options->flags & ~15u);
  if ((unsigned)options->determinism > CK_DETERMINISM_GPU_TO_GPU)
    return call_fail(call, CK_INVALID_ARGUMENT, "%d is no ck_determinism_t",
                     (int)options->determinism);
  return CK_OK;
}

/* Does the order of operations not show in the result? Then it is the same on all devices. */
static bool is_exact(const Call *call)
{
  static const char *const exact[] = {"min", "max", "&", "|", "^", "&&", "||"};
  const ck_op_t *f = NULL;
  const ck_iterator_t *init = NULL;
  for (uint32_t i = 0; i < call->row->count; ++i) {
    if (!strcmp(call->row->operands[i].name, "f")) f = call->operands[i];
    if (!strcmp(call->row->operands[i].name, "init")) init = call->operands[i];
  }
  if (!f || !f->text) return true;
  for (size_t i = 0; i < COUNT_OF(exact); ++i)
    if (!strcmp(f->text, exact[i])) return true;
  return init && init->type.dtype >= CK_BOOL && init->type.dtype <= CK_U64;
}

static ck_status_t read_options(Call *call, const ck_algorithm_options_t *options)
{
  size_t bytes = options->struct_size, known = sizeof call->options;
  if (bytes < sizeof bytes)
    return call_fail(call, CK_INVALID_ARGUMENT,
                     "options: struct_size is %zu; CK_OPTIONS_INIT sets it", bytes);
  for (size_t i = known; i < bytes; ++i)
    if (((const unsigned char *)options)[i])
      return call_fail(call, CK_UNSUPPORTED, "options of a newer version are set");
  memcpy(&call->options, options, bytes < known ? bytes : known);
  call->options.struct_size = known;
  CK_TRY(check_options(call));
  call->is_fixed = call->options.determinism == CK_DETERMINISM_GPU_TO_GPU && !is_exact(call);
  if (call->is_fixed && !has_option(call->row, "%determinism"))
    return call_fail(call, CK_UNSUPPORTED,
                     "argument 'f' rounds, and another device adds in another order: here "
                     "CK_DETERMINISM_GPU_TO_GPU is for integers, min, max and bits");
  return CK_OK;
}

/* What of the options is part of the key: all but the scratch memory. */
static void put_options(Call *call)
{
  const ck_algorithm_options_t *own = &call->options;
  uint64_t numbers[] = {
      own->flags,    (uint64_t)own->determinism, own->begin_bit,    own->end_bit,
      own->channels, own->largest_segment,       own->problem_size, own->compile_flags};
  call_put(call, numbers, sizeof numbers);
  if (own->tuning_file) call_put(call, own->tuning_file, strlen(own->tuning_file) + 1);
}

ck_status_t call_begin(Call *call, ck_algorithm_kind_t kind, const void *const *operands,
                       size_t count, const ck_algorithm_options_t *options)
{
  memset(call, 0, offsetof(Call, key));
  call->row = row_of((uint32_t)kind);
  call->operands = operands;
  if (!call->row)
    return call_fail(NULL, CK_INVALID_ARGUMENT, "%d is no ck_algorithm_kind_t", (int)kind);
  if (count != call->row->count || !operands)
    return call_fail(call, CK_INVALID_ARGUMENT, "%zu operands, but it has %u", count,
                     call->row->count);
  call_put(call, &call->row->kind, sizeof call->row->kind);
  if (options) CK_TRY(read_options(call, options));
  put_options(call);
  return CK_OK;
}
