#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""entries.py - prints the contents of a fatbin: one line per entry, then its manifest.

Usage: entries.py FILE [--split|--ptx]

--split writes the container without the manifest to FILE.container, and the cubins to FILE.0,
FILE.1, ...; --ptx writes the PTX to standard output.
"""
import struct
import sys

KINDS = {1: "ptx", 2: "cubin"}
SUFFIXES = {0x100000: "a", 0x200000: "f"}

path, option = sys.argv[1], sys.argv[2:]
data = open(path, "rb").read()
magic, version, head_bytes, body_bytes = struct.unpack_from("<IHHQ", data)
assert (magic, version, head_bytes) == (0xBA55ED50, 1, 16)
at, end, index = head_bytes, head_bytes + body_bytes, 0
while at < end:
    kind, _, entry_bytes, image_bytes, _, _, _, _, sm, _, _, flags = \
        struct.unpack_from("<HHIQIIHHIIIQ", data, at)
    image = data[at + entry_bytes:at + entry_bytes + image_bytes]
    at += entry_bytes + image_bytes
    text = image.rstrip(b"\0").decode(errors="replace")
    if "--split" in option:
        open(f"{path}.{index}", "wb").write(image)
    elif "--ptx" in option and kind == 1:
        print(text)
    elif not option:
        entry = text[text.index(".entry"):].split("(")[0] if kind == 1 else ""
        print(KINDS[kind], f"sm_{sm}{SUFFIXES.get(flags & 0x300000, '')}", entry)
    index += 1
assert at == end
if "--split" in option:
    open(path + ".container", "wb").write(data[:end])
assert data[-8:] == b"CKMANIF1"
(json_bytes,) = struct.unpack_from("<Q", data, len(data) - 16)
assert len(data) - 16 - json_bytes == end
if not option:
    print(data[end:-16].decode())
