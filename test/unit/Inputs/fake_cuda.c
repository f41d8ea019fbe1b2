/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* fake_cuda.c - a libNVVM and an nvJitLink that fail as $FAKE_CUDA says, for test/unit/targets.c.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define API __attribute__((visibility("default")))

static int is_mode(const char *mode)
{
  const char *wanted = getenv("FAKE_CUDA");
  return wanted && !strcmp(wanted, mode);
}

static const char *ptx(void)
{
  if (is_mode("leftover")) return ".entry k(\ncall.uni llvm.nvvm.odd, ();\n";
  return is_mode("entry") ? ".entry other(\n" : ".entry k(\n";
}

#define OK(name, ...)                                                                              \
  API int name(__VA_ARGS__);                                                                       \
  API int name(__VA_ARGS__)

OK(nvvmCreateProgram, void **program)
{
  return *program = program, 0;
}
OK(nvvmDestroyProgram, void **program)
{
  return *program = NULL, 0;
}
OK(nvvmAddModuleToProgram, void *p, const char *ir, size_t n, const char *name)
{
  return !p || !ir || !n || !name;
}
OK(nvvmLazyAddModuleToProgram, void *p, const char *ir, size_t n, const char *name)
{
  return !p || !ir || !n || !name;
}
OK(nvvmCompileProgram, void *p, int count, const char **options)
{
  if (is_mode("crash")) raise(SIGABRT);
  return !p || !count || !options || is_mode("refuse") ? 9 : 0;
}
OK(nvvmGetCompiledResultSize, void *p, size_t *out)
{
  return *out = strlen(ptx()) + 1, !p;
}
OK(nvvmGetCompiledResult, void *p, char *out)
{
  return strcpy(out, ptx()), !p;
}
OK(nvvmGetProgramLogSize, void *p, size_t *out)
{
  return *out = sizeof "no such thing", !p;
}
OK(nvvmGetProgramLog, void *p, char *out)
{
  return strcpy(out, "no such thing"), !p;
}
OK(nvvmVersion, int *major, int *minor)
{
  return *major = 2, *minor = 0;
}
OK(nvvmIRVersion, int *a, int *b, int *c, int *d)
{
  return *a = 2, *c = 3, *b = *d = 0;
}
API const char *nvvmGetErrorString(int result);
API const char *nvvmGetErrorString(int result)
{
  return result ? "refused" : "fine";
}

OK(nvJitLinkCreate, void **link, unsigned count, const char **options)
{
  return *link = link, !count || !options;
}
OK(nvJitLinkDestroy, void **link)
{
  return *link = NULL, 0;
}
OK(nvJitLinkAddData, void *l, int kind, const void *data, size_t n, const char *name)
{
  return !l || !kind || !data || !n || !name;
}
OK(nvJitLinkComplete, void *l)
{
  return !l || is_mode("link");
}
OK(nvJitLinkGetLinkedCubinSize, void *l, size_t *out)
{
  return *out = 4, !l;
}
OK(nvJitLinkGetLinkedCubin, void *l, void *out)
{
  return memcpy(out, "cub", 4), !l;
}
OK(nvJitLinkGetErrorLogSize, void *l, size_t *out)
{
  return *out = sizeof "bad PTX", !l;
}
OK(nvJitLinkGetErrorLog, void *l, char *out)
{
  return strcpy(out, "bad PTX"), !l;
}
OK(nvJitLinkGetInfoLogSize, void *l, size_t *out)
{
  return *out = 0, !l;
}
OK(nvJitLinkGetInfoLog, void *l, char *out)
{
  return *out = 0, !l;
}
