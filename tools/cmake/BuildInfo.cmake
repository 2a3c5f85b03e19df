# Writes OUTPUT, a header that names the commit and the tools of this build. Run at every build;
# the file is touched only when something changed.
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=10
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
foreach(tool verilator yosys)
  string(TOUPPER ${tool} name)
  if(${name})
    execute_process(COMMAND ${${name}} --version OUTPUT_VARIABLE ${tool}
                    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
    if(failed)  # Yosys 0.23 only knows -V
      execute_process(COMMAND ${${name}} -V OUTPUT_VARIABLE ${tool}
                      OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    endif()
    string(REGEX REPLACE "^(Verilator|Yosys) " "" ${tool} "${${tool}}")
  else()
    set(${tool} "not found when this was built")
  endif()
endforeach()
file(STRINGS ${METIS_HEADER} metis_lines REGEX "^#define METIS_VER_")
string(REGEX REPLACE "[^0-9;]" "" metis_numbers "${metis_lines}")
string(REPLACE ";" "." metis "${metis_numbers}")
set(text "// Written by tools/cmake/BuildInfo.cmake.
#pragma once
namespace flagstone {
inline constexpr char kProjectVersion[] = \"${VERSION}\";
inline constexpr char kCommit[] = \"${commit}\";
inline constexpr char kCompiler[] = \"${COMPILER}\";
inline constexpr char kVerilator[] = \"${verilator}\";
inline constexpr char kSystemC[] = \"${SYSTEMC}\";
inline constexpr char kMetis[] = \"${metis}\";
inline constexpr char kYosys[] = \"${yosys}\";
}  // namespace flagstone
")
set(old "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} old)
endif()
if(NOT old STREQUAL text)
  file(WRITE ${OUTPUT} "${text}")
endif()
