/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* ck/types.h - the types that every public header needs: status codes, options, element types, the
 * version. */
#ifndef CK_TYPES_H
#define CK_TYPES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CK_VERSION_MAJOR 0
#define CK_VERSION_MINOR 1
#define CK_VERSION_TEXT  "0.1"

#if defined(_WIN32)
#define CK_API
#else
#define CK_API __attribute__((visibility("default")))
#endif

/* The result of a call. CK_OK is 0; the values are stable. */
typedef enum ck_status {
#define CK_STATUS(name, value, text) CK_##name = value,
#include "ck/status.def"
  CK_STATUS_FORCE_INT = 0x7fffffff
} ck_status_t;

/* Initialises an options struct: `struct_size`, and 0, which means the default, in all other
 * fields.
 *   ck_stream_options_t options = CK_OPTIONS_INIT(ck_stream_options_t); */
#ifdef __cplusplus
#define CK_OPTIONS_INIT(T)                                                                         \
  ([] {                                                                                            \
    T o_ = T();                                                                                    \
    o_.struct_size = sizeof(T);                                                                    \
    return o_;                                                                                     \
  }())
#else
#define CK_OPTIONS_INIT(T)                                                                         \
  {                                                                                                \
    .struct_size = sizeof(T)                                                                       \
  }
#endif

/* A switch of a tool: on, off, or left to the tool. */
typedef enum ck_choice { CK_UNSET = 0, CK_ON = 1, CK_OFF = 2 } ck_choice_t;

/* Element types of spans and scalars. The values are stable, since they are part of compiled code.
 */
typedef enum ck_dtype {
#define CK_DTYPE(name, value, bytes, npy) CK_##name = value,
#include "ck/dtypes.def"
  CK_DTYPE_FORCE_INT = 0x7fffffff
} ck_dtype_t;

/* The text of the last failure on this thread; "" before the first. It starts with the name of the
 * status, as in "CK_INVALID_ARGUMENT: ...". Valid until the next failing call on the same thread.
 */
CK_API const char *ck_last_error(void);

/* Records a failure of this thread, for libraries that are built on this one, and returns `status`.
 *
 * text  copied, without the name of the status; a long one is cut
 */
CK_API ck_status_t ck_error_set(ck_status_t status, const char *text);

/* The CUresult of the last failure on this thread; 0 if the failure did not come from the driver.
 */
CK_API int ck_last_driver_error(void);

/* The name of a status, "CK_OUT_OF_MEMORY", and a line that explains it; "CK_?" and "" for a number
 * that is no status. */
CK_API const char *ck_status_name(ck_status_t status);
CK_API const char *ck_status_text(ck_status_t status);

/* The name and size of an element type, such as "f32" and 4 bytes; "none" and 0 for CK_NONE and for
 * a number that is no element type. */
CK_API const char *ck_dtype_name(ck_dtype_t dtype);
CK_API size_t ck_dtype_bytes(ck_dtype_t dtype);

#ifdef __cplusplus
}
#endif
#endif
