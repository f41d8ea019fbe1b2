# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fix_test.py - applies the fixes that `ckc --diagnostics=json` proposes, as an editor would.

    fix_test.py CKC FILE.ck        prints the text with all fixes; fails if it then does not compile

The compiler reports 20 errors at most, and a fix may uncover further errors, so it is run again
until no message has a fix.
"""
import json
import subprocess
import sys

ROUNDS = 10


def messages(ckc, text):
    run = subprocess.run([ckc, "-", "--stop-after=check", "--diagnostics=json"], input=text,
                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if run.returncode not in (0, 1):
        sys.exit(f"ckc ends with {run.returncode}:\n{run.stderr.decode()}")
    found = [json.loads(line) for line in run.stderr.decode().splitlines()]
    return [message for message in found if message["severity"] == "error"]


def apply(text, found):
    edits = [edit for message in found for fix in message.get("fixes", []) for edit in fix["edits"]]
    end = len(text)
    for edit in sorted(edits, key=lambda edit: (edit["start"], edit["end"]), reverse=True):
        if edit["end"] > end:
            sys.exit(f"two fixes change one text: {edit}")
        text = text[:edit["start"]] + edit["replacement"].encode() + text[edit["end"]:]
        end = edit["start"]
    return text, len(edits)


def main(ckc, path):
    with open(path, "rb") as file:
        text = file.read()
    for _ in range(ROUNDS):
        found = messages(ckc, text)
        text, count = apply(text, found)
        if not count:
            break
    sys.stdout.write(text.decode())
    for message in found:
        print(f"// {message.get('line')}: {message.get('message')}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
