/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* library_index.c - a program of the build: turns lib/ into the tables of library_private.h.
 *
 *   library_index OUT.c FOLDER ALWAYS.ck... -- MODULE.ck...
 *
 * It reads CK just far enough to know where an item starts and ends, its name, and the words in its
 * parameters. A scalar type as receiver (`fn f32.name`) is no word to wait for, since a program can
 * have such a value without writing the type; nor is `len`, which `for (x in items)` uses
 * implicitly.
 *
 * A name that starts with `__` may occur in one file only: in another one it would be a further
 * overload, and a call might choose the wrong one. The build fails on such a clash.
 */
#include "front/library_private.h"

#include <stdio.h>
#include <string.h>

enum { WORDS_MAX = 32, ITEMS_MAX = UINT16_MAX };

typedef struct Token {
  const char *lo, *hi; /* lo == hi: the end of the file */
  bool is_word;
} Token;

typedef struct Item {
  LibraryItem row;
  const Name *words[WORDS_MAX]; /* row.words of them, those of its own name first */
  uint16_t own_words;           /* the number of those; behind them, those in parameters */
} Item;

/* What Name.bound points to: a word, and the items that wait for it. */
typedef struct Word {
  const Name *name;
  bool is_structure;
  const char *home; /* of a name that starts with `__`: the file that has it */
  VEC(uint16_t) waiting;
} Word;

static Arena arena;
static Names names;
static VEC(LibraryFile) files;
static VEC(Item) items;
static VEC(Word *) words;
static bool has_clash;

/* ---- reading ---- */

static bool is_letter(char c)
{
  return char_is_letter(c) || char_is_digit(c);
}

static const char *skip_space(const char *p)
{
  for (;;) {
    p += strspn(p, " \t\r\n");
    if (p[0] == '/' && p[1] == '/') p += strcspn(p, "\n");
    else if (p[0] == '/' && p[1] == '*' && strstr(p, "*/")) p = strstr(p, "*/") + 2;
    else return p;
  }
}

static Token next_token(const char *p)
{
  Token token = {.lo = p = skip_space(p)};
  token.is_word = is_letter(*p);
  if (*p == '"')
    for (++p; *p && *p != '"'; ++p) p += *p == '\\' && p[1];
  if (token.is_word)
    while (is_letter(*p)) ++p;
  else if (*p) ++p;
  token.hi = p;
  return token;
}

static bool is_text(Token token, const char *text)
{
  size_t len = (size_t)(token.hi - token.lo);
  return len == strlen(text) && !memcmp(token.lo, text, len);
}

static bool is_one_of(Token token, const char *const *texts, size_t count)
{
  for (size_t i = 0; i < count; ++i)
    if (is_text(token, texts[i])) return true;
  return false;
}

static bool starts_item(Token token)
{
  static const char *const starts[] = {"fn",     "struct", "const",         "kernel", "algorithm",
                                       "import", "export", "static_assert", "@",      ""};
  return is_one_of(token, starts, COUNT_OF(starts));
}

static bool is_implied(Token token)
{
  static const char *const implied[] = {
#define TYPE(name, ...) #name,
#include "front/type.def"
      "len"};
  return is_one_of(token, implied, COUNT_OF(implied));
}

static Word *word_of(Token token)
{
  Name *name = (Name *)(uintptr_t)name_of(&names, token.lo, (size_t)(token.hi - token.lo));
  Word *word = name->bound;
  if (word) return word;
  name->bound = word = NEW(&arena, Word);
  word->name = name;
  vec_push(&arena, &words, word);
  return word;
}

static void add_word(Item *item, Token token)
{
  const Name *name = word_of(token)->name;
  for (uint16_t i = 0; i < item->row.words; ++i)
    if (item->words[i] == name) return;
  if (item->row.words == WORDS_MAX) die("an item with more than %d words", (int)WORDS_MAX);
  item->words[item->row.words++] = name;
}

/* Reads an item's name, such as `warp.tile.sum`, or an operator, which has no words. Gives the
 * token behind it. */
static Token read_name(Item *item, Token token)
{
  while (token.is_word || is_text(token, ".")) {
    if (token.is_word && !is_implied(token)) add_word(item, token);
    token = next_token(token.hi);
  }
  return token;
}

/* Claims an internal name, such as `__fold` or `grid.__give`, for the current file. */
static void claim_name(Token name, const char *hi)
{
  const char *file = files.at[files.count - 1].name;
  while (hi > name.lo && !is_letter(hi[-1])) --hi;
  const char *last = hi;
  while (last > name.lo && is_letter(last[-1])) --last;
  if (strncmp(last, "__", 2) != 0) return;
  Word *word = word_of((Token){.lo = name.lo, .hi = hi});
  if (word->home && strcmp(word->home, file) != 0) {
    fprintf(stderr, "%s: '%s' is a name of %s: choose another one\n", file, word->name->text,
            word->home);
    has_clash = true;
  }
  word->home = file;
}

/* Reads the words in a parameter list. A property has none. */
static void read_params(Item *item, Token token)
{
  unsigned angles = 0, depth = 0;
  bool is_operator = !item->own_words;
  for (; token.lo < token.hi && !is_text(token, "("); token = next_token(token.hi)) {
    /* the body or the result of a property */
    if (!angles && !is_operator && strchr("{=-", *token.lo)) return;
    angles += is_text(token, "<");
    angles -= angles && is_text(token, ">");
  }
  do {
    depth += is_text(token, "(");
    depth -= is_text(token, ")");
    if (token.is_word) add_word(item, token);
    token = next_token(token.hi);
  } while (depth && token.lo < token.hi);
}

/* Finds the end of an item: a ";" outside brackets, or a "}" behind which another item or nothing
 * begins. Behind the one of `fast { x }` its expression may continue. */
static Token item_end(Token token)
{
  unsigned depth = 0;
  for (; token.lo < token.hi; token = next_token(token.hi)) {
    depth += strchr("([{", *token.lo) != NULL;
    depth -= strchr(")]}", *token.lo) != NULL;
    if (depth) continue;
    if (*token.lo == ';' || (*token.lo == '}' && starts_item(next_token(token.hi)))) return token;
  }
  return token;
}

static Token read_item(Token token)
{
  Item item = {.row = {.lo = (uint32_t)(token.lo - (const char *)files.at[files.count - 1].text),
                       .file = (uint16_t)(files.count - 1)}};
  while (is_text(token, "@")) { /* @require(...) */
    while (!is_text(token, ")") && token.lo < token.hi) token = next_token(token.hi);
    token = next_token(token.hi);
  }
  bool is_function = is_text(token, "fn"), is_structure = is_text(token, "struct");
  static const char *const named[] = {"fn", "struct", "const", "kernel", "algorithm"};
  if (is_one_of(token, named, COUNT_OF(named))) {
    Token name = next_token(token.hi), behind = read_name(&item, name);
    if (is_structure) word_of(name)->is_structure = true;
    claim_name(name, behind.lo);
    item.own_words = item.row.words;
    if (is_function) read_params(&item, behind);
  }
  token = item_end(token);
  if (token.lo == token.hi) die("%s: an item has no end", files.at[files.count - 1].name);
  item.row.hi = (uint32_t)(token.hi - (const char *)files.at[files.count - 1].text);
  if (items.count == ITEMS_MAX) die("lib/ has more than %d items", (int)ITEMS_MAX);
  vec_push(&arena, &items, item);
  return next_token(token.hi);
}

static void read_file(const char *folder, const char *name, bool is_always)
{
  char *text;
  size_t bytes;
  if (!file_read(&arena, arena_printf(&arena, "%s/%s", folder, name), FILE_REGULAR, &text, &bytes))
    die("%s/%s can't be read", folder, name);
  LibraryFile file = {name, (const unsigned char *)text, (uint32_t)bytes};
  vec_push(&arena, &files, file);
  if (!is_always) return;
  for (Token token = next_token(text); token.lo < token.hi;) {
    if (!starts_item(token)) die("%s: no item starts at '%.20s'", name, token.lo);
    token = read_item(token);
  }
}

/* Makes items wait for their words. Of the words in parameters only structures count. */
static void find_waiting(void)
{
  for (uint32_t i = 0; i < items.count; ++i) {
    Item *item = &items.at[i];
    uint16_t kept = 0;
    for (uint16_t w = 0; w < item->row.words; ++w) {
      Word *word = item->words[w]->bound;
      if (w >= item->own_words && !word->is_structure) continue;
      vec_push(&arena, &word->waiting, (uint16_t)i);
      ++kept;
    }
    item->row.words = kept;
  }
}

/* ---- writing ---- */

static void put_files(Buf *out, uint32_t always)
{
  for (uint32_t i = 0; i < files.count; ++i) {
    buf_printf(out, "static const unsigned char text%u[] = {", i);
    for (uint32_t k = 0; k < files.at[i].bytes; ++k)
      buf_printf(out, "%s%u,", k % 32 ? "" : "\n", files.at[i].text[k]);
    buf_puts(out, "0};\n");
  }
  buf_puts(out, "const LibraryFile library_files[] = {\n");
  for (uint32_t i = 0; i < files.count; ++i)
    buf_printf(out, "{\"%s\", text%u, %u},\n", files.at[i].name, i, files.at[i].bytes);
  buf_printf(out, "};\nconst uint32_t library_file_count = %u, library_always_count = %u;\n",
             files.count, always);
}

static void put_items(Buf *out)
{
  buf_puts(out, "const LibraryItem library_items[] = {\n");
  for (uint32_t i = 0; i < items.count; ++i) {
    const LibraryItem *row = &items.at[i].row;
    buf_printf(out, "{%u, %u, %u, %u},\n", row->lo, row->hi, row->file, row->words);
  }
  buf_printf(out, "{0}};\nconst uint32_t library_item_count = %u;\n", items.count);
}

static void put_words(Buf *out)
{
  Buf rows = BUF(&arena), waiting = BUF(&arena), buckets = BUF(&arena);
  uint32_t mask = 15, count = 0, waiting_count = 0;
  while (mask < words.count) mask = 2 * mask + 1;
  for (uint32_t bucket = 0; bucket <= mask; ++bucket) {
    buf_printf(&buckets, "%u, ", count);
    for (uint32_t i = 0; i < words.count; ++i) {
      const Word *word = words.at[i];
      if ((word->name->hash & mask) != bucket || !word->waiting.count) continue;
      buf_printf(&rows, "{\"%s\", %u, %u, %u},\n", word->name->text, word->name->len, waiting_count,
                 word->waiting.count);
      for (uint32_t k = 0; k < word->waiting.count; ++k)
        buf_printf(&waiting, "%u,%s", word->waiting.at[k], ++waiting_count % 16 ? " " : "\n");
      ++count;
    }
  }
  if (waiting_count > UINT16_MAX) die("%u items wait for words", waiting_count);
  buf_printf(out, "const uint32_t library_mask = %u;\n", mask);
  buf_printf(out, "const LibraryWord library_words[] = {\n%s{0}};\n", buf_text(&rows));
  buf_printf(out, "const uint16_t library_waiting[] = {\n%s0};\n", buf_text(&waiting));
  buf_printf(out, "const uint16_t library_buckets[] = {%s%u};\n", buf_text(&buckets), count);
}

int main(int argc, char **argv)
{
  Buf out = BUF(&arena);
  uint32_t always = 0;
  bool is_always = true;
  if (argc < 3) die("library_index OUT.c FOLDER FILE... -- FILE...");
  names_init(&names, &arena);
  for (int i = 3; i < argc; ++i) {
    if (!strcmp(argv[i], "--")) {
      is_always = false;
      continue;
    }
    read_file(argv[2], argv[i], is_always);
    always += is_always;
  }
  if (has_clash) return 1;
  find_waiting();
  buf_puts(&out,
           "/* Made from lib/ by library_index.c. */\n#include \"front/library_private.h\"\n");
  put_files(&out, always);
  put_items(&out);
  put_words(&out);
  if (!file_write(argv[1], out.data, out.len)) die("%s can't be written", argv[1]);
  arena_free(&arena);
  return 0;
}
