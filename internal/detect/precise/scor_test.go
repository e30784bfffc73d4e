package precise_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
)

// TestPapers: the model of the papers (docs/detectors/precise-model.md, "The papers' model"), with
// verdicts argued from its rules. Steps are as in TestLitmus; l and m are locks.
func TestPapers(t *testing.T) {
	const (
		first  = "A cas l; A fence.sc.gpu; A st.weak d; A fence.sc.gpu; A exch l; "
		second = "D cas l; D fence.sc.gpu; D st.weak d; D fence.sc.gpu; D exch l"
	)
	for name, c := range map[string]struct{ steps, want string }{
		// Fences and atomics.
		"a fence before the atomic":             {"A st.weak d; A fence.sc.gpu; A atom.relaxed.gpu x; D atom.relaxed.gpu x; D ld.weak d", ""},
		"no fence":                              {"A st.weak d; A atom.relaxed.gpu x; D atom.relaxed.gpu x; D fence.sc.gpu; D ld.weak d", "0-4"},
		"a fence, and nothing observed":         {"A st.weak d; A fence.sc.gpu; A atom.relaxed.gpu x; D ld.weak d", "0-3"},
		"volatile is no atomic":                 {"A st.weak d; A fence.sc.gpu; A st.volatile x; D ld.volatile x; D ld.weak d", "0-4 2-3"},
		"a fence that is too narrow":            {"A st.weak d; A fence.sc.cta; A atom.relaxed.gpu x; D atom.relaxed.gpu x; D ld.weak d", "0-4"},
		"an atomic that is too narrow":          {"A st.weak d; A fence.sc.gpu; A atom.relaxed.cta x; D atom.relaxed.gpu x; D ld.weak d", "0-4 2-3"},
		"nothing is asked of who observes":      {"A st.weak d; A fence.sc.gpu; A atom.relaxed.gpu x; D atom.relaxed.cta x; D ld.weak d", "2-3"},
		"a release is a fence":                  {"A st.weak d; A st.release.gpu x; D ld.relaxed.gpu x; D ld.weak d", ""},
		"passed on by another atomic":           {"A st.weak d; A st.release.gpu x; C ld.relaxed.gpu x; C st.relaxed.gpu y; D ld.relaxed.gpu y; D ld.weak d", ""},
		"passed on across a barrier":            {"A st.weak d; A st.release.gpu x; D ld.relaxed.gpu x; D bar; E bar; E st.relaxed.gpu y; C ld.relaxed.gpu y; C ld.weak d", ""},
		"passed on as far as the fence reaches": {"A st.weak d; A fence.sc.cta; A atom.relaxed.gpu x; B atom.relaxed.gpu x; B st.relaxed.gpu y; D ld.relaxed.gpu y; D ld.weak d", "0-6"},
		"but not what the middle did":           {"A st.release.gpu x; C ld.relaxed.gpu x; C st.weak d; C st.relaxed.gpu y; D ld.relaxed.gpu y; D ld.weak d", "2-5"},
		"fences alone":                          {"C st.weak d; C st.relaxed.gpu y; C fence.sc.gpu; C ld.relaxed.gpu x; A st.relaxed.gpu x; A fence.sc.gpu; A ld.weak d", "0-6"},
		"two atomics":                           {"A atom.relaxed.gpu x; D atom.relaxed.gpu x", ""},
		// Locks.
		"one lock":                      {first + second, ""},
		"two locks":                     {first + strings.ReplaceAll(second, " l", " m"), "2-7"},
		"not taken by the first":        {"A st.weak d; A fence.sc.gpu; A exch l; " + second, "0-5"},
		"not taken by the second":       {first + "D atom.relaxed.gpu l; D ld.weak d", "2-6"},
		"no fence of the first":         {strings.Replace(first, "A fence.sc.gpu; ", "", 1) + second, "1-6"},
		"no fence of the second":        {first + strings.Replace(second, "D fence.sc.gpu; ", "", 1), "2-6"},
		"no fences behind either":       {strings.Replace(first, "A fence.sc.gpu; ", "", 1) + strings.Replace(second, "D fence.sc.gpu; ", "", 1), ""},
		"an acquire is a fence":         {strings.Replace(first, "cas l; A fence.sc.gpu", "cas.acquire.gpu l", 1) + second, ""},
		"a fence that is narrow":        {strings.Replace(first, "sc.gpu", "sc.cta", 1) + second, "2-7"},
		"one that is wide follows":      {strings.Replace(first, "sc.gpu", "sc.cta; A fence.sc.gpu", 1) + second, ""},
		"taken with block scope":        {strings.Replace(first, "cas", "cas.cta", 1) + second, "2-7"},
		"block scope within the block":  {strings.ReplaceAll(strings.ReplaceAll(first+second, "gpu", "cta"), "D", "B"), ""},
		"dropped without a fence":       {"A cas l; A fence.sc.gpu; A st.weak d; A exch l; " + second, "2-6"},
		"dropped by a plain store":      {"A cas l; A fence.sc.gpu; A st.weak d; A fence.sc.gpu; A st.weak l; " + second, "4-5"},
		"dropped by a volatile store":   {"A cas l; A fence.sc.gpu; A st.weak d; A fence.sc.gpu; A st.volatile l; " + second, "4-5"},
		"after it is dropped":           {first + "A st.weak d; " + second, "5-8"},
		"both, and again without it":    {first + "A st.weak d; A fence.sc.gpu; A st.relaxed.gpu x; D ld.relaxed.gpu x; D ld.weak d", "2-9"},
		"before it is taken":            {"A st.weak d; " + first + second, "0-8"},
		"a lock and a barrier":          {"A st.weak d; A bar; B bar; B cas l; B fence.sc.gpu; B st.weak d", ""},
		"a barrier of another":          {"A st.weak d; A bar; B bar; B fence.sc.gpu; B exch l; " + second, "0-7"},
		"a lock and an order":           {"A st.weak d; A fence.sc.gpu; A atom.relaxed.gpu x; D atom.relaxed.gpu x; D cas l; D fence.sc.gpu; D ld.weak d", "0-6"},
		"the same lock at another time": {first + second + "; A st.weak d", "7-10"},
		"atomics under no lock":         {"A cas l; A fence.sc.gpu; A atom.relaxed.gpu d; D atom.relaxed.gpu d", ""},
		"two, one of them in common":    {"A cas m; " + first + second, ""},
	} {
		t.Run(name, func(t *testing.T) {
			steps := strings.Split(c.steps, "; ")
			if got := litmusRaces(detectedBy(t, precise.ModelScoR, litmusEvents(t, steps))); got != c.want {
				t.Errorf("%s\nraces: %q, want %q", c.steps, got, c.want)
			}
		})
	}
}
