/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* manifest_check.c - checks the keys and values of a manifest against the table manifest_keys.def.
 *
 * Launches rely on the manifest: if a misspelled key were ignored, a span would lose its extents.
 * So these are errors: a key that is not in the table, a key that occurs twice in an object, a
 * value of the wrong kind, and a value out of its bounds. What values mean in combination is
 * checked in manifest.c.
 *
 * Messages have the path of the value: `kernels[0].params[1].rank`.
 */
#include <inttypes.h>
#include <string.h>

#include "core/json.h"
#include "manifest.h"

typedef enum KeyKind {
  KEY_number,
  KEY_flag,
  KEY_text,
  KEY_texts, /* a list of texts */
  KEY_object,
  KEY_list /* of objects */
} KeyKind;

typedef enum ObjectKind {
  OBJECT_none,
  OBJECT_manifest,
  OBJECT_source,
  OBJECT_options,
  OBJECT_tuning,
  OBJECT_kernel,
  OBJECT_argument,
  OBJECT_launch,
  OBJECT_loop,
  OBJECT_resources,
  OBJECT_param,
  OBJECT_algorithm,
  OBJECT_need,
  OBJECT_part,
  OBJECT_function,
  OBJECT_symbol
} ObjectKind;

typedef struct Key {
  char name[20];
  uint8_t object, of, kind, low; /* ObjectKind, ObjectKind, KeyKind, lower bound */
  uint32_t high;
} Key;

static const Key keys[] = {
#define MANIFEST_KEY(object, key, kind, of, low, high)                                             \
  {#key, OBJECT_##object, OBJECT_##of, KEY_##kind, low, high},
#include "manifest_keys.def"
};

/* The path of a value: a linked list from the inside out. */
typedef struct Place {
  const struct Place *outer;
  const char *name; /* name of the member; NULL: element `index` of a list */
  uint32_t index;
} Place;

static void put_place(Buf *out, const Place *place)
{
  if (!place) return;
  put_place(out, place->outer);
  if (place->name) buf_printf(out, "%s%s", place->outer ? "." : "", place->name);
  else buf_printf(out, "[%u]", place->index);
}

static bool refuse(Buf *why, const Place *place, const char *format, ...) PRINTF_LIKE(3, 4);
static bool refuse(Buf *why, const Place *place, const char *format, ...)
{
  va_list values;
  put_place(why, place);
  buf_puts(why, place ? ": " : "");
  va_start(values, format);
  buf_vprintf(why, format, values);
  va_end(values);
  return false;
}

static const char *kind_text(yyjson_val *json)
{
  switch (yyjson_get_type(json)) {
  case YYJSON_TYPE_BOOL: return "a boolean";
  case YYJSON_TYPE_NUM: return "a number";
  case YYJSON_TYPE_STR: return "a string";
  case YYJSON_TYPE_ARR: return "a list";
  case YYJSON_TYPE_OBJ: return "an object";
  default: return "null";
  }
}

static bool is_of_kind(yyjson_val *json, KeyKind kind)
{
  switch (kind) {
  case KEY_number: return yyjson_is_num(json);
  case KEY_flag: return yyjson_is_bool(json);
  case KEY_text: return yyjson_is_str(json);
  case KEY_object: return yyjson_is_obj(json);
  case KEY_texts:
  case KEY_list: return yyjson_is_arr(json);
  }
  return false;
}

static const char kind_names[][10] = {
    [KEY_number] = "a number", [KEY_flag] = "a boolean",   [KEY_text] = "a string",
    [KEY_texts] = "a list",    [KEY_object] = "an object", [KEY_list] = "a list"};

/* What the bounds of a key limit: the value of a number, the length of a text, the count of a list.
 */
static int64_t measure(yyjson_val *json)
{
  return yyjson_is_num(json) ? json_integer(json, 0) : (int64_t)yyjson_get_len(json);
}

static bool check_bounds(Buf *why, const Place *place, const Key *key, yyjson_val *json)
{
  const char *unit = key->kind == KEY_text ? " bytes" : key->kind == KEY_number ? "" : " elements";
  int64_t value = measure(json);
  if (key->kind == KEY_flag || key->kind == KEY_object) return true;
  int64_t integer;
  if (key->kind == KEY_number && !json_is_integer(json, &integer))
    return refuse(why, place, "expected an integer, got %g", yyjson_get_num(json));
  if (value >= key->low && value <= key->high) return true;
  return refuse(why, place, "expected %u to %u%s, got %" PRId64, key->low, key->high, unit, value);
}

static bool check_object(Buf *why, const Place *place, ObjectKind object, yyjson_val *json);

static bool check_elements(Buf *why, const Place *place, const Key *key, yyjson_val *json)
{
  Place element = {.outer = place};
  yyjson_arr_iter items = yyjson_arr_iter_with(json);
  for (yyjson_val *item; (item = yyjson_arr_iter_next(&items)); ++element.index) {
    if (key->kind == KEY_texts && !yyjson_is_str(item))
      return refuse(why, &element, "expected a string, got %s", kind_text(item));
    if (key->kind == KEY_list && !check_object(why, &element, key->of, item)) return false;
  }
  return true;
}

static bool check_value(Buf *why, const Place *place, const Key *key, yyjson_val *json)
{
  if (!is_of_kind(json, key->kind))
    return refuse(why, place, "expected %s, got %s", kind_names[key->kind], kind_text(json));
  if (!check_bounds(why, place, key, json)) return false;
  if (key->kind == KEY_object) return check_object(why, place, key->of, json);
  return key->kind == KEY_text || check_elements(why, place, key, json);
}

static const Key *find_key(ObjectKind object, const char *name)
{
  for (size_t i = 0; i < COUNT_OF(keys); ++i)
    if (keys[i].object == object && !strcmp(keys[i].name, name)) return &keys[i];
  return NULL;
}

static bool check_object(Buf *why, const Place *place, ObjectKind object, yyjson_val *json)
{
  bool is_seen[COUNT_OF(keys)] = {false};
  if (!yyjson_is_obj(json))
    return refuse(why, place, "expected an object, got %s", kind_text(json));
  yyjson_obj_iter names = yyjson_obj_iter_with(json);
  for (yyjson_val *name; (name = yyjson_obj_iter_next(&names));) {
    const Key *key = find_key(object, yyjson_get_str(name));
    const Place inner = {.outer = place, .name = yyjson_get_str(name)};
    if (!key)
      return refuse(why, &inner,
                    "the key is unknown: the manifest is damaged, or of a newer compiler");
    if (is_seen[key - keys]) return refuse(why, &inner, "the key stands twice");
    is_seen[key - keys] = true;
    if (!check_value(why, &inner, key, yyjson_obj_iter_get_val(name))) return false;
  }
  return true;
}

bool manifest_check(yyjson_val *root, Buf *why)
{
  return check_object(why, NULL, OBJECT_manifest, root);
}
