/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* error.c - status codes as text, the last failure of each thread, options structs, and the log. */
#include "error.h"

#include "ck/ck.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longer messages are truncated. The first lines of a compile log and the values of a launch fit.
 */
enum { MESSAGE_BYTES = 2048 };

static _Thread_local char last_message[MESSAGE_BYTES];
static _Thread_local int last_driver_error;
static _Thread_local ck_status_t last_status;
static _Thread_local unsigned failure_count;
static _Thread_local unsigned pause_count;

atomic_uint log_topics = LOG_UNREAD;

const char *ck_version(void)
{
  return CK_VERSION_TEXT;
}

const char *ck_last_error(void)
{
  return last_message;
}

ck_status_t ck_error_set(ck_status_t status, const char *text)
{
  return error_set(status, "%s", text ? text : "");
}

int ck_last_driver_error(void)
{
  return last_driver_error;
}

/* For each status its name and its text; statuses are numbered from 0 in the order of the table. */
static const char statuses[] = {
#define CK_STATUS(name, value, text) "CK_" #name "\0" text "\0"
#include "ck/status.def"
};

enum {
#define CK_STATUS(name, value, text) STATUS_##name,
#include "ck/status.def"
  STATUS_COUNT
};

const char *ck_status_name(ck_status_t status)
{
  return (size_t)status < STATUS_COUNT ? strings_at(statuses, 2 * (size_t)status) : "CK_?";
}

const char *ck_status_text(ck_status_t status)
{
  return (size_t)status < STATUS_COUNT ? strings_at(statuses, 2 * (size_t)status + 1) : "";
}

static const uint8_t dtype_sizes[] = {
#define CK_DTYPE(name, value, bytes, npy) [value] = bytes,
#include "ck/dtypes.def"
};

const char *ck_dtype_name(ck_dtype_t dtype)
{
  /* The names in manifests and in CK: those of dtypes.def in lower case. */
  static const char names[][5] = {"none", "bool", "i8",  "i16", "i32",  "i64", "u8",
                                  "u16",  "u32",  "u64", "f16", "bf16", "f32", "f64"};
  _Static_assert(COUNT_OF(names) == COUNT_OF(dtype_sizes), "a name per row of dtypes.def");
  return (size_t)dtype < COUNT_OF(names) ? names[dtype] : names[0];
}

size_t ck_dtype_bytes(ck_dtype_t dtype)
{
  return (size_t)dtype < COUNT_OF(dtype_sizes) ? dtype_sizes[dtype] : 0;
}

/* Replaces terminal control sequences, which file names and texts of kernels may contain, by
 * question marks. */
static void show_controls(char *text)
{
  for (size_t left = strlen(text), length; left; text += length, left -= length) {
    size_t control = control_length(text, left);
    length = control ? control : 1;
    if (control) memset(text, '?', control);
  }
}

static ck_status_t error_record(ck_status_t status, int driver_error, const char *format,
                                va_list values)
{
  if (pause_count) return status;
  /* The values may point into the old message, so the new one is built in another buffer. */
  char text[MESSAGE_BYTES];
  int len = snprintf(text, sizeof text, "%s: ", ck_status_name(status));
  vsnprintf(text + len, sizeof text - (size_t)len, format, values);
  show_controls(text);
  memcpy(last_message, text, sizeof text);
  last_driver_error = driver_error;
  last_status = status;
  ++failure_count;
  return status;
}

void error_pause(void)
{
  ++pause_count;
}

void error_resume(void)
{
  --pause_count;
}

unsigned error_count(void)
{
  return failure_count;
}

bool error_is_of(ck_status_t status)
{
  return last_status == status;
}

ck_status_t error_set(ck_status_t status, const char *format, ...)
{
  va_list values;
  va_start(values, format);
  error_record(status, 0, format, values);
  va_end(values);
  return status;
}

ck_status_t error_argument(const char *format, ...)
{
  va_list values;
  va_start(values, format);
  error_record(CK_INVALID_ARGUMENT, 0, format, values);
  va_end(values);
  return CK_INVALID_ARGUMENT;
}

ck_status_t error_unsupported(const char *format, ...)
{
  va_list values;
  va_start(values, format);
  error_record(CK_UNSUPPORTED, 0, format, values);
  va_end(values);
  return CK_UNSUPPORTED;
}

ck_status_t error_set_driver(ck_status_t status, int driver_error, const char *format, ...)
{
  va_list values;
  va_start(values, format);
  error_record(status, driver_error, format, values);
  va_end(values);
  return status;
}

ck_status_t error_within(ck_status_t status, const char *format, ...)
{
  char context[MESSAGE_BYTES / 2];
  va_list values;
  va_start(values, format);
  vsnprintf(context, sizeof context, format, values);
  va_end(values);
  const char *cause = strstr(last_message, ": ");
  return error_set_driver(status, last_driver_error, "%s: %s", context, cause ? cause + 2 : "");
}

ck_status_t error_null(const char *function, const char *argument)
{
  return error_argument("%s: %s is NULL", function, argument);
}

ck_status_t options_read(void *own, size_t own_bytes, const void *theirs, const char *name)
{
  if (!theirs) return CK_OK;
  size_t their_bytes;
  memcpy(&their_bytes, theirs, sizeof their_bytes);
  if (their_bytes < sizeof their_bytes)
    return error_argument("%s: struct_size is %zu: use CK_OPTIONS_INIT", name, their_bytes);
  for (size_t i = own_bytes; i < their_bytes; ++i)
    if (((const unsigned char *)theirs)[i])
      return error_argument("%s: byte %zu is set, this library (%s) knows %zu bytes", name, i,
                            CK_VERSION_TEXT, own_bytes);
  memcpy(own, theirs, their_bytes < own_bytes ? their_bytes : own_bytes);
  return CK_OK;
}

static const char topic_names[][8] = {[LOG_driver] = "driver",
                                      [LOG_compile] = "compile",
                                      [LOG_cache] = "cache",
                                      [LOG_launch] = "launch"};

bool log_wants_now(LogTopic topic)
{
  unsigned topics = atomic_load(&log_topics);
  if (topics & LOG_UNREAD) {
    const char *wanted = getenv("CK_LOG");
    topics = 0;
    for (unsigned i = 0; wanted && i < LOG_TOPIC_COUNT; ++i)
      if (strstr(wanted, topic_names[i])) topics |= 1u << i;
    atomic_store(&log_topics, topics);
  }
  return topics & 1u << topic;
}

void log_line(LogTopic topic, const char *format, ...)
{
  static _Atomic double start;
  if (!log_wants(topic)) return;
  double now = seconds_now(), none = 0;
  atomic_compare_exchange_strong(&start, &none, now);
  char text[MESSAGE_BYTES];
  va_list values;
  va_start(values, format);
  vsnprintf(text, sizeof text, format, values);
  va_end(values);
  show_controls(text);
  fprintf(stderr, "ck %.6f %s: %s\n", now - atomic_load(&start), topic_names[topic], text);
}
