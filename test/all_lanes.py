#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""all_lanes.py - copies lib/ so that compute-sanitizer's racecheck sees what its mbarriers order.

    all_lanes.py FOLDER            the copy, for ckc's --lib
    all_lanes.py FOLDER --large    the same with the edits of large_forms.py, for the host device

In the library lane 0 arrives at an mbarrier behind warp.sync(), for all lanes of its warp. racecheck takes
what the other lanes read and wrote before for a race, as it does in CUDA C++. In the copy all lanes arrive, and
barriers count them. Nothing else differs, so a race that racecheck still finds is one.
"""
import glob
import os
import sys

import large_forms
import lib_copy

# Arrivals by lane 0 alone, then those in a block with other statements of lane 0, which stay its own; then
# the numbers of arrivals that barriers expect, and the arrival of one thread that stands for a warp's.
LANE_0 = r"if \(warp\.lane == 0\) "
EDITS = [(LANE_0 + r"mbarrier\.arrive\((begun|done\[s\]|empty\[s\])\)", r"mbarrier.arrive(\1)"),
         (r"if \(is_next && warp\.lane == 0\) mbarrier\.arrive", "if (is_next) mbarrier.arrive"),
         (LANE_0 + r"\{\n +(mbarrier\.arrive\(ready\[s\]\);\n)", r"\1if (warp.lane == 0) {\n"),
         (LANE_0 + r"\{\n +(ahead\[r % S\] = p;\n +mbarrier\.arrive\(ready\[r % S\]\);\n) +\}", r"if (warp.lane == 0) \1"),
         (LANE_0 + r"\{\n +(bases\[next\] = all;\n +mbarrier\.arrive\(handed\[next\]\);\n) +\}", r"if (warp.lane == 0) \1"),
         (r"mbarrier\.init\((ready\[s\]|done\[s\]|empty\[s\]|taken\[s\]|begun|handed\[i\]), ", r"mbarrier.init(\1, 32 * "),
         (r"mbarrier\.arrive\(handed\[0\]\)", "for (i in 0u32..32) mbarrier.arrive(handed[0])")]


def main(folder, *options):
    lib_copy.edited(folder, EDITS + (large_forms.EDITS if "--large" in options else []))
    for path in glob.glob(os.path.join(folder, "device", "*.ck")):
        with open(path, encoding="utf-8") as file:
            if "warp.lane == 0) mbarrier.arrive(" in file.read():
                sys.exit(f"{path}: lane 0 still arrives for its warp")


if __name__ == "__main__":
    main(*sys.argv[1:])
