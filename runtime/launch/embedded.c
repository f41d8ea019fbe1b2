/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* embedded.c - loads kernels from images in the program when they are first launched.
 *
 * The module's field `loaded` is the head of a linked list of kernels and object code, which only
 * grows until it is unloaded. So a launch can search it without a lock; loading takes a lock that
 * all modules share.
 */
#include "ck/embedded.h"

#include <pthread.h>
#include <string.h>

#include "launch.h"

static pthread_mutex_t embedded_mutex = PTHREAD_MUTEX_INITIALIZER;

/* A list entry: a kernel on a device; or, with `kernel` NULL, the object code of an image. Newest
 * first. */
typedef struct Loaded {
  struct Loaded *next;
  const char *name;       /* borrowed from the program */
  ck_kernel_t *kernel;    /* owned */
  ck_object_code_t *code; /* owned; of an image */
  const ck_embedded_image_t *image;
} Loaded;

/* The field is a plain pointer because the header must be valid C99 and C++, hence the builtin
 * atomics. */
static Loaded *first_loaded(ck_embedded_t *embedded)
{
  return __atomic_load_n(&embedded->loaded, __ATOMIC_ACQUIRE);
}

/* Adds an entry, with the lock held. Release order, so that readers see it complete. */
static bool add(ck_embedded_t *embedded, Loaded value)
{
  Loaded *loaded = memory_take(sizeof *loaded);
  if (!loaded) return false;
  *loaded = value;
  loaded->next = embedded->loaded;
  __atomic_store_n(&embedded->loaded, loaded, __ATOMIC_RELEASE);
  return true;
}

static ck_status_t open_image(ck_embedded_t *embedded, const ck_embedded_image_t *image,
                              ck_object_code_t **out_code)
{
  for (Loaded *loaded = embedded->loaded; loaded; loaded = loaded->next)
    if (loaded->image == image) {
      *out_code = loaded->code;
      return CK_OK;
    }
  CK_TRY(ck_object_code_from_bytes(image->data, image->bytes, out_code));
  if (add(embedded, (Loaded){.image = image, .code = *out_code})) return CK_OK;
  ck_object_code_release(*out_code);
  return CK_OUT_OF_MEMORY;
}

/* With the lock held. */
static ck_status_t load_kernel(ck_embedded_t *embedded, ck_device_t *device, const char *name,
                               ck_kernel_t **out_kernel)
{
  if (embedded->image_count && !embedded->images)
    return error_argument("kernel '%s': %zu images at NULL", name, embedded->image_count);
  for (size_t i = 0; i < embedded->image_count; ++i) {
    ck_object_code_t *code;
    CK_TRY(open_image(embedded, &embedded->images[i], &code));
    if ((ck_object_code_form(code) == CK_EMIT_HOST) != !!ck_device_is_host(device)) continue;
    CK_TRY(ck_kernel_from_code(code, device, name, out_kernel));
    if (add(embedded, (Loaded){.name = name, .kernel = *out_kernel})) return CK_OK;
    ck_kernel_release(*out_kernel);
    *out_kernel = NULL;
    return CK_OUT_OF_MEMORY;
  }
  return error_set(CK_NOT_FOUND, "kernel '%s': the program has no code for '%s' (%s)", name,
                   ck_device_name(device), ck_device_target(device));
}

static ck_kernel_t *find(ck_embedded_t *embedded, ck_device_t *device, const char *name)
{
  for (Loaded *loaded = first_loaded(embedded); loaded; loaded = loaded->next)
    if (loaded->kernel && device_same(ck_kernel_device(loaded->kernel), device) &&
        (loaded->name == name || !strcmp(loaded->name, name)))
      return loaded->kernel;
  return NULL;
}

ck_status_t ck_embedded_get_kernel(ck_embedded_t *embedded, ck_stream_t *stream, const char *name,
                                   ck_kernel_t **out_kernel)
{
  CK_NEED_OUT(out_kernel, NULL, embedded, stream);
  CK_NEED_ARG(name);
  ck_device_t *device = ck_stream_device(stream);
  *out_kernel = find(embedded, device, name);
  if (*out_kernel) return CK_OK;
  pthread_mutex_lock(&embedded_mutex);
  *out_kernel = find(embedded, device, name); /* another thread may have loaded it meanwhile */
  ck_status_t status = *out_kernel ? CK_OK : load_kernel(embedded, device, name, out_kernel);
  pthread_mutex_unlock(&embedded_mutex);
  return status;
}

void ck_embedded_close(ck_embedded_t *embedded)
{
  if (!embedded) return;
  pthread_mutex_lock(&embedded_mutex);
  for (Loaded *loaded = embedded->loaded, *next; loaded; loaded = next) {
    next = loaded->next;
    ck_kernel_release(loaded->kernel);
    ck_object_code_release(loaded->code);
    memory_free(loaded);
  }
  embedded->loaded = NULL;
  pthread_mutex_unlock(&embedded_mutex);
}
