/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* special_file.c - tests that special files are refused at once where code or arrays are read from
 * files: devices without an end, and pipes without a writer. */
#include "fixture.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char pipe_path[] = "/tmp/ck-pipe-XXXXXX";

/* A file that is not regular is CK_IO for object code and for linkers. */
static void refuse(const char *path, const char *why)
{
  ck_object_code_t *code;
  ck_linker_t *linker;
  ck_linker_options_t options = CK_OPTIONS_INIT(ck_linker_options_t);
  options.target = "sm_90";
  CHECK_STATUS(ck_object_code_from_file(path, &code), CK_IO);
  CHECK_ERROR(why);
  /* This machine has no CUDA toolkit. */
  if (ck_linker_create(NULL, &options, &linker) != CK_OK) return;
  CHECK_STATUS(ck_linker_add_file(linker, CK_LINK_ANY, path), CK_IO);
  CHECK_ERROR(why);
  ck_linker_release(linker);
}

TEST(devices)
{
  refuse("/dev/zero", "it is no regular file");
  refuse("/dev/full", "it is no regular file");
  refuse("/dev/urandom", "it is no regular file");
  refuse("/", "Is a directory");
}

TEST(pipe_without_writer)
{
  CHECK(mkdtemp(pipe_path) && rmdir(pipe_path) == 0 && mkfifo(pipe_path, 0600) == 0);
  refuse(pipe_path, "a pipe whose other end nobody has opened");
  CHECK(!file_write(pipe_path, "x", 1) && errno == ENXIO);
  CHECK(unlink(pipe_path) == 0);
}

/* A pipe with a writer is read to its end, whether its bytes are there already or arrive later. */
TEST(pipe_with_writer)
{
  enum { BYTES = 200000 }; /* more than a pipe can buffer */
  int ends[2];
  Arena arena = {0};
  char path[64], *data;
  size_t bytes;
  CHECK(pipe(ends) == 0);
  snprintf(path, sizeof path, "/proc/self/fd/%d", ends[0]);
  CHECK(!file_read(&arena, path, FILE_REGULAR, &data, &bytes) && errno == ENODEV);
  pid_t child = fork();
  if (!child) {
    char text[BYTES / 10];
    memset(text, 'x', sizeof text);
    for (int i = 0; i < 10; ++i)
      if (write(ends[1], text, sizeof text) != sizeof text) _exit(1);
    _exit(0);
  }
  close(ends[1]);
  CHECK(file_read(&arena, path, FILE_PIPE, &data, &bytes) && bytes == BYTES &&
        data[BYTES - 1] == 'x');
  CHECK(waitpid(child, NULL, 0) == child);
  close(ends[0]);
  arena_free(&arena);
}

int main(void)
{
  run_all();
  return tests_report();
}
