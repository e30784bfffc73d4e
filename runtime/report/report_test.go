package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/detect"
)

var update = flag.Bool("update", false, "rewrite golden files")

// golden compares got with a file in testdata, or rewrites the file.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s:\n--- got\n%s\n--- want\n%s", path, got, want)
	}
}

func access(kind, inst string, ptx, src int, block, thread [3]uint32) Access {
	a := Access{Access: kind, Instruction: inst, PTX: Place{"out/k.ptx", ptx}, Kernel: "_Z9sumKernelPiS_", Block: block, Thread: thread, Warp: thread[0] / 32}
	if src != 0 {
		a.Source = &Source{File: "/src/block_error.cu", Line: src, Column: 5}
	}
	return a
}

// sample has one race of each sort of layout.
func sample() *Report {
	inlined := access("write", "st.global.u32", 80, 12, [3]uint32{0, 0, 0}, [3]uint32{3, 0, 0})
	inlined.Source.File = "inc/util.h"
	inlined.Source.InlinedAt = []Frame{{"block_error.cu", 70, 3}, {"block_error.cu", 90, 0}}
	atomic := access("atomic", "atom.global.cta.add.u32", 90, 0, [3]uint32{1, 2, 0}, [3]uint32{0, 1, 0})
	atomic.Scope, atomic.Function = "cta", "helper"
	return &Report{
		Tool: Tool{"ptxsan", "1.2.3"}, Detector: "iguard", Runs: 1, Seed: 7, Schedule: "random",
		Races: []*Race{
			{
				Kind: detect.IntraBlock, Cause: detect.MissingBarrier, Space: "shared", Address: 0x104, Symbol: "smem+0x4", Size: 4, Count: 508,
				First:  access("read", "ld.shared.u32", 51, 51, [3]uint32{}, [3]uint32{0, 0, 0}),
				Second: access("write", "st.shared.u32", 42, 41, [3]uint32{}, [3]uint32{33, 0, 0}),
				Replay: "ptxsan check --seed 7 k.ptx", Rule: "iGUARD R3",
			},
			{Kind: detect.InterBlock, Cause: detect.InsufficientAtomicScope, Space: "global", Address: 0x200000010, Symbol: "data[4]", Size: 4, Count: 1, First: inlined, Second: atomic},
			{
				Kind: detect.IntraWarp, Cause: detect.BranchOrder, Space: "global", Address: 0x200000020, Size: 1, Count: 2,
				First:  access("write", "st.global.u8", 100, 80, [3]uint32{}, [3]uint32{1, 0, 0}),
				Second: access("read", "ld.global.u8", 101, 82, [3]uint32{}, [3]uint32{2, 0, 0}),
			},
		},
		Stats: Stats{Launches: 1, Sites: 6, WarpInstructions: 100, ThreadInstructions: 3200},
	}
}

func fault(class string) *FaultEvent {
	return &FaultEvent{
		Class: class, Message: "what happened", Kernel: "oob", Block: [3]uint32{1, 0, 0}, Thread: [3]uint32{5, 0, 0},
		PTX: Place{"k.ptx", 30}, Source: &Source{File: "k.cu", Line: 8}, Address: 0x300000400,
		Instruction: "ld.global.u32", Access: "read", Space: "global", Size: 4,
	}
}

func render(t *testing.T, r *Report, o TextOptions) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := r.WriteText(&b, o); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestText(t *testing.T) {
	r := sample()
	r.Notes = []string{"k.ptx:7:2: cp.async: its accesses are not checked (iguard)"}
	r.Expect = []Expectation{{"verdict", "racy", "racy", true}, {"races", "1", "3", false}}
	r.Finish()
	golden(t, "races.txt", render(t, r, TextOptions{}))
}

func TestTextColour(t *testing.T) {
	r := sample()
	r.Finish()
	excerpt := func(file string, n int) (string, bool) {
		return "\tif (x) y = z;   // of " + file, n == 41
	}
	golden(t, "colour.txt", render(t, r, TextOptions{Color: true, Excerpt: excerpt}))
}

func TestTextFaults(t *testing.T) {
	r := sample()
	for _, class := range []string{"out-of-bounds", "misaligned", "use-after-free", "uninitialised", "barrier-divergence", "deadlock", "livelock", "timeout", "mbarrier", "trap", "assert", "unsupported"} {
		r.Faults = append(r.Faults, fault(class))
	}
	r.Faults = append(r.Faults, &FaultEvent{Class: "timeout", Message: "the time is over", Kernel: "oob"})
	r.Finish()
	golden(t, "faults.txt", render(t, r, TextOptions{}))
}

func TestTextClean(t *testing.T) {
	r := &Report{}
	r.Finish()
	want := "========= PTXSAN\n========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)\n========= ERROR SUMMARY: 0 errors\n"
	if got := string(render(t, r, TextOptions{})); got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestJSON(t *testing.T) {
	r := sample()
	r.Faults = []*FaultEvent{fault("out-of-bounds")}
	r.Finish()
	var b bytes.Buffer
	if err := r.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	golden(t, "report.json", b.Bytes())
	var back Report
	dec := json.NewDecoder(&b)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&back); err != nil {
		t.Fatal(err)
	}
	if back.Races[0].Address != r.Races[0].Address || back.Faults[0].Address != 0x300000400 {
		t.Error("addresses do not survive")
	}
}

func TestVerdict(t *testing.T) {
	for _, tc := range []struct {
		races  []*Race
		faults []*FaultEvent
		want   string
	}{
		{nil, nil, Clean},
		{sample().Races, nil, Racy},
		{sample().Races, []*FaultEvent{fault("trap")}, Fault},
		{nil, []*FaultEvent{fault("trap")}, Fault},
	} {
		r := &Report{Races: tc.races, Faults: tc.faults}
		r.Finish()
		if r.Verdict != tc.want {
			t.Errorf("verdict %s, want %s", r.Verdict, tc.want)
		}
	}
}

// TestVerdictFollowsLevel: the verdict is racy exactly when a finding counts for the exit code.
func TestVerdictFollowsLevel(t *testing.T) {
	levels := []string{Info, Warning, Error}
	for _, severity := range levels {
		for _, level := range append(levels, "") {
			x := sample().Races[0]
			x.Severity = severity
			r := &Report{Races: []*Race{x}, ErrorLevel: level}
			r.Finish()
			counted := level
			if counted == "" {
				counted = Error
			}
			if r.ErrorLevel != counted || (r.Verdict == Racy) != (r.Count(counted) > 0) || r.Verdict != Racy && r.Verdict != Clean {
				t.Errorf("a finding of severity %s at level %q: verdict %s, level %s", severity, level, r.Verdict, r.ErrorLevel)
			}
		}
	}
}

// TestStrict: what the manual leaves open is a warning, and an error if strict.
func TestStrict(t *testing.T) {
	for _, rule := range []string{detect.OverwriteRule, detect.IssueRule} {
		for strict, want := range map[bool]string{false: Warning, true: Error} {
			x := sample().Races[0]
			x.Severity, x.Rule = Warning, rule
			r := &Report{Races: []*Race{x}, Strict: strict}
			if r.Finish(); x.Severity != want || (r.Verdict == Racy) != strict {
				t.Errorf("strict %v: severity %s, verdict %s: %s", strict, x.Severity, r.Verdict, rule)
			}
		}
	}
}

// TestCoverageText: coverage is added up over kernels, and taken over from other runs once.
func TestCoverageText(t *testing.T) {
	cover := func(detector, kernel string, watched, proved int, left ...Unwatched) *Coverage {
		c := &Coverage{Detector: detector, Kernel: kernel, Accesses: watched + proved, Watched: watched, Proved: proved}
		for _, what := range left {
			c.Leave(what)
		}
		return c
	}
	r := &Report{Coverage: []*Coverage{cover("iguard", "a", 0, 0, UnwatchedShared), cover("scord", "a", 0, 1)}}
	r.Merge(&Report{Coverage: []*Coverage{cover("iguard", "b", 0, 0, UnwatchedAsync, UnwatchedShared), cover("iguard", "a", 0, 0, UnwatchedShared)}})
	r.Add(&Report{Coverage: []*Coverage{cover("iguard", "b", 9, 1)}}, "")
	r.Finish()
	want := `========= PTXSAN
========= CHECKED: iguard: 3 accesses in 2 kernels: 0 watched, 3 not checked
========= CHECKED: scord: 1 access in kernel a: 0 watched, 1 proved free of races
========= NOT CHECKED: iguard does not check 2 accesses to shared memory: the detector checks global memory only
========= NOT CHECKED: iguard does not check 1 access by asynchronous copies: they access memory after their instruction, which the detector does not follow
========= NOT CHECKED: iguard watched no access, so that its run cannot show a race
========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)
========= ERROR SUMMARY: 0 errors
`
	if got := string(render(t, r, TextOptions{})); got != want || r.Blind() {
		t.Errorf("blind %v:\n%s\nwant\n%s", r.Blind(), got, want)
	}
	if r.Coverage = r.Coverage[:1]; !r.Blind() {
		t.Error("of the one detector that watches nothing, too")
	}
	if r.Coverage[0].Proved = 1; r.Blind() {
		t.Error("a proof covers an access")
	}
}

func TestCount(t *testing.T) {
	r := sample()
	r.Faults = []*FaultEvent{fault("trap")}
	r.Finish()
	for severity, want := range map[string]int{Error: 3, Warning: 4, Info: 4} {
		if got := r.Count(severity); got != want {
			t.Errorf("Count(%s) = %d, want %d", severity, got, want)
		}
	}
}

// TestStableID changes what must not matter, then what must.
func TestStableID(t *testing.T) {
	one := func(change func(*Race)) string {
		x := sample().Races[0]
		change(x)
		return x.stableID()
	}
	base := one(func(*Race) {})
	for name, change := range map[string]func(*Race){
		"order":     func(x *Race) { x.First, x.Second = x.Second, x.First },
		"threads":   func(x *Race) { x.First.Thread, x.Second.Block = [3]uint32{9, 9, 9}, [3]uint32{7, 7, 7} },
		"address":   func(x *Race) { x.Address, x.Symbol, x.Count = 1, "other", 2 },
		"directory": func(x *Race) { x.First.PTX.File, x.First.Source.File = "elsewhere/k.ptx", `C:\src\block_error.cu` },
		"ptx line":  func(x *Race) { x.First.PTX.Line, x.Second.Instruction = 1, "st.shared.u64" },
		"replay":    func(x *Race) { x.Replay, x.Hint, x.Missing, x.Severity = "r", "h", "m", Info },
	} {
		if one(change) != base {
			t.Errorf("%s changes the identity", name)
		}
	}
	for name, change := range map[string]func(*Race){
		"kernel":      func(x *Race) { x.First.Kernel = "other" },
		"cause":       func(x *Race) { x.Cause = detect.MissingFence },
		"column":      func(x *Race) { x.Second.Source.Column++ },
		"caller":      func(x *Race) { x.Second.Source.InlinedAt = []Frame{{"k.cu", 1, 1}} },
		"source line": func(x *Race) { x.Second.Source.Line++ },
		"access":      func(x *Race) { x.First.Access = "write" },
	} {
		if one(change) == base {
			t.Errorf("%s does not change the identity", name)
		}
	}
}

// TestStableIDWithoutSource: then the PTX tells accesses apart.
func TestStableIDWithoutSource(t *testing.T) {
	one := func(change func(*Access)) string {
		x := sample().Races[0]
		x.First.Source = nil
		change(&x.First)
		return x.stableID()
	}
	base := one(func(*Access) {})
	if one(func(a *Access) { a.PTX.Line++ }) == base || one(func(a *Access) { a.Instruction = "st.shared.u64" }) == base {
		t.Error("line and instruction do not change the identity")
	}
}

// TestOwn: code from headers of the toolkit stands where the user calls it.
func TestOwn(t *testing.T) {
	at := func(files ...string) *Source {
		s := &Source{File: files[0]}
		for _, f := range files[1:] {
			s.InlinedAt = append(s.InlinedAt, Frame{File: f})
		}
		return s
	}
	for _, tc := range []struct {
		s        *Source
		own      string
		inHeader bool
	}{
		{at("k.cu"), "k.cu", false},
		{at("util.cuh", "k.cu"), "util.cuh", false},
		{at("/usr/local/cuda-12.4/targets/x86_64-linux/include/sm_60_atomic_functions.hpp", "util.cuh", "k.cu"), "util.cuh", false},
		{at("/usr/lib/llvm-19/lib/clang/19/include/__clang_cuda_device_functions.h", "k.cu"), "k.cu", false},
		{at(`C:\CUDA\include\crt\sm_70_rt.hpp`, "k.cu"), "k.cu", false},
		{at("/usr/local/cuda/include/cub/block/block_scan.cuh", "/usr/local/cuda/include/cub/util.cuh", "/home/me/include/mine.h", "k.cu"), "/home/me/include/mine.h", false},
		{at("mine.h", "/usr/include/thrust/system/cuda/detail/core/agent_launcher.h"), "mine.h", false},
		{at("/usr/include/sm_60_atomic_functions.hpp", "mine.h", "/usr/include/thrust/for_each.h"), "mine.h", false},
		{at("/usr/include/cub/block/block_scan.cuh", "/usr/include/thrust/for_each.h"), "/usr/include/thrust/for_each.h", true},
		{at("/opt/cuda_runtime.h"), "/opt/cuda_runtime.h", true},
		{at("/home/me/mycuda/kernel.cu"), "/home/me/mycuda/kernel.cu", false},
		{at("/home/me/cutlass/examples/gemm.cu"), "/home/me/cutlass/examples/gemm.cu", false},
		{at("/home/me/cutlass/include/cutlass/arch/barrier.h", "/home/me/cutlass/include/cute/tensor.hpp", "/home/me/cutlass/examples/gemm.cu"), "/home/me/cutlass/examples/gemm.cu", false},
		{at("/home/me/cccl/cub/cub/block/block_scan.cuh", "/home/me/cccl/cub/test/block_scan.cu"), "/home/me/cccl/cub/test/block_scan.cu", false},
		{at("/home/me/cccl/libcudacxx/include/cuda/std/__latch/latch.h", "/home/me/cccl/libcudacxx/test/latch.pass.cpp"), "/home/me/cccl/libcudacxx/test/latch.pass.cpp", false},
		{at("/home/me/cccl/thrust/examples/sum.cu", "/home/me/cccl/thrust/thrust/for_each.h"), "/home/me/cccl/thrust/examples/sum.cu", false},
		{at("/v/lib/python3.11/site-packages/nvidia/cu13/include/cccl/cuda/pipeline", "k.cu"), "k.cu", false},
		{at("/v/nvidia/cu13/bin/../include/cooperative_groups.h", "k.cu"), "k.cu", false},
		{at("/v/site-packages/triton/language/standard.py", "k.py"), "k.py", false},
	} {
		if got := tc.s.Own().File; got != tc.own || tc.s.InHeader() != tc.inHeader {
			t.Errorf("%+v: own %s, in header %v", tc.s, got, tc.s.InHeader())
		}
	}
	a := access("atomic", "atom.global.add.u32", 9, 12, [3]uint32{}, [3]uint32{})
	a.Source.File, a.Source.InlinedAt = "cuda_runtime.h", []Frame{{"k.cu", 70, 3}, {"k.cu", 90, 0}}
	r := &Report{Races: []*Race{{Kind: detect.InterBlock, Cause: detect.InsufficientAtomicScope, Space: "global", First: a, Second: a, Count: 2}}}
	r.Finish()
	golden(t, "header.txt", render(t, r, TextOptions{Excerpt: func(file string, n int) (string, bool) { return "  f(x);", file == "k.cu" }}))
}

// TestMerge shuffles duplicates: the outcome is one race each in a fixed order.
func TestMerge(t *testing.T) {
	var want []string
	for i := range 5 {
		var all []*Race
		for range i + 1 {
			all = append(all, sample().Races...)
		}
		if i%2 == 1 {
			slices.Reverse(all)
		}
		r := &Report{Races: all}
		r.Finish()
		var ids []string
		for _, x := range r.Races {
			ids = append(ids, x.ID)
			if x.Cause == detect.MissingBarrier && x.Count != 508*uint64(i+1) {
				t.Errorf("count %d after %d copies", x.Count, i+1)
			}
		}
		if want == nil {
			want = ids
		}
		if !slices.Equal(ids, want) || len(ids) != 3 {
			t.Errorf("round %d: %v, want %v", i, ids, want)
		}
	}
}

// TestExplain: every cause explains itself for every kind, in its own words.
func TestExplain(t *testing.T) {
	seen := map[string]detect.Cause{}
	for _, cause := range detect.Causes {
		for _, kind := range detect.Kinds {
			x := sample().Races[0]
			x.Cause, x.Kind = cause, kind
			e := Explain(x)
			if hinted := cause != detect.BranchOrder; strings.Contains(e.Hint, "block_error.cu:") != hinted || e.Missing == "" {
				t.Errorf("%s %s: %+v", cause, kind, e)
			}
			if other, dup := seen[e.Missing]; dup && other != cause {
				t.Errorf("%s and %s are explained alike", cause, other)
			}
			seen[e.Missing] = cause
		}
	}
	for _, tc := range []struct {
		change func(x *Race)
		hint   string
	}{
		{func(x *Race) { x.Cause = detect.MissingFence }, "split the kernel between block_error.cu:41 and block_error.cu:51"},
		{func(x *Race) { x.Cause, x.First.Source = detect.MissingFence, x.Second.Source }, "one atomic operation at block_error.cu:41"},
		{func(x *Race) { x.First.Source = x.Second.Source }, "an atomic operation at block_error.cu:41, or __syncthreads() between its executions"},
		{func(x *Race) { x.Cause, x.First.Source = detect.MissingWarpSync, x.Second.Source }, "or __syncwarp() between its executions by different lanes"},
		{func(x *Race) {
			x.Cause, x.Second.Access, x.Second.Scope = detect.InsufficientAtomicScope, "atomic", "cta"
		}, "at block_error.cu:51 and block_error.cu:41 ("},
		{func(x *Race) {
			x.Cause, x.Repair = detect.NotStrong, detect.RepairSize
			x.First.Instruction, x.Second.Instruction = "st.volatile.global.u64", "ld.relaxed.gpu.global.u32"
		}, "access the location with one size, at block_error.cu:51 and block_error.cu:41"},
		{func(x *Race) {
			x.Cause, x.Repair = detect.NotStrong, detect.RepairSize
			x.First.Instruction, x.Second.Instruction = "st.volatile.global.u64", "ld.global.u32"
		}, "access the location with one size, and atomically, at block_error.cu:51 and block_error.cu:41"},
	} {
		x := sample().Races[0]
		tc.change(x)
		if x.Cause == detect.MissingFence || x.Cause == detect.MissingLock {
			x.Kind = detect.InterBlock
		}
		if e := Explain(x); !strings.Contains(e.Hint, tc.hint) {
			t.Errorf("%s: got %q, want %q", x.Cause, e.Hint, tc.hint)
		}
	}
	for locks, want := range map[detect.LockFault]string{detect.FirstUnlocked: "first access, at block_error.cu:51", detect.SecondUnlocked: "second access, at block_error.cu:41", detect.LocksDiffer: "hold different ones", detect.LocksOfBlock: "its own block only"} {
		x := sample().Races[0]
		x.Cause, x.Locks = detect.MissingLock, locks
		if e := Explain(x); !strings.Contains(e.Missing, want) {
			t.Errorf("%s: got %q", locks, e.Missing)
		}
	}
	for event, want := range map[detect.Event]string{detect.BlockStart: "cluster.sync() before block_error.cu:51", detect.BlockEnd: "cluster.sync() after block_error.cu:51"} {
		x := sample().Races[0]
		x.Second = Access{Access: "write", Event: event, Operation: LifeEvent(event)}
		y := *x
		y.First, y.Second = x.Second, x.First
		if e := Explain(x); !strings.HasPrefix(e.Hint, want) || !strings.Contains(e.Missing, "a barrier of the cluster") || Explain(&y) != e {
			t.Errorf("%s: got %+v, and the other way round %+v", event, e, Explain(&y))
		}
	}
	if e := Explain(&Race{Cause: "unheard-of"}); e.Missing == "" || e.Hint == "" {
		t.Errorf("unknown cause: %+v", e)
	}
}

// TestExplainWrites: a saved report may say of any cause that both accesses write, or read, which no detector does of
// some.
func TestExplainWrites(t *testing.T) {
	for _, cause := range detect.Causes {
		for _, access := range []string{"write", "read", "atomic", ""} {
			r := sample()
			for _, x := range r.Races {
				x.Cause, x.First.Access, x.Second.Access = cause, access, access
			}
			if r.Finish(); len(r.Races) == 0 {
				t.Errorf("%s: no race is left", cause)
			}
		}
	}
}

// TestVariable: names as clang mangles them (Itanium C++ ABI).
func TestVariable(t *testing.T) {
	for in, want := range map[string]string{
		"data": "data", "_ZZ4histPKjPjiE1h": "h", "_ZN2ns5tableE": "table", "_ZZN2ns1fIfEEvT_E4tile": "tile", "_ZL5local": "local",
		"_ZZ4swapPiE8position_$_2": "position.2",
	} {
		if got := Variable(in); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}

func TestDemangle(t *testing.T) {
	for in, want := range map[string]string{
		"_Z9sumKernelPiS_":             "sumKernel(int*, int*)",
		"reduce":                       "reduce()",
		"_ZN2ns1fIfEEvT_":              "void ns::f<float>(float)",
		"_Zgarbage":                    "_Zgarbage()",
		"$weird":                       "$weird()",
		"_Z4far_Pii$1":                 "far_(int*, int)",
		"plain$1":                      "plain$1()",
		"add_Kt1_A1f32_1i16t1_p16_I64": "add",
	} {
		if got := new(text).function(in); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}
