// What travels between SMs, interconnect and L2 slices.
#ifndef FLAGSTONE_GPU_MODEL_MEMORY_PACKET_H_
#define FLAGSTONE_GPU_MODEL_MEMORY_PACKET_H_

#include <cstdint>

namespace flagstone {

inline constexpr uint32_t kLineBytes = 128;
inline constexpr uint32_t kSectorBytes = 32;
inline constexpr uint8_t kAllSectors = 0xf;

// Bit s = bytes [32 s, 32 s + 32) of the line.
using SectorMask = uint8_t;
// A digit per mask: without an instruction for it, std::popcount is a function call, and every
// request counts its sectors several times.
inline uint32_t SectorCount(SectorMask sectors) {
  static_assert(kAllSectors == 0xf);
  constexpr uint64_t kCounts = 0x4332'3221'3221'2110;
  return static_cast<uint32_t>(kCounts >> (4 * sectors)) & 0xf;
}

// Lines are numbered by byte address / 128: 32 bits reach 512 GiB.
using LineNumber = uint32_t;
inline LineNumber LineOf(uint64_t address) { return static_cast<LineNumber>(address / kLineBytes); }

// An uncached read goes past the L1, and its data straight to the load.
enum class PacketKind : uint8_t { kRead, kUncachedRead, kWrite, kAtomic };
inline bool CarriesData(PacketKind kind) { return kind >= PacketKind::kWrite; }

struct Packet {
  LineNumber line = 0;
  uint16_t port = 0;  // that the request came in by, and the reply leaves by: set by the network
  uint16_t tag = 0;   // the requester's own: comes back with the reply
  SectorMask sectors = 0;
  PacketKind kind = PacketKind::kRead;
  uint8_t conflicts = 0;  // of an atomic: lanes that wait for another lane at the same address
  uint8_t origin = 0;     // the node whose SM asks, where there are several
};

// The part of `packet` that travels next where packets hold `most` sectors at most: its first
// ones. An atomic's conflicts stay with its last part.
inline Packet FirstPart(const Packet& packet, uint32_t most) {
  if (SectorCount(packet.sectors) <= most) return packet;
  Packet part = packet;
  part.sectors = 0;
  for (SectorMask left = packet.sectors; SectorCount(part.sectors) < most; left &= left - 1) {
    part.sectors |= left & -left;
  }
  part.conflicts = 0;
  return part;
}

inline constexpr uint32_t kHeaderBytes = 8;  // assumption: address, tag and mask travel in 8 bytes

inline uint32_t RequestBytes(const Packet& packet) {
  return kHeaderBytes + (CarriesData(packet.kind) ? SectorCount(packet.sectors) * kSectorBytes : 0);
}
inline uint32_t ReplyBytes(const Packet& packet) {
  const bool data = packet.kind != PacketKind::kWrite;
  return kHeaderBytes + (data ? SectorCount(packet.sectors) * kSectorBytes : 0);
}

// Takes packets, in Commit of the sender.
class PacketSink {
 public:
  virtual ~PacketSink() = default;
  virtual bool CanAccept() const = 0;
  virtual void Accept(const Packet& packet) = 0;
};

// A sender's side of the interconnect, which finds the packet's way from its line.
class PacketPort {
 public:
  virtual ~PacketPort() = default;
  virtual bool CanSend() const = 0;
  virtual void Send(const Packet& packet, uint32_t bytes) = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_MEMORY_PACKET_H_
