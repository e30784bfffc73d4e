package observe_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/observe"
)

func parseFilter(t *testing.T, text string) *observe.Filter {
	t.Helper()
	f, err := observe.ParseFilter(text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestTrace(t *testing.T) {
	for file, filter := range map[string]*observe.Filter{
		"testdata/trace.txt":      nil,
		"testdata/trace_part.txt": parseFilter(t, "warp=1,line=k.cu:9-11"),
	} {
		var out bytes.Buffer
		l := observe.NewTrace(&out, observe.Names{Symbol: func(a uint64) string {
			if a>>32 != 1 {
				return fmt.Sprintf("buf+%d", a&0xfff)
			}
			return ""
		}}, filter)
		run(t, divergent, emu.Config{Listener: l}, 1, 64)
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		golden(t, file, out.String())
	}
}

// entry is what the tests read of an event of the timeline.
type entry struct {
	Ph, Name string
	Pid, Tid int
	Ts, Dur  uint64
	Args     map[string]any
}

func timeline(t *testing.T, cfg emu.Config, filter *observe.Filter) (text string, events []entry, steps uint64) {
	t.Helper()
	var out bytes.Buffer
	l := observe.NewTimeline(&out, observe.Names{}, filter)
	s := observe.NewStats(observe.Names{})
	cfg.Listener = observe.Tee(l, nil, s)
	run(t, divergent, cfg, 2, 64)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	var doc struct{ TraceEvents []entry }
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	return out.String(), doc.TraceEvents, s.Report().Total.Warps
}

func TestTimeline(t *testing.T) {
	text, _, _ := timeline(t, emu.Config{}, parseFilter(t, "block=1"))
	golden(t, "testdata/timeline.json", text)
}

// TestTimelineSlices: whatever the schedule, the slices cover every step once, and
// so no two overlap; each is in a process and a thread with a name.
func TestTimelineSlices(t *testing.T) {
	for seed := range uint64(5) {
		_, events, steps := timeline(t, emu.Config{Policy: emu.Random, Seed: seed}, nil)
		next, named := uint64(1), map[[2]int]bool{}
		for _, e := range events {
			switch {
			case e.Name == "process_name":
				named[[2]int{e.Pid, -1}] = true
			case e.Name == "thread_name":
				named[[2]int{e.Pid, e.Tid}] = true
			case e.Ph == "X":
				if e.Ts != next || !named[[2]int{e.Pid, e.Tid}] || !named[[2]int{e.Pid, -1}] {
					t.Fatalf("seed %d: slice %+v, expected one from %d of a named warp", seed, e, next)
				}
				next += e.Dur
			}
		}
		if next != steps+1 {
			t.Errorf("seed %d: slices of %d steps, expected %d", seed, next-1, steps)
		}
	}
}

// TestStats counts by hand: two warps of one block; odd threads branch.
func TestStats(t *testing.T) {
	s := observe.NewStats(observe.Names{})
	run(t, divergent, emu.Config{Listener: s}, 1, 64)
	r := s.Report()
	want := observe.Counts{
		Warps:   2 * 18,
		Threads: 2 * (15*32 + 3*16), Skipped: 24 + 32,
		Divergent: 2 * 3,
		Branches:  2 * 2, Split: 2,
		Shared: observe.SharedCounts{Requests: 2, Wavefronts: 2},
		// Eight threads write 4 bytes each, 8 apart: 60 bytes from an aligned address.
		Global: observe.GlobalCounts{Requests: 1, Sectors: 2, Bytes: 32},
	}
	if r.Total != want {
		t.Errorf("total\n%+v, expected\n%+v", r.Total, want)
	}
	var out bytes.Buffer
	if err := r.WriteText(&out); err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/stats.txt", out.String())
	doc, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/stats.json", string(doc)+"\n")
}

// TestObserving: listeners do not change results, nor the schedule.
func TestObserving(t *testing.T) {
	for _, p := range []emu.Policy{emu.ITS, emu.Lockstep, emu.Random} {
		plain, stats := run(t, divergent, emu.Config{Policy: p, Seed: 3}, 3, 64)
		data, observed := run(t, divergent, emu.Config{Policy: p, Seed: 3, Listener: observe.NewStats(observe.Names{})}, 3, 64)
		if !bytes.Equal(plain, data) || stats != observed {
			t.Errorf("policy %d: %+v with a listener, %+v without", p, observed, stats)
		}
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("disk full") }

// TestWriteErrors: what cannot be written is an error of Close.
func TestWriteErrors(t *testing.T) {
	for _, l := range []interface {
		emu.Listener
		Close() error
	}{observe.NewTrace(failing{}, observe.Names{}, nil), observe.NewTimeline(failing{}, observe.Names{}, nil)} {
		run(t, divergent, emu.Config{Listener: l}, 1, 32)
		if err := l.Close(); err == nil || !strings.Contains(err.Error(), "disk full") {
			t.Errorf("%T: %v", l, err)
		}
	}
}

// TestTee: nil listeners are left out, and one alone needs no tee.
func TestTee(t *testing.T) {
	s := observe.NewStats(observe.Names{})
	if observe.Tee() != nil || observe.Tee(nil, s) != emu.Listener(s) {
		t.Error("a tee of less than two listeners is not what it consists of")
	}
	if observe.Tee(emu.NopListener{}, emu.NopListener{}).Interest().Step != nil {
		t.Error("a tee of listeners without instructions observes them")
	}
}

// TestStatsOfMemory: which accesses count for which memory.
func TestStatsOfMemory(t *testing.T) {
	for _, c := range []struct {
		text   string
		shared observe.SharedCounts
		global observe.GlobalCounts
	}{
		{"st.shared.u32 [%s32], %r1;", observe.SharedCounts{Requests: 1, Wavefronts: 32, Conflicts: 31}, observe.GlobalCounts{}},
		{"st.u32 [%gen], %r1;", observe.SharedCounts{Requests: 1, Wavefronts: 1}, observe.GlobalCounts{}},
		{"st.local.u32 [own], %r1;", observe.SharedCounts{}, observe.GlobalCounts{}},
		{"ld.param.u64 %d1, [out];", observe.SharedCounts{}, observe.GlobalCounts{}},
		{"ld.v4.u32 {%r1, %r2, %r3, %r4}, [%out];", observe.SharedCounts{}, observe.GlobalCounts{Requests: 1, Sectors: 1, Bytes: 16}},
		{"red.global.add.u32 [%out4], 1;", observe.SharedCounts{}, observe.GlobalCounts{Requests: 1, Sectors: 4, Bytes: 128}},
		{"cp.async.ca.shared.global [%s4], [%out4], 4;", observe.SharedCounts{Requests: 1, Wavefronts: 1}, observe.GlobalCounts{Requests: 1, Sectors: 4, Bytes: 128}},
		{"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%s16];", observe.SharedCounts{Requests: 1, Wavefronts: 4}, observe.GlobalCounts{}},
		{"wmma.load.a.sync.aligned.m16n16k16.row.shared.f16 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, [tile];", observe.SharedCounts{}, observe.GlobalCounts{}},
	} {
		s := observe.NewStats(observe.Names{})
		run(t, `.version 8.0
.target sm_80
.address_size 64
.entry k(.param .u64 out)
{
	.reg .b32 %r<9>, %s4, %s16, %s32; .reg .b64 %d<2>, %out, %out4, %gen;
	.shared .align 16 .b8 tile[4096]; .local .b32 own;
	ld.param.u64 %out, [out];
	mov.u32 %r1, %tid.x; mov.u32 %r2, tile;
	mad.lo.u32 %s4, %r1, 4, %r2; mad.lo.u32 %s16, %r1, 16, %r2; mad.lo.u32 %s32, %r1, 128, %r2;
	mul.wide.u32 %out4, %r1, 4;
	mov.u64 %gen, tile; cvta.shared.u64 %gen, %gen; add.u64 %gen, %gen, %out4;
	add.u64 %out4, %out4, %out;
	`+c.text+`
	ret;
}
`, emu.Config{Listener: s}, 1, 32)
		if total := s.Report().Total; total.Shared != c.shared || total.Global != c.global {
			t.Errorf("%s\ngot      %+v %+v\nexpected %+v %+v", c.text, total.Shared, total.Global, c.shared, c.global)
		}
	}
}
