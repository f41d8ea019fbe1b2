/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* file.c - whole files in and out, and paths. Writing is atomic: temporary name, then rename(2). */
#define _GNU_SOURCE /* dladdr */
#include "base.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

bool file_read(Arena *arena, const char *path, char **out_data, size_t *out_bytes)
{
  *out_data = NULL;
  *out_bytes = 0;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  struct stat info;
  if (fstat(fd, &info) != 0) goto fail;
  if (S_ISDIR(info.st_mode)) {
    errno = EISDIR;
    goto fail;
  }
  /* A pipe or a file of /proc has no size: read until the end in either case. */
  Buf buf = BUF(arena);
  buf_reserve(&buf, info.st_size > 0 ? (size_t)info.st_size + 1 : 4095);
  for (;;) {
    if (buf.room - buf.len < 2) buf_reserve(&buf, buf.len);
    ssize_t got = read(fd, buf.data + buf.len, buf.room - buf.len - 1);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) goto fail;
    if (got == 0) break;
    buf.len += (size_t)got;
  }
  buf.data[buf.len] = 0;
  close(fd);
  *out_data = buf.data;
  *out_bytes = buf.len;
  return true;
fail:;
  int error = errno;
  close(fd);
  errno = error;
  return false;
}

/* A new file beside `path`. The process's umask can't be asked for without changing it under other
 * threads, so the kernel applies it, and the name is made here. */
static int make_temporary(Arena *arena, const char *path, const char **out_name)
{
  enum { ATTEMPTS = 100 };
  int fd = -1;
  for (unsigned i = 0; i < ATTEMPTS && fd < 0; ++i) {
    uint64_t random = (uintptr_t)&random;
    if (getrandom(&random, sizeof random, GRND_NONBLOCK) < 0) random += i; /* too early in a boot */
    *out_name =
        arena_printf(arena, "%s.%ld.%016llx", path, (long)getpid(), (unsigned long long)random);
    fd = open(*out_name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 && errno != EEXIST) break;
  }
  return fd;
}

bool file_write(const char *path, const void *data, size_t bytes)
{
  struct stat info;
  bool is_special = stat(path, &info) == 0 && !S_ISREG(info.st_mode);
  Arena scratch = {0};
  const char *temporary = path; /* /dev/stdout and its like can't be renamed over */
  int fd =
      is_special ? open(path, O_WRONLY | O_CLOEXEC) : make_temporary(&scratch, path, &temporary);
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
  if (stat(path, &info) != 0) return digest_more(so_far, "", 1); /* its absence is a fact as well */
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
  /* The loader has no name for the program itself, and its argv[0] need not be a path. */
  char *full = realpath(*map->l_name ? map->l_name : "/proc/self/exe", NULL);
  if (!full) return NULL;
  size_t len = (size_t)(path_base(full) - full);
  char *folder = arena_strndup(arena, full, len > 1 ? len - 1 : len);
  free(full);
  return folder;
}
