package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/detect"
)

// oneLine are races of a line that counts: a load and a store, by threads of every kind.
func oneLine() *Report {
	load := Access{Access: "read", Kernel: "k", PTX: Place{"k.ptx", 5}, Source: &Source{File: "k.cu", Line: 3, Column: 4}}
	store := Access{Access: "write", Kernel: "k", PTX: Place{"k.ptx", 7}, Source: &Source{File: "k.cu", Line: 3, Column: 9}}
	r := new(Report)
	for _, kind := range []detect.Kind{detect.IntraWarp, detect.IntraBlock, detect.InterBlock} {
		for _, first := range []Access{load, store} {
			r.Races = append(r.Races, &Race{Kind: kind, Cause: detect.MissingBarrier, Space: "global", Size: 4, Count: 10, First: first, Second: store, Detectors: []string{"precise"}})
		}
	}
	return r
}

// TestFinding: races of two lines are one finding, led by the widest; Finish again and
// merging with another run change nothing but counts.
func TestFinding(t *testing.T) {
	r := oneLine()
	r.Finish()
	check := func(count uint64) {
		t.Helper()
		if len(r.Races) != 1 || len(r.Races[0].Also) != 5 || r.Races[0].Kind != detect.InterBlock || r.Races[0].Count != count || r.Count(Error) != 1 {
			t.Fatalf("%d findings: %+v", len(r.Races), r.Races[0])
		}
	}
	check(60)
	id := r.Races[0].ID
	r.Finish()
	check(60)
	other := oneLine()
	other.Races = other.Races[:1]
	other.Finish()
	if other.Races[0].ID != id {
		t.Errorf("the identity of the finding is %s, and %s where a run shows one of its races", id, other.Races[0].ID)
	}
	r.Merge(other)
	r.Finish()
	check(70)
	var b strings.Builder
	if err := r.WriteText(&b, TextOptions{}); err != nil || !strings.Contains(b.String(), "[70 hazards]") || strings.Count(b.String(), "Also: ") != 5 || !strings.Contains(b.String(), "SUMMARY: 1 hazard displayed (1 error") {
		t.Errorf("%v %s", err, b.String())
	}
}

// TestSuppressPart: an entry takes the races that it names out of a finding, by the identity
// of a race as well; the identity of the finding names all.
func TestSuppressPart(t *testing.T) {
	full := oneLine()
	full.Finish()
	for entry, left := range map[string]int{
		"cause: missing-barrier":          0,
		"id: " + full.Races[0].ID:         0,
		"id: " + full.Races[0].Also[2].ID: 5,
		"cause: missing-fence":            6,
	} {
		list, err := ParseSuppressions("s.yaml", []byte("suppressions:\n  - {"+entry+"}\n"))
		if err != nil {
			t.Fatal(err)
		}
		r := oneLine()
		r.Finish()
		r.Suppress(list)
		if got := len(r.Pairs()); got != left || len(r.Races) != min(left, 1) || len(r.Suppressed) != min(6-left, 1) {
			t.Errorf("%s: %d races left in %d findings, %d suppressed", entry, got, len(r.Races), len(r.Suppressed))
		}
	}
}

// TestFoundBy: a finding of several detectors says who found what.
func TestFoundBy(t *testing.T) {
	r := oneLine()
	for i, x := range r.Races {
		if x.Detectors = []string{"barracuda"}; i > 3 {
			x.Detectors = []string{"precise"}
		}
	}
	r.Finish()
	var b strings.Builder
	if err := r.WriteText(&b, TextOptions{}); err != nil || !strings.Contains(b.String(), "Found by: precise, barracuda") || !strings.Contains(b.String(), "intra-warp, by barracuda") {
		t.Errorf("%v %s", err, b.String())
	}
}

// TestRule: the words of two detectors are joined, without a mark for one that says nothing.
func TestRule(t *testing.T) {
	for _, c := range [][3]string{{"", "b", "b"}, {"a", "", "a"}, {"a", "b", "a; b"}, {"", "", ""}} {
		x, y := &Race{Rule: c[0], Detectors: []string{"precise"}}, &Race{Rule: c[1], Detectors: []string{"barracuda"}}
		if x.join(y); x.Rule != c[2] {
			t.Errorf("%q and %q: %q, want %q", c[0], c[1], x.Rule, c[2])
		}
	}
}

// TestNames: names of functions as asked for; numba's without its tags.
func TestNames(t *testing.T) {
	const numba = "_ZN6cudapy8__main__3addB2v1B94cw51cXTLSUwv1sCUt9Uw1VEw0NRRQPKzLTg4gaGKFsG2oMQGEYakJSQB1PQBk0Bynm21OizQ1K0UoIGvDpQE8oxrNQE_3dE5ArrayIfLi1E1C7mutable7alignedE"
	long := "_Z1fI" + strings.Repeat("2T1I", 50) + "i" + strings.Repeat("E", 50) + "Evv"
	for _, c := range []struct{ mode, in, want string }{
		{NameFull, "_ZN2ns1fIfEEvT_", "void ns::f<float>(float)"},
		{NameSimple, "_ZN2ns1fIfEEvT_", "ns::f"},
		{NameMangled, "_ZN2ns1fIfEEvT_", "_ZN2ns1fIfEEvT_"},
		{NameSimple, strings.Replace(numba, "6cudapy", "", 1), "add"}, // since numba-cuda 0.30
		{NameSimple, numba, "add"},
		{"", "_ZN2ns1fIfEEvT_", "void ns::f<float>(float)"},
		{"", long, "f"},
		{NameFull, long, "void f<" + strings.Repeat("T1<", 50) + "int" + strings.Repeat("> ", 50) + ">()"},
		{NameFull, numba, "add(Array<float, 1, C, mutable, aligned>)"},
	} {
		if got := (&text{TextOptions: TextOptions{Names: c.mode}}).function(c.in); got != c.want {
			t.Errorf("%s, %s: %s, want %s", c.in, c.mode, got, c.want)
		}
	}
}

// TestTwoAccessesOfALibrary: a statement that calls a library, which loads at one line and stores at another one, is
// not told to store later what it loads, as one statement that does both is.
func TestTwoAccessesOfALibrary(t *testing.T) {
	within := func(kind string, line int) Access {
		source := &Source{File: "/usr/include/cub/block/block_reduce.cuh", Line: line, InlinedAt: []Frame{{File: "k.cu", Line: 3}}}
		return Access{Access: kind, Kernel: "k", PTX: Place{"k.ptx", line}, Source: source}
	}
	for line, want := range map[int]detect.Repair{20: detect.RepairSplit, 30: detect.RepairBarrier} {
		r := &Report{Races: []*Race{{Kind: detect.IntraBlock, Cause: detect.MissingBarrier, Space: "shared", Size: 4, Count: 1, First: within("read", 20), Second: within("write", line), Detectors: []string{"precise"}}}}
		r.Finish()
		if got := r.Races[0].Advice; got == nil || got.Repair != want {
			t.Errorf("a store at line %d of the library: %+v, want %s", line, got, want)
		}
	}
}

// TestFindingInLibrary: what the program cannot change is said to be the library's, once.
func TestFindingInLibrary(t *testing.T) {
	for name, c := range map[string]struct {
		second *Source
		want   bool
	}{
		"kernel of a library": {&Source{File: "/usr/include/cub/block/scan.cuh", Line: 7, InlinedAt: []Frame{{File: "/usr/include/thrust/launch.h", Line: 125}}}, true},
		"called by the user":  {&Source{File: "/usr/include/cub/block/scan.cuh", Line: 7, InlinedAt: []Frame{{File: "k.cu", Line: 125}}}, false},
		"functor of the user": {&Source{File: "k.cu", Line: 7, InlinedAt: []Frame{{File: "/usr/include/thrust/for_each.h", Line: 125}}}, false},
		"unknown":             {nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			first := Access{Access: "write", Kernel: "k", PTX: Place{"k.ptx", 5}, Source: &Source{File: "/usr/include/cub/block/scan.cuh", Line: 3}}
			second := Access{Access: "read", Kernel: "k", PTX: Place{"k.ptx", 7}, Source: c.second}
			r := &Report{Races: []*Race{{Kind: detect.InterBlock, Cause: detect.MissingBarrier, Space: "global", Size: 4, Count: 10, First: first, Second: second, Detectors: []string{"precise"}}}}
			for range 2 {
				r.Finish()
				if got := strings.Count(r.Races[0].Hint, "in the library, not in the program: ") == 1; got != c.want {
					t.Errorf("hint: %s", r.Races[0].Hint)
				}
			}
		})
	}
}

// TestFindingInCalledLibrary: the report says so where both accesses are in code of a library that the user calls, and
// not where the library's function is the access itself.
func TestFindingInCalledLibrary(t *testing.T) {
	const ptx, pipeline = "/v/nvidia/cu13/include/cccl/cuda/__ptx/instructions/generated/mbarrier_inval.h", "/v/nvidia/cu13/include/cccl/cuda/pipeline"
	side := func(kind string, line int, files ...string) Access {
		s := &Source{File: files[0], Line: 16}
		for _, f := range files[1:] {
			s.InlinedAt = append(s.InlinedAt, Frame{File: f, Line: line})
		}
		return Access{Access: kind, Kernel: "k", PTX: Place{"k.ptx", line}, Source: s}
	}
	none := fmt.Sprintf(unverified, "")
	for _, c := range []struct {
		first, second Access
		want          string
	}{
		{side("read", 3, pipeline, "k.cu"), side("write", 5, ptx, pipeline, "k.cu"), "in code of the library (pipeline), called at k.cu:3 and k.cu:5: " + none},
		{side("read", 3, ptx, "k.cu"), side("write", 5, ptx, pipeline, "k.cu"), none},
		{side("read", 3, "k.cu", "k.cu"), side("write", 5, ptx, pipeline, "k.cu"), none},
	} {
		c.second.Ends = true
		r := &Report{Races: []*Race{{Kind: detect.IntraBlock, Cause: detect.NotStrong, Space: "shared", Size: 8, Count: 1, First: c.first, Second: c.second, Detectors: []string{"precise"}}}}
		for range 2 {
			r.Finish()
			if x := r.Races[0]; x.Hint != c.want || x.Missing != "a barrier between the last use of the object and its end" {
				t.Errorf("hint %q, want %q; missing %q", x.Hint, c.want, x.Missing)
			}
		}
	}
}

// TestSkippedNotes: a note about launches that were not checked has the name of the kernel as people write it.
func TestSkippedNotes(t *testing.T) {
	var s Skipped
	s.Add("_Z3redPiS_j", "an extent of its grid is 0")
	s.Add("_Z3redPiS_j", "an extent of its grid is 0")
	var r Report
	r.Leave(s.List())
	if got, want := strings.Join(r.CoverageNotes(), "\n"), "2 launches of red(int*, int*, unsigned int): an extent of its grid is 0"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
