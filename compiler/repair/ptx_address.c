/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ptx_address.c - finds out what the addresses in registers of PTX are made of.
 *
 * Each register %rdN has a base, which is passed on by copies, casts and sums:
 *
 *     ld.param.u64  %rd1, [k_param_0];       BASE_first + 1
 *     cvta.to.global.u64 %rd2, %rd1;         the same
 *     add.s64       %rd3, %rd2, %rd9;        the same
 *     selp.b64      %rd4, %rd3, %rd7, %p1;   mixed, if %rd7 has another base
 *     cvta.shared.u64 %rd5, %rd6;            a generic address of shared memory
 *
 * A loop gives a register its second value in a line below its first use. So the lines are gone
 * over until no base changes; each can change twice, from open to one base to mixed.
 */
#include "repair_private.h"

enum { BASE_open, BASE_none, BASE_first, BASE_shared = UINT32_MAX - 1, BASE_mixed };

static uint32_t merged(uint32_t a, uint32_t b)
{
  if (a == b || b == BASE_open) return a;
  return a == BASE_open ? b : (uint32_t)BASE_mixed;
}

static uint32_t base_of(const PtxAddresses *addresses, Operand operand)
{
  uint32_t number = ptx_number(operand, "%rd");
  return number == UINT32_MAX ? (uint32_t)BASE_open : ptx_get(&addresses->bases, number);
}

static uint32_t base_made(const PtxAddresses *addresses, const PtxLine *line, uint32_t number)
{
  const Operand *operands = line->operands;
  if (ptx_starts(line->word, "ld.param.")) return BASE_first + number;
  uint32_t a = base_of(addresses, operands[1]);
  uint32_t b = line->count == 3 ? base_of(addresses, operands[2]) : (uint32_t)BASE_open;
  if (ptx_starts(line->word, "cvta.shared.")) return BASE_shared;
  if (ptx_starts(line->word, "cvta.") || ptx_starts(line->word, "mov.")) return a;
  if (ptx_starts(line->word, "selp.")) return merged(a, b);
  bool is_moved = ptx_starts(line->word, "add.") || ptx_starts(line->word, "sub.") ||
                  ptx_starts(line->word, "and.") || ptx_starts(line->word, "or.");
  if (!is_moved) return BASE_none;
  return a >= BASE_first ? a : b >= BASE_first ? b : (uint32_t)BASE_none;
}

static void follow(PtxFunction *f, PtxAddresses *addresses, const PtxLine *line)
{
  uint32_t number = line->count >= 2 ? ptx_number(line->operands[0], "%rd") : UINT32_MAX;
  if (number == UINT32_MAX) return;
  uint32_t old = ptx_get(&addresses->bases, number);
  uint32_t base = merged(old, base_made(addresses, line, number));
  if (base == old) return;
  addresses->is_changed = true;
  ptx_set(f, &addresses->bases, number, base);
}

PtxBase ptx_base(PtxFunction *f, PtxAddresses *addresses, Operand address)
{
  while (!addresses->is_followed) {
    addresses->is_changed = false;
    for (uint32_t i = 0; i < f->count; ++i) follow(f, addresses, &f->lines[i]);
    addresses->is_followed = !addresses->is_changed;
  }
  uint32_t base = base_of(addresses, address);
  return base == (uint32_t)BASE_mixed    ? PTX_BASE_mixed
         : base == (uint32_t)BASE_shared ? PTX_BASE_shared
                                         : PTX_BASE_unknown;
}
