/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* linker.h - declarations shared by the linker's files and by programs: command lines of tools,
 * copies of options, symbols of pieces. */
#ifndef CK_RUNTIME_LINKER_H
#define CK_RUNTIME_LINKER_H

#include "ck/linker.h"
#include "code_private.h"
#include "nvidia.h"

/* The command line of a tool. */
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

/* linker.c: nvJitLink's number for a kind of piece. */
int link_kind_of_nvjitlink(ck_link_input_t kind);
/* linker.c: whether CK_LINK_AUTO selects the driver for a GPU with a driver of this version. */
bool linker_is_driver(int driver_version);

typedef struct LinkPiece {
  ck_link_input_t kind;
  const char *data; /* followed by a NUL */
  size_t bytes;     /* of the image */
  const char *name; /* unique address among pieces */
  const char *json; /* its manifest; NULL: none */
  bool is_foreign;  /* contains code that CK did not make */
  bool is_unread;   /* its symbols and calls can't be read */
} LinkPiece;

/* The kind of a symbol. */
typedef enum LinkKind { LINK_function, LINK_kernel, LINK_variable } LinkKind;

typedef struct LinkSymbol {
  const char *name; /* ends in NUL */
  size_t bytes;     /* length of the name */
  LinkKind kind;
  bool is_defined, is_weak;
  const char *signature; /* of a function: "(.b32) -> (.b32)"; NULL: not known */
  bool is_unread;        /* it has a signature that can't be decoded */
} LinkSymbol;

/* linker_cubin.c: calls `visit` for each symbol that is visible to other pieces, until it fails.
 * Bytes that are no cubin have none. */
typedef ck_status_t LinkVisit(void *user, const LinkSymbol *symbol);
ck_status_t cubin_visit(Arena *arena, const void *data, size_t bytes, LinkVisit *visit, void *user);

/* linker_symbols.c: link_define notes the definitions of a piece; CK_COMPILE if another piece has
 * the same one. It sets `is_unread`. link_compare: CK_COMPILE if a piece uses a symbol differently
 * from its definition. */
ck_status_t link_define(Names *names, LinkPiece *piece);
ck_status_t link_compare(Names *names, const LinkPiece *piece);
/* Converts "fn(i32, ptr<f32>) -> f32" to "(.b32,.b64) -> (.b32)"; NULL: not known. */
const char *link_signature(Arena *arena, const char *type);

/* program_nvvm.c: compiles IR to LTO-IR for a target such as sm_90; empty if libNVVM is not found
 * or refuses it. */
void nvvm_make_ltoir(const char *ir, size_t bytes, const char *target, Buf *out);

/* linker_probe.c: compares CK's declarations with pieces that can't be read, in a child process. */
typedef struct LinkProbe {
  const NvJitLink *library; /* NULL: a copy that has linked nothing */
  const char *target;
  const LinkPiece *pieces;
  uint32_t count;
  Child child;
} LinkProbe;

/* Whether a link of these pieces would not report mismatches. */
bool probe_is_needed(const LinkProbe *probe);
/* Starts the child; false if that fails. */
bool probe_start(LinkProbe *probe);
/* Waits for the child; CK_COMPILE if something does not match. */
ck_status_t probe_finish(LinkProbe *probe, Arena *scratch);

/* The length of the first lines of a log, for ck_last_error(). */
int first_lines(const char *log);

#endif
