/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* fatbin.c - writes a fatbin: the container from which the driver picks the image for its GPU.
 *
 *     head   16 bytes: magic 0xBA55ED50, version 1, size of the head, size of all entries
 *     entry  64 bytes: kind (cubin or PTX), sm, flags, sizes
 *            extension, only if there is one: options for ptxas, or the cubin's .nv.compat section
 *            image, padded to a multiple of 8 bytes
 *     entry  ...
 *
 * NVIDIA doesn't document the layout. This one is that of `fatbinary --compress=false`; a test
 * compares the two, byte by byte, where the tool is installed. All numbers are little endian.
 *
 * needs   the complete cubin or PTX of each target
 * gives   the container in `out`, between fatbin_open() and fatbin_close()
 * keeps   the images, byte for byte, and their order
 * fails   never: a cubin that can't be read as ELF is written without an extension
 */
#include "front/target.h"
#include "output/output_private.h"

#include <elf.h>
#include <string.h>

enum { KIND_PTX = 1, KIND_CUBIN = 2, ALIGNMENT = 8 };
enum {
  FLAG_64_BIT = 0x1,
  FLAG_LINUX = 0x10,
  FLAG_EXACT_SM = 0x100000, /* for targets such as sm_90a: this GPU only */
  FLAG_FAMILY = 0x200000,   /* for targets such as sm_100f: this family of GPUs */
  FLAG_COMPATIBILITY = 0x1000000
};

typedef struct Head {
  uint32_t magic;
  uint16_t version, head_bytes;
  uint64_t body_bytes;
} Head;

typedef struct Entry {
  uint16_t kind, version;
  uint32_t entry_bytes; /* size of the entry and its extension: the image's offset */
  uint64_t image_bytes;
  uint32_t compressed_bytes;
  uint32_t extension;    /* offset of the extension in the entry; 0 if there is none */
  uint16_t minor, major; /* version of the cubin's format or of PTX */
  uint32_t sm;
  uint32_t name, name_bytes;
  uint64_t flags;
  uint64_t reserved;
  uint64_t raw_bytes; /* size after decompression; 0: not compressed */
} Entry;
_Static_assert(sizeof(Head) == 16 && sizeof(Entry) == 64, "as the driver reads them");

static uint64_t flags_of(const Target *target)
{
  return FLAG_64_BIT | FLAG_LINUX | (target->suffix == 'a' ? FLAG_EXACT_SM : 0) |
         (target->suffix == 'f' ? FLAG_FAMILY : 0);
}

static void fill_up(Buf *out)
{
  while (out->len % ALIGNMENT) buf_putc(out, 0);
}

void fatbin_open(Buf *out)
{
  Head head = {0xBA55ED50u, 1, sizeof head, 0};
  buf_bytes(out, &head, sizeof head);
}

void fatbin_close(Buf *out)
{
  uint64_t bytes = out->len - sizeof(Head);
  memcpy(out->data + offsetof(Head, body_bytes), &bytes, sizeof bytes);
}

/* The extension follows the entry: the offset of the options for ptxas, the number of bytes after
 * them, the options (here an empty string), those bytes. */
static void put(Buf *out, Entry entry, const void *extension, uint32_t extension_bytes,
                const void *image, size_t bytes)
{
  size_t start = out->len, more = 0;
  Buf tail = BUF(out->arena);
  if (entry.extension) {
    uint32_t head[] = {sizeof entry + 8, extension_bytes};
    buf_bytes(&tail, head, sizeof head);
    buf_putc(&tail, 0);
    buf_bytes(&tail, extension, extension_bytes);
    fill_up(&tail);
    more = tail.len;
  }
  entry.entry_bytes = (uint32_t)(sizeof entry + more);
  entry.image_bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  buf_bytes(out, &entry, sizeof entry);
  buf_bytes(out, tail.data, tail.len);
  buf_bytes(out, image, bytes);
  while ((out->len - start) % ALIGNMENT) buf_putc(out, 0);
}

/* The contents of the section .nv.compat, which fatbinary copies into the entry for sm_100 and
 * newer; NULL if there is none. */
static const char *compatibility(const Buf *image, uint32_t *out_bytes)
{
  Elf64_Ehdr head;
  Elf64_Shdr names, section;
  *out_bytes = 0;
  if (image->len < sizeof head) return NULL;
  memcpy(&head, image->data, sizeof head);
  if (head.e_shoff > image->len || head.e_shstrndx >= head.e_shnum ||
      (image->len - head.e_shoff) / sizeof section < head.e_shnum)
    return NULL;
  const char *table = image->data + head.e_shoff;
  memcpy(&names, table + head.e_shstrndx * sizeof names, sizeof names);
  if (names.sh_offset > image->len || names.sh_size > image->len - names.sh_offset) return NULL;
  static const char name[] = ".nv.compat";
  for (unsigned i = 0; i < head.e_shnum; ++i) {
    memcpy(&section, table + i * sizeof section, sizeof section);
    if (section.sh_name >= names.sh_size || names.sh_size - section.sh_name < sizeof name ||
        memcmp(image->data + names.sh_offset + section.sh_name, name, sizeof name) != 0 ||
        section.sh_offset > image->len || section.sh_size > image->len - section.sh_offset)
      continue;
    *out_bytes = (uint32_t)section.sh_size;
    return image->data + section.sh_offset;
  }
  return NULL;
}

void fatbin_cubin(Buf *out, const Target *target, const Buf *image, size_t bytes)
{
  enum { FIRST_WITH_COMPATIBILITY = 100, MAJOR = 1, MINOR = 8 };
  Entry entry = {.kind = KIND_CUBIN,
                 .version = 0x101,
                 .minor = MINOR,
                 .major = MAJOR,
                 .sm = target->sm,
                 .flags = flags_of(target)};
  uint32_t extension_bytes = 0;
  const char *extension =
      target->sm >= FIRST_WITH_COMPATIBILITY ? compatibility(image, &extension_bytes) : NULL;
  if (extension) {
    entry.extension = sizeof entry;
    entry.flags |= FLAG_COMPATIBILITY;
  }
  put(out, entry, extension, extension_bytes, image->data, bytes);
}

void fatbin_ptx(Buf *out, const Target *target, const char *ptx)
{
  Entry entry = {.kind = KIND_PTX,
                 .version = 0x101,
                 .extension = sizeof entry,
                 .sm = target->sm,
                 .flags = flags_of(target)};
  static const char directive[] = ".version ";
  const char *version = strstr(ptx, directive);
  unsigned major = 0, minor = 0;
  for (const char *p = version ? version + strlen(directive) : ""; *p >= '0' && *p <= '9'; ++p)
    major = major * 10 + (unsigned)(*p - '0');
  const char *dot = version ? strchr(version, '.') : NULL;
  dot = dot ? strchr(dot + 1, '.') : NULL;
  if (dot && dot[1] >= '0' && dot[1] <= '9') minor = (unsigned)(dot[1] - '0');
  entry.major = (uint16_t)major;
  entry.minor = (uint16_t)minor;
  put(out, entry, NULL, 0, ptx, strlen(ptx) + 1);
}
