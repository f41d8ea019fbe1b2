/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* elf_image.h - reads sections of 64-bit ELF images from untrusted bytes: every offset is checked
 * before it is used. */
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
  const char *name; /* "" if it has none */
  const char *data; /* NULL: not in the file */
} ElfSection;

/* False if the bytes are not a 64-bit ELF image with a complete section table. */
bool elf_open(ElfImage *out, const void *data, size_t bytes);

/* False if there is no such section, or its bytes are missing. */
bool elf_section(const ElfImage *image, uint32_t index, ElfSection *out);

/* Finds the first section with a name. */
bool elf_find(const ElfImage *image, const char *name, ElfSection *out);

/* The text at an offset of a string table; "" if none ends inside the table. */
const char *elf_string(const ElfSection *table, uint64_t offset);

#endif
