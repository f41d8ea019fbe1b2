# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""wheel_test.py - packs the wheel, unpacks it as pip does, and runs first_test.py with what it has, and with
nothing of the build folder. Exits with 77 in a package, and for a build that sanitizers watch, which is no release.
"""
import base64
import csv
import hashlib
import io
import os
import subprocess
import sys
import tempfile
import zipfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("CK_BUILD", os.path.join(TOP, "build"))


def check_record(archive):
    """Every file is in RECORD, with its digest and size."""
    name = next(n for n in archive.namelist() if n.endswith(".dist-info/RECORD"))
    rows = {row[0]: row[1:] for row in csv.reader(io.StringIO(archive.read(name).decode()))}
    assert set(rows) == set(archive.namelist()), set(rows) ^ set(archive.namelist())
    for file, (digest, size) in rows.items():
        data = archive.read(file)
        if file != name:
            made = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            assert (digest, size) == (f"sha256={made}", str(len(data))), file


def main():
    if not os.path.exists(os.path.join(BUILD, "lib/libckrt.so")):
        print("no build folder to make a wheel of")
        return 77
    with open(os.path.join(BUILD, "lib/libckrt.so"), "rb") as file:
        if b"__asan_init" in file.read():
            print("the build has sanitizers")
            return 77
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run([sys.executable, os.path.join(TOP, "runtime/python/wheel.py"), BUILD, folder],
                             capture_output=True, text=True, check=True)
        path = run.stdout.strip()
        assert "-cp310-abi3-manylinux_2_34_" in path, path
        site = os.path.join(folder, "site")
        with zipfile.ZipFile(path) as archive:
            check_record(archive)
            for entry in archive.infolist():
                file = archive.extract(entry, site)
                os.chmod(file, entry.external_attr >> 16 & 0o777)
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith(("CK_", "LD_")) and name != "PYTHONPATH"}
        environment.update(PYTHONPATH=site, CK_DEVICE="host", XDG_CACHE_HOME=folder)
        done = subprocess.run([sys.executable, os.path.join(TOP, "test/python/first_test.py")],
                              env=environment, cwd=folder, check=False)
        size = os.path.getsize(path)
        print(f"{os.path.basename(path)}: {size / 1e6:.1f} MB")
        return done.returncode


if __name__ == "__main__":
    sys.exit(main())
