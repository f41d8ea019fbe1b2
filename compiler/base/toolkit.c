/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* toolkit.c - where the parts of the CUDA toolkit lie on this machine.
 *
 * The order is cuda.pathfinder's, with our own package first: the folder `cuda` beside our
 * `lib` (where `bootstrap` puts NVIDIA's wheels), Python's site-packages ($VIRTUAL_ENV and
 * $CK_SITE_PACKAGES), $CONDA_PREFIX, the loader's own search (libraries only), $CUDA_PATH,
 * $CUDA_HOME, /usr/local/cuda. $CK_CUDA_HOME alone stands before everything, and an empty
 * $CK_CUDA_HOME means: look nowhere, which is how tests play a machine without a toolkit.
 */
#include "base.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *name, *files, *folders, *wheels;
} parts[] = {
#define TOOLKIT_PART(id, name, files, folders, wheels) {name, files, folders, wheels},
#include "toolkit.def"
};

typedef struct Search {
  Arena *arena;
  Buf *why;
  const char *files;
} Search;

/* Calls for each piece of "a:b:c"; returns the first result that is not NULL. */
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
  if (!root || !*root) return NULL;
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

static const char *look_in_site(Search *search, const char *pattern, const char *folders)
{
  glob_t found;
  const char *path = NULL;
  if (glob(pattern, 0, NULL, &found) == 0)
    for (size_t i = 0; i < found.gl_pathc && !path; ++i)
      path = look_below(search, found.gl_pathv[i], folders);
  globfree(&found);
  return path;
}

static const char *ask_loader(const char *file, void *data)
{
  Search *search = data;
  if (!strstr(file, ".so")) return NULL;
  /* It stays loaded: it will be used, and what it keeps would have no owner without it. */
  if (!dlopen(file, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE)) {
    if (search->why) buf_printf(search->why, "%s\n", dlerror());
    return NULL;
  }
  return file;
}

/* toolkit_find, with or without the loader's own search, which opens what it finds. */
static const char *find(ToolkitPart part, Arena *arena, Buf *why, bool may_open)
{
  Search search = {arena, why, parts[part].files};
  const char *folders = parts[part].folders, *wheels = parts[part].wheels, *path;

  const char *only = getenv("CK_CUDA_HOME");
  if (only && !*only) {
    if (why) buf_puts(why, "CK_CUDA_HOME is empty: no place was looked at\n");
    return NULL;
  }
  if ((path = look_below(&search, only, folders))) return path;

  const char *own = path_of_code(arena, (const void *)(uintptr_t)find);
  if (own) {
    const char *site = arena_printf(arena, "%s/../cuda/nvidia", own);
    if ((path = look_below(&search, site, wheels))) return path;
  }
  const char *venv = getenv("VIRTUAL_ENV"), *extra = getenv("CK_SITE_PACKAGES");
  if (venv &&
      (path = look_in_site(
           &search, arena_printf(arena, "%s/lib/python3*/site-packages/nvidia", venv), wheels)))
    return path;
  if (extra && (path = look_in_site(&search, arena_printf(arena, "%s/nvidia", extra), wheels)))
    return path;
  const char *conda = getenv("CONDA_PREFIX");
  if ((path = look_below(&search, conda, folders))) return path;
  if (conda && (path = look_below(&search, conda, "lib"))) return path;
  if (may_open && (path = each_piece(search.files, arena, ask_loader, &search))) return path;
  if ((path = look_below(&search, getenv("CUDA_PATH"), folders))) return path;
  if ((path = look_below(&search, getenv("CUDA_HOME"), folders))) return path;
  return look_below(&search, "/usr/local/cuda", folders);
}

const char *toolkit_find(ToolkitPart part, Arena *arena, Buf *why)
{
  return find(part, arena, why, true);
}

Digest toolkit_identity(Arena *arena)
{
  Digest digest = {0, 0};
  /* What the loader would find by itself depends on its cache file and on LD_LIBRARY_PATH. */
  digest = file_identity(digest, "/etc/ld.so.cache");
  const char *loader_path = getenv("LD_LIBRARY_PATH");
  for (ToolkitPart part = 0; part < TOOLKIT_COUNT; ++part) {
    const char *path = find(part, arena, NULL, false);
    digest = file_identity(digest, path ? path : "");
    Search search = {arena, NULL, parts[part].files};
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
  return parts[part].name;
}
