/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* file.c - reads and writes whole files, and handles paths.
 *
 * Writing is atomic: to a temporary file in the same folder, then rename(2), so that no reader sees
 * half a file. Reading accepts regular files only, unless the caller allows pipes, and doesn't wait
 * for a pipe that nobody writes to unless the caller asks for that.
 */
#define _GNU_SOURCE /* dladdr */
#include "base.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* The errno for a file that must not be read, or 0. */
static int refuse_mode(int fd, const struct stat *info, FileKind kind)
{
  mode_t mode = info->st_mode;
  if (S_ISREG(mode)) return info->st_size > FILE_BYTES_MAX ? EFBIG : 0;
  if (S_ISDIR(mode)) return EISDIR;
  bool is_null = S_ISCHR(mode) && major(info->st_rdev) == 1 && minor(info->st_rdev) == 3;
  bool is_pipe = S_ISFIFO(mode) || is_null || isatty(fd);
  return is_pipe && kind != FILE_REGULAR && kind != FILE_HEAD ? 0 : ENODEV;
}

/* read(2) that isn't interrupted, and waits even if the file was opened non-blocking. */
static ssize_t read_some(int fd, char *data, size_t bytes)
{
  for (;;) {
    ssize_t got = read(fd, data, bytes);
    if (got >= 0 || (errno != EINTR && errno != EAGAIN)) return got;
    if (errno == EAGAIN) poll(&(struct pollfd){.fd = fd, .events = POLLIN}, 1, -1);
  }
}

static bool read_open(Arena *arena, int fd, FileKind kind, char **out_data, size_t *out_bytes)
{
  struct stat info;
  if (fstat(fd, &info) != 0) return false;
  if ((errno = refuse_mode(fd, &info, kind))) return false;
  size_t most = S_ISREG(info.st_mode) ? FILE_BYTES_MAX : PIPE_BYTES_MAX;
  /* A pipe or a file of /proc has no size, so read until the end. */
  Buf buf = BUF(arena);
  bool is_part = kind == FILE_HEAD && info.st_size > FILE_HEAD_BYTES;
  size_t size = is_part ? FILE_HEAD_BYTES : (size_t)info.st_size;
  buf_reserve(&buf, size > 0 ? size + 1 : 4095);
  for (;;) {
    if (is_part && buf.len >= size) break;
    if (buf.room - buf.len < 2) buf_reserve(&buf, buf.len);
    ssize_t got = read_some(fd, buf.data + buf.len, buf.room - buf.len - 1);
    if (got < 0) return false;
    if (got == 0) break;
    buf.len += (size_t)got;
    if (buf.len > most) {
      errno = EFBIG;
      return false;
    }
  }
  /* Returns nothing for a pipe without a writer, or with no data yet. */
  if (!buf.len && S_ISFIFO(info.st_mode) && kind != FILE_WAIT) {
    errno = ENXIO;
    return false;
  }
  while (is_part && buf.len && buf.data[buf.len - 1] != '\n') --buf.len;
  buf.data[buf.len] = 0;
  *out_data = buf.data;
  *out_bytes = buf.len;
  return true;
}

bool file_read(Arena *arena, const char *path, FileKind kind, char **out_data, size_t *out_bytes)
{
  *out_data = NULL;
  *out_bytes = 0;
  /* Opening a pipe or terminal may block forever. */
  int fd = open(path, O_RDONLY | O_CLOEXEC | (kind == FILE_WAIT ? 0 : O_NONBLOCK));
  if (fd < 0) return false;
  bool is_good = read_open(arena, fd, kind, out_data, out_bytes);
  int error = errno;
  close(fd);
  errno = error;
  return is_good;
}

const char *file_why(int error)
{
  switch (error) {
  case ENODEV: return "it is no regular file";
  case ENXIO: return "it is a pipe whose other end nobody has opened";
  case EFBIG: return "it is too large";
  default: return strerror(error);
  }
}

/* Makes a temporary file beside `path`. The umask can't be read without changing it for other
 * threads, so the kernel applies it in open(2), which rules out mkstemp(3). */
static int make_temporary(Arena *arena, const char *path, mode_t mode, const char **out_name)
{
  enum { ATTEMPTS = 100 };
  int fd = -1;
  for (unsigned i = 0; i < ATTEMPTS && fd < 0; ++i) {
    uint64_t random = (uintptr_t)&random;
    /* too early in a boot for random bytes */
    if (getrandom(&random, sizeof random, GRND_NONBLOCK) < 0) random += i;
    *out_name =
        arena_printf(arena, "%s.%ld.%016llx", path, (long)getpid(), (unsigned long long)random);
    fd = open(*out_name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd < 0 && errno != EEXIST) break;
  }
  return fd;
}

int file_open_to_write(const char *path, int flags)
{
  int fd = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | flags, 0666);
  /* only open(2) must not block */
  if (fd >= 0) fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
  return fd;
}

bool file_write(const char *path, const void *data, size_t bytes)
{
  return file_write_as(path, 0666, data, bytes);
}

bool file_write_as(const char *path, unsigned mode, const void *data, size_t bytes)
{
  struct stat info;
  bool is_special = stat(path, &info) == 0 && !S_ISREG(info.st_mode);
  Arena scratch = {0};
  const char *temporary = path; /* a special file such as /dev/stdout can't be replaced by rename */
  int fd =
      is_special ? file_open_to_write(path, 0) : make_temporary(&scratch, path, mode, &temporary);
  bool is_good = fd >= 0;
  for (size_t done = 0; is_good && done < bytes;) {
    ssize_t put = write(fd, (const char *)data + done, bytes - done);
    if (put > 0) done += (size_t)put;
    else if (errno != EINTR) is_good = false;
  }
  int error = errno;
  if (fd >= 0 && close(fd) != 0 && is_good) {
    is_good = false;
    error = errno;
  }
  if (is_good && !is_special && rename(temporary, path) != 0) {
    is_good = false;
    error = errno;
  }
  if (!is_good && fd >= 0 && !is_special) unlink(temporary);
  arena_free(&scratch);
  errno = error;
  return is_good;
}

bool file_exists(const char *path)
{
  struct stat facts;
  return stat(path, &facts) == 0 && !S_ISDIR(facts.st_mode);
}

Digest file_identity(Digest so_far, const char *path)
{
  return file_facts(digest_more(so_far, path, strlen(path)), path);
}

Digest file_facts(Digest so_far, const char *path)
{
  struct stat info;
  /* a missing file has a digest too */
  if (stat(path, &info) != 0) return digest_more(so_far, "", 1);
  int64_t facts[] = {(int64_t)info.st_size, (int64_t)info.st_mtim.tv_sec,
                     (int64_t)info.st_mtim.tv_nsec, (int64_t)info.st_ino, (int64_t)info.st_dev};
  return digest_more(so_far, facts, sizeof facts);
}

bool file_make_folders(const char *path)
{
  Arena scratch = {0};
  char *part = arena_strdup(&scratch, path);
  bool is_good = true;
  for (char *slash = strchr(part + 1, '/'); is_good; slash = strchr(slash + 1, '/')) {
    if (slash) *slash = 0;
    struct stat info;
    if (mkdir(part, 0700) != 0 && !(stat(part, &info) == 0 && S_ISDIR(info.st_mode)))
      is_good = false;
    if (!slash) break;
    *slash = '/';
  }
  int error = errno;
  arena_free(&scratch);
  errno = error;
  return is_good;
}

char *path_real(Arena *arena, const char *path)
{
  char *full = realpath(path, NULL), *copy = full ? arena_strdup(arena, full) : NULL;
  free(full);
  return copy;
}

const char *path_base(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

const char *path_of_code(Arena *arena, const void *address)
{
  Dl_info info;
  struct link_map *map;
  if (!dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP)) return NULL;
  /* The loader has no name for the program itself, and argv[0] need not be a path. */
  char *full = realpath(*map->l_name ? map->l_name : "/proc/self/exe", NULL);
  if (!full) return NULL;
  size_t len = (size_t)(path_base(full) - full);
  char *folder = arena_strndup(arena, full, len > 1 ? len - 1 : len);
  free(full);
  return folder;
}
