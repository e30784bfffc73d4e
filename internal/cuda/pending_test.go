// Kernels that are resident together, and operations that wait behind them.

package cuda_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/cuda"
	"github.com/ptxsan/ptxsan/internal/order"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// neighbourhood is a process with streams, in which kernels that wait for each other are launched. Memory is
// 16 words: kernels get the addresses of some.
type neighbourhood struct {
	*cuda.Process
	t       *testing.T
	pending *cuda.Pending
	modules []uint64
	memory  uint64
	errors  []error // of operations that have not ended at once
}

// newNeighbourhood makes a process with three streams that do not wait for the default stream. The module is loaded as
// often as asked for; launches use the modules in turn.
func newNeighbourhood(t *testing.T, modules int, o *cuda.Options) *neighbourhood {
	n := &neighbourhood{t: t, Process: newProcess(t, o)}
	n.pending = cuda.NewPending(n.Process, func(err error) {
		if err != nil {
			n.errors = append(n.errors, err)
		}
	})
	ptx, err := os.ReadFile("wire/testdata/beside.ptx")
	n.must(err)
	for range modules {
		id, failure := n.LoadModule(ptx, cuda.In{})
		n.must(failure)
		n.modules = append(n.modules, id)
	}
	for s := range 3 {
		const nonBlocking = 1
		n.must(n.Order(cuda.OrderCreate, 0, order.Stream(s+1), nonBlocking))
	}
	n.memory, err = n.Alloc(64, cuda.OnDevice, waits, nil)
	n.must(err)
	n.must(n.Fill(n.memory, 0, 4, 0, 16, 1, waits))
	n.must(n.Order(cuda.OrderDevice, 0, 0, 0))
	return n
}

func (n *neighbourhood) must(err error) {
	n.t.Helper()
	if err != nil {
		n.t.Fatal(err)
	}
}

// word returns the address of a word.
func (n *neighbourhood) word(i int) uint64 { return n.memory + 4*uint64(i) }

// value returns what a word holds.
func (n *neighbourhood) value(i int) uint32 {
	n.t.Helper()
	b := make([]byte, 4)
	n.must(n.Read(n.word(i), b, waits))
	return binary.LittleEndian.Uint32(b)
}

// launch launches a kernel on device 0, with numbers as parameters.
func (n *neighbourhood) launch(s order.Stream, name string, params ...uint64) (ended bool, err error) {
	n.t.Helper()
	return n.launchOn(0, s, name, params...)
}

// launchOn launches a kernel on a device.
func (n *neighbourhood) launchOn(
	d order.Device, s order.Stream, name string, params ...uint64,
) (ended bool, err error) {
	n.t.Helper()
	module := n.modules[0]
	n.modules = append(n.modules[1:], module)
	k, err := n.Kernel(module, name)
	n.must(err)
	one := emu.Dim3{X: 1, Y: 1, Z: 1}
	l := &cuda.Launch{Kernel: k.ID, Grid: one, Block: one, In: cuda.In{Device: d, Stream: s}}
	for _, p := range params {
		l.Params = binary.LittleEndian.AppendUint64(l.Params, p)
	}
	o := &cuda.Operation{Stream: s, Text: "the launch of kernel " + name, Kernel: name, Waits: true}
	l.Stopped = o.StoppedBy
	o.Execute = func(by *cuda.Others) error {
		l.Context, l.Stalled, l.Pause, l.PauseAfter = by.Context, by.Stalled, by.Pause, by.PauseAfter
		return n.Launch(l, nil)
	}
	return n.pending.Add(o)
}

// add adds an operation that does not wait for memory.
func (n *neighbourhood) add(s order.Stream, o cuda.Operation, f func() error) (ended bool) {
	n.t.Helper()
	o.Stream, o.Execute = s, func(*cuda.Others) error { return f() }
	ended, err := n.pending.Add(&o)
	n.must(err)
	return ended
}

// settle has operations go on until nothing changes.
func (n *neighbourhood) settle() {
	n.t.Helper()
	n.pending.HostWaits = true
	for range 10_000 {
		if !n.pending.Look() {
			return
		}
	}
	n.t.Fatal("the operations go on for ever")
}

// schedules are options of several schedules.
func schedules() (list []*cuda.Options) {
	for _, p := range []emu.Policy{emu.ITS, emu.Random, emu.PCT} {
		for seed := range uint64(5) {
			if p == emu.ITS && seed > 0 {
				continue
			}
			list = append(list, &cuda.Options{Emulator: emu.Config{Policy: p, Seed: seed}})
		}
	}
	return list
}

// TestSideBySide: a kernel waits for another one of its module or of another, whichever is first. The fence is missing in
// one of two.
func TestSideBySide(t *testing.T) {
	for _, o := range schedules() {
		for modules := 1; modules <= 2; modules++ {
			for _, producer := range []string{"produce", "careless"} {
				for _, first := range []string{"consume", producer} {
					t.Run(fmt.Sprint(o.Emulator.Policy, o.Emulator.Seed, modules, producer, first), func(t *testing.T) {
						n := newNeighbourhood(t, modules, o)
						for i, name := range []string{"consume", producer} {
							if first == producer {
								name = []string{producer, "consume"}[i]
							}
							params := []uint64{n.word(0), n.word(8), n.word(4)}
							if name == producer {
								params = params[:2]
							}
							_, err := n.launch(order.Stream(1+i), name, params...)
							n.must(err)
						}
						n.settle()
						rep := n.Report()
						if !n.pending.Empty() || n.value(4) != 42 || len(rep.Faults) > 0 || len(n.errors) > 0 {
							t.Errorf("empty %v, result %d, faults %v", n.pending.Empty(), n.value(4), rep.Faults)
						}
						relies := slices.ContainsFunc(rep.Notes, func(note string) bool {
							return strings.HasPrefix(note, "waited for other kernels beside them: consume; CUDA does not guarantee")
						})
						if o.Emulator.Policy == emu.ITS && relies != (first == "consume") {
							t.Errorf("notes %q", rep.Notes)
						}
						if racy := len(rep.Races) > 0; racy != (producer == "careless") {
							t.Errorf("races %+v", rep.Races)
						}
						for _, x := range rep.Races {
							if !strings.Contains(x.Missing, "a fence of device scope between the write and module") {
								t.Errorf("missing: %s", x.Missing)
							}
						}
					})
				}
			}
		}
	}
}

// TestSideBySideInside: kernels with a detector inside, which has memory for each of them, and fences of its own.
func TestSideBySideInside(t *testing.T) {
	for _, name := range []string{"iguard", "collide"} {
		for _, producer := range []string{"produce", "careless"} {
			detectors, err := session.ParseDetectors(name)
			if err != nil {
				t.Fatal(err)
			}
			n := newNeighbourhood(t, 1, &cuda.Options{Detectors: detectors})
			_, err = n.launch(1, "consume", n.word(0), n.word(8), n.word(4))
			n.must(err)
			_, err = n.launch(2, producer, n.word(0), n.word(8))
			n.must(err)
			n.settle()
			rep := n.Report()
			if n.value(4) != 42 || len(rep.Faults) > 0 || len(rep.Races) > 0 != (producer == "careless") {
				t.Errorf("%s, %s: result %d, races %v, faults %v", name, producer, n.value(4), rep.Races, rep.Faults)
			}
			n.must(n.Unload(n.modules[0]))
		}
	}
}

// TestPingPong: two kernels wait for each other in turn.
func TestPingPong(t *testing.T) {
	for _, o := range schedules() {
		n := newNeighbourhood(t, 1, o)
		for me := range uint64(2) {
			_, err := n.launch(order.Stream(1+me), "play", n.word(0), n.word(8), me|(1-me)<<32)
			n.must(err)
		}
		n.settle()
		if rep := n.Report(); !n.pending.Empty() || n.value(0) != 20 || len(rep.Faults)+len(rep.Races) > 0 {
			t.Errorf("policy %d, seed %d: %d of 20 rounds, faults %v, races %v", o.Emulator.Policy, o.Emulator.Seed, n.value(0), rep.Faults,
				rep.Races)
		}
	}
}

// TestConflictOfResidents: two kernels that are resident together write a word, whichever is first.
func TestConflictOfResidents(t *testing.T) {
	for _, o := range schedules() {
		n := newNeighbourhood(t, 1, o)
		_, err := n.launch(1, "meet", n.word(8), n.word(9), n.word(0))
		n.must(err)
		_, err = n.launch(2, "meet", n.word(9), n.word(8), n.word(0))
		n.must(err)
		n.settle()
		if rep := n.Report(); len(rep.Races) != 1 || len(rep.Faults) > 0 {
			t.Errorf("policy %d, seed %d: races %+v, want one; faults %v", o.Emulator.Policy, o.Emulator.Seed, rep.Races, rep.Faults)
		}
	}
}

// TestBehind: what is requested behind a kernel that waits begins when it has ended, in order, also behind an event.
func TestBehind(t *testing.T) {
	n := newNeighbourhood(t, 1, &cuda.Options{})
	ended, err := n.launch(1, "consume", n.word(0), n.word(8), n.word(4))
	n.must(err)
	const event = 5
	copies := func(s order.Stream, to, from int) bool {
		return n.add(s, cuda.Operation{}, func() error { return n.Copy(n.word(to), n.word(from), 4, cuda.In{Stream: s}) })
	}
	ended = ended || copies(1, 5, 4)
	ended = ended || n.add(1, cuda.Operation{Records: event}, func() error { return n.Order(cuda.OrderRecord, 0, 1, event) })
	ended = ended || n.add(2, cuda.Operation{Awaits: event}, func() error { return n.Order(cuda.OrderWait, 0, 2, event) })
	ended = ended || copies(2, 6, 5)
	if ended || n.pending.Recorded(event) || !n.pending.Before(2) || n.pending.Before(3) {
		t.Fatal("an operation behind the kernel has ended")
	}
	if n.settle(); n.value(6) != 0 || n.pending.Empty() {
		t.Fatal("an operation has not waited")
	}
	if ended, err = n.launch(3, "produce", n.word(0), n.word(8)); !ended || err != nil {
		t.Fatal(ended, err)
	}
	n.settle()
	if rep := n.Report(); n.value(6) != 42 || !n.pending.Empty() || len(rep.Races)+len(rep.Faults) > 0 {
		t.Errorf("result %d, %+v", n.value(6), rep)
	}
}

// TestDefaultStream: the default stream waits for blocking streams, and these for it.
func TestDefaultStream(t *testing.T) {
	n := newNeighbourhood(t, 1, &cuda.Options{})
	n.must(n.Order(cuda.OrderCreate, 0, 4, 0))
	_, err := n.launch(4, "consume", n.word(0), n.word(8), n.word(4))
	n.must(err)
	if !n.pending.Before(0) || n.pending.Before(1) || !n.pending.Before(4) {
		t.Error("who waits for a blocking stream")
	}
	n.must(n.Fill(n.word(8), 0, 4, 1, 1, 1, cuda.In{Stream: 1}))
	n.settle()
	n.must(n.Fill(n.word(8), 0, 4, 0, 1, 1, cuda.In{Stream: 4}))
	_, err = n.launch(0, "consume", n.word(0), n.word(8), n.word(4))
	n.must(err)
	if !n.pending.Before(4) || n.pending.Before(1) || n.pending.Empty() {
		t.Error("who waits for the default stream")
	}
}

// TestDeadlock: the faults of kernels that nobody can let go on say who waits for whom. That of a kernel alone says no
// more than it does without streams.
func TestDeadlock(t *testing.T) {
	const consumer, hosts = "kernel consume in stream 1 waits for memory at module1.ptx:", "the host waits for stream 1"
	for _, c := range []struct {
		name    string
		launch  func(n *neighbourhood)
		message string // of all faults, after "; "
		faults  int
	}{
		{"alone", func(n *neighbourhood) {
			_, err := n.launch(1, "consume", n.word(0), n.word(8), n.word(4))
			n.must(err)
		}, "", 1},
		{"behind", func(n *neighbourhood) {
			_, err := n.launch(1, "consume", n.word(0), n.word(8), n.word(4))
			n.must(err)
			_, err = n.launch(1, "produce", n.word(0), n.word(8))
			n.must(err)
		}, "deadlock of streams: " + consumer +
			"13, the launch of kernel produce in stream 1 waits for the end of kernel consume, " + hosts, 1},
		{"each", func(n *neighbourhood) {
			_, err := n.launch(1, "consume", n.word(0), n.word(8), n.word(4))
			n.must(err)
			_, err = n.launch(2, "play", n.word(0), n.word(8), 1)
			n.must(err)
		}, "deadlock of streams: " + consumer + "13, kernel play in stream 2 waits for memory at module1.ptx:68, " + hosts, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := newNeighbourhood(t, 1, &cuda.Options{})
			c.launch(n)
			n.settle()
			n.pending.Deadlocked([]string{hosts})
			n.settle()
			rep := n.Report()
			if !n.pending.Empty() || len(rep.Faults) != c.faults || len(n.errors) != c.faults {
				t.Fatalf("faults %+v, errors %v", rep.Faults, n.errors)
			}
			for _, f := range rep.Faults {
				if _, message, _ := strings.Cut(f.Message, "; "); f.Class != "livelock" || message != c.message {
					t.Errorf("%s: %s", f.Class, f.Message)
				}
			}
		})
	}
}

// TestFaultBeside: a fault of a kernel ends those beside it, which are not to blame, and what waits behind them.
func TestFaultBeside(t *testing.T) {
	n := newNeighbourhood(t, 1, &cuda.Options{})
	_, err := n.launch(1, "consume", n.word(0), n.word(8), n.word(4))
	n.must(err)
	_, err = n.launch(1, "produce", n.word(0), n.word(8))
	n.must(err)
	ended, err := n.launch(2, "wrong")
	if outcome := (*cuda.Error)(nil); !ended || !errors.As(err, &outcome) || outcome.Result != cuda.IllegalAddress || !outcome.Stops() {
		t.Fatal(ended, err)
	}
	n.pending.Abort()
	if rep := n.Report(); !n.pending.Empty() || len(rep.Faults) != 1 || rep.Faults[0].Class != "out-of-bounds" || n.value(8) != 0 {
		t.Errorf("faults %+v", rep.Faults)
	}
}

// TestSchedulesOfResidents: a seed gives the same report each time, and some seed another order than the default
// schedule.
func TestSchedulesOfResidents(t *testing.T) {
	run := func(o *cuda.Options) (text string, values [2]uint32) {
		n := newNeighbourhood(t, 1, o)
		for s := range 2 { // unordered updates of word 4
			_, err := n.launch(order.Stream(s+1), "consume", n.word(0), n.word(8), n.word(4))
			n.must(err)
		}
		_, err := n.launch(3, "produce", n.word(0), n.word(8))
		n.must(err)
		n.settle()
		return reportText(t, n.Report()), [2]uint32{n.value(4), n.value(0)}
	}
	lost, list := false, schedules()
	for seed := range uint64(40) {
		list = append(list, &cuda.Options{Emulator: emu.Config{Policy: emu.Random, Seed: 5 + seed}})
	}
	for _, o := range list {
		text, values := run(o)
		if again, same := run(o); again != text || same != values {
			t.Errorf("policy %d, seed %d: two reports\n%s\n%s", o.Emulator.Policy, o.Emulator.Seed, text, again)
		}
		if o.Emulator.Policy == emu.ITS && values[0] != 84 {
			t.Errorf("default schedule: sum %d", values[0])
		}
		lost = lost || values[0] == 42
	}
	if !lost {
		t.Error("no schedule has lost an update")
	}
}

func reportText(t *testing.T, rep *report.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := rep.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
