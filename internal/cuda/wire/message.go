// The layout of requests and replies, as in wire.h.

package wire

import (
	"encoding/binary"
	"math"
	"strings"
	"unicode"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/cuda"
	"github.com/ptxsan/ptxsan/internal/cuda/library"
	"github.com/ptxsan/ptxsan/internal/cuda/socket"
	"github.com/ptxsan/ptxsan/internal/gpu"
	"github.com/ptxsan/ptxsan/internal/order"
)

// op is the operation of a request. The numbers are those of wire.h.
type op uint32

const (
	opHello op = iota
	opModule
	opFunction
	opVariable
	opAlloc
	opFree
	opWrite
	opRead
	opCopy
	opFill
	opLaunch
	opPointer
	opMemory
	opUnload
	opMissing
	opTexture
	opOrder
	opManaged
	opHost
	opReset
	opReference
	opTensorMap
	opMoveTensorMap
	opUnwritten
	opFailed
	opHandled
	opVirtual
	opKernels
	opEndpoint
	opCondition
	opShare
	opLibrary
	opTest
	opStreamValue
	opBenchmark
	opNotRun
)

// opCrash is an operation of the handler of signals, opPool and opRange are of NVTX.
const (
	opCrash op = 36 + iota
	opPool
	opRange
)

// Operations about several devices: those of NCCL, those about multicast objects, and those about access to memory of
// other devices.
const (
	opCollective op = 40 + iota
	opMulticast
	opPeer
)

// othersWait is the bit beside the thread in a header that says that other threads wait for the connection.
const othersWait = 1 << 31

// headerSize is the size of a request's header: the operation, with the current device from bit deviceBit on, its
// stream, the size of the body, and the thread that repeats the request.
const (
	headerSize = 16
	deviceBit  = 16
)

// Bits in the word of the stream: the call is a synchronous form, the body begins with the call site, the request is a
// further part of a call, all streams wait for the operation, a function that the stream calls makes the access.
const (
	isSync = 1 << (31 - iota)
	withPath
	isPart
	isAcross
	ofFunction
	streamBits = ofFunction - 1
)

// mostPath is the maximal number of addresses in a call site.
const mostPath = 16

func (f *fields) in(word uint32) cuda.In {
	in := cuda.In{
		Stream: order.Stream(word & streamBits), Sync: word&isSync != 0, Part: word&isPart != 0,
		Across: word&isAcross != 0, Function: word&ofFunction != 0,
	}
	if word&withPath != 0 {
		in.Path = f.path(f.U64())
	}
	if in.Path.OfPython() {
		in.Python, in.Path = in.Path, ""
	}
	return in
}

// path reads a call site.
func (f *fields) path(count uint64) cuda.Path {
	const word = 8
	if count > mostPath || uint64(len(f.Rest)) < count*word {
		f.Bad = true
		return ""
	}
	path := cuda.PathOf(f.Rest[:count*word])
	f.Rest = f.Rest[count*word:]
	return path
}

// again is a result that no function of CUDA returns: the application must repeat the request.
const again cuda.Result = 1 << 30

// functionLater is another one, of host functions that have to wait (WIRE_LATER).
const functionLater cuda.Result = 1<<30 + 1

// Kinds of frames of a reply.
const (
	frameResult = iota
	frameOutput
	frameProtect
)

// most returns the limit of a request's size: images of modules are large, everything else is small.
const (
	mostBytes  = 64 << 10
	mostChunk  = 4<<20 + 8 + 8*(1+mostPath)
	mostModule = 1 << 30
)

func (o op) limit() uint64 {
	switch o {
	case opModule:
		return mostModule
	case opWrite:
		return mostChunk
	}
	return mostBytes
}

var le = binary.LittleEndian

// fields decodes the parts of a request.
type fields struct{ socket.Fields }

func (f *fields) extent() emu.Dim3 { return emu.Dim3{X: f.U32(), Y: f.U32(), Z: f.U32()} }

// launch decodes struct wire_launch and the parameters after it.
func (f *fields) launch() *cuda.Launch {
	l := &cuda.Launch{Kernel: f.U64(), Grid: f.extent(), Block: f.extent(), Cluster: f.extent(), Shared: f.U32()}
	l.Cooperative, l.Programmatic = f.flag(), f.flag()
	l.Params = f.Rest
	return l
}

// arguments decodes names and addresses of arguments.
func (f *fields) arguments() (list []cuda.Argument) {
	for len(f.Rest) > 0 && !f.Bad {
		address, size := f.U64(), f.U32()
		if uint64(size) > uint64(len(f.Rest)) {
			f.Bad = true
			return nil
		}
		list = append(list, cuda.Argument{Address: address, Name: string(f.Rest[:size])})
		f.Rest = f.Rest[size:]
	}
	return list
}

// value decodes an operation of a stream on a value in memory.
func (f *fields) value() *cuda.Value {
	return &cuda.Value{Kind: cuda.ValueKind(f.U32()), Size: uint64(f.U32()), Address: f.U64(), Value: f.U64()}
}

// texture decodes struct wire_texture.
func (f *fields) texture() *cuda.Texture {
	t := &cuda.Texture{
		Address: f.U64(), Pitch: f.U64(), Module: f.U64(), Dims: int(f.U32()), Width: f.U32(),
		Height: f.U32(), Depth: f.U32(), Layers: f.U32(),
	}
	t.Cube, t.Kind, t.Bits, t.Channels = f.flag(), cuda.ChannelKind(f.U32()), int(f.U32()), int(f.U32())
	t.Buffer = f.flag()
	for i := range t.Modes {
		t.Modes[i] = cuda.AddressMode(f.U32())
	}
	t.Linear, t.Fraction, t.SRGB, t.Normalized = f.flag(), f.flag(), f.flag(), f.flag()
	for i := range t.Border {
		t.Border[i] = math.Float32frombits(f.U32())
	}
	t.Levels, t.MipLinear = f.U32(), f.flag()
	for _, v := range []*float32{&t.LOD.Bias, &t.LOD.Least, &t.LOD.Most} {
		*v = math.Float32frombits(f.U32())
	}
	t.Reference = string(f.Rest)
	return t
}

// tensorMap decodes struct wire_tensor_map.
func (f *fields) tensorMap() *gpu.TensorMap {
	t := &gpu.TensorMap{Address: f.U64()}
	for _, v := range [][]uint64{t.Dims[:], t.Strides[:]} {
		for i := range v {
			v[i] = f.U64()
		}
	}
	t.Type, t.Rank = f.U32(), f.U32()
	for _, v := range [][]uint32{t.Box[:], t.Steps[:]} {
		for i := range v {
			v[i] = f.U32()
		}
	}
	for _, v := range [][]int32{t.Lower[:], t.Upper[:]} {
		for i := range v {
			v[i] = int32(f.U32())
		}
	}
	for _, v := range []*uint32{&t.Columns, &t.Spatial, &t.Channels, &t.Pixels, &t.Interleave, &t.Swizzle, &t.Fill} {
		*v = f.U32()
	}
	return t
}

func (f *fields) flag() bool { return f.U32() != 0 }

// device encodes struct wire_device.
func device(p cuda.Properties, places, errors bool) []byte {
	const nameSize = 64
	out := make([]byte, nameSize)
	copy(out[:nameSize-1], p.Name)
	for _, v := range []uint32{p.Target.Major, p.Target.Minor, p.Multiprocessors, p.ThreadsPerMulti} {
		out = le.AppendUint32(out, v)
	}
	for _, v := range []uint64{p.Memory, p.SharedPerBlock, p.SharedOptin, p.SharedSM} {
		out = le.AppendUint64(out, v)
	}
	for _, v := range []uint32{p.Registers, p.Version, number[places], number[errors], p.Devices, 0} {
		out = le.AppendUint32(out, v)
	}
	return out
}

// function encodes struct wire_function.
func function(k *cuda.Kernel, target cuda.Target) []byte {
	var out []byte
	for _, v := range []uint64{k.ID, k.Module, k.Shared, k.Local} {
		out = le.AppendUint64(out, v)
	}
	const registers = 32 // a typical choice of a compiler
	for _, v := range []uint32{k.MaxThreads, registers, 10*target.Major + target.Minor, k.PTX, uint32(len(k.Params))} {
		out = le.AppendUint32(out, v)
	}
	for _, p := range k.Params {
		out = le.AppendUint32(le.AppendUint32(out, p.Offset), p.Size)
	}
	return out
}

// printable returns a name that a program gives.
func printable(name []byte) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, string(name))
}

// failure decodes a failed call: the thread, the error, its name and its text.
func (f *fields) failure() cuda.Failure {
	x := cuda.Failure{Thread: f.U64(), Result: cuda.Result(f.U32())}
	f.U32() // reserved
	name, text, _ := strings.Cut(string(f.Rest), "\x00")
	x.Name, x.Text = strings.ToValidUTF8(name, "?"), strings.ToValidUTF8(text, "?")
	return x
}

var number = map[bool]uint32{true: 1}

// ranges encodes an array of struct wire_range.
func ranges(list []order.Range) []byte {
	out := make([]byte, 0, len(list)*24)
	for _, r := range list {
		out = le.AppendUint64(le.AppendUint64(out, r.Address), r.Size)
		out = le.AppendUint32(le.AppendUint32(out, uint32(r.Allow)), 0)
	}
	return out
}

// hostAccess decodes an access by host code: its address, whether it writes, and the call site. If the processor does
// not say which, an access of a readable page is a write.
func (f *fields) hostAccess() (address uint64, write func(order.Protection) bool, at cuda.Path) {
	address = f.U64()
	how := f.U32()
	write = func(p order.Protection) bool { return how == 1 || how > 1 && p == order.Reads }
	return address, write, f.path(uint64(f.U32()))
}

// kernels encodes names, each with a zero byte after it, after their size.
func kernels(names []string) []byte {
	text := strings.Join(names, "\x00")
	if text != "" {
		text += "\x00"
	}
	return append(le.AppendUint64(nil, uint64(len(text))), text...)
}

// libraryCall decodes a call of a library: the function's name, and its arguments.
func (f *fields) libraryCall() (function string, args []library.Arg) {
	function, list, found := strings.Cut(string(f.Rest), "\x00")
	f.Bad = f.Bad || !found || len(list)%library.ArgSize != 0
	return function, library.Args([]byte(list))
}

// libraryResults encodes what the host gets.
func libraryResults(r library.Results) (out []byte) {
	for _, words := range r {
		out = le.AppendUint64(le.AppendUint64(out, words[0]), words[1])
	}
	return out
}

// pointer encodes struct wire_pointer.
func pointer(p cuda.Pointer) []byte {
	out := le.AppendUint64(le.AppendUint64(nil, p.Base), p.Size)
	known := number[p.Known]
	if p.Reserved {
		known = 2
	}
	for _, v := range []uint32{known, number[p.Shared], uint32(p.Device), 0} {
		out = le.AppendUint32(out, v)
	}
	return out
}
