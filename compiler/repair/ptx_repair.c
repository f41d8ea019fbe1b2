/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ptx_repair.c - PTX that is wrong, or that ptxas gets wrong, is written another way.
 *
 * needs   c->ptx, PTX of one of the back ends; LTO-IR is left alone
 * gives   c->ptx, the same program
 * keeps   every line but these; found by random programs, with CUDA 13.0 on an H200:
 *
 *   sub.s16, neg.s16, abs.s16   -x of -32768, read as more than 16 bits, is 32768: in 32 bits
 *   min, max of s16, u16, s16x2, u16x2   compared with the constant that it was taken with, is two
 *                      minima that say in one predicate which is the less: each in 32 bits
 *   st.u8, st.b8       of a sum or a conversion to f16 or bf16 is that number as an integer, not
 *                      its lower bits: of a copy
 *   setp.gt.f32        of x * x, |x| or 2^x and a number below 0 is true also for NaN, and likewise
 *                      for the others: the negation of the opposite, which is right
 *   cvt.rn.f32.u32     of a bool: its bits, made 64, are the bool's, and less than 0 it is 0, not
 *                      -0: a choice of 1 and 0
 *   selp.b16, selp.b32 In `a = x - c; y = p ? x : z; b = y - c` of f16 or bf16, ptxas makes one
 *                      instruction for two halves of both differences. It puts y into the register
 *                      of x, so that a is y - c as well. The choice is made by bits: (x ^ z) & mask
 *                      ^ z, which ptxas doesn't put there. So with sums, products and minima
 *   mov.b32 {%rs1,     few bits, copied as 16 and read as 32, have other bits above them, and the
 *                      upper half may be taken for the lower: conversions
 *   min.f16            of a constant and a maximum of another, read as an unsigned number, keeps
 *                      its copy in the upper half of the register: min.f16x2, whose lower half is
 *                      read
 *   mov.b32 %r1, {     of a constant of f16 below 0 and another half may lose the sign where it is
 *                      multiplied: by prmt
 *   abs.s32, abs.s64   is taken for 0 or more in comparisons and divisions, which the lowest number
 *                      is not: a choice of x and -x
 *   max.s32, min.s32   of -x and two others is one instruction of sm_90 that takes x for -x: the
 *                      inner one is a comparison and a choice
 *   abs.f32            of a choice of constants, or of what is made of one, is left out if -0 is
 *                      taken for 0 or more, and its negation if 0 is taken for 0 or less: of bits
 *   bfe.s32            of one or two bytes that are converted to a float as an unsigned number are
 *                      converted as a signed one: by shifts
 *   mul.f32            of a product and 2, 4, 8 or a reciprocal of those is one that is scaled, and
 *                      rounded once: the first is mul.rn.f32
 *   ld.global.nc       libNVVM makes one load of two, one of them of memory that the kernel writes:
 *                      an ordinary load where the address may be one of two parameters'
 *   red, atom          inline PTX of a function whose span may be anything is inlined where it is
 *                      shared memory, and can't know: .shared, which is twice as fast
 *   bar.sync           behind a shuffle of a part of a warp it is there twice, also on the path of
 *                      parts that came late: their warp waits for ever. barrier.sync, which
 *                      ptxas keeps out of that path
 *
 * What the back ends can be kept from making is in llvm_repair.c; what ptxas makes of votes of a
 * part of a warp is put right where they are asked for, in lib/warp.ck (__voted).
 */
#include "repair/repair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is known of the register %fN. */
typedef enum Sign { SIGN_open, SIGN_known } Sign;

/* Where the address in %rdN comes from: a parameter's number is BASE_first and more. BASE_shared is
 * a generic address of shared memory. */
enum { BASE_open, BASE_none, BASE_first, BASE_shared = UINT32_MAX - 1, BASE_mixed };

/* What is known of an integer register that is written once: 0 and 1 are all that it can be. */
typedef enum Bit { BIT_open, BIT_known, BIT_none } Bit;

/* Registers of integers, by their number of bits. */
enum { CLASS_16, CLASS_32, CLASS_64, CLASSES };
static const char *const class_prefix[CLASSES] = {"%rs", "%r", "%rd"};

/* Registers of 16 bits: NVPTX has one kind, libNVVM another for f16. */
enum { HALVES = 2, HALF_open = 1, HALF_below_zero = 0x8000 };
static const char *const half_prefix[HALVES] = {"%rs", "%h"};
static const char *const word_prefix[HALVES] = {"%r", "%hh"}; /* of two halves of that kind */

typedef VEC(uint32_t) Table; /* by the number of a register */

typedef struct Repair {
  Arena *arena;
  Buf out;
  const char *rest; /* of the text: what follows `out` */
  Table signs, bases, bits[CLASSES];
  Table origins[HALVES];      /* of a copy: 1 + the number of what it copies, of the same kind */
  Table words[HALVES];        /* of a half of a word, %rN or %hhN: 1 + the number of the word */
  Table paired[HALVES];       /* operands and results of what ptxas does two of at once */
  Table paired_words[HALVES]; /* those of which a half is so */
  Table halves;               /* %rsN that an instruction for f16 or bf16 has written */
  Table scaled;               /* %fN that is multiplied by what ptxas may scale a product by */
  Table choices;              /* %fN that is a choice of constants, or is made of one */
  Table negations;            /* %rN that is a number's negation */
  Table unsigneds;            /* %rN that is converted to a float as an unsigned number */
  Table constants[HALVES];    /* of registers of 16 bits: the number, or HALF_open */
  bool is_asm;     /* between "// begin inline asm" and its end, where nothing is known */
  bool is_changed; /* more is known of an address than before */
  bool has_parts;  /* parts of a warp shuffle, vote or wait */
} Repair;

/* An operand: a register, a number or an address, up to the comma or the semicolon. */
typedef struct Operand {
  const char *text;
  size_t len;
} Operand;

enum { OPERANDS_MAX = 3 };

typedef struct PtxLine {
  const char *text, *end;
  const char *word, *word_end; /* the instruction; empty: there is none */
  Operand operands[OPERANDS_MAX];
  unsigned count;
} PtxLine;

/* ---- lines, operands ---- */

static bool starts(const char *at, const char *word)
{
  return !strncmp(at, word, strlen(word));
}

static PtxLine read_line(const char *text)
{
  PtxLine line = {.text = text, .end = text + strcspn(text, "\n")};
  line.word = text + strspn(text, " \t");
  line.word_end = line.word + strcspn(line.word, " \t\n");
  const char *at = line.word_end;
  if (line.word == at || strchr("/.@{}$", *line.word)) return line;
  while (at < line.end && line.count < OPERANDS_MAX) {
    at += strspn(at, " \t");
    size_t len = strcspn(at, ",;\n");
    line.operands[line.count++] = (Operand){at, len};
    at += len;
    if (*at != ',') break;
    ++at;
  }
  /* Inline PTX may have more than one instruction in a line: that is left alone. */
  const char *next = memchr(line.text, ';', (size_t)(line.end - line.text));
  if (next && *(next += 1 + strspn(next + 1, " \t")) != '/' && next < line.end) line.count = 0;
  return line;
}

static const char *next_line(const PtxLine *line)
{
  return *line->end ? line->end + 1 : line->end;
}

static bool is_same(Operand a, Operand b)
{
  return a.len == b.len && !memcmp(a.text, b.text, a.len);
}

/* N of `%fN`, for the prefix `%f`; UINT32_MAX: something else. */
static uint32_t number_of(Operand operand, const char *prefix)
{
  enum { NUMBER_MAX = 1u << 24 };
  size_t at = strlen(prefix);
  uint32_t number = 0;
  if (operand.len <= at || !starts(operand.text, prefix)) return UINT32_MAX;
  for (; at < operand.len; ++at) {
    char digit = operand.text[at];
    if (digit < '0' || digit > '9' || number > NUMBER_MAX) return UINT32_MAX;
    number = number * 10 + (uint32_t)(digit - '0');
  }
  return number;
}

static uint32_t get(const Table *table, uint32_t number)
{
  return number < table->count ? table->at[number] : 0;
}

static void set(Repair *repair, Table *table, uint32_t number, uint32_t value)
{
  if (number == UINT32_MAX || (!value && number >= table->count)) return;
  while (table->count <= number) vec_push(repair->arena, table, 0);
  table->at[number] = value;
}

/* Keeps what stands before this line, which is written anew. */
static void replace(Repair *repair, const PtxLine *line)
{
  buf_bytes(&repair->out, repair->rest, (size_t)(line->text - repair->rest));
  repair->rest = next_line(line);
}

/* ---- 16 bits ---- */

/* `neg.s16 %rs2, %rs1;`, `sub.s16 %rs3, %rs1, %rs2;`, `max.u16 %rs2, %rs1, 1;` */
static void widen(Repair *repair, const PtxLine *line)
{
  const Operand *operands = line->operands;
  bool has_other = line->count == 3;
  char type = line->word[4]; /* s or u */
  replace(repair, line);
  buf_printf(&repair->out, "\t{ .reg .b32 wide, other; ");
  for (unsigned i = 1; i < line->count; ++i) {
    const char *name = i == 1 ? "wide" : "other", *text = operands[i].text;
    long number = strtol(text, NULL, 0);
    if (*text == '%')
      buf_printf(&repair->out, "cvt.%c32.%c16 %s, %.*s; ", type, type, name, (int)operands[i].len,
                 text);
    else
      buf_printf(&repair->out, "mov.b32 %s, %d; ", name,
                 type == 's' ? (int16_t)number : (uint16_t)number);
  }
  buf_printf(&repair->out, "%.3s.%c32 wide, wide%s; cvt.u16.u32 %.*s, wide; }\n", line->word, type,
             has_other ? ", other" : "", (int)operands[0].len, operands[0].text);
}

/* `min.u16x2 %r3, %r1, %r2;` */
static void split_pair(Repair *repair, const PtxLine *line)
{
  const Operand *operands = line->operands;
  char type = line->word[4]; /* s or u */
  replace(repair, line);
  buf_puts(&repair->out, "\t{ .reg .b32 low<2>, high<2>;");
  for (unsigned i = 0; i < 2; ++i)
    buf_printf(&repair->out,
               " mov.b32 high%u, %.*s; cvt.%c32.%c16 low%u, high%u; shr.%c32 high%u, high%u, 16;",
               i, (int)operands[i + 1].len, operands[i + 1].text, type, type, i, i, type, i, i);
  buf_printf(&repair->out, " %.3s.%c32 low0, low0, low1; %.3s.%c32 high0, high0, high1;",
             line->word, type, line->word, type);
  buf_printf(&repair->out, " prmt.b32 %.*s, low0, high0, 0x5410; }\n", (int)operands[0].len,
             operands[0].text);
}

/* ---- f16, stored by its lower bits ---- */

static void follow_half(Repair *repair, const PtxLine *line)
{
  bool is_half = false;
  for (const char *at = line->word; line->count && at < line->word_end; ++at)
    is_half |= starts(at, "f16"); /* .f16, .bf16 */
  if (is_half) set(repair, &repair->halves, number_of(line->operands[0], "%rs"), true);
}

/* `st.local.u8 [%rd1], %rs1;`, `@%p1 st.shared.v2.u8 [%rd1], {%rs1, %rs2};` */
static void repair_store(Repair *repair, const PtxLine *line)
{
  const char *word = line->word, *rest = word;
  if (*word == '@') {
    word += strcspn(word, " \t\n");
    word += strspn(word, " \t");
  }
  if (!starts(word, "st.")) return;
  const char *type = word + strcspn(word, " \t\n") - 2;
  if (!strchr("bsu", type[0]) || type[1] != '8') return;
  Buf copies = BUF(repair->arena), store = BUF(repair->arena);
  unsigned count = 0;
  for (const char *at = memchr(word, ']', (size_t)(line->end - word)); at && at < line->end;) {
    Operand value = {at, strcspn(at, ",{}; \t\n")};
    if (get(&repair->halves, number_of(value, "%rs"))) {
      buf_printf(&copies, "mov.b16 part%u, %.*s; ", count, (int)value.len, value.text);
      buf_printf(&store, "%.*spart%u", (int)(at - rest), rest, count++);
      rest = at + value.len;
    }
    at += value.len ? value.len : 1;
  }
  if (!count) return;
  replace(repair, line);
  buf_printf(&repair->out, "\t{ .reg .b16 part<4>; %s%s%.*s }\n", buf_text(&copies),
             buf_text(&store), (int)(line->end - rest), rest);
}

/* `min.f16 %rs3, %rs1, %rs2;` */
static void repair_minimum(Repair *repair, const PtxLine *line)
{
  static const char word[] = "min.f16";
  const Operand *operands = line->operands;
  if (!starts(line->word, word) || line->word + sizeof word - 1 != line->word_end) return;
  if (line->count != 3) return;
  replace(repair, line);
  buf_puts(&repair->out, "\t{ .reg .b32 pair<2>;");
  for (unsigned i = 0; i < 2; ++i)
    buf_printf(&repair->out, " mov.b32 pair%u, {%.*s, %.*s};", i, (int)operands[i + 1].len,
               operands[i + 1].text, (int)operands[i + 1].len, operands[i + 1].text);
  buf_printf(&repair->out, " min.f16x2 pair0, pair0, pair1; cvt.u16.u32 %.*s, pair0; }\n",
             (int)operands[0].len, operands[0].text);
}

/* The operands of `mov.b32 {%rs1, %rs2}, %r1;`; what follows them, or NULL: something else. */
static const char *read_halves(const char *at, Operand halves[3])
{
  for (unsigned i = 0; i < 3; ++i) {
    at += strspn(at, " \t");
    if (i < 2 && *at++ != "{,"[i]) return NULL;
    at += strspn(at, " \t");
    halves[i] = (Operand){at, strcspn(at, "{},; \t\n")};
    at += halves[i].len;
    if (i == 1 && (*at++ != '}' || *at++ != ',')) return NULL;
  }
  return *halves[2].text == '%' && *at == ';' ? at + 1 : NULL;
}

/* Both, or one, as `{ .reg .b16 tmp; mov.b32 {tmp, %rs2}, %r1; }`: the other has no use. */
static void repair_half(Repair *repair, const PtxLine *line)
{
  static const char open[] = "{ .reg .b16 tmp; ", close[] = " }";
  bool is_alone = *line->word != '{';
  const char *at = line->word + (is_alone || !starts(line->word, open) ? 0 : sizeof open - 1);
  if (!starts(at, "mov.b32")) return;
  Operand halves[3];
  at = read_halves(at + sizeof "mov.b32" - 1, halves);
  if (at && !is_alone) at = starts(at, close) ? at + sizeof close - 1 : NULL;
  bool has_low = at && number_of(halves[0], "%rs") != UINT32_MAX,
       has_high = at && number_of(halves[1], "%rs") != UINT32_MAX;
  if (at && number_of(halves[2], "%r") == UINT32_MAX) return;
  if (at != line->end || (!has_low && !has_high)) return;
  replace(repair, line);
  if (has_low)
    buf_printf(&repair->out, "\tcvt.u16.u32 %.*s, %.*s;\n", (int)halves[0].len, halves[0].text,
               (int)halves[2].len, halves[2].text);
  if (has_high)
    buf_printf(&repair->out,
               "\t{ .reg .b32 high; shr.u32 high, %.*s, 16; cvt.u16.u32 %.*s, high; }\n",
               (int)halves[2].len, halves[2].text, (int)halves[1].len, halves[1].text);
}

/* ---- choices of halves ---- */

/* Where this line does sums, products and minima of single halves, as `sub.rn.bf16 %rs3, %rs1,
 * %rs2;` in a line of inline PTX that may have more than one instruction. */
static bool has_half_arithmetic(const PtxLine *line)
{
  static const char *const words[] = {"add.", "sub.", "mul.", "fma.", "min.", "max.", "neg."};
  const char *word = line->word;
  for (const char *at = line->word; at < line->end; ++at) {
    if (strchr(" \t;{", *at)) word = at + 1;
    bool is_half = starts(at, "f16") && at > word && strchr(".b", at[-1]) && strchr(" \t", at[3]);
    for (size_t i = 0; is_half && i < COUNT_OF(words); ++i)
      if (starts(word, words[i])) return true;
  }
  return false;
}

/* Marks a half, what it is a copy of, and the word that it is a part of. */
static void set_paired(Repair *repair, unsigned kind, uint32_t half)
{
  while (half != UINT32_MAX && !get(&repair->paired[kind], half)) {
    set(repair, &repair->paired[kind], half, true);
    set(repair, &repair->paired_words[kind], get(&repair->words[kind], half) - 1, true);
    half = get(&repair->origins[kind], half) - 1;
  }
}

static void follow_paired(Repair *repair, const PtxLine *line)
{
  if (!has_half_arithmetic(line)) return;
  for (const char *at = line->word; at < line->end; ++at) {
    Operand operand = {at, strcspn(at, ",{}; \t\n")};
    for (unsigned kind = 0; kind < HALVES && *at == '%'; ++kind)
      set_paired(repair, kind, number_of(operand, half_prefix[kind]));
  }
}

static void set_origin(Repair *repair, Operand half, Operand source)
{
  for (unsigned kind = 0; kind < HALVES; ++kind) {
    uint32_t number = number_of(half, half_prefix[kind]);
    if (number == UINT32_MAX) continue;
    set(repair, &repair->origins[kind], number, number_of(source, half_prefix[kind]) + 1);
    set(repair, &repair->words[kind], number, number_of(source, word_prefix[kind]) + 1);
  }
}

/* `mov.u16 %rs2, %rs1;`, `cvt.u16.u32 %rs1, %r1;` and, in a line of others, `mov.b32 {%rs1, tmp},
 * %r1;` */
static void follow_origin(Repair *repair, const PtxLine *line)
{
  static const char split[] = "mov.b32";
  const char *at = line->word;
  while (at < line->end && !starts(at, split)) ++at;
  Operand halves[3];
  if (at < line->end && read_halves(at + sizeof split - 1, halves)) {
    set_origin(repair, halves[0], halves[2]);
    set_origin(repair, halves[1], halves[2]);
  } else if (line->count == 2 &&
             (starts(line->word, "mov.") || starts(line->word, "cvt.u16.u32"))) {
    set_origin(repair, line->operands[0], line->operands[1]);
  }
}

/* `selp.b16 %rs3, %rs1, %rs2, %p1;` */
static void repair_choice(Repair *repair, const PtxLine *line)
{
  bool is_half = starts(line->word, "selp.b16"), is_word = starts(line->word, "selp.b32");
  if ((!is_half && !is_word) || line->count != 3) return;
  unsigned paired = 0; /* a bit for each operand */
  for (unsigned i = 0; i < 3; ++i) {
    Operand operand = line->operands[i];
    bool is_paired = false;
    for (unsigned kind = 0; kind < HALVES; ++kind)
      is_paired |= is_half
                       ? get(&repair->paired[kind], number_of(operand, half_prefix[kind]))
                       : get(&repair->paired_words[kind], number_of(operand, word_prefix[kind]));
    paired |= (unsigned)is_paired << i;
  }
  if (!(paired & 1) || paired == 1) return;
  const Operand *o = line->operands;
  const char *bits = is_half ? "16" : "32", *test = o[2].text + o[2].len;
  replace(repair, line);
  buf_printf(&repair->out, "\t{ .reg .b%s mask, both; selp.b%s mask, -1, 0%.*s", bits, bits,
             (int)(line->end - test), test);
  buf_printf(&repair->out, " xor.b%s both, %.*s, %.*s; and.b%s both, both, mask;", bits,
             (int)o[1].len, o[1].text, (int)o[2].len, o[2].text, bits);
  buf_printf(&repair->out, " xor.b%s %.*s, both, %.*s; }\n", bits, (int)o[0].len, o[0].text,
             (int)o[2].len, o[2].text);
}

/* ---- two halves, one of them a constant ---- */

/* Where the results of an instruction end; of several instructions in braces, all that is there. */
static const char *results_end(const PtxLine *line)
{
  int depth = 0;
  const char *at = line->word;
  for (; at < line->end && (*at != ',' || depth); ++at) depth += (*at == '{') - (*at == '}');
  return at;
}

/* `mov.b16 %h1, 0xC700;` or `mov.u16 %rs1, -7;`, of a register that is written once. */
static void follow_constant(Repair *repair, const PtxLine *line)
{
  bool is_move = starts(line->word, "mov.b16") || starts(line->word, "mov.u16");
  bool is_number = is_move && line->count == 2 && !strchr("%{", *line->operands[1].text);
  uint16_t number = is_number ? (uint16_t)strtol(line->operands[1].text, NULL, 0) : 0;
  for (const char *at = line->word, *end = results_end(line); at < end; ++at) {
    Operand result = {at, strcspn(at, ",{}; \t\n")};
    for (unsigned i = 0; i < HALVES && *at == '%'; ++i) {
      uint32_t half = number_of(result, half_prefix[i]);
      bool is_first = !get(&repair->constants[i], half);
      set(repair, &repair->constants[i], half, is_first && number ? number : (uint32_t)HALF_open);
    }
  }
}

static uint32_t constant_of(const Repair *repair, Operand operand)
{
  for (unsigned i = 0; i < HALVES; ++i) {
    uint32_t found = get(&repair->constants[i], number_of(operand, half_prefix[i]));
    if (found >= HALF_below_zero) return found;
  }
  return 0;
}

/* `mov.b32 %hh1, {%h1, %h2};` */
static void repair_pair(Repair *repair, const PtxLine *line)
{
  if (!starts(line->word, "mov.b32") || line->count != 3 || *line->operands[1].text != '{') return;
  Operand result = line->operands[0], halves[2] = {line->operands[1], line->operands[2]};
  ++halves[0].text, --halves[0].len;
  halves[1].len = strcspn(halves[1].text, "}");
  uint32_t low = constant_of(repair, halves[0]), high = constant_of(repair, halves[1]);
  if (!low && !high) return;
  Operand other = halves[low ? 1 : 0];
  replace(repair, line);
  if (low && high)
    buf_printf(&repair->out, "\tmov.b32 %.*s, 0x%x;\n", (int)result.len, result.text,
               high << 16 | low);
  else
    buf_printf(&repair->out,
               "\t{ .reg .b32 both; mov.b32 both, {%.*s, %.*s}; prmt.b32 %.*s, both, %u, %s; }\n",
               (int)other.len, other.text, (int)other.len, other.text, (int)result.len, result.text,
               low ? low : high, low ? "0x1054" : "0x5410");
}

/* ---- products ---- */

/* What `FMUL.D2`, `FMUL.M4` and so on multiply by. */
static bool is_scale(Operand operand)
{
  static const char *const numbers[] = {"0f3E000000", "0f3E800000", "0f3F000000",
                                        "0f40000000", "0f40800000", "0f41000000"};
  for (size_t i = 0; i < COUNT_OF(numbers); ++i)
    if (operand.len == strlen(numbers[i]) && starts(operand.text, numbers[i])) return true;
  return false;
}

static void follow_scale(Repair *repair, const PtxLine *line)
{
  if (line->count != 3 || !starts(line->word, "mul.")) return;
  for (unsigned i = 1; i < line->count; ++i)
    if (is_scale(line->operands[3 - i]))
      set(repair, &repair->scaled, number_of(line->operands[i], "%f"), true);
}

static void repair_product(Repair *repair, const PtxLine *line)
{
  static const char word[] = "mul.f32";
  if (!starts(line->word, word) || !get(&repair->scaled, number_of(line->operands[0], "%f")))
    return;
  const char *after = line->word + sizeof word - 1;
  replace(repair, line);
  buf_printf(&repair->out, "\tmul.rn.f32%.*s\n", (int)(line->end - after), after);
}

/* ---- absolute values ---- */

/* `abs.s32 %r2, %r1;`, `abs.s64 %rd2, %rd1;` */
static void repair_distance(Repair *repair, const PtxLine *line)
{
  const char *type = line->word + sizeof "abs." - 1;
  Operand to = line->operands[0], from = line->operands[1];
  if (line->count != 2 || (!starts(type, "s32") && !starts(type, "s64"))) return;
  replace(repair, line);
  buf_printf(&repair->out, "\t{ .reg .pred below; .reg .b%.2s other; setp.lt.%.3s below, %.*s, 0; ",
             type + 1, type, (int)from.len, from.text);
  buf_printf(&repair->out, "neg.%.3s other, %.*s; selp.b%.2s %.*s, other, %.*s, below; }\n", type,
             (int)from.len, from.text, type + 1, (int)to.len, to.text, (int)from.len, from.text);
}

/* `neg.s32 %r2, %r1;`, `sub.s32 %r2, 0, %r1;`, and copies of them. */
static void follow_negation(Repair *repair, const PtxLine *line)
{
  const Operand *operands = line->operands;
  bool is_negation = starts(line->word, "neg.s32");
  if (line->count == 2 && starts(line->word, "mov."))
    is_negation = get(&repair->negations, number_of(operands[1], "%r")) != 0;
  if (line->count == 3 && starts(line->word, "sub.s32"))
    is_negation = operands[1].len == 1 && *operands[1].text == '0';
  if (is_negation) set(repair, &repair->negations, number_of(operands[0], "%r"), true);
}

/* `max.s32 %r3, %r1, %r2;`, `min.s32 %r3, %r1, %r2;` */
static void repair_order(Repair *repair, const PtxLine *line)
{
  Operand to = line->operands[0], a = line->operands[1], b = line->operands[2];
  bool is_max = starts(line->word, "max.s32");
  if (line->count != 3 || (!is_max && !starts(line->word, "min.s32"))) return;
  if (!get(&repair->negations, number_of(a, "%r")) && !get(&repair->negations, number_of(b, "%r")))
    return;
  replace(repair, line);
  buf_printf(&repair->out,
             "\t{ .reg .pred first; setp.%s.s32 first, %.*s, %.*s; "
             "selp.b32 %.*s, %.*s, %.*s, first; }\n",
             is_max ? "gt" : "lt", (int)a.len, a.text, (int)b.len, b.text, (int)to.len, to.text,
             (int)a.len, a.text, (int)b.len, b.text);
}

static bool ends_in_f32(const PtxLine *line)
{
  return line->word_end - line->word > 4 && starts(line->word_end - 4, ".f32");
}

/* `selp.f32 %f1, 0fC1800000, 0f00000000, %p1;` and what is computed from it. */
static void follow_choice(Repair *repair, const PtxLine *line)
{
  if (line->count < 2 || !ends_in_f32(line)) return;
  bool is_choice = false, is_selected = starts(line->word, "selp.");
  for (unsigned i = 1; i < line->count; ++i) {
    Operand operand = line->operands[i];
    is_choice |= is_selected && starts(operand.text, "0f");
    is_choice |= get(&repair->choices, number_of(operand, "%f")) != 0;
  }
  if (is_choice) set(repair, &repair->choices, number_of(line->operands[0], "%f"), true);
}

/* `abs.f32 %f2, %f1;` */
static void repair_magnitude(Repair *repair, const PtxLine *line)
{
  Operand to = line->operands[0], from = line->operands[1];
  if (line->count != 2 || !ends_in_f32(line) || !get(&repair->choices, number_of(from, "%f")))
    return;
  replace(repair, line);
  buf_printf(&repair->out,
             "\t{ .reg .b32 bits; mov.b32 bits, %.*s; and.b32 bits, bits, 0x7fffffff; "
             "mov.b32 %.*s, bits; }\n",
             (int)from.len, from.text, (int)to.len, to.text);
}

/* ---- signed bytes as unsigned numbers ---- */

/* `cvt.rn.f32.u32 %f1, %r1;` */
static void follow_unsigned(Repair *repair, const PtxLine *line)
{
  bool is_unsigned = line->word_end - line->word > 4 && starts(line->word_end - 4, ".u32");
  if (line->count == 2 && is_unsigned && starts(line->word, "cvt.r"))
    set(repair, &repair->unsigneds, number_of(line->operands[1], "%r"), true);
}

/* `bfe.s32 %r2, %r1, 8, 8;` */
static void repair_field(Repair *repair, const PtxLine *line)
{
  enum { BITS = 32 };
  Operand to = line->operands[0], from = line->operands[1];
  if (line->count != 3 || !starts(line->word, "bfe.s32")) return;
  if (!get(&repair->unsigneds, number_of(to, "%r"))) return;
  unsigned first = 0, count = 0;
  if (sscanf(line->operands[2].text, "%u, %u;", &first, &count) != 2) return;
  if (!count || first + count > BITS) return;
  replace(repair, line);
  buf_printf(&repair->out,
             "\t{ .reg .b32 field; shl.b32 field, %.*s, %u; shr.s32 %.*s, field, %u; }\n",
             (int)from.len, from.text, BITS - first - count, (int)to.len, to.text, BITS - count);
}

/* ---- bools ---- */

/* NULL: no register of integers. */
static Table *bits_of(Repair *repair, Operand operand, uint32_t *out_number, unsigned *out_class)
{
  for (unsigned i = 0; i < CLASSES; ++i) {
    *out_number = number_of(operand, class_prefix[i]);
    if (*out_number == UINT32_MAX) continue;
    *out_class = i;
    return &repair->bits[i];
  }
  return NULL;
}

static bool is_bit(Repair *repair, Operand operand)
{
  uint32_t number;
  unsigned class;
  if (operand.len == 1 && (*operand.text == '0' || *operand.text == '1')) return true;
  const Table *bits = bits_of(repair, operand, &number, &class);
  return bits && get(bits, number) == BIT_known;
}

static bool makes_bit(Repair *repair, const PtxLine *line)
{
  const char *word = line->word;
  const Operand *operands = line->operands;
  if (repair->is_asm || line->count < 2) return false;
  bool first = is_bit(repair, operands[1]),
       second = line->count == 3 && is_bit(repair, operands[2]);
  if (line->count == 2) return first && (starts(word, "mov.") || starts(word, "cvt."));
  if (starts(word, "and.")) return first || second;
  return first && second && (starts(word, "selp.") || starts(word, "or.") || starts(word, "xor."));
}

static void follow_bit(Repair *repair, const PtxLine *line)
{
  uint32_t number;
  unsigned class;
  Table *bits = line->count ? bits_of(repair, line->operands[0], &number, &class) : NULL;
  if (!bits) return;
  bool is_first = get(bits, number) == BIT_open;
  set(repair, bits, number, is_first && makes_bit(repair, line) ? BIT_known : BIT_none);
}

/* `cvt.rn.f32.u32 %f1, %r1;` in whatever direction it rounds. */
static void repair_conversion(Repair *repair, const PtxLine *line)
{
  static const struct {
    const char *name, *type, *one, *zero;
  } floats[] = {{".f16.", "b16", "0x3C00", "0x0000"},
                {".bf16.", "b16", "0x3F80", "0x0000"},
                {".f32.", "f32", "0f3F800000", "0f00000000"},
                {".f64.", "f64", "0d3FF0000000000000", "0d0000000000000000"}};
  uint32_t number;
  unsigned class;
  const Operand *operands = line->operands;
  if (line->count != 2 || !is_bit(repair, operands[1])) return;
  if (!bits_of(repair, operands[1], &number, &class)) return;
  for (size_t i = 0; i < COUNT_OF(floats); ++i) {
    const char *to = strstr(line->word, floats[i].name);
    const char *from = to ? to + strlen(floats[i].name) : NULL;
    if (!from || from >= line->word_end || (*from != 'u' && *from != 's')) continue;
    replace(repair, line);
    buf_printf(&repair->out,
               "\t{ .reg .pred one; setp.ne.b%u one, %.*s, 0; selp.%s %.*s, %s, %s, one; }\n",
               16u << class, (int)operands[1].len, operands[1].text, floats[i].type,
               (int)operands[0].len, operands[0].text, floats[i].one, floats[i].zero);
    return;
  }
}

/* ---- signs ---- */

static Sign sign_of(const Repair *repair, Operand operand)
{
  return (Sign)get(&repair->signs, number_of(operand, "%f"));
}

/* What ptxas knows of an instruction's result. */
static Sign sign_made(const Repair *repair, const PtxLine *line)
{
  const Operand *operands = line->operands;
  bool is_product = line->count == 3 && starts(line->word, "mul.");
  if (is_product && is_same(operands[1], operands[2])) return SIGN_known;
  if (starts(line->word, "abs.") || starts(line->word, "ex2.")) return SIGN_known;
  bool is_passed_on = starts(line->word, "mov.") || starts(line->word, "neg.");
  return line->count == 2 && is_passed_on ? sign_of(repair, operands[1]) : SIGN_open;
}

/* Of `setp.XX.f32 %p1, %f1, %f2;`: the comparison that is true where this one is not; NULL: ptxas
 * has no idea of its own. */
static const char *opposite(const Repair *repair, const PtxLine *line)
{
  static const char *const words[][2] = {
      {"gt", "leu"}, {"ge", "ltu"}, {"lt", "geu"}, {"le", "gtu"}};
  const char *test = line->word + sizeof "setp." - 1;
  if (line->count != 3 || (sign_of(repair, line->operands[1]) == SIGN_open &&
                           sign_of(repair, line->operands[2]) == SIGN_open))
    return NULL;
  for (size_t i = 0; i < COUNT_OF(words); ++i)
    if (starts(test, words[i][0]) && test[2] == '.') return words[i][1];
  return NULL;
}

static void repair_test(Repair *repair, const PtxLine *line)
{
  const char *word = opposite(repair, line);
  if (!word) return;
  Operand result = line->operands[0];
  const char *type = strchr(line->word + sizeof "setp." - 1, '.');
  replace(repair, line);
  buf_printf(&repair->out, "\tsetp.%s%.*s\n\tnot.pred %.*s, %.*s;\n", word, (int)(line->end - type),
             type, (int)result.len, result.text, (int)result.len, result.text);
}

/* ---- addresses ---- */

static uint32_t merged(uint32_t a, uint32_t b)
{
  if (a == b || b == BASE_open) return a;
  return a == BASE_open ? b : BASE_mixed;
}

static uint32_t base_of(const Repair *repair, Operand operand)
{
  uint32_t number = number_of(operand, "%rd");
  return number == UINT32_MAX ? BASE_open : get(&repair->bases, number);
}

static uint32_t base_made(const Repair *repair, const PtxLine *line, uint32_t number)
{
  const Operand *operands = line->operands;
  if (starts(line->word, "ld.param.")) return BASE_first + number;
  uint32_t a = base_of(repair, operands[1]);
  uint32_t b = line->count == 3 ? base_of(repair, operands[2]) : BASE_open;
  if (starts(line->word, "cvta.shared.")) return BASE_shared;
  if (starts(line->word, "cvta.") || starts(line->word, "mov.")) return a;
  if (starts(line->word, "selp.")) return merged(a, b);
  bool is_moved = starts(line->word, "add.") || starts(line->word, "sub.") ||
                  starts(line->word, "and.") || starts(line->word, "or.");
  if (!is_moved) return BASE_none;
  return a >= BASE_first ? a : b >= BASE_first ? b : BASE_none;
}

static void follow_address(Repair *repair, const PtxLine *line)
{
  uint32_t number = line->count >= 2 ? number_of(line->operands[0], "%rd") : UINT32_MAX;
  if (number == UINT32_MAX) return;
  uint32_t old = get(&repair->bases, number);
  uint32_t base = merged(old, base_made(repair, line, number));
  if (base == old) return;
  repair->is_changed = true;
  set(repair, &repair->bases, number, base);
}

/* `red.relaxed.cta.add.u32 [%rd1], %r1;` and `atom...` */
static void repair_atomic(Repair *repair, const PtxLine *line)
{
  static const char *const scopes[] = {".cta.", ".gpu.", ".sys.", ".cluster."};
  const char *scope_end = NULL, *open = memchr(line->text, '[', (size_t)(line->end - line->text));
  if (!open) return;
  Operand address = {open + 1, strcspn(open + 1, "+]\n")};
  if (base_of(repair, address) != BASE_shared || address.text[address.len] != ']') return;
  for (size_t i = 0; i < COUNT_OF(scopes) && !scope_end; ++i) {
    const char *scope = strstr(line->word, scopes[i]);
    if (scope && scope < line->word_end) scope_end = scope + strlen(scopes[i]) - 1;
  }
  if (!scope_end || starts(scope_end, ".shared") || starts(scope_end, ".global")) return;
  const char *after = address.text + address.len + 1;
  replace(repair, line);
  buf_printf(&repair->out,
             "\t{ .reg .b64 there; cvta.to.shared.u64 there, %.*s; %.*s.shared%.*s[there]%.*s }\n",
             (int)address.len, address.text, (int)(scope_end - line->word), line->word,
             (int)(open - scope_end), scope_end, (int)(line->end - after), after);
}

/* `ld.global.nc.f32 %f1, [%rd1+4];` */
static void repair_load(Repair *repair, const PtxLine *line)
{
  const char *open = memchr(line->text, '[', (size_t)(line->end - line->text));
  if (!open) return;
  Operand address = {open + 1, strcspn(open + 1, "+]\n")};
  if (base_of(repair, address) != BASE_mixed) return;
  const char *after = line->word + sizeof "ld.global.nc" - 1;
  replace(repair, line);
  buf_printf(&repair->out, "\tld.global%.*s\n", (int)(line->end - after), after);
}

/* ---- barriers ---- */

/* `shfl.sync.idx.b32 %r1, %r2, 3, 6151, %r4;`: who takes part stands last, -1 is the whole warp. */
static bool is_of_part(const PtxLine *line)
{
  static const char *const words[] = {"shfl.sync.",      "vote.sync.",  "match.any.sync.",
                                      "match.all.sync.", "redux.sync.", "bar.warp.sync"};
  for (size_t i = 0; i < COUNT_OF(words); ++i) {
    if (!starts(line->word, words[i])) continue;
    const char *mask = line->end;
    while (mask > line->word_end && !strchr(", \t", mask[-1])) --mask;
    return !starts(mask, "-1;") && !starts(mask, "0xffffffff;");
  }
  return false;
}

/* `bar.sync 0;`, `bar.red.popc.u32 %r1, 0, %p1;` and so on, not `bar.warp.sync -1;` */
static void repair_barrier(Repair *repair, const PtxLine *line)
{
  if (!repair->has_parts || starts(line->word, "bar.warp.")) return;
  const char *after = line->word + sizeof "bar" - 1;
  replace(repair, line);
  buf_printf(&repair->out, "\tbarrier%.*s\n", (int)(line->end - after), after);
}

/* ---- the text ---- */

static bool is_pair(const PtxLine *line)
{
  bool is_order = starts(line->word, "min.") || starts(line->word, "max.");
  return is_order && line->count == 3 && line->word_end - line->word == sizeof "min.u16x2" - 1 &&
         (starts(line->word + 4, "u16x2") || starts(line->word + 4, "s16x2"));
}

static bool is_narrow(const PtxLine *line)
{
  static const char *const words[] = {"neg.s16", "abs.s16", "sub.s16", "min.s16",
                                      "max.s16", "min.u16", "max.u16"};
  if (line->word_end - line->word != sizeof "neg.s16" - 1) return false;
  for (size_t i = 0; i < COUNT_OF(words); ++i)
    if (starts(line->word, words[i])) return line->count == (i < 2 ? 2 : 3);
  return false;
}

static void repair_line(Repair *repair, const PtxLine *line)
{
  if (is_narrow(line)) widen(repair, line);
  else if (is_pair(line)) split_pair(repair, line);
  repair_half(repair, line);
  repair_pair(repair, line);
  repair_minimum(repair, line);
  repair_choice(repair, line);
  repair_store(repair, line);
  repair_product(repair, line);
  if (starts(line->word, "cvt.")) repair_conversion(repair, line);
  if (starts(line->word, "bfe.")) repair_field(repair, line);
  if (starts(line->word, "max.") || starts(line->word, "min.")) repair_order(repair, line);
  if (starts(line->word, "abs.s")) repair_distance(repair, line);
  if (starts(line->word, "abs.f")) repair_magnitude(repair, line);
  if (starts(line->word, "ld.global.nc.")) repair_load(repair, line);
  if (starts(line->word, "bar.")) repair_barrier(repair, line);
  if (starts(line->word, "red.") || starts(line->word, "atom.")) repair_atomic(repair, line);
  if (!line->count || !ends_in_f32(line)) return;
  if (starts(line->word, "setp.")) repair_test(repair, line);
  else set(repair, &repair->signs, number_of(line->operands[0], "%f"), sign_made(repair, line));
}

static void follow(Repair *repair, const PtxLine *line, unsigned round)
{
  if (starts(line->word, "// begin inline asm")) repair->is_asm = true;
  if (starts(line->word, "// end inline asm")) repair->is_asm = false;
  follow_address(repair, line);
  if (round) return;
  follow_bit(repair, line);
  follow_half(repair, line);
  follow_origin(repair, line);
  follow_paired(repair, line);
  follow_constant(repair, line);
  follow_scale(repair, line);
  follow_choice(repair, line);
  follow_unsigned(repair, line);
  follow_negation(repair, line);
  repair->has_parts = repair->has_parts || is_of_part(line);
}

/* Each function has its own registers. Addresses are followed until no more is known: a loop's come
 * from below. Each can change twice. */
static const char *repair_function(Repair *repair, const char *body)
{
  repair->signs.count = repair->bases.count = repair->halves.count = repair->scaled.count = 0;
  repair->choices.count = repair->unsigneds.count = repair->negations.count = 0;
  for (unsigned i = 0; i < HALVES; ++i) {
    repair->paired_words[i].count = 0;
    repair->constants[i].count = repair->origins[i].count = 0;
    repair->words[i].count = repair->paired[i].count = 0;
  }
  for (unsigned i = 0; i < CLASSES; ++i) repair->bits[i].count = 0;
  const char *at = body;
  repair->is_changed = true;
  repair->has_parts = false;
  for (unsigned round = 0; repair->is_changed; ++round) {
    repair->is_changed = false;
    for (at = body; *at && *at != '}';) {
      PtxLine line = read_line(at);
      follow(repair, &line, round);
      at = next_line(&line);
    }
  }
  for (at = body; *at && *at != '}';) {
    PtxLine line = read_line(at);
    repair_line(repair, &line);
    at = next_line(&line);
  }
  return at;
}

bool pass_repair(Session *c)
{
  if (c->options.emit == CK_EMIT_LTOIR) return true;
  const char *at = buf_text(&c->ptx);
  Repair repair = {.arena = &c->scratch, .out = BUF(c->unit), .rest = at};
  while (*at) {
    bool is_body = *at == '{';
    at += strcspn(at, "\n");
    if (*at) ++at;
    if (is_body) at = repair_function(&repair, at);
  }
  if (!repair.out.len) return true;
  buf_puts(&repair.out, repair.rest);
  c->ptx = repair.out;
  return true;
}
