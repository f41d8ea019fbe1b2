/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* error.h - the last failure of each thread, reading of options structs, and the log ($CK_LOG). */
#ifndef CK_ERROR_H
#define CK_ERROR_H

#include <stdatomic.h>

#include "base.h"
#include "ck/types.h"

/* Records a failure of this thread and returns its status. The text has no full stop at its end. */
COLD ck_status_t error_set(ck_status_t status, const char *format, ...) PRINTF_LIKE(2, 3);

/* The same with CK_INVALID_ARGUMENT and CK_UNSUPPORTED, which most failures are. */
COLD ck_status_t error_argument(const char *format, ...) PRINTF_LIKE(1, 2);
COLD ck_status_t error_unsupported(const char *format, ...) PRINTF_LIKE(1, 2);

/* The same, with the CUresult that caused it. */
COLD ck_status_t error_set_driver(ck_status_t status, int driver_error, const char *format, ...)
    PRINTF_LIKE(3, 4);

/* Prefixes the message of the failure that was just recorded with "context: "; returns its status.
 */
COLD ck_status_t error_within(ck_status_t status, const char *format, ...) PRINTF_LIKE(2, 3);

/* CK_INVALID_ARGUMENT for an argument of a function that is NULL. */
COLD ck_status_t error_null(const char *function, const char *argument);

/* The number of failures that this thread has recorded, and whether the last one has a status.
 * After a call of someone else's function they show whether it recorded its failure. */
unsigned error_count(void);
bool error_is_of(ck_status_t status);

/* Between these two calls, which nest, the thread records no failure, because clean-up code must
 * not replace the first cause of an error. */
void error_pause(void);
void error_resume(void);

/* Returns from the function if the status is not CK_OK. */
#define CK_TRY(status_)                                                                            \
  do {                                                                                             \
    ck_status_t try_status_ = (status_);                                                           \
    if (UNLIKELY(try_status_ != CK_OK)) return try_status_;                                        \
  } while (0)

/* Returns CK_INVALID_ARGUMENT if a handle or an out parameter is NULL. */
#define CK_NEED_ARG(pointer_) CK_NEED_ARG_OF(__func__, pointer_)

/* The same for two arguments. */
#define CK_NEED_ARGS(first_, second_)                                                              \
  do {                                                                                             \
    CK_NEED_ARG(first_);                                                                           \
    CK_NEED_ARG(second_);                                                                          \
  } while (0)

/* The same for an out parameter, which is set, so that it has a value if the function fails; then
 * for none to two other arguments: CK_NEED_OUT(out_count, 0, device). */
#define CK_NEED_OUT(...)                                                                           \
  CK_NEED_FORM_(__VA_ARGS__, CK_NEED_OUT_2_, CK_NEED_OUT_1_, CK_NEED_OUT_0_, )(__VA_ARGS__)
#define CK_NEED_FORM_(a_, b_, c_, d_, form_, ...) form_
#define CK_NEED_OUT_0_(pointer_, none_)                                                            \
  do {                                                                                             \
    CK_NEED_ARG(pointer_);                                                                         \
    *(pointer_) = (none_);                                                                         \
  } while (0)
#define CK_NEED_OUT_1_(pointer_, none_, other_)                                                    \
  do {                                                                                             \
    CK_NEED_OUT_0_(pointer_, none_);                                                               \
    CK_NEED_ARG(other_);                                                                           \
  } while (0)
#define CK_NEED_OUT_2_(pointer_, none_, first_, second_)                                           \
  do {                                                                                             \
    CK_NEED_OUT_0_(pointer_, none_);                                                               \
    CK_NEED_ARGS(first_, second_);                                                                 \
  } while (0)

/* The same in an internal function: the message names the public function instead. */
#define CK_NEED_ARG_OF(function_, pointer_)                                                        \
  do {                                                                                             \
    if (UNLIKELY(!(pointer_))) return error_null(function_, #pointer_);                            \
  } while (0)

/* Copies a caller's options struct into `own` (all zero, `own_bytes` long). NULL leaves the
 * defaults. A larger struct of a newer caller is accepted if the members that this library does not
 * know are zero. */
ck_status_t options_read(void *own, size_t own_bytes, const void *theirs, const char *name);

/* Declares a struct of a type, and reads a caller's into it; returns from the function if that
 * fails. */
#define CK_READ_OPTIONS(type_, own_, theirs_)                                                      \
  type_ own_ = CK_OPTIONS_INIT(type_);                                                             \
  CK_TRY(options_read(&(own_), sizeof(own_), theirs_, #type_))

typedef enum LogTopic { LOG_driver, LOG_compile, LOG_cache, LOG_launch, LOG_TOPIC_COUNT } LogTopic;

extern atomic_uint log_topics; /* a bit for each topic; LOG_UNREAD until $CK_LOG has been read */
#define LOG_UNREAD (1u << 31)
COLD bool log_wants_now(LogTopic topic); /* reads $CK_LOG first */

static inline bool log_wants(LogTopic topic)
{
  unsigned topics = atomic_load_explicit(&log_topics, memory_order_relaxed);
  return UNLIKELY(topics & (LOG_UNREAD | 1u << topic)) && log_wants_now(topic);
}

/* Writes a line to standard error: "ck 0.001234 cache: ...", with the seconds since the first line.
 */
COLD void log_line(LogTopic topic, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
