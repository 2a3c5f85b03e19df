# Targets `package` (.debs for Debian 12) and `bundle` (a tar file that needs no installation). Both hold
# what `cmake --install` writes, and need only the command and the library to be built.

# The command finds a bundle's libraries beside itself. Old dynamic tags, since the newer ones do not
# count for the libraries that a library needs (libisl: libgmp).
set_target_properties(flagstone PROPERTIES INSTALL_RPATH "$ORIGIN/../lib")
target_link_options(flagstone PRIVATE -Wl,--disable-new-dtags)

# CMake's own target `package` would build all tests first. It stays away as long as the settings
# have another name than CPackConfig.cmake.
set(package_settings ${PROJECT_BINARY_DIR}/package.cmake)
configure_file(tools/cmake/package.cmake.in ${package_settings} @ONLY)
add_custom_target(package
  COMMAND ${CMAKE_CPACK_COMMAND} --config ${package_settings} -B ${PROJECT_BINARY_DIR}
  COMMENT "Packing ${PROJECT_BINARY_DIR}/flagstone_${PROJECT_VERSION}_*.deb and flagstone-dev"
  VERBATIM)

set(installed flagstone flagstone_library)
if(FLAGSTONE_STATIC_LIBRARY)
  list(APPEND installed flagstone_static_library)
endif()
add_dependencies(package ${installed})

set(bundle flagstone-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
add_custom_target(bundle
  COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR} -DNAME=${bundle} -DD3=${D3_SCRIPT}
          -P ${PROJECT_SOURCE_DIR}/tools/cmake/Bundle.cmake
  COMMENT "Packing ${PROJECT_BINARY_DIR}/${bundle}.tar.gz"
  VERBATIM)
add_dependencies(bundle ${installed})
