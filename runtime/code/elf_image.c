/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* elf_image.c - reads sections of 64-bit ELF images.
 *
 * Images come from files and callers, so offsets and sizes can be arbitrary, and each is checked
 * before use. Headers are copied before they are read, since an image may lie at an unaligned
 * address.
 */
#include "elf_image.h"

#include <string.h>

static bool is_within(const ElfImage *image, uint64_t offset, uint64_t bytes)
{
  return offset <= image->bytes && bytes <= image->bytes - offset;
}

bool elf_open(ElfImage *out, const void *data, size_t bytes)
{
  *out = (ElfImage){.data = data, .bytes = bytes};
  if (bytes < sizeof out->head || memcmp(data, ELFMAG, SELFMAG)) return false;
  memcpy(&out->head, data, sizeof out->head);
  if (out->head.e_ident[EI_CLASS] != ELFCLASS64) return false;
  if (!out->head.e_shnum) return true;
  return out->head.e_shentsize >= sizeof(Elf64_Shdr) &&
         is_within(out, out->head.e_shoff, (uint64_t)out->head.e_shnum * out->head.e_shentsize);
}

/* Reads a section header, without the name. */
static bool read_section(const ElfImage *image, uint32_t index, ElfSection *out)
{
  if (index >= image->head.e_shnum) return false;
  *out = (ElfSection){.name = ""};
  memcpy(&out->head, image->data + image->head.e_shoff + (size_t)index * image->head.e_shentsize,
         sizeof out->head);
  /* Some of NVIDIA's own section types only reserve a size, so their bytes need not be in the file.
   */
  bool is_there = is_within(image, out->head.sh_offset, out->head.sh_size);
  if (out->head.sh_type != SHT_NOBITS && is_there) out->data = image->data + out->head.sh_offset;
  return out->data || out->head.sh_type == SHT_NOBITS || out->head.sh_type >= SHT_LOPROC;
}

const char *elf_string(const ElfSection *table, uint64_t offset)
{
  if (!table->data || offset >= table->head.sh_size) return "";
  bool ends = memchr(table->data + offset, 0, table->head.sh_size - offset);
  return ends ? table->data + offset : "";
}

bool elf_section(const ElfImage *image, uint32_t index, ElfSection *out)
{
  ElfSection names;
  if (!read_section(image, index, out)) return false;
  if (read_section(image, image->head.e_shstrndx, &names))
    out->name = elf_string(&names, out->head.sh_name);
  return true;
}

bool elf_find(const ElfImage *image, const char *name, ElfSection *out)
{
  for (uint32_t i = 0; i < image->head.e_shnum; ++i)
    if (elf_section(image, i, out) && !strcmp(out->name, name)) return true;
  return false;
}
