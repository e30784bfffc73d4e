package guard

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
	"unsafe"
)

// TestBytes: memory is zeroed and aligned, and all of it can be written.
func TestBytes(t *testing.T) {
	for _, on := range []bool{false, true} {
		guarded.Store(on)
		for _, align := range []uint64{8, 16, 64} {
			for _, size := range []uint64{0, 1, 7, 64, 4095, 4096, 4097, 70_000} {
				b := Bytes(size, align)
				if uint64(len(b)) != size || uintptr(unsafe.Pointer(unsafe.SliceData(b)))%uintptr(align) != 0 {
					t.Errorf("%d bytes at %p, expected %d at a multiple of %d", len(b), unsafe.SliceData(b), size, align)
				}
				for i := range b {
					if b[i] != 0 {
						t.Fatalf("byte %d is %d", i, b[i])
					}
					b[i] = 1
				}
			}
		}
	}
	guarded.Store(false)
}

// TestGuardPage: a read behind the end is a fault when there are guard pages.
func TestGuardPage(t *testing.T) {
	if runtime.GOOS != "linux" || !hasGuardPages() {
		t.Skip("there are no guard pages on this system, or with the address sanitizer")
	}
	Pages()
	defer guarded.Store(false)
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	for _, size := range []uint64{8, 4096, 12_344} {
		b := Bytes(size, 8)
		if behind := read(b, size-1); behind {
			t.Errorf("%d bytes: the last one cannot be read", size)
		}
		if behind := read(b, size); !behind {
			t.Errorf("%d bytes: the one behind them can be read", size)
		}
	}
}

// hasGuardPages reports whether there are guard pages.
func hasGuardPages() bool {
	_, b := beforeGuard(1, 8)
	return b != nil
}

// TestBlock: the memory of a block that nobody has is given back.
func TestBlock(t *testing.T) {
	if runtime.GOOS != "linux" || !hasGuardPages() {
		t.Skip("there are no guard pages on this system, or with the address sanitizer")
	}
	Pages()
	defer guarded.Store(false)
	func() {
		list := make([]*Block, 100)
		for i := range list {
			list[i] = New(4096, 64)
			*(*byte)(list[i].Start()) = 1
		}
		if got := blocks.Load(); got != int64(len(list)) {
			t.Errorf("%d blocks, expected %d", got, len(list))
		}
		runtime.KeepAlive(list)
	}()
	for i := 0; i < 100 && blocks.Load() > 0; i++ {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	if got := blocks.Load(); got != 0 {
		t.Errorf("%d blocks are left", got)
	}
}

// read reads a byte at an offset, and reports whether that is a fault.
func read(b []byte, at uint64) (fault bool) {
	defer func() { fault = recover() != nil }()
	sink = *(*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), at))
	return false
}

var sink byte
