/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* counts.c - refuses a launch whose result may be a number that its type doesn't have.
 *
 * The steps of the library count and place in u64, and the text of a call converts that to the type
 * of the array that gets it. A converted number that is too great would be another one:
 *
 *     ck_select     x: 300 elements     count: u8, up to 255     refused
 *     ck_argmin     x: 256 elements     to: i32 and u8           the last index is 255
 *
 * The host knows the greatest number from the lengths of the operands. Of a length that a kernel
 * computes it takes that of the source, by which scratch memory is sized as well. What the library
 * stores itself, such as the lengths of runs, it compares itself (`__stores` in lib/device).
 */
#include <string.h>

#include "call.h"

#define ENDLESS UINT64_MAX

static uint64_t smaller(uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

/* The greatest length that an iterator can have. The call has been walked, so it is well formed. */
static uint64_t length_of(Call *call, const ck_iterator_t *it)
{
  uint64_t address, n;
  switch (it->kind) {
  case CK_ITERATOR_ARRAY:
    return param_read_span(call, &it->value, it->type, &address, &n) == CK_OK ? n : 0;
  case CK_ITERATOR_VIEW: return ck_view_count(it->view);
  case CK_ITERATOR_COUNT:
  case CK_ITERATOR_CONSTANT:
  case CK_ITERATOR_TABULATE:
  case CK_ITERATOR_DISCARD: return ENDLESS;
  case CK_ITERATOR_SHUFFLE: return it->value.value.u;
  case CK_ITERATOR_ZIP:
    n = ENDLESS;
    for (uint32_t i = 0; i < it->number; ++i) n = smaller(n, length_of(call, it->parts[i]));
    return n;
  case CK_ITERATOR_GATHER: return length_of(call, it->parts[1]);
  default: break;
  }
  n = length_of(call, it->parts[0]);
  uint64_t number = it->value.value.u;
  switch (it->kind) {
  case CK_ITERATOR_TAKE: return it->number == 1 ? smaller(n, number) : n;
  case CK_ITERATOR_DROP: return n == ENDLESS ? n : n - smaller(n, number);
  case CK_ITERATOR_WINDOW: return n == ENDLESS ? n : n + 1 - smaller(n + 1, it->number);
  case CK_ITERATOR_STRIDED: return n == ENDLESS || !number ? n : n / number + (n % number != 0);
  default: return n;
  }
}

/* The greatest number that the call gives; 0 where the result is no count or place. */
static uint64_t greatest_of(Call *call)
{
  const ck_iterator_t *a = call->operands[0], *b = call->operands[1];
  uint64_t n;
  switch (call->row->kind) {
  case CK_ALGORITHM_ARGMIN:
  case CK_ALGORITHM_ARGMAX:
  case CK_ALGORITHM_ARGMINMAX: n = length_of(call, a); return n ? n - 1 : 0;
  case CK_ALGORITHM_MISMATCH:
  case CK_ALGORITHM_SET_INTERSECTION: return smaller(length_of(call, a), length_of(call, b));
  case CK_ALGORITHM_SET_UNION:
  case CK_ALGORITHM_SET_SYMMETRIC_DIFFERENCE: return length_of(call, a) + length_of(call, b);
  case CK_ALGORITHM_NONTRIVIAL_RUNS: return length_of(call, a) / 2;
  case CK_ALGORITHM_FIND_IF:
  case CK_ALGORITHM_LOWER_BOUND:
  case CK_ALGORITHM_UPPER_BOUND:
  case CK_ALGORITHM_SELECT:
  case CK_ALGORITHM_SELECT_FLAGGED:
  case CK_ALGORITHM_PARTITION:
  case CK_ALGORITHM_PARTITION_THREE:
  case CK_ALGORITHM_UNIQUE:
  case CK_ALGORITHM_UNIQUE_BY_KEY:
  case CK_ALGORITHM_RUN_LENGTH_ENCODE:
  case CK_ALGORITHM_REDUCE_BY_KEY:
  case CK_ALGORITHM_SET_DIFFERENCE: return length_of(call, a);
  default: return 0;
  }
}

/* The greatest number of a type; floats round instead. */
static uint64_t most_of(ck_value_type_t type)
{
  bool is_integer = type_is_scalar(type) && type.dtype >= CK_I8 && type.dtype <= CK_U64;
  if (!is_integer) return UINT64_MAX;
  return UINT64_MAX >> (64 - 8 * ck_dtype_bytes((ck_dtype_t)type.dtype) + (type.dtype < CK_U8));
}

ck_status_t call_check_counts(Call *call)
{
  uint32_t parts = row_parts(call->row);
  bool is_pair = !strncmp(call->row->name, "arg", 3); /* elements and their places */
  ck_value_type_t type = call->result_type;
  uint64_t greatest = 0;
  for (uint32_t k = is_pair; k < parts; k += 1 + is_pair) {
    ck_value_type_t own = type;
    if (type.dtype == CK_NONE && parts > 1 && type.fields && k < type.fields->field_count)
      own = type.fields->fields[k].type;
    uint64_t most = most_of(own);
    if (most == UINT64_MAX) continue;
    if (!greatest) greatest = greatest_of(call);
    if (greatest <= most) continue;
    return call_fail(call, CK_INVALID_ARGUMENT,
                     "argument '%s': its elements are of type %s, up to %llu, and get numbers up "
                     "to %llu: give it elements of a wider type",
                     call->row->operands[call->result].name, ck_dtype_name((ck_dtype_t)own.dtype),
                     (unsigned long long)most, (unsigned long long)greatest);
  }
  return CK_OK;
}
