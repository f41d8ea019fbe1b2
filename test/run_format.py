# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run_format.py - lit's format for shell commands, except that run-tests run in lit's own process.

So Python and NumPy are started once, not for each test.
"""
import os
import re

import lit.formats
import lit.Test
import lit.TestRunner

import run_test

COMMANDS = re.compile(r"\bRUN:.*")


class RunFormat(lit.formats.ShTest):
    """Runs tests whose only command is `%run-test %s` here, and others through lit."""

    def __init__(self, devices, backends, **runner):
        """devices: the (name, backend) pairs to run on; backends: those that compile to cubins;
        further arguments are run_test.Runner's."""
        super().__init__(execute_external=False)
        self.devices, self.backends, self.runner = devices, backends, runner

    def execute(self, test, litConfig):
        path = test.getSourcePath()
        with open(path, encoding="utf-8", errors="replace") as file:
            if COMMANDS.findall(file.read()) != ["RUN: %run-test %s"]:
                return super().execute(test, litConfig)
        script = lit.TestRunner.parseIntegratedTestScript(test)
        if isinstance(script, lit.Test.Result):  # not supported on this machine
            return script
        os.environ.update(test.config.environment)
        runner = run_test.Runner(**self.runner, has_session=True)
        verdicts = run_test.run_file(runner, path, self.devices, self.backends)
        verdicts.append(runner.close())
        wrong = "\n".join(verdict for verdict in verdicts if verdict not in (None, run_test.UNCHECKED))
        return lit.Test.Result(lit.Test.FAIL if wrong else lit.Test.PASS, wrong)
