/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* linker.h - what programs and the linker share: words for tools, copies of options, logs. */
#ifndef CK_RUNTIME_LINKER_H
#define CK_RUNTIME_LINKER_H

#include "nvidia.h"
#include "runtime.h"

/* The options of a tool, as it is called with them. */
typedef struct Words {
  const char **at;
  uint32_t count, room;
  Arena *arena;
} Words;

/* program.c: copies in an arena; NULL stays NULL. */
const char *copy_text(Arena *arena, const char *text);
const char *const *copy_texts(Arena *arena, const char *const *texts, size_t count);
/* CK_INVALID_ARGUMENT if an option's number is no ck_choice_t. */
ck_status_t check_choice(const char *option, ck_choice_t choice);
/* CK_INVALID_ARGUMENT if one of an option's texts is NULL. */
ck_status_t check_texts(const char *option, const char *const *texts, size_t count);

/* linker.c: whether CK_LINK_AUTO is the driver for a GPU with a driver of this version. */
bool linker_is_driver(int driver_version);

/* linker_symbols.c: CK_COMPILE if a piece defines what another one has; then, of all pieces that
 * were noted, if one calls otherwise what another one defines. `piece` is a name, which no other
 * piece has at the same address; ptx: NULL for other forms; json: the manifest, or NULL. */
ck_status_t link_define(Names *names, const char *piece, const char *ptx, const char *json);
ck_status_t link_compare(Names *names, const char *piece, const char *ptx, const char *json);

/* How many bytes of a log its first lines are, for ck_last_error(). */
int first_lines(const char *log);

#endif
