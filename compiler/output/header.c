/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* header.c - writes the C header of a module: its images as arrays of bytes, and a function that
 * launches each kernel.
 *
 *     kernel fill(n: u32, a: f32, x: out f32[n], z: in f32[])     // fill.ck
 *
 *     ck_status_t fill_launch(ck_stream_t *stream, const ck_launch_config_t *config,
 *         uint32_t n, float a, float *x, const float *z, uint64_t z_len);
 *
 * needs   checked kernels; the images of all targets
 * gives   text that is valid C99 and C++17 and includes nothing of Cokernel but ck/ck.h
 * keeps   the parameters' order, and their names unless C reserves them
 * fails   never: a kernel whose parameter has no type in C gets a comment instead of a function
 *
 * A struct of CK becomes a C struct of the same layout, named after the file. Tuples and vectors
 * have no C99 type: a span of them is a `void *`, and a kernel that takes one by value has no
 * launch function.
 *
 * By default everything in the header is static. For a program of several source files, one file
 * defines FILL_CK_IMPLEMENTATION, which makes the definitions global; the others define
 * FILL_CK_DECLARATIONS and see only declarations.
 */
#include "output/output_private.h"

#include <string.h>
#include <strings.h>

/* The C type of each scalar type, and the function of ck/kernel.h that makes an argument of it. f16
 * and bf16 are passed as their bits. */
static const struct {
  const char *name, *c, *argument;
} scalars[] = {
    {"bool", "bool", "ck_bool"},   {"i8", "int8_t", "ck_i8"},       {"i16", "int16_t", "ck_i16"},
    {"i32", "int32_t", "ck_i32"},  {"i64", "int64_t", "ck_i64"},    {"u8", "uint8_t", "ck_u8"},
    {"u16", "uint16_t", "ck_u16"}, {"u32", "uint32_t", "ck_u32"},   {"u64", "uint64_t", "ck_u64"},
    {"f16", "uint16_t", "ck_f16"}, {"bf16", "uint16_t", "ck_bf16"}, {"f32", "float", "ck_f32"},
    {"f64", "double", "ck_f64"},
};

static int scalar_row(const Type *type)
{
  for (size_t i = 0; i < COUNT_OF(scalars); ++i)
    if (!strcmp(scalars[i].name, type_text(type_as_data(type)))) return (int)i;
  return -1;
}

/* Does C99 have a type of the same layout? */
static bool has_c_type(const Type *type)
{
  if (type->kind == TYPE_pointer || scalar_row(type) >= 0) return true;
  if (type->kind == TYPE_array) return type->count && has_c_type(type->element);
  if (type->kind != TYPE_struct || !type->count) return false;
  for (uint32_t i = 0; i < type->count; ++i)
    if (!has_c_type(type->elements[i])) return false;
  return true;
}

/* The first parameter that can't be passed by value in C; NULL if there is none. */
static const Node *unknown_param(const Node *kernel)
{
  for (const Node *param = kernel->b; param; param = param->next)
    if (param->type->kind != TYPE_span &&
        (param->type->kind == TYPE_array || !has_c_type(param->type)))
      return param;
  return NULL;
}

static const char *file_base(const Session *c)
{
  return path_base(c->options.file_name ? c->options.file_name : "kernel.ck");
}

/* The prefix of the names in the header: `saxpy` for saxpy.ck. */
static const char *file_stem(Session *c)
{
  const char *file = file_base(c);
  size_t len = strlen(file);
  if (len > 3 && !strcmp(file + len - 3, ".ck")) len -= 3;
  char *stem = arena_strndup(c->unit, generic_symbol(c, arena_strndup(c->unit, file, len)), len);
  return *stem >= '0' && *stem <= '9' ? arena_printf(c->unit, "_%s", stem) : stem;
}

/* Is it in header.def? */
static bool is_taken(const char *name)
{
  static const char *const words[] = {
#define WORD(name) #name,
#include "output/header.def"
  };
  for (size_t i = 0; i < COUNT_OF(words); ++i)
    if (!strcmp(words[i], name)) return true;
  return false;
}

static bool is_librarys(const char *name)
{
  return !strncmp(name, "ck_", 3) || !strncmp(name, "CK_", 3);
}

/* Is it reserved for the C compiler, for the library (ck_), or for this header
 * (`saxpy_ck_embedded`, `SAXPY_CK_API`)? */
static bool is_reserved(const char *name, const char *stem)
{
  size_t len = strlen(stem);
  bool is_compilers = *name == '_' && (name[1] == '_' || (name[1] >= 'A' && name[1] <= 'Z'));
  bool is_headers =
      !strncasecmp(name, stem, len) && name[len] == '_' && is_librarys(name + len + 1);
  return is_compilers || is_librarys(name) || is_headers;
}

/* A struct that the header declares, and the CK type it comes from. */
typedef struct HeaderStruct {
  const Type *type;
  const char *name;
} HeaderStruct;

typedef VEC(HeaderStruct) HeaderStructs;

static bool is_name_used(const HeaderStructs *structs, const char *name)
{
  for (uint32_t i = 0; i < structs->count; ++i)
    if (!strcmp(structs->at[i].name, name)) return true;
  return false;
}

typedef VEC(const char *) CNames;

static bool is_in(const CNames *names, const char *name)
{
  for (uint32_t i = 0; i < names->count; ++i)
    if (!strcmp(names->at[i], name)) return true;
  return false;
}

static bool has_length(const Node *node)
{
  return node->kind == NODE_param && node->type->kind == TYPE_span && !node_extents(node);
}

static const char *length_name(Session *c, const char *name)
{
  return arena_printf(&c->scratch, "%s_len", name);
}

/* Is the generated name already the name of another parameter or field? */
static bool is_of_other(const Node *list, const Node *own, const char *name)
{
  for (const Node *node = list; node; node = node->next)
    if (node != own && node->name && !strcmp(node->name->text, name)) return true;
  return false;
}

/* The C names of parameters or fields: the CK name, with as many '_' appended as make it legal and
 * unique. A span parameter also needs a name for its length, such as `x_len`. */
static CNames c_names(Session *c, const HeaderStructs *structs, const Node *list, NodeKind kind)
{
  const char *stem = file_stem(c);
  CNames names = {0}, all = {0};
  for (const Node *node = list; node; node = node->next) {
    if (node->kind != kind) continue;
    const char *name = node->name->text, *length = NULL;
    for (;; name = arena_printf(&c->scratch, "%s_", name)) {
      length = has_length(node) ? length_name(c, name) : NULL;
      if (name == node->name->text && is_reserved(name, stem)) continue;
      bool is_free = !is_taken(name) && !is_name_used(structs, name) && !is_in(&all, name) &&
                     !is_of_other(list, node, name);
      if (is_free && !(length && (is_in(&all, length) || is_of_other(list, node, length)))) break;
    }
    vec_push(&c->scratch, &names, name);
    vec_push(&c->scratch, &all, name);
    if (length) vec_push(&c->scratch, &all, length);
  }
  return names;
}

static const HeaderStruct *find_struct(const HeaderStructs *structs, const Type *type)
{
  for (uint32_t i = 0; i < structs->count; ++i)
    if (structs->at[i].type == type) return &structs->at[i];
  return NULL;
}

/* The C type of a value or of a span's element; `void` if C has none. For an array, its element's
 * type: the brackets follow the declarator. */
static const char *c_type(const HeaderStructs *structs, const Type *type)
{
  while (type->kind == TYPE_array && has_c_type(type)) type = type->element;
  int row = scalar_row(type);
  Handle handle;
  if (handle_of(type, &handle))
    return handle.is_map         ? "const ck_tensor_map_t *"
           : *handle.kind == 't' ? "const ck_texture_t *"
                                 : "const ck_surface_t *";
  if (type->kind == TYPE_pointer) return "void *";
  if (row >= 0) return scalars[row].c;
  const HeaderStruct *found = find_struct(structs, type);
  return found ? found->name : "void";
}

/* Declares the C struct, after the structs that its fields need. */
static void put_struct(Session *c, Buf *out, HeaderStructs *structs, const Type *type)
{
  while (type->kind == TYPE_array) type = type->element;
  Handle handle;
  if (type->kind != TYPE_struct || handle_of(type, &handle) || !has_c_type(type) ||
      find_struct(structs, type))
    return;
  for (uint32_t i = 0; i < type->count; ++i) put_struct(c, out, structs, type->elements[i]);
  const char *own = generic_symbol(c, type_text(type));
  const char *name =
      arena_printf(&c->scratch, "%s_%s%s", file_stem(c), own, is_librarys(own) ? "_" : "");
  while (is_name_used(structs, name)) name = arena_printf(&c->scratch, "%s_", name);
  buf_printf(out, "@TYPE@\ntypedef struct %s {\n", name);
  const Node *field = type->decl->b;
  CNames names = c_names(c, structs, field, NODE_field);
  for (uint32_t i = 0; i < type->count; ++i, field = field->next) {
    const Type *part = type->elements[i];
    while (field->kind != NODE_field) field = field->next;
    buf_printf(out, "  %s %s", c_type(structs, part), names.at[i]);
    for (; part->kind == TYPE_array; part = part->element) buf_printf(out, "[%u]", part->count);
    buf_puts(out, ";\n");
  }
  buf_printf(out, "} %s;\n", name);
  vec_push(&c->scratch, structs, ((HeaderStruct){type, name}));
}

static void put_structs(Session *c, Buf *out, HeaderStructs *structs, const Node *kernel)
{
  for (const Node *param = kernel->b; param; param = param->next) {
    bool is_span = param->type->kind == TYPE_span;
    put_struct(c, out, structs, is_span ? param->type->element : param->type);
  }
}

static void put_prototype(Session *c, Buf *out, const HeaderStructs *structs, const Node *kernel,
                          const char *symbol)
{
  CNames names = c_names(c, structs, kernel->b, NODE_param);
  uint32_t i = 0;
  buf_printf(out, "ck_status_t %s_launch(ck_stream_t *stream, const ck_launch_config_t *config",
             symbol);
  for (const Node *param = kernel->b; param; param = param->next) {
    const char *name = names.at[i++];
    if (param->type->kind != TYPE_span) {
      buf_printf(out, ",\n    %s %s", c_type(structs, param->type), name);
      continue;
    }
    buf_printf(out, ",\n    %s%s *%s", param->op == OP_in ? "const " : "",
               c_type(structs, param->type->element), name);
    if (has_length(param)) buf_printf(out, ", uint64_t %s", length_name(c, name));
  }
  buf_puts(out, ")");
}

/* What a program launches: a kernel, or the algorithm whose first step the kernel is. NULL for the
 * other steps, which are launched with it. */
static const Name *launched_name(const Session *c, const Node *kernel)
{
  const PlanStep *step = kernel->flags & FLAG_plan ? plan_step(c, kernel) : NULL;
  if (!step) return kernel->name;
  bool is_first = step == c->steps.at || step[-1].plan != step->plan;
  return is_first ? step->plan->item->name : NULL;
}

static void put_body(Session *c, Buf *out, const HeaderStructs *structs, const Node *kernel)
{
  buf_puts(out, "\n{\n  ck_kernel_t *kernel;\n  ck_status_t status;\n");
  if (kernel->b) {
    buf_printf(out, "  ck_arg_t args[%u];\n", node_count(kernel->b));
    CNames names = c_names(c, structs, kernel->b, NODE_param);
    uint32_t i = 0;
    for (const Node *param = kernel->b; param; param = param->next, ++i) {
      const char *name = names.at[i];
      Handle handle;
      if (handle_of(param->type, &handle))
        buf_printf(out, "  args[%u] = ck_arg_%s(%s);\n", i, handle.kind, name);
      else if (param->type->kind == TYPE_pointer)
        buf_printf(out, "  args[%u] = ck_u64((uint64_t)(uintptr_t)%s);\n", i, name);
      else if (param->type->kind == TYPE_struct)
        buf_printf(out, "  args[%u] = ck_struct(&%s, sizeof %s);\n", i, name, name);
      else if (param->type->kind != TYPE_span)
        buf_printf(out, "  args[%u] = %s(%s);\n", i, scalars[scalar_row(param->type)].argument,
                   name);
      else if (node_extents(param))
        buf_printf(out, "  args[%u] = ck_address((uint64_t)(uintptr_t)%s);\n", i, name);
      else
        buf_printf(out, "  args[%u] = ck_address_span((uint64_t)(uintptr_t)%s, %s);\n", i, name,
                   length_name(c, name));
    }
  }
  buf_printf(out,
             "  status = ck_embedded_get_kernel(&@EMBEDDED@, stream, \"%s\", &kernel);\n"
             "  if (status != CK_OK) return status;\n"
             "  return ck_launch_args(stream, config, kernel, %s, %u);\n}\n",
             launched_name(c, kernel)->text, kernel->b ? "args" : "NULL", node_count(kernel->b));
}

/* The function's name without `_launch`. A kernel `ck` becomes ck__launch, because ck_launch
 * belongs to the library. */
static const char *launch_symbol(Session *c, const Node *kernel)
{
  const char *symbol = generic_symbol(c, launched_name(c, kernel)->text);
  bool is_ours = !strcmp(symbol, "ck") || is_librarys(symbol);
  return is_ours ? arena_printf(&c->scratch, "%s_", symbol) : symbol;
}

void header_launches(Session *c, Buf *out)
{
  HeaderStructs structs = {0};
  for (uint32_t i = 0; i < c->kernels.count; ++i) {
    const Node *kernel = c->kernels.at[i];
    if (!launched_name(c, kernel)) continue;
    const char *symbol = launch_symbol(c, kernel);
    const Node *unknown = unknown_param(kernel);
    uint32_t line, col;
    const Source *source = source_at(&c->sources, kernel->span.lo, &line, &col);
    if (unknown) {
      buf_printf(out, "@PROTOTYPE@%s, %s:%u, has no launch function: '%s' is %s. */\n",
                 launched_name(c, kernel)->text, path_base(source->name), line, unknown->name->text,
                 type_text(unknown->type));
      continue;
    }
    put_structs(c, out, &structs, kernel);
    buf_printf(out, "@PROTOTYPE@%s, %s:%u. %s */\n@LINKAGE@ ", launched_name(c, kernel)->text,
               path_base(source->name), line,
               kernel->c ? "config may be NULL: the launch is the kernel's."
                         : "config says grid and block.");
    put_prototype(c, out, &structs, kernel, symbol);
    buf_puts(out, ";\n@BODY@@LINKAGE@ ");
    put_prototype(c, out, &structs, kernel, symbol);
    put_body(c, out, &structs, kernel);
  }
  buf_puts(out, "@PROTOTYPE@");
}

/* ---- the file ---- */

/* Replaces the place holders that header_launches() wrote. @PROTOTYPE@, @TYPE@ and @BODY@ begin
 * a part that belongs to the declarations or to the definitions; @LINKAGE@ and @EMBEDDED@ are
 * names. */
static void put_launches(Buf *out, const char *text, bool is_body, const char *linkage,
                         const char *embedded)
{
  bool is_on = false;
  for (const char *p = text; *p;) {
    size_t len = strcspn(p, "@");
    if (is_on) buf_bytes(out, p, len);
    p += len;
    if (!*p) break;
    len = strcspn(p + 1, "@") + 2;
    if (!strncmp(p, "@PROTOTYPE@", len)) {
      is_on = !is_body;
      if (is_on && p[len]) buf_puts(out, "\n/* ");
    } else if (!strncmp(p, "@TYPE@", len)) {
      is_on = !is_body;
    } else if (!strncmp(p, "@BODY@", len)) {
      is_on = is_body;
      if (is_on) buf_putc(out, '\n');
    } else if (is_on) {
      buf_puts(out, !strncmp(p, "@LINKAGE@", len) ? linkage : embedded);
    }
    p += len;
  }
}

static void put_bytes(Buf *out, const char *name, const Buf *image)
{
  enum { PER_LINE = 24 };
  buf_printf(out, "static const unsigned char %s[] = {", name);
  for (size_t i = 0; i < image->len; ++i)
    buf_printf(out, "%s%u,", i % PER_LINE ? "" : "\n", (unsigned char)image->data[i]);
  buf_puts(out, "\n};\n");
}

void header_make(Session *c, const Buf *launches, const Buf *fatbin, const Buf *host, Buf *out)
{
  const char *file = file_base(c), *stem = file_stem(c);
  char *upper = arena_strdup(c->unit, stem);
  for (char *p = upper; *p; ++p)
    if (*p >= 'a' && *p <= 'z') *p = (char)(*p - 'a' + 'A');
  const char *linkage = arena_printf(c->unit, "%s_CK_API", upper);
  const char *embedded = arena_printf(c->unit, "%s_ck_embedded", stem);
  const char *text = buf_text(launches);
  buf_printf(
      out,
      "/* %s.ck.h - the kernels of %s for C and C++. Made by ckc %s: changes are lost.\n *\n"
      " * NAME_launch() launches a kernel as ck_launch_args() does; the code is loaded when\n"
      " * it is first launched on a device. Spans are addresses on the stream's device. What\n"
      " * is written (no const) overlaps no other span: such a launch is refused. All is\n"
      " * static here. To have the images once in a program of several files: compile one\n"
      " * with %s_CK_IMPLEMENTATION defined, the others with %s_CK_DECLARATIONS.\n */\n",
      stem, file, CK_VERSION_TEXT, upper, upper);
  buf_printf(
      out,
      "#ifndef %s_CK_HEADER\n#define %s_CK_HEADER\n\n#include <stdbool.h>\n#include <stddef.h>\n"
      "#include <stdint.h>\n\n#include \"ck/ck.h\"\n\n"
      "#if defined(%s_CK_DECLARATIONS) || defined(%s_CK_IMPLEMENTATION)\n"
      "#define %s extern\n#else\n#define %s static inline\n#endif\n\n"
      "#ifdef __cplusplus\nextern \"C\" {\n#endif\n",
      upper, upper, upper, upper, linkage, linkage);
  put_launches(out, text, false, linkage, embedded);
  if (!strstr(text, "@BODY@")) { /* no kernel: no image to load */
    buf_puts(out, "\n#ifdef __cplusplus\n}\n#endif\n#endif\n");
    return;
  }
  buf_printf(out, "\n#ifndef %s_CK_DECLARATIONS\n", upper);
  if (fatbin->len) put_bytes(out, arena_printf(c->unit, "%s_ck_gpu", stem), fatbin);
  if (host->len) put_bytes(out, arena_printf(c->unit, "%s_ck_host", stem), host);
  buf_printf(out, "static const ck_embedded_image_t %s_ck_images[] = {\n", stem);
  if (fatbin->len) buf_printf(out, "    {%s_ck_gpu, sizeof %s_ck_gpu},\n", stem, stem);
  if (host->len) buf_printf(out, "    {%s_ck_host, sizeof %s_ck_host},\n", stem, stem);
  buf_printf(out,
             "};\nstatic ck_embedded_t %s = {sizeof(ck_embedded_t), %s_ck_images, %d, NULL};\n",
             embedded, stem, (fatbin->len > 0) + (host->len > 0));
  Buf bodies = BUF(c->unit);
  put_launches(&bodies, text, true, linkage, embedded);
  buf_puts(out, buf_text(&bodies));
  buf_printf(out, "#endif\n\n#ifdef __cplusplus\n}\n#endif\n#endif\n");
}
