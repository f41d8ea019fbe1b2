/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* serve.c - compiles and runs modules for run.py. One process serves many modules, since creating a
 * GPU context and starting libNVVM take long.
 *
 *     serve FOLDER         FOLDER/NAME.bin has the bytes of each parameter NAME
 *
 * in    one line per module: DEVICE BACKEND LEVEL FLAGS PATH, as `cuda:0 libnvvm 3 0 /tmp/m.ck`;
 *       LEVEL and FLAGS are numbers of ck/compile.h
 * out   for each kernel of the module, `NAME DIGEST`: the digest of the bytes of its `out` and
 *       `inout` spans of integers after the launch. Then `done COMPILE RUN`, in seconds; or a
 *       message, with `| ` before each line, and `failed`
 *
 * Each kernel starts with the bytes of the files. A crash ends this process, and run.py starts
 * another.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ck/ck.h"

enum { PARAMS_MAX = 64, DEVICES = 2 };

/* The initial bytes of a parameter. */
typedef struct Input {
  char name[32];
  unsigned char *bytes; /* owned */
  size_t count;
} Input;

/* A device, and the buffers of the spans there. */
typedef struct Place {
  ck_device_t *device;              /* owned; NULL before its first use */
  ck_stream_t *stream;              /* owned */
  ck_buffer_t *buffers[PARAMS_MAX]; /* owned; by input */
} Place;

typedef struct Server {
  const char *folder;
  Input inputs[PARAMS_MAX];
  size_t input_count;
  Place places[DEVICES]; /* the host device and a GPU */
} Server;

static double now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Prints a message in the answer; returns false for the caller to return. */
static bool say(const char *text)
{
  while (*text) {
    size_t length = strcspn(text, "\n");
    printf("| %.*s\n", (int)length, text);
    text += length + (text[length] == '\n');
  }
  return false;
}

static bool is_ok(ck_status_t status)
{
  return status == CK_OK || say(ck_last_error());
}

static char *file_read(const char *path, size_t *out_bytes)
{
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END)) {
    perror(path);
    exit(1);
  }
  *out_bytes = (size_t)ftell(file);
  rewind(file);
  char *data = malloc(*out_bytes + 1);
  if (!data || fread(data, 1, *out_bytes, file) != *out_bytes) {
    perror(path);
    exit(1);
  }
  data[*out_bytes] = 0;
  fclose(file);
  return data;
}

/* inputs ------------------------------------------------------------------------------------- */

static size_t input_find(Server *server, const char *name)
{
  for (size_t i = 0; i < server->input_count; ++i)
    if (!strcmp(server->inputs[i].name, name)) return i;
  if (server->input_count == PARAMS_MAX || strlen(name) >= sizeof server->inputs->name) {
    fprintf(stderr, "%s: too many parameters, or too long a name\n", name);
    exit(1);
  }
  Input *input = &server->inputs[server->input_count];
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.bin", server->folder, name);
  strcpy(input->name, name);
  input->bytes = (unsigned char *)file_read(path, &input->count);
  return server->input_count++;
}

/* The file of a scalar has 8 bytes: an integer as an i64, or the bits of a float followed by zeros.
 */
static ck_arg_t scalar_arg(const Input *input, ck_dtype_t dtype)
{
  uint64_t bits;
  float single;
  double wide;
  if (dtype == CK_NONE || input->count != sizeof bits) return ck_struct(input->bytes, input->count);
  memcpy(&bits, input->bytes, sizeof bits);
  memcpy(&single, input->bytes, sizeof single);
  memcpy(&wide, input->bytes, sizeof wide);
  if (dtype == CK_F32) return ck_f32(single);
  if (dtype == CK_F64) return ck_f64(wide);
  return dtype < CK_U8 ? ck_arg_signed((int64_t)bits, dtype) : ck_arg_unsigned(bits, dtype);
}

/* devices ------------------------------------------------------------------------------------ */

static Place *place_open(Server *server, const char *device)
{
  bool is_host = !strcmp(device, "host");
  Place *place = &server->places[!is_host];
  if (place->device) return place;
  const char *colon = strchr(device, ':');
  ck_status_t status = is_host ? ck_device_open_host(&place->device)
                               : ck_device_open(colon ? atoi(colon + 1) : 0, &place->device);
  if (!is_ok(status) || !is_ok(ck_stream_create(place->device, NULL, &place->stream))) {
    place->device = NULL;
    return NULL;
  }
  return place;
}

static void place_close(Place *place)
{
  if (!place->device) return;
  for (size_t i = 0; i < PARAMS_MAX; ++i) ck_buffer_release(place->buffers[i]);
  ck_stream_release(place->stream);
  ck_device_release(place->device);
}

/* Fills the buffer of an input with its initial bytes. */
static bool place_fill(Server *server, Place *place, size_t at, bool is_written)
{
  const Input *input = &server->inputs[at];
  ck_buffer_t **buffer = &place->buffers[at];
  if (*buffer && !is_written) return true;
  if (!*buffer && !is_ok(ck_buffer_create(place->device, input->count, place->stream, buffer)))
    return false;
  return is_ok(ck_buffer_write(*buffer, 0, input->bytes, input->count, place->stream));
}

/* kernels ------------------------------------------------------------------------------------ */

/* Replaces each NaN by the same one, since the bits of a NaN are not defined. */
static uint64_t without_nan(uint64_t bits, ck_dtype_t dtype)
{
  switch (dtype) {
  case CK_F16: return (bits & 0x7fff) > 0x7c00 ? 1 : bits;
  case CK_BF16: return (bits & 0x7fff) > 0x7f80 ? 1 : bits;
  case CK_F32: return (bits & 0x7fffffff) > 0x7f800000 ? 1 : bits;
  case CK_F64: return (bits & INT64_MAX) > 0x7ff0000000000000 ? 1 : bits;
  default: return bits;
  }
}

/* FNV-1a, by elements. */
static uint64_t digest(uint64_t hash, const unsigned char *bytes, size_t count, ck_dtype_t dtype)
{
  size_t size = ck_dtype_bytes(dtype);
  for (size_t i = 0; i + size <= count; i += size) {
    uint64_t element = 0;
    memcpy(&element, bytes + i, size);
    hash = (hash ^ without_nan(element, dtype)) * 1099511628211u;
  }
  return hash;
}

static bool is_result(const ck_param_t *param)
{
  return param->kind == CK_PARAM_SPAN && param->access != CK_ACCESS_IN;
}

static bool digest_results(Server *server, Place *place, ck_kernel_t *kernel, uint64_t *out)
{
  *out = 14695981039346656037u;
  for (size_t i = 0; i < ck_kernel_param_count(kernel); ++i) {
    ck_param_t param;
    if (!is_ok(ck_kernel_get_param(kernel, i, &param))) return false;
    if (!is_result(&param) || param.dtype == CK_NONE) continue;
    size_t at = input_find(server, param.name), count = server->inputs[at].count;
    unsigned char *bytes = malloc(count);
    bool is_read = is_ok(ck_buffer_read(place->buffers[at], 0, bytes, count, place->stream)) &&
                   is_ok(ck_stream_sync(place->stream));
    if (is_read) *out = digest(*out, bytes, count, param.dtype);
    free(bytes);
    if (!is_read) return false;
  }
  return true;
}

static bool kernel_run(Server *server, Place *place, ck_kernel_t *kernel)
{
  ck_arg_t args[PARAMS_MAX];
  size_t count = ck_kernel_param_count(kernel);
  for (size_t i = 0; i < count && i < PARAMS_MAX; ++i) {
    ck_param_t param;
    if (!is_ok(ck_kernel_get_param(kernel, i, &param))) return false;
    size_t at = input_find(server, param.name);
    if (param.kind == CK_PARAM_SCALAR) {
      args[i] = scalar_arg(&server->inputs[at], param.dtype);
    } else {
      if (!place_fill(server, place, at, is_result(&param))) return false;
      args[i] = ck_whole(place->buffers[at]);
    }
  }
  uint64_t hash;
  if (!is_ok(ck_launch_args(place->stream, NULL, kernel, args, count)) ||
      !digest_results(server, place, kernel, &hash))
    return false;
  printf("%s %016" PRIx64 "\n", ck_kernel_name(kernel), hash);
  return true;
}

static bool kernels_run(Server *server, Place *place, ck_object_code_t *code)
{
  bool is_fine = true;
  for (size_t i = 0; i < ck_object_code_kernel_count(code) && is_fine; ++i) {
    const char *name = ck_object_code_kernel_name(code, i);
    ck_kernel_t *kernel;
    if (!is_ok(ck_kernel_from_code(code, place->device, name, &kernel))) return false;
    is_fine = kernel_run(server, place, kernel);
    if (!is_fine) printf("| in %s\n", name);
    ck_kernel_release(kernel);
  }
  return is_fine;
}

/* modules ------------------------------------------------------------------------------------ */

static bool program_compile(ck_program_t *program, ck_device_t *device, ck_object_code_t **out_code)
{
  if (ck_program_compile(program, device, out_code) == CK_OK) return true;
  const char *log = ck_program_log(program);
  return say(*log ? log : ck_last_error());
}

static bool module_run(Server *server, Place *place, const char *path,
                       const ck_compile_options_t *options)
{
  size_t bytes;
  char *source = file_read(path, &bytes);
  double start = now(), compiled = start;
  ck_program_t *program = NULL;
  ck_object_code_t *code = NULL;
  bool is_fine = is_ok(ck_program_create(source, bytes, options, &program)) &&
                 program_compile(program, place->device, &code);
  compiled = now();
  is_fine = is_fine && kernels_run(server, place, code);
  if (is_fine) printf("done %.4f %.4f\n", compiled - start, now() - compiled);
  ck_object_code_release(code);
  ck_program_release(program);
  free(source);
  return is_fine;
}

static bool answer(Server *server, char *line)
{
  char device[32], backend[32], path[4096];
  unsigned level, flags;
  if (sscanf(line, "%31s %31s %u %u %4095[^\n]", device, backend, &level, &flags, path) != 5)
    return say("a line is DEVICE BACKEND LEVEL FLAGS PATH");
  ck_compile_options_t options = CK_OPTIONS_INIT(ck_compile_options_t);
  options.backend = !strcmp(backend, "nvptx") ? CK_BACKEND_NVPTX : CK_BACKEND_LIBNVVM;
  options.opt_level = (ck_opt_level_t)(level + CK_OPT_0);
  options.flags = flags;
  Place *place = place_open(server, device);
  return place && module_run(server, place, path, &options);
}

int main(int argc, char **argv)
{
  static Server server;
  static char line[8192];
  if (argc != 2) {
    fprintf(stderr, "usage: serve FOLDER, with lines on standard input\n");
    return 2;
  }
  setenv("CK_CACHE", "off", 1);
  server.folder = argv[1];
  while (fgets(line, sizeof line, stdin)) {
    if (!answer(&server, line)) puts("failed");
    fflush(stdout);
  }
  for (int i = 0; i < DEVICES; ++i) place_close(&server.places[i]);
  for (size_t i = 0; i < server.input_count; ++i) free(server.inputs[i].bytes);
  return 0;
}
