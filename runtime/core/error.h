/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* error.h - the thread's last failure, and the log that $CK_LOG turns on. */
#ifndef CK_ERROR_H
#define CK_ERROR_H

#include <stdatomic.h>

#include "base.h"
#include "ck/ck.h"

/* Records a failure of this thread and returns its status. The text has no full stop. */
COLD ck_status_t error_set(ck_status_t status, const char *format, ...) PRINTF_LIKE(2, 3);

/* The same, with the CUresult that is behind it. */
COLD ck_status_t error_set_driver(ck_status_t status, int driver_error, const char *format, ...)
    PRINTF_LIKE(3, 4);

/* Puts "context: " before the text of the failure that was just recorded; returns its status. */
COLD ck_status_t error_within(ck_status_t status, const char *format, ...) PRINTF_LIKE(2, 3);

/* How many failures this thread has recorded so far, and whether the last is of a status: whoever
 * called others' functions sees if they recorded theirs. */
unsigned error_count(void);
bool error_is_of(ck_status_t status);

/* Returns from the function if the status is not CK_OK. */
#define CK_TRY(status_)                                                                            \
  do {                                                                                             \
    ck_status_t try_status_ = (status_);                                                           \
    if (UNLIKELY(try_status_ != CK_OK)) return try_status_;                                        \
  } while (0)

/* Returns CK_INVALID_ARGUMENT if a handle or an out parameter is NULL. */
#define CK_NEED_ARG(pointer_) CK_NEED_ARG_OF(__func__, pointer_)

/* The same in a function that no caller knows: the message names the public one. */
#define CK_NEED_ARG_OF(function_, pointer_)                                                        \
  do {                                                                                             \
    if (UNLIKELY(!(pointer_)))                                                                     \
      return error_set(CK_INVALID_ARGUMENT, "%s: %s is NULL", function_, #pointer_);               \
  } while (0)

/* Copies caller's options into `own` (all zero, `own_bytes` long). NULL leaves the defaults. A
 * larger struct of a newer caller is fine as long as what this library does not know is zero. */
ck_status_t options_read(void *own, size_t own_bytes, const void *theirs, const char *name);

typedef enum LogTopic { LOG_driver, LOG_compile, LOG_cache, LOG_TOPIC_COUNT } LogTopic;

extern atomic_uint log_topics; /* bit per topic; LOG_UNREAD until $CK_LOG was looked at */
#define LOG_UNREAD (1u << 31)
COLD bool log_wants_now(LogTopic topic); /* reads $CK_LOG first */

static inline bool log_wants(LogTopic topic)
{
  unsigned topics = atomic_load_explicit(&log_topics, memory_order_relaxed);
  return UNLIKELY(topics & (LOG_UNREAD | 1u << topic)) && log_wants_now(topic);
}

/* One line on standard error: "ck 0.001234 cache: ...". Seconds since the first line. */
COLD void log_line(LogTopic topic, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
