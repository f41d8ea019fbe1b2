/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* cache.c - the time of a hit in the disk cache: ck_program_compile in a process that has compiled
 * nothing yet. For each measurement the program starts itself again.
 *
 * Prints CSV: who,workload,value,unit.
 */
#include "bench.h"

#include <unistd.h>

static const char source[] = SAXPY;

/* Compiles once, for the GPU if there is one, and prints the milliseconds. */
static int compile_once(void)
{
  ck_device_t *device;
  ck_program_t *program;
  ck_object_code_t *code;
  TRY(ck_device_open_auto(&device));
  TRY(ck_program_create(source, sizeof source - 1, NULL, &program));
  double start = now_us();
  TRY(ck_program_compile(program, device, &code));
  printf("%.6f\n", (now_us() - start) * 1e-3);
  ck_object_code_release(code);
  ck_program_release(program);
  ck_device_release(device);
  return 0;
}

static double run_once(const char *self)
{
  char command[4096];
  double ms = -1;
  snprintf(command, sizeof command, "'%s' once", self);
  FILE *pipe = popen(command, "r");
  if (!pipe || fscanf(pipe, "%lf", &ms) != 1) exit(1);
  pclose(pipe);
  return ms;
}

int main(int argc, char *argv[])
{
  if (argc > 1 && !strcmp(argv[1], "once")) return compile_once();
  char folder[] = "/tmp/ck-bench-XXXXXX", self[2048];
  ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);
  if (len < 0 || !mkdtemp(folder)) return 1;
  self[len] = 0;
  setenv("CK_CACHE_DIR", folder, 1);
  double miss = run_once(self), hits[ROUNDS];
  for (int i = 0; i < ROUNDS; ++i) hits[i] = run_once(self);
  printf("who,workload,value,unit\n");
  row("ck", "cache_miss", miss, "ms");
  row("ck", "cache_hit_disk", median(hits, ROUNDS), "ms");
  char command[64];
  snprintf(command, sizeof command, "rm -r '%s'", folder);
  return system(command) != 0;
}
