// A typed connection between modules: what is bound is the plain C++ interface of a core.
#ifndef FLAGSTONE_SYSTEMC_PLUG_H_
#define FLAGSTONE_SYSTEMC_PLUG_H_

#include <systemc>

namespace flagstone {

// Ports and exports of Plug<T> give bindings that SystemC checks at elaboration; afterwards the
// cores call each other directly, and no SystemC call stands in the simulation loop. Each launch
// plugs in cores of its own.
template <class T>
struct Plug : public sc_core::sc_interface {
  T* core = nullptr;
};

template <class T>
using PlugPort = sc_core::sc_port<Plug<T>>;
template <class T>
using PlugExport = sc_core::sc_export<Plug<T>>;

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_PLUG_H_
