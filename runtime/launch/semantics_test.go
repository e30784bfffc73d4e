package launch

import (
	"slices"
	"strings"
	"testing"
)

const oneLaunch = "launches: [{kernel: k, grid: 1, block: 1}]\n"

func TestSemantics(t *testing.T) {
	f, err := Parse("L.yaml", []byte(oneLaunch+`
expect:
  semantics:
    ptx:
      verdict: racy
      schedule: some
      kinds: [inter-block, intra-warp]
      causes: [missing-fence]
      space: shared
      lines: [[17, 24], [3, 3]]
      why: Because.
    scor: {verdict: clean, why: A fence.}
`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := f.Expect.Under("ptx")
	if s == nil || s.Name != "ptx" || s.Verdict != "racy" || s.Schedule != "some" || !slices.Equal(s.Kinds, []string{"inter-block", "intra-warp"}) ||
		!slices.Equal(s.Causes, []string{"missing-fence"}) || s.Space != "shared" || !slices.Equal(s.Lines, [][2]int{{17, 24}, {3, 3}}) || s.Why != "Because." {
		t.Errorf("ptx: %+v", s)
	}
	if s := f.Expect.Under("scor"); s == nil || s.Verdict != "clean" || s.Line != 13 {
		t.Errorf("scor: %+v", s)
	}
	if s := f.Expect.Under("c11"); s != nil {
		t.Errorf("c11: %+v", s)
	}
	if f.Expect.Verdict != "" {
		t.Errorf("verdict %q", f.Expect.Verdict)
	}
}

func TestSemanticsErrors(t *testing.T) {
	for _, tc := range []struct{ src, want string }{
		{`{c11: {}}`, `L.yaml:2:22: expected the name of a semantics (one of: ptx, scor), found "c11"`},
		{`{ptx: {}}`, `L.yaml:2:27: the semantics ptx has no verdict`},
		{`{ptx: {verdict: clean}}`, `the semantics ptx has no why, which the verdict clean needs`},
		{`{ptx: {verdict: clean, why: x, space: global}}`, `the semantics ptx has space, which the verdict clean does not allow`},
		{`{ptx: {verdict: racy, why: x}}`, `the semantics ptx has no schedule, which the verdict racy needs`},
		{`{ptx: {verdict: fault, schedule: any, why: x}}`, `the semantics ptx has no fault, which the verdict fault needs`},
		{`{ptx: {verdict: racy, fault: trap, schedule: any, kinds: [intra-warp], causes: [not-strong], space: global, lines: [[1, 2]], why: x}}`, `has fault, which the verdict racy does not allow`},
		{`{ptx: {causes: [bad-luck]}}`, `L.yaml:2:37: expected a cause (one of: missing-barrier, `},
		{`{ptx: {schedule: all}}`, `expected which schedules show it (one of: any, some), found "all"`},
		{`{ptx: {because: x}}`, `unknown key "because" in the semantics ptx`},
		{`{scor: {why: [x]}}`, `expected the argument, in words, found a list`},
	} {
		_, err := Parse("L.yaml", []byte(oneLaunch+"expect: {semantics: "+tc.src+"}\n"), Options{})
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s:\n got  %v\n want %s", tc.src, err, tc.want)
		}
	}
}
