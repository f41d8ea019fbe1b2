/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* source_file.c - stores sources in temporary files, for debuggers and profilers that show their
 * lines.
 *
 * Each source is a file in $TMPDIR (/tmp) that only this user can read. A debugger may open it as
 * long as a kernel of it can run, so program and object code hold references, and the last release
 * removes the file. Files that are left at the end of the process are removed then. A process that
 * is killed leaves its files behind, for use with its core dump. A child of fork() removes none.
 */
#define _GNU_SOURCE /* mkostemps */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "code_private.h"

struct SourceFile {
  Object object;
  SourceFile *next, **link; /* in the list of all files; guarded by files_mutex */
  pid_t owner;
  char path[];
};

static SourceFile *files;
static pthread_mutex_t files_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t exit_once = PTHREAD_ONCE_INIT;

static void remove_file(const SourceFile *file)
{
  if (file->owner == getpid()) unlink(file->path);
}

static void remove_all(void)
{
  pthread_mutex_lock(&files_mutex);
  for (const SourceFile *file = files; file; file = file->next) remove_file(file);
  pthread_mutex_unlock(&files_mutex);
}

static void remove_all_at_exit(void)
{
  atexit(remove_all);
}

static bool write_all(int fd, const char *text, size_t bytes)
{
  for (size_t done = 0; done < bytes;) {
    ssize_t put = write(fd, text + done, bytes - done);
    if (put > 0) done += (size_t)put;
    else if (errno != EINTR) return false;
  }
  return true;
}

/* Makes a file; on failure false with errno, and there is no file. */
static bool make_file(char *path, const char *text, size_t bytes)
{
  int fd = mkostemps(path, (int)strlen(".cu"), O_CLOEXEC);
  if (fd < 0) return false;
  bool is_good = write_all(fd, text, bytes);
  int error = errno;
  if (close(fd) != 0 && is_good) {
    is_good = false;
    error = errno;
  }
  if (!is_good) unlink(path);
  errno = error;
  return is_good;
}

SourceFile *source_file_create(const char *text, size_t bytes)
{
  static const char name[] = "/ck-XXXXXX.cu";
  const char *wish = getenv("TMPDIR"), *folder = wish && *wish ? wish : "/tmp";
  size_t folder_bytes = strlen(folder);
  SourceFile *file = object_new(sizeof *file + folder_bytes + sizeof name);
  if (!file) return NULL;
  memcpy(file->path, folder, folder_bytes);
  memcpy(file->path + folder_bytes, name, sizeof name);
  if (!make_file(file->path, text, bytes)) {
    log_line(LOG_compile, "%s: no file for debuggers: %s", file->path, strerror(errno));
    object_free(file);
    return NULL;
  }
  file->owner = getpid();
  pthread_once(&exit_once, remove_all_at_exit);
  pthread_mutex_lock(&files_mutex);
  file->next = files;
  file->link = &files;
  if (files) files->link = &file->next;
  files = file;
  pthread_mutex_unlock(&files_mutex);
  return file;
}

const char *source_file_path(const SourceFile *file)
{
  return file->path;
}

SourceFile *source_file_retain(SourceFile *file)
{
  if (file) object_retain(&file->object);
  return file;
}

void source_file_release(SourceFile *file)
{
  if (!file || !object_release(&file->object)) return;
  pthread_mutex_lock(&files_mutex);
  *file->link = file->next;
  if (file->next) file->next->link = file->link;
  pthread_mutex_unlock(&files_mutex);
  remove_file(file);
  object_free(file);
}
