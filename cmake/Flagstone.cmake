# One helper per kind of target, so that every target gets the same language, warnings and paths.

# Own code only: generated (Verilated) and third-party code does not take these.
add_library(flagstone_own_code INTERFACE)
target_compile_options(flagstone_own_code INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
  -Woverloaded-virtual -Wnull-dereference -Wno-missing-field-initializers)
if(FLAGSTONE_WERROR)
  target_compile_options(flagstone_own_code INTERFACE -Werror)
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
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE flagstone_own_code)
  if(FLAGSTONE_CLANG_TIDY)
    set_target_properties(${name} PROPERTIES CXX_CLANG_TIDY "${CLANG_TIDY_PROGRAM};--quiet")
  endif()
endfunction()

# flagstone_library(flagstone_ptx SOURCES lexer.cc ... LIBRARIES flagstone_base ...)
function(flagstone_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC ${ARG_LIBRARIES})
  flagstone_own_target(${name})
endfunction()

# flagstone_executable(flagstone SOURCES main.cc LIBRARIES ...)
function(flagstone_executable name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES})
  flagstone_own_target(${name})
endfunction()

# flagstone_test(parser_test SOURCES parser_test.cc LIBRARIES flagstone_ptx [TIMEOUT seconds])
# Tests run from the project's root, so that they name checked-in files by their path in the tree.
function(flagstone_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;LIBRARIES;LABELS" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES} GTest::gmock GTest::gtest_main)
  flagstone_own_target(${name})
  # The code under test has to be fast, the tests themselves only to compile fast.
  target_compile_options(${name} PRIVATE -O1)
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}")
endfunction()

# flagstone_benchmark(simulate_benchmark SOURCES simulate_benchmark.cc LIBRARIES ...)
function(flagstone_benchmark name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES} benchmark::benchmark_main)
  flagstone_own_target(${name})
endfunction()

# flagstone_verilate(rtl_lrr_2 TOP lrr_dispatcher SOURCES a.sv b.sv PARAMETERS NumSm=2 IdWidth=16)
# makes a static library of the Verilated class V<name>, with FST tracing compiled in.
function(flagstone_verilate name)
  cmake_parse_arguments(ARG "" "TOP" "SOURCES;PARAMETERS;FLAGS" ${ARGN})
  set(directory ${CMAKE_CURRENT_BINARY_DIR}/${name})
  set(parameters)
  foreach(parameter ${ARG_PARAMETERS})
    list(APPEND parameters -G${parameter})
  endforeach()
  list(TRANSFORM ARG_SOURCES PREPEND ${PROJECT_SOURCE_DIR}/rtl/ OUTPUT_VARIABLE sources)
  # All C++ is folded in a fixed set of files, so that the build system can name them beforehand.
  set(fast ${directory}/V${name}__Fold.cpp)
  set(slow ${directory}/V${name}__FoldSlow.cpp)
  set(outputs ${fast} ${slow} ${directory}/V${name}.h ${directory}/V${name}__Ports.inc)
  add_custom_command(
    OUTPUT ${outputs}
    # Verilator writes a varying number of files: none of an earlier run may stay.
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${directory}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${directory}
    # Verilator 5.006's trees of bit operations get some exclusive ors wrong (as in its issue 4059).
    COMMAND ${VERILATOR_PROGRAM} --cc --trace-fst -Wall -O3 --x-assign unique --x-initial unique
            -fno-const-bit-op-tree --top-module ${ARG_TOP} --prefix V${name} --Mdir ${directory} ${parameters}
            +define+FLAGSTONE_ASSERTIONS --assert ${ARG_FLAGS} ${sources}
    COMMAND ${CMAKE_COMMAND} -DDIRECTORY=${directory} -DPREFIX=V${name}
            -P ${PROJECT_SOURCE_DIR}/cmake/FoldVerilated.cmake
    DEPENDS ${sources} ${PROJECT_SOURCE_DIR}/cmake/FoldVerilated.cmake
    COMMENT "Verilating ${ARG_TOP} (${ARG_PARAMETERS})"
    VERBATIM)
  add_library(${name} STATIC ${outputs})
  target_include_directories(${name} SYSTEM PUBLIC ${directory} ${VERILATOR_ROOT}/include
                                                   ${VERILATOR_ROOT}/include/vltstd)
  # Verilator's makefiles default to -Os; the model sits in the simulation loop. What runs once
  # stays unoptimised: it is more than half of the code.
  # Debug information of generated code helps nobody and costs minutes (80 SMs, variable tracking);
  # so do sanitizers, which find faults of Verilator's and not of ours.
  target_compile_options(${name} PRIVATE -w -g0 -fno-sanitize=all)
  set_source_files_properties(${fast} PROPERTIES COMPILE_OPTIONS -O2)
  set_source_files_properties(${slow} PROPERTIES COMPILE_OPTIONS -O0)
  target_link_libraries(${name} PUBLIC flagstone_verilated)
endfunction()
