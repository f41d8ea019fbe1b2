# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hints_test.py - applies what the messages for broken programs propose, one proposal at a time.

    hints_test.py CKC FOLDER...    the .ck files of the folders

A fix is applied as an editor would. For a hint `Write T(x) to ...`, the x at the place of the
message becomes T(x). It fails if the same message then occurs at the same place again, or if a hint
proposes to convert a number with a fraction to an integer. The last line is `N followed, N wrong`.
"""
import glob
import re
import sys

from messages import Messages

LOSES = re.compile(r"^(Write|Convert) .*\b[iu](8|16|32|64)\((\d*\.\d+|\d+e-?\d+)\)")
WRITE = re.compile(r"^Write (\w+)\((.*)\) to (convert it|calculate with floats)\.$")


def fixed(text, message):
    """Returns the program with each proposal of the message."""
    for fix in message.get("fixes", []):
        result = text
        for edit in sorted(fix["edits"], key=lambda edit: edit["start"], reverse=True):
            result = result[:edit["start"]] + edit["replacement"].encode() + result[edit["end"]:]
        yield result
    for hint in message.get("hints", []):
        write = WRITE.match(hint)
        if not write or "start" not in message:
            continue
        kind, inner = write.group(1).encode(), write.group(2).encode()
        lo = text.rfind(b"\n", 0, message["start"]) + 1
        hi = text.find(b"\n", message["end"])
        line = text[lo:hi]
        at = line.find(inner, message["start"] - lo)
        if at < 0:
            at = line.rfind(inner, 0, message["end"] - lo)
        if at < 0 or inner == b"...":
            continue
        yield text[:lo] + line[:at] + kind + b"(" + inner + b")" + line[at + len(inner):] + text[hi:]


def shown(message):
    return f"{message.get('line')}:{message.get('column')}: {message['message']}"


def main(ckc, *folders):
    with Messages(ckc) as asked:
        return follow(lambda text: asked.parsed(text, "uniform"), folders)


def follow(messages, folders):
    followed = wrong = 0
    for path in sorted(path for folder in folders for path in glob.glob(f"{folder}/*.ck")):
        with open(path, "rb") as file:
            text = file.read()
        before = messages(text)
        lines = text.count(b"\n")
        for message in before:
            for hint in message.get("hints", []):
                if LOSES.match(hint):
                    wrong += 1
                    print(f"{path}:{shown(message)}: loses a fraction: {hint}")
            for result in fixed(text, message):
                followed += 1
                after = messages(result)
                moved = result.count(b"\n") - lines
                key = (message["id"], message["message"], message.get("column"))
                if any((other["id"], other["message"], other.get("column")) == key
                       and other.get("line", 0) in (message.get("line", 0), message.get("line", 0) + moved)
                       for other in after):
                    wrong += 1
                    print(f"{path}:{shown(message)}: still there after its proposal")
    print(f"{followed} followed, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
