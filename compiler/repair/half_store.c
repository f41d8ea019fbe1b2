/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* half_store.c - libNVVM is kept from making vectors of eight f16.
 *
 * libNVVM 13.0 makes one vector of eight f16 that are stored or loaded one by one, side by side,
 * and for targets before sm_100 refuses that vector: "unsupported operation". The attribute
 * noimplicitfloat keeps the pass that does so off all functions. It costs other vectors, so it is
 * there only once libNVVM has refused the module.
 */
#include "repair_private.h"

#include <string.h>

void repair_half_store(Repair *r)
{
  static const char nounwind[] = " nounwind", refusal[] = "unsupported operation";
  if (!strstr(r->why, refusal)) return;
  Buf text = BUF(r->c->unit);
  const char *at = r->c->ir.data, *line;
  while ((line = strstr(at, "\ndefine "))) {
    const char *mark = strstr(line, nounwind);
    if (!mark || mark > line + 1 + strcspn(line + 1, "\n")) die("a function that may unwind");
    mark += sizeof nounwind - 1;
    buf_bytes(&text, at, (size_t)(mark - at));
    buf_puts(&text, " noimplicitfloat");
    at = mark;
  }
  buf_puts(&text, at);
  r->c->ir = text;
  r->has_changed = true;
}
