package scord

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// play hands a history to a detector and returns the rules that it breaks. An event is
// "b0w1 op": st, ld (volatile), st.weak, ld.weak, st.release, ld.acquire, with .cta or
// .gpu after it, and a word X, Y, ... with a byte offset; atom, cas, exch likewise;
// fence.cta, fence.gpu; bar; diverge, converge. What an atomic operation finds and
// writes may follow as 0>1. A number after w1. is the lane.
func play(t *testing.T, opts Options, history string) string {
	t.Helper()
	s, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	s.Begin(detect.Launch{Kernel: "k", LaunchShape: detect.LaunchShape{Grid: [3]uint32{4, 1, 1}, Block: [3]uint32{64, 1, 1}, Memory: 1024}})
	for i, line := range strings.Split(strings.TrimSpace(history), ";") {
		ev := parseEvent(t, strings.TrimSpace(line))
		ev.Site = uint32(i + 1)
		abi.Deliver(s, &ev)
	}
	var rules []string
	for _, r := range s.End() {
		rules = append(rules, r.Detail[7:8])
	}
	slices.Sort(rules)
	return strings.Join(slices.Compact(rules), "")
}

// TestTensorMap: an edit of a tensor map reads and writes without being atomic, so
// that two of them race, (a) of Table IV.
func TestTensorMap(t *testing.T) {
	s, err := New(DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	s.Begin(detect.Launch{LaunchShape: detect.LaunchShape{Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{64, 1, 1}}})
	for w := range uint32(2) {
		abi.Deliver(s, &abi.Event{Kind: abi.EventAccess, Site: 1 + w, Warp: w, Mask: 1, Space: abi.SpaceGlobal, Access: abi.AccessRMW, Sem: abi.SemWeak, Bytes: 128})
	}
	if races := s.End(); len(races) != 1 || races[0].Cause != "missing-barrier" {
		t.Errorf("%+v, expected one race for want of a barrier", races)
	}
}

func parseEvent(t *testing.T, text string) abi.Event {
	t.Helper()
	ev := abi.Event{Mask: 1, Live: 0xffffffff, Bytes: 4, Space: abi.SpaceGlobal}
	var who, op, where, values string
	if n, _ := fmt.Sscan(text, &who, &op, &where, &values); n < 2 {
		t.Fatalf("event %q", text)
	}
	lane := 0
	if _, err := fmt.Sscanf(who+" ", "b%dw%d.%d ", &ev.Block, &ev.Warp, &lane); err != nil {
		lane = 0
		if _, err := fmt.Sscanf(who, "b%dw%d", &ev.Block, &ev.Warp); err != nil {
			t.Fatalf("event %q: %v", text, err)
		}
	}
	ev.Mask = 1 << lane
	words := strings.Split(op, ".")
	has := func(w string) bool { return slices.Contains(words, w) }
	ev.Scope = abi.ScopeGPU
	if has("cta") {
		ev.Scope = abi.ScopeCTA
	}
	ev.Sem = abi.SemVolatile
	for word, sem := range map[string]abi.Semantics{"weak": abi.SemWeak, "release": abi.SemRelease, "acquire": abi.SemAcquire} {
		if has(word) {
			ev.Sem = sem
		}
	}
	ev.Kind = abi.EventAccess
	switch words[0] {
	case "ld":
	case "st":
		ev.Access = abi.AccessStore
	case "atom", "cas", "exch":
		ev.Access, ev.Sem = abi.AccessRMW, abi.SemRelaxed
		ev.Atomic = map[string]abi.AtomicOp{"cas": abi.AtomicCAS, "exch": abi.AtomicExch}[words[0]]
	case "fence":
		ev.Kind, ev.Sem = abi.EventFence, abi.SemSC
	case "bar":
		ev.Kind = abi.EventBarrierComplete
	case "diverge":
		ev.Kind = abi.EventDiverge
	case "converge":
		ev.Kind, ev.Mask = abi.EventConverge, ev.Live
	default:
		t.Fatalf("event %q", text)
	}
	_, err := fmt.Sscanf(values, "%d>%d", &ev.Old[lane], &ev.New[lane])
	if ev.Valued = err == nil; ev.Valued && (words[0] != "cas" || ev.Old[lane] == 0) {
		ev.Wrote = ev.Mask
	}
	if where != "" {
		off := uint64(0)
		if len(where) > 1 {
			if _, err := fmt.Sscan(where[1:], &off); err != nil {
				t.Fatalf("event %q: %v", text, err)
			}
		}
		ev.Addr[lane] = 1<<32 + uint64(where[0]-'A')<<12 + off
	}
	return ev
}

// Critical sections of block 0 and 1, warp 0.
const (
	lock0   = "b0w0 cas L; b0w0 fence.gpu; b0w0 st X; "
	unlock0 = "b0w0 fence.gpu; b0w0 exch L; "
	lock1   = "b1w0 cas L; b1w0 fence.gpu; b1w0 st X; "
	unlock1 = "b1w0 fence.gpu; b1w0 exch L"
)

// TestMicro is shapes of the categories of Table I, with the verdicts of the
// paper: the letters of the conditions of Table IV, or nothing.
func TestMicro(t *testing.T) {
	for name, c := range map[string]struct{ history, want string }{
		// Fences.
		"flag without fence":             {"b0w0 st X; b0w0 exch F; b1w0 atom F; b1w0 ld X", "b"},
		"flag with device fence":         {"b0w0 st X; b0w0 fence.gpu; b0w0 exch F; b1w0 atom F; b1w0 ld X", ""},
		"flag with block fence":          {"b0w0 st X; b0w0 fence.cta; b0w0 exch F; b1w0 atom F; b1w0 ld X", "b"},
		"block fence within a block":     {"b0w0 st X; b0w0 fence.cta; b0w0 exch.cta F; b0w1 atom.cta F; b0w1 ld X", ""},
		"device fence within a block":    {"b0w0 st X; b0w0 fence.gpu; b0w0 exch F; b0w1 atom F; b0w1 ld X", ""},
		"read, fence, read again, write": {"b0w0 ld X; b0w0 fence.gpu; b0w0 exch F; b0w0 ld X; b1w0 atom F; b1w0 st X", "b"},
		"chain of scopes":                {"b0w0 st X; b0w0 fence.cta; b0w0 exch.cta F; b0w1 atom.cta F; b0w1 st X; b0w1 fence.gpu; b0w1 exch G; b1w0 atom G; b1w0 st X; b1w0 fence.cta; b1w1 st X", ""},
		// Barriers.
		"barrier":                             {"b0w0 st.weak X; b0w0 bar; b0w1 ld.weak X", ""},
		"no barrier":                          {"b0w0 st.weak X; b0w1 ld.weak X", "a"},
		"barrier of another block":            {"b0w0 st X; b1w0 bar; b0w1 ld X", "a"},
		"broadcast after a barrier":           {"b0w0 st.weak X; b0w0 bar; b0w0 ld.weak X; b0w1 ld.weak X; b0w0 ld.weak X", ""},
		"overwritten without a barrier":       {"b0w0 st.weak X; b0w0 bar; b0w0 ld.weak X; b0w1 ld.weak X; b0w0 st.weak X", "a"},
		"read by neighbours, then own update": {"b0w0 ld.weak X; b0w1 ld.weak X; b0w0 bar; b0w1 ld.weak X; b0w1 st.weak X; b0w1 st.weak X", ""},
		"handed to a block, which goes on":    {"b0w0 st X; b0w0 fence.gpu; b1w0 ld X; b1w0 bar; b1w1 st.weak X", ""},
		"readers of two blocks, then writer":  {"b0w0 ld X; b1w0 ld X; b1w0 bar; b1w1 st X", "a"},
		// Strong operations.
		"weak data with fences": {"b0w0 st.weak X; b0w0 fence.gpu; b1w0 ld.weak X", "c"},
		// Atomics.
		"device atomics":              {"b0w0 atom X; b1w0 atom X; b0w1 atom X", ""},
		"block atomics in two blocks": {"b0w0 atom.cta X; b1w0 atom.cta X", "d"},
		"block atomics in one block":  {"b0w0 atom.cta X; b0w1 atom.cta X", ""},
		"block and device atomic":     {"b0w0 atom.cta X; b0w1 atom X; b0w0 atom.cta X", ""},
		"store and atomic":            {"b0w0 st X; b1w0 atom X", "b"},
		"atomic and store":            {"b0w0 atom X; b0w1 st X", "a"},
		"one thread":                  {"b0w0 atom.cta X; b0w0 st X", ""},
		// Locks.
		"locked":                          {lock0 + unlock0 + lock1 + unlock1, ""},
		"no fence after the lock":         {"b0w0 cas L; b0w0 st X; " + unlock0 + lock1 + unlock1, "f"},
		"no fence after the second lock":  {lock0 + unlock0 + "b1w0 cas L; b1w0 st X; " + unlock1, "f"},
		"block fence after a device lock": {"b0w0 cas L; b0w0 fence.cta; b0w0 st X; " + unlock0 + lock1 + unlock1, "f"},
		"no fence before the unlock":      {lock0 + "b0w0 exch L; b1w0 cas L; b1w0 st X; b1w0 exch L", "b"},
		"second side unlocked":            {lock0 + unlock0 + "b1w0 st X", "f"},
		"first side unlocked":             {"b0w0 st X; " + lock1 + unlock1, "b"},
		"read under the lock, then written": {
			"b1w0 cas L; b1w0 fence.gpu; b1w0 ld X; b1w0 fence.gpu; b1w0 exch L; b0w0 cas L; b0w0 fence.gpu; b0w0 ld X; b0w0 fence.gpu; b0w0 exch L; b0w0 st X", "f",
		},
		"two locks":                          {lock0 + unlock0 + "b1w0 cas M; b1w0 fence.gpu; b1w0 st X", "f"},
		"block lock in two blocks":           {"b0w0 cas.cta L; b0w0 fence.gpu; b0w0 st X; b0w0 fence.gpu; b0w0 exch.cta L; b1w0 cas.cta L; b1w0 fence.gpu; b1w0 st X", "df"},
		"device and block scope, one block":  {"b0w0 cas L; b0w0 fence.gpu; b0w0 st X; b0w0 fence.gpu; b0w0 exch L; b0w1 cas.cta L; b0w1 fence.cta; b0w1 st X", ""},
		"updates under a lock, several each": {"b0w0 cas L; b0w0 fence.gpu; b0w0 ld X; b0w0 st X; b0w0 ld X; b0w0 st X; " + unlock0 + "b1w0 cas L; b1w0 fence.gpu; b1w0 ld X; b1w0 st X; b1w0 ld X; b1w0 st X; " + unlock1, ""},
	} {
		if got := play(t, DefaultOptions(), c.history); got != c.want {
			t.Errorf("%s: rules %q, expected %q", name, got, c.want)
		}
	}
}

// TestOptions: the same history with and without an option.
func TestOptions(t *testing.T) {
	with := func(change func(*Options)) Options {
		o := DefaultOptions()
		change(&o)
		return o
	}
	its := with(func(o *Options) { o.ITS = true })
	release := with(func(o *Options) { o.Release = true })
	lockValues := with(func(o *Options) { o.LockValues = true })
	cumulative := with(func(o *Options) { o.Cumulative = true })
	cached := with(func(o *Options) { o.Cache = true })
	for name, c := range map[string]struct {
		opts          Options
		history       string
		without, want string
	}{
		"weak data": {with(func(o *Options) { o.Strong = false }), "b0w0 st.weak X; b0w0 fence.gpu; b1w0 ld.weak X", "c", ""},
		"neighbours of a granule": {
			with(func(o *Options) { o.Granularity = 8 }), "b0w0 st X; b1w0 st X4; b0w0 st X8", "", "b",
		},
		"neighbours of a granule of 16": {
			with(func(o *Options) { o.Granularity = 16 }), "b0w0 st X; b1w0 st X12; b0w0 st X16", "", "b",
		},
		"threads of a warp that has diverged": {its, "b0w0.1 diverge; b0w0.1 st X; b0w0.2 ld X", "", "a"},
		"one thread of it":                    {its, "b0w0.1 diverge; b0w0.1 st X; b0w0.1 ld X", "", ""},
		"with a fence":                        {its, "b0w0.1 diverge; b0w0.1 st X; b0w0.1 fence.cta; b0w0.2 ld X", "", ""},
		"after they have met":                 {its, "b0w0.1 diverge; b0w0.1 st X; b0w0.1 converge; b0w0.2 ld X", "", ""},
		"before they parted":                  {its, "b0w0.1 st X; b0w0.1 diverge; b0w0.2 ld X", "", ""},
		"release and acquire":                 {release, "b0w0 st X; b0w0 st.release F; b1w0 ld.acquire F; b1w0 ld X", "b", ""},
		"release of block scope":              {release, "b0w0 st X; b0w0 st.release.cta F; b1w0 ld.acquire F; b1w0 ld X", "b", "bd"},
		"flag that is polled":                 {release, "b1w0 ld.acquire F; b0w0 st X; b0w0 st.release F; b1w0 ld.acquire F; b1w0 ld X", "b", ""},
		"flag that is polled at block scope":  {release, "b1w0 ld.acquire.cta F; b0w0 st.release F", "b", "d"},
		"own plain write that is polled":      {release, "b0w0 st F; b0w0 ld.acquire F; b1w0 st.release F", "b", "b"},
		"plain read of what is released":      {release, "b1w0 ld F; b0w0 st.release F", "b", "b"},
		"release before the store":            {release, "b0w0 st.release F; b0w0 st X; b1w0 ld.acquire F; b1w0 ld X", "b", "b"},
		"acquire of a plain store":            {release, "b0w0 st X; b0w0 st.release F; b0w0 st F; b1w0 ld.acquire F; b1w0 ld X", "b", "b"},
		"acquire by another warp":             {release, "b0w0 st X; b0w0 st.release F; b1w0 ld.acquire F; b1w1 ld X", "b", "b"},
		"fence by the leader":                 {cumulative, "b0w1 st X; b0w0 bar; b0w0 fence.gpu; b0w0 exch F; b1w0 atom F; b1w0 ld X", "b", ""},
		"fence before the barrier":            {cumulative, "b0w1 st X; b0w0 fence.gpu; b0w0 bar; b0w0 exch F; b1w0 atom F; b1w0 ld X", "b", "b"},
		"block fence by the leader":           {cumulative, "b0w1 st X; b0w0 bar; b0w0 fence.cta; b0w0 exch F; b1w0 atom F; b1w0 ld X", "b", "b"},
		"write after the last barrier":        {cumulative, "b0w0 bar; b0w1 st X; b0w0 fence.gpu; b0w0 exch F; b1w0 atom F; b1w0 ld X", "b", "b"},
		"exchange of another value": {
			lockValues, "b0w0 cas L 0>1; b0w0 fence.gpu; b0w0 exch L 0>7; b0w0 st X; b0w0 fence.gpu; b1w0 cas L 0>1; b1w0 fence.gpu; b1w0 st X", "f", "",
		},
		"compare-and-swap that fails": {
			lockValues, "b0w0 cas L 0>1; b0w0 fence.gpu; b0w0 st X; b0w0 fence.gpu; b1w0 cas L 1>1; b1w0 fence.gpu; b1w0 st X", "", "f",
		},
		"memory beyond what the launch said": {cached, "b0w0 st X; b0w0 st Y; b1w0 ld Y", "b", ""},
		// 1024 bytes of memory are 256 granules, which share 16 entries.
		"race in the cache":      {cached, "b0w0 st X; b1w0 ld X", "b", "b"},
		"race that an alias hid": {cached, "b0w0 st X; b0w0 st X64; b1w0 ld X", "b", ""},
		"no alias":               {cached, "b0w0 st X; b0w0 st X60; b1w0 ld X", "b", "b"},
		"aliases do not race":    {cached, "b0w0 st X; b1w0 st X64; b0w0 st X", "", ""},
	} {
		if got := play(t, DefaultOptions(), c.history); got != c.without {
			t.Errorf("%s, without the option: rules %q, expected %q", name, got, c.without)
		}
		if got := play(t, c.opts, c.history); got != c.want {
			t.Errorf("%s: rules %q, expected %q", name, got, c.want)
		}
	}
	if _, err := New(Options{Granularity: 12}); err == nil {
		t.Error("granularity 12 is accepted")
	}
}

// TestRace: what is reported of a race, and that counters of 6 bits wrap around
// (IV.A: after 64 fences a false race is declared).
func TestRace(t *testing.T) {
	s, err := New(DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	s.Begin(detect.Launch{Kernel: "k", LaunchShape: detect.LaunchShape{Grid: [3]uint32{2, 2, 1}, Block: [3]uint32{16, 4, 1}}})
	var announced []string
	event := 0
	s.Announce(func(r *detect.Race) {
		announced = append(announced, fmt.Sprintf("%d: %d %v, %d %v", event, r.First.Site, r.First.Thread, r.Second.Site, r.Second.Thread))
	})
	for i, text := range []string{"b1w1.3 st X", "b1w1 fence.cta", "b2w0.5 ld X", "b3w0 ld X", "b1w1.3 st X", "b2w0.5 ld X"} {
		ev := parseEvent(t, text)
		ev.Site = [...]uint32{1, 2, 3, 4, 1, 3}[i]
		event = i
		abi.Deliver(s, &ev)
	}
	races := s.End()
	if len(races) == 0 {
		t.Fatal("no race")
	}
	want := detect.Race{
		Kind: "inter-block", Cause: "insufficient-fence-scope", Space: abi.SpaceGlobal, Address: 1<<32 + 23<<12, Size: 4, Count: 2,
		First:  detect.Side{Site: 1, Access: "write", Block: [3]uint32{1, 0, 0}, Thread: [3]uint32{3, 2, 0}},
		Second: detect.Side{Site: 3, Access: "read", Block: [3]uint32{0, 1, 0}, Thread: [3]uint32{5, 0, 0}},
		Detail: "ScoRD (b) missing device fence",
	}
	if len(announced) != len(races) || announced[0] != "2: 1 [3 2 0], 3 [5 0 0]" {
		t.Errorf("announced at event: first, second: %q; %d races", announced, len(races))
	}
	if races[0] != want {
		t.Errorf("got\n%+v\nwant\n%+v", races[0], want)
	}
	fences := strings.Repeat("b0w0 fence.gpu; ", 64)
	if got := play(t, DefaultOptions(), "b0w0 st X; "+fences+"b1w0 ld X"); got != "b" {
		t.Errorf("after 64 fences rules %q, expected b", got)
	}
	if got := play(t, DefaultOptions(), "b0w0 st X; "+fences+"b0w0 fence.gpu; b1w0 ld X"); got != "" {
		t.Errorf("after 65 fences rules %q, expected none", got)
	}
}

// TestL2: hits, misses and write-backs of the cache of Table V.
func TestL2(t *testing.T) {
	c := new(l2Cache)
	got := ""
	for _, a := range []struct {
		line  uint64
		write bool
	}{{0, false}, {0, true}, {1, false}, {l2Sets, false}, {2 * l2Sets, false}, {3 * l2Sets, false}, {4 * l2Sets, false}, {5 * l2Sets, false}, {6 * l2Sets, false}, {7 * l2Sets, false}, {l2Sets, false}, {8 * l2Sets, false}, {0, false}, {l2Sets, false}} {
		got += fmt.Sprint(c.access(a.line, a.write))
	}
	// The ninth line of a set takes the place of the one used least recently, which is
	// line 0, written.
	if want := "10111111110210"; got != want {
		t.Errorf("accesses to DRAM %s, expected %s", got, want)
	}
}

// TestTraffic: a metadata entry for each 4 bytes is twice the data.
func TestTraffic(t *testing.T) {
	o := DefaultOptions()
	o.Traffic = true
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	s.Begin(detect.Launch{LaunchShape: detect.LaunchShape{Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{32, 1, 1}}})
	ev := abi.Event{Kind: abi.EventAccess, Space: abi.SpaceGlobal, Mask: 0xffffffff, Live: 0xffffffff, Bytes: 4}
	for row := range uint64(1000) {
		for i := range ev.Addr {
			ev.Addr[i] = 1<<32 + row*128 + 4*uint64(i)
		}
		abi.Deliver(s, &ev)
	}
	want := "DRAM accesses: 1000 without race detection; with it 3.00x: 1.00x data, 2.00x metadata"
	if lines := s.Statistics(); !slices.Contains(lines, want) {
		t.Errorf("statistics %q, expected %q", lines, want)
	}
}
