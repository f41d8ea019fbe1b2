/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* library.c - tests the index of lib/: its items are complete and in order, and a program gets
 * exactly those that it uses. */
#include "check/check.h"
#include "front/library_private.h"

#include <string.h>

#undef NDEBUG /* release builds check too */
#include <assert.h>

/* There is only white space and comments between items. */
static void items_are_whole(void)
{
  for (uint32_t i = 0; i < library_item_count; ++i) {
    const LibraryItem *item = &library_items[i], *before = i ? item - 1 : NULL;
    const char *text = (const char *)library_files[item->file].text;
    bool is_first = !before || before->file != item->file;
    assert(item->lo < item->hi && item->hi <= library_files[item->file].bytes);
    assert(text[item->hi - 1] == ';' || text[item->hi - 1] == '}');
    if (!is_first) assert(before->hi <= item->lo);
    if (before && is_first) assert(before->file < item->file);
    for (const char *p = text + (is_first ? 0 : before->hi); p < text + item->lo;) {
      bool is_comment = p[0] == '/' && p[1] == '/';
      if (is_comment) p += strcspn(p, "\n");
      else assert(strchr(" \n", *p++));
    }
  }
}

/* Loads the library for a program with this text. */
static Session *read_for(const char *text)
{
  static Arena arena;
  arena_free(&arena);
  Session *c = NEW(&arena, Session);
  c->unit = &arena;
  c->sources.arena = &arena;
  c->diag = (Diag){.arena = &arena, .sources = &c->sources};
  names_init(&c->names, &arena);
  types_init(c->types = NEW(&arena, Types), &arena);
  parse_source(c, source_add(&c->sources, "words.ck", text, strlen(text), false));
  library_load(c);
  arena_free(&c->scratch);
  assert(!c->diag.error_count);
  return c;
}

static unsigned count(const Session *c, const char *name)
{
  unsigned found = 0;
  for (const Node *item = c->library; item; item = item->next)
    found += !strcmp(item->name->text, name);
  return found;
}

static void programs_get_what_they_use(void)
{
  assert(!read_for("fn f(x: f32) -> f32 = x;")->library);
  Session *c = read_for("fn f(n: u32) -> u32 = ceil_div(n, 2); // sin(x)");
  assert(count(c, "ceil_div") == 1 && node_count(c->library) == 1);
  c = read_for("const x = 1;"); /* the word `x` of thread.x occurs, but not `thread` */
  assert(!c->library);
  c = read_for("fn f() -> u64 = grid.thread_rank;");
  assert(count(c, "thread_rank") == 1 && count(c, "rank") == 2); /* of thread and block */
  assert(count(c, "size") == 2 && node_count(c->library) == 5);  /* of block and grid */
  c = read_for("fn f(x: f32) -> f32 = max(x, 0);");              /* in the library's order */
  assert(count(c, "max") == 6 && count(c, "min") == 0);
  for (const Node *item = c->library; item->next; item = item->next)
    assert(item->span.lo < item->next->span.lo || strcmp(item->next->name->text, "max") == 0);
}

/* An operator and an overload of a structure that the program does not name are left out. */
static void structures_bring_their_functions(void)
{
  Session *c = read_for("fn f(x: f32) -> f32 = count(1)[x];");
  assert(count(c, "Count") == 1 && count(c, "Zip") == 0 && count(c, "[]=") == 0);
  unsigned bounds = count(c, "__bound");
  c = read_for("fn f(x: f32) { discard<i32>()[0] = 1; }");
  assert(count(c, "Discard") == 1 && count(c, "[]=") == 1);
  c = read_for("const a = count(1).drop(2);");
  assert(count(c, "Drop") == 1 && count(c, "__bound") == bounds + 1);
}

int main(void)
{
  items_are_whole();
  programs_get_what_they_use();
  structures_bring_their_functions();
  return 0;
}
