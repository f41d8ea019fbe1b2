/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* toolkit_version.c - finds which toolkit version each part belongs to, and judges whether the
 * parts fit together and the driver.
 *
 * The version of a file is that of the wheel whose RECORD lists it; otherwise the nearest folder
 * above it decides, by its version.json or by CUDA_VERSION in its cuda.h. NVIDIA's wheels of these
 * parts have the toolkit's version numbers; those of other libraries don't. The rules are
 * cuda.pathfinder's.
 *
 *     /usr/local/cuda-13.0/nvvm/lib64/libnvvm.so.4
 *     /usr/local/cuda-13.0/version.json               {"cuda": {"version": "13.0.1"}}  ->  13000
 *
 * Sources: CUDA C++ Programming Guide, CUDA Compatibility; nvJitLink's and libNVVM's documentation.
 */
#include "base.h"

#include <ctype.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

/* ---- versions, as in CUDA_VERSION: 13.0 is 13000 ---- */

enum { MAJOR = 1000, MINOR = 10, LARGEST = 999 };

/* Reads "13.0", whatever follows it; 0: it is no version. */
static int read_version(const char *text)
{
  char *end;
  if (!isdigit((unsigned char)*text)) return 0;
  unsigned long major = strtoul(text, &end, 10);
  if (*end != '.' || !isdigit((unsigned char)end[1])) return 0;
  unsigned long minor = strtoul(end + 1, NULL, 10);
  return major > LARGEST || minor >= MAJOR / MINOR ? 0 : (int)(MAJOR * major + MINOR * minor);
}

/* The text behind a word and blanks; NULL if it doesn't begin with the word. */
static const char *behind(const char *text, const char *word)
{
  size_t len = strlen(word);
  if (strncmp(text, word, len) != 0) return NULL;
  text += len;
  while (*text == ' ' || *text == '\t') ++text;
  return text;
}

int toolkit_header_version(const char *text)
{
  for (const char *line = text; line; line = strchr(line, '\n')) {
    if (*line == '\n') ++line;
    const char *at = behind(line + strspn(line, " \t"), "#");
    if (at) at = behind(at, "define");
    if (!at || !(at = behind(at, "CUDA_VERSION")) || !isdigit((unsigned char)*at)) continue;
    char *end;
    unsigned long number = strtoul(at, &end, 10);
    bool is_number = !isalnum((unsigned char)*end) && *end != '_' && *end != '.';
    return is_number && number >= MAJOR && number <= LARGEST * MAJOR ? (int)number : 0;
  }
  return 0;
}

/* {"cuda": {"name": ..., "version": "13.0.1"}, ...} */
static int json_version(const char *text)
{
  const char *at = strstr(text, "\"cuda\"");
  if (at) at = strstr(at, "\"version\"");
  if (at) at = strchr(at, ':');
  if (at) at += 1 + strspn(at + 1, " \t\r\n");
  return at && *at == '"' ? read_version(at + 1) : 0;
}

/* cuda.h has 1.1 MB, and says its version within 16 KB. */
static int read_file(const char *path, int (*read)(const char *text))
{
  static const FileKind kinds[] = {FILE_HEAD, FILE_REGULAR};
  int version = 0;
  for (size_t i = 0; i < COUNT_OF(kinds) && !version; ++i) {
    Arena scratch = {0};
    char *text;
    size_t bytes;
    if (file_read(&scratch, path, kinds[i], &text, &bytes)) version = read(text);
    arena_free(&scratch);
  }
  return version;
}

/* ---- wheels ---- */

/* Does a RECORD have a line for this file? */
static bool has_record(Arena *scratch, const char *record, const char *file)
{
  char *text;
  size_t bytes, len = strlen(file);
  if (!file_read(scratch, record, FILE_REGULAR, &text, &bytes)) return false;
  for (const char *at = text; (at = strstr(at, file)); at += len)
    if ((at == text || at[-1] == '\n') && at[len] == ',') return true;
  return false;
}

/* The site-packages folder of a file below its folder `nvidia`; NULL if it is in none. */
static char *site_of(Arena *arena, const char *path)
{
  const char *nvidia = NULL;
  for (const char *at = path; (at = strstr(at, "/nvidia/")); ++at) nvidia = at;
  return nvidia ? arena_strndup(arena, path, (size_t)(nvidia - path)) : NULL;
}

static bool ask_wheels(Arena *arena, const char *path, ToolkitVersion *out)
{
  static const char suffix[] = ".dist-info/RECORD";
  glob_t found;
  const char *site = site_of(arena, path);
  const char *pattern = site ? glob_literal(arena, site) : NULL;
  if (!site || glob(arena_printf(arena, "%s/nvidia_*%s", pattern, suffix), 0, NULL, &found) != 0)
    return false;
  for (size_t i = 0; i < found.gl_pathc && !out->number; ++i) {
    const char *record = found.gl_pathv[i], *name = record + strlen(site) + 1;
    const char *dash = strchr(name, '-');
    Arena scratch = {0};
    if (dash && has_record(&scratch, record, path + strlen(site) + 1))
      out->number = read_version(dash + 1);
    if (out->number) out->source = arena_strndup(arena, record, strlen(record) - strlen("/RECORD"));
    arena_free(&scratch);
  }
  globfree(&found);
  return out->number != 0;
}

/* ---- folders ---- */

/* Reads the headers below a root, also those under targets/. They have to agree on one version. */
static bool ask_headers(Arena *arena, const char *root, ToolkitVersion *out)
{
  const char *folder = glob_literal(arena, root);
  const char *patterns[] = {arena_printf(arena, "%s/include/cuda.h", folder),
                            arena_printf(arena, "%s/targets/*/include/cuda.h", folder)};
  bool differ = false;
  for (size_t k = 0; k < COUNT_OF(patterns); ++k) {
    glob_t found;
    if (glob(patterns[k], 0, NULL, &found) != 0) continue;
    for (size_t i = 0; i < found.gl_pathc; ++i) {
      int version = read_file(found.gl_pathv[i], toolkit_header_version);
      differ |= version && out->number && version != out->number;
      if (version && !out->number)
        *out = (ToolkitVersion){version, arena_strdup(arena, found.gl_pathv[i])};
    }
    globfree(&found);
  }
  if (differ) *out = (ToolkitVersion){0};
  return out->number != 0;
}

static bool ask_root(Arena *arena, const char *root, ToolkitVersion *out)
{
  const char *json = arena_printf(arena, "%s/version.json", root);
  *out = (ToolkitVersion){file_exists(json) ? read_file(json, json_version) : 0, json};
  if (out->number) return true;
  *out = (ToolkitVersion){0};
  return ask_headers(arena, root, out);
}

/* Looks in the file's folder and those above it, but not above site-packages, which is no
 * toolkit. */
static bool ask_folders(Arena *arena, const char *path, ToolkitVersion *out)
{
  char *folder = arena_strdup(arena, path), *slash;
  while ((slash = strrchr(folder, '/'))) {
    *slash = 0;
    const char *name = path_base(folder);
    if (!strcmp(name, "site-packages") || !strcmp(name, "dist-packages")) return false;
    if (ask_root(arena, folder, out)) return true;
  }
  return false;
}

bool toolkit_version(const char *path, Arena *arena, ToolkitVersion *out)
{
  const char *real = path_real(arena, path);
  *out = (ToolkitVersion){0};
  return ask_wheels(arena, path, out) || (real && ask_wheels(arena, real, out)) ||
         ask_folders(arena, path, out) || (real && ask_folders(arena, real, out));
}

/* ---- which parts fit together ---- */

typedef enum Bond {
  BOND_same,      /* the same major and minor version */
  BOND_not_older, /* the same major version, and the user isn't older than the maker */
  BOND_reads      /* the user isn't older than the maker */
} Bond;

static const struct {
  uint8_t maker, user, bond; /* ToolkitPart, ToolkitPart, Bond */
  char why[75];              /* for people */
} bonds[] = {
    {TOOLKIT_libnvvm, TOOLKIT_libdevice, BOND_same, "libNVVM reads its own libdevice"},
    {TOOLKIT_libnvvm, TOOLKIT_nvjitlink, BOND_same, "nvJitLink links LTO-IR of its own libNVVM"},
    {TOOLKIT_nvrtc, TOOLKIT_nvjitlink, BOND_not_older,
     "nvJitLink links LTO-IR of its major version, of no later one than its own"},
    {TOOLKIT_nvrtc, TOOLKIT_headers, BOND_same, "NVRTC compiles its own headers"},
    {TOOLKIT_headers, TOOLKIT_cudadevrt, BOND_same, "headers declare what is in their cudadevrt"},
    {TOOLKIT_cudadevrt, TOOLKIT_nvjitlink, BOND_not_older,
     "nvJitLink links code of its major version, of no later one than its own"},
    {TOOLKIT_libnvvm, TOOLKIT_ptxas, BOND_reads, "ptxas assembles PTX of no later version"},
    {TOOLKIT_nvrtc, TOOLKIT_ptxas, BOND_reads, "ptxas assembles PTX of no later version"},
};

static bool holds(Bond bond, int maker, int user)
{
  switch (bond) {
  case BOND_same: return maker / MINOR == user / MINOR;
  case BOND_not_older: return maker / MAJOR == user / MAJOR && user / MINOR >= maker / MINOR;
  case BOND_reads: return user / MINOR >= maker / MINOR;
  }
  return true;
}

void toolkit_survey(Arena *arena, ToolkitSurvey *out)
{
  *out = (ToolkitSurvey){0};
  for (ToolkitPart part = 0; part < TOOLKIT_COUNT; ++part) {
    out->paths[part] = toolkit_locate(part, arena, NULL, &out->places[part]);
    if (out->paths[part]) toolkit_version(out->paths[part], arena, &out->versions[part]);
  }
}

static void put_part(Buf *out, const ToolkitSurvey *survey, ToolkitPart part)
{
  int number = survey->versions[part].number;
  buf_printf(out, "%s of CUDA %d.%d (%s)", toolkit_part_name(part), number / MAJOR,
             number % MAJOR / MINOR, survey->paths[part]);
}

static unsigned judge_bonds(const ToolkitSurvey *survey, Buf *out)
{
  unsigned count = 0;
  for (size_t i = 0; i < COUNT_OF(bonds); ++i) {
    int maker = survey->versions[bonds[i].maker].number;
    int user = survey->versions[bonds[i].user].number;
    if (!maker || !user || holds((Bond)bonds[i].bond, maker, user)) continue;
    put_part(out, survey, bonds[i].maker);
    buf_puts(out, " and ");
    put_part(out, survey, bonds[i].user);
    buf_printf(out, " do not belong together: %s\n", bonds[i].why);
    ++count;
  }
  return count;
}

static unsigned judge_limits(const ToolkitSurvey *survey, const ToolkitLimits *limits, Buf *out)
{
  unsigned count = 0;
  for (ToolkitPart part = 0; part < TOOLKIT_COUNT; ++part) {
    int number = survey->versions[part].number;
    bool is_early = number && limits->least && number < limits->least;
    bool is_late = number && limits->below && number >= limits->below;
    bool is_unknown = limits->is_strict && survey->paths[part] && !number;
    if (is_unknown)
      buf_printf(out, "%s (%s): no version.json, cuda.h or wheel says of which CUDA it is\n",
                 toolkit_part_name(part), survey->paths[part]);
    if (is_early || is_late) {
      int limit = is_early ? limits->least : limits->below;
      put_part(out, survey, part);
      buf_printf(out, " is not what was asked for: %s %d.%d\n", is_early ? "at least" : "below",
                 limit / MAJOR, limit % MAJOR / MINOR);
    }
    count += is_unknown || is_early || is_late;
  }
  return count;
}

/* ---- the driver ---- */

/* The first driver branch that runs cubins of all versions of a major one; 0: there is none. */
static int first_branch(int major)
{
  static const struct {
    int major, branch;
  } rows[] = {{11, 450}, {12, 525}, {13, 580}};
  for (size_t i = 0; i < COUNT_OF(rows); ++i)
    if (rows[i].major == major) return rows[i].branch;
  return 0;
}

/* The newest of the parts that make code. */
static ToolkitPart newest_maker(const ToolkitSurvey *survey)
{
  static const ToolkitPart makers[] = {TOOLKIT_libnvvm, TOOLKIT_nvjitlink, TOOLKIT_nvrtc,
                                       TOOLKIT_ptxas, TOOLKIT_cudadevrt};
  ToolkitPart newest = makers[0];
  for (size_t i = 1; i < COUNT_OF(makers); ++i)
    if (survey->versions[makers[i]].number > survey->versions[newest].number) newest = makers[i];
  return newest;
}

static unsigned judge_driver(const ToolkitSurvey *survey, const ToolkitLimits *limits, Buf *out,
                             Buf *notes)
{
  ToolkitPart part = newest_maker(survey);
  int number = survey->versions[part].number, driver = limits->driver;
  if (!number || driver <= 0 || driver / MINOR >= number / MINOR) return 0;
  int branch = first_branch(number / MAJOR);
  bool is_minor = driver / MAJOR == number / MAJOR && branch;
  bool is_misfit = !is_minor || (limits->branch && limits->branch < branch);
  Buf *to = is_misfit ? out : notes;
  buf_printf(to, "the driver is CUDA %d.%d's", driver / MAJOR, driver % MAJOR / MINOR);
  if (limits->branch) buf_printf(to, ", of branch %d", limits->branch);
  buf_puts(to, is_misfit ? ", and does not run code of " : ", and runs cubins of ");
  put_part(to, survey, part);
  if (!is_misfit)
    buf_puts(to, limits->branch
                     ? ", but may not know its PTX\n"
                     : " if its branch is no older than that, but may not know its PTX\n");
  else if (branch) buf_printf(to, ": a driver of branch %d or later does\n", branch);
  else buf_puts(to, ": a later driver does\n");
  return is_misfit;
}

unsigned toolkit_judge(const ToolkitSurvey *survey, const ToolkitLimits *limits, Buf *out,
                       Buf *notes)
{
  unsigned bonds_count = judge_bonds(survey, out);
  unsigned limits_count = judge_limits(survey, limits, out);
  unsigned driver_count = judge_driver(survey, limits, out, notes);
  if (bonds_count + limits_count + driver_count)
    buf_puts(out, "Set CK_CUDA_HOME to the folder of one toolkit that fits.\n");
  return bonds_count + limits_count + driver_count;
}
