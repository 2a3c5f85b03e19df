# Headers that nearly every file includes are compiled once. A file still includes what it uses: the
# presets with sanitizers build without these.
option(FLAGSTONE_PRECOMPILED_HEADERS "Compile the most used headers once" ON)
if(FLAGSTONE_CLANG_TIDY)  # which is clang, and cannot read g++'s
  set(FLAGSTONE_PRECOMPILED_HEADERS OFF)
endif()

set(FLAGSTONE_STANDARD_HEADERS
  <algorithm> <array> <cstdint> <filesystem> <fmt/core.h> <functional> <map> <memory> <optional> <set> <string>
  <string_view> <unordered_map> <utility> <vector>)

# flagstone_header_set(name HEADERS <a> <b> [OPTIONS -O1] [LIBRARIES ...]) makes a set for
# flagstone_use_headers. What uses it must be compiled with the same options.
function(flagstone_header_set name)
  cmake_parse_arguments(ARG "" "" "HEADERS;OPTIONS;LIBRARIES" ${ARGN})
  if(NOT FLAGSTONE_PRECOMPILED_HEADERS)
    return()
  endif()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${name}.cc CONTENT "// Nothing but its headers.\n")
  add_library(${name} OBJECT ${PROJECT_BINARY_DIR}/${name}.cc)
  target_link_libraries(${name} PRIVATE flagstone_own_code ${ARG_LIBRARIES})
  target_compile_options(${name} PRIVATE ${ARG_OPTIONS})
  target_precompile_headers(${name} PRIVATE ${ARG_HEADERS})
endfunction()

function(flagstone_use_headers target set)
  if(FLAGSTONE_PRECOMPILED_HEADERS)
    target_precompile_headers(${target} REUSE_FROM ${set})
  endif()
endfunction()
