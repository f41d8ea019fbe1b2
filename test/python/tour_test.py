# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tour_test.py - runs the samples of docs/python.md, and compares their output with the page's."""
import doctest
import os
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

if __name__ == "__main__":
    os.environ["CK_DEVICE"] = "host"
    page = os.path.join(TOP, "docs/python.md")
    with open(page, encoding="utf-8") as file:
        text = file.read()
    found = doctest.DocTestParser().get_doctest(
        text.replace("\n```\n", "\n\n"), {"__name__": "tour"}, "python.md", page, 0)
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(found)
    print(f"OK, {result.attempted} samples" if not result.failed else f"{result.failed} samples differ")
    sys.exit(result.failed != 0)
