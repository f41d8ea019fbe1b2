#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""keys.py - compares the keys of the runtime's table with those of the manifest's JSON Schema.

Usage: keys.py MANIFEST_KEYS_DEF SCHEMA
"""
import json
import re
import sys

KINDS = {"number": "integer", "flag": "boolean", "text": "string", "texts": "array", "list": "array",
         "object": "object"}


def kind_of(schema):
    """The kind of a value; if it is one of several constants, their kind."""
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rpartition("/")[2]]
    if "enum" in schema:
        return {int: "integer", bool: "boolean", str: "string"}[type(schema["enum"][0])], schema
    return schema["type"], schema


def walk(name, schema, found):
    """Adds (object, key) -> kind for an object and the objects in it."""
    for key, value in schema["properties"].items():
        kind, inner = kind_of(value)
        found[name, key] = kind
        if kind == "array":
            inner = kind_of(inner["items"])[1]
        of = rows.get((name, key), ("", ""))[1]
        if "properties" in inner and of and (of, "") not in found:
            found[of, ""] = "object"
            walk(of, inner, found)


text = open(sys.argv[1]).read()
rows = {(row[0], row[1]): (KINDS[row[2]], row[3]) for row in
        re.findall(r"(?m)^MANIFEST_KEY\((\w+), +(\w+), +(\w+), +(\w+),", text)}
root = json.load(open(sys.argv[2]))
seen = {}
walk("manifest", root, seen)
seen = {key: kind for key, kind in seen.items() if key[1]}
for key in sorted(set(rows) | set(seen)):
    table, schema = rows.get(key, ("nothing",))[0], seen.get(key, "nothing")
    if table != schema:
        sys.exit(f"{key[1]} of {key[0]}: {table} in the table, {schema} in the schema")
print(f"the same keys in {len({key[0] for key in rows})} objects")
