package static

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
)

// lessExact returns what is known of a launch with less and less of it: without contents and buffers, without
// arguments, nothing.
func lessExact(g *facts.Given) []*facts.Given {
	extents := slices.DeleteFunc(slices.Clone(g.Facts), func(f facts.Fact) bool {
		return !strings.Contains(f.Var, "ntid.") && !strings.Contains(f.Var, "nctaid.")
	})
	nothing := facts.Nothing()
	return []*facts.Given{g, {Site: g.Site, Facts: g.Facts}, {Site: g.Site, Facts: extents}, nothing}
}

// exactBudget is enough for what is decided of the programs: with less, a kernel's budget may end at another pair.
const exactBudget = 20 * suiteBudget

// TestMoreExact: what is proved for any launch is proved for a certain one, and each fact more about it takes no proof
// away. N is the number of programs of the race suite, 16 unless set.
func TestMoreExact(t *testing.T) {
	paths, err := filepath.Glob("../../examples/suite/*/*/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	n := 16
	if s := os.Getenv("N"); s != "" {
		if n, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	}
	pairs := 0
	step := max(1, len(paths)/n) | 1
	for i := 0; i < len(paths); i += step {
		text, err := os.ReadFile(strings.TrimSuffix(paths[i], ".yaml") + ".ptx")
		if err != nil {
			continue // a launch file for several programs
		}
		file, err := launch.Load(paths[i], launch.Options{})
		if err != nil {
			t.Fatal(err)
		}
		m := loadText(t, string(text))
		for j := range file.Launches {
			l := &file.Launches[j]
			for _, k := range m.Kernels() {
				if k.Name == l.Kernel || strings.Contains(k.Name, l.Kernel) {
					pairs += moreExact(t, paths[i], k, givenOf(t, file, l, k))
				}
			}
		}
	}
	if t.Logf("%d pairs", pairs); pairs < 100 {
		t.Errorf("%d pairs are compared", pairs)
	}
}

// moreExact checks one kernel, and returns the number of its pairs.
func moreExact(t *testing.T, path string, k *rewrite.Func, g *facts.Given) (pairs int) {
	var before map[[2]*rewrite.Inst]*Pair
	for level, given := range lessExact(g) {
		r, err := Analyze(context.Background(), k, given, Options{Budget: exactBudget, ProofOnly: true, Rough: true})
		if err != nil {
			t.Fatal(err)
		}
		now := make(map[[2]*rewrite.Inst]*Pair)
		for _, p := range r.Pairs {
			now[[2]*rewrite.Inst{p.First.Inst, p.Second.Inst}] = p
			q := before[[2]*rewrite.Inst{p.First.Inst, p.Second.Inst}]
			if q == nil || p.Verdict != Clean || q.Verdict == Clean || assumesMore(g, p) {
				continue
			}
			t.Errorf("%s: %s: line %d %s | line %d %s: proved with less at level %d, open with more: %s; needs %q by %v", path, k.Name, p.First.Inst.Line, p.First.Inst.Text(), p.Second.Inst.Line, p.Second.Inst.Text(), level, q.Reason, p.Needed, p.Rules)
		}
		before, pairs = now, pairs+len(r.Pairs)
	}
	return pairs
}

// assumesMore reports whether a proof rests on an extent that is assumed, and that the launch does not have.
func assumesMore(exact *facts.Given, p *Pair) bool {
	for _, f := range exact.Facts {
		name := strings.NewReplacer("nctaid", "grid", "ntid", "block").Replace(f.Var)
		one, _ := f.Value.Int64()
		if one != 1 && slices.ContainsFunc(p.Needed, func(s string) bool { return strings.HasPrefix(s, name+" = 1 (assumed") }) {
			return true
		}
	}
	return false
}
