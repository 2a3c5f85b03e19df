// What constructors of the program say before main: fat binaries, kernels, variables, textures.
// Nothing is sent before the first call that needs the device (modules.cc), except where there are
// managed variables, which the program may read before any call.
#include "kernels/cuda/client/runtime.h"

using namespace flagstone::cuda;

// A handle is the number of the module and one, which is not null.
static size_t ModuleOf(void** handle) { return reinterpret_cast<size_t>(handle) - 1; }

FLAGSTONE_API void** __cudaRegisterFatBinary(void* wrapper) {
  Guard guard;
  State& state = Runtime();
  state.modules.Add()->wrapper = wrapper;
  return reinterpret_cast<void**>(state.modules.size());
}
FLAGSTONE_API void __cudaRegisterFatBinaryEnd(void** handle) {
  Guard guard;
  State& state = Runtime();
  for (size_t i = 0; i < state.variables.size(); ++i) {
    const Variable& variable = state.variables[i];
    if (variable.module != ModuleOf(handle)) continue;
    if (!variable.managed && !IsManaged(variable.host)) continue;
    Ready();
    return;
  }
}
FLAGSTONE_API void __cudaUnregisterFatBinary(void**) {}
FLAGSTONE_API char __cudaInitModule(void**) {
  Guard guard;
  Ready();
  return 1;
}
FLAGSTONE_API void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name,
                                          int, void*, void*, void*, void*, int*) {
  Guard guard;
  Function* function = Runtime().functions.Add();
  function->host = host;
  function->module = ModuleOf(handle);
  function->name = name;
}
static Variable* AddVariable(void** handle, const void* host, const char* name) {
  Variable* variable = Runtime().variables.Add();
  variable->host = host;
  variable->module = ModuleOf(handle);
  variable->name = name;
  return variable;
}
FLAGSTONE_API void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int,
                                     size_t, int, int) {
  Guard guard;
  AddVariable(handle, host, name);
}
FLAGSTONE_API void __cudaRegisterManagedVar(void** handle, void** host, char*, const char* name,
                                            int, size_t, int, int) {
  Guard guard;
  Variable* variable = AddVariable(handle, host, name);
  variable->managed = true;
  variable->pointer = host;
}
FLAGSTONE_API void __cudaRegisterTexture(void** handle, const textureReference* host, const void**,
                                         const char* name, int, int as_fractions, int) {
  Guard guard;
  TextureName* texture = Runtime().textures.Add();
  texture->host = host;
  texture->module = ModuleOf(handle);
  texture->name = name;
  texture->as_fractions = as_fractions != 0;
}
FLAGSTONE_API void __cudaRegisterSurface(void**, const void*, const void**, const char* name, int,
                                         int) {
  Say("surface '%s' is not supported", name);
}
FLAGSTONE_API void __flagstoneManagedSection(char* begin, char* end) {
  Guard guard;
  State& state = Runtime();
  for (size_t i = 0; i < state.sections.size(); ++i) {
    if (state.sections[i].begin == begin) return;
  }
  Section* section = state.sections.Add();
  section->begin = begin;
  section->end = end;
}
