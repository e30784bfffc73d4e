package report

import (
	"bytes"
	"strings"
	"testing"
)

// asked is a report with an answer of each kind about one file.
func asked() *Report {
	line := func(n int) *Source { return &Source{File: "k.cu", Line: n} }
	access := func(what string, n int, block, thread uint32) Access {
		return Access{
			Access: what, Source: line(n), PTX: Place{File: "k.ptx", Line: 10 + n}, Block: [3]uint32{block},
			Thread: [3]uint32{thread},
		}
	}
	race := &SyncReason{Race: &Race{Severity: Error, First: access("read", 11, 0, 127), Second: access("write", 5, 0, 1)}}
	every := &Holds{Schedules: EverySchedule, Contents: []string{"in", "out"}}
	sync := func(n int, kind, instruction string, v SyncVerdict) Sync {
		return Sync{
			Kernel: "k", Source: line(n), PTX: Place{File: "k.ptx", Line: 10 + n}, Kind: kind, Copies: 1,
			Instruction: instruction, Verdict: v, Executions: 1.5,
		}
	}
	needed, weaker, here := sync(6, "barrier", "bar.sync", SyncNeeded), sync(8, "fence", "membar.gl", SyncWeaker),
		sync(9, "barrier", "bar.sync", SyncNotNeededHere)
	needed.Because, needed.Copies = race, 4
	weaker.Because, weaker.Holds, weaker.To, weaker.Set = race, every, "membar.cta", true
	here.Holds, here.Or = &Holds{Schedules: ThisSchedule}, &Operation{Source: line(12)}
	proved, open := sync(12, "barrier", "bar.sync", SyncNotNeeded), sync(8, "access", "st.release.gpu.u32", SyncNotDecided)
	proved.Needs = []string{"block.y = 1 (assumed, as no fact gives it)"}
	open.Why = "no launch executes it"
	proved.Holds, proved.Set, proved.Elsewhere = every, true, "with blocks of 64 threads: a.cu:1 and a.cu:2 race"
	return &Report{
		Tool: Tool{Name: "ptxsan"}, Sync: []Sync{needed, here, proved, weaker, open},
		SyncSet: &SyncSet{Verified: "100 schedules", Holds: *every, Diff: "--- a/k.ptx\n"},
	}
}

func TestSync(t *testing.T) {
	golden(t, "sync.txt", render(t, asked(), TextOptions{Excerpt: func(_ string, n int) (string, bool) {
		return "\t__syncthreads();", n != 12
	}}))
}

func TestSyncJSON(t *testing.T) {
	var b bytes.Buffer
	if err := asked().WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	golden(t, "sync.json", b.Bytes())
}

// TestSyncDetails: instructions without operands, unless these are what changes; what goes together, each place once.
func TestSyncDetails(t *testing.T) {
	for _, c := range []struct{ instruction, to, want string }{
		{"membar.gl", "membar.cta", "__threadfence_block() (membar.cta)"},
		{"bar.sync", "bar.warp.sync 0xffffffff", "__syncwarp() (bar.warp.sync 0xffffffff)"},
		{"st.volatile.shared.u32", "st.shared.u32 [a], 1", "st.shared.u32"},
		{"cp.async.wait_group", "cp.async.wait_group 1", "cp.async.wait_group 1"},
	} {
		s := &Sync{Source: &Source{File: "k.cu", Line: 1}, Instruction: c.instruction, To: c.to, Verdict: SyncWeaker}
		if got := s.Headline(); got != "weaker will do: "+c.want {
			t.Errorf("%s: %s", c.instruction, got)
		}
	}
	at := func(n int) Operation { return Operation{Source: &Source{File: "k.cu", Line: n}} }
	s := &Sync{Source: &Source{File: "k.cu", Line: 1}, Verdict: SyncNeeded, With: []Operation{at(3), at(3), at(5)}}
	if got := s.Details(); len(got) != 1 || got[0] != "together with changes in line 3, line 5" {
		t.Errorf("%q", got)
	}
	if got := s.change(); got != "k.cu:1: without , and changes in line 3, line 5" {
		t.Errorf("%q", got)
	}
}

// TestSyncWidth: the lines of a listing keep to its width, and words longer than that are whole.
func TestSyncWidth(t *testing.T) {
	r := asked()
	r.Sync = r.Sync[4:]
	long := strings.Repeat("x", 200)
	r.Sync[0].Why, r.SyncSet = strings.Repeat("reason ", 60)+long, nil
	for line := range strings.Lines(string(render(t, r, TextOptions{}))) {
		if len(line) > columns+1 && !strings.Contains(line, long) {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
}

// TestSyncReasons: faults, results, races between blocks and accesses have their own words.
func TestSyncReasons(t *testing.T) {
	s := &Sync{Kind: "barrier", Verdict: SyncNeeded, Source: &Source{File: "k.cu", Line: 3}}
	for want, because := range map[string]*SyncReason{
		"needed: livelock without it: threads wait (at line 7)": {Fault: &FaultEvent{Class: "livelock", Message: "threads wait", PTX: Place{"k.ptx", 9}, Source: &Source{File: "k.cu", Line: 7}}},
		"needed: without it other results: out = [1]":           {Result: "other results: out = [1]"},
		"needed: line 4 races with itself without it (write by thread (0,0,0) of block (0,0,0), write by thread (0,0,0) of block (1,0,0))": {Race: &Race{
			First: Access{Access: "write", Source: &Source{File: "k.cu", Line: 4}}, Second: Access{Access: "write", Source: &Source{File: "k.cu", Line: 4}, Block: [3]uint32{1}},
		}},
		"needed: other.cu:4 and line 5 race without it (read by thread (0,0,0), write by thread (0,0,0); as a race of severity warning)": {Race: &Race{
			Severity: Warning, First: Access{Access: "read", Source: &Source{File: "other.cu", Line: 4}}, Second: Access{Access: "write", Source: &Source{File: "k.cu", Line: 5}},
		}},
	} {
		if s.Because = because; s.Headline() != want {
			t.Errorf("%q, want %q", s.Headline(), want)
		}
	}
	s.Kind, s.Because = accessKind, &SyncReason{Result: "other results: out = [1]"}
	if want := "needed: if it is weaker other results: out = [1]"; s.Headline() != want {
		t.Errorf("%q, want %q", s.Headline(), want)
	}
}
