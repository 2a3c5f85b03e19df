"""CUDA's driver library by ctypes: as much as is needed to load PTX, fill buffers, launch and time.

It needs a GPU, its driver and numpy, and no toolkit.
"""

import ctypes
import tomllib
from pathlib import Path

import numpy

TYPES = {"f32": numpy.float32, "s32": numpy.int32, "u32": numpy.uint32}


class Gpu:
    """The first GPU of this machine, with a context that lasts as long as the process."""

    def __init__(self):
        self.cuda = ctypes.CDLL("libcuda.so.1")
        self.device, context = ctypes.c_int(), ctypes.c_void_p()
        self("cuInit", 0)
        self("cuDeviceGet", ctypes.byref(self.device), 0)
        self("cuCtxCreate_v2", ctypes.byref(context), 0, self.device)
        text = ctypes.create_string_buffer(100)
        self("cuDeviceGetName", text, 100, self.device)
        self.name = text.value.decode()
        self.begin, self.end = ctypes.c_void_p(), ctypes.c_void_p()
        for event in (self.begin, self.end):
            self("cuEventCreate", ctypes.byref(event), 0)

    def __call__(self, name, *arguments):
        status = getattr(self.cuda, name)(*arguments)
        if status != 0:
            raise RuntimeError(f"{name}: CUDA error {status}")

    def attribute(self, number):
        value = ctypes.c_int()
        self("cuDeviceGetAttribute", ctypes.byref(value), number, self.device)
        return value.value

    def load(self, ptx):
        module = ctypes.c_void_p()
        self("cuModuleLoadData", ctypes.byref(module), Path(ptx).read_bytes() + b"\0")
        return module

    def unload(self, module):
        self("cuModuleUnload", module)

    def allocate(self, size):
        address = ctypes.c_uint64()
        self("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(size))
        return address

    def free(self, address):
        self("cuMemFree_v2", address)

    def write(self, address, values):
        self("cuMemcpyHtoD_v2", address, ctypes.c_void_p(values.ctypes.data),
             ctypes.c_size_t(values.nbytes))

    def read(self, address, values):
        self("cuMemcpyDtoH_v2", ctypes.c_void_p(values.ctypes.data), address,
             ctypes.c_size_t(values.nbytes))

    def launch(self, module, entry, grid, block, arguments, shared=0):
        function = ctypes.c_void_p()
        self("cuModuleGetFunction", ctypes.byref(function), module, entry.encode())
        if shared > 0:
            self("cuFuncSetAttribute", function, 8, shared)  # the most dynamic shared memory
        addresses = (ctypes.c_void_p * len(arguments))(
            *[ctypes.addressof(argument) for argument in arguments])
        self("cuLaunchKernel", function, *grid, *block, shared, None, addresses, None)

    def wait(self):
        self("cuCtxSynchronize")

    def seconds(self, work):
        """What the GPU takes for `work()`."""
        self("cuEventRecord", self.begin, None)
        work()
        self("cuEventRecord", self.end, None)
        self("cuEventSynchronize", self.end)
        passed = ctypes.c_float()
        self("cuEventElapsedTime", ctypes.byref(passed), self.begin, self.end)
        return passed.value / 1000


class Case:
    """A workload.toml on the GPU: buffers of numbers, launches, scalar arguments."""

    def __init__(self, gpu, file):
        self.gpu = gpu
        content = tomllib.loads(Path(file).read_text())
        self.first, self.at = {}, {}
        for i, (name, buffer) in enumerate(content["buffer"].items()):
            values = numpy.zeros(buffer["count"], TYPES[buffer["type"]])
            if buffer["fill"] == "uniform":
                span = buffer["max"] - buffer["min"]
                random = numpy.random.default_rng(i).random(len(values), numpy.float32)
                values[:] = random * span + buffer["min"]
            self.first[name] = values
            self.at[name] = gpu.allocate(values.nbytes)
        self.launches = [self.prepare(launch) for launch in content["launch"]]

    def prepare(self, launch):
        def argument(given):
            if isinstance(given, str):
                return self.at[given]
            (kind, value), = given.items()
            return {"f32": ctypes.c_float, "s32": ctypes.c_int32}[kind](value)

        def three(sizes):
            return (list(sizes) + [1, 1])[:3]

        return (launch["entry"], three(launch["grid"]), three(launch["block"]),
                [argument(given) for given in launch["args"]])

    def reset(self):
        for name, values in self.first.items():
            self.gpu.write(self.at[name], values)

    def run(self, module):
        for launch in self.launches:
            self.gpu.launch(module, *launch)

    def results(self):
        """The bytes of all buffers, to be compared."""
        out = []
        for name, values in self.first.items():
            now = numpy.empty_like(values)
            self.gpu.read(self.at[name], now)
            out.append(now.tobytes())
        return out

    def close(self):
        for address in self.at.values():
            self.gpu.free(address)
