/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* linker_cubin.c - reads the functions, kernels and variables of a cubin that other pieces can see.
 *
 * A cubin is an ELF file. In its symbol table, STT_FUNC with the bit STO_CUDA_ENTRY in st_other is
 * a kernel, and without it a function; STT_OBJECT, and NVIDIA's types from STT_CUDA_TEXTURE to
 * STT_CUDA_OBJECT, are variables. Relocatable cubins also contain the signatures of functions,
 * defined or only called, in the section .nv.prototype, a pair for each:
 *
 *   u32 index in .symtab, u32 offset in .strtab   ->   "#iil": the result, then the parameters
 *
 *   v nothing   b .b8   h .b16   i .b32   l .b64   b16 an array of 16 bytes
 *
 * NVIDIA does not document these letters, so a signature with another letter counts as not known.
 * Signatures are converted to the form that linker_symbols.c uses for PTX: "(.b32,.b64) -> (.b32)".
 */
#include <string.h>

#include "elf_image.h"
#include "linker.h"

/* Types and flags of symbols in NVIDIA's ELF images. */
enum { STO_CUDA_ENTRY = 0x10, STT_CUDA_TEXTURE = 10, STT_CUDA_OBJECT = 13 };

typedef struct Cubin {
  ElfImage image;
  ElfSection symbols, strings;
  uint32_t count;   /* of symbols */
  uint32_t *places; /* offset of each symbol's prototype in the strings; 0: none */
} Cubin;

static void read_prototypes(Cubin *cubin, Arena *arena)
{
  ElfSection section;
  uint32_t pair[2];
  cubin->places = NEW_ARRAY(arena, uint32_t, cubin->count + 1);
  if (!elf_find(&cubin->image, ".nv.prototype", &section) || !section.data) return;
  for (uint64_t at = 0; section.head.sh_size - at >= sizeof pair; at += sizeof pair) {
    memcpy(pair, section.data + at, sizeof pair);
    if (pair[0] < cubin->count) cubin->places[pair[0]] = pair[1];
  }
}

static bool open_cubin(Cubin *cubin, Arena *arena, const void *data, size_t bytes)
{
  *cubin = (Cubin){0};
  if (!elf_open(&cubin->image, data, bytes)) return false;
  if (!elf_find(&cubin->image, ".symtab", &cubin->symbols) || !cubin->symbols.data) return false;
  if (!elf_section(&cubin->image, cubin->symbols.head.sh_link, &cubin->strings)) return false;
  cubin->count = (uint32_t)(cubin->symbols.head.sh_size / sizeof(Elf64_Sym));
  read_prototypes(cubin, arena);
  return true;
}

/* Converts one type and returns the text after it; NULL if it is not known. */
static const char *put_type(Buf *out, const char *at)
{
  static const char letters[] = "bhil";
  const char *letter = *at ? strchr(letters, *at) : NULL;
  if (!letter) return NULL;
  size_t digits = strspn(at + 1, "0123456789");
  if (digits && *at != 'b') return NULL;
  if (digits) buf_printf(out, ".b8[%.*s]", (int)digits, at + 1);
  else buf_printf(out, ".b%d", 8 << (letter - letters));
  return at + 1 + digits;
}

/* Converts a signature; NULL if it is not known. */
static const char *read_signature(Arena *arena, const char *text)
{
  Buf result = BUF(arena), params = BUF(arena);
  if (*text++ != '#') return NULL;
  const char *at = *text == 'v' ? text + 1 : put_type(&result, text);
  for (const char *first = at; at && *at; at = put_type(&params, at))
    if (at != first) buf_putc(&params, ',');
  return at ? arena_printf(arena, "(%s) -> (%s)", buf_text(&params), buf_text(&result)) : NULL;
}

/* Reads a symbol; false for those that other pieces can't see: local symbols, sections, files. */
static bool read_symbol(const Cubin *cubin, uint32_t index, Arena *arena, LinkSymbol *out)
{
  Elf64_Sym symbol;
  memcpy(&symbol, cubin->symbols.data + (size_t)index * sizeof symbol, sizeof symbol);
  unsigned type = ELF64_ST_TYPE(symbol.st_info), bind = ELF64_ST_BIND(symbol.st_info);
  bool is_variable = type == STT_OBJECT || (type >= STT_CUDA_TEXTURE && type <= STT_CUDA_OBJECT);
  *out = (LinkSymbol){.name = elf_string(&cubin->strings, symbol.st_name),
                      .is_defined = symbol.st_shndx != SHN_UNDEF,
                      .is_weak = bind == STB_WEAK};
  out->bytes = strlen(out->name);
  bool is_linked = cubin->image.head.e_type != ET_REL; /* already linked: nothing in it can be
                                                        * called */
  if (bind == STB_LOCAL || (type != STT_FUNC && !is_variable)) return false;
  if (is_variable) out->kind = LINK_variable;
  else out->kind = symbol.st_other & STO_CUDA_ENTRY ? LINK_kernel : LINK_function;
  if (out->kind == LINK_function && cubin->places[index]) {
    out->signature = read_signature(arena, elf_string(&cubin->strings, cubin->places[index]));
    out->is_unread = !out->signature;
  }
  return out->kind == LINK_kernel || !is_linked;
}

ck_status_t cubin_visit(Arena *arena, const void *data, size_t bytes, LinkVisit *visit, void *user)
{
  Cubin cubin;
  LinkSymbol symbol;
  if (!open_cubin(&cubin, arena, data, bytes)) return CK_OK;
  for (uint32_t i = 0; i < cubin.count; ++i)
    if (read_symbol(&cubin, i, arena, &symbol)) CK_TRY(visit(user, &symbol));
  return CK_OK;
}
