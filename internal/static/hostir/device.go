// What the CUDA runtime says of the device: numbers that are the same for all devices, or that any device may have.

package hostir

import (
	"math/big"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/hostir/memory"
)

// property is a property of devices: an int in cudaDeviceProp of CUDA 12, and an attribute (CUDA Runtime API,
// "cudaDeviceProp", "cudaDeviceAttr"; CUDA C++ Programming Guide, "Compute Capabilities"). Its values are from least to
// most.
type property struct {
	name        string
	offset      int64 // -1: not in cudaDeviceProp, or not as an int
	attribute   int64
	least, most int64
}

var properties = []property{
	{"maxThreadsPerBlock", 320, 1, 1024, 1024},
	{"maxThreadsDim.x", 324, 2, 1024, 1024},
	{"maxThreadsDim.y", 328, 3, 1024, 1024},
	{"maxThreadsDim.z", 332, 4, 64, 64},
	{"maxGridSize.x", 336, 5, 1<<31 - 1, 1<<31 - 1},
	{"maxGridSize.y", 340, 6, 1<<16 - 1, 1<<16 - 1},
	{"maxGridSize.z", 344, 7, 1<<16 - 1, 1<<16 - 1},
	{"maxSharedMemoryPerBlock", -1, 8, 48 << 10, 48 << 10},
	{"warpSize", 308, 10, 32, 32},
	{"multiProcessorCount", 388, 16, 1, 1 << 10},
	{"maxThreadsPerMultiProcessor", -1, 39, 1024, 2048},
}

// maxResident is the greatest number of blocks that a multiprocessor holds at a time.
const maxResident = 32

// ofDevice returns a number that the device decides: the same for the same one.
func (x cudaRuntime) ofDevice(name string, least, most int64, device memory.Value) memory.Value {
	if least == most {
		return memory.NewConstant(big.NewInt(least), 32)
	}
	k, certain := device.Constant()
	of := x.static("device properties")
	of.Constant = true
	q := memory.Question{Function: name, Object: of}
	if certain {
		q.At = k.String()
		if v, ok := x.st.Pure[q]; ok {
			return v
		}
	}
	v := x.fromOutside(func() memory.Value { return x.leaf(name, 32, true) })
	made := x.vars[v.Num.Variable().Name]
	made.Lo, made.Hi = big.NewInt(least), big.NewInt(most)
	v.Num = made.Int()
	if certain {
		x.st.Pure[q] = v
	}
	return v
}

// deviceProperties executes cudaGetDeviceProperties(&properties, device).
func (x cudaRuntime) deviceProperties(args []memory.Value) {
	x.lose(args[0])
	o, at, ok := placeOf(args[0])
	if !ok {
		return
	}
	for _, p := range properties {
		if p.offset >= 0 {
			to := memory.Value{To: o, Offset: expr.Const(at + p.offset)}
			x.put(to, 4, x.ofDevice(p.name, p.least, p.most, args[1]))
		}
	}
}

// deviceAttribute executes cudaDeviceGetAttribute(&value, attribute, device).
func (x cudaRuntime) deviceAttribute(args []memory.Value) {
	x.lose(args[0])
	k, ok := args[1].Constant()
	for _, p := range properties {
		if ok && k.Cmp(big.NewInt(p.attribute)) == 0 && args[0].Offset != nil {
			x.put(args[0], 4, x.ofDevice(p.name, p.least, p.most, args[2]))
		}
	}
}

// resident executes cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, …).
func (x cudaRuntime) resident(args []memory.Value) {
	x.lose(args[0])
	if args[0].Offset != nil {
		x.put(args[0], 4, x.ofDevice("resident", 0, maxResident, memory.Value{}))
	}
}
