/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* crash.h - prints which test was running, and a backtrace, when a signal ends a test program.
 * Sanitizers print more by themselves. */
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
  if (write(STDERR_FILENO, text, strlen(text)) < 0) return; /* nothing can be reported */
}

/* Allocates nothing, since the heap may be corrupt. */
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

/* Sets the name of the running test. */
static inline void crash_watch(const char *name)
{
  crash_test = name;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  static volatile sig_atomic_t is_watched;
  void *first[1];
  if (is_watched) return;
  is_watched = 1;
  backtrace(first, 1); /* loads the library that it needs now, not in the handler */
  signal(SIGSEGV, crash_tell);
  signal(SIGBUS, crash_tell);
  signal(SIGABRT, crash_tell); /* sent when the time limit of the test runner is over */
#endif
}

#endif
