/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* handle.c - recognises textures, surfaces and tensor maps, which only kernels have as parameters.
 *
 * They are structs of the library (lib/texture.ck, lib/tensor_map.ck), so that functions take them
 * like any value. Their arguments are objects of the runtime (ck_texture_t and so on), so a program
 * can't make or store one.
 *
 * needs   the parameter's type
 * gives   what the manifest, the C header and the kernel's ABI need to know of it
 * keeps   everything
 * fails   with DIAG_handle_type for a rank or an element type that doesn't exist, DIAG_needs_sm,
 *         DIAG_handle_made
 */
#include "check/check_private.h"

#include <string.h>

static const struct {
  const char *item;
  const char *kind; /* in the manifest, and in the runtime's ck_KIND_t */
  uint32_t rank;    /* the largest */
  bool is_layered;
} handles[] = {
    {"texture", "texture", 3, false},       {"texture_array", "texture", 2, true},
    {"surface", "surface", 3, false},       {"surface_array", "surface", 2, true},
    {"tensor_map", "tensor_map", 3, false},
};

bool handle_of(const Type *type, Handle *out)
{
  if (type->kind != TYPE_struct || !(type->origin->flags & FLAG_library)) return false;
  for (size_t i = 0; i < COUNT_OF(handles); ++i) {
    if (strcmp(type->origin->name->text, handles[i].item) != 0) continue;
    const Node *rank = generic_params(type->decl);
    *out = (Handle){.kind = handles[i].kind,
                    .rank = rank->b->bits,
                    .most_rank = handles[i].rank,
                    .element = rank->next->type,
                    .is_map = !strcmp(handles[i].kind, "tensor_map"),
                    .is_layered = handles[i].is_layered};
    return true;
  }
  return false;
}

/* The handle type in a type, or NULL. */
static const Type *handle_in(const Type *type)
{
  Handle handle;
  if (handle_of(type, &handle)) return type;
  if (type->kind == TYPE_array) return handle_in(type->element);
  if (type->kind != TYPE_tuple && type->kind != TYPE_struct) return NULL;
  for (uint32_t i = 0; i < type->count; ++i) {
    const Type *part = handle_in(type->elements[i]);
    if (part) return part;
  }
  return NULL;
}

bool handle_refuse(Session *c, Span span, const Type *type)
{
  const Type *found = handle_in(type);
  if (!found) return false;
  diag_at(&c->diag, DIAG_handle_made, span, type_text(found));
  diag_hint(&c->diag, "A kernel has it as a parameter, and passes it on to functions.");
  return true;
}

bool kernel_has_maps(const Node *kernel)
{
  Handle handle;
  for (const Node *param = kernel->b; param; param = param->next)
    if (handle_of(param->type, &handle) && handle.is_map) return true;
  return false;
}

/* Does the hardware have such elements? A texture returns f32 or integers; a surface also stores
 * f16. */
static bool is_element(const Handle *handle)
{
  const Type *element = handle->element;
  if (handle->is_map) return type_is_int(element) || type_is_float(element);
  bool is_vector = element->kind == TYPE_vector;
  const Type *scalar = is_vector ? element->element : element;
  if (is_vector && element->count != 2 && element->count != 4) return false;
  bool is_float = scalar->kind == TYPE_f32 || (scalar->kind == TYPE_f16 && *handle->kind == 's');
  return is_float || (type_is_int(scalar) && scalar->bits <= 32);
}

bool check_handle(Session *c, const Node *written, const Type *type)
{
  Handle handle;
  if (!handle_of(type, &handle)) return true;
  if (handle.rank < 1 || handle.rank > handle.most_rank) {
    diag_at(&c->diag, DIAG_handle_type, written->span, type_text(type),
            arena_printf(&c->scratch, "it has 1 to %u dimensions", handle.most_rank));
    if (handle.is_layered) diag_hint(&c->diag, "Layers are counted apart, as the last coordinate.");
    return false;
  }
  if (is_element(&handle))
    return !handle.is_map || check_target_sm(c, type_text(type), 90, written->span);
  bool is_texture = !handle.is_map && *handle.kind == 't';
  diag_at(&c->diag, DIAG_handle_type, written->span, type_text(type),
          handle.is_map ? "its elements are numbers"
          : is_texture
              ? "it gives f32 or integers of up to 32 bits, or vectors of 2 or 4 of them"
              : "its elements are f16, f32 or integers of up to 32 bits, or vectors of 2 or "
                "4 of them");
  if (is_texture && type_is_half(type_scalar_of(handle.element)))
    diag_hint(&c->diag, "An array of f16 is read as f32.");
  return false;
}
