/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* check.h - what later stages ask about a checked tree, file by file. */
#ifndef CK_CHECK_H
#define CK_CHECK_H

#include "front/front.h"

/* decl.c, uniform.c */
bool pass_check(Session *c);
bool pass_uniform(Session *c);

/* algorithm.c */
const Type *algorithm_result(const Node *kernel); /* NULL: no result, or not an algorithm */

/* asm.c */
bool asm_option(const Node *call, const char *name); /* is the option given, and true? */

/* contract.c */
/* The text of an expression of a launch contract, in the manifest's form. */
const char *contract_text(Session *c, const Node *node);

/* define.c */
/* The value of -DNAME=VALUE as the value of a constant: a copy, with the structs that its type
 * names. */
Node *define_value(Session *c, const Node *constant, const Node *given);

/* generic.c */
const char *kernel_symbol(Session *c, const Node *kernel); /* its symbol in object code */
/* Whether the options want code of the kernel. */
bool kernel_has_code(const Session *c, const Node *kernel);
/* a name that is valid on every target */
const char *generic_symbol(Session *c, const char *name);

/* handle.c: textures, surfaces and tensor maps as parameters */
typedef struct Handle {
  const char *kind; /* "texture", "surface", "tensor_map" */
  uint64_t rank;
  uint32_t most_rank;
  Type *element;
  bool is_layered;
  bool is_map; /* a tensor map: passed as its 128 bytes, followed by a u64, the bytes of a box */
} Handle;
bool handle_of(const Type *type, Handle *out);

/* plan.c */
PlanStep *plan_step(const Session *c, const Node *kernel); /* NULL: it is no step */

/* scratch.c */
enum { SCRATCH_ALIGNMENT = 256 }; /* the alignment of allocations by the driver */
/* The bytes at the start of persistent memory, which lib/device uses; declarations follow. */
enum { KEPT_HEAD = SCRATCH_ALIGNMENT };
/* NULL if it has none */
const Scratch *scratch_of(const Session *c, const Node *kernel);

/* shape.c */
Shape kernel_shape(const Node *kernel);

/* shared.c: addresses of shared memory. Offsets below a kernel's own bytes belong to its outermost
 * variables. */
uint64_t shared_bytes(const Session *c, const Node *item);
uint64_t shared_own_bytes(const Session *c, const Node *item);
/* A range of shared memory for one outermost variable, or for several that overlay each other. */
typedef struct SharedRoom {
  uint64_t lo, hi;
  unsigned alignment;
  uint32_t count;    /* the number of variables */
  const Node *first; /* the first variable in the text */
} SharedRoom;
const SharedRoom *shared_room(const Session *c, const Node *kernel, uint64_t offset);
unsigned shared_dynamic_alignment(const Node *kernel); /* of the arrays with dyn extents */
/* all of it is in dynamic shared memory */
bool shared_is_large(const Session *c, const Node *kernel);

/* stmt.c */
const Node *place_root(const Node *node); /* the declaration of `v` for v[1].x, or NULL */

/* struct.c */
int struct_field(const Type *type, const Name *name); /* the field's index, or -1 */

/* target.c */
/* the limit's value; 0 if there is none */
uint32_t kernel_limit(const Node *kernel, const char *name);
bool check_target_sm(Session *c, const char *name, unsigned sm, Span from);

#endif
