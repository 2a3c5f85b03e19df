// NVTX: marks for NVIDIA's profilers, which nobody reads here.
#ifndef FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_NVTX3_NVTOOLSEXT_H_
#define FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_NVTX3_NVTOOLSEXT_H_

#include <stdint.h>

#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE sizeof(nvtxEventAttributes_t)
enum { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 };
enum {
  NVTX_MESSAGE_UNKNOWN = 0,
  NVTX_MESSAGE_TYPE_ASCII = 1,
  NVTX_MESSAGE_TYPE_UNICODE = 2,
  NVTX_MESSAGE_TYPE_REGISTERED = 3
};
enum {
  NVTX_PAYLOAD_UNKNOWN = 0,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
  NVTX_PAYLOAD_TYPE_INT64 = 2,
  NVTX_PAYLOAD_TYPE_DOUBLE = 3
};
typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomain* nvtxDomainHandle_t;
typedef struct nvtxString* nvtxStringHandle_t;
typedef union nvtxMessageValue_t {
  const char* ascii;
  const wchar_t* unicode;
  nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef struct nvtxEventAttributes_t {
  uint16_t version;
  uint16_t size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType;
  int32_t reserved0;
  union {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
  } payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_t;

static inline int nvtxRangePushA(const char* name) { return name == 0 ? -1 : 0; }
static inline int nvtxRangePushW(const wchar_t* name) { return name == 0 ? -1 : 0; }
static inline int nvtxRangePushEx(const nvtxEventAttributes_t* event) {
  return event == 0 ? -1 : 0;
}
static inline int nvtxRangePop(void) { return 0; }
static inline nvtxRangeId_t nvtxRangeStartA(const char* name) { return name != 0; }
static inline nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t* event) {
  return event != 0;
}
static inline void nvtxRangeEnd(nvtxRangeId_t range) { (void)range; }
static inline void nvtxMarkA(const char* name) { (void)name; }
static inline void nvtxMarkEx(const nvtxEventAttributes_t* event) { (void)event; }
static inline void nvtxNameOsThreadA(uint32_t thread, const char* name) {
  (void)thread;
  (void)name;
}
static inline void nvtxNameCudaDeviceA(int device, const char* name) {
  (void)device;
  (void)name;
}
static inline void nvtxNameCudaStreamA(void* stream, const char* name) {
  (void)stream;
  (void)name;
}
static inline void nvtxNameCategoryA(uint32_t category, const char* name) {
  (void)category;
  (void)name;
}
static inline nvtxDomainHandle_t nvtxDomainCreateA(const char* name) {
  (void)name;
  return 0;
}
static inline void nvtxDomainDestroy(nvtxDomainHandle_t domain) { (void)domain; }
static inline int nvtxDomainRangePushEx(nvtxDomainHandle_t domain,
                                        const nvtxEventAttributes_t* event) {
  (void)domain;
  return nvtxRangePushEx(event);
}
static inline int nvtxDomainRangePop(nvtxDomainHandle_t domain) {
  (void)domain;
  return 0;
}
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxMark nvtxMarkA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxDomainCreate nvtxDomainCreateA

#endif  // FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_NVTX3_NVTOOLSEXT_H_
