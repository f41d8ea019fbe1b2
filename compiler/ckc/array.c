/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* array.c - copies arrays between device memory and files or standard output, in pieces, so that
 * only the device and the disk bound their size.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "run.h"

/* How many elements of a width are copied at a time: what fits into a piece, and at least one. */
static size_t piece_elements(size_t width)
{
  size_t bytes = base_is_tiny() ? 256 : 64 << 20;
  return width < bytes ? bytes / width : 1;
}

static ck_status_t write_piece(ck_buffer_t *buffer, uint64_t offset, const void *data, size_t bytes,
                               ck_stream_t *stream)
{
  ck_status_t status = ck_buffer_write(buffer, offset, data, bytes, stream);
  return status == CK_OK ? ck_stream_sync(stream) : status;
}

Exit array_fill(ck_buffer_t *buffer, const Value *value, const Npy *npy, ck_dtype_t dtype,
                const char *layout, size_t width, uint64_t count, ck_stream_t *stream)
{
  size_t room = piece_elements(width);
  ck_status_t status = CK_OK;
  if (count == 0) return EXIT_OK;
  if (!value || value->kind == VALUE_ZEROS)
    status = ck_buffer_fill(buffer, 0, count * width, 0, 1, stream);
  else if (value->kind == VALUE_FILE)
    status = write_piece(buffer, 0, npy->data, count * width, stream);
  else if (value->kind == VALUE_DATA)
    status = write_piece(buffer, 0, value->data, count * width, stream);
  else {
    Arena scratch = {0};
    void *piece = arena_alloc(&scratch, (room < count ? room : count) * width);
    for (uint64_t at = 0; at < count && status == CK_OK; at += room) {
      size_t some = count - at < room ? (size_t)(count - at) : room;
      if (layout) record_fill(value, layout, width, at, some, piece);
      else value_fill(value, dtype, at, some, piece);
      status = write_piece(buffer, at * width, piece, some * width, stream);
    }
    arena_free(&scratch);
  }
  return status == CK_OK ? EXIT_OK : fail_status(status);
}

/* Receives elements in pieces; false stops the copy. */
typedef bool (*Sink)(void *data, const char *piece, size_t count);

static Exit read_pieces(ck_buffer_t *buffer, size_t width, uint64_t count, ck_stream_t *stream,
                        Sink sink, void *data)
{
  Arena scratch = {0};
  size_t room = piece_elements(width);
  char *piece = arena_alloc(&scratch, (room < count ? room : count) * width);
  ck_status_t status = CK_OK;
  bool is_good = true;
  for (uint64_t at = 0; at < count && is_good; at += room) {
    size_t some = count - at < room ? (size_t)(count - at) : room;
    status = ck_buffer_read(buffer, at * width, piece, some * width, stream);
    if (status == CK_OK) status = ck_stream_sync(stream);
    is_good = status == CK_OK && sink(data, piece, some);
  }
  arena_free(&scratch);
  return status == CK_OK ? EXIT_OK : fail_status(status);
}

/* files -------------------------------------------------------------------------------------- */

typedef struct File {
  int fd, error;
  size_t width;
} File;

static bool put_bytes(File *file, const char *data, size_t bytes)
{
  while (bytes && !file->error) {
    ssize_t put = write(file->fd, data, bytes);
    if (put > 0) data += put, bytes -= (size_t)put;
    else if (errno != EINTR) file->error = errno;
  }
  return !file->error;
}

static bool put_in_file(void *data, const char *piece, size_t count)
{
  File *file = data;
  return put_bytes(file, piece, count * file->width);
}

Exit array_save(ck_buffer_t *buffer, const char *descr, uint64_t bytes, const Shape *shape,
                const char *path, ck_stream_t *stream)
{
  File file = {file_open_to_write(path, O_CREAT | O_TRUNC), 0, 1};
  Arena scratch = {0};
  Buf header = BUF(&scratch);
  Exit exit = EXIT_OK;
  if (file.fd < 0) return fail(EXIT_ENVIRONMENT, "cannot write '%s': %s", path, file_why(errno));
  npy_header(&header, descr, shape);
  if (put_bytes(&file, header.data, header.len))
    exit = read_pieces(buffer, file.width, bytes, stream, put_in_file, &file);
  arena_free(&scratch);
  if (close(file.fd) != 0 && !file.error) file.error = errno;
  if (file.error)
    exit = fail(EXIT_ENVIRONMENT, "cannot write '%s': %s", path, strerror(file.error));
  return exit;
}

/* text --------------------------------------------------------------------------------------- */

typedef struct Printer {
  const Shape *shape;
  const char *layout; /* of records; NULL: scalars of `dtype` */
  size_t width;
  ck_dtype_t dtype;
  uint64_t index;
} Printer;

/* How many brackets open before the element, or close behind the one before it. */
static uint32_t row_starts(const Printer *printer)
{
  uint64_t row = 1;
  uint32_t starts = 0;
  for (uint32_t i = printer->shape->rank; i-- > 1;) {
    row *= printer->shape->at[i];
    starts += printer->index % row == 0;
  }
  return starts;
}

static void put_brackets(char bracket, uint32_t count)
{
  while (count--) putchar(bracket);
}

static bool print_piece(void *data, const char *piece, size_t count)
{
  Printer *printer = data;
  char text[NUMBER_TEXT_BYTES];
  for (size_t i = 0; i < count; ++i, ++printer->index) {
    uint32_t starts = row_starts(printer);
    if (printer->index) {
      put_brackets(']', starts);
      fputs(", ", stdout);
    }
    put_brackets('[', starts);
    if (printer->layout) {
      record_print(printer->layout, piece + i * printer->width, printer->width);
      continue;
    }
    number_text(text, printer->dtype, piece + i * printer->width);
    fputs(text, stdout);
  }
  return !ferror(stdout);
}

Exit array_print(ck_buffer_t *buffer, const ck_param_t *info, const Shape *shape, uint64_t limit,
                 bool says_more, ck_stream_t *stream)
{
  uint64_t count = shape->count < limit ? shape->count : limit;
  Printer printer = {.shape = shape,
                     .layout = info->layout,
                     .width = info->layout ? info->bytes : ck_dtype_bytes(info->dtype),
                     .dtype = info->dtype};
  printf("%s = [", info->name);
  Exit exit = read_pieces(buffer, printer.width, count, stream, print_piece, &printer);
  if (says_more && count < shape->count) fputs(", ...", stdout);
  put_brackets(']', count && shape->rank ? shape->rank - 1 : 0);
  puts("]");
  return exit;
}
