// Stand-ins for a core's neighbours: they take what they are given and remember it.
#ifndef FLAGSTONE_TESTS_UNIT_GPU_MODEL_MEMORY_RECORDERS_H_
#define FLAGSTONE_TESTS_UNIT_GPU_MODEL_MEMORY_RECORDERS_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "gpu_model/memory/dram_port.h"
#include "gpu_model/memory/packet.h"

namespace flagstone {

class RecordingSink : public PacketSink {
 public:
  bool CanAccept() const override { return open; }
  void Accept(const Packet& packet) override { packets.push_back({now, packet}); }

  bool open = true;
  uint64_t now = 0;  // set by the test
  std::vector<std::pair<uint64_t, Packet>> packets;
};

class RecordingPort : public PacketPort {
 public:
  bool CanSend() const override { return open; }
  void Send(const Packet& packet, uint32_t) override { packets.push_back({now, packet}); }

  bool open = true;
  uint64_t now = 0;
  std::vector<std::pair<uint64_t, Packet>> packets;
};

class RecordingDram : public DramPort {
 public:
  bool CanRequest() const override { return open; }
  bool Drained() const override { return true; }
  void Request(const DramRequest& request) override { requests.push_back({now, request}); }

  bool open = true;
  uint64_t now = 0;
  std::vector<std::pair<uint64_t, DramRequest>> requests;
};

class RecordingDramClient : public DramClient {
 public:
  void DramReply(uint16_t tag, SectorMask) override { replies.push_back({now, tag}); }

  uint64_t now = 0;
  std::vector<std::pair<uint64_t, uint16_t>> replies;
};

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_UNIT_GPU_MODEL_MEMORY_RECORDERS_H_
