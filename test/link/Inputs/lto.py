#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lto.py - links LTO-IR to a cubin with nvJitLink, and finds the manifest in the LTO-IR.

Usage: lto.py LIBNVJITLINK ARCH FILE OUT Prints the manifest; writes the cubin to OUT.
"""
import ctypes
import struct
import sys

LTOIR, MAGIC = 3, 0x7F4E43ED
path, arch, source, out = sys.argv[1:]
data = open(source, "rb").read()
(body,) = struct.unpack_from("<I", data, 20)
assert struct.unpack_from("<I", data)[0] == MAGIC and data[body - 8:body] == b"CKMANIF1"
(json_bytes,) = struct.unpack_from("<Q", data, body - 16)
print(data[body - 16 - json_bytes:body - 16].decode())

library = ctypes.CDLL(path)
version = next(v for v in ["", "_12_9", "_12_8", "_12_6", "_12_4", "_12_0"]
               if hasattr(library, ("__" if v else "") + "nvJitLinkCreate" + v))


def call(name, *arguments):
    result = getattr(library, ("__" if version else "") + "nvJitLink" + name + version)(*arguments)
    assert result == 0, f"{name}: {result}"


link, size = ctypes.c_void_p(), ctypes.c_size_t()
options = (ctypes.c_char_p * 2)(f"-arch={arch}".encode(), b"-lto")
call("Create", ctypes.byref(link), 2, options)
call("AddData", link, LTOIR, data, ctypes.c_size_t(len(data)), b"kernel")
call("Complete", link)
call("GetLinkedCubinSize", link, ctypes.byref(size))
cubin = ctypes.create_string_buffer(size.value)
call("GetLinkedCubin", link, cubin)
open(out, "wb").write(cubin.raw)
