/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* test_parse.c - reads the test lines of a .ck file: comments that start with a word of
 * test_words.def.
 *
 * FOR, NAME, SET and TAGS belong to the CALL, COMPILE or BENCH that follows, the others to the one
 * before; EXPECT and TOLERANCE to its last THEN. Each line is read by itself, and one that can't be
 * read is a problem with its place.
 *
 *     // FOR: k = 1..100                      a variable of the next call
 *     // CALL: saxpy(n=k, x=rand:k, y=ones:k) the call
 *     // EXPECT: y = 2 * x + 1                what it must leave in y
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "test.h"

enum { RECORD_DEPTH_MAX = 32 };

typedef struct Parser {
  Arena *arena;
  TestFile *file;
  Reader reader; /* of the line's rest */
  const char *line_start;
  uint32_t line;
  Test next;           /* collects the lines in front of a call */
  bool is_in_prose;    /* the previous line is a comment but no test line */
  bool is_warning;     /* the reader's error is a warning */
  uint32_t waits;      /* the first line that waits for a call; 0: none */
  Tolerance tolerance; /* of all tests */
} Parser;

/* parts -------------------------------------------------------------------------------------- */

/* Text without blanks around it. */
static const char *trimmed(Arena *arena, const char *start, const char *end)
{
  while (start < end && (*start == ' ' || *start == '\t')) ++start;
  while (end > start && (end[-1] == ' ' || end[-1] == '\t')) --end;
  return arena_strndup(arena, start, (size_t)(end - start));
}

/* The rest of the line. */
static const char *rest(Reader *reader)
{
  const char *start = reader->at;
  reader->at = reader->end;
  return trimmed(reader->arena, start, reader->end);
}

static bool is_done(Reader *reader)
{
  reader_skip(reader);
  return reader->at == reader->end || reader_fail(reader, reader->at, "nothing more fits here");
}

/* Reads extents such as 3x4 or k x (k + 1). */
static bool read_extents(Reader *reader, TestValue *out)
{
  do {
    if (out->rank == EXTENTS_MAX)
      return reader_fail(reader, reader->at, "an array has at most %d extents", EXTENTS_MAX);
    reader_skip(reader);
    if (reader->at == reader->end)
      return reader_fail(reader, reader->at, "a number of elements stands here, or 3x4 and so on");
    reader->is_extent = true;
    Expr *extent = expr_read(reader);
    reader->is_extent = false;
    if (!extent) return false;
    out->extents[out->rank++] = extent;
  } while (reader_accept(reader, "x"));
  return true;
}

/* :SEED:LO..HI */
static bool read_random(Reader *reader, TestValue *out)
{
  if (!reader_accept(reader, ":")) return true;
  if (!(out->seed = expr_read(reader))) return false;
  if (!reader_accept(reader, ":")) return true;
  if (!(out->lo = expr_read(reader))) return false;
  return reader_expect(reader, "..", "the range's start") && (out->hi = expr_read(reader));
}

static bool read_maker(Reader *reader, TestValue *out, bool *out_is_one)
{
  static const struct {
    const char *prefix;
    ValueKind kind;
  } makers[] = {
      {"zeros:", VALUE_ZEROS}, {"ones:", VALUE_ONES}, {"iota:", VALUE_IOTA}, {"rand:", VALUE_RAND}};
  for (size_t i = 0; i < COUNT_OF(makers); ++i) {
    if (!reader_accept(reader, makers[i].prefix)) continue;
    *out_is_one = true;
    out->kind = makers[i].kind;
    return read_extents(reader, out) && (out->kind != VALUE_RAND || read_random(reader, out));
  }
  *out_is_one = false;
  return true;
}

/* Does a struct or tuple follow, or an array of them? A "(" begins a tuple if there is a comma in
 * it, and no name before it. */
static bool is_record_next(const Reader *reader)
{
  enum { DEPTH_MAX = 32 };
  char open[DEPTH_MAX];
  int depth = 0;
  for (const char *p = reader->at; p < reader->end; ++p) {
    if (*p == '{') return true;
    if (*p == ',' && depth && open[depth - 1] == '(') return true;
    if (strchr(")]}", *p)) --depth;
    else if (*p == '(' || *p == '[') {
      if (depth == DEPTH_MAX) return false;
      const char *before = p;
      while (before > reader->at && before[-1] == ' ') --before;
      bool is_call = before > reader->at && strchr("_)]", before[-1]) != NULL;
      is_call |= before > reader->at && isalnum((unsigned char)before[-1]);
      open[depth++] = is_call ? 'f' : *p;
    }
    if (depth <= 0) return false;
  }
  return false;
}

static Record *read_record(Reader *reader, bool has_names);

static bool read_items(Reader *reader, Record *out)
{
  const char *close = out->open == '{' ? "}" : out->open == '(' ? ")" : "]";
  ++reader->at;
  if (reader_accept(reader, close)) return true;
  if (++reader->depth > RECORD_DEPTH_MAX)
    return reader_fail(reader, reader->at, "this is nested too deeply");
  do {
    Record *item = read_record(reader, out->open == '{');
    if (!item) return false;
    vec_push(reader->arena, &out->items, item);
  } while (reader_accept(reader, ","));
  --reader->depth;
  return reader_expect(reader, close, "the values");
}

/* A struct, a tuple, an array or a number; has_names: perhaps NAME: before it. */
static Record *read_record(Reader *reader, bool has_names)
{
  Record *out = NEW(reader->arena, Record);
  reader_skip(reader);
  const char *start = reader->at, *name = has_names ? reader_name(reader) : NULL;
  if (name && reader_accept(reader, ":")) out->name = name;
  else reader->at = start;
  reader_skip(reader);
  char next = reader->at < reader->end ? *reader->at : 0;
  if (next == '{' || next == '[' || (next == '(' && is_record_next(reader))) {
    out->open = next;
    return read_items(reader, out) ? out : NULL;
  }
  int depth = reader->depth;
  out->expr = expr_read(reader);
  reader->depth = depth;
  return out->expr ? out : NULL;
}

bool test_value_read(Reader *reader, TestValue *out)
{
  bool is_made;
  reader_skip(reader);
  const char *start = reader->at;
  *out = (TestValue){.kind = VALUE_NUMBER};
  if (reader_accept(reader, "texture(")) {
    if (!test_image_read(reader, out)) return false;
    out->text = out->kind == VALUE_FILE ? out->text : trimmed(reader->arena, start, reader->at);
    return true;
  }
  if (reader_accept(reader, "@")) {
    const char *path = reader->at;
    while (reader->at < reader->end && !strchr(",) \t", *reader->at)) ++reader->at;
    out->kind = VALUE_FILE;
    out->text = arena_strndup(reader->arena, path, (size_t)(reader->at - path));
    return reader->at > path || reader_fail(reader, path, "expected a file's name after '@'");
  }
  if (!read_maker(reader, out, &is_made)) return false;
  if (!is_made && is_record_next(reader)) {
    reader->depth = 0;
    if (!(out->record = read_record(reader, false))) return false;
  } else if (!is_made && !(out->expr = expr_read(reader))) return false;
  out->text = trimmed(reader->arena, start, reader->at);
  return true;
}

/* Reads a name; NULL with an error: there is none. */
static const char *read_needed_name(Reader *reader, const char *what)
{
  reader_skip(reader);
  const char *at = reader->at, *name = reader_name(reader);
  return name ? name : reader_none(reader, at, "expected the name of a %s", what);
}

/* NAME or NAME<...>. */
static const char *read_kernel(Reader *reader)
{
  reader_skip(reader);
  const char *start = reader->at;
  if (!read_needed_name(reader, "kernel")) return NULL;
  const char *end = reader->at;
  if (reader_accept(reader, "<")) {
    int depth = 1;
    for (; depth && reader->at < reader->end; ++reader->at)
      depth += (*reader->at == '<') - (*reader->at == '>');
    if (depth) return reader_none(reader, end, "this '<' is not closed");
    end = reader->at;
  }
  return arena_strndup(reader->arena, start, (size_t)(end - start));
}

static bool read_args(Reader *reader, Test *test)
{
  if (!reader_expect(reader, "(", "the kernel's name")) return false;
  if (reader_accept(reader, ")")) return true;
  do {
    TestArg arg;
    reader_skip(reader);
    const char *at = reader->at;
    arg.name = reader_name(reader);
    if (!arg.name) return reader_fail(reader, at, "expected the name of a parameter");
    for (uint32_t i = 0; i < test->args.count; ++i)
      if (!strcmp(test->args.at[i].name, arg.name))
        return reader_fail(reader, at, "'%s' is given twice", arg.name);
    if (!reader_expect(reader, "=", "the parameter's name") || !test_value_read(reader, &arg.value))
      return false;
    vec_push(reader->arena, &test->args, arg);
  } while (reader_accept(reader, ","));
  return reader_expect(reader, ")", "the arguments");
}

static void read_options(Reader *reader, Words *out)
{
  for (reader_skip(reader); reader->at < reader->end && *reader->at == '-'; reader_skip(reader)) {
    const char *start = reader->at;
    while (reader->at < reader->end && *reader->at != ' ' && *reader->at != '\t') ++reader->at;
    const char *word = arena_strndup(reader->arena, start, (size_t)(reader->at - start));
    vec_push(reader->arena, out, word);
  }
}

static bool read_number(Reader *reader, Wide *out)
{
  Bindings none = {0};
  Buf why = BUF(reader->arena);
  reader_skip(reader);
  const char *at = reader->at;
  reader->is_constant = true;
  Expr *expr = expr_read(reader);
  reader->is_constant = false;
  if (!expr) return false;
  return expr_number(expr, &none, out, &why) || reader_fail(reader, at, "%s", buf_text(&why));
}

/* lines -------------------------------------------------------------------------------------- */

/* The call that a line belongs to. */
static Test *last_test(Parser *parser)
{
  if (parser->file->tests.count) return &parser->file->tests.at[parser->file->tests.count - 1];
  return reader_none(&parser->reader, parser->reader.at,
                     "no CALL, COMPILE or BENCH stands before it");
}

/* The last THEN of a test, or the test itself. */
static Test *last_launch(Test *test)
{
  while (test && test->then) test = test->then;
  return test;
}

/* Starts a test with the lines collected before it. */
static Test *start_test(Parser *parser, TestKind kind)
{
  Test test = parser->next;
  test.kind = kind;
  test.line = parser->line;
  test.tolerance = parser->tolerance;
  if (!test.name) test.name = trimmed(parser->arena, parser->reader.at, parser->reader.end);
  parser->next = (Test){.name = NULL};
  parser->waits = 0;
  vec_push(parser->arena, &parser->file->tests, test);
  return last_test(parser);
}

/* KERNEL(ARGUMENTS) OPTIONS */
static bool read_launch(Reader *reader, Test *test)
{
  test->kernel = read_kernel(reader);
  if (!test->kernel || !read_args(reader, test)) return false;
  read_options(reader, &test->options);
  return true;
}

static bool read_call_line(Parser *parser)
{
  Test *test = start_test(parser, TEST_CALL);
  return read_launch(&parser->reader, test) && is_done(&parser->reader);
}

/* One more launch for the call before: what follows belongs to it. */
static bool read_then(Parser *parser)
{
  Reader *reader = &parser->reader;
  Test *before = last_test(parser);
  if (!before) return false;
  if (before->kind != TEST_CALL)
    return reader_fail(reader, reader->at, "THEN is one more launch of a CALL");
  if (parser->waits)
    return reader_fail(reader, reader->at, "FOR, NAME, SET and TAGS stand before the CALL");
  before = last_launch(before);
  Test *test = before->then = NEW(parser->arena, Test);
  *test = (Test){.kind = TEST_CALL, .line = parser->line, .tolerance = before->tolerance};
  return read_launch(reader, test) && is_done(reader);
}

static bool read_compile(Parser *parser)
{
  Reader *reader = &parser->reader;
  Test *test = start_test(parser, TEST_COMPILE);
  reader_skip(reader);
  if (reader->at < reader->end && *reader->at != '-' && !(test->kernel = read_kernel(reader)))
    return false;
  read_options(reader, &test->options);
  return is_done(reader);
}

static bool read_bench(Parser *parser)
{
  Reader *reader = &parser->reader;
  const char *start = reader->at;
  bool is_unnamed = !parser->next.name;
  Test *test = start_test(parser, TEST_BENCH);
  if (!read_launch(reader, test)) return false;
  if (is_unnamed) test->name = trimmed(parser->arena, start, reader->at);
  reader_skip(reader);
  if (reader->at == reader->end) return true;
  do {
    reader_skip(reader);
    const char *at = reader->at, *name = reader_name(reader);
    Expr **count = !name                    ? NULL
                   : !strcmp(name, "bytes") ? &test->bytes
                   : !strcmp(name, "flops") ? &test->flops
                                            : NULL;
    if (!count) return reader_fail(reader, at, "expected 'bytes = ...' or 'flops = ...'");
    if (!reader_expect(reader, "=", name) || !(*count = expr_read(reader))) return false;
  } while (reader_accept(reader, ","));
  return is_done(reader);
}

static void add_field(Parser *parser, Expectation *out, const char *field)
{
  out->name = arena_printf(parser->arena, "%s.%s", out->name, field);
  out->target = expr_member(parser->arena, out->target, field);
}

/* Reads P, or a part of it: P.FIELD['FIELD'], P[i, j], P[1:]. */
static bool read_target(Parser *parser, Expectation *out)
{
  Reader *reader = &parser->reader;
  reader_skip(reader);
  const char *at = reader->at;
  out->root = out->name = read_needed_name(reader, "parameter");
  if (!out->name) return false;
  const char *behind = reader->at;
  out->target = expr_postfix(reader, expr_name(parser->arena, out->name));
  if (!out->target) return false;
  if (reader->at > behind) out->name = trimmed(parser->arena, at, reader->at);
  return true;
}

/* Reads {lo: V, in: {a: V}}: the expectation of each part, `result.lo` and so on. */
static bool read_parts(Parser *parser, Test *test, const Expectation *whole)
{
  Reader *reader = &parser->reader;
  do {
    const char *field = read_needed_name(reader, "field");
    if (!field) return false;
    Expectation part = *whole;
    add_field(parser, &part, field);
    if (!reader_expect(reader, ":", "the field's name")) return false;
    if (reader_accept(reader, "{")) {
      if (!read_parts(parser, test, &part)) return false;
      continue;
    }
    if (!test_value_read(reader, &part.value)) return false;
    vec_push(parser->arena, &test->expects, part);
  } while (reader_accept(reader, ","));
  return reader_expect(reader, "}", "the fields");
}

/* "{NAME:" */
static bool is_field_next(const Reader *reader)
{
  Reader ahead = *reader;
  return reader_accept(&ahead, "{") && reader_name(&ahead) && reader_accept(&ahead, ":");
}

static bool read_expect(Parser *parser)
{
  Reader *reader = &parser->reader;
  Test *test = last_launch(last_test(parser));
  if (!test) return false;
  if (test->kind == TEST_COMPILE)
    return reader_fail(reader, reader->at, "what only compiles has no results");
  Expectation expect = {.line = parser->line};
  if (!read_target(parser, &expect)) return false;
  if (!reader_expect(reader, "=", "the parameter's name")) return false;
  reader_skip(reader);
  const char *at = reader->at, *word = reader_name(reader);
  reader_skip(reader);
  expect.is_host = word && !strcmp(word, "host") && reader->at == reader->end;
  if (!expect.is_host) {
    reader->at = at;
    if (!strcmp(expect.name, "result") && is_field_next(reader)) {
      reader_accept(reader, "{");
      return read_parts(parser, test, &expect) && is_done(reader);
    }
    if (!test_value_read(reader, &expect.value)) return false;
  }
  vec_push(parser->arena, &test->expects, expect);
  return is_done(reader);
}

static bool read_text(Parser *parser, bool is_error)
{
  Test *test = last_test(parser);
  if (!test) return false;
  ExpectText text = {parser->line, rest(&parser->reader)};
  if (!*text.text)
    return reader_fail(&parser->reader, parser->reader.at,
                       is_error ? "expected a part of the message"
                                : "expected a line of the output");
  if (is_error) vec_push(parser->arena, &test->errors, text);
  else vec_push(parser->arena, &test->outputs, text);
  return true;
}

static bool read_error(Parser *parser)
{
  return read_text(parser, true);
}

static bool read_output(Parser *parser)
{
  return read_text(parser, false);
}

static bool read_for(Parser *parser)
{
  Reader *reader = &parser->reader;
  TestLoop loop = {.name = NULL};
  loop.name = read_needed_name(reader, "variable");
  if (!loop.name || !reader_expect(reader, "in ", "the variable's name")) return false;
  do {
    LoopItem item = {.is_range = false};
    if (!read_number(reader, &item.lo)) return false;
    item.hi = item.lo;
    reader_skip(reader);
    const char *at = reader->at;
    item.is_range = reader_accept(reader, "..");
    if (item.is_range && !read_number(reader, &item.hi)) return false;
    if (item.is_range && !(item.lo <= item.hi && item.lo >= -0x1p63L && item.hi < 0x1p64L))
      return reader_fail(reader, at,
                         item.lo > item.hi ? "there is nothing in this range"
                                           : "a range is one of 64-bit integers");
    vec_push(parser->arena, &loop.items, item);
  } while (reader_accept(reader, ","));
  vec_push(parser->arena, &parser->next.loops, loop);
  if (!parser->waits) parser->waits = parser->line;
  return is_done(reader);
}

static bool read_set(Parser *parser)
{
  Reader *reader = &parser->reader;
  TestArg set;
  if (!parser->waits) parser->waits = parser->line;
  set.name = read_needed_name(reader, "constant");
  if (!set.name || !reader_expect(reader, "=", "the constant's name") ||
      !test_value_read(reader, &set.value))
    return false;
  vec_push(parser->arena, &parser->next.sets, set);
  return is_done(reader);
}

static bool read_test_name(Parser *parser)
{
  if (!parser->waits) parser->waits = parser->line;
  parser->next.name = rest(&parser->reader);
  if (*parser->next.name) return true;
  return reader_fail(&parser->reader, parser->reader.at, "expected a name");
}

static bool read_tags(Parser *parser)
{
  Reader *reader = &parser->reader;
  if (!parser->waits) parser->waits = parser->line;
  for (reader_skip(reader); reader->at < reader->end; reader_skip(reader)) {
    const char *tag = reader_name(reader);
    if (!tag) return reader_fail(reader, reader->at, "expected a tag: letters, digits and _");
    vec_push(parser->arena, &parser->next.tags, tag);
    reader_accept(reader, ",");
  }
  return parser->next.tags.count || reader_fail(reader, reader->at, "expected a tag");
}

/* T | exact | relative T | absolute T | relative T absolute T */
static bool read_tolerance(Parser *parser)
{
  Reader *reader = &parser->reader;
  Tolerance out = {.is_given = true};
  Wide number;
  reader_skip(reader);
  const char *start = reader->at;
  if (reader_accept(reader, "exact")) out.is_exact = true;
  else if (reader->at < reader->end && (*reader->at == 'r' || *reader->at == 'a')) {
    while (reader_skip(reader), reader->at < reader->end) {
      bool is_relative = reader_accept(reader, "relative ");
      if (!is_relative && !reader_expect(reader, "absolute ", "the tolerance")) return false;
      if (!read_number(reader, &number)) return false;
      *(is_relative ? &out.relative : &out.absolute) = (double)number;
    }
  } else {
    if (!read_number(reader, &number)) return false;
    out.relative = (double)number;
    out.floor = 1;
  }
  if (!(out.relative >= 0 && out.absolute >= 0))
    return reader_fail(reader, start, "a tolerance is not negative");
  if (isinf(out.relative) || isinf(out.absolute))
    return reader_fail(reader, start, "a tolerance is finite: anything is within this one");
  bool is_for_all = !parser->file->tests.count;
  *(is_for_all ? &parser->tolerance : &last_launch(last_test(parser))->tolerance) = out;
  return is_done(reader);
}

/* the file ----------------------------------------------------------------------------------- */

static void report(Parser *parser, const char *line_end)
{
  const Reader *reader = &parser->reader;
  const char *start = parser->line_start;
  TestProblem problem = {parser->line, (uint32_t)(reader->error_at - start) + 1, parser->is_warning,
                         reader->error,
                         arena_strndup(parser->arena, start, (size_t)(line_end - start))};
  vec_push(parser->arena, &parser->file->problems, problem);
}

static const struct {
  const char *spelling;
  bool (*read)(Parser *parser);
} words[] = {
#define TEST_WORD(spelling, reader) {spelling, reader},
#include "test_words.def"
};

/* Reads a line by the word in capitals before its colon. */
static bool read_line(Parser *parser, const char *word, const char *word_at)
{
  enum { SHORTEST = 5 }; /* shorter words resemble each other by chance */
  const char *names[COUNT_OF(words)];
  for (size_t i = 0; i < COUNT_OF(words); ++i) {
    names[i] = words[i].spelling;
    if (!strcmp(word, names[i])) return words[i].read(parser);
  }
  const char *near = strlen(word) < SHORTEST ? NULL : closest(word, names, COUNT_OF(names));
  if (near && strlen(near) < SHORTEST && *near != *word) return true;
  return !near || reader_fail(&parser->reader, word_at,
                              "'%s' starts no test line; did you mean "
                              "'%s'?",
                              word, near);
}

/* Does a text look like the rest of a test line, and not like prose? */
static bool is_like(const char *word, const char *rest)
{
  const char *at = rest;
  while (isalnum((unsigned char)*at) || *at == '_' || *at == '.') ++at;
  while (at > rest && *at == '[' && strchr(at, ']')) { /* x[1].y, x['y'] */
    at = strchr(at, ']') + 1;
    while (isalnum((unsigned char)*at) || *at == '_' || *at == '.') ++at;
  }
  bool is_name = at > rest, is_numeric = isdigit((unsigned char)*rest);
  const char *next = at + strspn(at, " \t");
  if (!strcmp(word, "EXPECT") || !strcmp(word, "SET"))
    return is_name && *next == '=' && next[1] != '=';
  if (!strcmp(word, "CALL") || !strcmp(word, "BENCH") || !strcmp(word, "THEN"))
    return is_name && (*at == '(' || *at == '<');
  if (!strcmp(word, "FOR")) return is_name && next > at && !strncmp(next, "in ", 3);
  if (!strcmp(word, "TOLERANCE"))
    return is_numeric || !strcmp(rest, "exact") || !strncmp(rest, "relative ", 9) ||
           !strncmp(rest, "absolute ", 9);
  if (!strcmp(word, "COMPILE")) return *rest == '-';
  return !strcmp(word, "EXPECT-ERROR") || !strcmp(word, "EXPECT-OUTPUT");
}

/* Reports a line that is nearly a test line: its colon is missing, or its word is in small letters.
 * It would be taken for prose, and its test would check nothing. */
static bool check_prose(Parser *parser, const char *word, const char *end)
{
  const char *rest = end + strspn(end, " \t");
  bool has_colon = *rest == ':', is_exact;
  rest += has_colon;
  rest += strspn(rest, " \t");
  for (size_t i = 0; i < COUNT_OF(words); ++i) {
    const char *spelling = words[i].spelling;
    if (strlen(spelling) != (size_t)(end - word) || strncasecmp(spelling, word, strlen(spelling)))
      continue;
    is_exact = !memcmp(spelling, word, strlen(spelling));
    parser->is_warning = !is_exact;
    if (is_exact && has_colon)
      return reader_fail(&parser->reader, end, "the ':' stands right behind '%s'", spelling);
    if (!is_like(spelling, rest)) return true;
    bool takes_any = !strcmp(spelling, "EXPECT-ERROR") || !strcmp(spelling, "EXPECT-OUTPUT");
    if (takes_any && parser->is_in_prose) return true; /* a sentence that continues here */
    if (is_exact) return reader_fail(&parser->reader, end, "':' is missing behind '%s'", spelling);
    return !has_colon ||
           reader_fail(&parser->reader, word, "'%.*s' starts no test line; did you mean '%s'?",
                       (int)(end - word), word, spelling);
  }
  return true;
}

/* Is the line a comment but no test line? */
static bool is_prose(const char *at, const char *end)
{
  while (at < end && (*at == ' ' || *at == '\t')) ++at;
  if (end - at < 2 || at[0] != '/' || at[1] != '/') return false;
  for (at += 2; at < end && (*at == ' ' || *at == '\t');) ++at;
  const char *word = at;
  while (at < end && (isupper((unsigned char)*at) || *at == '-')) ++at;
  return at == word || at == end || *at != ':';
}

static void parse_line(Parser *parser, const char *start, const char *end)
{
  const char *at = start, *nul = memchr(start, 0, (size_t)(end - start));
  if (nul) end = nul; /* messages show the line up to there */
  while (end > start && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r')) --end;
  while (at < end && (*at == ' ' || *at == '\t')) ++at;
  if (end - at < 2 || at[0] != '/' || at[1] != '/') return;
  for (at += 2; at < end && (*at == ' ' || *at == '\t');) ++at;
  const char *word = at;
  while (at < end && (isalpha((unsigned char)*at) || *at == '-')) ++at;
  if (at == word || at == end) return;
  bool is_capital = *at == ':';
  for (const char *p = word; p < at; ++p) is_capital &= *p == '-' || isupper((unsigned char)*p);
  const char *spelling = arena_strndup(parser->arena, word, (size_t)(at - word));
  const char *text = arena_strndup(parser->arena, start, (size_t)(end - start));
  parser->line_start = text; /* readers need a line that ends with NUL */
  parser->is_warning = false;
  parser->reader =
      (Reader){.arena = parser->arena, .at = text + (at + 1 - start), .end = text + (end - start)};
  bool is_good = is_capital ? read_line(parser, spelling, text + (word - start))
                            : check_prose(parser, text + (word - start), text + (at - start));
  if (!is_good) report(parser, text + (end - start));
}

void test_parse(TestFile *out, Arena *arena, const char *path, const char *text, size_t bytes)
{
  Parser parser = {.arena = arena, .file = out};
  const char *end = text + bytes;
  *out = (TestFile){.path = path};
  while (text < end) {
    const char *line_end = memchr(text, '\n', (size_t)(end - text));
    if (!line_end) line_end = end;
    ++parser.line;
    parse_line(&parser, text, line_end);
    parser.is_in_prose = is_prose(text, line_end);
    text = line_end < end ? line_end + 1 : end;
  }
  if (!parser.waits) return;
  TestProblem problem = {parser.waits, 1, false, "no CALL, COMPILE or BENCH follows", ""};
  vec_push(arena, &out->problems, problem);
}
