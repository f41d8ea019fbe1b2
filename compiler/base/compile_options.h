/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* compile_options.h - the check of ck_compile_options_t, by libckc before it compiles, and by the
 * runtime when a program is created.
 */
#ifndef CK_COMPILE_OPTIONS_H
#define CK_COMPILE_OPTIONS_H

#include "base.h"
#include "ck/compile.h"

/* The first fault of a field, whatever the target: a number without an enumerator, a bit that is no
 * flag, a missing text. NULL: there is none. `options` must be complete: all fields are read. */
const char *compile_options_fault(Arena *arena, const ck_compile_options_t *options);

#endif
