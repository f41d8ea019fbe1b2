/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* elf_image.h - sections of 64-bit ELF images, of which nothing is believed: all places are looked
 * at before they are read. */
#ifndef CK_RUNTIME_ELF_IMAGE_H
#define CK_RUNTIME_ELF_IMAGE_H

#include <elf.h>

#include "base.h"

typedef struct ElfImage {
  const char *data; /* borrowed */
  size_t bytes;
  Elf64_Ehdr head;
} ElfImage;

typedef struct ElfSection {
  Elf64_Shdr head;
  const char *name; /* "" where there is none */
  const char *data; /* NULL: it has a size alone */
} ElfSection;

/* False if the bytes are no ELF image of 64 bits whose table of sections is there. */
bool elf_open(ElfImage *out, const void *data, size_t bytes);

/* False if there is no such section, or its bytes are not there. */
bool elf_section(const ElfImage *image, uint32_t index, ElfSection *out);

/* The first section of a name. */
bool elf_find(const ElfImage *image, const char *name, ElfSection *out);

/* The text at an offset of a table of strings; "" if there is none that ends within it. */
const char *elf_string(const ElfSection *table, uint64_t offset);

#endif
