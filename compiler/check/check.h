/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* check.h - what later stages ask of a tree that was checked, file by file. */
#ifndef CK_CHECK_H
#define CK_CHECK_H

#include "front/front.h"

/* decl.c, uniform.c */
bool pass_check(Session *c);
bool pass_uniform(Session *c);

/* algorithm.c */
const Type *algorithm_result(const Node *kernel); /* NULL: it has none, or is no algorithm */

/* asm.c */
bool asm_option(const Node *call, const char *name); /* is it given, and true? */

/* contract.c */
const char *contract_text(Session *c,
                          const Node *node); /* of what a launch's condition lets pass */

/* define.c */
/* What a value of -D is as that of a constant: a copy, with the structs that its type names. */
Node *define_value(Session *c, const Node *constant, const Node *given);

/* generic.c */
const char *kernel_symbol(Session *c, const Node *kernel); /* its name in object code */
const char *generic_symbol(Session *c, const char *name);  /* a name that every target accepts */

/* handle.c: textures, surfaces and tensor maps as parameters */
typedef struct Handle {
  const char *kind; /* "texture", "surface", "tensor_map" */
  uint64_t rank;
  uint32_t most_rank;
  Type *element;
  bool is_layered;
  bool is_map; /* passed as its 128 bytes, and as a u64, the bytes of a box */
} Handle;
bool handle_of(const Type *type, Handle *out);

/* scratch.c */
enum { SCRATCH_ALIGNMENT = 256 }; /* of each declaration, as of what the driver allocates */
const char *scratch_bytes(const Session *c, const Node *kernel); /* an expression; NULL: none */

/* shape.c */
Shape kernel_shape(const Node *kernel);

/* shared.c: where shared memory lies. Offsets below a kernel's own bytes are its outermost
 * variables'. */
uint64_t shared_bytes(const Session *c, const Node *item);
uint64_t shared_own_bytes(const Session *c, const Node *item);
/* Bytes of outermost variables that share with each other, or of one that does not. */
typedef struct SharedRoom {
  uint64_t lo, hi;
  unsigned alignment;
  uint32_t count;    /* of the variables */
  const Node *first; /* of them, in the text */
} SharedRoom;
const SharedRoom *shared_room(const Session *c, const Node *kernel, uint64_t offset);
unsigned shared_dynamic_alignment(const Node *kernel);      /* of one with dyn extents */
bool shared_is_large(const Session *c, const Node *kernel); /* it lies in dynamic shared memory */

/* struct.c */
int struct_field(const Type *type, const Name *name); /* its index, or -1 */

/* switch.c */
const Node *place_root(const Node *node); /* the declaration `v` of v[1].x, or NULL */

/* target.c */
uint32_t kernel_limit(const Node *kernel, const char *name); /* 0: none */
bool check_target_sm(Session *c, const char *name, unsigned sm, Span from);

#endif
