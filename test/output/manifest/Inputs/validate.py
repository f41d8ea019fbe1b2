#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""validate.py - checks manifests against docs/manifest.schema.json. It knows the keywords of JSON
Schema that the schema uses, and fails on any other.

Usage: validate.py SCHEMA FILE... (JSON, or object code with a manifest after it)
"""
import contextlib
import io
import json
import re
import sys

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int}
NOTES = {"$schema", "title", "$defs"}


def check(value, schema, root, place):
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rpartition("/")[2]]
    for word, wanted in schema.items():
        if word == "type":
            is_good = type(value) is TYPES[wanted]
        elif word == "enum":
            is_good = value in wanted
        elif word == "pattern":
            is_good = re.search(wanted, value)
        elif word == "required":
            is_good = all(name in value for name in wanted)
        elif word == "additionalProperties":
            is_good = wanted or set(value) <= set(schema["properties"])
        elif word == "minItems":
            is_good = len(value) >= wanted
        elif word == "maxItems":
            is_good = len(value) <= wanted
        elif word == "properties":
            is_good = all([check(item, wanted[name], root, f"{place}.{name}")
                           for name, item in value.items() if name in wanted])
        elif word == "items":
            is_good = all([check(item, wanted, root, f"{place}[{i}]")
                           for i, item in enumerate(value)])
        elif word == "oneOf":
            with contextlib.redirect_stdout(io.StringIO()):  # those that don't hold say nothing
                is_good = sum(check(value, one, root, place) for one in wanted) == 1
        elif word in NOTES:
            continue
        else:
            sys.exit(f"validate.py does not know '{word}'")
        if not is_good:
            print(f"{place}: not what '{word}' asks for: {json.dumps(value)[:200]}")
            return False
    return True


def read(path):
    data = open(path, "rb").read()
    if data[-8:] == b"CKMANIF1":
        data = data[-16 - int.from_bytes(data[-16:-8], "little"):-16]
    return json.loads(data)


schema = json.load(open(sys.argv[1]))
results = [check(read(path), schema, schema, path) for path in sys.argv[2:]]
print(f"{sum(results)} of {len(results)} are as the schema says")
sys.exit(not all(results))
