/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* repair.h - what the pipeline calls to run the rows of repair.def.
 *
 * A repair works around one bug of LLVM, libNVVM or ptxas. It runs before, after, or upon the
 * failure of a pass of passes.def:
 *
 *     gen -> [records, byte_word, ...] -> nvvm -> libnvvm -> [abs_lowest, ...] -> repair -> link
 *
 * Which repairs a compilation needs is decided once, before its first pass: those for the tools
 * that will generate its code, if their version has the bug, except those that --no-repair names.
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

/* When a repair runs: before a pass, after it, or when the pass has failed and may be tried
 * again. */
typedef enum RepairTime { REPAIR_before, REPAIR_behind, REPAIR_retry, REPAIR_TIMES } RepairTime;

/* The pass `repair`: applies the repairs of PTX to the text, after all of them ran. */
bool pass_repair(Session *c);

const char *repair_name(RepairId id);
bool repair_exists(const char *name); /* a repair's name, or "all" */
void repair_list(Buf *out);           /* all names, for messages */

/* Fills c->repairs. Target, code generator and output form must be known. */
void repairs_choose(Session *c);
/* Does the compilation need the repair, and at this place? */
bool repair_is_at(const Session *c, RepairId id, PassId pass, RepairTime when);
/* Runs a repair. Returns true if it has changed the code. `why`: for REPAIR_retry, the tool's
 * message. */
bool repair_run(Session *c, RepairId id, RepairTime when, const char *why);
/* Runs the repairs for a failed pass. Returns true if one has changed the code, so that the pass
 * should be tried again. */
bool repairs_retry(Session *c, PassId pass, const char *why);
/* The output of --dump=NAME: the module or the text after the repair. */
void repair_dump(Session *c, RepairId id, Buf *out);

#endif
