package session_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// shift copies an array by one element, from one buffer to another or in place.
const shift = `.version 7.0
.target sm_70
.address_size 64
.visible .entry shift(.param .u64 from, .param .u64 to)
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<6>;
	ld.param.u64 %rd1, [from];
	ld.param.u64 %rd2, [to];
	mov.u32 %r1, %tid.x;
	mad.wide.u32 %rd3, %r1, 4, %rd1;
	mad.wide.u32 %rd4, %r1, 4, %rd2;
	ld.global.u32 %r2, [%rd3+4];
	st.global.u32 [%rd4], %r2;
	ret;
}
`

// open is a session with detectors, none for "", and a program.
func open(t *testing.T, detectors, text string) *session.Session {
	t.Helper()
	var o session.Options
	var err error
	if detectors != "" {
		if o.Detectors, err = session.ParseDetectors(detectors); err != nil {
			t.Fatal(err)
		}
	}
	s, err := session.Open(o)
	if err == nil {
		err = s.Load(parse(t, text))
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func parse(t *testing.T, text string) *session.Program {
	t.Helper()
	p, err := session.Parse("k.ptx", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func buffer[T session.Number](t *testing.T, s *session.Session, name string, values []T) *session.Object {
	t.Helper()
	o, err := session.Buffer(s, name, values)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func launch(t *testing.T, s *session.Session, l session.Launch) *session.Result {
	t.Helper()
	res, err := s.Launch(context.Background(), l)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// What is concluded from a launch does not hold for a later one that gives the kernel
// something else: accesses that were left out are checked then.
func TestLaterLaunchTakesConclusionsBack(t *testing.T) {
	for _, detector := range session.DetectorNames() {
		s := open(t, detector, shift)
		a, b := buffer(t, s, "a", make([]uint32, 65)), buffer(t, s, "b", make([]uint32, 65))
		apart := session.Launch{Kernel: "shift", Block: emu.Dim3{X: 64}, Args: []any{a, b}}
		if res := launch(t, s, apart); len(res.Races) > 0 {
			t.Errorf("%s: a race between two buffers: %+v", detector, res.Races[0])
		}
		if s.Exempt() == 0 {
			t.Errorf("%s: nothing is concluded from two buffers", detector)
		}
		inPlace := apart
		inPlace.Args = []any{a, a}
		if res := launch(t, s, inPlace); len(res.Races) == 0 && detector != "ldetector" && detector != "collide" { // they look at shared memory only, or sample
			t.Errorf("%s: no race in place", detector)
		}
		if res := launch(t, s, apart); len(res.Races) > 0 {
			t.Errorf("%s: a race between two buffers, afterwards: %+v", detector, res.Races[0])
		}
	}
}

// Announced launches or not, the report is the same.
func TestAnnouncedOrNot(t *testing.T) {
	var reports [2]*report.Report
	for i := range reports {
		s := open(t, "precise,iguard,scord", shift)
		a, b := buffer(t, s, "a", make([]uint32, 65)), buffer(t, s, "b", make([]uint32, 65))
		launches := []session.Launch{
			{Kernel: "shift", Block: emu.Dim3{X: 64}, Args: []any{a, a}},
			{Kernel: "shift", Block: emu.Dim3{X: 64}, Args: []any{a, b}},
		}
		if i == 1 {
			if err := s.Announce(launches...); err != nil {
				t.Fatal(err)
			}
		}
		for _, l := range launches {
			launch(t, s, l)
		}
		reports[i] = s.Report()
	}
	ids := func(r *report.Report) (list []string) {
		for _, x := range r.Races {
			list = append(list, x.ID+x.Address.String()+x.Symbol)
		}
		return list
	}
	if len(reports[0].Races) == 0 || !slices.Equal(ids(reports[0]), ids(reports[1])) {
		t.Errorf("one after the other %v, announced %v", ids(reports[0]), ids(reports[1]))
	}
}

// A session's report says the same however often it is asked for, and again after a launch that shows nothing new.
func TestReportTwice(t *testing.T) {
	s := open(t, "precise,barracuda", shift)
	a, b := buffer(t, s, "a", make([]uint32, 65)), buffer(t, s, "b", make([]uint32, 65))
	launch(t, s, session.Launch{Kernel: "shift", Block: emu.Dim3{X: 64}, Args: []any{a, a}})
	text := func() string {
		out, err := json.Marshal(s.Report().Races)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	first := text()
	if !strings.Contains(first, `"count"`) {
		t.Fatalf("no race: %s", first)
	}
	if again := text(); again != first {
		t.Errorf("first %s, then %s", first, again)
	}
	launch(t, s, session.Launch{Kernel: "shift", Block: emu.Dim3{X: 64}, Args: []any{a, b}})
	if again := text(); again != first {
		t.Errorf("first %s, after another launch %s", first, again)
	}
}

// Programs on one device see one memory, and races have the lines of their own program.
func TestTwoPrograms(t *testing.T) {
	s := open(t, "precise,iguard", shift)
	other := parse(t, scale)
	if err := s.Load(other); err != nil {
		t.Fatal(err)
	}
	data := buffer(t, s, "data", []uint32{1, 2, 3, 4})
	l := session.Launch{Program: other, Kernel: "scale", Block: emu.Dim3{X: 3}, Args: []any{data, uint8(2)}}
	if res := launch(t, s, l); len(res.Races)+len(res.Faults) > 0 {
		t.Errorf("%+v", res)
	}
	if got, err := session.Values[uint32](data); err != nil || !slices.Equal(got, []uint32{2, 4, 6, 4}) {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := s.Launch(context.Background(), session.Launch{Kernel: "scale", Args: []any{data, 2}}); err == nil {
		t.Error("a launch that does not say of which program")
	}
	l.Grid.X = 2
	if res := launch(t, s, l); len(res.Races) == 0 || res.Races[0].First.Kernel != "scale" {
		t.Errorf("%+v", res.Races)
	}
}

// A fault ends the session, and names the buffer.
func TestFaultStops(t *testing.T) {
	s := open(t, "precise", scale)
	data := buffer(t, s, "data", []int32{1, 2})
	l := session.Launch{Kernel: "scale", Block: emu.Dim3{X: 3}, Args: []any{data, 1}}
	res := launch(t, s, l)
	if len(res.Faults) != 1 || res.Faults[0].Class != "out-of-bounds" || res.Faults[0].Thread != [3]uint32{2, 0, 0} {
		t.Errorf("%+v", res.Faults)
	}
	if _, err := s.Launch(context.Background(), l); !errors.Is(err, session.ErrStopped) {
		t.Errorf("after the fault: %v", err)
	}
	if rep := s.Report(); rep.Verdict != report.Fault {
		t.Errorf("verdict %s", rep.Verdict)
	}
}

// Mistakes in what the caller gives are input errors, and change nothing.
func TestInputErrors(t *testing.T) {
	s := open(t, "", scale)
	data := buffer(t, s, "data", []float32{1})
	for name, l := range map[string]session.Launch{
		"no kernel":   {Kernel: "gone", Args: []any{data, 1}},
		"arguments":   {Kernel: "scale", Args: []any{data}},
		"pointer":     {Kernel: "scale", Args: []any{1.5, data}},
		"a string":    {Kernel: "scale", Args: []any{data, "1"}},
		"bytes":       {Kernel: "scale", Args: []any{data, []byte{1}}},
		"not loaded":  {Program: parse(t, shift), Kernel: "shift", Args: []any{data, data}},
		"large block": {Kernel: "scale", Block: emu.Dim3{X: 2000}, Args: []any{data, 1}},
	} {
		_, err := s.Launch(context.Background(), l)
		var input *session.InputError
		if !errors.As(err, &input) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if rep := s.Report(); rep.Stats.Launches != 0 || s.Stopped() {
		t.Errorf("%d launches", rep.Stats.Launches)
	}
}

// Goroutines take turns.
func TestGoroutines(t *testing.T) {
	s := open(t, "precise,barracuda", scale)
	var work sync.WaitGroup
	for range 4 {
		work.Go(func() {
			data, err := session.Buffer(s, "data", []uint64{1, 1, 1, 1})
			for range 5 {
				if err == nil {
					_, err = s.Launch(context.Background(), session.Launch{Kernel: "scale", Block: emu.Dim3{X: 8}, Args: []any{data, 3}})
				}
			}
			if err == nil {
				err = data.Free()
			}
			if err != nil {
				t.Error(err)
			}
			s.Report()
		})
	}
	work.Wait()
	if rep := s.Report(); rep.Verdict != report.Clean || rep.Stats.Launches != 20 {
		t.Errorf("%s after %d launches", rep.Verdict, rep.Stats.Launches)
	}
}

// An interrupt ends a launch.
func TestInterrupt(t *testing.T) {
	s := open(t, "", scale)
	data := buffer(t, s, "data", []uint32{1})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Launch(ctx, session.Launch{Kernel: "scale", Args: []any{data, 1}}); !errors.Is(err, session.ErrInterrupted) {
		t.Error(err)
	}
}
