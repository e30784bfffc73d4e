package attached

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/cuda"
	"github.com/ptxsan/ptxsan/internal/cuda/socket"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// TestChecked: a launch is checked, with the memory that the application has allocated by name.
func TestChecked(t *testing.T) {
	s, end := serve(t, cuda.Options{})
	m := s.load(kernel)
	if _, _, err := s.request(requestAlloc, words(contextHandle, s.out, 4)); err != nil {
		t.Fatal(err)
	}
	if got := s.launch(m); got != 0 || s.ran != 1 {
		t.Errorf("outcome %d, %d runs", got, s.ran)
	}
	if _, _, err := s.request(requestFree, words(contextHandle, s.out)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.request(requestUnload, words(m)); err != nil {
		t.Fatal(err)
	}
	rep, notes := end()
	if len(rep.Races) != 1 || !strings.HasPrefix(rep.Races[0].Symbol, "allocation 1") || len(notes) != 0 {
		t.Errorf("%d races, notes %q", len(rep.Races), notes)
	}
}

// TestPassed: what cannot be instrumented or compiled is passed on, and said.
func TestPassed(t *testing.T) {
	for _, c := range []struct {
		image, want string
		fail        command
	}{
		{kernel, "module 1 is not checked: module1.ptx: the driver refuses the instrumented PTX: line 7: too many registers", commandCompile},
		{kernel, "module 1 is not checked: no context", commandDescribe},
		{"\x7fELF machine code", "module 1 is not checked: ", commandResult},
		{".version 7.5\n.target sm_70\n.visible .entry k( {", "module1.ptx:3:", commandResult},
		{"", "module 1 is not checked: ", commandResult},
	} {
		s, end := serve(t, cuda.Options{})
		text := map[command]string{commandCompile: "line 7: too many registers", commandDescribe: "no context"}[c.fail]
		s.fail = failing(s.fail, 218, text, c.fail)
		if m := s.load(c.image); m != 0 {
			t.Errorf("%q: loaded as %d", c.image, m)
		}
		if _, _, err := s.request(requestPassed, append(words(0), "k"...)); err != nil {
			t.Error(err)
		}
		rep, notes := end()
		if len(notes) != 1 || !strings.Contains(notes[0], c.want) {
			t.Errorf("%q: notes %q, want %q", c.image, notes, c.want)
		}
		if !slices.ContainsFunc(rep.CoverageNotes(), func(n string) bool { return strings.HasPrefix(n, "1 launch of k: ") }) {
			t.Errorf("%q: the report's notes are %q", c.image, rep.Notes)
		}
	}
}

// TestNoMemory: a launch for which the detector has no memory is passed on, and counted; the next one is checked.
func TestNoMemory(t *testing.T) {
	s, end := serve(t, cuda.Options{})
	m := s.load(kernel)
	well := s.fail
	s.fail = failing(well, 2, "CUDA_ERROR_OUT_OF_MEMORY (out of memory)", commandAlloc, commandAllocManaged, commandAllocHost)
	for range 2 {
		if got := s.launch(m); got != -1 || s.ran != 0 {
			t.Errorf("without memory: outcome %d, %d runs", got, s.ran)
		}
	}
	s.fail = well
	if got := s.launch(m); got != 0 {
		t.Errorf("with memory: outcome %d", got)
	}
	rep, _ := end()
	if len(rep.Races) != 1 || !slices.ContainsFunc(rep.CoverageNotes(), func(n string) bool {
		return strings.HasPrefix(n, "2 launches of k: ") && strings.Contains(n, "CUDA_ERROR_OUT_OF_MEMORY")
	}) {
		t.Errorf("%d races, notes %q", len(rep.Races), rep.Notes)
	}
}

// TestFault: a kernel that the driver ends is a fault, and its result is the application's. Nothing is
// checked in its context any more.
func TestFault(t *testing.T) {
	s, end := serve(t, cuda.Options{})
	m := s.load(kernel)
	s.fail = failing(s.fail, 700, "CUDA_ERROR_ILLEGAL_ADDRESS", commandWait)
	s.fail = failing(s.fail, notReady, "", commandRun)
	if got := s.launch(m); got != 700 {
		t.Errorf("outcome %d", got)
	}
	if got := s.launch(m); got != -1 {
		t.Errorf("after a fault: outcome %d", got)
	}
	rep, _ := end()
	if len(rep.Faults) != 1 || rep.Faults[0].Class != "out-of-bounds" || rep.Verdict != report.Fault {
		t.Errorf("faults %v, verdict %s", rep.Faults, rep.Verdict)
	}
}

// TestRacesBeforeFault: races of collide are read when a fault has destroyed the context.
func TestRacesBeforeFault(t *testing.T) {
	s, end := serve(t, cuda.Options{Detectors: detectors(t, "collide")})
	m := s.load(kernel)
	s.faults = true
	if got := s.launch(m); got != 700 {
		t.Errorf("outcome %d", got)
	}
	rep, notes := end()
	if len(rep.Faults) != 1 || len(rep.Races) != 1 || len(notes) != 0 {
		t.Errorf("faults %v, races %v, notes %q", rep.Faults, rep.Races, notes)
	}
}

// TestRefusedLaunch: a launch that the driver refuses is neither a fault nor checked.
func TestRefusedLaunch(t *testing.T) {
	s, end := serve(t, cuda.Options{})
	m := s.load(kernel)
	s.fail = failing(s.fail, 701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", commandRun)
	if got := s.launch(m); got != 701 {
		t.Errorf("outcome %d", got)
	}
	rep, notes := end()
	if len(rep.Faults) != 0 || len(notes) != 1 || !strings.Contains(notes[0], "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES") {
		t.Errorf("faults %v, notes %q", rep.Faults, notes)
	}
}

// expiring is a context whose time is over when the test says so.
type expiring struct {
	context.Context
	over atomic.Bool
}

func (x *expiring) Err() error {
	if x.over.Load() {
		return context.DeadlineExceeded
	}
	return nil
}

// TestSlow: a kernel that runs for long is waited for, until the time is over.
func TestSlow(t *testing.T) {
	for _, ends := range []bool{true, false} {
		ctx := &expiring{Context: context.Background()}
		s, end := serve(t, cuda.Options{Context: ctx})
		m := s.load(kernel)
		looks := 0
		s.fail = func(c command) (int32, string) {
			if c != commandRun && c != commandWait {
				return 0, ""
			}
			if looks++; looks == 4 {
				ctx.over.Store(!ends)
				return map[bool]int32{false: notReady}[ends], ""
			}
			return notReady, ""
		}
		s.launch(m)
		rep, _ := end()
		if timeout := len(rep.Faults) == 1 && rep.Faults[0].Class == "timeout"; timeout == ends || looks != 4 {
			t.Errorf("faults %v after %d looks", rep.Faults, looks)
		}
	}
}

// TestNotWatched: launches that nobody asks about are passed on.
func TestNotWatched(t *testing.T) {
	for name, o := range map[string]cuda.Options{
		"kernel":   {Selection: cuda.Selection{Watch: func(string) bool { return false }}},
		"launches": {Selection: cuda.Selection{First: 2}},
	} {
		s, end := serve(t, o)
		if got := s.launch(s.load(kernel)); got != -1 || s.ran != 0 {
			t.Errorf("%s: outcome %d, %d runs", name, got, s.ran)
		}
		if rep, _ := end(); len(rep.Races)+len(rep.Faults) != 0 {
			t.Errorf("%s: findings", name)
		}
	}
}

// TestUnloaded: a launch of a module that is not there any more, or whose context is not, is passed on.
func TestUnloaded(t *testing.T) {
	s, end := serve(t, cuda.Options{})
	first, second := s.load(kernel), s.load(kernel)
	for r, body := range map[request][]byte{requestUnload: words(first), requestGone: words(contextHandle)} {
		if _, _, err := s.request(r, body); err != nil {
			t.Fatal(err)
		}
	}
	if a, b := s.launch(first), s.launch(second); a != -1 || b != -1 || s.ran != 0 {
		t.Errorf("outcomes %d and %d, %d runs", a, b, s.ran)
	}
	if again := s.load(kernel); s.launch(again) != 0 {
		t.Error("a context of the same handle is not checked")
	}
	if rep, _ := end(); len(rep.Races) != 1 || !slices.Contains(rep.CoverageNotes(), "2 launches of k: its module has been unloaded") {
		t.Errorf("%d races, notes %q", len(rep.Races), rep.Notes)
	}
}

// TestOtherContext: a launch in another context than that of the module is passed on, unless the module is of a
// library.
func TestOtherContext(t *testing.T) {
	s, end := serve(t, cuda.Options{})
	s.fail = func(c command) (int32, string) {
		if c == commandModule {
			return 500, "CUDA_ERROR_NOT_FOUND"
		}
		return 0, ""
	}
	body := append(words(s.load(kernel), 1, 1, 1, 64, 1, 1, 0, 0, 0, 0, 0, contextHandle+1), "k"...)
	if status, _, err := s.request(requestLaunch, body); status != resultPassed || err != nil {
		t.Error(status, err)
	}
	if rep, _ := end(); !slices.Contains(rep.CoverageNotes(), "1 launch of k: its module is that of another context: CUDA_ERROR_NOT_FOUND") {
		t.Errorf("notes %q", rep.Notes)
	}
}

// TestRegistered: a registered image comes back as a fat binary of instrumented PTX, which is not instrumented
// again, and is checked when the runtime has loaded it.
func TestRegistered(t *testing.T) {
	s, end := serve(t, cuda.Options{})
	status, made, err := s.request(requestRegister, []byte(kernel))
	if err != nil || status != resultDone {
		t.Fatal(status, err)
	}
	program, err := cuda.ReadProgram(1, made, cuda.DefaultTarget)
	if err != nil {
		t.Fatal(err)
	}
	if m := s.load(string(made)); m != 0 {
		t.Errorf("the instrumented image is loaded as %d", m)
	}
	if s.machine, err = s.device.Load(program.Module, emu.Config{}); err != nil {
		t.Fatal(err)
	}
	if status, _, err = s.request(requestAdopt, words(contextHandle, 99, 7)); err != nil || status != resultPassed {
		t.Errorf("a number that nobody has: %d, %v", status, err)
	}
	status, reply, err := s.request(requestAdopt, words(contextHandle, 1, 7))
	if err != nil || status != resultDone || string(reply[8:]) != "k\x00" {
		t.Fatalf("%d, %q, %v", status, reply, err)
	}
	if got := s.launch(le.Uint64(reply)); got != 0 {
		t.Errorf("outcome %d", got)
	}
	if rep, notes := end(); len(rep.Races) != 1 || len(notes) != 0 {
		t.Errorf("%d races, notes %q", len(rep.Races), notes)
	}
}

// TestProtocol: requests that no shim sends end the connection, and nothing else; as does an application
// that ends in the middle.
func TestProtocol(t *testing.T) {
	for _, c := range []struct {
		r    request
		body []byte
	}{
		{99, nil},
		{requestLoad, nil},
		{requestLaunch, words(1, 2)},
		{requestAlloc, words(1)},
		{requestPassed, make([]byte, mostRequest+1)},
		{requestAdopt, words(1)},
	} {
		s, end := serve(t, cuda.Options{})
		if status, _, err := s.request(c.r, c.body); err == nil && (c.r != requestLoad || status != resultPassed) {
			t.Errorf("request %d of %d bytes: %d", c.r, len(c.body), status)
		}
		end()
	}
	for _, at := range []command{commandDescribe, commandCompile, commandSymbol, commandAlloc, commandRun, commandWrite} {
		s, end := serve(t, cuda.Options{})
		s.fail = func(c command) (int32, string) {
			if c == at {
				s.conn.Close()
			}
			return 0, ""
		}
		status, reply, err := s.request(requestLoad, append(words(contextHandle), kernel...))
		if err == nil && status == resultDone {
			_, _, err = s.request(requestLaunch, append(words(le.Uint64(reply), 1, 1, 1, 64, 1, 1, 0, 0, 0, 0, 0, contextHandle), "k"...))
		}
		if err == nil || errors.Is(err, socket.ErrProtocol) {
			t.Errorf("command %d: %v", at, err)
		}
		end()
	}
}
