/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* toolkit.c - finds the parts of the CUDA toolkit on this machine.
 *
 * The places and their order are those of NVIDIA's cuda.pathfinder, in the table `steps` below. Our
 * own places are the folder `cuda` beside our `lib` (where `bootstrap` puts NVIDIA's wheels),
 * $CK_SITE_PACKAGES, and at the end /usr/local/cuda. $CK_CUDA_HOME comes before all others. If it
 * is set but empty, nothing is looked for, which is how tests imitate a machine without a toolkit.
 */
#include "base.h"

#include <dlfcn.h>
#include <glob.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

/* The columns of toolkit.def: four strings for each part. */
static const char parts[] = {
#define TOOLKIT_PART(id, name, files, folders, wheels) name "\0" files "\0" folders "\0" wheels "\0"
#include "toolkit.def"
};

typedef enum Column { NAME, FILES, FOLDERS, WHEELS, COLUMN_COUNT } Column;

static const char *get(ToolkitPart part, Column column)
{
  return strings_at(parts, COLUMN_COUNT * (size_t)part + column);
}

typedef struct Search {
  Arena *arena;
  Buf *why; /* gets one line for each place; may be NULL */
  const char *files, *folders, *wheels;
  bool may_open; /* libraries may be opened to see where the loader finds them */
} Search;

/* ---- folders ---- */

/* Calls `visit` for each piece of "a:b:c"; gives the first result that isn't NULL. */
static const char *each_piece(const char *list, Arena *arena,
                              const char *(*visit)(const char *piece, void *data), void *data)
{
  while (*list) {
    size_t len = strcspn(list, ":");
    const char *found = visit(arena_strndup(arena, list, len), data);
    if (found) return found;
    list += len + (list[len] == ':');
  }
  return NULL;
}

typedef struct Place {
  Search *search;
  const char *root, *folder;
} Place;

static const char *look_at_file(const char *file, void *data)
{
  Place *place = data;
  Search *search = place->search;
  const char *path = arena_printf(search->arena, "%s/%s/%s", place->root, place->folder, file);
  if (file_exists(path)) return path;
  if (search->why) buf_printf(search->why, "%s: not there\n", path);
  return NULL;
}

static const char *look_in_folder(const char *folder, void *data)
{
  Place *place = data;
  place->folder = folder;
  return each_piece(place->search->files, place->search->arena, look_at_file, place);
}

static const char *look_below(Search *search, const char *root, const char *folders)
{
  Place place = {.search = search, .root = root};
  return each_piece(folders, search->arena, look_in_folder, &place);
}

static const char *look_in_loader_folder(const char *folder, void *data)
{
  Place *place = data;
  place->root = folder;
  place->folder = ".";
  return each_piece(place->search->files, place->search->arena, look_at_file, place);
}

/* The value of an environment variable; NULL, with a line in `why`, if it is unset or empty. */
static const char *variable(Search *search, const char *name)
{
  const char *value = getenv(name);
  if (value && *value) return value;
  if (search->why) buf_printf(search->why, "%s: not set\n", name);
  return NULL;
}

static const char *look_in_root(Search *search, const char *name)
{
  const char *root = variable(search, name);
  return root ? look_below(search, root, search->folders) : NULL;
}

const char *glob_literal(Arena *arena, const char *folder)
{
  Buf pattern = BUF(arena);
  for (; *folder; ++folder) {
    if (strchr("*?[]\\", *folder)) buf_putc(&pattern, '\\');
    buf_putc(&pattern, *folder);
  }
  return buf_text(&pattern);
}

static const char *look_in_site(Search *search, const char *pattern)
{
  glob_t found;
  const char *path = NULL;
  int status = glob(pattern, 0, NULL, &found);
  if (status && search->why) buf_printf(search->why, "%s: not there\n", pattern);
  for (size_t i = 0; !status && i < found.gl_pathc && !path; ++i)
    path = look_below(search, found.gl_pathv[i], search->wheels);
  globfree(&found);
  return path;
}

/* ---- the loader ---- */

/* The path of an open library. */
static const char *path_of_library(Arena *arena, void *library)
{
  struct link_map *map = NULL;
  return dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map ? arena_strdup(arena, map->l_name)
                                                            : NULL;
}

typedef struct Loaded {
  Arena *arena;
  const char *file, *path;
} Loaded;

static int is_loaded(struct dl_phdr_info *info, size_t bytes, void *data)
{
  Loaded *loaded = data;
  (void)bytes;
  if (!info->dlpi_name || strcmp(path_base(info->dlpi_name), loaded->file) != 0) return 0;
  loaded->path = arena_strdup(loaded->arena, info->dlpi_name);
  return 1;
}

/* Looks in the list of loaded objects. dlopen with RTLD_NOLOAD would search the loader's folders,
 * which takes 30 us a name. */
static const char *ask_loaded(const char *file, void *data)
{
  Search *search = data;
  Loaded loaded = {search->arena, file, NULL};
  if (!strstr(file, ".so")) return NULL;
  dl_iterate_phdr(is_loaded, &loaded);
  if (!loaded.path && search->why)
    buf_printf(search->why, "%s: not loaded in this process\n", file);
  return loaded.path;
}

static const char *ask_loader(const char *file, void *data)
{
  Search *search = data;
  if (!strstr(file, ".so")) return NULL;
  /* It stays loaded: it will be used, and what it has allocated would be orphaned without it. */
  void *library = dlopen(file, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
  if (library) return path_of_library(search->arena, library);
  if (search->why) buf_printf(search->why, "%s\n", dlerror());
  return NULL;
}

/* The toolkit's root of a file in its lib64, lib, or targets/MACHINE/lib. */
static const char *root_of_library(Arena *arena, const char *path)
{
  const char *targets = strstr(path, "/targets/");
  if (targets) return arena_strndup(arena, path, (size_t)(targets - path));
  char *root = arena_strdup(arena, path);
  for (int i = 0; i < 2; ++i) {
    char *slash = strrchr(root, '/');
    if (!slash) return NULL;
    *slash = 0;
  }
  return root;
}

/* cudart is only opened to see where it is, and closed again; its constructors open nothing. */
static const char *ask_cudart(const char *file, void *data)
{
  Search *search = data;
  void *library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
  if (!library) {
    if (search->why) buf_printf(search->why, "%s\n", dlerror());
    return NULL;
  }
  const char *path = path_of_library(search->arena, library);
  dlclose(library);
  const char *root = path ? root_of_library(search->arena, path) : NULL;
  return root ? look_below(search, root, search->folders) : NULL;
}

/* ---- the places, in order ---- */

static const char *in_ck_cuda_home(Search *search)
{
  const char *root = getenv("CK_CUDA_HOME");
  return root && *root ? look_below(search, root, search->folders) : NULL;
}

static const char *in_process(Search *search)
{
  return each_piece(search->files, search->arena, ask_loaded, search);
}

static const char *in_own_wheels(Search *search)
{
  const char *own = path_of_code(search->arena, (const void *)(uintptr_t)in_own_wheels);
  if (!own) return NULL;
  return look_below(search, arena_printf(search->arena, "%s/../cuda/nvidia", own), search->wheels);
}

static const char *in_virtual_env(Search *search)
{
  const char *venv = variable(search, "VIRTUAL_ENV");
  const char *packages = "%s/lib/python3*/site-packages/nvidia";
  if (!venv) return NULL;
  return look_in_site(search,
                      arena_printf(search->arena, packages, glob_literal(search->arena, venv)));
}

static const char *in_site_packages(Search *search)
{
  const char *packages = variable(search, "CK_SITE_PACKAGES");
  const char *pattern = packages ? glob_literal(search->arena, packages) : NULL;
  return pattern ? look_in_site(search, arena_printf(search->arena, "%s/nvidia", pattern)) : NULL;
}

static const char *in_loader(Search *search)
{
  return search->may_open ? each_piece(search->files, search->arena, ask_loader, search) : NULL;
}

static const char *beside_cudart(Search *search)
{
  static const char files[] = "libcudart.so.13:libcudart.so.12:libcudart.so";
  return search->may_open ? each_piece(files, search->arena, ask_cudart, search) : NULL;
}

static const char *in_usr_local(Search *search)
{
  return look_below(search, "/usr/local/cuda", search->folders);
}

static const struct {
  char name[28];                       /* shown to users */
  const char *(*look)(Search *search); /* NULL: the variable of this name has a toolkit's root */
} steps[] = {
    {"CK_CUDA_HOME", in_ck_cuda_home},
    {"already loaded", in_process},
    {"Cokernel's own wheels", in_own_wheels},
    {"wheels in VIRTUAL_ENV", in_virtual_env},
    {"wheels in CK_SITE_PACKAGES", in_site_packages},
    {"CONDA_PREFIX", NULL},
    {"the loader", in_loader},
    {"CUDA_PATH", NULL},
    {"CUDA_HOME", NULL},
    {"beside cudart", beside_cudart},
    {"/usr/local/cuda", in_usr_local},
};

static const char *find(ToolkitPart part, Arena *arena, Buf *why, const char **out_step,
                        bool may_open)
{
  Search search = {arena, why, get(part, FILES), get(part, FOLDERS), get(part, WHEELS), may_open};
  const char *only = getenv("CK_CUDA_HOME");
  *out_step = NULL;
  if (only && !*only) {
    if (why) buf_puts(why, "CK_CUDA_HOME is empty: no place was looked at\n");
    return NULL;
  }
  for (size_t i = 0; i < COUNT_OF(steps); ++i) {
    const char *path =
        steps[i].look ? steps[i].look(&search) : look_in_root(&search, steps[i].name);
    if (!path) continue;
    *out_step = steps[i].name;
    return path;
  }
  return NULL;
}

const char *toolkit_locate(ToolkitPart part, Arena *arena, Buf *why, const char **out_step)
{
  return find(part, arena, why, out_step, true);
}

const char *toolkit_find(ToolkitPart part, Arena *arena, Buf *why)
{
  const char *step;
  return find(part, arena, why, &step, true);
}

const char *toolkit_glance(ToolkitPart part, Arena *arena)
{
  const char *step;
  return find(part, arena, NULL, &step, false);
}

Digest toolkit_identity(Arena *arena)
{
  Digest digest = {0, 0};
  /* What the loader would find depends on its cache file and on LD_LIBRARY_PATH. */
  digest = file_identity(digest, "/etc/ld.so.cache");
  const char *loader_path = getenv("LD_LIBRARY_PATH");
  static const ToolkitPart makers[] = {TOOLKIT_libnvvm, TOOLKIT_libdevice, TOOLKIT_nvjitlink,
                                       TOOLKIT_nvrtc};
  for (size_t i = 0; i < COUNT_OF(makers); ++i) {
    ToolkitPart part = makers[i];
    const char *step, *path = find(part, arena, NULL, &step, false);
    /* without the path: which of several paths is found depends on what is loaded */
    digest = file_facts(digest_more(digest, &part, sizeof part), path ? path : "");
    Search search = {.arena = arena, .files = get(part, FILES)};
    Place place = {&search, "", loader_path};
    const char *only = getenv("CK_CUDA_HOME");
    if (!loader_path || (only && !*only)) continue;
    path = each_piece(loader_path, arena, look_in_loader_folder, &place);
    digest = file_identity(digest, path ? path : "");
  }
  return digest;
}

const char *toolkit_part_name(ToolkitPart part)
{
  return get(part, NAME);
}
