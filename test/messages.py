# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""messages.py - the compiler's messages for many texts, from one process of messages.c.

    with Messages(ckc) as messages:
        is_right, log = messages.of("kernel k() { }", "uniform")
"""
import json
import os
import subprocess


class Messages:
    """The program beside ckc. The end of `with` checks its exit status: sanitizers report there."""

    def __init__(self, ckc):
        self.program = os.path.join(os.path.dirname(os.path.abspath(ckc)), "tests", "messages")

    def __enter__(self):
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            [self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        return self

    def __exit__(self, kind, *_):
        self.process.stdin.close()
        status = self.process.wait()
        self.process.stdout.close()
        if kind is None and status:
            raise ChildProcessError(f"{self.program} ends with {status}")

    def ask(self, line, text=b""):
        self.process.stdin.write(line.encode() + b"\n" + text)
        self.process.stdin.flush()
        head = self.process.stdout.readline().split()
        if len(head) != 2:
            raise ChildProcessError(f"{self.program} ends with {self.process.wait()}, at {line}\n"
                                    f"{text.decode(errors='replace')}")
        return int(head[0]) == 0, self.process.stdout.read(int(head[1])).decode()

    def of(self, text, last_pass, name="-"):
        """Returns whether a text is correct up to a pass, and all messages."""
        text = text.encode() if isinstance(text, str) else text
        return self.ask(f"compile {last_pass} {len(text)} {name}", text)

    def parsed(self, text, last_pass, name="-"):
        """The messages of a text as dictionaries (docs/diagnostics.md)."""
        log = self.ask(f"json {last_pass} {len(text)} {name}", text)[1]
        found = [json.loads(line) for line in log.splitlines()]
        return [message for message in found if "message" in message]

    def page(self, diagnostic):
        return self.ask(f"explain {diagnostic}")[1]
