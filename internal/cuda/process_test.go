// The device as a process sees it, without a process.

package cuda_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/cuda"
	"github.com/ptxsan/ptxsan/internal/order"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// program has a kernel that adds a number to the words of a buffer, and two by which all threads
// of a block write the same word, where an argument or a field of a struct points.
const program = `.version 7.0
.target sm_70
.address_size 64
.visible .global .align 4 .u32 total[2] = {5, 6};
.visible .entry add(.param .u64 data, .param .u8 flag, .param .u32 n)
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<3>;
	ld.param.u64 %rd1, [data];
	ld.param.u32 %r1, [n];
	mov.u32 %r2, %tid.x;
	mad.wide.u32 %rd2, %r2, 4, %rd1;
	ld.global.u32 %r3, [%rd2];
	add.u32 %r3, %r3, %r1;
	st.global.u32 [%rd2], %r3;
	ret;
}
.visible .entry racy(.param .u64 data)
{
	.reg .b32 %r<2>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [data];
	mov.u32 %r1, %tid.x;
	st.global.u32 [%rd1], %r1;
	ret;
}
.visible .entry inside(.param .align 8 .b8 s[16])
{
	.reg .b32 %r<2>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [s+8];
	mov.u32 %r1, %tid.x;
	st.global.u32 [%rd1], %r1;
	ret;
}
.visible .entry seen(.param .u64 data, .param .u64 image)
{
	.reg .b32 %r<3>;
	.reg .f32 %f<5>;
	.reg .b64 %rd<3>;
	.reg .pred %p;
	ld.param.u64 %rd1, [data];
	ld.param.u64 %rd2, [image];
	mov.u32 %r1, 1;
	mov.u32 %r2, 2;
	tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd2, {%r1, %r2}];
	setp.eq.f32 %p, %f1, 0f40E00000;
	mov.u32 %r1, %tid.x;
	@%p st.global.u32 [%rd1], %r1;
	ret;
}
.global .texref ref;
.visible .entry seenByReference(.param .u64 data)
{
	.reg .b32 %r<3>;
	.reg .f32 %f<5>;
	.reg .b64 %rd<3>;
	.reg .pred %p;
	ld.param.u64 %rd1, [data];
	mov.u32 %r1, 1;
	mov.u32 %r2, 2;
	tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [ref, {%r1, %r2}];
	setp.eq.f32 %p, %f1, 0f40E00000;
	mov.u32 %r1, %tid.x;
	@%p st.global.u32 [%rd1], %r1;
	ret;
}
`

// waits is a call that the host waits for.
var waits = cuda.In{Sync: true}

func newProcess(t *testing.T, o *cuda.Options) *cuda.Process {
	t.Helper()
	detectors, err := session.ParseDetectors("precise")
	if err != nil {
		t.Fatal(err)
	}
	if o.Detectors == nil {
		o.Detectors = detectors
	}
	if o.Target == (cuda.Target{}) {
		o.Target = cuda.DefaultTarget
	}
	p, err := cuda.NewProcess(o, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// kernel loads the program and finds a kernel of it.
func kernel(t *testing.T, p *cuda.Process, name string) *cuda.Kernel {
	t.Helper()
	return kernelOf(t, p, []byte(program), name)
}

// kernelOf loads an image and finds a kernel of it.
func kernelOf(t *testing.T, p *cuda.Process, image []byte, name string) *cuda.Kernel {
	t.Helper()
	id, err := p.LoadModule(image, cuda.In{})
	if err != nil {
		t.Fatal(err)
	}
	k, err := p.Kernel(id, name)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// launchOnWord launches a kernel whose parameter is the address of a word of its own.
func launchOnWord(t *testing.T, p *cuda.Process, k *cuda.Kernel, threads uint32) {
	t.Helper()
	data, err := p.Alloc(4, cuda.OnDevice, waits, nil)
	if err == nil {
		err = launch(p, k, threads, binary.LittleEndian.AppendUint64(nil, data))
	}
	if err != nil {
		t.Fatal(err)
	}
}

func launch(p *cuda.Process, k *cuda.Kernel, threads uint32, params []byte) error {
	one := emu.Dim3{X: 1, Y: 1, Z: 1}
	return p.Launch(&cuda.Launch{Kernel: k.ID, Grid: one, Block: emu.Dim3{X: threads, Y: 1, Z: 1}, Params: params}, nil)
}

// TestLaunch: parameters lie as CUDA lays them out, and memory is copied, filled and read.
func TestLaunch(t *testing.T) {
	p := newProcess(t, &cuda.Options{})
	k := kernel(t, p, "add")
	if want := []cuda.Param{{Offset: 0, Size: 8}, {Offset: 8, Size: 1}, {Offset: 12, Size: 4}}; !equal(k.Params, want) {
		t.Fatalf("parameters %v, want %v", k.Params, want)
	}
	data, err := p.Alloc(64, cuda.OnDevice, waits, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Fill(data, 0, 4, 7, 16, 1, cuda.In{}); err != nil {
		t.Fatal(err)
	}
	params := binary.LittleEndian.AppendUint64(nil, data)
	params = binary.LittleEndian.AppendUint32(append(params, 1, 0, 0, 0), 35)
	if err := launch(p, k, 8, params); err != nil {
		t.Fatal(err)
	}
	if err := p.Copy(data+4, data, 60, cuda.In{}); err != nil { // overlapping
		t.Fatal(err)
	}
	got := make([]byte, 64)
	if err := p.Read(data, got, cuda.In{}); err != nil {
		t.Fatal(err)
	}
	for i := range 16 {
		want := uint32(7)
		if i <= 8 {
			want = 42
		}
		if v := binary.LittleEndian.Uint32(got[4*i:]); v != want {
			t.Errorf("word %d is %d, want %d", i, v, want)
		}
	}
	if rep := p.Report(); len(rep.Races) != 0 || p.Launches() != 1 {
		t.Errorf("%d races in %d launches, want none in 1", len(rep.Races), p.Launches())
	}
}

func equal(a, b []cuda.Param) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// TestRaceAndFault: races are in the report of launches that are watched, and a fault is the
// launch's error, after which others work.
func TestRaceAndFault(t *testing.T) {
	found := 0
	o := &cuda.Options{Selection: cuda.Selection{First: 2}, Finding: func(races, faults int) { found += min(races+faults, 1) }}
	p := newProcess(t, o)
	k := kernel(t, p, "racy")
	data, err := p.Alloc(4, cuda.OnDevice, waits, nil)
	if err != nil {
		t.Fatal(err)
	}
	at := func(address uint64) []byte { return binary.LittleEndian.AppendUint64(nil, address) }
	if err := launch(p, k, 2, at(data)); err != nil || len(p.Report().Races) != 0 {
		t.Fatalf("the first launch, which is not watched: %v, %d races", err, len(p.Report().Races))
	}
	wantResult(t, "a store outside", launch(p, k, 2, at(data+8)), cuda.IllegalAddress)
	wantResult(t, "a store at an odd address", launch(p, k, 2, at(data+1)), cuda.MisalignedAddress)
	if err := launch(p, k, 2, at(data)); err != nil {
		t.Fatal(err)
	}
	rep := p.Report()
	if len(rep.Races) != 1 || len(rep.Faults) == 0 || found < 2 {
		t.Errorf("%d races and %d faults, told %d times; want a race and a fault, told each time", len(rep.Races), len(rep.Faults), found)
	}
}

// TestRejectedModules: the report says which modules were not loaded, and why, up to a limit.
func TestRejectedModules(t *testing.T) {
	p := newProcess(t, &cuda.Options{})
	const head = ".version 7.0\n.target sm_70\n.address_size 64\n"
	for _, image := range []string{"int main() {}", head + ".visible .entry k() { .reg .b32 %r1; add.s32 %r1, %r1, %r2; ret; }", program, "\x50\xed\x55\xba\x01\x00"} {
		_, _ = p.LoadModule([]byte(image), cuda.In{})
	}
	want := []string{"not checked: module 1: module1.ptx:1:", "not checked: module 2: module2.ptx:4:", "not checked: module 4: "}
	notes := p.Report().Notes
	if !slices.EqualFunc(notes, want, strings.HasPrefix) {
		t.Errorf("notes %q, want %q", notes, want)
	}
	for range 1000 {
		_, _ = p.LoadModule([]byte("int main() {}"), cuda.In{})
	}
	notes = p.Report().Notes
	if last := notes[len(notes)-1]; len(notes) > 100 || !strings.HasSuffix(last, fmt.Sprint(": ", len(want)+1000-len(notes)+1)) {
		t.Errorf("%d notes, the last one %q", len(notes), last)
	}
}

// TestErrors: mistakes have CUDA's numbers.
func TestErrors(t *testing.T) {
	p := newProcess(t, &cuda.Options{})
	k := kernel(t, p, "add")
	wantResult(t, "a kernel that is not there", second(p.Kernel(k.Module, "nothing")), cuda.NotFound)
	wantResult(t, "a module that is not there", second(p.Kernel(99, "add")), cuda.InvalidHandle)
	wantResult(t, "text that is no PTX", second(p.LoadModule([]byte("int main() {}"), cuda.In{})), cuda.InvalidPTX)
	wantResult(t, "a broken fat binary", second(p.LoadModule([]byte("\x50\xed\x55\xba\x01\x00"), cuda.In{})), cuda.InvalidImage)
	wantResult(t, "too few parameters", launch(p, k, 1, make([]byte, 8)), cuda.InvalidValue)
	wantResult(t, "an empty block", launch(p, k, 0, make([]byte, 16)), cuda.InvalidConfiguration)
	wantResult(t, "too large a block", launch(p, k, 2000, make([]byte, 16)), cuda.InvalidValue)
	wantResult(t, "a free of nothing", p.Free(64, waits), cuda.InvalidValue)
	wantResult(t, "a read of nothing", p.Read(1<<40, make([]byte, 4), cuda.In{}), cuda.InvalidValue)
	wantResult(t, "too large an allocation", second(p.Alloc(1<<50, cuda.OnDevice, waits, nil)), cuda.OutOfMemory)
	wantResult(t, "an element of 3 bytes", p.Fill(1<<40, 0, 3, 0, 1, 1, cuda.In{}), cuda.InvalidValue)
	if err := p.Unload(k.Module); err != nil {
		t.Error(err)
	}
	wantResult(t, "a kernel of a module that is unloaded", launch(p, k, 1, make([]byte, 16)), cuda.InvalidHandle)
}

// TestVariables: module-scope variables are memory like allocations.
func TestVariables(t *testing.T) {
	p := newProcess(t, &cuda.Options{})
	id := kernel(t, p, "add").Module
	address, size, err := p.Variable(id, "total")
	if err != nil || size != 8 {
		t.Fatalf("total: %d bytes, %v; want 8", size, err)
	}
	got := make([]byte, 4)
	if err := p.Read(address+4, got, cuda.In{}); err != nil || !bytes.Equal(got, []byte{6, 0, 0, 0}) {
		t.Errorf("total[1] is %v, %v; want 6", got, err)
	}
	if w := p.Pointer(address + 5); !w.Known || w.Base != address || w.Size != 8 {
		t.Errorf("the variable's address is %+v", w)
	}
	if w := p.Pointer(12345); w.Known {
		t.Errorf("an address of nothing is %+v", w)
	}
}

// TestManyAllocations: addresses of freed memory are not used up by a program that allocates
// and frees all the time.
func TestManyAllocations(t *testing.T) {
	p := newProcess(t, &cuda.Options{})
	for i := range 100_000 {
		a, err := p.Alloc(4096, cuda.OnDevice, waits, nil)
		if err == nil {
			err = p.Free(a, waits)
		}
		if err != nil {
			t.Fatalf("allocation %d: %v", i, err)
		}
	}
}

// TestLeaks: memory that is not freed when the process ends is in its report, once for all
// allocations of a call, and registered memory is not.
func TestLeaks(t *testing.T) {
	origins := map[cuda.Path]cuda.Origin{"3": cuda.RegisteredMemory}
	for _, watch := range []bool{true, false} {
		detectors, err := session.ParseDetectors("precise")
		if err != nil {
			t.Fatal(err)
		}
		p, err := cuda.NewProcess(&cuda.Options{Detectors: detectors, Target: cuda.DefaultTarget, Leaks: watch}, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, from := range []cuda.Path{"1", "2", "1", "3"} {
			if _, err = p.Alloc(100, origins[from], cuda.In{Sync: true, Path: from}, nil); err != nil {
				t.Fatal(err)
			}
		}
		freed, err := p.Alloc(1000, cuda.OnDevice, cuda.In{Sync: true, Path: "2"}, nil)
		if err == nil {
			err = p.Free(freed, waits)
		}
		if n := len(p.Report().Faults); err != nil || n != 0 {
			t.Errorf("before the end: %v, %d faults", err, n)
		}
		if err = p.Close(); err != nil {
			t.Fatal(err)
		}
		rep := p.Report()
		switch {
		case !watch && len(rep.Faults) != 0:
			t.Errorf("%d leaks, which nobody wants", len(rep.Faults))
		case watch && (len(rep.Faults) != 2 || rep.Faults[0].Size != 200 || rep.Faults[0].Count != 2 || rep.Faults[1].Size != 100 || rep.Verdict != report.Leak):
			t.Errorf("verdict %s and %d leaks %+v, want 200 bytes of two allocations and 100 of one", rep.Verdict, len(rep.Faults), rep.Faults)
		}
	}
}

func second[T any](_ T, err error) error { return err }

func wantResult(t *testing.T, what string, err error, want cuda.Result) {
	t.Helper()
	var e *cuda.Error
	if !errors.As(err, &e) || e.Result != want {
		t.Errorf("%s: %v, want CUDA's error %d", what, err, want)
	}
}

// TestRefusedTransfers: copies and fills of what is not in memory do nothing, also to the order of operations.
func TestRefusedTransfers(t *testing.T) {
	p := newProcess(t, &cuda.Options{})
	for s := range order.Stream(2) {
		if err := p.Order(cuda.OrderCreate, 0, s+1, 1); err != nil {
			t.Fatal(err)
		}
	}
	data, err := p.Alloc(8, cuda.OnDevice, waits, nil)
	if err == nil {
		err = p.Fill(data, 0, 4, 1, 2, 1, cuda.In{Stream: 1})
	}
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := cuda.In{Stream: 2}
	wantResult(t, "a copy beyond the end", p.Read(data+4, make([]byte, 8), elsewhere), cuda.InvalidValue)
	wantResult(t, "a copy from no memory", p.Read(^uint64(1), make([]byte, 1), elsewhere), cuda.InvalidValue)
	wantResult(t, "a copy to beyond the end", p.Write(data+4, make([]byte, 8), elsewhere), cuda.InvalidValue)
	wantResult(t, "rows on each other", p.Fill(data, 0, 4, 1, 1, 1<<20, elsewhere), cuda.InvalidValue)
	if err := p.Fill(data, 0, 4, 1, 0, 1<<48, elsewhere); err != nil {
		t.Errorf("a fill of nothing: %v", err)
	}
	if races := p.Report().Races; len(races) > 0 {
		t.Errorf("race %+v of a copy that is refused", races[0])
	}
}

// TestStreamOrderedMemory: an allocation by a stream comes before its uses in other streams only where
// something orders them, and so does a release after them.
func TestStreamOrderedMemory(t *testing.T) {
	const first, second = 1, 2
	for _, c := range []struct {
		name                   string
		sync, after, host      bool // after the allocation, after the use, and whether the host releases it
		want                   int
		allocatedBy, releaseBy uint32
	}{
		{name: "one stream", allocatedBy: first, releaseBy: first},
		{name: "allocated elsewhere", allocatedBy: second, releaseBy: first, want: 2}, // with the use, and with the release
		{name: "allocated elsewhere, and waited for", sync: true, allocatedBy: second, releaseBy: first},
		{name: "released elsewhere", allocatedBy: first, releaseBy: second, want: 2}, // beside the use, the allocation
		{name: "released elsewhere, after a wait", after: true, allocatedBy: first, releaseBy: second},
		{name: "released by the host", host: true, allocatedBy: first, want: 1},
		{name: "released by the host, after a wait", after: true, host: true, allocatedBy: first},
	} {
		p := newProcess(t, &cuda.Options{})
		k := kernel(t, p, "racy")
		for s := range order.Stream(3) {
			if err := p.Order(cuda.OrderCreate, 0, s+1, 1); err != nil {
				t.Fatal(err)
			}
		}
		data, err := p.Alloc(64, cuda.OnDevice, cuda.In{Stream: order.Stream(c.allocatedBy)}, nil)
		if err == nil && c.sync {
			err = p.Order(cuda.OrderStream, 0, order.Stream(c.allocatedBy), 0)
		}
		if err != nil {
			t.Fatal(err)
		}
		one := emu.Dim3{X: 1, Y: 1, Z: 1}
		err = p.Launch(&cuda.Launch{Kernel: k.ID, Grid: one, Block: one, Cluster: one, Params: binary.LittleEndian.AppendUint64(nil, data), In: cuda.In{Stream: first}}, nil)
		if err == nil && c.after {
			err = p.Order(cuda.OrderStream, 0, first, 0)
		}
		if err == nil {
			err = p.Free(data, cuda.In{Stream: order.Stream(c.releaseBy), Sync: c.host})
		}
		if err != nil {
			t.Fatal(err)
		}
		if races := p.Report().Races; len(races) != c.want {
			t.Errorf("%s: %d races, want %d", c.name, len(races), c.want)
		}
	}
}
