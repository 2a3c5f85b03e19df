// Verilator declares a class's ports by macros, `VL_IN8(&clk_i,0,0);`. After its header has been
// read, these turn the same lines into calls that list the ports: the one list there is that cannot
// differ from the RTL. Included last, and only in files that hold one block.
#undef VL_IN8
#undef VL_IN16
#undef VL_IN
#undef VL_IN64
#undef VL_INW
#undef VL_OUT8
#undef VL_OUT16
#undef VL_OUT
#undef VL_OUT64
#undef VL_OUTW
#define VL_IN8(port, msb, lsb) list->Add(#port, false, port, msb, lsb)
#define VL_IN16(port, msb, lsb) list->Add(#port, false, port, msb, lsb)
#define VL_IN(port, msb, lsb) list->Add(#port, false, port, msb, lsb)
#define VL_IN64(port, msb, lsb) list->Add(#port, false, port, msb, lsb)
#define VL_INW(port, msb, lsb, words) list->Add(#port, false, port, msb, lsb)
#define VL_OUT8(port, msb, lsb) list->Add(#port, true, port, msb, lsb)
#define VL_OUT16(port, msb, lsb) list->Add(#port, true, port, msb, lsb)
#define VL_OUT(port, msb, lsb) list->Add(#port, true, port, msb, lsb)
#define VL_OUT64(port, msb, lsb) list->Add(#port, true, port, msb, lsb)
#define VL_OUTW(port, msb, lsb, words) list->Add(#port, true, port, msb, lsb)
