/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* child.c - tests child processes (compiler/base) that answer, print, crash, exit early, or hang.
 */
#undef NDEBUG
#include <assert.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base.h"

static int *count; /* of children, in shared memory */

static void work(void *user, Buf *out)
{
  const char *mode = user;
  ++*count;
  buf_puts(out, "answer");
  if (!strcmp(mode, "large"))
    for (int i = 0; i < 1 << 20; ++i) buf_putc(out, 'x');
  if (!strcmp(mode, "print")) fprintf(stderr, "said\n");
  if (!strcmp(mode, "crash")) {
    fprintf(stderr, "last words");
    raise(SIGSEGV);
  }
  if (!strcmp(mode, "exit")) _exit(0);
  if (!strcmp(mode, "hang") || (!strcmp(mode, "hang twice") && *count <= 2)) pause();
}

static void handle(int number)
{
  (void)number;
  _exit(9); /* a handler of the parent: must not run in the child */
}

static void expect(const char *mode, bool has_answer, size_t bytes, const char *text, int number,
                   bool is_hung)
{
  Arena arena = {0};
  Buf answer = BUF(&arena), said = BUF(&arena);
  Child child;
  ChildEnd end;
  *count = 0;
  assert(child_start(&child, work, (void *)(uintptr_t)mode));
  assert(child_finish(&child, &answer, &said, &end) == has_answer);
  assert(answer.len == bytes && !strcmp(buf_text(&said), text));
  assert(end.signal == number && end.is_hung == is_hung);
  arena_free(&arena);
}

static int next_file(void)
{
  int file = open("/dev/null", O_RDONLY);
  close(file);
  return file;
}

int main(void)
{
  Child child;
  count = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert(count != MAP_FAILED);
  for (int i = 0; i < CHILD_TRIES; ++i) child_stalls[i] = 0.1;
  signal(SIGSEGV, handle);
  int file = next_file();
  expect("plain", true, 6, "", 0, false);
  expect("large", true, 6 + (1 << 20), "", 0, false);
  expect("print", true, 6, "said\n", 0, false);
  expect("crash", false, 0, "last words", SIGSEGV, false);
  expect("exit", false, 0, "", 0, false);
  expect("hang twice", true, 6, "", 0, false);
  assert(*count == 3);
  expect("hang", false, 0, "", SIGKILL, true);
  assert(*count == CHILD_TRIES);
  assert(child_start(&child, work, "hang"));
  child_cancel(&child);
  signal(SIGCHLD, SIG_IGN); /* the exit status of children is lost */
  expect("plain", true, 6, "", 0, false);
  expect("crash", false, 0, "last words", 0, false);
  assert(next_file() == file);
  puts("passed");
  return 0;
}
