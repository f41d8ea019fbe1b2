#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""summary.py - adds up results: .json of lit, .xml (JUnit) of ctest and of check_style.py.

Prints failed tests with the end of their output, the number of skipped tests by kind, and `N
passed, N failed` as the last line. A missing file counts as one failure: its program crashed. Exits
with 1 on a failure.
"""
import json
import sys
import xml.etree.ElementTree as xml

LINES_SHOWN = 40


def lit_results(path):
    with open(path, encoding="utf-8") as file:
        for test in json.load(file)["tests"]:
            code = test["code"]
            if code in ("PASS", "XFAIL", "FLAKYPASS"):
                yield test["name"], "passed", ""
            elif code in ("UNSUPPORTED", "SKIPPED", "EXCLUDED"):
                yield test["name"], "skipped", ""
            else:
                yield test["name"], "failed", test.get("output", "")


def junit_results(path):
    for case in xml.parse(path).getroot().iter("testcase"):
        if case.find("failure") is not None or case.get("status") == "fail":
            yield case.get("name"), "failed", case.findtext("system-out") or ""
        elif case.find("skipped") is not None:
            yield case.get("name"), "skipped", ""
        else:
            yield case.get("name"), "passed", ""


def main():
    total = {"passed": 0, "failed": 0, "skipped": 0}
    for path in sys.argv[1:]:
        kind = path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
        counts = {"passed": 0, "failed": 0, "skipped": 0}
        try:
            results = list((lit_results if path.endswith(".json") else junit_results)(path))
        except (OSError, ValueError, KeyError, xml.ParseError) as error:
            results = [(f"left no results: {error}", "failed", "")]
        for name, result, output in results:
            counts[result] += 1
            if result == "failed":  # repeated at the end, where readers of a long log look
                print(f"FAILED {kind}: {name}")
                print("".join(f"    {line}\n" for line in output.splitlines()[-LINES_SHOWN:]), end="")
        print(f"{kind}: " + ", ".join(f"{n} {what}" for what, n in counts.items()))
        for what, n in counts.items():
            total[what] += n
    print(f"{total['passed']} passed, {total['failed']} failed")
    return 1 if total["failed"] or not total["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
