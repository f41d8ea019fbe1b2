/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* asm.c - checks inline PTX: asm<R>("template", inputs..., volatile = true).
 *
 * needs   names resolved
 * gives   call->builtin and call->type; inputs typed; the options checked, still in the list
 * keeps   the text of the template, but for its operands
 * fails   with DIAG_asm_host on the host device, DIAG_asm_operand where template and operands
 *         disagree
 *
 * Operands are numbered as in LLVM: the results first, then the inputs. The instructions in the
 * template are checked by the assembler only.
 *
 *     asm<u32>("add.u32 $0, $1, $2;", a, b)        $0 the result, $1 a, $2 b
 */
#include "check/check_private.h"
#include "front/builtin.h"
#include "front/target.h"

#include <string.h>

bool asm_option(const Node *call, const char *name)
{
  for (const Node *arg = call->b; arg; arg = arg->next)
    if (arg->kind == NODE_argument && !strcmp(arg->name->text, name))
      return arg->a->kind == NODE_bool && arg->a->bits;
  return false;
}

static bool is_operand(const Type *type)
{
  return type_is_int(type) || type_is_float(type);
}

static bool check_result(Session *c, const Node *at, const Type *type)
{
  if (type == c->types->poison) return false;
  bool is_good = is_operand(type) || type == c->types->none;
  if (type->kind == TYPE_tuple) {
    is_good = true;
    for (uint32_t i = 0; i < type->count; ++i) is_good &= is_operand(type->elements[i]);
  }
  if (!is_good) diag_at(&c->diag, DIAG_bad_operand, at->span, "asm", type_text(type));
  return is_good;
}

/* Checks that each $N in the template is an operand, and that each operand is used. */
static bool check_template(Session *c, const Node *text, uint32_t operands)
{
  bool is_used[2 * PARAMS_MAX] = {0};
  for (const char *p = text->text, *end = p + text->text_bytes; p < end; ++p) {
    if (*p != '$') continue;
    if (p + 1 < end && p[1] == '$') {
      ++p;
      continue;
    }
    uint32_t number = 0, digits = 0;
    for (; p + 1 < end && p[1] >= '0' && p[1] <= '9' && digits < 4; ++p, ++digits)
      number = number * 10 + (uint32_t)(p[1] - '0');
    if (digits && number < operands) {
      is_used[number] = true;
      continue;
    }
    diag_at(&c->diag, DIAG_asm_operand, text->span,
            digits ? arena_printf(&c->scratch, "the template names operand $%u, there are %u",
                                  number, operands)
                   : "a '$' in the template is not followed by a number");
    diag_hint(&c->diag, "Results are numbered first, then the inputs: $0, $1, ...; $$ is a '$'.");
    return false;
  }
  for (uint32_t i = 0; i < operands; ++i) {
    if (is_used[i]) continue;
    return diag_at(&c->diag, DIAG_asm_operand, text->span,
                   arena_printf(&c->scratch, "the template does not use operand $%u", i));
  }
  return true;
}

static bool check_option(Session *c, Node *option)
{
  static const char *const names[] = {"volatile", "memory", "convergent"};
  bool is_known = false;
  for (size_t i = 0; i < COUNT_OF(names); ++i) is_known |= !strcmp(option->name->text, names[i]);
  if (!is_known) {
    diag_at(&c->diag, DIAG_unknown_argument, option->span, "asm", option->name->text);
    diag_hint(&c->diag, "The options are volatile, memory and convergent.");
    return false;
  }
  check_condition(c, &option->a);
  if (option->a->type == c->types->poison) return false;
  if (evaluate(c, option->a)) return true;
  return diag_at(&c->diag, DIAG_not_constant, option->a->span);
}

static bool check_input(Session *c, Node **slot)
{
  Type *type = check_value(c, *slot, NULL);
  if (type == c->types->poison) return false;
  convert_default(c, slot);
  type = (*slot)->type;
  if (type == c->types->poison) return false;
  if (is_operand(type) || type->kind == TYPE_pointer) return true;
  return diag_at(&c->diag, DIAG_bad_operand, (*slot)->span, "asm", type_text(type));
}

Type *check_asm(Session *c, Node *call)
{
  Node *callee = call->a, *wanted = callee->kind == NODE_instance ? callee->b : NULL;
  call->builtin = callee->kind == NODE_instance ? callee->a->builtin : callee->builtin;
  call->decl = NULL;
  callee->type = c->types->function;
  Type *type = wanted ? check_type(c, wanted) : c->types->none, *poison = c->types->poison;
  bool is_good = check_result(c, wanted ? wanted : call, type);
  Node *text = call->b;
  if (!text || text->kind != NODE_string) {
    diag_at(&c->diag, DIAG_not_string, text ? text->span : call->span, "asm");
    return call->type = poison;
  }
  uint32_t operands = type->kind == TYPE_tuple ? type->count : type != c->types->none;
  for (Node **slot = &text->next; *slot; slot = &(*slot)->next) {
    bool is_option = (*slot)->kind == NODE_argument;
    is_good &= is_option ? check_option(c, *slot) : check_input(c, slot);
    operands += !is_option;
  }
  if (is_good && operands > 2 * PARAMS_MAX) {
    diag_at(&c->diag, DIAG_param_count, call->span, "asm", operands);
    is_good = false;
  }
  if (!is_good || !check_template(c, text, operands)) return call->type = poison;
  if (!c->target->has_ptx) {
    diag_at(&c->diag, DIAG_asm_host, call->span);
    diag_hint(&c->diag, "Give the host a branch: comptime if (target.is_host) ... else ...");
    return call->type = poison;
  }
  if (asm_option(call, "convergent")) effects_add(c, FLAG_waits);
  return call->type = type;
}
