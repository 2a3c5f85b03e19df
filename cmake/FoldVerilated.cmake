# Joins the C++ files that Verilator wrote in DIRECTORY for class PREFIX into PREFIX__ALL.cpp.
file(GLOB parts RELATIVE ${DIRECTORY} ${DIRECTORY}/${PREFIX}*.cpp)
list(REMOVE_ITEM parts ${PREFIX}__ALL.cpp)
list(SORT parts)
set(text "")
foreach(part ${parts})
  string(APPEND text "#include \"${part}\"\n")
endforeach()
file(WRITE ${DIRECTORY}/${PREFIX}__ALL.cpp "${text}")
