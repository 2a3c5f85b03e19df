// What the client library in a program and `flagstone exec` outside of it say to each other: one
// request and one reply at a time, each a message of a SOCK_SEQPACKET socket.
#ifndef FLAGSTONE_KERNELS_CUDA_PROTOCOL_H_
#define FLAGSTONE_KERNELS_CUDA_PROTOCOL_H_

#include <cstdint>

// The client is built without the C++ library: nothing here may need it.
namespace flagstone::cuda {

inline constexpr uint32_t kProtocolVersion = 2;
inline constexpr char kSocketVariable[] = "FLAGSTONE_EXEC_SOCKET";  // an abstract name

// Device memory: one file in memory, mapped by the program at its device addresses, so that device
// pointers are good on the host too.
inline constexpr uint64_t kMemoryBase = 0x1'0000'0000;
inline constexpr uint64_t kMemoryBytes = uint64_t{16} << 30;
inline constexpr uint32_t kMostPayload = 60'000;  // bytes after a request or a reply
inline constexpr uint64_t kPage = 4096;

enum class Op : uint32_t {
  kHello,       // a: version -> [0] recording?; the memory's file comes with the reply
  kModule,      // payload: the next piece of a fat binary; a: 1 for the last -> [0] module
  kManaged,     // a: module, b: offset of the variable in its page; payload: name
  kLoad,        // a: module: what was said of it is all
  kFunction,    // a: module; payload: name -> [0] function; payload: FunctionFacts, Parameters
  kVariable,    // a: module; payload: name -> [0] address, [1] bytes
  kAllocate,    // a: bytes, b: Kind -> [0] address
  kFree,        // a: address
  kLaunch,      // a: function, b: nanoseconds as in kHostTime, c: 1 where all TBs must run at once;
                // payload: LaunchShape, parameter block -> [0] bytes printed
  kPrinted,     // -> payload: the next piece of what kernels have printed; empty: no more
  kTime,        // -> [0] simulated picoseconds
  kCopiedBack,  // a: address, b: bytes: the host has read what a launch may have written
  kTexture,     // payload: TextureShape -> [0] handle
  kNoTexture,   // a: handle
  kBind,        // a: module, b: handle or 0; payload: name of a texture reference
  kDevice,      // -> payload: DeviceFacts
  kOccupancy,   // a: function, b: threads of a block, c: dynamic shared bytes -> [0] blocks
  kHostTime,    // a: nanoseconds that the program has spent in allocation and copies
};

struct Request {
  Op op = Op::kHello;
  uint32_t bytes = 0;  // of the payload
  uint64_t a = 0, b = 0, c = 0;
};
struct Reply {
  int32_t error = 0;  // a cudaError
  uint32_t bytes = 0;
  uint64_t values[2] = {};
};

// What an allocation is for: a recording checks what a program copies back, or may read itself.
enum class Kind : uint64_t { kDevice, kManaged, kHost };

struct FunctionFacts {
  uint32_t parameter_count = 0;
  uint32_t parameter_bytes = 0;
  uint32_t shared_bytes = 0, local_bytes = 0, registers = 0, max_threads = 0;
};
struct ParameterPlace {
  uint32_t offset = 0, bytes = 0;
};
struct LaunchShape {
  uint32_t grid[3] = {1, 1, 1};
  uint32_t block[3] = {1, 1, 1};
  uint32_t cluster[3] = {0, 0, 0};  // TBs; 0: as the kernel says, else one
  uint64_t shared = 0;
  uint64_t stack = 0;  // of a thread, in bytes; 0: kStackBytes
};
// CUDA's cudaLimitStackSize at first, and at most.
inline constexpr uint64_t kStackBytes = 1024, kMostStackBytes = uint64_t{512} << 10;
struct TextureShape {
  uint64_t address = 0;
  uint32_t width = 1, height = 1, depth = 1, layers = 1;
  uint32_t channels = 1, bits = 32;
  uint32_t kind = 2;          // cudaChannelFormatKind
  uint32_t address_mode = 1;  // cudaTextureAddressMode
  uint32_t linear = 0, normalized = 0, normalized_float = 0;
  uint32_t border_zero = 0;  // tex1Dfetch: outside reads 0
};
struct DeviceFacts {
  char name[64] = {};
  uint32_t sms = 1, max_threads = 1536, max_tbs = 8, registers = 32768, shared_bytes = 49152;
  uint32_t core_mhz = 0, dram_mhz = 0, bus_bits = 0, l2_bytes = 0;
  uint32_t capability = 70;  // ten times the compute capability
};

}  // namespace flagstone::cuda

#endif  // FLAGSTONE_KERNELS_CUDA_PROTOCOL_H_
