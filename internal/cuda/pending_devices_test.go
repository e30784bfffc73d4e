// Kernels of two devices that wait for each other, and operations between devices.

package cuda_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/cuda"
	"github.com/ptxsan/ptxsan/internal/order"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// exchange is a kernel of one thread that writes its input, tells the other device, waits until that has told it the
// same, reads the input there, and tells the other device that it has. The flags count: 2 a launch.
const exchange = `.version 7.0
.target sm_70
.address_size 64
.visible .entry exchange(.param .u64 mine, .param .u64 other, .param .u64 told, .param .u64 tells, .param .u64 out, .param .u64 round)
{
	.reg .b32 %r<4>; .reg .b64 %rd<6>; .reg .pred %p;
	ld.param.u64 %rd1, [mine];
	ld.param.u64 %rd2, [other];
	ld.param.u64 %rd3, [told];
	ld.param.u64 %rd4, [tells];
	ld.param.u64 %rd5, [out];
	ld.param.u32 %r1, [round];
	st.global.u32 [%rd1], %r1;
	TELL
	add.u32 %r1, %r1, 1;
FIRST:
	WAIT
	setp.lt.u32 %p, %r2, %r1;
	@%p bra FIRST;
	ld.global.u32 %r3, [%rd2];
	st.global.u32 [%rd5], %r3;
	TELL
	add.u32 %r1, %r1, 1;
LAST:
	WAIT
	setp.lt.u32 %p, %r2, %r1;
	@%p bra LAST;
	ret;
}
`

// pair is a process with two devices, each with a module and a buffer.
type pair struct {
	*neighbourhood
	module, buffer [2]uint64
}

func newPair(t *testing.T, ptx string, o cuda.Options) *pair {
	p := newPeers(t, ptx, o)
	p.alloc(0)
	p.alloc(1)
	return p
}

// alloc allocates the buffer of a device.
func (p *pair) alloc(d order.Device) {
	p.t.Helper()
	var err error
	p.buffer[d], err = p.Alloc(64, cuda.OnDevice, cuda.In{Device: d, Stream: order.Default(d), Sync: true}, nil)
	p.must(err)
}

// newPeers makes a pair without buffers.
func newPeers(t *testing.T, ptx string, o cuda.Options) *pair {
	o.Devices = 2
	p := &pair{neighbourhood: &neighbourhood{t: t, Process: newProcess(t, &o)}}
	p.pending = cuda.NewPending(p.Process, func(err error) { p.must(err) })
	for d := range order.Device(2) {
		in := cuda.In{Device: d, Stream: order.Default(d), Sync: true}
		p.must(p.EnablePeer(d, 1-d))
		id, failure := p.LoadModule([]byte(ptx), in)
		p.must(failure)
		p.module[d] = id
	}
	return p
}

// clear fills the buffers with zeros, and waits for both devices.
func (p *pair) clear() {
	p.t.Helper()
	for d := range order.Device(2) {
		p.must(p.Fill(p.buffer[d], 0, 4, 0, 16, 1, cuda.In{Device: d, Stream: order.Default(d), Sync: true}))
		p.must(p.Order(cuda.OrderDevice, d, order.Default(d), 0))
	}
}

// on launches a kernel of one thread in the default stream of a device.
func (p *pair) on(d order.Device, name string, params ...uint64) {
	p.t.Helper()
	p.modules = []uint64{p.module[d]}
	_, err := p.launchOn(d, order.Default(d), name, params...)
	p.must(err)
}

// exchanges has both devices execute exchange so many times, without waiting.
func (p *pair) exchanges(rounds uint64) {
	p.t.Helper()
	for round := range rounds {
		for d := range order.Device(2) {
			mine, other := p.buffer[d], p.buffer[1-d]
			p.on(d, "exchange", mine, other, mine+4, other+4, mine+8, 2*round)
		}
	}
	p.settle()
}

// result returns the word that a device has read from the other one.
func (p *pair) result(d order.Device) uint32 {
	p.t.Helper()
	b := make([]byte, 4)
	p.must(p.Read(p.buffer[d]+8, b, cuda.In{Device: d, Stream: order.Default(d), Sync: true}))
	return binary.LittleEndian.Uint32(b)
}

// TestExchangeOfDevices: two devices tell each other by flags that their inputs are there, in launches that nobody
// waits for. Only flags and fences of system scope order them.
func TestExchangeOfDevices(t *testing.T) {
	const (
		raise = "add.u32 %r2, %r1, 1; "
		wide  = "fence.acq_rel.sys; "
		near  = "fence.acq_rel.gpu; "
	)
	for _, c := range []struct {
		name, tell, wait string
		causes           []detect.Cause // one of these each; nil for no races
	}{
		{"release and acquire", raise + "st.release.sys.global.u32 [%rd4], %r2;", "ld.acquire.sys.global.u32 %r2, [%rd3];", nil},
		{"fences", raise + wide + "st.volatile.global.u32 [%rd4], %r2;", "ld.volatile.global.u32 %r2, [%rd3]; " + wide, nil},
		{"atomic operations", wide + "red.relaxed.sys.global.add.u32 [%rd4], 1;", "atom.relaxed.sys.global.add.u32 %r2, [%rd3], 0; " + wide, nil},
		{"device scope", raise + "st.release.gpu.global.u32 [%rd4], %r2;", "ld.acquire.gpu.global.u32 %r2, [%rd3];", []detect.Cause{detect.InsufficientAtomicScope, detect.InsufficientFenceScope}},
		{"a release of device scope", raise + "st.release.gpu.global.u32 [%rd4], %r2;", "ld.acquire.sys.global.u32 %r2, [%rd3];", []detect.Cause{detect.InsufficientAtomicScope, detect.InsufficientFenceScope}},
		{"a fence of device scope", raise + near + "st.volatile.global.u32 [%rd4], %r2;", "ld.volatile.global.u32 %r2, [%rd3]; " + wide, []detect.Cause{detect.InsufficientFenceScope}},
		{"a fence of device scope after the wait", raise + wide + "st.volatile.global.u32 [%rd4], %r2;", "ld.volatile.global.u32 %r2, [%rd3]; " + near, []detect.Cause{detect.InsufficientFenceScope}},
		{"no release", raise + "st.volatile.global.u32 [%rd4], %r2;", "ld.volatile.global.u32 %r2, [%rd3]; " + wide, []detect.Cause{detect.MissingFence}},
		{"no acquire", raise + wide + "st.volatile.global.u32 [%rd4], %r2;", "ld.volatile.global.u32 %r2, [%rd3];", []detect.Cause{detect.MissingFence}},
	} {
		for _, o := range schedules() {
			t.Run(fmt.Sprint(c.name, o.Emulator.Policy, o.Emulator.Seed), func(t *testing.T) {
				const rounds = 5
				p := newPair(t, strings.NewReplacer("TELL", c.tell, "WAIT", c.wait).Replace(exchange), *o)
				p.clear()
				p.exchanges(rounds)
				rep := p.Report()
				if !p.pending.Empty() || p.result(0) != 2*(rounds-1) || p.result(1) != 2*(rounds-1) || len(rep.Faults) > 0 {
					t.Errorf("empty %v, results %d and %d, faults %v", p.pending.Empty(), p.result(0), p.result(1), rep.Faults)
				}
				if (len(rep.Races) > 0) != (c.causes != nil) || len(rep.NotChecked) > 0 {
					t.Errorf("%d races, not checked: %v", len(rep.Races), rep.NotChecked)
				}
				for _, x := range rep.Races {
					a, b := x.First.Device, x.Second.Device
					if !slices.Contains(c.causes, x.Cause) || x.Kind != detect.InterKernel || a == nil || b == nil || *a == *b {
						t.Errorf("%s, %s: devices %v and %v: %s", x.Cause, x.Kind, a, b, x.Missing)
					}
					if o.Emulator.Policy == emu.ITS && x.Cause == detect.InsufficientFenceScope && (x.Fence == nil || !strings.Contains(x.Hint, fmt.Sprintf("system scope at %s:%d", x.Fence.PTX.File, x.Fence.PTX.Line))) {
						t.Errorf("%s: fence %+v, fix: %s", x.Missing, x.Fence, x.Hint)
					}
				}
				if slices.ContainsFunc(rep.Notes, func(note string) bool { return strings.Contains(note, "beside them") }) {
					t.Errorf("notes %q: kernels of different devices do run at the same time", rep.Notes)
				}
			})
		}
	}
}

// TestManyExchanges: so do more launches than are compared, of which the host waits for none.
func TestManyExchanges(t *testing.T) {
	tell, wait := "add.u32 %r2, %r1, 1; st.release.sys.global.u32 [%rd4], %r2;", "ld.acquire.sys.global.u32 %r2, [%rd3];"
	p := newPair(t, strings.NewReplacer("TELL", tell, "WAIT", wait).Replace(exchange), cuda.Options{})
	p.clear()
	p.exchanges(300)
	if rep := p.Report(); rep.Verdict != report.Clean || p.result(0) != 2*299 {
		t.Errorf("%s, %v, result %d", rep.Verdict, describe(rep.Races), p.result(0))
	}
}

// putAndGet has a kernel that writes a word, one that copies it, and one that does nothing.
const putAndGet = `.version 7.0
.target sm_70
.address_size 64
.visible .entry put(.param .u64 p)
{
	.reg .b64 %rd;
	ld.param.u64 %rd, [p];
	st.global.u32 [%rd], 7;
	ret;
}
.visible .entry get(.param .u64 p, .param .u64 out)
{
	.reg .b32 %r; .reg .b64 %rd<3>;
	ld.param.u64 %rd1, [p];
	ld.param.u64 %rd2, [out];
	ld.global.u32 %r, [%rd1];
	st.global.u32 [%rd2], %r;
	ret;
}
.visible .entry nothing() { ret; }
`

// TestOperationsOfDevices: what orders kernels and copies of two devices, and what does not.
func TestOperationsOfDevices(t *testing.T) {
	const event = 9
	in := func(d order.Device) cuda.In { return cuda.In{Device: d, Stream: order.Default(d)} }
	put := func(p *pair) { p.on(0, "put", p.buffer[0]) }
	get := func(p *pair) { p.on(1, "get", p.buffer[0], p.buffer[1]+16) }
	copied := func(p *pair) { p.must(p.Copy(p.buffer[1], p.buffer[0], 4, in(0))) }
	got := func(p *pair) { p.on(1, "get", p.buffer[1], p.buffer[1]+16) }
	waits := func(p *pair) {
		p.must(p.Order(cuda.OrderRecord, 0, order.Default(0), event))
		p.must(p.Order(cuda.OrderWait, 1, order.Default(1), event))
	}
	host := func(d order.Device) func(p *pair) {
		return func(p *pair) { p.must(p.Order(cuda.OrderDevice, d, order.Default(d), 0)) }
	}
	freed := func(d order.Device) func(p *pair) {
		return func(p *pair) {
			of, current := in(d), in(1)
			of.Sync, current.Sync = true, true
			address, err := p.Alloc(64, cuda.OnDevice, of, nil)
			p.must(err)
			p.must(p.Free(address, current))
		}
	}
	for _, c := range []struct {
		name string
		play []func(p *pair)
		racy bool
	}{
		{"kernels", []func(p *pair){put, get}, true},
		{"kernels and an event", []func(p *pair){put, waits, get}, false},
		{"kernels and a wait of the host", []func(p *pair){put, host(0), get}, false},
		{"kernels and a wait for the other device", []func(p *pair){put, host(1), get}, true},
		{"a copy and a kernel", []func(p *pair){put, copied, got}, true},
		{"a copy, an event and a kernel", []func(p *pair){put, copied, waits, got}, false},
		{"a copy between peers, which both devices wait for", []func(p *pair){put, func(p *pair) {
			across := in(0)
			across.Across, across.Sync = true, true
			p.must(p.Copy(p.buffer[1], p.buffer[0], 4, across))
		}, got}, false},
		{"a release of memory of the first device, while it is not current", []func(p *pair){put, freed(0), get}, false},
		{"a release of memory of the other device", []func(p *pair){put, freed(1), get}, true},
	} {
		p := newPair(t, putAndGet, cuda.Options{})
		p.clear()
		for _, f := range c.play {
			f(p)
		}
		p.settle()
		rep := p.Report()
		if racy := len(rep.Races) > 0; racy != c.racy || racy && rep.Races[0].Cause != detect.MissingStreamOrder || len(rep.Faults) > 0 {
			t.Errorf("%s: races %v, faults %v", c.name, describe(rep.Races), rep.Faults)
		}
	}
}

// describe lists races by their headlines.
func describe(races []*report.Race) (list []string) {
	for _, x := range races {
		list = append(list, x.Headline())
	}
	return list
}

// TestSecondDevice: launches are judged thread by thread from the first one on, or, after many of one device, from when
// a second one is used.
func TestSecondDevice(t *testing.T) {
	for _, threads := range []uint32{0, 1<<18 + 1} {
		p := newPeers(t, putAndGet, cuda.Options{})
		p.alloc(0)
		if threads > 0 {
			k, err := p.Kernel(p.module[0], "nothing")
			p.must(err)
			p.must(p.Launch(&cuda.Launch{Kernel: k.ID, Grid: emu.Dim3{X: threads, Y: 1, Z: 1}, Block: emu.Dim3{X: 1, Y: 1, Z: 1}}, nil))
		}
		p.on(0, "put", p.buffer[0])
		p.on(1, "get", p.buffer[0], p.buffer[0]+16)
		p.on(0, "put", p.buffer[0])
		known := 0
		for _, x := range p.Report().Races {
			for _, x := range x.Each() {
				if x.First.Known && x.Second.Known {
					known++
				}
			}
		}
		if want := map[bool]int{true: 1, false: 2}[threads > 0]; known != want {
			t.Errorf("after a launch of %d threads: the threads of %d races are known, want %d", threads, known, want)
		}
	}
}

// TestOneOfTwoDevices: a process that uses one of its devices is checked as one with a single device is.
func TestOneOfTwoDevices(t *testing.T) {
	p := newPair(t, strings.NewReplacer("TELL", "", "WAIT", "mov.u32 %r2, %r1;").Replace(exchange), cuda.Options{})
	for range 3 {
		p.on(1, "exchange", p.buffer[1], p.buffer[0], 0, 0, p.buffer[1]+8, 0)
	}
	p.settle()
	if rep := p.Report(); rep.Verdict != report.Clean || len(rep.NotChecked) > 0 {
		t.Errorf("%s, %v, not checked: %v", rep.Verdict, describe(rep.Races), rep.NotChecked)
	}
}
