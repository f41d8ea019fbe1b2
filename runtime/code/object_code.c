/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* object_code.c - object code: detecting its form, checking its manifest, and loading it into
 * drivers.
 *
 * Each object has a list of the libraries that drivers made of it, one for each driver.
 */
#include <elf.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "code_private.h"
#include "core/nvtx.h"
#include "elf_image.h"

/* One lock for all object code: loading is rare, and drivers serialise it anyway. */
static pthread_mutex_t code_mutex = PTHREAD_MUTEX_INITIALIZER;

static void object_code_destroy(ck_object_code_t *code)
{
  parts_free(code);
  for (LoadedCode *loaded = code->loaded, *next; loaded; loaded = next) {
    next = loaded->next;
    CUstreamCaptureMode mode = capture_relax(loaded->driver);
    loaded->driver->cuLibraryUnload(loaded->library);
    capture_restore(loaded->driver, mode);
    memory_free(loaded);
  }
  source_file_release(code->source);
  arena_free(&code->arena);
  memory_free(code->data);
  object_free(code);
}

OBJECT(object_code, ck_object_code_t);

ck_emit_t object_code_detect(const void *start, size_t bytes)
{
  enum { FATBIN_MAGIC = 0xBA55ED50u, LTOIR_MAGIC = 0x7F4E43EDu };
  const unsigned char *data = start;
  if (bytes >= sizeof(Elf64_Ehdr) && !memcmp(data, ELFMAG, SELFMAG) &&
      data[EI_CLASS] == ELFCLASS64) {
    Elf64_Half machine;
    memcpy(&machine, data + offsetof(Elf64_Ehdr, e_machine), sizeof machine);
    if (machine == EM_CUDA) return CK_EMIT_CUBIN;
    return machine == EM_X86_64 ? CK_EMIT_HOST : CK_EMIT_DEFAULT;
  }
  uint32_t magic;
  if (bytes >= sizeof magic) {
    memcpy(&magic, data, sizeof magic);
    if (magic == FATBIN_MAGIC) return CK_EMIT_FATBIN;
    if (magic == LTOIR_MAGIC) return CK_EMIT_LTOIR;
  }
  /* PTX begins with comments and blank lines, then `.version`. */
  size_t i = 0;
  while (i < bytes) {
    if (strchr(" \t\r\n", data[i]) && data[i]) ++i;
    else if (bytes - i > 2 && data[i] == '/' && data[i + 1] == '/')
      while (i < bytes && data[i] != '\n') ++i;
    else break;
  }
  return bytes - i > 8 && !memcmp(data + i, ".version", 8) ? CK_EMIT_PTX : CK_EMIT_DEFAULT;
}

/* The end of a part of an image; UINT64_MAX on overflow. */
static uint64_t end_of(uint64_t offset, uint64_t count, uint64_t bytes)
{
  uint64_t end;
  bool is_over =
      __builtin_mul_overflow(count, bytes, &end) || __builtin_add_overflow(offset, end, &end);
  return is_over ? UINT64_MAX : end;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

/* Whether a section has no bytes in the file. Some of NVIDIA's own types have none; those that have
 * bytes lie before the section table. */
static bool has_no_bytes(const Elf64_Ehdr *header, const Elf64_Shdr *section)
{
  return section->sh_type == SHT_NOBITS ||
         (header->e_machine == EM_CUDA && section->sh_type >= SHT_LOPROC);
}

uint64_t object_code_elf_end(const void *image, size_t bytes)
{
  Elf64_Ehdr header;
  memcpy(&header, image, sizeof header);
  uint64_t table = header.e_shnum ? end_of(header.e_shoff, header.e_shnum, header.e_shentsize) : 0;
  uint64_t programs =
      header.e_phnum ? end_of(header.e_phoff, header.e_phnum, header.e_phentsize) : 0;
  uint64_t end = larger(larger(larger(sizeof header, header.e_ehsize), programs), table);
  if (header.e_shnum && header.e_shentsize < sizeof(Elf64_Shdr)) return UINT64_MAX;
  for (unsigned i = 0; i < header.e_shnum && table <= bytes; ++i) {
    Elf64_Shdr section;
    memcpy(&section, (const char *)image + header.e_shoff + (size_t)i * header.e_shentsize,
           sizeof section);
    if (has_no_bytes(&header, &section)) continue;
    end = larger(end, end_of(section.sh_offset, 1, section.sh_size));
  }
  return end;
}

static uint64_t fatbin_end(const void *image, size_t bytes)
{
  struct {
    uint32_t magic;
    uint16_t version, head_bytes;
    uint64_t body_bytes;
  } header;
  if (bytes < sizeof header) return sizeof header;
  memcpy(&header, image, sizeof header);
  return end_of(header.head_bytes, 1, header.body_bytes);
}

static bool is_zero(const char *data, uint64_t bytes)
{
  for (uint64_t i = 0; i < bytes; ++i)
    if (data[i]) return false;
  return true;
}

ck_status_t object_code_check(const void *image, size_t bytes, bool has_manifest)
{
  uint64_t end = bytes; /* unknown for other forms */
  switch ((int)object_code_detect(image, bytes)) {
  case CK_EMIT_CUBIN:
  case CK_EMIT_HOST: end = object_code_elf_end(image, bytes); break;
  case CK_EMIT_FATBIN: end = fatbin_end(image, bytes); break;
  default: break;
  }
  if (end <= bytes) {
    if (has_manifest || is_zero((const char *)image + end, bytes - end)) return CK_OK;
    return error_argument("the %zu bytes behind the image are no manifest: a part may be missing",
                          bytes - (size_t)end);
  }
  if (end == UINT64_MAX)
    return error_argument("the image says more bytes than can be, there are %zu", bytes);
  return error_argument("the image says %llu bytes, there are %zu", (unsigned long long)end, bytes);
}

static ck_status_t parse_manifest(ck_object_code_t *code, const char *json, size_t bytes)
{
  code->json = arena_strndup(&code->arena, json, bytes);
  Buf why = BUF(&code->arena);
  code->manifest = manifest_parse(&code->arena, json, bytes, &why);
  if (code->manifest) return CK_OK;
  return error_argument("the manifest can't be read: %s", buf_text(&why));
}

static ck_status_t read_manifest(ck_object_code_t *code)
{
  size_t json_bytes, image_bytes;
  const char *json;
  code->json = "";
  bool has_one =
      manifest_locate(&code->arena, code->data, code->bytes, &json, &json_bytes, &image_bytes);
  code->image_bytes = image_bytes;
  CK_TRY(object_code_check(code->data, image_bytes, has_one));
  return has_one ? parse_manifest(code, json, json_bytes) : CK_OK;
}

static ck_status_t from_bytes(ck_emit_t form, const void *data, size_t bytes,
                              ck_object_code_t **out_code)
{
  ck_object_code_t *code = object_new(sizeof *code);
  if (!code) return CK_OUT_OF_MEMORY;
  code->form = form;
  code->bytes = bytes;
  code->data = memory_take(bytes + 1);
  ck_status_t status = CK_OUT_OF_MEMORY;
  if (code->data) {
    memcpy(code->data, data, bytes);
    bool is_alone = form == CK_EMIT_MANIFEST;
    status = is_alone ? parse_manifest(code, code->data, bytes) : read_manifest(code);
  }
  if (status != CK_OK) {
    object_code_destroy(code);
    return status;
  }
  *out_code = code;
  return CK_OK;
}

ck_status_t object_code_from_manifest(const char *json, size_t bytes, ck_object_code_t **out_code)
{
  *out_code = NULL;
  return from_bytes(CK_EMIT_MANIFEST, json, bytes, out_code);
}

ck_status_t ck_object_code_from_bytes(const void *data, size_t bytes, ck_object_code_t **out_code)
{
  CK_NEED_OUT(out_code, NULL, data);
  ck_emit_t form = object_code_detect(data, bytes);
  if (form == CK_EMIT_DEFAULT)
    return error_argument("%zu bytes that are no cubin, PTX, fatbin, LTO-IR or x86-64 object code",
                          bytes);
  return from_bytes(form, data, bytes, out_code);
}

ck_status_t ck_object_code_from_file(const char *path, ck_object_code_t **out_code)
{
  CK_NEED_OUT(out_code, NULL, path);
  Arena scratch = {0};
  char *data;
  size_t bytes;
  ck_status_t status;
  if (file_read(&scratch, path, FILE_PIPE, &data, &bytes)) {
    status = ck_object_code_from_bytes(data, bytes, out_code);
    if (status != CK_OK) error_within(status, "%s", path);
  } else {
    status = error_set(errno == ENOENT ? CK_NOT_FOUND : CK_IO, "%s: %s", path, file_why(errno));
  }
  arena_free(&scratch);
  return status;
}

ck_status_t ck_object_code_save(const ck_object_code_t *code, const char *path)
{
  CK_NEED_ARGS(code, path);
  ck_object_code_t *whole;
  CK_TRY(object_code_whole(code, &whole));
  if (file_write(path, whole->data, whole->bytes)) return CK_OK;
  return error_set(CK_IO, "%s: %s", path, file_why(errno));
}

const void *ck_object_code_bytes(const ck_object_code_t *code, size_t *out_bytes)
{
  ck_object_code_t *whole;
  if (out_bytes) *out_bytes = 0;
  if (object_code_whole(code, &whole) != CK_OK) return NULL;
  if (out_bytes) *out_bytes = whole->bytes;
  return whole->data;
}

ck_emit_t ck_object_code_form(const ck_object_code_t *code)
{
  ck_object_code_t *whole;
  return object_code_whole(code, &whole) == CK_OK ? whole->form : CK_EMIT_DEFAULT;
}

const char *ck_object_code_manifest(const ck_object_code_t *code)
{
  return code->json;
}

const char *ck_object_code_name(const ck_object_code_t *code)
{
  return code->manifest ? code->manifest->source : "";
}

size_t ck_object_code_kernel_count(const ck_object_code_t *code)
{
  size_t count = 0;
  for (uint32_t i = 0; code->manifest && i < code->manifest->kernel_count; ++i)
    count += !code->manifest->kernels[i].is_step;
  return count;
}

const char *ck_object_code_kernel_name(const ck_object_code_t *code, size_t index)
{
  for (uint32_t i = 0; code->manifest && i < code->manifest->kernel_count; ++i)
    if (!code->manifest->kernels[i].is_step && !index--) return code->manifest->kernels[i].name;
  return NULL;
}

size_t ck_object_code_symbol_count(const ck_object_code_t *code)
{
  return code->manifest ? code->manifest->symbol_count : 0;
}

const char *ck_object_code_symbol(const ck_object_code_t *code, size_t index, const char **out_name)
{
  bool is_there = index < ck_object_code_symbol_count(code);
  if (out_name) *out_name = is_there ? code->manifest->symbols[index].name : NULL;
  return is_there ? code->manifest->symbols[index].symbol : NULL;
}

/* Checks that host code and its manifest belong together: each contains a digest of the other. Host
 * code is executed in this process, and a launch relies on the manifest for block size, the form of
 * the kernel and the lengths of spans. An image without sections has no code, and needs no check.
 */
static ck_status_t check_host_digests(const ck_object_code_t *code)
{
  const Manifest *manifest = code->manifest;
  char digest[DIGEST_TEXT_BYTES];
  ElfImage image;
  ElfSection section;
  if (!elf_open(&image, code->data, code->image_bytes) || !image.head.e_shnum) return CK_OK;
  digest_text(digest_of(code->data, code->image_bytes), digest);
  if (strcmp(digest, manifest->image) != 0)
    return error_argument(
        "code of '%s': the image is damaged, its digest is %s, the manifest says %s",
        manifest->source, digest, *manifest->image ? manifest->image : "none");
  size_t prefix = manifest_prefix(code->json, strlen(code->json));
  Digest own = digest_of(code->json, prefix);
  if (elf_find(&image, CK_HOST_MANIFEST_SECTION, &section) && section.data &&
      section.head.sh_size == sizeof own && prefix && !memcmp(section.data, &own, sizeof own))
    return CK_OK;
  return error_argument(
      "code of '%s': the manifest is damaged: it is not the one that the image was "
      "compiled with",
      manifest->source);
}

/* Checks that host code is followed by its manifest, since its driver function gets no length, and
 * that libckc, which loads it, is available: the driver could not report why it is not. */
static ck_status_t check_host_code(const ck_object_code_t *code)
{
  const Compiler *compiler;
  if (!code->manifest || strcmp(code->manifest->target, "host") != 0)
    return error_argument("x86-64 object code without a manifest of host code: the "
                          "host device runs what CK's compiler makes");
  const char *cpu = code->manifest->cpu;
  if (*cpu && !host_cpu_runs(cpu))
    return error_argument("code of '%s' is for %s, this CPU is %s: compile it here",
                          code->manifest->source, cpu, host_cpu());
  if (object_code_elf_end(code->data, code->image_bytes) != code->image_bytes)
    return error_argument("there are bytes between the image and its manifest");
  CK_TRY(check_host_digests(code));
  return compiler_open(&compiler);
}

/* With code_mutex held. */
static ck_status_t load_locked(ck_object_code_t *code, ck_device_t *device, CUlibrary *out_library)
{
  for (LoadedCode *loaded = code->loaded; loaded; loaded = loaded->next)
    if (loaded->driver == device->driver) {
      *out_library = loaded->library;
      return CK_OK;
    }
  if (!device->driver->traits->takes_ptx) CK_TRY(check_host_code(code));
  LoadedCode *loaded = memory_take(sizeof *loaded);
  if (!loaded) return CK_OUT_OF_MEMORY;
  loaded->driver = device->driver;
  bool is_marked = nvtx_begin("load", code->manifest ? code->manifest->source : "code");
  ck_status_t status = DRV_STATUS(device->driver, cuLibraryLoadData(&loaded->library, code->data,
                                                                    NULL, NULL, 0, NULL, NULL, 0));
  nvtx_end(is_marked);
  if (status != CK_OK) {
    memory_free(loaded);
    return error_within(
        status, "code of '%s' for %s on '%s' (%s)", code->manifest ? code->manifest->source : "?",
        code->manifest ? code->manifest->target : "?", device->name, device->target);
  }
  loaded->next = code->loaded;
  code->loaded = loaded;
  *out_library = loaded->library;
  return CK_OK;
}

ck_status_t object_code_load(ck_object_code_t *code, ck_device_t *device, CUlibrary *out_library)
{
  CK_TRY(object_code_whole(code, &code));
  if (code->form == CK_EMIT_LTOIR)
    return error_argument("LTO-IR can't be loaded: ck_linker_link makes code of it");
  if ((code->form == CK_EMIT_HOST) == device->driver->traits->takes_ptx)
    return error_argument("code for %s can't run on '%s' (%s)",
                          code->manifest               ? code->manifest->target
                          : code->form == CK_EMIT_HOST ? "host"
                                                       : "a GPU",
                          device->name, device->target);
  CK_TRY(device_enter(device));
  pthread_mutex_lock(&code_mutex);
  ck_status_t status = load_locked(code, device, out_library);
  pthread_mutex_unlock(&code_mutex);
  device_leave(device);
  return status;
}

ck_status_t ck_object_code_get_native(ck_object_code_t *code, ck_device_t *device,
                                      void **out_library)
{
  CK_NEED_OUT(out_library, NULL, code, device);
  CUlibrary library = NULL;
  ck_status_t status = object_code_load(code, device, &library);
  *out_library = library;
  return status;
}

ck_status_t ck_object_code_get_module(ck_object_code_t *code, ck_device_t *device,
                                      void **out_module)
{
  void *library;
  CUmodule module = NULL;
  CK_NEED_OUT(out_module, NULL);
  CK_TRY(ck_object_code_get_native(code, device, &library));
  ck_status_t status = DEVICE_STATUS(device, cuLibraryGetModule(&module, library));
  *out_module = module;
  return status;
}

/* Finds a variable. A __managed__ variable of CUDA C++ belongs to the library on all devices, and
 * is not a global of a context. */
static ck_status_t find_variable(const Driver *driver, CUlibrary library, const char *symbol,
                                 CUdeviceptr *out_address, size_t *out_bytes)
{
  CUresult result = driver->cuLibraryGetGlobal(out_address, out_bytes, library, symbol);
  if (result == CUDA_ERROR_NOT_FOUND && driver->cuLibraryGetManaged)
    return DRV_STATUS(driver, cuLibraryGetManaged(out_address, out_bytes, library, symbol));
  return driver_result(driver, result,
                       "cuLibraryGetGlobal(out_address, out_bytes, library, symbol)", __FILE_NAME__,
                       __LINE__);
}

ck_status_t ck_object_code_get_global(ck_object_code_t *code, ck_device_t *device, const char *name,
                                      uint64_t *out_address, size_t *out_bytes)
{
  void *library;
  CUdeviceptr address = 0;
  size_t bytes = 0;
  CK_NEED_OUT(out_address, 0);
  if (out_bytes) *out_bytes = 0;
  CK_NEED_ARG(name);
  CK_TRY(ck_object_code_get_native(code, device, &library));
  const char *symbol = code->manifest ? manifest_symbol(code->manifest, name) : NULL;
  if (!symbol) symbol = name;
  ck_status_t status =
      IN_DEVICE(device, find_variable(device->driver, library, symbol, &address, &bytes));
  if (status == CK_NOT_FOUND) error_within(status, "there is no variable '%s'", name);
  *out_address = address;
  if (out_bytes) *out_bytes = bytes;
  return status;
}
