/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* sum.c - the sum of the numbers below 100, on the host device. */
#include <stdio.h>

#include <ck/algorithm.h>

int main(void)
{
  ck_device_t *device;
  ck_stream_t *stream;
  ck_buffer_t *out;
  int64_t sum = 0;
  ck_op_t plus = ck_op("+");
  ck_iterator_t count = ck_iterator_count(ck_i64(0)), x = ck_iterator_take(&count, 100);
  ck_iterator_t zero = ck_iterator_constant(ck_i64(0));
  if (ck_device_open_host(&device) || ck_stream_create(device, NULL, &stream) ||
      ck_buffer_create(device, 8, stream, &out))
    return 1;
  ck_iterator_t to = ck_iterator_array(ck_whole(out), CK_I64);
  if (ck_reduce(stream, &x, &plus, &zero, &to, NULL) || ck_buffer_read(out, 0, &sum, 8, stream) ||
      ck_stream_sync(stream)) {
    fprintf(stderr, "%s\n", ck_last_error());
    return 1;
  }
  printf("%lld\n", (long long)sum);
  ck_buffer_release(out);
  ck_stream_release(stream);
  ck_device_release(device);
  return 0;
}
