/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* compile_options.h - the check of ck_compile_options_t: libckc's before it compiles, the runtime's
 * when a program is made. */
#ifndef CK_COMPILE_OPTIONS_H
#define CK_COMPILE_OPTIONS_H

#include "base.h"
#include "ck/compile.h"

/* What is wrong with a field, whatever the target: a number that no enumerator has, a bit that is
 * no flag, a text that is not there. NULL: nothing. `options` are whole: all fields are read. */
const char *compile_options_fault(Arena *arena, const ck_compile_options_t *options);

#endif
