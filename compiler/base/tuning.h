/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* tuning.h - the tables that say which value a tuning parameter has: `ckc tune` writes them, and
 * compilations read them.
 */
#ifndef CK_TUNING_H
#define CK_TUNING_H

#include "base.h"

/* One row: `scale, sm_90, 2^20..2^24, ITEMS = 8   # 1.21 times as fast as 4: NVIDIA H200`. */
typedef struct TuningRow {
  const char *item;     /* the kernel or algorithm that was measured; "*": several, or any */
  const char *target;   /* "sm_90", "host"; "*": any */
  uint64_t least, most; /* problem sizes; 0 and UINT64_MAX: any */
  const char *name, *value;
  const char *comment; /* "" if there is none */
  uint32_t at, bytes;  /* where the row stands in the text, without its comment */
} TuningRow;

typedef struct TuningTable {
  const char *path;
  VEC(TuningRow) rows;
} TuningTable;

/* What is wrong with a table, and where in its text. */
typedef struct TuningFault {
  const char *why;
  uint32_t at, bytes;
} TuningFault;

/* The first line of every table. */
#define TUNING_HEAD "# ckc tuning 1"

/* Reads a table into out->rows. False with *out_fault. */
bool tuning_read(Arena *arena, const char *text, TuningTable *out, TuningFault *out_fault);
/* The last row for a parameter and a target that holds for a problem size; 0: the size isn't known,
 * and rows of a range don't hold. A row of a range precedes rows of any size. */
const TuningRow *tuning_find(const TuningTable *table, const char *name, const char *target,
                             uint64_t size);
void tuning_write_row(Buf *out, const TuningRow *row);
/* The table beside a source: "a/k.tune" for "a/k.ck"; NULL if the name has another ending. */
const char *tuning_beside(Arena *arena, const char *source);

#endif
