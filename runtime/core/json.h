/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* json.h - JSON text to a tree in an arena: what manifests need of it. */
#ifndef CK_JSON_H
#define CK_JSON_H

#include "base.h"

typedef enum JsonKind {
  JSON_null,
  JSON_false,
  JSON_true,
  JSON_number, /* integers in `number`, others are 0 there; all in `real` */
  JSON_string,
  JSON_array,
  JSON_object
} JsonKind;

typedef struct Json {
  JsonKind kind;
  uint32_t count; /* of elements or members */
  int64_t number;
  double real;
  const char *name;   /* of a member; NULL in an array */
  const char *text;   /* of a string, UTF-8, with a NUL */
  struct Json *first; /* element or member */
  struct Json *next;  /* beside this one */
} Json;

/* NULL with the place and the reason in `why`. */
const Json *json_parse(Arena *arena, const char *text, size_t bytes, Buf *why);

/* All of these accept NULL, which stands for a value that is not there. */
const Json *json_member(const Json *object, const char *name); /* NULL if there is none */
const char *json_text(const Json *json);                       /* NULL if it is no string */
int64_t json_integer(const Json *json, int64_t otherwise);
double json_real(const Json *json, double otherwise);
uint32_t json_count(const Json *json);    /* 0 if it is no array or object */
const Json *json_first(const Json *json); /* of an array or object; go on with ->next */
bool json_is_true(const Json *json);

/* Adds the text of a tree. */
void json_write(Buf *out, const Json *json);

#endif
