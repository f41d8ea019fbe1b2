/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* next_version.c - computes cache keys of programs in other languages as another version of the
 * library would. It includes foreign.c under other names with that version. */
#define foreign_read             next_foreign_read
#define foreign_words            next_foreign_words
#define foreign_key              next_foreign_key
#define foreign_compare_versions next_foreign_compare_versions
#define foreign_compile          next_foreign_compile
#define foreign_get_native       next_foreign_get_native
#define foreign_adopt            next_foreign_adopt
#define foreign_close            next_foreign_close
#include "ck/ck.h"

#undef CK_VERSION_TEXT
#define CK_VERSION_TEXT "999.999.999"
#include "code/foreign.c"

bool next_version_key(ck_program_kind_t kind, const char *source, ck_emit_t emit, Digest *out);
bool next_version_key(ck_program_kind_t kind, const char *source, ck_emit_t emit, Digest *out)
{
  Arena arena = {0};
  Foreign *foreign;
  ck_program_options_t options = CK_OPTIONS_INIT(ck_program_options_t);
  options.emit = emit;
  bool is_kept = foreign_read(&arena, kind, source, strlen(source), &options, &foreign) == CK_OK &&
                 foreign_key(foreign, NULL, "sm_80", NULL, out);
  arena_free(&arena);
  return is_kept;
}
