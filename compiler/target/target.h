/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* target.h - from LLVM IR to code: the passes of the code generators, file by file. */
#ifndef CK_TARGET_H
#define CK_TARGET_H

#include "session.h"

/* opt.c, nvvm.c, nvptx.c, host.c */
bool pass_layout(Session *c);
bool pass_inline(Session *c);
bool pass_opt(Session *c);
bool pass_nvvm(Session *c);
bool pass_nvptx(Session *c);
bool pass_host(Session *c);

/* libnvvm.c, link.c: NVIDIA's libraries, each opened once */
bool pass_libnvvm(Session *c);
bool libnvvm_is_available(void);
bool pass_link(Session *c);
bool link_is_available(void);
/* quick.c: with CK_COMPILE_QUICK, changes the options and sets c->is_quick */
void quick_choose(Session *c);
/* warm_up.c: for the process's first compilation that will need the linker, or that will be
 * followed by one; returns at once */
void link_warm_up(const Session *c);
void link_warmed_up(void); /* at the end of the compilation */

/* llvm_memory.cpp: makes LLVM's failed allocations end at the thread's MemoryEscape as well */
void llvm_watch_memory(void);

#endif
