/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* program.c - programs: compiles source to object code through the cache; CK with libckc, other
 * languages with foreign.c.
 *
 * The cache key is a digest of the source, every option, the target and the identity of the
 * compiler. A source that imports modules also depends on files that are known only after
 * compiling. So it has two cache entries:
 *
 *   key                       ->  the last result; its manifest lists the imported files
 *   digest(key, these files)  ->  the result for the present contents of these files
 *
 * find_kept() reads the first, computes the second key and looks that up. Code is not cached if the
 * source mentions an import but the manifest lists none, or if it depends on other files that the
 * key does not include, unless the caller's digest stands for them.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile_options.h"
#include "core/nvtx.h"
#include "foreign.h"
#include "tuning.h"

struct ck_program {
  Object object;
  Arena arena; /* everything below */
  const char *source;
  size_t bytes;
  ck_compile_options_t options; /* with copies of its texts */
  Foreign *foreign;             /* for another language than CK; NULL: CK */
  CacheWay way;
  Digest extra; /* the caller's digest, if has_extra */
  bool has_extra;
  SourceFile *file;             /* retained; for a source that must be in a file; NULL: none yet */
  pthread_mutex_t native_mutex; /* guards file, and the tools' objects in `foreign` and their use */
  pthread_mutex_t mutex;        /* guards log, pch */
  Arena log_arena;
  const char *log;
  ck_pch_status_t pch;
};

static void program_destroy(ck_program_t *program)
{
  if (program->foreign) foreign_close(program->foreign);
  source_file_release(program->file);
  pthread_mutex_destroy(&program->native_mutex);
  pthread_mutex_destroy(&program->mutex);
  arena_free(&program->log_arena);
  arena_free(&program->arena);
  object_free(program);
}

OBJECT(program, ck_program_t);

const char *copy_text(Arena *arena, const char *text)
{
  return text ? arena_strdup(arena, text) : NULL;
}

const char *const *copy_texts(Arena *arena, const char *const *texts, size_t count)
{
  const char **copies = NEW_ARRAY(arena, const char *, count + 1);
  for (size_t i = 0; i < count; ++i) copies[i] = arena_strdup(arena, texts[i]);
  return copies;
}

ck_status_t check_choice(const char *option, ck_choice_t choice)
{
  if ((unsigned)choice <= CK_OFF) return CK_OK;
  return error_argument("option '%s' is %d: it is CK_UNSET, CK_ON or CK_OFF, 0 to 2", option,
                        (int)choice);
}

ck_status_t check_texts(const char *option, const char *const *texts, size_t count)
{
  for (size_t i = 0; i < count; ++i)
    if (!texts || !texts[i])
      return error_argument("option '%s': text %zu of %zu is NULL", option, i, count);
  return CK_OK;
}

/* Checks options that libckc would always refuse, without opening it. */
static ck_status_t check_fields(const ck_compile_options_t *options)
{
  Arena scratch = {0};
  const char *fault = compile_options_fault(&scratch, options);
  ck_status_t status = fault ? error_argument("%s", fault) : CK_OK;
  arena_free(&scratch);
  return status;
}

static ck_status_t check_options(const ck_compile_options_t *options)
{
  CK_TRY(check_fields(options));
  switch (options->emit) {
  case CK_EMIT_DEFAULT:
  case CK_EMIT_PTX:
  case CK_EMIT_CUBIN:
  case CK_EMIT_FATBIN:
  case CK_EMIT_LTOIR:
  case CK_EMIT_HOST: break;
  case CK_EMIT_TOKENS:
  case CK_EMIT_AST:
  case CK_EMIT_LLVM:
  case CK_EMIT_NVVM:
  case CK_EMIT_HEADER:
  case CK_EMIT_MANIFEST:
  case CK_EMIT_HEADS:
    return error_argument("emit %d can't be loaded: ck_compile makes it", (int)options->emit);
  }
  if (options->stop_after) return error_argument("stop_after makes no code: ck_compile has it");
  return CK_OK;
}

static ck_program_t *program_new(void)
{
  ck_program_t *program = object_new(sizeof *program);
  if (!program) return NULL;
  pthread_mutex_init(&program->mutex, NULL);
  pthread_mutex_init(&program->native_mutex, NULL);
  program->log = "";
  return program;
}

ck_status_t ck_program_create(const char *source, size_t bytes, const ck_compile_options_t *options,
                              ck_program_t **out_program)
{
  CK_NEED_OUT(out_program, NULL, source);
  CK_READ_OPTIONS(ck_compile_options_t, own, options);
  CK_TRY(check_options(&own));
  ck_program_t *program = program_new();
  if (!program) return CK_OUT_OF_MEMORY;
  Arena *arena = &program->arena;
  program->source = arena_strndup(arena, source, bytes);
  program->bytes = bytes;
  own.struct_size = sizeof own;
  own.file_name = copy_text(arena, own.file_name);
  own.target = copy_text(arena, own.target);
  own.dump = copy_text(arena, own.dump);
  own.lib_folder = copy_text(arena, own.lib_folder);
  own.tuning_file = copy_text(arena, own.tuning_file);
  own.defines = copy_texts(arena, own.defines, own.define_count);
  own.instances = copy_texts(arena, own.instances, own.instance_count);
  own.warnings = copy_texts(arena, own.warnings, own.warning_count);
  own.no_repairs = copy_texts(arena, own.no_repairs, own.no_repair_count);
  own.kernels = copy_texts(arena, own.kernels, own.kernel_count);
  own.import_folders = copy_texts(arena, own.import_folders, own.import_folder_count);
  program->options = own;
  *out_program = program;
  return CK_OK;
}

ck_status_t ck_program_from_source(ck_program_kind_t kind, const char *source, size_t bytes,
                                   const ck_program_options_t *options, ck_program_t **out_program)
{
  CK_NEED_OUT(out_program, NULL, source);
  ck_program_t *program = program_new();
  if (!program) return CK_OUT_OF_MEMORY;
  ck_status_t status =
      foreign_read(&program->arena, kind, source, bytes, options, &program->foreign);
  return GIVE(status, program, out_program, ck_program_release);
}

ck_program_kind_t ck_program_kind(const ck_program_t *program)
{
  return program->foreign ? program->foreign->kind : CK_PROGRAM_CK;
}

ck_pch_status_t ck_program_pch_status(const ck_program_t *program)
{
  return program->pch;
}

GETTER(const char *, program, log);

static void set_log(ck_program_t *program, const char *log)
{
  pthread_mutex_lock(&program->mutex);
  arena_free(&program->log_arena);
  program->log = *log ? arena_strdup(&program->log_arena, log) : "";
  pthread_mutex_unlock(&program->mutex);
}

static Digest digest_str(Digest so_far, const char *text)
{
  return text ? digest_more(so_far, text, strlen(text)) : digest_more(so_far, "\xff", 1);
}

static Digest digest_texts(Digest so_far, const char *const *texts, size_t count)
{
  so_far = digest_more(so_far, &count, sizeof count);
  for (size_t i = 0; i < count; ++i) so_far = digest_str(so_far, texts[i]);
  return so_far;
}

static bool may_import(const ck_program_t *program)
{
  return strstr(program->source, "import") != NULL;
}

/* Digests the current folder, to which relative import paths refer. */
static Digest digest_here(Digest so_far)
{
  Arena scratch = {0};
  so_far = digest_str(so_far, path_real(&scratch, "."));
  arena_free(&scratch);
  return so_far;
}

/* Digests the tuning table that the program's parameters would take their values from: the one that
 * the options name, or the one beside the source. */
static Digest digest_tuning(Digest so_far, const ck_compile_options_t *options)
{
  Arena scratch = {0};
  const char *path = options->tuning_file;
  if (!path && options->file_name && !(options->flags & CK_COMPILE_CONFINE))
    path = tuning_beside(&scratch, options->file_name);
  if (options->tuning_file || (path && file_exists(path))) so_far = file_identity(so_far, path);
  if (options->problem_size)
    so_far = digest_more(so_far, &options->problem_size, sizeof options->problem_size);
  arena_free(&scratch);
  return so_far;
}

/* Computes the cache key. False if there is none: the compiler is not available, or its library is
 * under development. */
static bool make_key(const ck_program_t *program, const ck_compile_options_t *options, Digest *out)
{
  Digest identity;
  bool is_for_cpu = !options->target || !strcmp(options->target, "host");
  if (options->lib_folder && !program->has_extra) return false;
  if (options->dump || !compiler_identity(!is_for_cpu, &identity)) return false;
  uint32_t numbers[] = {(uint32_t)options->emit, (uint32_t)options->backend,
                        (uint32_t)options->opt_level, options->flags};
  Digest key = digest_more(identity, CK_VERSION_TEXT, sizeof CK_VERSION_TEXT);
  key = digest_more(key, program->source, program->bytes);
  key = digest_more(key, numbers, sizeof numbers);
  key = digest_str(key, options->file_name);
  key = digest_str(key, options->target);
  if (is_for_cpu)
    key = digest_str(key, host_cpu()); /* machines with other CPUs may share a cache folder */
  key = digest_texts(key, options->defines, options->define_count);
  key = digest_texts(key, options->instances, options->instance_count);
  key = digest_texts(key, options->warnings, options->warning_count);
  key = digest_texts(key, options->no_repairs, options->no_repair_count);
  if (options->kernel_count) key = digest_texts(key, options->kernels, options->kernel_count);
  if (may_import(program)) key = digest_here(key);
  key = digest_tuning(key, options);
  if (program->has_extra) {
    key = digest_str(key, options->lib_folder);
    key = digest_more(key, &program->extra, sizeof program->extra);
  }
  *out = digest_texts(key, options->import_folders, options->import_folder_count);
  return true;
}

static bool depends_on_files(const Manifest *manifest)
{
  return manifest->import_count || manifest->looked_for_count;
}

/* Digests the present state of the imported files. Paths as written are included too, since one may
 * now be a link to another file, or exist although it did not. */
static Digest digest_imports(const Manifest *manifest)
{
  Digest digest = {0, 0};
  for (uint32_t i = 0; i < manifest->import_count; ++i)
    digest = file_identity(digest, manifest->imports[i]);
  for (uint32_t i = 0; i < manifest->looked_for_count; ++i)
    digest = file_identity(digest, manifest->looked_for[i]);
  return digest;
}

/* The key of the second cache entry of a source with imports (see the head of this file). */
static Digest import_key(Digest key, const Manifest *manifest)
{
  Digest imports = digest_imports(manifest);
  return digest_more(key, &imports, sizeof imports);
}

static ck_status_t find_kept(const CacheWay *way, Digest key, ck_object_code_t **out_code)
{
  CacheSource source;
  CK_TRY(cache_find(way, key, &source, out_code));
  ck_object_code_t *code = *out_code;
  if (code && code->manifest && depends_on_files(code->manifest)) {
    ck_status_t status = cache_find(way, import_key(key, code->manifest), &source, out_code);
    ck_object_code_release(code);
    CK_TRY(status);
  }
  cache_count(source);
  return CK_OK;
}

static ck_status_t keep(const ck_program_t *program, Digest key, ck_object_code_t *code)
{
  const Manifest *manifest = code->manifest;
  if (!manifest || (may_import(program) && !manifest->imports && !program->has_extra)) return CK_OK;
  CK_TRY(cache_keep(&program->way, key, code));
  if (!depends_on_files(manifest)) return CK_OK;
  return cache_keep(&program->way, import_key(key, manifest), code);
}

/* Releases the code if it could not be cached as required. */
static ck_status_t kept_or_not(ck_status_t status, ck_object_code_t **out_code)
{
  if (status == CK_OK) return CK_OK;
  ck_object_code_release(*out_code);
  *out_code = NULL;
  return status;
}

int first_lines(const char *log)
{
  const char *end = log;
  for (int line = 0; *end && line < 8; ++line) {
    end += strcspn(end, "\n");
    if (*end && line < 7) ++end;
  }
  return (int)(end - log);
}

/* Makes the code of a program that has been checked, in *result; or NULL there, if it can't. */
static ck_status_t go_on(const Compiler *compiler, ck_compile_options_t *options,
                         ck_compilation_t **result)
{
  ck_status_t status = compiler->ck_compile_kernels(*result, options);
  if (status == CK_OK) return CK_OK;
  /* Perhaps the code can't be quick. If there is another reason, thorough code meets it too. */
  options->flags &= ~(uint32_t)(CK_COMPILE_QUICK | CK_COMPILE_QUICK_SUMS);
  compiler->ck_compilation_release(*result);
  *result = NULL;
  return status;
}

/* Calls libckc. `what` is empty, or names the part of the program for the log. *result is a
 * compilation of the program that gave its manifest, or NULL. */
static ck_status_t call_compiler(const Compiler *compiler, const ck_program_t *program,
                                 ck_compile_options_t *options, const char *what,
                                 ck_compilation_t **result)
{
  const char *name = options->file_name ? options->file_name : "kernel.ck";
  double start = seconds_now();
  bool is_marked = nvtx_begin("compile", name);
  ck_status_t status = *result ? go_on(compiler, options, result) : CK_OK;
  if (!*result) status = compiler->ck_compile(program->source, program->bytes, options, result);
  nvtx_end(is_marked);
  log_line(LOG_compile, "%s%s for %s: %s, %.3f ms", name, what, options->target,
           ck_status_name(status), 1e3 * (seconds_now() - start));
  const char *log = *result ? compiler->ck_compilation_log(*result) : "";
  if (status != CK_OK)
    error_set(status, "%.*s", *log ? first_lines(log) : 80, *log ? log : ck_status_text(status));
  return status;
}

/* Compiles CK code with libckc. The first lines of the messages become the error text, the rest is
 * the program's log. *checked is NULL, or the compilation that gave the program's manifest, which
 * is released; behind the call it is the one that gives the manifest, or NULL. */
static ck_status_t compile(ck_program_t *program, ck_compile_options_t *options,
                           ck_compilation_t **checked, ck_object_code_t **out_code)
{
  const Compiler *compiler;
  CK_TRY(compiler_open(&compiler));
  ck_status_t status = call_compiler(compiler, program, options, "", checked);
  bool is_head = options->emit == CK_EMIT_MANIFEST;
  set_log(program, *checked ? compiler->ck_compilation_log(*checked) : "");
  if (status == CK_OK) {
    size_t bytes;
    const void *output = compiler->ck_compilation_output(*checked, &bytes);
    status = is_head ? object_code_from_manifest(output, bytes, out_code)
                     : ck_object_code_from_bytes(output, bytes, out_code);
  }
  if (status == CK_OK && is_head) return CK_OK;
  compiler->ck_compilation_release(*checked);
  *checked = NULL;
  return status;
}

static void set_pch(ck_program_t *program, ck_pch_status_t pch)
{
  pthread_mutex_lock(&program->mutex);
  program->pch = pch;
  pthread_mutex_unlock(&program->mutex);
}

static ck_status_t lacks_target(void)
{
  return error_argument("neither a device nor a target is given");
}

static ck_status_t target_for(const Foreign *foreign, ck_device_t *device, const char **out_target)
{
  *out_target = foreign->options.target;
  if (!*out_target && device) *out_target = ck_device_target(device);
  return *out_target ? CK_OK : lacks_target();
}

/* Determines how and under which key code is cached; false: not at all. Code that refers to a
 * temporary file is cached in memory only, since the file is removed with the process. */
static bool foreign_way(const ck_program_t *program, const ck_device_t *device, const char *target,
                        CacheWay *out_way, Digest *out_key)
{
  const Foreign *foreign = program->foreign;
  *out_way = program->way;
  out_way->is_of_process = foreign->wants_file;
  if (foreign->wants_file && out_way->functions.get) return false;
  return foreign_key(foreign, device, target, program->has_extra ? &program->extra : NULL, out_key);
}

/* Prepares the source for compilation: puts it into a file if it needs one and that is possible.
 * With native_mutex locked. */
static Foreign prepare(ck_program_t *program)
{
  Foreign foreign = *program->foreign;
  if (foreign.wants_file && !program->file)
    program->file = source_file_create(foreign.source, foreign.bytes);
  foreign.is_in_file = program->file != NULL;
  if (foreign.is_in_file) foreign.options.name = source_file_path(program->file);
  return foreign;
}

/* Compiles; a tool's object can be used by one thread at a time. */
static ck_status_t compile_source(ck_program_t *program, ck_device_t *device, const char *target,
                                  ForeignResult *result, ck_object_code_t **out_code)
{
  pthread_mutex_lock(&program->native_mutex);
  Foreign foreign = prepare(program);
  bool is_shared = foreign.native || foreign.linker;
  if (!is_shared) pthread_mutex_unlock(&program->native_mutex);
  double start = seconds_now();
  ck_status_t status = foreign_compile(&foreign, device, target, result, out_code);
  log_line(LOG_compile, "%s for %s: %s, %.3f ms", foreign.options.name, target,
           ck_status_name(status), 1e3 * (seconds_now() - start));
  if (is_shared) pthread_mutex_unlock(&program->native_mutex);
  if (status == CK_OK && foreign.is_in_file)
    (*out_code)->source = source_file_retain(program->file);
  return status;
}

/* Compiles a program in another language, or finds its code in the cache, if the options allow a
 * key. */
static ck_status_t compile_foreign(ck_program_t *program, ck_device_t *device,
                                   ck_object_code_t **out_code)
{
  const Foreign *foreign = program->foreign;
  const char *target;
  CK_TRY(target_for(foreign, device, &target));
  Digest key;
  CacheSource source;
  CacheWay way;
  bool has_key = foreign_way(program, device, target, &way, &key);
  if (has_key) {
    CK_TRY(cache_find(&way, key, &source, out_code));
    cache_count(source);
  }
  Arena scratch = {0};
  ForeignResult result = {.image = BUF(&scratch), .log = BUF(&scratch)};
  if (*out_code) {
    foreign_compare_versions(foreign, device, &result.log);
    set_log(program, buf_text(&result.log));
    set_pch(program, CK_PCH_NONE);
    arena_free(&scratch);
    return CK_OK;
  }
  ck_status_t status = compile_source(program, device, target, &result, out_code);
  set_log(program, buf_text(&result.log));
  set_pch(program, result.pch);
  if (has_key && status == CK_OK) status = kept_or_not(cache_keep(&way, key, *out_code), out_code);
  arena_free(&scratch);
  return status;
}

/* The options of a CK program for a device. */
static ck_status_t options_for(const ck_program_t *program, ck_device_t *device,
                               ck_compile_options_t *out)
{
  *out = program->options;
  if (!out->target && device) out->target = ck_device_target(device);
  return out->target ? CK_OK : lacks_target();
}

/* ---- code in parts (parts.c) ---- */

/* May the kernels be compiled one by one, when a device needs them? Not if the caller keeps the
 * code, nor if imported files could change until then. */
static bool may_have_parts(const ck_program_t *program, const ck_device_t *device,
                           const ck_compile_options_t *options)
{
  bool is_loaded = options->emit == CK_EMIT_DEFAULT || options->emit == CK_EMIT_CUBIN ||
                   options->emit == CK_EMIT_HOST;
  return device && is_loaded && !options->kernel_count && !program->way.functions.get &&
         !may_import(program) && strstr(program->source, "algorithm");
}

bool program_is_isolated(const ck_program_t *program)
{
  return program->options.flags & CK_COMPILE_ISOLATE;
}

static bool has_plans(const Manifest *manifest)
{
  for (uint32_t i = 0; i < manifest->kernel_count; ++i)
    if (manifest->kernels[i].step_count > 1) return true;
  return false;
}

bool program_may_be_quick(const ck_program_t *program)
{
  const ck_compile_options_t *options = &program->options;
  const char *wish = getenv("CK_QUICK");
  uint32_t plain = CK_COMPILE_LINEINFO | CK_COMPILE_CONFINE | CK_COMPILE_ONLY;
  if (wish && !strcmp(wish, "off")) return false;
  return options->opt_level == CK_OPT_DEFAULT && !(options->flags & ~plain);
}

static Digest part_key(Digest key, const char *kernel, PartForm form)
{
  key = digest_str(digest_more(key, "part", 4), kernel);
  return form ? digest_more(key, &form, sizeof form) : key;
}

/* Looks for the code in the cache, the best form first. */
static ck_status_t find_part(const CacheWay *way, Digest key, const char *kernel, PartForm form,
                             ck_object_code_t **out_code)
{
  CacheSource source;
  for (PartForm found = PART_thorough; found <= form; ++found) {
    CK_TRY(cache_find(way, part_key(key, kernel, found), &source, out_code));
    if (!*out_code) continue;
    (*out_code)->part_form = found;
    (*out_code)->is_kept_part = true;
    break;
  }
  return CK_OK;
}

void program_release_checked(ck_compilation_t *checked)
{
  const Compiler *compiler;
  if (checked && compiler_open(&compiler) == CK_OK) compiler->ck_compilation_release(checked);
}

static ck_status_t compile_part(ck_program_t *program, const char *target, Digest key,
                                const char *kernel, PartForm form, ck_compilation_t **checked,
                                ck_object_code_t **out_code)
{
  ck_compile_options_t options = program->options;
  options.target = target;
  Digest now;
  if (!make_key(program, &options, &now) || now.lo != key.lo || now.hi != key.hi)
    return error_set(CK_COMPILE,
                     "%s: the compiler or the tuning table has changed since the "
                     "program was compiled: compile it again",
                     options.file_name ? options.file_name : "kernel.ck");
  CacheWay way = program->way;
  way.is_of_folder = true;
  CK_TRY(find_part(&way, key, kernel, form, out_code));
  if (*out_code) return CK_OK;
  const Compiler *compiler;
  CK_TRY(compiler_open(&compiler));
  Arena scratch = {0};
  options.kernels = &kernel;
  options.kernel_count = kernel != NULL;
  if (form) options.flags |= CK_COMPILE_QUICK;
  if (form == PART_quick_sums) options.flags |= CK_COMPILE_QUICK_SUMS;
  const char *what = kernel ? arena_printf(&scratch, ", kernel '%s'%s,", kernel,
                                           form ? ", for first launches" : "")
                            : "";
  ck_status_t status = call_compiler(compiler, program, &options, what, checked);
  if (status == CK_OK) {
    size_t bytes;
    const void *output = compiler->ck_compilation_output(*checked, &bytes);
    status = ck_object_code_from_bytes(output, bytes, out_code);
    if (!compiler->ck_compilation_is_quick(*checked)) form = PART_thorough;
  }
  arena_free(&scratch);
  if (status != CK_OK) return status;
  (*out_code)->part_form = form;
  return kept_or_not(cache_keep(&way, part_key(key, kernel, form), *out_code), out_code);
}

ck_status_t program_compile_part(ck_program_t *program, const char *target, Digest key,
                                 const char *kernel, PartForm form, ck_compilation_t *checked,
                                 ck_object_code_t **out_code)
{
  ck_status_t status = compile_part(program, target, key, kernel, form, &checked, out_code);
  program_release_checked(checked);
  return status;
}

/* Checks the program. If it has algorithms of several kernels, *out_code is its manifest, for
 * parts, and the code of the first part goes on from there; otherwise all of the code does. */
static ck_status_t compile_checked(ck_program_t *program, ck_compile_options_t *options, Digest key,
                                   ck_object_code_t **out_code)
{
  ck_compile_options_t head = *options;
  ck_compilation_t *checked = NULL;
  head.emit = CK_EMIT_MANIFEST;
  if (parts_will_be_quick(program)) head.flags |= CK_COMPILE_QUICK;
  CK_TRY(compile(program, &head, &checked, out_code));
  if (has_plans((*out_code)->manifest)) {
    ck_status_t status = parts_attach(*out_code, program, options->target, key, &checked);
    program_release_checked(checked);
    return kept_or_not(status, out_code);
  }
  ck_object_code_release(*out_code);
  *out_code = NULL;
  return compile(program, options, &checked, out_code);
}

/* Code from the cache: gets its parts, or all of them at once. */
static ck_status_t complete(ck_program_t *program, const char *target, Digest key, bool in_parts,
                            ck_object_code_t **code)
{
  ck_object_code_t *head = *code, *whole = NULL;
  ck_status_t status = parts_attach(head, program, target, key, NULL);
  if (status == CK_OK && (in_parts || !head->parts)) return CK_OK;
  if (status == CK_OK) status = object_code_whole(head, &whole);
  *code = status == CK_OK ? ck_object_code_retain(whole) : NULL;
  ck_object_code_release(head);
  return status;
}

ck_status_t ck_program_compile(ck_program_t *program, ck_device_t *device,
                               ck_object_code_t **out_code)
{
  CK_NEED_OUT(out_code, NULL, program);
  if (program->foreign) return compile_foreign(program, device, out_code);
  ck_compile_options_t options;
  CK_TRY(options_for(program, device, &options));
  Digest key;
  bool has_key = make_key(program, &options, &key);
  bool in_parts = has_key && may_have_parts(program, device, &options);
  if (has_key) CK_TRY(find_kept(&program->way, key, out_code));
  if (*out_code) {
    set_log(program, "");
    return complete(program, options.target, key, in_parts, out_code);
  }
  ck_compilation_t *none = NULL;
  CK_TRY(in_parts ? compile_checked(program, &options, key, out_code)
                  : compile(program, &options, &none, out_code));
  return has_key ? kept_or_not(keep(program, key, *out_code), out_code) : CK_OK;
}

/* ---- how it is kept ---- */

ck_status_t ck_program_set_cache(ck_program_t *program, const ck_cache_options_t *options)
{
  CK_NEED_ARG(program);
  ck_cache_options_t own = CK_OPTIONS_INIT(ck_cache_options_t);
  CacheWay way = {.functions = CK_OPTIONS_INIT(ck_cache_functions_t)};
  CK_TRY(options_read(&own, sizeof own, options, "ck_cache_options_t"));
  CK_TRY(options_read(&way.functions, sizeof way.functions, own.functions, "ck_cache_functions_t"));
  if (own.functions && (!way.functions.get || !way.functions.put))
    return error_argument("%s: a cache without 'get' or 'put'", __func__);
  if (!own.extra_digest && own.extra_digest_bytes)
    return error_argument("option 'extra_digest': %zu bytes at NULL", own.extra_digest_bytes);
  CK_TRY(check_choice("strict", own.strict));
  way.is_strict = own.strict == CK_ON;
  program->way = way;
  program->has_extra = own.extra_digest != NULL;
  if (program->has_extra) program->extra = digest_of(own.extra_digest, own.extra_digest_bytes);
  return CK_OK;
}

static void forget_parts(const ck_program_t *program, Digest key, const Manifest *manifest)
{
  CacheWay way = program->way;
  way.is_of_folder = true;
  for (PartForm form = PART_thorough; form < PART_FORMS; ++form) {
    for (uint32_t i = 0; i < manifest->kernel_count; ++i)
      cache_remove(&way, part_key(key, manifest->kernels[i].name, form));
    cache_remove(&way, part_key(key, NULL, form));
  }
}

/* Removes the entry under `key`, the second one if the source has imports, and those of parts. */
static ck_status_t forget_ck(const ck_program_t *program, Digest key)
{
  ck_object_code_t *code;
  CacheSource source;
  CK_TRY(cache_find(&program->way, key, &source, &code));
  if (code && code->manifest && depends_on_files(code->manifest))
    cache_remove(&program->way, import_key(key, code->manifest));
  if (code && code->form == CK_EMIT_MANIFEST) forget_parts(program, key, code->manifest);
  ck_object_code_release(code);
  return cache_remove(&program->way, key);
}

ck_status_t ck_cache_remove_program(ck_program_t *program, ck_device_t *device)
{
  CK_NEED_ARG(program);
  Digest key;
  bool has_key;
  if (program->foreign) {
    const char *target;
    CacheWay way;
    CK_TRY(target_for(program->foreign, device, &target));
    has_key = foreign_way(program, device, target, &way, &key);
    if (has_key) return cache_remove(&way, key);
  } else {
    ck_compile_options_t options;
    CK_TRY(options_for(program, device, &options));
    has_key = make_key(program, &options, &key);
    if (has_key) return forget_ck(program, key);
  }
  return error_set(CK_NOT_FOUND, "%s: the program is compiled each time", __func__);
}

/* ---- the tools' own objects ---- */

ck_status_t ck_program_get_native(ck_program_t *program, ck_device_t *device, void **out_native)
{
  CK_NEED_OUT(out_native, NULL, program);
  Foreign *own = program->foreign;
  const char *target = NULL;
  if (!own) return CK_OK;
  bool is_linked = own->kind == CK_PROGRAM_PTX || own->kind == CK_PROGRAM_LTOIR;
  if (is_linked) CK_TRY(target_for(own, device, &target));
  pthread_mutex_lock(&program->native_mutex);
  Foreign foreign = prepare(program);
  ck_status_t status = foreign_get_native(&foreign, device, target, out_native);
  own->native = foreign.native;
  own->linker = foreign.linker;
  own->linker_device = foreign.linker_device;
  own->linker_target = foreign.linker_target;
  pthread_mutex_unlock(&program->native_mutex);
  return status;
}

ck_status_t ck_program_from_native(ck_program_kind_t kind, void *native,
                                   const ck_program_options_t *options, ck_program_t **out_program)
{
  CK_NEED_OUT(out_program, NULL, native);
  if (kind != CK_PROGRAM_CUDA && kind != CK_PROGRAM_NVVM)
    return error_argument("kind %d: an nvrtcProgram is CUDA C++, an nvvmProgram is NVVM IR",
                          (int)kind);
  ck_program_t *program = program_new();
  if (!program) return CK_OUT_OF_MEMORY;
  ck_status_t status = foreign_read(&program->arena, kind, "", 0, options, &program->foreign);
  if (status == CK_OK) status = foreign_adopt(program->foreign, native);
  return GIVE(status, program, out_program, ck_program_release);
}
