/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* linker.c - links pieces of device code, with nvJitLink or the driver.
 *
 * A linker is a list of pieces and options. The back end's handle exists only during
 * ck_linker_link, unless the caller requests it: then it exists from that call to the last release,
 * and is linked once. Both back ends get the images without the manifests behind them; the result
 * gets a manifest joined from all.
 *
 * nvJitLink crashes on some pieces that don't match, and links others although it reports an error
 * for them. linker_symbols.c finds mismatches in CK, PTX and cubins beforehand. If one of several
 * pieces has another form, nvJitLink runs in a child process, so that a crash becomes an error, and
 * its output is checked:
 *
 *   link_by_nvjitlink -- all pieces are readable, or there is one, or the caller's handle --> run
 *                     \- otherwise: probe_start, child_start, probe_finish, child_finish
 *                                               `- run, in the child
 */
#include "linker.h"
#include "core/json.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The state of a link in a back end. */
typedef struct LinkNative {
  void *handle;       /* nvJitLinkHandle or CUlinkState; NULL: none */
  uint32_t given;     /* the number of pieces that it has got */
  bool is_used;       /* it was linked: the next link needs another handle */
  Arena arena;        /* for the driver: memory that must live as long as the handle */
  char *info, *error; /* the driver's logs; NULL for nvJitLink, which is asked for them */
} LinkNative;

struct ck_linker {
  Object object;
  ck_device_t *device; /* retained; NULL: the options name a target */
  ck_link_backend_t backend;
  const NvJitLink *library; /* borrowed; NULL for the driver */
  const char *why_not;      /* why nvJitLink was found but is not used, for messages; "" */
  Arena arena;              /* options, pieces */
  ck_linker_options_t options;
  const char *target;
  VEC(LinkPiece) pieces;
  LinkNative native; /* owned; lent to the caller */
  Arena log_arena;   /* for the last link */
  const char *info_log, *error_log;
};

static void destroy_native(ck_linker_t *linker)
{
  void *handle = linker->native.handle;
  if (handle && linker->library) linker->library->nvJitLinkDestroy(&handle);
  if (handle && !linker->library) {
    bool is_entered = device_enter_quietly(linker->device);
    linker->device->driver->cuLinkDestroy(handle);
    if (is_entered) device_leave(linker->device);
  }
  arena_free(&linker->native.arena);
}

static void linker_destroy(ck_linker_t *linker)
{
  destroy_native(linker);
  arena_free(&linker->log_arena);
  arena_free(&linker->arena);
  ck_device_release(linker->device);
  object_free(linker);
}

OBJECT(linker, ck_linker_t);

/* ---- options ---- */

enum { NO_OPTION = -1 };

static bool is_on(ck_choice_t choice)
{
  return choice == CK_ON;
}

static int level_of(ck_opt_level_t level)
{
  return level == CK_OPT_DEFAULT ? 3 : (int)level - (int)CK_OPT_0;
}

static unsigned threads_of(uint32_t threads)
{
  return threads == CK_SPLIT_ALL ? 0 : threads;
}

static void put(Words *words, const char *format, ...) PRINTF_LIKE(2, 3);
static void put(Words *words, const char *format, ...)
{
  va_list values;
  va_start(values, format);
  const char *word = arena_vprintf(words->arena, format, values);
  va_end(values);
  vec_push(words->arena, words, word);
}

/* Adds a word for each text; `format` has one %s. */
static void put_each(Words *words, const char *format, const char *const *texts, size_t count)
{
  const char *mark = strstr(format, "%s");
  for (size_t i = 0; i < count; ++i) put(words, "%.*s%s", (int)(mark - format), format, texts[i]);
}

static void nvjitlink_words(Words *a, const ck_linker_options_t *o)
{
#define LINKER_OPTION(field, is_set, words, option, value)                                         \
  if (is_set) words;
#include "linker_options.def"
}

static ck_status_t driver_lacks_option(const char *name)
{
  return error_unsupported(
      "the driver's linker has no option '%s': nvJitLink, which has it, is not used", name);
}

static ck_status_t check_for_driver(const ck_linker_options_t *o)
{
#define LINKER_OPTION(field, is_set, words, option, value)                                         \
  if ((is_set) && (int)(option) == NO_OPTION) return driver_lacks_option(#field);
#include "linker_options.def"
  return CK_OK;
}

static void read_version(const NvJitLink *library, unsigned *out_major, unsigned *out_minor)
{
  *out_major = *out_minor = 0;
  library->nvJitLinkVersion(out_major, out_minor);
}

static ck_status_t check_for_nvjitlink(const NvJitLink *library, const ck_linker_options_t *o)
{
  unsigned major, minor;
  read_version(library, &major, &minor);
  if (is_on(o->incremental) && (major < 13 || (major == 13 && minor < 2)))
    return error_unsupported("'incremental' needs nvJitLink 13.2, this one is %u.%u", major, minor);
  return CK_OK;
}

static ck_status_t check_choices(const ck_linker_options_t *o)
{
  const struct {
    const char *name;
    ck_choice_t choice;
  } choices[] = {{"time", o->time},
                 {"verbose", o->verbose},
                 {"link_time_optimization", o->link_time_optimization},
                 {"debug", o->debug},
                 {"lineinfo", o->lineinfo},
                 {"ftz", o->ftz},
                 {"prec_div", o->prec_div},
                 {"prec_sqrt", o->prec_sqrt},
                 {"fma", o->fma},
                 {"optimize_unused_variables", o->optimize_unused_variables},
                 {"no_cache", o->no_cache},
                 {"incremental", o->incremental}};
  for (size_t i = 0; i < COUNT_OF(choices); ++i)
    CK_TRY(check_choice(choices[i].name, choices[i].choice));
  return CK_OK;
}

static ck_status_t check_lists(const ck_linker_options_t *o)
{
  CK_TRY(check_texts("kernels_used", o->kernels_used, o->kernel_used_count));
  CK_TRY(check_texts("variables_used", o->variables_used, o->variable_used_count));
  CK_TRY(check_texts("ptxas_options", o->ptxas_options, o->ptxas_option_count));
  return check_texts("extra", o->extra, o->extra_count);
}

static void copy_options(ck_linker_t *linker, const ck_linker_options_t *options)
{
  Arena *arena = &linker->arena;
  ck_linker_options_t *own = &linker->options;
  *own = *options;
  own->name = copy_text(arena, own->name ? own->name : "linked");
  own->target = copy_text(arena, own->target);
  own->kernels_used = copy_texts(arena, own->kernels_used, own->kernel_used_count);
  own->variables_used = copy_texts(arena, own->variables_used, own->variable_used_count);
  own->ptxas_options = copy_texts(arena, own->ptxas_options, own->ptxas_option_count);
  own->extra = copy_texts(arena, own->extra, own->extra_count);
}

/* ---- create ---- */

/* Whether nvJitLink's major version is newer than the driver's CUDA, which then may not load its
 * output. */
static bool is_too_new(const NvJitLink *library, const ck_device_t *device)
{
  int driver = 0;
  unsigned major, minor;
  if (!device || !device->driver->traits->takes_ptx) return false;
  if (device->driver->cuDriverGetVersion(&driver) != CUDA_SUCCESS) return false;
  read_version(library, &major, &minor);
  return (unsigned)driver / 1000 < major;
}

/* Versions before 12.3 can't report their version and lack options; cuda.core does not use them
 * either. */
static bool is_too_old(const NvJitLink *library)
{
  return !library->nvJitLinkVersion;
}

typedef struct Choice {
  ck_link_backend_t backend;
  const NvJitLink *library; /* borrowed; NULL for the driver */
  const char *why_not;      /* why nvJitLink was found but is not used; "" */
} Choice;

/* Chooses nvJitLink if it is found and not too old, otherwise the driver's linker. With AUTO a
 * nvJitLink that is newer than the driver is not used either, since the driver might not load its
 * code. */
static ck_status_t choose_backend(const ck_device_t *device, ck_link_backend_t wish, Choice *out)
{
  const char *looked_at = "";
  if ((unsigned)wish > CK_LINK_DRIVER)
    return error_argument("%d is no back end of a linker", (int)wish);
  const NvJitLink *found = wish == CK_LINK_DRIVER ? NULL : nvjitlink_open(&looked_at);
  *out = (Choice){.backend = CK_LINK_DRIVER, .why_not = ""};
  if (found && is_too_old(found)) out->why_not = ", which is older than 12.3";
  else if (found && wish == CK_LINK_AUTO && is_too_new(found, device))
    out->why_not = ", which is of a newer CUDA than the driver";
  else out->library = found;
  if (out->library) out->backend = CK_LINK_NVJITLINK;
  bool has_driver = device && (wish == CK_LINK_DRIVER || device->driver->traits->takes_ptx);
  if (out->library || (has_driver && wish != CK_LINK_NVJITLINK)) return CK_OK;
  if (wish == CK_LINK_DRIVER) return error_argument("a device has to be given whose driver links");
  const char *no_gpu = wish == CK_LINK_AUTO ? ", and no GPU is given whose driver could link" : "";
  if (found) return error_set(CK_UNAVAILABLE, "nvJitLink is older than 12.3%s", no_gpu);
  return error_set(CK_UNAVAILABLE, "nvJitLink is not found%s. Looked at:\n%s", no_gpu, looked_at);
}

static pthread_once_t major_once = PTHREAD_ONCE_INIT;
static unsigned nvjitlink_major; /* of the nvJitLink in use; 0: none */

/* Reads the major version from the file's name if it is not CUDA 12: opening the library would take
 * longer than finding the result in the cache. */
static void find_major(void)
{
  static const char name[] = "libnvJitLink.so.";
  Arena scratch = {0};
  const char *path = toolkit_glance(TOOLKIT_nvjitlink, &scratch);
  const char *file = path ? path_base(path) : "";
  unsigned minor;
  if (!strncmp(file, name, strlen(name)))
    nvjitlink_major = (unsigned)strtoul(file + strlen(name), NULL, 10);
  if (nvjitlink_major <= 12) {
    const NvJitLink *library = nvjitlink_open(NULL);
    nvjitlink_major = 0;
    if (library && !is_too_old(library)) read_version(library, &nvjitlink_major, &minor);
  }
  arena_free(&scratch);
}

bool linker_is_driver(int driver_version)
{
  pthread_once(&major_once, find_major);
  return !nvjitlink_major || (unsigned)driver_version / 1000 < nvjitlink_major;
}

/* nvJitLink 13.0 crashes for "sm_7", so targets are checked before it sees them. */
static ck_status_t check_target(const char *target)
{
  bool is_sm = !strncmp(target, "sm_", 3);
  size_t digits = is_sm ? strspn(target + 3, "0123456789") : 0;
  const char *end = target + 3 + digits;
  if (digits >= 2 && digits <= 3 && (!*end || !strcmp(end, "a") || !strcmp(end, "f"))) return CK_OK;
  return error_argument("'%s' is no target of a GPU: name one such as sm_90", target);
}

ck_status_t ck_linker_create(ck_device_t *device, const ck_linker_options_t *options,
                             ck_linker_t **out_linker)
{
  CK_NEED_OUT(out_linker, NULL);
  ck_linker_options_t own = CK_OPTIONS_INIT(ck_linker_options_t);
  Choice choice;
  CK_TRY(options_read(&own, sizeof own, options, "ck_linker_options_t"));
  CK_TRY(check_choices(&own));
  CK_TRY(choose_backend(device, own.backend, &choice));
  const NvJitLink *library = choice.library;
  CK_TRY(library ? check_for_nvjitlink(library, &own) : check_for_driver(&own));
  CK_TRY(check_lists(&own));
  if (own.opt_level && own.opt_level != CK_OPT_0 && own.opt_level != CK_OPT_3)
    return error_argument("opt_level %d: a linker has CK_OPT_0 and CK_OPT_3", (int)own.opt_level);
  if (!own.target && !device)
    return error_argument("%s: neither a device nor a target is given", __func__);
  if (library && !own.target && !device->driver->traits->takes_ptx)
    return error_unsupported("code for '%s' is not linked: name a GPU's target", device->name);
  if (own.target) CK_TRY(check_target(own.target));
  ck_linker_t *linker = object_new(sizeof *linker);
  if (!linker) return CK_OUT_OF_MEMORY;
  linker->device = ck_device_retain(device);
  linker->backend = choice.backend;
  linker->library = library;
  linker->why_not = choice.why_not;
  linker->info_log = linker->error_log = "";
  copy_options(linker, &own);
  linker->target = linker->options.target ? linker->options.target : device->target;
  *out_linker = linker;
  return CK_OK;
}

GETTER(ck_link_backend_t, linker, backend);
GETTER(const char *, linker, info_log);
GETTER(const char *, linker, error_log);

ck_status_t ck_linker_find_backend(ck_device_t *device, ck_link_backend_t *out_backend,
                                   int *out_major, int *out_minor)
{
  CK_NEED_OUT(out_backend, CK_LINK_AUTO);
  Choice choice;
  unsigned major, minor;
  CK_TRY(choose_backend(device, CK_LINK_AUTO, &choice));
  if (!choice.library) {
    int version;
    DRV(device->driver, cuDriverGetVersion(&version));
    major = (unsigned)version / 1000;
    minor = (unsigned)version % 1000 / 10;
  } else {
    read_version(choice.library, &major, &minor);
  }
  *out_backend = choice.backend;
  if (out_major) *out_major = (int)major;
  if (out_minor) *out_minor = (int)minor;
  return CK_OK;
}

/* ---- pieces ---- */

static const struct {
  char name[12];
  int nvjitlink, driver;
} kinds[] = {
    [CK_LINK_CUBIN] = {"a cubin", NVJITLINK_INPUT_cubin, CU_JIT_INPUT_CUBIN},
    [CK_LINK_PTX] = {"PTX", NVJITLINK_INPUT_ptx, CU_JIT_INPUT_PTX},
    [CK_LINK_LTOIR] = {"LTO-IR", NVJITLINK_INPUT_ltoir, NO_OPTION},
    [CK_LINK_FATBIN] = {"a fatbin", NVJITLINK_INPUT_fatbin, CU_JIT_INPUT_FATBINARY},
    [CK_LINK_OBJECT] = {"an object", NVJITLINK_INPUT_object, CU_JIT_INPUT_OBJECT},
    [CK_LINK_LIBRARY] = {"a library", NVJITLINK_INPUT_library, CU_JIT_INPUT_LIBRARY},
};

int link_kind_of_nvjitlink(ck_link_input_t kind)
{
  return kinds[kind].nvjitlink;
}

/* Detects the kind of a piece; CK_LINK_ANY if it can't be linked. */
static ck_link_input_t kind_of(const char *data, size_t bytes, bool has_manifest)
{
  static const char archive[] = "!<arch>\n";
  if (bytes >= sizeof archive - 1 && !memcmp(data, archive, sizeof archive - 1))
    return CK_LINK_LIBRARY;
  switch ((int)object_code_detect(data, bytes)) {
  case CK_EMIT_CUBIN: return CK_LINK_CUBIN;
  case CK_EMIT_PTX: return CK_LINK_PTX;
  case CK_EMIT_LTOIR: return CK_LINK_LTOIR;
  case CK_EMIT_FATBIN: return CK_LINK_FATBIN;
  case CK_EMIT_HOST: return has_manifest ? CK_LINK_ANY : CK_LINK_OBJECT;
  default: return CK_LINK_ANY;
  }
}

static bool is_foreign(const char *json)
{
  Arena scratch = {0};
  Buf why = BUF(&scratch);
  yyjson_val *root = json ? json_parse(&scratch, json, strlen(json), &why) : NULL;
  bool is_own = root && !yyjson_is_true(yyjson_obj_get(root, "foreign"));
  arena_free(&scratch);
  return !is_own;
}

static ck_status_t add_piece(ck_linker_t *linker, LinkPiece piece)
{
  piece.is_foreign = is_foreign(piece.json);
  if (piece.kind == CK_LINK_ANY) piece.kind = kind_of(piece.data, piece.bytes, piece.json != NULL);
  if (piece.kind == CK_LINK_ANY || (size_t)piece.kind >= COUNT_OF(kinds))
    return error_argument("'%s': %zu bytes that can't be linked", piece.name, piece.bytes);
  if (!linker->library && kinds[piece.kind].driver == NO_OPTION)
    return error_unsupported("'%s' is %s: the driver does not link it, nvJitLink does%s",
                             piece.name, kinds[piece.kind].name, linker->why_not);
  vec_push(&linker->arena, &linker->pieces, piece);
  return CK_OK;
}

ck_status_t ck_linker_add(ck_linker_t *linker, ck_link_input_t kind, const void *data, size_t bytes,
                          const char *name)
{
  CK_NEED_ARGS(linker, data);
  Arena *arena = &linker->arena;
  const char *json;
  size_t json_bytes, image_bytes;
  LinkPiece piece = {.kind = kind, .data = arena_strndup(arena, data, bytes)};
  piece.name =
      name ? arena_strdup(arena, name) : arena_printf(arena, "piece %u", linker->pieces.count + 1);
  bool has_manifest = manifest_locate(arena, piece.data, bytes, &json, &json_bytes, &image_bytes);
  if (has_manifest) piece.json = arena_strndup(arena, json, json_bytes);
  piece.bytes = image_bytes;
  ck_status_t status = object_code_check(piece.data, piece.bytes, has_manifest);
  return status == CK_OK ? add_piece(linker, piece) : error_within(status, "'%s'", piece.name);
}

ck_status_t ck_linker_add_file(ck_linker_t *linker, ck_link_input_t kind, const char *path)
{
  CK_NEED_ARGS(linker, path);
  Arena scratch = {0};
  char *data;
  size_t bytes;
  ck_status_t status;
  if (file_read(&scratch, path, FILE_PIPE, &data, &bytes))
    status = ck_linker_add(linker, kind, data, bytes, path);
  else status = error_set(errno == ENOENT ? CK_NOT_FOUND : CK_IO, "%s: %s", path, file_why(errno));
  arena_free(&scratch);
  return status;
}

ck_status_t ck_linker_add_code(ck_linker_t *linker, const ck_object_code_t *code)
{
  CK_NEED_ARGS(linker, code);
  ck_object_code_t *whole;
  CK_TRY(object_code_whole(code, &whole));
  code = whole;
  LinkPiece piece = {
      .data = arena_strndup(&linker->arena, code->data, code->bytes),
      .bytes = code->image_bytes,
      .name = arena_strdup(&linker->arena, code->manifest ? code->manifest->source : "code")};
  if (code->manifest) piece.json = arena_strdup(&linker->arena, code->json);
  return add_piece(linker, piece);
}

/* ---- link ---- */

/* The result of a link: the image, and the log that explains a failure. */
typedef struct Linked {
  Buf image;
  const char *log; /* "" */
} Linked;

static bool has_piece(const ck_linker_t *linker, ck_link_input_t kind)
{
  for (uint32_t i = 0; i < linker->pieces.count; ++i)
    if (linker->pieces.at[i].kind == kind) return true;
  return false;
}

enum { NVJITLINK_RESULTS = 19 };
static const char nvjitlink_results[] = {"no error\0"
                                         "an option is not known\0"
                                         "no target\0"
                                         "an input is not what it should be\0"
                                         "PTX is refused\0"
                                         "LTO-IR is refused\0"
                                         "an error inside\0"
                                         "no threads\0"
                                         "an input's kind is not known\0"
                                         "the linked code is refused\0"
                                         "an input is empty\0"
                                         "options that exclude each other\0"
                                         "an input is of another kind\0"
                                         "an input is for another target\0"
                                         "an input is of a newer toolkit\0"
                                         "a fatbin has nothing for the target\0"
                                         "the target is not known\0"
                                         "the target is not supported\0"
                                         "LTO-IR without link_time_optimization\0"};

static const char *result_text(int result)
{
  bool is_known = result >= 0 && result < NVJITLINK_RESULTS;
  return is_known ? strings_at(nvjitlink_results, (size_t)result) : "unknown error";
}

typedef int LogSize(void *link, size_t *out_bytes);
typedef int LogText(void *link, char *out);

static const char *read_log(Arena *arena, void *link, LogSize *size, LogText *text)
{
  size_t bytes = 0;
  if (!link || size(link, &bytes) || bytes <= 1) return "";
  char *log = arena_alloc(arena, bytes + 1);
  if (text(link, log)) return "";
  for (size_t len = strlen(log); len && strchr("\n ", log[len - 1]);) log[--len] = 0;
  return log;
}

static ck_status_t refuse_form(ck_emit_t form, const char *why)
{
  return error_unsupported("%s is not made by %s",
                           form == CK_EMIT_PTX ? "linked PTX" : "linked LTO-IR", why);
}

/* Whether no piece can contain LTO-IR. A handle that was lent to the caller may have other pieces.
 */
static bool lacks_ltoir(const ck_linker_t *linker)
{
  for (uint32_t i = 0; i < linker->pieces.count; ++i)
    if (linker->pieces.at[i].kind != CK_LINK_CUBIN && linker->pieces.at[i].kind != CK_LINK_PTX)
      return false;
  return !linker->native.handle;
}

/* Checks combinations for which nvJitLink's messages name neither the option nor the piece. */
static ck_status_t check_form(const ck_linker_t *linker, ck_emit_t form)
{
  if (is_on(linker->options.link_time_optimization) && lacks_ltoir(linker))
    return error_argument("link_time_optimization: no piece is LTO-IR");
  if (form == CK_EMIT_PTX && is_on(linker->options.incremental))
    return error_argument("linked PTX can't be linked again: not with "
                          "'incremental'");
  for (uint32_t i = 0; form == CK_EMIT_LTOIR && i < linker->pieces.count; ++i)
    if (linker->pieces.at[i].kind != CK_LINK_LTOIR)
      return error_argument("linked LTO-IR is made of LTO-IR: '%s' is %s",
                            linker->pieces.at[i].name, kinds[linker->pieces.at[i].kind].name);
  return CK_OK;
}

static int read_image(const NvJitLink *library, void *link, ck_emit_t form, Buf *out)
{
  size_t bytes = 0;
  int result = form == CK_EMIT_PTX     ? library->nvJitLinkGetLinkedPtxSize(link, &bytes)
               : form == CK_EMIT_LTOIR ? library->nvJitLinkGetLinkedLTOIRSize(link, &bytes)
                                       : library->nvJitLinkGetLinkedCubinSize(link, &bytes);
  if (result) return result;
  buf_reserve(out, bytes);
  out->len = bytes;
  out->data[bytes] = 0;
  return form == CK_EMIT_PTX     ? library->nvJitLinkGetLinkedPtx(link, out->data)
         : form == CK_EMIT_LTOIR ? library->nvJitLinkGetLinkedLTOIR(link, out->data)
                                 : library->nvJitLinkGetLinkedCubin(link, out->data);
}

static void nvjitlink_options(const ck_linker_t *linker, ck_emit_t form, Words *words)
{
  ck_linker_options_t options = linker->options;
  if (!options.link_time_optimization && has_piece(linker, CK_LINK_LTOIR))
    options.link_time_optimization = CK_ON;
  put(words, "-arch=%s", linker->target);
  if (form == CK_EMIT_PTX) put(words, "-ptx");
  nvjitlink_words(words, &options);
}

/* Adds the pieces that the handle has not got. */
static int nvjitlink_give(const ck_linker_t *linker, const NvJitLink *library, LinkNative *native)
{
  for (; native->given < linker->pieces.count; ++native->given) {
    const LinkPiece *piece = &linker->pieces.at[native->given];
    int result = library->nvJitLinkAddData(native->handle, kinds[piece->kind].nvjitlink,
                                           piece->data, piece->bytes, piece->name);
    if (result) return result;
  }
  return 0;
}

/* The piece that nvJitLink refused, or NULL. */
static const LinkPiece *refused_piece(const ck_linker_t *linker, uint32_t given)
{
  return given < linker->pieces.count ? &linker->pieces.at[given] : NULL;
}

/* Explains why a function may be missing although a piece has it. */
static const char *explain_missing(const ck_linker_t *linker, const char *log)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < linker->pieces.count; ++i)
    count += linker->pieces.at[i].kind == CK_LINK_LTOIR;
  if (!count || count == linker->pieces.count || !strstr(log, "Undefined reference")) return "";
  return " (of LTO-IR with kernels it keeps what these call: what other forms call has to be in a "
         "piece without kernels, or all pieces LTO-IR)";
}

/* Reports a refusal, with the options if the log says nothing. */
static ck_status_t nvjitlink_refused(const ck_linker_t *linker, int result, uint32_t given,
                                     const Words *words, const char *log)
{
  const LinkPiece *piece = refused_piece(linker, given);
  Buf said = BUF(words->arena);
  for (uint32_t i = 0; !*log && i < words->count; ++i) buf_printf(&said, " %s", words->at[i]);
  return error_set(CK_COMPILE, "nvJitLink: %s%s%s%s%s%s", result_text(result), piece ? ", in " : "",
                   piece ? piece->name : "", said.len ? ", with" : "", buf_text(&said),
                   explain_missing(linker, log));
}

/* Whether this link uses the handle that was lent to the caller, which was made for a cubin. */
static bool is_native_due(const ck_linker_t *linker, ck_emit_t form)
{
  return linker->native.handle && !linker->native.is_used && form == CK_EMIT_CUBIN;
}

/* ---- one run of nvJitLink, here or in a child process ---- */

typedef struct Run {
  const ck_linker_t *linker;
  const NvJitLink *library;
  ck_emit_t form;
  Words words;
  int result;
  uint32_t given; /* pieces that nvJitLink has accepted */
  Buf image;
  const char *error_log, *info_log;
} Run;

static void run(Run *run, LinkNative *native)
{
  const NvJitLink *library = run->library;
  Arena *arena = run->words.arena;
  if (!native->handle)
    run->result = library->nvJitLinkCreate(&native->handle, run->words.count, run->words.at);
  if (!run->result) run->result = nvjitlink_give(run->linker, library, native);
  if (!run->result) run->result = library->nvJitLinkComplete(native->handle);
  if (!run->result) run->result = read_image(library, native->handle, run->form, &run->image);
  run->given = native->given;
  native->is_used = true;
  run->error_log = read_log(arena, native->handle, library->nvJitLinkGetErrorLogSize,
                            library->nvJitLinkGetErrorLog);
  run->info_log = read_log(arena, native->handle, library->nvJitLinkGetInfoLogSize,
                           library->nvJitLinkGetInfoLog);
}

/* The head of a child's answer; image and logs follow. */
typedef struct RunHead {
  int result;
  uint32_t given;
  size_t image_bytes, error_bytes, info_bytes;
} RunHead;

/* Runs in the child, without nvJitLink's cache: that calls the driver, which does not work in a
 * child of fork(). */
static void work(void *user, Buf *out)
{
  enum { UNKNOWN_OPTION = 1 };
  Run *own = user;
  LinkNative native = {0};
  NvJitLink anew;
  if (!own->library) own->library = nvjitlink_open_anew(&anew) ? &anew : own->linker->library;
  own->words.arena = own->image.arena = out->arena;
  if (!is_on(own->linker->options.no_cache)) put(&own->words, "-no-cache");
  run(own, &native);
  if (own->result == UNKNOWN_OPTION && !native.handle) {
    --own->words.count; /* an old version has no such option */
    run(own, &native);
  }
  const RunHead head = {own->result, own->given, own->image.len, strlen(own->error_log),
                        strlen(own->info_log)};
  buf_bytes(out, (const char *)&head, sizeof head);
  buf_bytes(out, own->image.data, own->image.len);
  buf_puts(out, own->error_log);
  buf_puts(out, own->info_log);
}

/* Converts what nvJitLink printed into a log: its lines, without their marks. */
static const char *clean(Arena *arena, const char *said)
{
  static const char marks[][4] = {"@E@", "@W@", "@I@", "@O@"};
  Buf out = BUF(arena);
  for (const char *at = said; *at; at += *at == '\n') {
    for (size_t i = 0; i < COUNT_OF(marks); ++i)
      if (!strncmp(at, marks[i], strlen(marks[i]))) at += strlen(marks[i]);
    size_t len = strcspn(at, "\n");
    if (len) buf_printf(&out, "%s%.*s", out.len ? "\n" : "", (int)len, at);
    at += len;
  }
  return buf_text(&out);
}

static const char *join_logs(Arena *arena, const char *log, const char *said)
{
  return arena_printf(arena, "%s%s%s", log, *log && *said ? "\n" : "", said);
}

static ck_status_t refuse_end(const ChildEnd *end)
{
  if (end->is_hung)
    return error_set(CK_COMPILE, "nvJitLink did not end, and was killed: the pieces don't fit, or "
                                 "one of them is damaged");
  return error_set(CK_COMPILE,
                   "nvJitLink crashed (signal %d): the pieces don't fit, or one of them "
                   "is damaged",
                   end->signal);
}

/* Reads the child's answer. False, with its output as the error log, if there is none. */
static bool take_answer(Run *own, Child *child, ChildEnd *out_end, Arena *arena)
{
  Buf answer = BUF(arena), said = BUF(arena);
  RunHead head;
  bool is_whole = child_finish(child, &answer, &said, out_end) && answer.len >= sizeof head;
  const char *printed = clean(arena, buf_text(&said));
  own->error_log = printed;
  own->info_log = "";
  if (!is_whole) return false;
  memcpy(&head, answer.data, sizeof head);
  const char *at = answer.data + sizeof head;
  buf_bytes(&own->image, at, head.image_bytes);
  at += head.image_bytes;
  own->result = head.result;
  own->given = head.given;
  own->error_log = join_logs(arena, arena_strndup(arena, at, head.error_bytes), printed);
  own->info_log = arena_strndup(arena, at + head.error_bytes, head.info_bytes);
  return true;
}

static ck_status_t no_child(void)
{
  return error_set(CK_IO, "no child process for the link: %s", strerror(errno));
}

/* Handles a crash of nvJitLink. In a process that has linked LTO-IR before, nvJitLink 13.0 crashes
 * whenever it prints a line while pieces are added. So the link is repeated with a copy of
 * nvJitLink that has linked nothing: it succeeds, reports the mismatch, or crashes because of the
 * pieces. In the last case a probe finds the name. */
static ck_status_t rerun_in_child(Run *own, LinkProbe *probe, Arena *arena, Arena *scratch)
{
  Child child;
  ChildEnd end;
  own->library = probe->library = NULL;
  if (!child_start(&child, work, own)) return no_child();
  if (take_answer(own, &child, &end, arena)) return CK_OK;
  if (probe_start(probe)) CK_TRY(probe_finish(probe, scratch));
  return refuse_end(&end);
}

/* Runs the link in a child process, and meanwhile the probe of the pieces, if one is needed. */
static ck_status_t run_in_child(Run *own, Arena *arena, Arena *scratch)
{
  const ck_linker_t *linker = own->linker;
  Child child;
  ChildEnd end;
  LinkProbe probe = {.library = linker->library,
                     .target = linker->target,
                     .pieces = linker->pieces.at,
                     .count = linker->pieces.count};
  if (!child_start(&child, work, own)) return no_child();
  ck_status_t status = CK_OK;
  if (probe_is_needed(&probe) && probe_start(&probe)) status = probe_finish(&probe, scratch);
  if (status != CK_OK) {
    child_cancel(&child);
    return status;
  }
  if (take_answer(own, &child, &end, arena)) return CK_OK;
  return end.is_hung ? refuse_end(&end) : rerun_in_child(own, &probe, arena, scratch);
}

/* Whether the pieces could crash nvJitLink in combination; it handles single pieces. A child costs
 * 10 ms, since all pages of nvJitLink are mapped anew there, and it can't use nvJitLink's cache. */
static bool needs_child(const ck_linker_t *linker)
{
  bool has_unread = false;
  for (uint32_t i = 0; i < linker->pieces.count; ++i) has_unread |= linker->pieces.at[i].is_unread;
  return has_unread && linker->pieces.count > 1;
}

/* Whether the log of a successful link has an error: a call that does not match. */
static bool has_error(const char *log)
{
  for (const char *at = log; *at; at += strcspn(at, "\n"), at += *at == '\n')
    if (!strncmp(at, "error ", 6)) return true;
  return false;
}

/* Links with nvJitLink, in a child process if the input could crash it. When the caller has asked
 * for the native handle of this link, it is made in this process and kept. */
static ck_status_t link_by_nvjitlink(ck_linker_t *linker, ck_emit_t form, Linked *linked)
{
  const NvJitLink *library = linker->library;
  Arena *scratch = linked->image.arena, *arena = &linker->log_arena;
  if (form == CK_EMIT_LTOIR && !library->nvJitLinkGetLinkedLTOIR)
    return refuse_form(form, "this nvJitLink, which is older than 13.3");
  if (form == CK_EMIT_PTX && !library->nvJitLinkGetLinkedPtx)
    return refuse_form(form, "this nvJitLink");
  CK_TRY(check_form(linker, form));
  bool is_due = is_native_due(linker, form);
  LinkNative own = {0};
  Run now = {.linker = linker,
             .library = library,
             .form = form,
             .words = {.arena = arena},
             .image = BUF(scratch)};
  ck_status_t status = CK_OK;
  nvjitlink_options(linker, form, &now.words);
  if (!is_due && needs_child(linker)) status = run_in_child(&now, arena, scratch);
  else run(&now, is_due ? &linker->native : &own);
  if (own.handle) library->nvJitLinkDestroy(&own.handle);
  linked->image = now.image;
  linked->log = linker->error_log = now.error_log ? now.error_log : "";
  linker->info_log = now.info_log ? now.info_log : "";
  CK_TRY(status);
  if (now.result) return nvjitlink_refused(linker, now.result, now.given, &now.words, linked->log);
  if (!has_error(linked->log)) return CK_OK;
  return error_set(CK_COMPILE, "nvJitLink: the pieces don't fit");
}

/* Converts "sm_90", "sm_90a", "sm_100f" to CUjit_target. */
static uintptr_t driver_target(const char *target)
{
  char *end;
  uintptr_t value = strtoul(target + strlen("sm_"), &end, 10);
  if (*end == 'a') value += CU_COMPUTE_ACCELERATED_TARGET_BASE;
  if (*end == 'f') value += CU_COMPUTE_FAMILY_TARGET_BASE;
  return value;
}

typedef struct DriverOptions {
  CUjit_option names[64];
  void *values[64];
  unsigned count;
} DriverOptions;

static void *number_value(uintptr_t number)
{
  return (void *)number;
}

static void put_driver(DriverOptions *options, int name, void *value)
{
  options->names[options->count] = (CUjit_option)name;
  options->values[options->count++] = value;
}

static void driver_words(DriverOptions *a, const ck_linker_options_t *o)
{
#define LINKER_OPTION(field, is_set, words, option, value)                                         \
  if ((is_set) && (int)(option) != NO_OPTION) put_driver(a, (int)(option), number_value(value));
#include "linker_options.def"
}

/* Starts a link in the driver. The device's context is current, as for the next two functions.
 * Memory that the state needs is in the arena. */
static ck_status_t driver_start(const ck_linker_t *linker, Arena *arena, LinkNative *native)
{
  /* The driver truncates longer logs. */
  enum { LOG_BYTES = 1 << 14 };
  DriverOptions *options = NEW(arena, DriverOptions);
  CUlinkState state = NULL;
  native->info = arena_alloc(arena, LOG_BYTES + 1);
  native->error = arena_alloc(arena, LOG_BYTES + 1);
  put_driver(options, CU_JIT_INFO_LOG_BUFFER, native->info);
  put_driver(options, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, number_value(LOG_BYTES));
  put_driver(options, CU_JIT_ERROR_LOG_BUFFER, native->error);
  put_driver(options, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, number_value(LOG_BYTES));
  if (linker->options.target)
    put_driver(options, CU_JIT_TARGET, number_value(driver_target(linker->options.target)));
  driver_words(options, &linker->options);
  CK_TRY(DRV_STATUS(linker->device->driver,
                    cuLinkCreate(options->count, options->names, options->values, &state)));
  native->handle = state;
  return CK_OK;
}

static ck_status_t driver_give(const ck_linker_t *linker, LinkNative *native)
{
  const Driver *driver = linker->device->driver;
  for (; native->given < linker->pieces.count; ++native->given) {
    const LinkPiece *piece = &linker->pieces.at[native->given];
    CUjitInputType kind = (CUjitInputType)kinds[piece->kind].driver;
    size_t nul = piece->kind == CK_LINK_PTX; /* the driver counts the NUL */
    ck_status_t status =
        DRV_STATUS(driver, cuLinkAddData(native->handle, kind, (void *)(uintptr_t)piece->data,
                                         piece->bytes + nul, piece->name, 0, NULL, NULL));
    if (status != CK_OK) return error_within(status, "%s", piece->name);
  }
  return CK_OK;
}

static ck_status_t driver_finish(const ck_linker_t *linker, LinkNative *native, Buf *image)
{
  void *data = NULL;
  size_t bytes = 0;
  CK_TRY(DRV_STATUS(linker->device->driver, cuLinkComplete(native->handle, &data, &bytes)));
  buf_bytes(image, data, bytes); /* owned by the state */
  return CK_OK;
}

static ck_status_t link_by_driver(ck_linker_t *linker, ck_emit_t form, Linked *linked)
{
  if (form != CK_EMIT_CUBIN) return refuse_form(form, "the driver's linker");
  bool is_due = is_native_due(linker, form);
  LinkNative own = {0}, *native = is_due ? &linker->native : &own;
  CK_TRY(device_enter(linker->device));
  ck_status_t status = is_due ? CK_OK : driver_start(linker, &linker->log_arena, native);
  if (status == CK_OK) status = driver_give(linker, native);
  if (status == CK_OK) status = driver_finish(linker, native, &linked->image);
  native->is_used = true;
  if (own.handle) linker->device->driver->cuLinkDestroy(own.handle);
  device_leave(linker->device);
  linker->info_log = native->info;
  linker->error_log = linked->log = native->error;
  return status;
}

/* Joins the manifests of all pieces; none if no piece has one. A final link keeps only kernels. */
static ck_status_t join_manifests(const ck_linker_t *linker, ck_emit_t form, Buf *image)
{
  Arena *arena = image->arena;
  const char **jsons = NEW_ARRAY(arena, const char *, linker->pieces.count + 1);
  ManifestParts parts = {.source = linker->options.name,
                         .target = linker->target,
                         .backend = linker->library ? "nvjitlink" : "driver",
                         .jsons = jsons,
                         .has_functions = is_on(linker->options.incremental)};
  for (uint32_t i = 0; i < linker->pieces.count; ++i)
    if (linker->pieces.at[i].json) jsons[parts.json_count++] = linker->pieces.at[i].json;
  parts.has_foreign = parts.json_count < linker->pieces.count;
  if (!parts.json_count) return CK_OK;
  Buf json = BUF(arena), why = BUF(arena);
  if (!manifest_write(&json, &parts, &why))
    return error_argument("a manifest can't be read: %s", buf_text(&why));
  manifest_attach(image, form, json.data, json.len);
  return CK_OK;
}

/* Appends the first lines of the log to the message of the failure. */
static ck_status_t with_log(ck_status_t status, const char *log)
{
  if (!*log) return status;
  const char *text = strstr(ck_last_error(), ": ");
  return error_set_driver(status, ck_last_driver_error(), "%s\n%.*s", text ? text + 2 : "",
                          first_lines(log), log);
}

static ck_status_t check_symbols(ck_linker_t *linker, Arena *scratch)
{
  Names names;
  names_init(&names, scratch);
  for (uint32_t i = 0; i < linker->pieces.count; ++i)
    CK_TRY(link_define(&names, &linker->pieces.at[i]));
  for (uint32_t i = 0; i < linker->pieces.count; ++i)
    CK_TRY(link_compare(&names, &linker->pieces.at[i]));
  return CK_OK;
}

static ck_status_t link_pieces(ck_linker_t *linker, ck_emit_t form, Arena *scratch,
                               ck_object_code_t **out_code)
{
  Linked linked = {.image = BUF(scratch), .log = ""};
  CK_TRY(check_symbols(linker, scratch));
  double start = seconds_now();
  ck_status_t status = linker->library ? link_by_nvjitlink(linker, form, &linked)
                                       : link_by_driver(linker, form, &linked);
  log_line(LOG_compile, "link '%s' for %s: %s, %.3f ms", linker->options.name, linker->target,
           ck_status_name(status), 1e3 * (seconds_now() - start));
  if (status != CK_OK) return with_log(status, linked.log);
  CK_TRY(join_manifests(linker, form, &linked.image));
  return ck_object_code_from_bytes(linked.image.data, linked.image.len, out_code);
}

ck_status_t ck_linker_link(ck_linker_t *linker, ck_emit_t form, ck_object_code_t **out_code)
{
  CK_NEED_OUT(out_code, NULL, linker);
  if (form == CK_EMIT_DEFAULT) form = CK_EMIT_CUBIN;
  if (form != CK_EMIT_CUBIN && form != CK_EMIT_PTX && form != CK_EMIT_LTOIR)
    return error_argument("emit %d is nothing that a linker makes", (int)form);
  if (!linker->pieces.count && !is_native_due(linker, form))
    return error_argument("there is nothing to link");
  arena_free(&linker->log_arena);
  linker->info_log = linker->error_log = "";
  Arena scratch = {0};
  ck_status_t status = link_pieces(linker, form, &scratch, out_code);
  arena_free(&scratch);
  return status;
}

/* ---- the back end's own handle ---- */

static ck_status_t nvjitlink_native(ck_linker_t *linker, Arena *scratch, LinkNative *native)
{
  const NvJitLink *library = linker->library;
  Words words = {.arena = scratch};
  CK_TRY(check_symbols(linker, scratch)); /* the handle is used in this process, so a mismatch
                                           * must be found before */
  nvjitlink_options(linker, CK_EMIT_CUBIN, &words);
  int result = library->nvJitLinkCreate(&native->handle, words.count, words.at);
  if (!result) result = nvjitlink_give(linker, library, native);
  if (!result) return CK_OK;
  const char *log = read_log(scratch, native->handle, library->nvJitLinkGetErrorLogSize,
                             library->nvJitLinkGetErrorLog);
  ck_status_t status = nvjitlink_refused(linker, result, native->given, &words, log);
  if (native->handle) library->nvJitLinkDestroy(&native->handle);
  return with_log(status, log);
}

static ck_status_t driver_native(ck_linker_t *linker, LinkNative *native)
{
  CK_TRY(device_enter(linker->device));
  ck_status_t status = driver_start(linker, &native->arena, native);
  if (status == CK_OK) status = driver_give(linker, native);
  if (status != CK_OK && native->handle) linker->device->driver->cuLinkDestroy(native->handle);
  device_leave(linker->device);
  return status == CK_OK ? CK_OK : with_log(status, native->error);
}

ck_status_t ck_linker_get_native(ck_linker_t *linker, void **out_native)
{
  CK_NEED_OUT(out_native, NULL, linker);
  if (!linker->native.handle) {
    Arena scratch = {0};
    LinkNative native = {0};
    ck_status_t status = linker->library ? nvjitlink_native(linker, &scratch, &native)
                                         : driver_native(linker, &native);
    arena_free(&scratch);
    if (status != CK_OK) arena_free(&native.arena);
    CK_TRY(status);
    linker->native = native;
  }
  *out_native = linker->native.handle;
  return CK_OK;
}
