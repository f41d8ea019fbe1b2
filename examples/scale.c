/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* scale.c - the ten-minute tour of cuda.core: a device, a stream, compiling an instance of a
 * generic kernel, memory, copies, a launch, and its time by events.
 */
#include "example.h"
#include "scale.ck.text"

enum { N = 1000003 };

int main(void)
{
  const double factor = 0.125;
  double *x = array_new(N, sizeof *x), seconds;
  for (int i = 0; i < N; ++i) x[i] = i;

  ck_device_t *device;
  ck_stream_t *stream;
  TRY(ck_device_open_auto(&device));
  TRY(ck_stream_create(device, NULL, &stream));
  int multiprocessors;
  TRY(ck_device_get_attribute(device, CK_DEVICE_MULTIPROCESSOR_COUNT, &multiprocessors));

  /* scale<f64>: the kernel's parameter T is f64. */
  const char *instance = "scale<f64>";
  ck_compile_options_t options = CK_OPTIONS_INIT(ck_compile_options_t);
  options.file_name = "scale.ck"; /* for messages */
  options.instances = &instance;
  options.instance_count = 1;
  ck_program_t *program;
  ck_object_code_t *code;
  ck_kernel_t *kernel;
  TRY(ck_program_create(scale_ck, strlen(scale_ck), &options, &program));
  if (ck_program_compile(program, device, &code) != CK_OK) {
    fputs(ck_program_log(program), stderr); /* the compiler's messages */
    return 1;
  }
  TRY(ck_kernel_from_code(code, device, instance, &kernel));

  ck_buffer_t *buffer;
  TRY(ck_buffer_create(device, N * sizeof *x, stream, &buffer));
  TRY(ck_buffer_write(buffer, 0, x, N * sizeof *x, stream));

  /* Two events in the stream; the device measures the time between them. */
  ck_event_options_t timing = CK_OPTIONS_INIT(ck_event_options_t);
  timing.flags = CK_EVENT_TIMING;
  ck_event_t *start, *end;
  TRY(ck_event_create(device, &timing, &start));
  TRY(ck_event_create(device, &timing, &end));
  TRY(ck_stream_record(stream, start));
  TRY(ck_launch(stream, NULL, kernel, N, factor, buffer));
  TRY(ck_stream_record(stream, end));
  TRY(ck_event_sync(end));
  TRY(ck_event_get_elapsed(start, end, &seconds));

  TRY(ck_buffer_read(buffer, 0, x, N * sizeof *x, stream));
  TRY(ck_stream_sync(stream));
  size_t wrong = 0;
  for (int i = 0; i < N; ++i) wrong += x[i] != factor * i;
  printf("scale: %d elements in %.1f us on %s (%s, %d multiprocessors): %s\n", N, 1e6 * seconds,
         ck_device_name(device), ck_device_target(device), multiprocessors,
         wrong ? "WRONG" : "right");

  ck_event_release(start);
  ck_event_release(end);
  ck_buffer_release(buffer);
  ck_kernel_release(kernel);
  ck_object_code_release(code);
  ck_program_release(program);
  ck_stream_release(stream);
  ck_device_release(device);
  free(x);
  return wrong != 0;
}
