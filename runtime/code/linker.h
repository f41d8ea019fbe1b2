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

/* linker.c: nvJitLink's number of a kind of piece. */
int link_kind_of_nvjitlink(ck_link_input_t kind);
/* linker.c: whether CK_LINK_AUTO is the driver for a GPU with a driver of this version. */
bool linker_is_driver(int driver_version);

typedef struct LinkPiece {
  ck_link_input_t kind;
  const char *data; /* followed by a NUL */
  size_t bytes;     /* of the image */
  const char *name; /* no other piece has it at the same address */
  const char *json; /* its manifest; NULL: it has none */
  bool is_foreign;  /* not all of it was made by CK */
  bool is_unread;   /* what it has for others, and calls of theirs, is not known */
} LinkPiece;

/* What a name of a piece stands for. */
typedef enum LinkKind { LINK_function, LINK_kernel, LINK_variable } LinkKind;

typedef struct LinkSymbol {
  const char *name; /* ends in NUL */
  size_t bytes;     /* of the name */
  LinkKind kind;
  bool is_defined, is_weak;
  const char *signature; /* of a function: "(.b32) -> (.b32)"; NULL: not known */
  bool is_unread;        /* it has a signature, in words that are not known */
} LinkSymbol;

/* linker_cubin.c: calls `visit` for each symbol that other pieces see, until it fails. Bytes that
 * are no cubin have none. */
typedef ck_status_t LinkVisit(void *user, const LinkSymbol *symbol);
ck_status_t cubin_visit(Arena *arena, const void *data, size_t bytes, LinkVisit *visit, void *user);

/* linker_symbols.c: CK_COMPILE if a piece defines what another one has; then, of all pieces that
 * were noted, if one uses otherwise what another one defines. The first sets `is_unread`. */
ck_status_t link_define(Names *names, LinkPiece *piece);
ck_status_t link_compare(Names *names, const LinkPiece *piece);
/* "(.b32,.b64) -> (.b32)" of "fn(i32, ptr<f32>) -> f32"; NULL: not known. */
const char *link_signature(Arena *arena, const char *type);

/* program_nvvm.c: LTO-IR of a text for a target such as sm_90; nothing where libNVVM is not found
 * or refuses it. */
void nvvm_make_ltoir(const char *ir, size_t bytes, const char *target, Buf *out);

/* linker_probe.c: compares what CK says of functions with pieces that can't be read, in a child
 * process. */
typedef struct LinkProbe {
  const NvJitLink *library; /* NULL: one that has linked nothing */
  const char *target;
  const LinkPiece *pieces;
  uint32_t count;
  Child child;
} LinkProbe;

/* Whether a link of these pieces would say nothing of what does not fit. */
bool probe_is_needed(const LinkProbe *probe);
/* False if there is no child. */
bool probe_start(LinkProbe *probe);
/* CK_COMPILE if something does not fit. */
ck_status_t probe_finish(LinkProbe *probe, Arena *scratch);

/* How many bytes of a log its first lines are, for ck_last_error(). */
int first_lines(const char *log);

#endif
