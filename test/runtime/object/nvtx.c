/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* nvtx.c - tests that ranges and marks, including the runtime's own, reach a tool
 * (support/nvtx_tool.c), and that nothing happens without one. */
#define _GNU_SOURCE /* setenv */
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fixture.h"

static const char *(*record)(void);
static void (*clear)(void);

static bool has(const char *text)
{
  if (strstr(record(), text)) return true;
  fprintf(stderr, "not recorded: %s; there is:\n%s", text, record());
  return false;
}

TEST(ranges)
{
  ck_nvtx_options_t options = CK_OPTIONS_INIT(ck_nvtx_options_t);
  CHECK(ck_nvtx_is_attached());
  CHECK(has("create 'cokernel' 1\n"));
  clear();
  ck_nvtx_domain_t *domain = ck_nvtx_domain_create("mine");
  CHECK(domain && has("create 'mine' 2\n"));
  ck_nvtx_set_category_name(domain, 5, "io");
  CHECK(has("category 2 5 'io'\n"));
  ck_nvtx_push(NULL, "outer", NULL);
  options.color = 0xff00ff00u;
  options.category = 5;
  options.payload = CK_NVTX_U64;
  options.value.u = 0xabcdef0123456789u;
  ck_nvtx_push(domain, "inner", &options);
  ck_nvtx_pop(domain);
  ck_nvtx_pop(NULL);
  CHECK(has("push 0 'outer'\npush 2 'inner' color ff00ff00 category 5 payload 1 abcdef0123456789\n"
            "pop 2\npop 0\n"));
  options = (ck_nvtx_options_t)CK_OPTIONS_INIT(ck_nvtx_options_t);
  options.payload = CK_NVTX_F64;
  options.value.d = 1.0;
  ck_nvtx_mark(domain, "here", &options);
  CHECK(has("mark 2 'here' payload 3 3ff0000000000000\n"));
  uint64_t range = ck_nvtx_begin(NULL, "long", NULL);
  ck_nvtx_end(NULL, range);
  CHECK(range == 77 && has("start 0 'long'\nend 0 77\n"));
  ck_nvtx_mark(NULL, NULL, NULL);
  options.struct_size = 1; /* no failure, and no error */
  CHECK_STATUS(ck_stream_sync(NULL), CK_INVALID_ARGUMENT);
  ck_nvtx_mark(NULL, NULL, &options);
  CHECK_ERROR("ck_stream_sync");
  CHECK(has("mark 0 ''\n"));
  ck_nvtx_domain_release(domain);
  CHECK(has("destroy 2\n"));
}

TEST(the_runtime)
{
  Bench bench;
  ck_graph_definition_t *definition;
  ck_graph_t *graph;
  setenv("CK_CACHE", "off", 1);
  clear();
  bench_open(&bench);
  CHECK(has("push 1 'compile kernel.ck'\npop 1\n"));
  ck_kernel_release(bench_kernel(&bench, "saxpy"));
  CHECK(has("push 1 'load kernel.ck'\npop 1\n"));
  CHECK_OK(ck_graph_definition_create(bench.device, &definition));
  CHECK_OK(ck_graph_create(definition, NULL, &graph));
  CHECK(has("push 1 'instantiate a graph'\npop 1\n"));
  ck_graph_release(graph);
  ck_graph_definition_release(definition);
  bench_close(&bench);
}

/* In another process, where the variable names a missing file, or a library that is no tool. */
static int without_tool(const char *path)
{
  pid_t child = fork();
  int status = -1;
  if (child == 0) {
    if (path) setenv("NVTX_INJECTION64_PATH", path, 1);
    else unsetenv("NVTX_INJECTION64_PATH");
    ck_nvtx_domain_t *domain = ck_nvtx_domain_create("mine");
    ck_nvtx_push(domain, "a", NULL);
    ck_nvtx_pop(domain);
    ck_nvtx_mark(NULL, "b", NULL);
    ck_nvtx_set_category_name(NULL, 1, "c");
    ck_nvtx_end(NULL, ck_nvtx_begin(NULL, "d", NULL));
    ck_nvtx_domain_release(domain);
    _exit(ck_nvtx_is_attached() || domain ? 1 : 0);
  }
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(no_tool)
{
  CHECK(without_tool(NULL) == 0);
  CHECK(without_tool("/no/such/tool.so") == 0);
  CHECK(without_tool("libm.so.6") == 0);
}

int main(void)
{
  Arena scratch = {0};
  const char *folder = path_of_code(&scratch, &record);
  const char *path = arena_printf(&scratch, "%s/libnvtx_tool.so", folder ? folder : ".");
  RUN(no_tool); /* before this process has looked for one */
  setenv("NVTX_INJECTION64_PATH", path, 1);
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  *(void **)&record = dlsym(library, "nvtx_tool_record");
  *(void **)&clear = dlsym(library, "nvtx_tool_clear");
  RUN(ranges);
  RUN(the_runtime);
  arena_free(&scratch);
  return tests_report();
}
