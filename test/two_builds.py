# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""two_builds.py - decides which build runs a test, so that continuous integration shows no fact
twice.

The dev build has sanitizers and runs all tests but those that require what it lacks. What a test
says of the compiler's output is the same for both builds, so the release build runs a test only if
one of its RUN or REQUIRES lines has a word of BY_BUILD: the word stands for something else in that
build. A test that is named on the command line runs in any case, and so does every test outside of
continuous integration.
"""
import re

import lit.formats

BY_BUILD = re.compile(r"%run-(?:test|examples)\b|"
                      r"%(?:programs|configurations|operations|cells|accuracy)\b|"
                      r"\boptimized\b|\bonce\b")


def is_by_build(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return any(BY_BUILD.search(line) for line in file if "RUN:" in line or "REQUIRES:" in line)


class Format(lit.formats.ShTest):
    """lit's format for tests of shell commands, which leaves out what the other build runs."""

    def __init__(self, is_second):
        super().__init__(execute_external=False)
        self.is_second = is_second

    def getTestsInDirectory(self, testSuite, path_in_suite, litConfig, localConfig):
        for test in super().getTestsInDirectory(testSuite, path_in_suite, litConfig, localConfig):
            if not self.is_second or is_by_build(test.getSourcePath()):
                yield test
