/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* crash.h - what a test program says when a signal ends it: which test it was, and where.
 * Sanitizers say more by themselves. */
#ifndef CK_CRASH_H
#define CK_CRASH_H

#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *volatile crash_test = "";

static inline void crash_say(const char *text)
{
  if (write(STDERR_FILENO, text, strlen(text)) < 0) return; /* there is nobody to tell */
}

/* Nothing here allocates, as the heap may be what is broken. */
static inline void crash_tell(int number)
{
  void *frames[32];
  crash_say("a signal ends test ");
  crash_say(crash_test);
  crash_say("\n");
  backtrace_symbols_fd(frames, backtrace(frames, 32), STDERR_FILENO);
  signal(number, SIG_DFL);
  raise(number);
}

/* From now on `name` is the test. */
static inline void crash_watch(const char *name)
{
  crash_test = name;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  static volatile sig_atomic_t is_watched;
  void *first[1];
  if (is_watched) return;
  is_watched = 1;
  backtrace(first, 1); /* loads what it needs */
  signal(SIGSEGV, crash_tell);
  signal(SIGBUS, crash_tell);
  signal(SIGABRT, crash_tell); /* a time limit's, of who waits for the program */
#endif
}

#endif
