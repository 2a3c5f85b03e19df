# Every library comes from Debian 12's own packages; tools/setup installs them.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # Without this it does not cache what is compiled with a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE_PROGRAM})
endif()

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(tomlplusplus REQUIRED)
if(FLAGSTONE_TESTS)
  find_package(GTest REQUIRED)
endif()
if(FLAGSTONE_BENCHMARKS)
  find_package(benchmark REQUIRED)
endif()
find_package(ZLIB REQUIRED)
find_program(VERILATOR_PROGRAM verilator REQUIRED)
if(FLAGSTONE_WITH_REPORT)
  # Reports hold it; they find it again by themselves (app/report/page.cc).
  find_file(D3_SCRIPT d3.min.js PATHS /usr/share/nodejs/d3/dist REQUIRED)
endif()

# Debian's libsystemc is a C++17 build and checks the dialect when linking: C++20 users must ask
# for the C++17 entry points by name.
pkg_check_modules(SYSTEMC REQUIRED IMPORTED_TARGET systemc)
target_compile_definitions(PkgConfig::SYSTEMC INTERFACE SC_CPLUSPLUS=201703L)

if(FLAGSTONE_WITH_CUDA)
  pkg_check_modules(LZ4 REQUIRED IMPORTED_TARGET liblz4)
  pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
endif()
pkg_check_modules(ISL REQUIRED IMPORTED_TARGET isl)
if(FLAGSTONE_WITH_SWEEP)
  pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3)
endif()

# METIS ships no package file.
find_path(METIS_INCLUDE_DIR metis.h REQUIRED)
find_library(METIS_LIBRARY metis REQUIRED)
add_library(flagstone_metis INTERFACE)
target_include_directories(flagstone_metis SYSTEM INTERFACE ${METIS_INCLUDE_DIR})
target_link_libraries(flagstone_metis INTERFACE ${METIS_LIBRARY})

# Verilator's run-time sources (verilated.cpp and friends) live below its root.
execute_process(COMMAND ${VERILATOR_PROGRAM} --getenv VERILATOR_ROOT
                OUTPUT_VARIABLE VERILATOR_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE)
