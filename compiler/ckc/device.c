/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* device.c - opens the device that --device names, and turns failures of libckrt into exit
 * statuses.
 */
#include <string.h>

#include "run.h"

/* The library's message without the status in front of it, which the exit status already tells. */
static const char *last_error(void)
{
  const char *text = ck_last_error(), *colon = strstr(text, ": ");
  return !strncmp(text, "CK_", 3) && colon ? colon + 2 : text;
}

Exit fail_status(ck_status_t status)
{
  return fail(exit_of_status(status), "%s", last_error());
}

/* The device of the last command, kept open so that the next command in the same process finds its
 * context. */
static ck_device_t *last_device;

void close_device(void)
{
  ck_device_release(last_device);
  last_device = NULL;
}

static void keep_open(ck_device_t *device)
{
  ck_device_retain(device);
  close_device();
  last_device = device;
}

Exit open_device(const Options *options, ck_device_t **out_device)
{
  const char *name = option_value(options, OPTION_device);
  int ordinal;
  ck_status_t status;
  if (!name || !strcmp(name, "auto")) status = ck_device_open_auto(out_device);
  else if (!strcmp(name, "host")) status = ck_device_open_host(out_device);
  else if (gpu_ordinal(name, &ordinal)) status = ck_device_open(ordinal, out_device);
  else return fail(EXIT_USAGE, "--device=%s: use auto, cuda:N or host", name);
  if (status == CK_OK) {
    keep_open(*out_device);
    return EXIT_OK;
  }
  if (status == CK_INVALID_ARGUMENT) return fail_status(status);
  return fail(exit_of_status(status), "%s; --device=host runs on the CPU", last_error());
}
