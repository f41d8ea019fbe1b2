/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* tune_store.c - keeps measured times in a file, so that no later search measures them again.
 *
 * The store is a text. Rows are only added, each by one write to the end of the file, so processes
 * may share it; of two rows with one key the later counts.
 *
 *     # ckc tuning store 1
 *     2f6d...e1 1048576 measured 1.25e-05 1.24e-05 1.26e-05 120 NVIDIA H200
 *     digest    size    state    median   low      high     runs device
 *
 * A row never expires: its digest is that of the code and of the arguments.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tune.h"

static const char head[] = "# ckc tuning store 1\n";
static const char *const words[] = {"", "opened", "measured", "slow", "failed"};

static bool read_digest(const char *text, Digest *out)
{
  enum { HALF = 16 };
  char half[HALF + 1] = "", *end;
  if (strspn(text, "0123456789abcdef") != 2 * HALF) return false;
  memcpy(half, text, HALF);
  out->hi = strtoull(half, &end, 16);
  out->lo = strtoull(text + HALF, &end, 16);
  return !*end;
}

/* Reads a row; false: it is damaged, as by a full disk. */
static bool read_row(const char *line, TuneKept *out)
{
  char digest[40], state[16], device[TUNE_NAME_BYTES];
  *out = (TuneKept){.key = {.size = 0}};
  int count =
      sscanf(line, "%39s %" SCNu64 " %15s %lf %lf %lf %" SCNu32 " %95[^\n]", digest, &out->key.size,
             state, &out->time.median, &out->time.low, &out->time.high, &out->time.runs, device);
  if (count != 8 || !read_digest(digest, &out->key.digest)) return false;
  memcpy(out->key.device, device, strlen(device) + 1);
  for (TuneState i = TUNE_MEASURED; i <= TUNE_FAILED; ++i)
    if (!strcmp(state, words[i])) out->time.state = i;
  return out->time.state != TUNE_NONE;
}

Exit tune_store_read(TuneStore *store)
{
  char *text;
  size_t bytes;
  if (!store->path) return EXIT_OK;
  if (!file_read(store->arena, store->path, FILE_REGULAR, &text, &bytes)) {
    if (errno == ENOENT) return EXIT_OK;
    return fail(EXIT_ENVIRONMENT, "cannot read the store '%s': %s", store->path, file_why(errno));
  }
  if (bytes && strncmp(text, head, strlen(head)) != 0)
    return fail(EXIT_INPUT,
                "'%s' is no store of this version, whose first line is '%.*s'; remove it, or name "
                "another one with --store=FILE",
                store->path, (int)strlen(head) - 1, head);
  for (char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
    TuneKept row;
    *end = 0;
    if (*line != '#' && read_row(line, &row)) vec_push(store->arena, &store->rows, row);
  }
  return EXIT_OK;
}

const TuneTime *tune_store_find(const TuneStore *store, const TuneKey *key)
{
  for (uint32_t i = store->rows.count; i-- > 0;) {
    const TuneKept *row = &store->rows.at[i];
    if (row->key.digest.lo == key->digest.lo && row->key.digest.hi == key->digest.hi &&
        row->key.size == key->size && !strcmp(row->key.device, key->device))
      return &row->time;
  }
  return NULL;
}

static void put_row(Buf *out, const TuneKept *row)
{
  char digest[DIGEST_TEXT_BYTES];
  digest_text(row->key.digest, digest);
  buf_printf(out, "%s %" PRIu64 " %s %.6g %.6g %.6g %" PRIu32 " %s\n", digest, row->key.size,
             words[row->time.state], row->time.median, row->time.low, row->time.high,
             row->time.runs, row->key.device);
}

/* The folders above a file. */
static void make_folders(Arena *arena, const char *path)
{
  size_t len = (size_t)(path_base(path) - path);
  if (len > 1) file_make_folders(arena_strndup(arena, path, len - 1));
}

Exit tune_store_add(TuneStore *store, const TuneKept *rows, uint32_t count)
{
  for (uint32_t i = 0; i < count; ++i) vec_push(store->arena, &store->rows, rows[i]);
  if (!store->path || !count) return EXIT_OK;
  make_folders(store->arena, store->path);
  int fd = file_open_to_write(store->path, O_CREAT | O_APPEND);
  Buf text = BUF(store->arena);
  bool is_good = fd >= 0;
  if (is_good && lseek(fd, 0, SEEK_END) == 0) buf_puts(&text, head);
  for (uint32_t i = 0; i < count; ++i) put_row(&text, &rows[i]);
  if (is_good) is_good = write(fd, text.data, text.len) == (ssize_t)text.len;
  int error = errno;
  if (fd >= 0) close(fd);
  if (is_good) return EXIT_OK;
  return fail(EXIT_ENVIRONMENT, "cannot write the store '%s': %s", store->path, file_why(error));
}
