// The right verdict about a program, which the launch file states for tests.

package launch

import (
	"go.yaml.in/yaml/v3"

	"github.com/ptxsan/ptxsan/internal/yamldoc"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// Semantics is the right answer about a program under one definition of a race. It is derived from the definition and
// not from a detector's output. Tests and the matrix of detectors use it; check does not.
type Semantics struct {
	Pos
	Name     string   // one of SemanticsNames
	Verdict  string   // racy, clean or fault
	Schedule string   // any: every execution that ends shows it; some: a few do. Empty for clean
	Kinds    []string // as Expect.Kinds
	Causes   []string // from Causes
	Space    string   // as Expect.Space
	Lines    [][2]int // all pairs of source lines that race
	Fault    string   // class of the fault, if that is the verdict
	Why      string   // the argument
}

// SemanticsNames lists the definitions of a race for which a launch file can state the right answer. ptx is the memory
// consistency model of the PTX manual; scor is the common model of the papers on ScoRD, iGUARD and BARRACUDA.
// examples/suite/README.md states both.
var SemanticsNames = []string{"ptx", "scor"}

// Causes lists the causes of a race that a launch file can state.
var Causes = texts(detect.Causes)

var (
	verdicts = []string{"racy", "clean", "fault"}
	kinds    = append(texts(detect.Kinds), string(detect.InterKernel))
	spaces   = []string{"global", "shared", "tensor"}
)

// texts converts detectors' words to strings.
func texts[W ~string](list []W) []string {
	out := make([]string, len(list))
	for i, w := range list {
		out[i] = string(w)
	}
	return out
}

// Under returns the answer under the semantics of a name, nil when the file does not state it.
func (e *Expect) Under(name string) *Semantics {
	for i := range e.Semantics {
		if e.Semantics[i].Name == name {
			return &e.Semantics[i]
		}
	}
	return nil
}

func (r *reader) semantics(n *yaml.Node, e *Expect) error {
	return r.Pairs(n, "expect.semantics", func(key, v *yaml.Node) error {
		name, err := r.word(key, "the name of a semantics", SemanticsNames...)
		if err != nil {
			return err
		}
		s, err := r.oneSemantics(name, v)
		e.Semantics = append(e.Semantics, s)
		return err
	})
}

func (r *reader) oneSemantics(name string, n *yaml.Node) (Semantics, error) {
	s := Semantics{Pos: r.Pos(n), Name: name}
	err := r.Fields(n, "the semantics "+name,
		yamldoc.Key("verdict", func(v *yaml.Node) (err error) {
			s.Verdict, err = r.word(v, "a verdict", verdicts...)
			return
		}),
		yamldoc.Key("schedule", func(v *yaml.Node) (err error) {
			s.Schedule, err = r.word(v, "which schedules show it", "any", "some")
			return
		}),
		yamldoc.Key("kinds", func(v *yaml.Node) (err error) { s.Kinds, err = r.words(v, "a kind", kinds...); return }),
		yamldoc.Key("causes", func(v *yaml.Node) (err error) {
			s.Causes, err = r.words(v, "a cause", Causes...)
			return
		}),
		yamldoc.Key("space", func(v *yaml.Node) (err error) { s.Space, err = r.word(v, "a space", spaces...); return }),
		yamldoc.Key("lines", func(v *yaml.Node) (err error) { s.Lines, err = r.linePairs(v); return }),
		yamldoc.Key("fault", func(v *yaml.Node) (err error) {
			s.Fault, err = r.word(v, "a fault class", FaultClasses...)
			return
		}),
		yamldoc.Key("why", func(v *yaml.Node) (err error) { s.Why, err = r.Text(v, "the argument, in words"); return }),
	)
	if err != nil {
		return s, err
	}
	return s, s.check()
}

// check returns an error for fields that the verdict lacks or does not allow.
func (s *Semantics) check() error {
	racy := s.Verdict == "racy"
	for _, f := range []struct {
		key         string
		given, want bool
	}{
		{"verdict", s.Verdict != "", true},
		{"schedule", s.Schedule != "", s.Verdict != "clean"},
		{"kinds", len(s.Kinds) > 0, racy},
		{"causes", len(s.Causes) > 0, racy},
		{"space", s.Space != "", racy},
		{"lines", len(s.Lines) > 0, racy},
		{"fault", s.Fault != "", s.Verdict == "fault"},
		{"why", s.Why != "", true},
	} {
		switch {
		case f.want && !f.given && s.Verdict == "":
			return s.Errorf("the semantics %s has no verdict; expected one of: racy, clean, fault", s.Name)
		case f.want && !f.given:
			return s.Errorf("the semantics %s has no %s, which the verdict %s needs", s.Name, f.key, s.Verdict)
		case f.given && !f.want:
			return s.Errorf("the semantics %s has %s, which the verdict %s does not allow", s.Name, f.key, s.Verdict)
		}
	}
	return nil
}
