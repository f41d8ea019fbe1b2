# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""sitecustomize.py - puts cokernel.compute in place in the scripts that the peer's tests start, too."""
import peer_plugin

assert peer_plugin
