/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* tune.h - what the files of `ckc tune` share: the store of measured times, and a case's part in a
 * search.
 *
 *     tune_command.c   options, parameters, benches -> the search -> the tuning table
 *     tune_search.c    parameters -> configurations, a batch at a time -> the best one
 *     tune_case.c      in a child process: a configuration of a bench -> its key, its time
 *     tune_store.c     keys -> times of earlier runs
 *     tune_table.c     the best values -> rows of the table
 */
#ifndef CK_TUNE_H
#define CK_TUNE_H

#include "test.h"
#include "tuning.h"

enum { TUNE_NAME_BYTES = 96, TUNE_TEXT_BYTES = 32768, TUNE_PARAMS_MAX = 64 };

/* What is measured: a digest of the code, its launch and the call's arguments; the device; and the
 * problem size, which is the number of elements of the longest array. */
typedef struct TuneKey {
  Digest digest;
  uint64_t size;
  char device[TUNE_NAME_BYTES];
} TuneKey;

typedef enum TuneState {
  TUNE_NONE,
  TUNE_OPENED,   /* compiled; its key is known */
  TUNE_MEASURED, /* its time is known */
  TUNE_SLOW,     /* stopped early: it is far slower than the best one */
  TUNE_FAILED    /* it hung, died or failed after its key was known */
} TuneState;

typedef struct TuneTime {
  TuneState state;
  uint32_t runs;
  double median, low, high; /* seconds of one launch */
} TuneTime;

/* tune_store.c ------------------------------------------------------------------------------ */

typedef struct TuneKept {
  TuneKey key;
  TuneTime time;
} TuneKept;

typedef struct TuneStore {
  Arena *arena;
  const char *path; /* NULL: nothing is kept */
  VEC(TuneKept) rows;
} TuneStore;

/* Reads the store, if there is one. */
Exit tune_store_read(TuneStore *store);
/* The newest time of a key, or NULL. */
const TuneTime *tune_store_find(const TuneStore *store, const TuneKey *key);
/* Adds rows to the file, behind those of other processes, and to the store. */
Exit tune_store_add(TuneStore *store, const TuneKept *rows, uint32_t count);

/* tune_case.c ------------------------------------------------------------------------------- */

/* The result of a case, in memory that a child shares with its parent, since a child may die at any
 * moment. */
typedef struct TuneSlot {
  TuneKey key;
  TuneTime time;
  bool is_kept;               /* the time comes from the store, or from a slot with equal code */
  char target[16];            /* "sm_90" */
  char text[TUNE_TEXT_BYTES]; /* of a question: the manifest's list of tuning parameters, as JSON */
} TuneSlot;

/* A case's part in a search: Case.tune. */
typedef struct TuneCase TuneCase;
struct TuneCase {
  bool is_question; /* it asks for the parameters, and nothing is launched */
  Words defines;    /* the configuration */
  const TuneStore *store;
  TuneSlot *slots;     /* of the batch */
  uint32_t slot;       /* this case's one */
  uint32_t first;      /* that of the first bench with this configuration */
  double *best;        /* the lowest median of this bench, in shared memory; 0: none */
  double deadline;     /* when the budget ends; 0: never */
  double seconds_most; /* for measuring */
};

/* Why a case isn't run: the budget is over, or its configuration failed in another bench. NULL: it
 * is run. */
const char *tune_reason_to_skip(const TuneCase *tune);
/* Notes the key of an open case. True: its time is known, or it was a question, so that nothing has
 * to be launched. */
bool tune_is_known(CaseRun *run);
/* Times an open case; case_run calls it. */
Exit tune_measure(CaseRun *run);

/* tune_search.c ----------------------------------------------------------------------------- */

typedef struct TuneParam {
  const char *name;
  Words values; /* the first one is the default */
} TuneParam;

typedef struct TuneBench {
  Case one;        /* of which each configuration is a copy */
  uint64_t params; /* a bit for each parameter that its code needs */
  uint64_t size;
  double *best; /* see TuneCase */
} TuneBench;

/* A configuration that was tried. */
typedef struct TuneTrial {
  uint32_t choice[TUNE_PARAMS_MAX]; /* indices of values, by parameter */
  TuneTime *times;                  /* by bench */
  double ratio;                     /* how many times as fast as the default; 0: it failed */
  const char *why;                  /* it failed */
} TuneTrial;

/* The search over the parameters of some benches. */
typedef struct TuneSearch {
  Arena *arena;
  const Options *options;
  const TuneParam *params;
  uint32_t param_count;
  uint64_t searched; /* a bit for each parameter of this search */
  TuneBench **benches;
  uint32_t bench_count;
  TuneStore *store;
  double deadline, timeout, seconds_most;
  VEC(TuneTrial) trials; /* the first one is the default */
  uint32_t best;         /* the index of the fastest */
  uint64_t all;          /* how many configurations there are */
  uint32_t measured, kept, slow, failed;
  bool is_over; /* the budget ended the search */
} TuneSearch;

Exit tune_search(TuneSearch *search);

/* tune_table.c ------------------------------------------------------------------------------ */

/* Writes the rows of searches for a target, and those of the old table that they don't replace. */
Exit tune_table_write(Arena *arena, const TuningTable *old, const char *path, const char *target,
                      const char *device, TuneSearch *const *searches, uint32_t count);

/* Batches of cases: tune_search.c ------------------------------------------------------------ */

typedef struct TuneBatch {
  CaseList list;
  TuneSlot *slots;
} TuneBatch;

/* Runs cases, each with its TuneCase, in child processes. The slots are shared memory. */
Exit tune_batch_begin(TuneBatch *batch, Arena *arena, uint32_t count);
void tune_batch_run(TuneBatch *batch, Arena *arena, const Options *options, double timeout);
void tune_batch_end(TuneBatch *batch, uint32_t count);

#endif
