# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""page.py - the end of the scripts that make a page of docs/ from head comments, cooperative.py
and algorithms.py.

    write(document, text)                           writes the page
    report(contracts, failed, document, text_of)    prints what is wrong; true if something is
"""
import sys


def write(document, text):
    with open(document, "w", encoding="utf-8") as file:
        file.write(text)


def report(contracts, failed, document, text_of):
    """Prints the texts of `failed`. If there are none, the document is compared with
    text_of(contracts). Returns whether something is wrong."""
    if not failed:
        with open(document, encoding="utf-8") as file:
            if file.read() != text_of(contracts):
                failed = [f"{document} is not what the comments say: run {sys.argv[0]} --write"]
    for why in failed:
        print(why)
    print(f"{len(contracts)} contracts, {len(failed)} wrong")
    return len(failed) > 0
