# flagstone_one_archive(FILE TARGET target EXPORT pattern SYSTEM_LIBRARIES variable) makes a static library
# of `target`, a shared one, and of all rooms that it is linked with. Of their functions only those of the
# pattern can be seen, so that no other is ever a program's. The variable gets the system's libraries that
# they need, as "-lname".
function(flagstone_one_archive archive)
  cmake_parse_arguments(ARG "" "TARGET;EXPORT;SYSTEM_LIBRARIES" "" ${ARGN})
  set(rooms "")
  set(system "")
  get_target_property(left ${ARG_TARGET} LINK_LIBRARIES)
  while(left)
    list(POP_FRONT left library)
    string(REGEX REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1" library "${library}")
    if(library IN_LIST rooms OR library STREQUAL "flagstone_own_code")
      continue()
    elseif(NOT TARGET ${library})
      string(REGEX REPLACE "^(-l|.*/lib)?([a-z+]+)(\\.so)?$" "-l\\2" library "${library}")
      list(APPEND system ${library})
      continue()
    endif()
    get_target_property(type ${library} TYPE)
    if(type STREQUAL "STATIC_LIBRARY")
      list(APPEND rooms ${library})
    elseif(NOT type STREQUAL "INTERFACE_LIBRARY")  # the system's, under its name: fmt::fmt
      string(REGEX REPLACE "^.*::" "-l" library "${library}")
      list(APPEND system ${library})
      continue()
    endif()
    get_target_property(more ${library} INTERFACE_LINK_LIBRARIES)
    if(more)
      list(APPEND left ${more})
    endif()
  endwhile()
  list(REMOVE_DUPLICATES system)
  list(TRANSFORM rooms REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE files)
  set(whole ${CMAKE_CURRENT_BINARY_DIR}/whole.o)
  add_custom_command(OUTPUT ${archive} VERBATIM COMMAND_EXPAND_LISTS
    COMMAND ${CMAKE_CXX_COMPILER} -r -nostdlib -Wl,--force-group-allocation -o ${whole}
            $<TARGET_OBJECTS:${ARG_TARGET}> -Wl,--start-group ${files} -Wl,--end-group
    COMMAND ${CMAKE_OBJCOPY} --wildcard --strip-debug "--keep-global-symbol=${ARG_EXPORT}" ${whole}
    COMMAND ${CMAKE_COMMAND} -E rm -f ${archive}
    COMMAND ${CMAKE_AR} qcs ${archive} ${whole}
    DEPENDS $<TARGET_OBJECTS:${ARG_TARGET}> ${rooms})
  set(${ARG_SYSTEM_LIBRARIES} ${system} PARENT_SCOPE)
endfunction()
