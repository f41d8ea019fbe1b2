/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* json.h - JSON by yyjson (vendor/yyjson): a text to a tree in an arena, and a value back to text.
 *
 * yyjson's accessors take NULL, which stands for a value that is not there, so that a path through
 * a tree needs no checks:
 *
 *   yyjson_get_str(yyjson_obj_get(yyjson_obj_get(root, "launch"), "block"))
 */
#ifndef CK_JSON_H
#define CK_JSON_H

#include "base.h"
#include "yyjson.h"

/* The root of a text, which need not end with a NUL. All of it lives in the arena. NULL, with the
 * byte and the reason in `why`, for a text that is no JSON, that is nested too deeply for whoever
 * walks it, or has a NUL in a string, where the tree's users, who take C strings, would cut it. */
yyjson_val *json_parse(Arena *arena, const char *text, size_t bytes, Buf *why);

/* An integer that fits; a real number, or one that is larger, has none. */
bool json_is_integer(yyjson_val *json, int64_t *out);
int64_t json_integer(yyjson_val *json, int64_t otherwise);
double json_real(yyjson_val *json, double otherwise);

/* Adds the text of a value. */
void json_write(Buf *out, yyjson_val *json);

#endif
