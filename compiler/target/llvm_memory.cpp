// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// llvm_memory.cpp - what happens when LLVM finds no memory.
//
// LLVM takes memory by operator new and by malloc, and both end the process when there is none: operator
// new throws, and LLVM, which is built without exceptions, can't let that through. The C API has no say in
// this, so this is the one C++ file of the compiler. libckc carries its own C++ library, hidden from the
// process, so that nobody else's operator new is changed.
//
// A thread that compiles leaves LLVM by longjmp, to where the compilation began. What LLVM held by then is
// never freed, since no destructor ran. libNVVM and nvJitLink have C++ libraries of their own, and still end
// the process: CK_COMPILE_ISOLATE keeps libNVVM apart.
#include <new>

#include "llvm/Support/ErrorHandling.h"

extern "C" {
bool memory_can_escape(void);
[[noreturn]] void memory_is_out(size_t bytes, bool is_foreign);
void llvm_watch_memory(void);
}

static void leave()
{
  if (memory_can_escape()) memory_is_out(0, true);
  std::set_new_handler(nullptr); // a thread that does not compile: operator new fails as it always does
}

static void leave_malloc(void *, const char *, bool)
{
  if (memory_can_escape()) memory_is_out(0, true);
}

void llvm_watch_memory(void)
{
  std::set_new_handler(leave);
  static bool is_set = (llvm::install_bad_alloc_error_handler(leave_malloc), true);
  (void)is_set;
}
