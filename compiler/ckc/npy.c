/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* npy.c - reads and writes NumPy's array files, versions 1 to 3.
 *
 *     "\x93NUMPY" 1 0 len | {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), } | elements
 *
 * The file is mapped into memory, so that arrays larger than the machine's memory can be read.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run.h"

enum { MAGIC_BYTES = 6, ALIGNMENT = 64 };
static const char magic[] = "\x93NUMPY";

static const char *const descrs[] = {
#define CK_DTYPE(name, value, bytes, npy) [CK_##name] = npy,
#include "ck/dtypes.def"
};

bool shape_is_same(const Shape *a, const Shape *b)
{
  return a->rank == b->rank && !memcmp(a->at, b->at, a->rank * sizeof *a->at);
}

bool shape_set_count(Shape *shape)
{
  shape->count = 1;
  for (uint32_t i = 0; i < shape->rank; ++i)
    if (__builtin_mul_overflow(shape->count, shape->at[i], &shape->count)) return false;
  return shape->count <= INT64_MAX / sizeof(double);
}

const char *shape_text(Arena *arena, const Shape *shape)
{
  Buf text = BUF(arena);
  for (uint32_t i = 0; i < shape->rank; ++i)
    buf_printf(&text, "%s%llu", i ? "x" : "", (unsigned long long)shape->at[i]);
  return shape->rank ? buf_text(&text) : "1";
}

/* the header --------------------------------------------------------------------------------- */

/* A reader of the dictionary. */
typedef struct Cursor {
  const char *at, *end;
} Cursor;

static bool skip(Cursor *cursor, char c)
{
  while (cursor->at < cursor->end && strchr(" \t\n", *cursor->at)) ++cursor->at;
  if (cursor->at == cursor->end || *cursor->at != c) return false;
  ++cursor->at;
  return true;
}

/* 'text' or "text". */
static bool read_string(Cursor *cursor, const char **out_text, size_t *out_len)
{
  char quote = skip(cursor, '\'') ? '\'' : skip(cursor, '"') ? '"' : 0;
  const char *end = quote ? memchr(cursor->at, quote, (size_t)(cursor->end - cursor->at)) : NULL;
  if (!end) return false;
  *out_text = cursor->at;
  *out_len = (size_t)(end - cursor->at);
  cursor->at = end + 1;
  return true;
}

static bool read_word(Cursor *cursor, const char *word)
{
  size_t len = strlen(word);
  while (skip(cursor, ' ')) continue;
  if ((size_t)(cursor->end - cursor->at) < len || memcmp(cursor->at, word, len)) return false;
  cursor->at += len;
  return true;
}

static bool read_count(Cursor *cursor, uint64_t *out)
{
  const char *start;
  while (skip(cursor, ' ')) continue;
  for (start = cursor->at, *out = 0; cursor->at < cursor->end; ++cursor->at) {
    if (*cursor->at < '0' || *cursor->at > '9') break;
    if (__builtin_mul_overflow(*out, 10, out)) return false;
    if (__builtin_add_overflow(*out, (uint64_t)(*cursor->at - '0'), out)) return false;
  }
  return cursor->at > start;
}

static bool read_shape(Cursor *cursor, Shape *out)
{
  *out = (Shape){.rank = 0};
  if (!skip(cursor, '(')) return false;
  while (!skip(cursor, ')')) {
    uint64_t extent;
    if (!read_count(cursor, &extent)) return false;
    if (out->rank == EXTENTS_MAX) return false;
    out->at[out->rank++] = extent;
    if (!skip(cursor, ',') && (cursor->at == cursor->end || *cursor->at != ')')) return false;
  }
  return true;
}

typedef struct Header {
  const char *descr; /* a type's, or "[...]" of structs */
  size_t descr_len;
  bool is_fortran;
  Shape shape;
} Header;

/* "[('x', '<f4'), ...]", of structs: up to its bracket. */
static bool read_fields(Cursor *cursor, const char **out_text, size_t *out_len)
{
  int depth = 1;
  if (!skip(cursor, '[')) return false;
  for (*out_text = cursor->at - 1; depth && cursor->at < cursor->end; ++cursor->at)
    depth += (*cursor->at == '[') - (*cursor->at == ']');
  *out_len = (size_t)(cursor->at - *out_text);
  return !depth;
}

static bool read_dictionary(Cursor *cursor, Header *out)
{
  const char *key;
  size_t len;
  unsigned seen = 0;
  if (!skip(cursor, '{')) return false;
  while (!skip(cursor, '}')) {
    if (!read_string(cursor, &key, &len) || !skip(cursor, ':')) return false;
    if (len == 5 && !memcmp(key, "descr", len)) {
      if (!read_string(cursor, &out->descr, &out->descr_len) &&
          !read_fields(cursor, &out->descr, &out->descr_len))
        return false;
      seen |= 1;
    } else if (len == 13 && !memcmp(key, "fortran_order", len)) {
      out->is_fortran = read_word(cursor, "True");
      if (!out->is_fortran && !read_word(cursor, "False")) return false;
      seen |= 2;
    } else if (len == 5 && !memcmp(key, "shape", len)) {
      if (!read_shape(cursor, &out->shape)) return false;
      seen |= 4;
    } else return false;
    skip(cursor, ',');
  }
  return seen == 7;
}

/* Reads the part of the file before the elements. */
static bool read_header(const char *bytes, size_t count, Header *out, size_t *out_bytes, Buf *why)
{
  enum { LEAST = MAGIC_BYTES + 4 };
  const unsigned char *u = (const unsigned char *)bytes;
  if (count < LEAST || memcmp(bytes, magic, MAGIC_BYTES))
    return buf_fail(why, "it is no .npy file");
  int version = u[MAGIC_BYTES];
  if (version < 1 || version > 3)
    return buf_fail(why, "its format is version %d; 1 to 3 can be read", version);
  size_t start = version == 1 ? LEAST : LEAST + 2, len = u[8] | (size_t)u[9] << 8;
  if (version > 1 && count >= start) len |= (size_t)u[10] << 16 | (size_t)u[11] << 24;
  *out = (Header){.is_fortran = false};
  Cursor cursor = {bytes + start, bytes + start + len};
  if (count < start || len > count - start || !read_dictionary(&cursor, out))
    return buf_fail(why,
                    "its header can't be read: an array of numbers with 0 to 4 extents is needed");
  *out_bytes = start + len;
  return true;
}

static bool check_size(Header *header, size_t data_bytes, size_t width, Buf *why)
{
  Shape *shape = &header->shape;
  uint64_t bytes;
  if (header->is_fortran && shape->rank > 1)
    return buf_fail(why, "it is in Fortran order; numpy.ascontiguousarray makes C order of it");
  if (!shape_set_count(shape) || __builtin_mul_overflow(shape->count, width, &bytes) ||
      bytes > data_bytes)
    return buf_fail(why, "it has %zu bytes of elements, less than its shape says", data_bytes);
  return true;
}

static bool check_header(Header *header, size_t data_bytes, ck_dtype_t dtype, Buf *why)
{
  const char *want = descrs[dtype];
  if (header->descr_len != strlen(want) || memcmp(header->descr, want, header->descr_len))
    return buf_fail(why, "its elements are '%.*s', those of %s are '%s'", (int)header->descr_len,
                    header->descr, ck_dtype_name(dtype), want);
  return check_size(header, data_bytes, ck_dtype_bytes(dtype), why);
}

/* files -------------------------------------------------------------------------------------- */

/* Maps a file, or reads it if it can't be mapped, as a pipe. */
static bool open_bytes(Npy *npy, Arena *arena, const char *path, Buf *why)
{
  struct stat info;
  /* doesn't block on a pipe that nobody writes to */
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0) {
    npy->map_bytes = (size_t)info.st_size;
    npy->map = mmap(NULL, npy->map_bytes, PROT_READ, MAP_PRIVATE, fd, 0);
    if (npy->map == MAP_FAILED) npy->map = NULL;
    npy->data = npy->map;
  }
  if (fd >= 0) close(fd);
  char *text;
  if (npy->map) return true;
  if (fd >= 0 && file_read(arena, path, FILE_PIPE, &text, &npy->map_bytes)) {
    npy->data = text;
    return true;
  }
  return buf_fail(why, "%s", file_why(errno));
}

static bool open_numbers(Npy *npy, ck_dtype_t dtype, Buf *why)
{
  Header header;
  size_t header_bytes = 0;
  if (!read_header(npy->data, npy->map_bytes, &header, &header_bytes, why) ||
      !check_header(&header, npy->map_bytes - header_bytes, dtype, why))
    return false;
  npy->shape = header.shape;
  npy->data += header_bytes;
  return true;
}

/* Converts the file's records to the layout of the kernel. */
static bool open_records(Npy *npy, Arena *arena, const char *layout, size_t width, Buf *why)
{
  Header header;
  size_t header_bytes = 0;
  NpyFields fields = {.arena = arena};
  if (!read_header(npy->data, npy->map_bytes, &header, &header_bytes, why)) return false;
  const char *descr = arena_strndup(arena, header.descr, header.descr_len);
  if (!npy_match_fields(&fields, descr, &header.shape, layout, why) ||
      !check_size(&header, npy->map_bytes - header_bytes, fields.bytes, why))
    return false;
  Shape shape = header.shape;
  shape.rank -= fields.axes;
  shape_set_count(&shape);
  const char *from = npy->data + header_bytes;
  char *to = arena_alloc(arena, shape.count * width + 1);
  for (uint64_t i = 0; i < shape.count; ++i)
    for (uint32_t j = 0; j < fields.moves.count; ++j) {
      const NpyMove *move = &fields.moves.at[j];
      memcpy(to + i * width + move->to, from + i * fields.record_bytes + move->from, move->bytes);
    }
  npy_close(npy);
  npy->data = to;
  npy->shape = shape;
  return true;
}

bool npy_open(Npy *npy, Arena *arena, const char *path, ck_dtype_t dtype, const char *layout,
              size_t width, Buf *why)
{
  *npy = (Npy){.map = NULL};
  if (!open_bytes(npy, arena, path, why)) return false;
  if (layout ? open_records(npy, arena, layout, width, why) : open_numbers(npy, dtype, why))
    return true;
  npy_close(npy);
  return false;
}

void npy_close(Npy *npy)
{
  if (npy->map) munmap(npy->map, npy->map_bytes);
  *npy = (Npy){.map = NULL};
}

const char *npy_type(ck_dtype_t dtype)
{
  return descrs[dtype];
}

void npy_header(Buf *out, const char *descr, const Shape *shape)
{
  Buf text = BUF(out->arena);
  bool is_list = *descr == '[' || *descr == '\''; /* npy_fields_text's */
  buf_printf(&text, "{'descr': %s%s%s, 'fortran_order': False, 'shape': (", is_list ? "" : "'",
             descr, is_list ? "" : "'");
  for (uint32_t i = 0; i < shape->rank; ++i)
    buf_printf(&text, "%s%llu", i ? ", " : "", (unsigned long long)shape->at[i]);
  buf_puts(&text, shape->rank == 1 ? ",), }" : "), }");
  /* Version 1 has two bytes for the length of this text, version 2 four. */
  bool is_long = text.len + 2 * ALIGNMENT > UINT16_MAX;
  size_t start = MAGIC_BYTES + (is_long ? 6 : 4);
  while ((start + text.len + 1) % ALIGNMENT) buf_putc(&text, ' ');
  buf_putc(&text, '\n');
  buf_bytes(out, magic, MAGIC_BYTES);
  buf_bytes(out, is_long ? "\x02\x00" : "\x01\x00", 2);
  for (int i = 0; i < (is_long ? 4 : 2); ++i) buf_putc(out, (char)(text.len >> (8 * i) & 0xff));
  buf_bytes(out, text.data, text.len);
}
