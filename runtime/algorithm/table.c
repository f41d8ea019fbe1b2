/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* table.c - the rows of ck/algorithms.def as data. */
#include "call.h"

enum {
  ROLE_IN2 = ROLE_IN | ROLE_TWO,
  ROLE_OUT2 = ROLE_OUT | ROLE_TWO,
  ROLE_MAYBE_IN = ROLE_IN | ROLE_MAYBE,
  ROLE_MAYBE_OUT = ROLE_OUT | ROLE_MAYBE,
  ROLE_MAYBE_INOUT = ROLE_INOUT | ROLE_MAYBE,
  ROLE_MAYBE_SORT = ROLE_SORT | ROLE_MAYBE,
  ROLE_MAYBE_OUT2 = ROLE_OUT2 | ROLE_MAYBE,
  ROLE_MAYBE_VALUE = ROLE_VALUE | ROLE_MAYBE,
  ROLE_MAYBE_RESULT = ROLE_RESULT | ROLE_MAYBE,
  ROLE_MAYBE_OP = ROLE_OP | ROLE_MAYBE
};

/* clang-format off */
#define O(role, name) {#name, ROLE_##role}
#define CK_ALGORITHM2(id, name, value, parts, text, r1, a1, r2, a2) \
  {#name, value, 2, parts, text, \
   {O(r1, a1), O(r2, a2)}},
#define CK_ALGORITHM3(id, name, value, parts, text, r1, a1, r2, a2, r3, a3) \
  {#name, value, 3, parts, text, \
   {O(r1, a1), O(r2, a2), O(r3, a3)}},
#define CK_ALGORITHM4(id, name, value, parts, text, r1, a1, r2, a2, r3, a3, r4, a4) \
  {#name, value, 4, parts, text, \
   {O(r1, a1), O(r2, a2), O(r3, a3), O(r4, a4)}},
#define CK_ALGORITHM5(id, name, value, parts, text, r1, a1, r2, a2, r3, a3, r4, a4, \
                      r5, a5) \
  {#name, value, 5, parts, text, \
   {O(r1, a1), O(r2, a2), O(r3, a3), O(r4, a4), O(r5, a5)}},
#define CK_ALGORITHM6(id, name, value, parts, text, r1, a1, r2, a2, r3, a3, r4, a4, \
                      r5, a5, r6, a6) \
  {#name, value, 6, parts, text, \
   {O(r1, a1), O(r2, a2), O(r3, a3), O(r4, a4), O(r5, a5), \
    O(r6, a6)}},
#define CK_ALGORITHM7(id, name, value, parts, text, r1, a1, r2, a2, r3, a3, r4, a4, \
                      r5, a5, r6, a6, r7, a7) \
  {#name, value, 7, parts, text, \
   {O(r1, a1), O(r2, a2), O(r3, a3), O(r4, a4), O(r5, a5), \
    O(r6, a6), O(r7, a7)}},
/* clang-format on */
static const Row rows[] = {
#include "ck/algorithms.def"
};

const Row *row_of(uint32_t kind)
{
  enum { LARGEST = 80 };          /* values of the table are below it */
  static uint8_t places[LARGEST]; /* 1 + the index in rows; 0: not looked up yet */
  if (kind >= LARGEST) return NULL;
  uint8_t at = __atomic_load_n(&places[kind], __ATOMIC_RELAXED);
  if (at) return &rows[at - 1];
  for (uint32_t i = 0; i < COUNT_OF(rows); ++i)
    if (rows[i].kind == kind) {
      __atomic_store_n(&places[kind], (uint8_t)(i + 1), __ATOMIC_RELAXED);
      return &rows[i];
    }
  return NULL;
}

uint32_t row_parts(const Row *row)
{
  uint32_t parts = 1;
  for (const char *at = row->parts; *at; ++at) parts += *at == ',';
  return parts;
}
