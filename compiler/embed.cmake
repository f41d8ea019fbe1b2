# Writes ALWAYS and MODULES, files of FOLDER, into OUT as byte arrays: the table of library.c.
set(text "/* Made from lib/ by embed.cmake. */\n#include <stddef.h>\n")
set(rows "")
set(count 0)
foreach(file IN LISTS ALWAYS MODULES)
  file(READ ${FOLDER}/${file} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(APPEND text "static const unsigned char text${count}[] = {${bytes}0};\n")
  string(APPEND rows "  {\"${file}\", text${count}, sizeof text${count} - 1},\n")
  math(EXPR count "${count} + 1")
endforeach()
list(LENGTH ALWAYS always)
string(APPEND text "typedef struct LibraryFile {\n  const char *name;\n  const unsigned char *text;\n  size_t bytes;\n} LibraryFile;\n"
  "extern const LibraryFile library_files[];\nextern const size_t library_file_count, library_always_count;\n"
  "const LibraryFile library_files[] = {\n${rows}};\nconst size_t library_file_count = ${count}, library_always_count = ${always};\n")
file(WRITE ${OUT} "${text}")
