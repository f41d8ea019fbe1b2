/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* libc_gaps.c - functions that the C library of the build machine has and glibc 2.34 lacks.
 *
 * Debian 12 has glibc 2.36; RHEL 9 has 2.34 and Ubuntu 22.04 has 2.35. What is built here runs
 * there if it asks for no newer symbol. LLVM's and GCC's static libraries ask for two. The linker
 * prefers these definitions, which libckc keeps to itself:
 *
 *   arc4random        libLLVMSupport: numbers for the names of temporary files
 *   _dl_find_object   libgcc's unwinder: the table of unwind information for an address
 *
 * .ci/check_package refuses any other symbol that is newer than glibc 2.34.
 */
#include <dlfcn.h>
#include <features.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "target_private.h"

uint32_t arc4random(void); /* stdlib.h has it from glibc 2.36 on */

/* getrandom() fails only before the kernel has collected randomness, while the machine starts. */
uint32_t arc4random(void)
{
  uint32_t number;
  if (getrandom(&number, sizeof number, GRND_NONBLOCK) == (ssize_t)sizeof number) return number;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint32_t)now.tv_nsec * 2654435761u ^ (uint32_t)(uintptr_t)&number;
}

#if __GLIBC_PREREQ(2, 35) /* libgcc was built with what it asks for */
typedef struct Search {
  uintptr_t address;
  struct dl_find_object *result;
} Search;

/* Called for each loaded object: whether one of its segments has the address. */
static int search_object(struct dl_phdr_info *info, size_t bytes, void *data)
{
  const Search *search = data;
  const ElfW(Phdr) *found = NULL, *table = NULL;
  (void)bytes;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type == PT_LOAD &&
        search->address - info->dlpi_addr - part->p_vaddr < part->p_memsz)
      found = part;
    if (part->p_type == PT_GNU_EH_FRAME) table = part;
  }
  if (!found || !table) return found ? -1 : 0;
  uintptr_t start = info->dlpi_addr + found->p_vaddr;
  *search->result = (struct dl_find_object){
      .dlfo_map_start = (void *)start,                            /* NOLINT: an address */
      .dlfo_map_end = (void *)(start + found->p_memsz),           /* NOLINT */
      .dlfo_eh_frame = (void *)(info->dlpi_addr + table->p_vaddr) /* NOLINT */
  };
  return 1;
}

/* What glibc 2.35 finds in a sorted table; libgcc reads dlfo_eh_frame alone. Exceptions pass
 * through libckc only when LLVM is out of memory, so a walk over all objects is fast enough. */
int _dl_find_object(void *address, struct dl_find_object *result)
{
  Search search = {(uintptr_t)address, result};
  return dl_iterate_phdr(search_object, &search) == 1 ? 0 : -1;
}
#endif
