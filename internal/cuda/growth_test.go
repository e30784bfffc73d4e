// What applications make and give back again and again takes no memory here.

package cuda_test

import (
	"encoding/binary"
	"runtime"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/cuda"
	"github.com/ptxsan/ptxsan/internal/order"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// pages is memory as that which a process has as well.
type pages []byte

func (p pages) Bytes() []byte { return p }
func (p pages) Unmap()        {}

// user is a process that does the same again and again.
type user struct {
	*cuda.Process
	kernel *cuda.Kernel
	data   uint64 // memory of the device
}

// TestNothingGrows: modules, streams, events and memory that are given back leave a record of some hundred bytes
// each, beside what detectors keep for the next launches.
func TestNothingGrows(t *testing.T) {
	const first = 20
	for _, c := range []struct {
		what, detector string
		once           func(u *user, t *testing.T, i int) error
		many           int
		most           uint64 // bytes in all
	}{
		{"modules", "precise", (*user).module, 1000, 8 << 20},
		{"modules", "iguard", (*user).module, 60, 6 << 20},
		{"streams", "precise", (*user).stream, 20000, 20 << 20},
		{"managed memory", "precise", (*user).managed, 20000, 40 << 20},
		{"stream-ordered memory", "precise", (*user).ordered, 20000, 40 << 20},
	} {
		t.Run(c.what+" "+c.detector, func(t *testing.T) {
			u := newUser(t, c.detector)
			before := uint64(0)
			for i := range first + c.many {
				if i == first {
					before = heap()
				}
				if err := c.once(u, t, i); err != nil {
					t.Fatal(err)
				}
			}
			after := heap()
			if t.Logf("%d KB", (int64(after)-int64(before))/1024); after > before+c.most {
				t.Errorf("%d bytes for each of %d", (after-before)/uint64(c.many), c.many)
			}
			if err := u.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func newUser(t *testing.T, detector string) *user {
	t.Helper()
	detectors, err := session.ParseDetectors(detector)
	if err != nil {
		t.Fatal(err)
	}
	o := &cuda.Options{Detectors: detectors, Target: cuda.DefaultTarget}
	if !o.InsideKernel() {
		repeating(o)
	}
	p, err := cuda.NewProcess(o, 1)
	if err != nil {
		t.Fatal(err)
	}
	u := &user{Process: p, kernel: kernel(t, p, "racy")}
	if u.data, err = p.Alloc(64, cuda.OnDevice, waits, nil); err != nil {
		t.Fatal(err)
	}
	return u
}

// heap is the bytes of what can be reached.
func heap() uint64 {
	var m runtime.MemStats
	for range 3 { // what is cleaned up is garbage afterwards
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// launch launches a kernel with one thread, which writes where an address leads.
func (u *user) launch(k *cuda.Kernel, address uint64, in cuda.In) error {
	one := emu.Dim3{X: 1, Y: 1, Z: 1}
	return u.Launch(&cuda.Launch{Kernel: k.ID, Grid: one, Block: one, Cluster: one, Params: binary.LittleEndian.AppendUint64(nil, address), In: in}, nil)
}

func (u *user) module(t *testing.T, _ int) error {
	k := kernel(t, u.Process, "racy")
	if err := u.launch(k, u.data, waits); err != nil {
		return err
	}
	return u.Unload(k.Module)
}

func (u *user) stream(_ *testing.T, i int) error {
	s := order.Stream(i + 1)
	if err := u.Order(cuda.OrderCreate, 0, s, 1); err != nil {
		return err
	}
	if err := u.launch(u.kernel, u.data, cuda.In{Stream: s}); err != nil {
		return err
	}
	for _, what := range []cuda.Order{cuda.OrderRecord, cuda.OrderStream, cuda.OrderEnd, cuda.OrderEndEvent} {
		if err := u.Order(what, 0, s, uint64(i)); err != nil {
			return err
		}
	}
	return nil
}

func (u *user) managed(*testing.T, int) error {
	data, err := u.Alloc(4096, cuda.OnDevice, waits, func(size uint64) (cuda.Mapping, error) { return make(pages, size, size+16), nil })
	if err != nil {
		return err
	}
	if err := u.launch(u.kernel, data, waits); err != nil {
		return err
	}
	return u.Free(data, waits)
}

func (u *user) ordered(*testing.T, int) error {
	data, err := u.Alloc(64, cuda.OnDevice, cuda.In{}, nil)
	if err != nil {
		return err
	}
	if err := u.launch(u.kernel, data, cuda.In{}); err != nil {
		return err
	}
	return u.Free(data, cuda.In{})
}
