package emu

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var weakened = flag.Bool("weakened", false, "run the tests of independent blocks with each rule weakened")

// plainAccesses are rules of which one alone is enough for most accesses.
const plainAccesses = `		case ac.Space != isa.SpaceGlobal && ac.Space != isa.SpaceNone:
			return false
		case ac.Kind != isa.AccessLoad && ac.Kind != isa.AccessStore || ac.Size == 0 || in.Has("async"):
			return false
		case in.Instr.Calc != isa.CalcLoad && in.Instr.Calc != isa.CalcStore:
			return false
`

// weakenedRules are the rules of the proof that blocks are independent, each made weaker by an
// edit of the source.
var weakenedRules = []struct{ name, file, old, by string }{
	{"the policy chooses the order", "parallel_independence.go", "c.Policy.Traits().AnyOrder && ", ""},
	{"a schedule is recorded", "parallel_independence.go", "c.Record == nil && ", ""},
	{"a schedule is replayed", "parallel_independence.go", " && c.Replay == nil", ""},
	{"a listener observes the order", "parallel_independence.go", "observes(m, l.Kernel.Src) && !observesParts(", "false && !observesParts("},
	{"a listener needs accesses", "parallel_independence.go", "m.Interest.Step != nil || m.Interest.NeedsLaunch(kernel)", "m.Interest.Step != nil"},
	{"a listener observes instructions", "parallel_independence.go", "m.Interest.Step != nil || m.Interest.NeedsLaunch", "m.Interest.NeedsLaunch"},
	{"who observes instructions observes all of a launch", "parallel_independence.go", "m.Interest.Step != nil || m.Interest.Parts == nil", "m.Interest.Parts == nil"},
	{"commutative operations are observed in order", "parallel_independence.go", "commutative[i] != (commute.Op{}) && m.Interest", "commutative[i] != (commute.Op{}) && false && m.Interest"},
	{"a listener says whether it can be notified of parts", "parallel_independence.go", "m.Interest.Parts(kernel) != nil", "(m.Interest.Parts(kernel) != nil || true)"},
	{"a listener says whether a part shows something", "parallel_workers.go", "if !told {", "if false && !told {"},
	{"what is uninitialised is known at the time", "parallel_independence.go", "!c.Uninitialised && ", ""},
	{"asynchronous operations are late", "parallel_independence.go", "!c.LateAsync && ", ""},
	{"accesses are not checked", "parallel_independence.go", "!c.NoMemcheck && ", ""},
	{"what polls is asked in order", "parallel_independence.go", " && c.Poll == nil", ""},
	{"proofs are verified", "parallel_workers.go", "!strayed(workers) && ", ""},
	{"blocks of a cluster see each other", "parallel_independence.go", " || l.ClusterDim().Count() > 1", ""},
	{"code is plain", "parallel_independence.go", "if !plainCode(l.Kernel.Src, p.Commutative) {", "if false {"},
	{"calls and ends are not plain", "parallel_independence.go", "in.Effects()&(isa.Calls|isa.Aborts) != 0", "false"},
	{"ends are not plain", "parallel_independence.go", "isa.Calls|isa.Aborts", "isa.Calls"},
	{"clocks are not plain", "parallel_independence.go", "o.Special.Volatile", "o.Reg != nil && false"},
	{"accesses are plain, whatever their space, kind and operation", "parallel_independence.go", plainAccesses, ""},
	{"addresses of stores are linear", "parallel_independence.go", "case a == nil && in.Access.Writes():", "case false:"},
	{"footprints are apart", "parallel_independence.go", "!f.Separate(address.SeparatesBlocks, shape(l))", "false"},
	{"loads go where nothing is written", accessFile, "slices.Contains(p.Written, a) || !Claim(&p.AllocationUses, r, a)", "!Claim(&p.AllocationUses, r, a)"},
	{"allocations have one use", accessFile, " || !Claim(&p.AllocationUses, r, a):", ":"},
	{"members of structures are apart", "../internal/address/linear_apart.go", "from[i] < end {", "false {"},
	{"partners may be anywhere", "../internal/address/linear_apart.go", " || x.partner != partnerAccess{}", ""},
	{"threads with partners have passed a guard", pairFile, " && p.passed.of(p.partner.id) != 0", ""},
	{"words of pairs do not overlap", pairFile, "p.partner.scale >= p.Hi-p.Lo", "true"},
	{"accesses of partners go where their index is", accessFile, "} else if only != nil {", "} else if false {"},
	{"what partners write is put back", "parallel_independence.go", "if !f.Bounded() {", "if false {"},
	{"all of a footprint is in one allocation", "parallel_independence.go", " || mm.Find(uint64(hi)) != a", " || hi < lo"},
	{"freed allocations are none", "parallel_independence.go", " || a.Freed() || mm", " || mm"},
	{"what is known to be used is so from the beginning", "parallel_independence.go", "if !preclaim(p, m, l) {", "if false {"},
	{"results of commutative operations are not used", commuteFile, "if used[r] {", "if false {"},
	{"asynchronous operations are not commutative", commuteFile, ` || in.Has("async") || !device`, " || !device"},
	{"operations in shared memory need no copy", commuteFile, ` || !device {`, " || !device && false {"},
	{"floating-point sums depend on the order", commuteFile, "case isa.U32, isa.S32, isa.B32, isa.U64, isa.S64, isa.B64:", "case isa.F32, isa.U32, isa.S32, isa.B32, isa.U64, isa.S64, isa.B64:"},
	{"maxima depend on the order", commuteFile, `(name == "add" || name == "xor")`, `(name == "add" || name == "xor" || name == "max")`},
	{"vectors are not commutative", commuteFile, "value.Vec <= 1 && ", ""},
	{"all operations on an allocation are the same", accessFile, "return was == r && (", "return (was == r || true) && ("},
	{"copies are small", accessFile, "(r == commute.Op{} || a.Size <= c.Limit)", "true"},
}

const (
	commuteFile = "internal/commute/commute.go"
	accessFile  = "internal/memory/access.go"
	pairFile    = "../internal/address/linear_pair.go"
)

// TestWeakenedIndependence: each rule is needed. Without it, a test of independent blocks
// or of commutative operations fails. Only with -weakened, since the package is built anew for each: otherwise it
// tests that the rules are where they are said to be.
func TestWeakenedIndependence(t *testing.T) {
	for _, w := range weakenedRules {
		t.Run(w.name, func(t *testing.T) {
			src, err := os.ReadFile(w.file)
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(string(src), w.old); n != 1 {
				t.Fatalf("%s: %q is there %d times, want once", w.file, w.old, n)
			}
			if *weakened && !failsWith(t, w.file, strings.Replace(string(src), w.old, w.by, 1)) {
				t.Error("no test fails")
			}
		})
	}
}

// failsWith reports whether a test of independent blocks fails when a file has another text.
func failsWith(t *testing.T, file, text string) bool {
	t.Helper()
	dir := t.TempDir()
	path, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	replacement, overlay := filepath.Join(dir, filepath.Base(file)), filepath.Join(dir, "overlay.json")
	list, err := json.Marshal(map[string]map[string]string{"Replace": {path: replacement}})
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{replacement: []byte(text), overlay: list} {
		if err = os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.CommandContext(t.Context(), "go", "test", "-vet=off", "-overlay", overlay, ".", "./internal/commute", "-run", "TestIndependent|TestWorkers|TestOpsOf", "-timeout", "3m").CombinedOutput()
	if err != nil && !strings.Contains(string(out), "--- FAIL") {
		t.Fatalf("%s", out)
	}
	t.Logf("%.300s", out)
	return err != nil
}
