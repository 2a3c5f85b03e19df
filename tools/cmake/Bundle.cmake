# Run by the target `bundle`: writes BUILD/NAME.tar.gz, a folder with the command, its data and the
# shared libraries it needs, which runs from any place. The system's C library stays the system's:
# the dynamic linker and it have to be of one version.
set(stage ${BUILD}/bundle)
set(folder ${stage}/${NAME})
file(REMOVE_RECURSE ${stage})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${folder} --strip
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${folder}/bin/flagstone
     RESOLVED_DEPENDENCIES_VAR libraries
     PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread)\\.so")
set(licences ${folder}/share/doc/flagstone/libraries)
file(MAKE_DIRECTORY ${licences})
foreach(library ${libraries})
  file(INSTALL ${library} DESTINATION ${folder}/lib FOLLOW_SYMLINK_CHAIN)
  # Each library comes with the terms that its Debian package states.
  file(REAL_PATH ${library} file)
  get_filename_component(name ${file} NAME)
  execute_process(COMMAND dpkg-query --search */${name} OUTPUT_VARIABLE owner ERROR_QUIET)
  string(REGEX REPLACE ":.*" "" package "${owner}")
  if(EXISTS /usr/share/doc/${package}/copyright)
    file(COPY_FILE /usr/share/doc/${package}/copyright ${licences}/${package})
  endif()
endforeach()
# Reports hold this script. The machine need not have its package.
if(D3)
  file(COPY_FILE ${D3} ${folder}/share/flagstone/app/report/d3.min.js)
  file(COPY_FILE /usr/share/doc/node-d3/copyright ${licences}/node-d3)
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E tar czf ${BUILD}/${NAME}.tar.gz ${NAME}
                WORKING_DIRECTORY ${stage} COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE_RECURSE ${stage})
