/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* suggest.c - finds the name that was probably meant.
 *
 * Candidates are offered one by one with a rank, lower for a nearer scope. The best is the one with
 * the smallest edit distance (Damerau-Levenshtein, restricted; a different case of letters is one
 * edit in all), then the lowest rank. One edit is allowed for each three letters. A different first
 * letter makes a short name another word (clock is not a misspelt block). A fix is offered if one
 * edit is enough.
 */
#include "front/builtin.h"
#include "front/front_private.h"

#include <string.h>

static char lower(char c)
{
  return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static bool is_same_letters(const char *a, const char *b)
{
  while (*a && lower(*a) == lower(*b)) ++a, ++b;
  return !*a && !*b;
}

Suggestion suggest_for(const char *wanted)
{
  size_t len = strlen(wanted);
  enum { LETTERS = 3, EDITS_MAX = 3 };
  unsigned least = len < 2 ? 0 : len <= LETTERS ? 1 : (unsigned)len / LETTERS;
  return (Suggestion){.wanted = wanted, .least = least < EDITS_MAX ? least : EDITS_MAX};
}

void suggest_offer(Suggestion *suggestion, const char *candidate, unsigned rank)
{
  if (!strncmp(candidate, "__", 2) || !strcmp(candidate, suggestion->wanted)) return;
  size_t len = strlen(suggestion->wanted), other = strlen(candidate);
  if (len > other + 3 || other > len + 3) return;
  enum { SHORT = 6 };
  bool is_same = is_same_letters(candidate, suggestion->wanted);
  bool is_swapped = candidate[0] == suggestion->wanted[1] && candidate[1] == suggestion->wanted[0];
  bool is_led = lower(*candidate) == lower(*suggestion->wanted) || is_swapped || len != other;
  if (!is_led && len < SHORT) return;
  unsigned distance = is_same ? 0 : edit_distance(suggestion->wanted, candidate);
  if (distance > suggestion->least || distance >= other + is_same) return;
  if (suggestion->best && distance == suggestion->least && rank >= suggestion->rank) return;
  suggestion->best = candidate;
  suggestion->least = distance;
  suggestion->rank = rank;
}

bool suggest_is_near(const char *wanted, const char *candidate)
{
  Suggestion suggestion = suggest_for(wanted);
  suggest_offer(&suggestion, candidate, 0);
  return suggestion.best;
}

bool suggest_give(Session *c, const Suggestion *suggestion, Span span)
{
  if (!c->is_repairing) vec_push(c->unit, &c->wanted, suggestion->wanted);
  if (!suggestion->best) return false;
  diag_hint(&c->diag, "Did you mean '%s'?", suggestion->best);
  if (suggestion->least <= 1) diag_fix(&c->diag, span, suggestion->best);
  return true;
}

bool suggest_words(Session *c, const Name *wanted, Span span, const char *words)
{
  Suggestion suggestion = suggest_for(wanted->text);
  for (const char *p = words; *p; p += strspn(p, " ")) {
    size_t len = strcspn(p, " ");
    suggest_offer(&suggestion, arena_strndup(&c->scratch, p, len), 0);
    p += len;
  }
  return suggest_give(c, &suggestion, span);
}

void suggest_builtins(Suggestion *suggestion)
{
  static const char *const names[] = {
#define TYPE(name, ...) #name,
#include "front/type.def"
#define FORM(id, name, ...) name,
#include "front/builtin.def"
      "thread", "warp",     "block",    "grid", "cluster",
      "atomic", "pipeline", "mbarrier", "bulk", "target",
  };
  for (size_t i = 0; i < COUNT_OF(names); ++i) suggest_offer(suggestion, names[i], 3);
}
