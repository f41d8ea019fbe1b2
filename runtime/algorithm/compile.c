/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* compile.c - from a call to object code: makes the text, compiles it, links what its operations
 * bring as LTO-IR, and says in whose text an error is.
 *
 * The runtime compiles the kernels of an algorithm one by one, when a launch first needs them, and
 * keeps them in the cache of compiled code. With LTO-IR the whole text becomes LTO-IR too, and the
 * linker inlines one into the other.
 */
#include <stdio.h>
#include <string.h>

#include "call.h"
#include "ck/linker.h"

/* The operation in whose text the first message of the log is; NULL: none. */
static const OpPlace *place_of(const Writer *writer, const char *log)
{
  const char *at = strstr(log, ">:");
  uint32_t line = 0;
  if (at)
    for (at += 2; char_is_digit(*at); ++at) line = line * 10 + (uint32_t)(*at - '0');
  for (uint32_t i = 0; i < writer->op_count && i < OPS_MAX; ++i)
    if (line >= writer->places[i].line && line - writer->places[i].line < writer->places[i].lines)
      return &writer->places[i];
  return NULL;
}

ck_status_t call_fault(const Call *call, ck_status_t status, const char *log)
{
  if (ck_last_driver_error()) return status; /* which a new message would forget */
  if (status != CK_COMPILE) {                /* the message stays, with the call's name ahead */
    const char *text = ck_last_error(), *colon = strstr(text, ": ");
    Arena arena = {0};
    char *copy = arena_strdup(&arena, colon ? colon + 2 : text);
    call_fail(call, status, "%s", copy);
    arena_free(&arena);
    return status;
  }
  const OpPlace *place = place_of(call->writer, log);
  if (place)
    return call_fail(call, status, "the operation of argument '%s':\n%s",
                     call->row->operands[place->operand].name, log);
  return call_fail(call, status, "these operands can't be compiled:\n%s", log);
}

/* Walks the call again, with a writer. */
static ck_status_t make_text(Call *call, ck_algorithm_kind_t kind, Writer *writer, Buf *out)
{
  const void *const *operands = call->operands;
  ck_algorithm_options_t options = call->options;
  bool is_unaliased = call->is_unaliased;
  CK_TRY(call_begin(call, kind, operands, call->row->count, options.struct_size ? &options : NULL));
  call->is_unaliased = is_unaliased;
  call->writer = writer;
  return call_walk(call, out);
}

/* The text as LTO-IR, linked with the operations' own. */
static ck_status_t link_pieces(const Call *call, ck_program_t *program, ck_device_t *device,
                               const char *target, ck_object_code_t **out_code)
{
  ck_linker_options_t options = CK_OPTIONS_INIT(ck_linker_options_t);
  ck_object_code_t *code = NULL;
  ck_linker_t *linker = NULL;
  char name[128];
  snprintf(name, sizeof name, "ck_%s", call->row->name);
  options.name = name;
  options.target = target;
  ck_status_t status = ck_program_compile(program, device, &code);
  if (status == CK_OK) status = ck_linker_create(device, &options, &linker);
  if (status == CK_OK) status = ck_linker_add_code(linker, code);
  for (uint32_t i = 0; i < call->linked_count && status == CK_OK; ++i) {
    const ck_op_t *op = call->linked[i];
    bool is_known = false;
    for (uint32_t k = 0; k < i; ++k) is_known |= call->linked[k]->ltoir == op->ltoir;
    if (!is_known)
      status = ck_linker_add(linker, CK_LINK_LTOIR, op->ltoir, op->ltoir_bytes, op->text);
  }
  if (status == CK_OK) status = ck_linker_link(linker, CK_EMIT_DEFAULT, out_code);
  ck_linker_release(linker);
  ck_object_code_release(code);
  return status;
}

static ck_status_t compile_text(Call *call, const Buf *text, ck_device_t *device,
                                const char *target, ck_object_code_t **out_code)
{
  ck_compile_options_t options = CK_OPTIONS_INIT(ck_compile_options_t);
  ck_program_t *program = NULL;
  options.file_name = arena_printf(&call->writer->arena, "<ck_%s>", call->row->name);
  options.target = target;
  options.flags = call->options.compile_flags;
  options.tuning_file = call->options.tuning_file;
  options.problem_size = call->options.problem_size;
  if (call->linked_count) options.emit = CK_EMIT_LTOIR;
  if (call->linked_count && (target ? !strcmp(target, "host") : ck_device_is_host(device)))
    return call_fail(call, CK_UNSUPPORTED, "operations as LTO-IR are for GPUs");
  ck_status_t status = ck_program_create(text->data, text->len, &options, &program);
  if (status == CK_OK)
    status = call->linked_count ? link_pieces(call, program, device, target, out_code)
                                : ck_program_compile(program, device, out_code);
  if (status != CK_OK) call_fault(call, status, program ? ck_program_log(program) : "");
  ck_program_release(program);
  return status;
}

ck_status_t call_compile(Call *call, ck_device_t *device, const char *target,
                         ck_object_code_t **out_code)
{
  Arena arena = {0};
  *out_code = NULL;
  Writer *writer = NEW(&arena, Writer);
  Buf text = BUF(&writer->arena);
  ck_status_t status = make_text(call, (ck_algorithm_kind_t)call->row->kind, writer, &text);
  if (status == CK_OK) status = compile_text(call, &text, device, target, out_code);
  call->writer = NULL;
  arena_free(&writer->arena);
  arena_free(&arena);
  return status;
}

ck_status_t call_open(Call *call, ck_object_code_t *code, ck_device_t *device,
                      ck_kernel_t **out_kernel)
{
  char name[128];
  snprintf(name, sizeof name, "ck_%s", call->row->name);
  ck_status_t status = ck_kernel_from_code(code, device, name, out_kernel);
  return status == CK_OK ? CK_OK : call_fault(call, status, "");
}

ck_status_t ck_algorithm_get_text(ck_algorithm_kind_t kind, const void *const *operands,
                                  size_t count, const ck_algorithm_options_t *options,
                                  const char **out_text)
{
  static _Thread_local Arena kept;
  Call call;
  if (!out_text) return call_fail(NULL, CK_INVALID_ARGUMENT, "out_text is NULL");
  *out_text = NULL;
  arena_free(&kept);
  CK_TRY(call_begin(&call, kind, operands, count, options));
  Writer *writer = NEW(&kept, Writer);
  Buf text = BUF(&writer->arena);
  ck_status_t status = make_text(&call, kind, writer, &text);
  if (status == CK_OK) *out_text = arena_strdup(&kept, buf_text(&text));
  arena_free(&writer->arena);
  return status;
}
