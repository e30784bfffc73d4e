package memtrace_test

import (
	"errors"
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/passtest"
	"github.com/ptxsan/ptxsan/internal/profile"
	"github.com/ptxsan/ptxsan/internal/sites"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/internal/memtrace"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

func TestGolden(t *testing.T) { passtest.Golden(t, memtrace.Pass) }

func kernel() passtest.Kernel {
	return passtest.Kernel{Name: "kernel", Grid: emu.Dim3{X: 1, Y: 2, Z: 1}, Block: emu.Dim3{X: 64, Y: 1, Z: 1}, Buffers: [][]byte{make([]byte, 256), make([]byte, 256)}}
}

// listener takes down what the emulator sees, thread by thread.
type listener struct {
	emu.NopListener
	module  *rewrite.Module
	dev     *passtest.Device
	threads map[string][]string
}

// at is an access: the line and the place, which is not the same address in every
// module.
func at(dev *passtest.Device, line int, addr uint64) string {
	name, off, _ := dev.Describe(addr)
	return fmt.Sprintf("%d %s+%d", line, name, off)
}

func (l *listener) Interest() emu.Interest {
	return emu.Interest{Needs: abi.Needs{Shared: true}, Kernel: func(kernel *rewrite.Func) { l.module = kernel.Module }}
}

func (l *listener) Accesses(b *abi.Batch) {
	for a := range b.All() {
		in := sites.At(l.module, a.Site)
		for m := a.Mask; m != 0; m &= m - 1 {
			lane := bits.TrailingZeros32(m)
			thread := fmt.Sprint(b.Block, b.Warp, lane)
			l.threads[thread] = append(l.threads[thread], at(l.dev, in.Line, a.At(lane)))
		}
	}
}

// keep is a sink that keeps the records of the last launch.
type keep struct{ records []abi.MemTraceRecord }

func (k *keep) Launch(l *profile.TracedLaunch) error {
	k.records = make([]abi.MemTraceRecord, 0, l.Records)
	return nil
}

func (k *keep) Record(r *abi.MemTraceRecord) error {
	k.records = append(k.records, *r)
	return nil
}

// count is a sink that counts, and fails at the record of a number.
type count struct{ records, fails int }

func (c *count) Launch(*profile.TracedLaunch) error { return nil }

func (c *count) Record(*abi.MemTraceRecord) error {
	if c.records++; c.records == c.fails {
		return errLost
	}
	return nil
}

var errLost = errors.New("lost")

// TestTraceIsStreamed: records are read and passed on a few at a time, whatever their
// number, and none after an error.
func TestTraceIsStreamed(t *testing.T) {
	const n = 3_000
	state := abi.MemTraceStateVar{Records: 1 << 20, Capacity: n, Next: n + 1, Version: abi.MemTraceVersion}
	for _, c := range []struct {
		sink count
		want int
	}{{count{}, n}, {count{fails: 1500}, 1500}} {
		dev := &longTrace{state: state.Encode()}
		trace := profile.NewMemTrace(n)
		if err := trace.Prepare(dev); err != nil {
			t.Fatal(err)
		}
		err := trace.Collect(dev, "k", [3]uint32{1, 1, 1}, &c.sink)
		if failed := c.sink.fails > 0; failed != errors.Is(err, errLost) || c.sink.records != c.want {
			t.Errorf("%d records, error %v", c.sink.records, err)
		}
		if dev.most > 1<<20 {
			t.Errorf("%d bytes are read at once", dev.most)
		}
	}
}

// longTrace is a device with a state of its own and records of zeros.
type longTrace struct {
	state []byte
	most  int // bytes read at once
}

func (d *longTrace) Symbol(string) (addr, size uint64, ok bool) {
	return 8, uint64(len(d.state)), true
}
func (d *longTrace) Alloc(string, uint64) (uint64, error) { return 1 << 20, nil }
func (d *longTrace) Write(uint64, []byte) error           { return nil }
func (d *longTrace) Read(addr uint64, p []byte) error {
	d.most = max(d.most, len(p))
	if addr == 8 {
		copy(p, d.state)
	}
	return nil
}

// TestRecords compares the trace of each thread with what a listener of the
// emulator sees when it runs the program as it is.
func TestRecords(t *testing.T) {
	in := passtest.Input(t, "testdata/basic.txtar")
	out := passtest.RunVerified(t, in, "memtrace", memtrace.Pass)
	kernel().SameResults(t, in, out.Module)

	seen := &listener{threads: map[string][]string{}}
	k := kernel()
	k.Listener = seen
	seen.dev = k.NewDevice(t, in)
	seen.dev.Launch(t)

	for _, policy := range []emu.Policy{emu.ITS, emu.Lockstep, emu.Random} {
		k := kernel()
		k.Policy, k.Seed = policy, 3
		dev := k.NewDevice(t, out.Module)
		trace, sink := profile.NewMemTrace(10_000), keep{}
		if err := trace.Prepare(dev); err != nil {
			t.Fatal(err)
		}
		dev.Launch(t)
		if err := trace.Collect(dev, "kernel", [3]uint32{1, 2, 1}, &sink); err != nil {
			t.Fatal(err)
		}
		got := map[string][]string{}
		for _, r := range sink.records {
			for m := r.Lanes; m != 0; m &= m - 1 {
				lane := bits.TrailingZeros32(m)
				thread := fmt.Sprint(r.Block, r.Warp, lane)
				got[thread] = append(got[thread], at(dev, out.Sites[r.Site-1].PTX.Line, r.Addresses[lane]))
			}
		}
		if len(got) != 128 || !maps.EqualFunc(got, seen.threads, slices.Equal) {
			t.Errorf("policy %d: the traces differ; thread 1 of block 0:\n%v\n%v", policy, got["0 0 1"], seen.threads["0 0 1"])
		}
	}
}

// TestText: addresses in runs, translated; records that do not fit are counted.
func TestText(t *testing.T) {
	in := passtest.Input(t, "testdata/basic.txtar")
	out := passtest.Run(t, in, "memtrace<shared=false>", memtrace.Pass)
	k := kernel()
	k.Grid.Y = 1
	k.Block.X = 8
	dev := k.NewDevice(t, out.Module)
	var b strings.Builder
	trace := profile.NewMemTrace(4)
	text := profile.NewTraceText(&b, out.Sites, func(a uint64) string {
		if a >= dev.Addresses[1] {
			return fmt.Sprintf("out+%d", a-dev.Addresses[1])
		}
		return fmt.Sprintf("in+%d", a-dev.Addresses[0])
	})
	for range 2 {
		if err := trace.Prepare(dev); err != nil {
			t.Fatal(err)
		}
		dev.Launch(t)
		if err := trace.Collect(dev, "kernel", [3]uint32{1, 1, 1}, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := text.Flush(); err != nil {
		t.Fatal(err)
	}
	// Two lanes leave after the store of line 13; the others go on to a loop of
	// i%4 turns with a store and a load each.
	const once = ` kernel, 4 records, 4 dropped
       1  block (0,0,0) warp 0 lanes 000000ff  ld.global.u32 at k.cu:11  in+0..in+28/+4
       2  block (0,0,0) warp 0 lanes 00000011  st.global.u32 at k.cu:13  out+0 out+16
       3  block (0,0,0) warp 0 lanes 000000ee  st.u32 at k.cu:14  out+4..out+12/+4 out+20..out+28/+4
       4  block (0,0,0) warp 0 lanes 000000ee  ld.u32 at k.cu:14  out+4..out+12/+4 out+20..out+28/+4
`
	if want := "launch 1:" + once + "launch 2:" + once; b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
}

const spaces = `.version 7.0
.target sm_70
.address_size 64
.global .u32 g;
.const .u32 c = 1;
.shared .u32 s;
.visible .entry k()
{
	.reg .u32 %r;
	.local .u32 l;
	ld.global.u32 %r, [g];
	ld.const.u32 %r, [c];
	ld.shared.u32 %r, [s];
	ld.local.u32 %r, [l];
	atom.global.add.u32 %r, [g], 1;
	ret;
}
`

func TestOptions(t *testing.T) {
	for pipeline, want := range map[string]string{
		"memtrace":               "11 13 15",
		"memtrace<local,const>":  "11 12 13 14 15",
		"memtrace<global=false>": "13",
		"memtrace<global=false,shared=false,local=true>": "14",
	} {
		out := passtest.Run(t, passtest.Load(t, "k.ptx", []byte(spaces)), pipeline, memtrace.Pass)
		var lines []string
		for _, s := range out.Sites {
			lines = append(lines, fmt.Sprint(s.PTX.Line))
		}
		if got := strings.Join(lines, " "); got != want {
			t.Errorf("%s traces lines %s, want %s", pipeline, got, want)
		}
	}
	p, err := passes.ParsePipeline("memtrace,memtrace", []*passes.Pass{memtrace.Pass})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Run(passtest.Load(t, "k.ptx", []byte(spaces))); err == nil || !strings.Contains(err.Error(), abi.MemTraceState) {
		t.Errorf("twice: %v", err)
	}
}
