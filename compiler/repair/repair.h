/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* repair.h - what the pipeline asks of the rows of repair.def.
 *
 * A repair works around one bug of LLVM, libNVVM or ptxas. It runs beside a pass of passes.def:
 *
 *     gen -> [records, byte_word, ...] -> nvvm -> libnvvm -> [abs_lowest, ...] -> repair -> link
 *
 * Which repairs a compilation needs is decided once, before its first pass: those of the tools that
 * will make its code, in a version that has the bug, less those that --no-repair names.
 */
#ifndef CK_REPAIR_H
#define CK_REPAIR_H

#include "session.h"

/* The passes, beside which repairs run. */
typedef enum PassId {
#define PASS(name, ...) PASS_##name,
#include "passes.def"
  PASS_COUNT
} PassId;

typedef enum RepairId {
#define REPAIR(name, where, toolkits, text) REPAIR_##name,
#include "repair.def"
  REPAIR_COUNT
} RepairId;

/* When a repair runs: before a pass, behind it, or where the pass has failed and is to be tried
 * once more. */
typedef enum RepairTime { REPAIR_before, REPAIR_behind, REPAIR_retry, REPAIR_TIMES } RepairTime;

/* The pass: repairs of PTX, which runs last of them. */
bool pass_repair(Session *c);

const char *repair_name(RepairId id);
bool repair_exists(const char *name); /* or "all" */
void repair_list(Buf *out);           /* the names, for messages */

/* Fills c->repairs, once target, back end and form of the output are known. */
void repairs_choose(Session *c);
/* Does the compilation need the repair, and does it run there? */
bool repair_is_at(const Session *c, RepairId id, PassId pass, RepairTime when);
/* Runs it; whether it has changed the code. `why`: of REPAIR_retry, what the tool said. */
bool repair_run(Session *c, RepairId id, RepairTime when, const char *why);
/* Those that run where a pass has failed: whether one has changed the code, so that the pass is to
 * be tried again. */
bool repairs_retry(Session *c, PassId pass, const char *why);
/* What --dump=NAME shows: the module or the text as the repair left it. */
void repair_dump(Session *c, RepairId id, Buf *out);

#endif
