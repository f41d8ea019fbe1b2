/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* address.c - repairs of PTX that need to know what an address is made of.
 *
 * load_alias     libNVVM reads memory that the kernel writes by ld.global.nc
 * atomic_space   atomics of shared memory keep a generic address: half as fast
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

#include <string.h>

enum { BASE_open, BASE_none, BASE_first, BASE_shared = UINT32_MAX - 1, BASE_mixed };

static uint32_t merged(uint32_t a, uint32_t b)
{
  if (a == b || b == BASE_open) return a;
  return a == BASE_open ? b : (uint32_t)BASE_mixed;
}

static uint32_t base_of(const PtxFunction *f, Operand operand)
{
  uint32_t number = ptx_number(operand, "%rd");
  return number == UINT32_MAX ? (uint32_t)BASE_open : ptx_get(f->known, number);
}

static uint32_t base_made(const PtxFunction *f, const PtxLine *line, uint32_t number)
{
  const Operand *operands = line->operands;
  if (ptx_starts(line->word, "ld.param.")) return BASE_first + number;
  uint32_t a = base_of(f, operands[1]);
  uint32_t b = line->count == 3 ? base_of(f, operands[2]) : (uint32_t)BASE_open;
  if (ptx_starts(line->word, "cvta.shared.")) return BASE_shared;
  if (ptx_starts(line->word, "cvta.") || ptx_starts(line->word, "mov.")) return a;
  if (ptx_starts(line->word, "selp.")) return merged(a, b);
  bool is_moved = ptx_starts(line->word, "add.") || ptx_starts(line->word, "sub.") ||
                  ptx_starts(line->word, "and.") || ptx_starts(line->word, "or.");
  if (!is_moved) return BASE_none;
  return a >= BASE_first ? a : b >= BASE_first ? b : (uint32_t)BASE_none;
}

/* Returns whether the line has changed a base. */
static bool follow_base(PtxFunction *f, const PtxLine *line)
{
  uint32_t number = line->count >= 2 ? ptx_number(line->operands[0], "%rd") : UINT32_MAX;
  if (number == UINT32_MAX) return false;
  uint32_t old = ptx_get(f->known, number), base = merged(old, base_made(f, line, number));
  if (base != old) ptx_set(f, f->known, number, base);
  return base != old;
}

/* Finds the address in brackets, as of `ld.global.nc.f32 %f1, [%rd3+4];`, and returns its base. The
 * first call for a function analyses all its lines. */
static uint32_t find_address(PtxFunction *f, const PtxLine *line, Operand *out_address)
{
  const char *open = memchr(line->text, '[', (size_t)(line->end - line->text));
  if (!open) return BASE_none;
  *out_address = (Operand){open + 1, strcspn(open + 1, "+]\n")};
  while (!f->has_bases) {
    f->has_bases = true;
    for (uint32_t i = 0; i < f->count; ++i)
      if (follow_base(f, &f->lines[i])) f->has_bases = false;
  }
  return base_of(f, *out_address);
}

/* load_alias: a load whose address may be one of two parameters' is an ordinary one.
 *
 * libNVVM makes one load of two that stand in the branches of an if. Where one of them is of memory
 * that nobody writes, ld.global.nc, so is the result; the other one may be of memory that the
 * kernel writes, which the cache of ld.global.nc doesn't see.
 *
 *     selp.b64 %rd3, %rd1, %rd2, %p1;            addresses of two parameters
 *     ld.global.nc.f32 %f1, [%rd3];   ->   ld.global.f32 %f1, [%rd3];
 */
static void drop_nc(PtxFunction *f, PtxLine *line)
{
  if (!ptx_starts(line->word, "ld.global.nc.")) return;
  Operand address;
  if (find_address(f, line, &address) != (uint32_t)BASE_mixed) return;
  const char *after = line->word + sizeof "ld.global.nc" - 1;
  ptx_replace(f, line, "\tld.global%.*s\n", (int)(line->end - after), after);
}

void repair_load_alias(Repair *r)
{
  ptx_run(r, NULL, drop_nc, "ld.global.nc.", NULL);
}

/* atomic_space: an atomic operation on a generic address of shared memory is one on shared
 * memory.
 *
 * An atomic operation with an order and a scope is inline PTX, which an optimiser does not look
 * into. Where a function whose span may be any memory is inlined into one that passes shared
 * memory, the inline PTX still has the generic address. With .shared it is twice as fast.
 *
 *     cvta.shared.u64 %rd1, %rd2;
 *     red.relaxed.cta.add.u32 [%rd1], %r1;
 *         ->   cvta.to.shared.u64 there, %rd1; red.relaxed.cta.shared.add.u32 [there], %r1;
 */
static void name_shared(PtxFunction *f, PtxLine *line)
{
  static const char *const scopes[] = {".cta.", ".gpu.", ".sys.", ".cluster."};
  if (!ptx_starts(line->word, "red.") && !ptx_starts(line->word, "atom.")) return;
  const char *scope_end = NULL;
  Operand address;
  if (find_address(f, line, &address) != (uint32_t)BASE_shared || address.text[address.len] != ']')
    return;
  for (size_t i = 0; i < COUNT_OF(scopes) && !scope_end; ++i) {
    const char *scope = strstr(line->word, scopes[i]);
    if (scope && scope < line->word_end) scope_end = scope + strlen(scopes[i]) - 1;
  }
  if (!scope_end || ptx_starts(scope_end, ".shared") || ptx_starts(scope_end, ".global")) return;
  const char *after = address.text + address.len + 1;
  ptx_replace(f, line,
              "\t{ .reg .b64 there; cvta.to.shared.u64 there, %.*s; %.*s.shared%.*s[there]%.*s }\n",
              LEN(address), (int)(scope_end - line->word), line->word,
              (int)(address.text - 1 - scope_end), scope_end, (int)(line->end - after), after);
}

void repair_atomic_space(Repair *r)
{
  ptx_run(r, NULL, name_shared, "red.", "atom.", NULL);
}
