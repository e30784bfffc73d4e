package gpu

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"
	"unsafe"
)

// fakeDriver returns a driver without a device: each call succeeds and does nothing, and error texts
// are those below.
func fakeDriver() *driver {
	texts := map[result]string{success: "CUDA_SUCCESS", notReady: "CUDA_ERROR_NOT_READY", illegalAddress: "CUDA_ERROR_ILLEGAL_ADDRESS", 2: "CUDA_ERROR_OUT_OF_MEMORY", 218: "CUDA_ERROR_INVALID_PTX"}
	word := func(text string, to **byte) result {
		b := append([]byte(text), 0)
		*to = &b[0]
		return success
	}
	return &driver{
		ctxSetCurrent:     func(uintptr) result { return success },
		getErrorName:      func(r result, to **byte) result { return word(texts[r], to) },
		getErrorString:    func(r result, to **byte) result { return word("words", to) },
		streamQuery:       func(uintptr) result { return success },
		streamSynchronize: func(uintptr) result { return success },
		memsetD8:          func(uint64, byte, uint64, uintptr) result { return success },
		memFree:           func(uint64) result { return success },
		moduleGetFunction: func(f *uintptr, _ uintptr, name string) result {
			if name != "k" {
				return notFound
			}
			*f = 7
			return success
		},
		funcSetAttribute: func(uintptr, int32, int32) result { return success },
		launchKernel: func(uintptr, uint32, uint32, uint32, uint32, uint32, uint32, uint32, uintptr, unsafe.Pointer, unsafe.Pointer) result {
			return success
		},
	}
}

func TestLayoutOfDriverStructures(t *testing.T) {
	var c launchConfig
	var a launchAttribute
	if unsafe.Sizeof(c) != 56 || unsafe.Offsetof(c.stream) != 32 || unsafe.Offsetof(c.attributes) != 40 || unsafe.Offsetof(c.count) != 48 {
		t.Errorf("CUlaunchConfig: %d bytes, stream at %d", unsafe.Sizeof(c), unsafe.Offsetof(c.stream))
	}
	if unsafe.Sizeof(a) != 72 || unsafe.Offsetof(a.value) != 8 {
		t.Errorf("CUlaunchAttribute: %d bytes, value at %d", unsafe.Sizeof(a), unsafe.Offsetof(a.value))
	}
}

func TestAttributes(t *testing.T) {
	l := Launch{Cooperative: true, Cluster: [3]uint32{2, 1, 1}}
	list := l.attributes()
	if len(list) != 2 || list[0].id != attributeCooperative || list[0].value[0] != 1 || list[1].id != attributeCluster || list[1].value[0] != 2 || list[1].value[1] != 1 {
		t.Errorf("%v", list)
	}
}

// TestMemory: objects are found by address, and memory that there is not is an error with its name.
func TestMemory(t *testing.T) {
	d := fakeDriver()
	next := uint64(0x1000)
	d.memAlloc = func(addr *uint64, size uint64) result {
		if size > 1<<20 {
			return 2
		}
		*addr, next = next, next+0x1000
		return success
	}
	dev := &Device{d: d}
	a, err := dev.Alloc("a", 16)
	if err != nil {
		t.Fatal(err)
	}
	b, err := dev.Alloc("b", 0)
	if err != nil {
		t.Fatal(err)
	}
	for addr, want := range map[uint64]string{a: "a", a + 15: "a", a + 16: "", b: "b", b + 1: "", 0: "", 1 << 40: ""} {
		if got, off, _ := dev.Describe(addr); got != want || got == "a" && off != addr-a {
			t.Errorf("0x%x is in %q at %d, want %q", addr, got, off, want)
		}
	}
	if _, err := dev.Alloc("large", 1<<30); err == nil || err.Error() != "large: 1073741824 bytes: cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY (words)" {
		t.Error(err)
	}
	if err := dev.Free(a); err != nil {
		t.Error(err)
	}
	if err := dev.Free(a); err == nil || !strings.Contains(err.Error(), "no allocation starts there") {
		t.Error(err)
	}
	if _, _, ok := dev.Describe(a); ok {
		t.Error("freed memory has a name")
	}
}

// TestRefusedPTX: the error of a module that the driver does not compile has the compiler's log.
func TestRefusedPTX(t *testing.T) {
	d := fakeDriver()
	d.moduleLoadDataEx = func(_ *uintptr, image unsafe.Pointer, options uint32, keys *int32, values *uintptr) result {
		if cString((*byte)(image)) != ".version" || options != 2 || *keys != jitErrorLog {
			t.Error("other arguments")
		}
		log := *(**byte)(unsafe.Pointer(values))
		copy(unsafe.Slice(log, logSize), "ptxas application ptx input, line 3; error : no\n\x00")
		return 218
	}
	_, err := (&Device{d: d}).Load([]byte(".version"))
	if err == nil || err.Error() != "the driver refuses the PTX: ptxas application ptx input, line 3; error : no: cuModuleLoadDataEx: CUDA_ERROR_INVALID_PTX (words)" {
		t.Error(err)
	}
}

// TestRun: kernels that end, that fault, that do not end, and that do not exist.
func TestRun(t *testing.T) {
	queries := func(results ...result) (*Module, *int) {
		d, polls := fakeDriver(), 0
		d.streamQuery = func(uintptr) result {
			r := results[0]
			if len(results) > 1 {
				results = results[1:]
			}
			return r
		}
		return &Module{dev: &Device{d: d}, functions: map[string]uintptr{}}, &polls
	}
	m, polls := queries(notReady, notReady, success)
	poll := func() error { *polls++; return nil }
	if err := m.Run(t.Context(), Launch{Kernel: "k", Shared: 1 << 16}, poll); err != nil || *polls != 2 {
		t.Errorf("%v after %d polls", err, *polls)
	}
	if err := m.Run(t.Context(), Launch{Kernel: "other"}, nil); err == nil || !strings.Contains(err.Error(), "no such kernel") {
		t.Error(err)
	}
	if err := m.Run(t.Context(), Launch{Kernel: "k", Cooperative: true}, nil); err == nil || !strings.Contains(err.Error(), "CUDA 11.8") {
		t.Error(err)
	}

	m, _ = queries(notReady, illegalAddress)
	var fault *Fault
	if err := m.Run(t.Context(), Launch{Kernel: "k"}, nil); !errors.As(err, &fault) || fault.Class != "out-of-bounds" {
		t.Error(err)
	}
	if err := m.dev.Read(0, make([]byte, 1)); err == nil || !strings.Contains(err.Error(), "cannot be used any more") {
		t.Errorf("after a fault: %v", err)
	}

	m, _ = queries(success)
	m.dev.d.launchKernel = func(uintptr, uint32, uint32, uint32, uint32, uint32, uint32, uint32, uintptr, unsafe.Pointer, unsafe.Pointer) result {
		return misaligned
	}
	if err := m.Run(t.Context(), Launch{Kernel: "k"}, nil); !errors.As(err, &fault) || fault.Class != "misaligned" {
		t.Errorf("a driver that waits: %v", err)
	}

	m, _ = queries(notReady)
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if err := m.Run(ctx, Launch{Kernel: "k"}, nil); !errors.Is(err, context.DeadlineExceeded) || m.dev.lost == nil {
		t.Errorf("a kernel that does not end: %v", err)
	}
}

// TestHostMemory: memory of the host is zeroed, has one address for host and GPU, and is read when a fault has
// destroyed the context.
func TestHostMemory(t *testing.T) {
	d, memory := fakeDriver(), bytes.Repeat([]byte{7}, 16)
	d.memHostAlloc = func(p *unsafe.Pointer, size uint64, flags uint32) result {
		if size > 16 {
			return 2
		}
		if flags != 2 { // CU_MEMHOSTALLOC_DEVICEMAP
			t.Errorf("flags %d", flags)
		}
		*p = unsafe.Pointer(&memory[0])
		return success
	}
	d.memFree = func(uint64) result { t.Error("memory of the host is freed as the device's"); return success }
	dev := &Device{d: d}
	if _, err := dev.AllocHost("large", 17); err == nil || err.Error() != "large: 17 bytes: cuMemHostAlloc: CUDA_ERROR_OUT_OF_MEMORY (words)" {
		t.Error(err)
	}
	addr, err := dev.AllocHost("races", 16)
	if err != nil || addr != uint64(uintptr(unsafe.Pointer(&memory[0]))) || !bytes.Equal(memory, make([]byte, 16)) {
		t.Fatalf("0x%x, %v, %v", addr, memory, err)
	}
	memory[5] = 9 // a kernel's
	if dev.fault(illegalAddress) == nil || dev.Write(addr, []byte{1}) == nil {
		t.Error("the context is not lost")
	}
	p := make([]byte, 4)
	if err := dev.Read(addr+4, p); err != nil || !bytes.Equal(p, []byte{0, 9, 0, 0}) {
		t.Errorf("%v, %v", p, err)
	}
	if err := dev.Read(addr+14, p); err == nil || !strings.HasSuffix(err.Error(), "only 2 are in races") {
		t.Error(err)
	}
	if err := (&Device{d: d, objects: dev.objects}).Free(addr); err != nil {
		t.Error(err)
	}
}

// TestNoLoader checks that a program that has not called Use is told so.
func TestNoLoader(t *testing.T) {
	if _, err := Open(0); !errors.Is(err, ErrNoLoader) {
		t.Error(err)
	}
}

// TestArrays tests that the driver receives the layers of an array as its depth, and that all its rows are copied.
func TestArrays(t *testing.T) {
	var side copySide
	var box boxCopy
	if unsafe.Sizeof(arrayDesc{}) != 40 || unsafe.Sizeof(box) != 200 || unsafe.Offsetof(side.address) != 48 || unsafe.Offsetof(side.pitch) != 72 || unsafe.Offsetof(box.to) != 88 {
		t.Errorf("CUDA_ARRAY3D_DESCRIPTOR: %d bytes; CUDA_MEMCPY3D: %d bytes, address at %d, pitch at %d", unsafe.Sizeof(arrayDesc{}), unsafe.Sizeof(box), unsafe.Offsetof(side.address), unsafe.Offsetof(side.pitch))
	}
	d := fakeDriver()
	d.array3DCreate = func(handle *uintptr, desc unsafe.Pointer) result {
		if got := *(*arrayDesc)(desc); got != (arrayDesc{width: 8, depth: 3, format: 32, channels: 2, flags: arrayLayered | arraySurface}) {
			t.Errorf("array %+v", got)
		}
		*handle = 9
		return success
	}
	d.memcpy3DAsync = func(c unsafe.Pointer, _ uintptr) result {
		box = *(*boxCopy)(c)
		return success
	}
	dev, a := &Device{d: d}, &Array{Address: 0x1000, Width: 8, Layers: 3, Pitch: 128, Format: 32, Channels: 2, Texel: 8, Surface: true}
	if err := errors.Join(dev.NewArray(a), dev.FillArray(a)); err != nil {
		t.Fatal(err)
	}
	memory, array := copySide{kind: memoryDevice, address: 0x1000, pitch: 128, height: 1}, copySide{kind: memoryArray, array: 9}
	if want := (boxCopy{from: memory, to: array, width: 64, height: 1, depth: 3}); box != want {
		t.Errorf("filled by %+v", box)
	}
	if err := dev.EmptyArray(a); err != nil || box.from != array || box.to != memory {
		t.Errorf("%v, emptied by %+v", err, box)
	}
}

func TestLayoutOfTextures(t *testing.T) {
	var r resourceDesc
	var d textureDesc
	if unsafe.Sizeof(r) != 144 || unsafe.Offsetof(r.data) != 8 || unsafe.Offsetof(r.data.size) != 16 || unsafe.Offsetof(r.flags) != 136 {
		t.Errorf("CUDA_RESOURCE_DESC: %d bytes, union at %d, sizes at %d, flags at %d", unsafe.Sizeof(r), unsafe.Offsetof(r.data), unsafe.Offsetof(r.data.size), unsafe.Offsetof(r.flags))
	}
	if unsafe.Sizeof(d) != 104 || unsafe.Offsetof(d.border) != 40 {
		t.Errorf("CUDA_TEXTURE_DESC: %d bytes, border at %d", unsafe.Sizeof(d), unsafe.Offsetof(d.border))
	}
}

// TestTensorMapOfAnOldDriver tests the error for a feature that the driver lacks.
func TestTensorMapOfAnOldDriver(t *testing.T) {
	dev := &Device{d: fakeDriver()}
	if _, err := dev.EncodeTensorMap(&TensorMap{}); err == nil || !strings.Contains(err.Error(), "CUDA 12") {
		t.Errorf("%v", err)
	}
	if _, err := dev.EncodeTensorMap(&TensorMap{Columns: 2}); err == nil || !strings.Contains(err.Error(), "wide modes") {
		t.Errorf("%v", err)
	}
}
