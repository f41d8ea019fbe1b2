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
  OBJECT_kernel,
  OBJECT_argument,
  OBJECT_launch,
  OBJECT_resources,
  OBJECT_param,
  OBJECT_algorithm,
  OBJECT_part,
  OBJECT_function,
  OBJECT_symbol
} ObjectKind;

typedef struct Key {
  const char *name;
  ObjectKind object, of;
  KeyKind kind;
  int64_t low, high;
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

static const char *kind_text(const Json *json)
{
  static const char *const texts[] = {
      [JSON_null] = "null",       [JSON_false] = "a boolean", [JSON_true] = "a boolean",
      [JSON_number] = "a number", [JSON_string] = "a string", [JSON_array] = "a list",
      [JSON_object] = "an object"};
  return texts[json->kind];
}

static bool is_of_kind(const Json *json, KeyKind kind)
{
  switch (kind) {
  case KEY_number: return json->kind == JSON_number;
  case KEY_flag: return json->kind == JSON_true || json->kind == JSON_false;
  case KEY_text: return json->kind == JSON_string;
  case KEY_object: return json->kind == JSON_object;
  case KEY_texts:
  case KEY_list: return json->kind == JSON_array;
  }
  return false;
}

static const char *const kind_names[] = {
    [KEY_number] = "a number", [KEY_flag] = "a boolean",   [KEY_text] = "a string",
    [KEY_texts] = "a list",    [KEY_object] = "an object", [KEY_list] = "a list"};

/* What the bounds of a key limit: the value of a number, the length of a text, the count of a list.
 */
static int64_t measure(const Json *json)
{
  if (json->kind == JSON_number) return json->number;
  return json->kind == JSON_string ? (int64_t)strlen(json->text) : json->count;
}

static bool check_bounds(Buf *why, const Place *place, const Key *key, const Json *json)
{
  const char *unit = key->kind == KEY_text ? " bytes" : key->kind == KEY_number ? "" : " elements";
  int64_t value = measure(json);
  if (key->kind == KEY_flag || key->kind == KEY_object) return true;
  if (key->kind == KEY_number && (double)value != json->real)
    return refuse(why, place, "expected an integer, got %g", json->real);
  if (value >= key->low && value <= key->high) return true;
  return refuse(why, place, "expected %" PRId64 " to %" PRId64 "%s, got %" PRId64, key->low,
                key->high, unit, value);
}

static bool check_object(Buf *why, const Place *place, ObjectKind object, const Json *json);

static bool check_elements(Buf *why, const Place *place, const Key *key, const Json *json)
{
  Place element = {.outer = place};
  for (const Json *item = json_first(json); item; item = item->next, ++element.index) {
    if (key->kind == KEY_texts && item->kind != JSON_string)
      return refuse(why, &element, "expected a string, got %s", kind_text(item));
    if (key->kind == KEY_list && !check_object(why, &element, key->of, item)) return false;
  }
  return true;
}

static bool check_value(Buf *why, const Place *place, const Key *key, const Json *json)
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

static bool check_object(Buf *why, const Place *place, ObjectKind object, const Json *json)
{
  bool is_seen[COUNT_OF(keys)] = {false};
  if (json->kind != JSON_object)
    return refuse(why, place, "expected an object, got %s", kind_text(json));
  for (const Json *member = json_first(json); member; member = member->next) {
    const Key *key = find_key(object, member->name);
    const Place inner = {.outer = place, .name = member->name};
    if (!key)
      return refuse(why, &inner,
                    "the key is unknown: the manifest is damaged, or of a newer compiler");
    if (is_seen[key - keys]) return refuse(why, &inner, "the key stands twice");
    is_seen[key - keys] = true;
    if (!check_value(why, &inner, key, member)) return false;
  }
  return true;
}

bool manifest_check(const Json *root, Buf *why)
{
  return check_object(why, NULL, OBJECT_manifest, root);
}
