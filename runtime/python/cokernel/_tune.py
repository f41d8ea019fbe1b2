# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""_tune.py - the search for tuning parameters, `ckc tune`, with its progress.

The search runs in a process of its own, and is bounded by a budget of seconds. The bar, of tqdm if it is
installed, shows how much of the budget is spent.
"""
import os
import subprocess
import threading
import time

from . import _core, errors
from .__main__ import find_ckc


def _bar(budget):
    try:
        from tqdm.auto import tqdm  # pylint: disable=import-outside-toplevel
    except ImportError:
        return None
    return tqdm(total=budget, desc="tune", unit="s",
                bar_format="{desc}: {percentage:3.0f}% of {total} s |{bar}| {postfix}")


def tune(path, *parameters, device=None, budget=60, progress=True, options=()):
    """Searches the best values of a file's tuning parameters, by its BENCH lines, and writes them into the
    table beside it, FILE.tune, which later compilations read.

    parameters  names; none: all
    budget      seconds for the whole search
    progress    shows a bar on standard error
    options     more options of `ckc tune`, such as ["--quick"]
    returns     the report, as text
    """
    path, device = os.fspath(path), _core.Device(device)
    where = "host" if device.is_host else f"cuda:{device.device_id}"
    words = [find_ckc(), "tune", path, *parameters, f"--device={where}", f"--budget={budget:g}", *options]
    bar, start, lines = _bar(budget) if progress else None, time.monotonic(), []
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as child:
        reader = threading.Thread(target=lambda: lines.extend(child.stdout))
        reader.start()
        while True:
            try:
                child.wait(0.2)
                break
            except subprocess.TimeoutExpired:
                pass
            if bar is not None:
                bar.update(min(time.monotonic() - start, budget) - bar.n)
        reader.join()
    if bar is not None:
        bar.set_postfix_str(lines[-1].strip() if lines else "")
        bar.close()
    text = "".join(lines)
    if child.returncode:
        kind = {1: errors.CompileError, 2: errors.ArgumentError}.get(child.returncode, errors.Error)
        raise kind(text.strip() or f"ckc tune ended with {child.returncode}")
    return text
