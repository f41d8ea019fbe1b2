# ck_add_library(TARGET SOURCES FILE.ck... [ARCHS sm_80...] [HOST] [INSTANCES 'NAME<...>'...]
#                [IMPORTS FOLDER...] [OPTIONS ...])
#
# Adds a static library with the kernels of each FILE.ck for each target, and with their launch functions,
# which #include "FILE.ck.h" declares. Targets that link TARGET find that header, and libckrt. A header
# is generated again when FILE.ck, or a file that it imports, changes.
#
# ARCHS      GPU targets; HOST adds the host device. At least one of the two is required
# INSTANCES  instances of generic kernels; each is passed to the files that declare its kernel
# IMPORTS    folders to search for imports, after the file's own; relative to the source folder
# OPTIONS    further options for ckc: -D N=4, -lineinfo, --backend=nvptx
function(ck_add_library target)
  cmake_parse_arguments(PARSE_ARGV 1 CK "HOST" "" "SOURCES;ARCHS;INSTANCES;IMPORTS;OPTIONS")
  if(CK_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "ck_add_library: '${CK_UNPARSED_ARGUMENTS}' is no argument of it")
  endif()
  set(targets ${CK_ARCHS})
  if(CK_HOST)
    list(APPEND targets host)
  endif()
  if(NOT CK_SOURCES OR NOT targets)
    message(FATAL_ERROR "ck_add_library(${target}): SOURCES, and ARCHS or HOST, are needed")
  endif()
  list(JOIN targets "," targets)
  set(imports "")
  foreach(import IN LISTS CK_IMPORTS)
    if(NOT import MATCHES "^\\$<") # an expression is known later
      get_filename_component(import "${import}" ABSOLUTE)
    endif()
    list(APPEND imports "-I${import}")
  endforeach()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}.ck)
  file(MAKE_DIRECTORY ${folder})
  add_library(${target} STATIC)
  set(unused ${CK_INSTANCES})
  set(names "")
  foreach(source IN LISTS CK_SOURCES)
    get_filename_component(path ${source} ABSOLUTE)
    get_filename_component(name ${source} NAME)
    get_filename_component(stem ${source} NAME_WLE)
    string(MAKE_C_IDENTIFIER ${stem} stem)
    string(TOUPPER ${stem} upper)
    if(upper IN_LIST names)
      message(FATAL_ERROR "ck_add_library(${target}): two sources are called alike, one is ${name}: names in their headers begin with ${upper}")
    endif()
    list(APPEND names ${upper})
    set(instances "")
    foreach(instance IN LISTS CK_INSTANCES)
      string(REGEX REPLACE "[ <].*" "" kernel "${instance}")
      file(STRINGS ${path} found REGEX "^[ \t]*(@[^@]*\\)[ \t]*)*(kernel|algorithm)[ \t]+${kernel}[ \t]*[<(]")
      if(found)
        list(APPEND instances "--instance=${instance}")
        list(REMOVE_ITEM unused "${instance}")
      endif()
    endforeach()
    set(header ${folder}/${name}.h)
    add_custom_command(OUTPUT ${header}
      COMMAND Cokernel::compiler ${path} --emit=header --target=${targets} ${imports}
              ${instances} ${CK_OPTIONS} -o ${header} --depfile=${header}.d
      DEPENDS ${path} Cokernel::compiler DEPFILE ${header}.d
      COMMENT "ckc ${name} for ${targets}" VERBATIM)
    file(CONFIGURE OUTPUT ${folder}/${name}.c @ONLY
      CONTENT "#define @upper@_CK_IMPLEMENTATION\n#include \"@name@.h\"\n")
    target_sources(${target} PRIVATE ${folder}/${name}.c ${header})
    target_compile_definitions(${target} INTERFACE ${upper}_CK_DECLARATIONS)
  endforeach()
  if(unused)
    message(FATAL_ERROR "ck_add_library(${target}): no source has a kernel for INSTANCES ${unused}")
  endif()
  target_include_directories(${target} PUBLIC ${folder})
  target_link_libraries(${target} PUBLIC Cokernel::ckrt)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()
