# One helper per kind of target, so that every target gets the same language, warnings and paths.

# Own code only: generated (Verilated) and third-party code does not take these.
add_library(flagstone_own_code INTERFACE)
target_compile_options(flagstone_own_code INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
  -Woverloaded-virtual -Wnull-dereference -Wno-missing-field-initializers)
if(FLAGSTONE_WERROR)
  target_compile_options(flagstone_own_code INTERFACE -Werror)
endif()
target_link_libraries(flagstone_own_code INTERFACE fmt::fmt)
# The release preset compiles a library's files some at a time, which takes half as long. To g++ each
# of them then is a header, whose types should not have members from an unnamed namespace.
if(CMAKE_UNITY_BUILD)
  target_compile_options(flagstone_own_code INTERFACE -Wno-subobject-linkage)
endif()

# g++ collects its garbage so often by default that it costs a tenth of the build.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  add_compile_options("SHELL:--param ggc-min-expand=400" "SHELL:--param ggc-min-heapsize=1000000")
endif()

# Results may not depend on the compiler's freedom to contract a*b+c.
add_compile_options(-ffp-contract=off)
if(FLAGSTONE_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
if(FLAGSTONE_SANITIZE_THREADS)
  add_compile_options(-fsanitize=thread)
  add_link_options(-fsanitize=thread)
endif()
find_program(CLANG_TIDY_PROGRAM NAMES clang-tidy-14 clang-tidy)

# The rooms stand in the command and in libflagstone_blocks.so alike. That one exports its C functions
# alone, so that no other function of it is ever another's.
set(FLAGSTONE_POSITION_INDEPENDENT -fPIC -fno-semantic-interposition)

include(PrecompiledHeaders)
flagstone_header_set(flagstone_headers OPTIONS ${FLAGSTONE_POSITION_INDEPENDENT}
                     HEADERS ${FLAGSTONE_STANDARD_HEADERS})
flagstone_header_set(flagstone_json_headers OPTIONS ${FLAGSTONE_POSITION_INDEPENDENT} -O1
                     HEADERS ${FLAGSTONE_STANDARD_HEADERS} <nlohmann/json.hpp>)
flagstone_header_set(flagstone_systemc_headers OPTIONS ${FLAGSTONE_POSITION_INDEPENDENT} LIBRARIES PkgConfig::SYSTEMC
                     HEADERS ${FLAGSTONE_STANDARD_HEADERS} <systemc>)
if(FLAGSTONE_TESTS)
  flagstone_header_set(flagstone_test_headers OPTIONS -O1 LIBRARIES GTest::gmock
                       HEADERS ${FLAGSTONE_STANDARD_HEADERS} <gmock/gmock.h> <gtest/gtest.h>)
endif()

# flagstone_camel_case(cache_fit result) sets result to CacheFit.
function(flagstone_camel_case name result)
  set(camel "")
  string(REPLACE "_" ";" words ${name})
  foreach(word ${words})
    string(SUBSTRING ${word} 0 1 first)
    string(SUBSTRING ${word} 1 -1 rest)
    string(TOUPPER ${first} first)
    string(APPEND camel ${first}${rest})
  endforeach()
  set(${result} ${camel} PARENT_SCOPE)
endfunction()

function(flagstone_own_target name)
  target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
  target_link_libraries(${name} PRIVATE flagstone_own_code)
  if(FLAGSTONE_CLANG_TIDY)
    set_target_properties(${name} PROPERTIES CXX_CLANG_TIDY "${CLANG_TIDY_PROGRAM};--quiet")
  endif()
endfunction()

# flagstone_library(flagstone_ptx SOURCES lexer.cc ... LIBRARIES flagstone_base ... [COLD]
#                   [HEADERS flagstone_systemc_headers])
# COLD: what little of it a simulation's loop reaches costs nothing to speak of; it is built to compile
# fast. HEADERS: the headers that it takes precompiled, if not those of all.
function(flagstone_library name)
  cmake_parse_arguments(ARG "COLD" "HEADERS" "SOURCES;LIBRARIES" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  flagstone_own_target(${name})
  target_compile_options(${name} PRIVATE ${FLAGSTONE_POSITION_INDEPENDENT})
  target_link_libraries(${name} PUBLIC ${ARG_LIBRARIES})
  if(ARG_COLD)
    target_compile_options(${name} PRIVATE -O1)
    flagstone_use_headers(${name} flagstone_json_headers)
  elseif(ARG_HEADERS)
    flagstone_use_headers(${name} ${ARG_HEADERS})
  else()
    flagstone_use_headers(${name} flagstone_headers)
  endif()
endfunction()

# flagstone_executable(flagstone SOURCES main.cc LIBRARIES ...)
function(flagstone_executable name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES})
  flagstone_own_target(${name})
endfunction()

# flagstone_tests(ptx_test FOLDERS . LIBRARIES flagstone_ptx [SOURCES helper.cc] [TIMEOUT seconds]
#                 [COST cost] [WHOLE] [REMEMBER rtl] [EXCLUDE regex])
# makes one program of all *_test.cc in FOLDERS, which are relative to the current one, and tells
# ctest of each file as a test named by its path below tests/: `ctest -R kernels/ptx/parser_test`. WHOLE:
# of the program as one test, where the files share what takes long to make. REMEMBER: what the program
# reads, if that decides its verdict, which is then kept (tests/remember). EXCLUDE: files of rooms that the
# build leaves out.
# Tests run from the project's root, so that they name checked-in files by their path in the tree.
function(flagstone_tests name)
  cmake_parse_arguments(ARG "WHOLE" "TIMEOUT;COST;EXCLUDE" "FOLDERS;SOURCES;LIBRARIES;REMEMBER" ${ARGN})
  set(files "")
  foreach(folder ${ARG_FOLDERS})
    get_filename_component(folder ${folder} ABSOLUTE)
    file(GLOB found CONFIGURE_DEPENDS ${folder}/*_test.cc)
    list(APPEND files ${found})
  endforeach()
  if(ARG_EXCLUDE)
    list(FILTER files EXCLUDE REGEX "${ARG_EXCLUDE}")
  endif()
  add_executable(${name} ${files} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES} flagstone_test_main)
  flagstone_own_target(${name})
  flagstone_test_options(${name})
  if(ARG_WHOLE)
    set(files "")
  endif()
  flagstone_test_entries(${name} FILES ${files} TIMEOUT ${ARG_TIMEOUT} COST ${ARG_COST}
                         REMEMBER ${ARG_REMEMBER})
endfunction()

# flagstone_test_entries(ptx_test FILES parser_test.cc ... [TIMEOUT s] [COST c] [REMEMBER ...]) tells ctest
# of a program: a test of each file, or, without files, one. Those of high cost begin first.
function(flagstone_test_entries program)
  cmake_parse_arguments(ARG "" "TIMEOUT;COST" "FILES;REMEMBER" ${ARGN})
  set(command ${program})
  if(ARG_REMEMBER)
    set(command ${PROJECT_SOURCE_DIR}/tests/remember ${ARG_REMEMBER} $<TARGET_FILE:${program}> --
                $<TARGET_FILE:${program}>)
  endif()
  set(root ${PROJECT_SOURCE_DIR}/tests)
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY ${root} OUTPUT_VARIABLE folder)
  set(names "")
  foreach(file ${ARG_FILES})
    cmake_path(ABSOLUTE_PATH file NORMALIZE)
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${root})
    string(REGEX REPLACE "\\.cc$" "" test ${file})
    add_test(NAME ${test} COMMAND ${command} --file=${file} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    list(APPEND names ${test})
  endforeach()
  if(NOT ARG_FILES)
    set(names ${folder}/${program})
    add_test(NAME ${names} COMMAND ${command} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  if(NOT ARG_COST)
    set(ARG_COST 0)
  endif()
  set_tests_properties(${names} PROPERTIES TIMEOUT ${ARG_TIMEOUT} COST ${ARG_COST})
endfunction()

# The code under test has to be fast, tests only to compile fast. At -O1 g++ 12 sees overflows in
# std::string's own code that are none (its bugs 105329 and 105651).
function(flagstone_test_options name)
  target_compile_options(${name} PRIVATE -O1 -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow)
  flagstone_use_headers(${name} flagstone_test_headers)
endfunction()

# flagstone_benchmark(simulate_benchmark SOURCES simulate_benchmark.cc LIBRARIES ...)
function(flagstone_benchmark name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES} benchmark::benchmark_main)
  flagstone_own_target(${name})
endfunction()
