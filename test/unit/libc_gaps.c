/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* libc_gaps.c - libckc's own _dl_find_object finds the table that the C library's finds. */
#include <dlfcn.h>
#include <features.h>
#include <stdint.h>
#include <stdio.h>

uint32_t arc4random(void);

static int passed, failed;

static void check(int is_right, const char *what)
{
  if (is_right) ++passed;
  else fprintf(stderr, "failed: %s\n", what), ++failed;
}

int main(void)
{
  uint32_t first = arc4random();
  check(first != arc4random() || first != arc4random(), "three random numbers are not the same");
#if __GLIBC_PREREQ(2, 35)
  void *libc = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
  int (*find)(void *, struct dl_find_object *) = NULL;
  if (libc) *(void **)&find = dlsym(libc, "_dl_find_object");
  void *addresses[] = {(void *)(uintptr_t)main, (void *)(uintptr_t)printf, dlsym(libc, "qsort")};
  for (int i = 0; find && i < 3; ++i) {
    struct dl_find_object own, theirs;
    check(find != _dl_find_object, "the definition is libckc's");
    check(_dl_find_object(addresses[i], &own) == 0, "the object is found");
    check(find(addresses[i], &theirs) == 0, "the C library finds it");
    check(own.dlfo_eh_frame == theirs.dlfo_eh_frame, "the same unwind information");
    check(own.dlfo_map_start <= addresses[i] && addresses[i] < own.dlfo_map_end, "a range with it");
  }
  struct dl_find_object none;
  int local = 0;
  check(_dl_find_object(&local, &none) == -1, "the stack is in no object");
  check(_dl_find_object(NULL, &none) == -1, "nothing is at NULL");
#endif
  printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
