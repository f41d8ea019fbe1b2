#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""wheel.py - packs the Python package of a build folder as a wheel, which needs no tool but Python.

    wheel.py BUILD OUT     writes OUT/cokernel-VERSION-cp310-abi3-manylinux_2_NN_x86_64.whl

The wheel has the package, in lib/ the libraries and in bin/ the program ckc, all stripped. NN is the
newest version of glibc that one of them asks for. The same build gives the same bytes.
"""
import base64
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import zipfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BINARIES = {"cokernel/_core.abi3.so": "python/cokernel/_core.abi3.so", "cokernel/bin/ckc": "bin/ckc"}
METADATA = """Metadata-Version: 2.1
Name: cokernel
Version: {version}
Summary: CK, a CUDA kernel language: its compiler and runtime from Python
License: Apache-2.0 WITH LLVM-exception
Requires-Python: >=3.10
Requires-Dist: numpy>=1.22
Provides-Extra: cuda13
Requires-Dist: nvidia-nvvm>=13,<14; extra == "cuda13"
Requires-Dist: nvidia-nvjitlink>=13,<14; extra == "cuda13"
Description-Content-Type: text/markdown

"""
WHEEL = """Wheel-Version: 1.0
Generator: cokernel
Root-Is-Purelib: false
Tag: {tag}
"""


def stripped(path, folder):
    out = os.path.join(folder, os.path.basename(path))
    subprocess.run(["strip", "-o", out, path], check=True)
    with open(out, "rb") as file:
        return file.read()


def glibc_of(data):
    """The newest 2.N of glibc that a binary names."""
    versions = [int(n) for n in re.findall(rb"\0GLIBC_2\.(\d+)(?=\0|\.)", data)]
    return max([*versions, 36 if b"GLIBC_ABI_DT_RELR" in data else 0])


def version_of(build):
    with open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8") as file:
        return re.search(r"^CMAKE_PROJECT_VERSION:STATIC=(.*)$", file.read(), re.M)[1]


def package_files():
    """The files in Python, and those beside them: name in the wheel, path."""
    source = os.path.join(TOP, "runtime/python")
    for folder, folders, files in os.walk(os.path.join(source, "cokernel")):
        folders[:] = [name for name in folders if name != "__pycache__"]
        for name in files:
            path = os.path.join(folder, name)
            if not name.endswith(".pyc"):
                yield os.path.relpath(path, source), path


def main(build, out):
    version = version_of(build)
    contents = {}
    for name, path in package_files():
        with open(path, "rb") as file:
            contents[name] = file.read()
    with tempfile.TemporaryDirectory() as folder:
        for name, path in BINARIES.items():
            contents[name] = stripped(os.path.join(build, path), folder)
    for name in sorted(os.listdir(os.path.join(build, "lib"))):  # by the names that the loader knows
        if re.fullmatch(r"libck\w+\.so\.\d+", name):
            with tempfile.TemporaryDirectory() as folder:
                contents[f"cokernel/lib/{name}"] = stripped(os.path.join(build, "lib", name), folder)
    glibc = max(glibc_of(contents[name]) for name in contents if re.search(r"\.so(\.\d+)?$|/ckc$", name))
    tag = f"cp310-abi3-manylinux_2_{glibc}_x86_64"
    info = f"cokernel-{version}.dist-info"
    with open(os.path.join(TOP, "LICENSE"), "rb") as file:
        contents[f"{info}/LICENSE"] = file.read()
    readme = os.path.join(TOP, "docs/python.md")
    text = METADATA.format(version=version)
    if os.path.exists(readme):
        with open(readme, encoding="utf-8") as file:
            text += file.read()
    contents[f"{info}/METADATA"] = text.encode()
    contents[f"{info}/WHEEL"] = WHEEL.format(tag=tag).encode()
    contents[f"{info}/entry_points.txt"] = b"[console_scripts]\nckc = cokernel.__main__:main\n"
    rows = []
    for name, data in sorted(contents.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.append(f"{name},sha256={digest},{len(data)}\n")
    contents[f"{info}/RECORD"] = ("".join(rows) + f"{info}/RECORD,,\n").encode()
    os.makedirs(out, exist_ok=True)
    path = os.path.join(out, f"cokernel-{version}-{tag}.whl")
    with zipfile.ZipFile(path + ".part", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        for name, data in sorted(contents.items()):
            entry = zipfile.ZipInfo(name)  # its time is 1980
            entry.external_attr = (0o100755 if re.search(r"\.so(\.\d+)?$|/ckc$", name) else 0o100644) << 16
            file.writestr(entry, data, zipfile.ZIP_DEFLATED)
    os.replace(path + ".part", path)
    print(path)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__.split("\n\n")[1].strip())
    main(*sys.argv[1:])
