// Package certificate keeps what `ptxsan analyze` has proved about kernels, in a form that can be checked again without
// a search.
//
//	Make      proves what it can, and returns the certificate
//	AddRun    adds what one run of a launch file proves
//	Read      reads one, strictly
//	Verify    checks one against PTX
//
// A certificate says which pairs of accesses of which kernels do not race, under which facts, for which PTX, and holds
// a derivation for every formula that the proofs need to be unsatisfiable. It also has the values of a launch for which
// the facts hold, and of launches in which accesses stay in their allocations where proofs rest on that. It holds no
// formulas. [Certificate.Verify] computes pairs, barriers and formulas from the PTX and the facts once more, as the
// analysis does, and wherever that would ask a solver, it follows the recorded derivation ([solve.Check]) or evaluates
// the formulas for the recorded values. So a certificate cannot claim more than these show, whoever has written it.
//
// Of kernels that stay open, a certificate may say that one run of a launch file stands for every schedule ([Run]). The
// check makes that run again, with files of the recorded hashes.
//
// The package must not know command lines.
package certificate

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/ptxsan/ptxsan/internal/analysis"
	"github.com/ptxsan/ptxsan/internal/factfile"
	"github.com/ptxsan/ptxsan/internal/output"
	"github.com/ptxsan/ptxsan/internal/static"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Version is the version of the format.
const Version = 4

// Limits of a certificate. The largest one of the examples has 200 kB.
const (
	MaxBytes = 64 << 20
	MaxParts = 1 << 20 // values and lists of the JSON text, and the words of its strings
)

// Certificate is what was proved. The order of its lists is that of the analysis.
type Certificate struct {
	Version int         `json:"certificate"`
	Tool    report.Tool `json:"tool"` // that made it
	PTX     File        `json:"ptx"`
	Facts   string      `json:"facts"` // a facts file (docs/facts.md) of the launches that the proofs are for; "" for any launch
	Assume  []string    `json:"assume"`
	Ignored []string    `json:"ignored"` // classes of facts that were left out

	Kernels []Kernel             `json:"kernels"`
	Proofs  []*static.Refutation `json:"proofs"`
	// Launches show that there are launches for which the facts hold, and in which accesses are made: without any, the
	// proofs would be about nothing.
	Launches []*static.Assignment `json:"launches"`

	Run *Run `json:"run,omitempty"` // nil if it proves nothing

	made    []analysis.Made // by kernel, what the proofs were made from
	checked int             // proofs that Verify needed
}

// File identifies a file, as by sha256sum.
type File struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// Kernel is the result for one kernel: for the launches at one place of host code, or for any launch.
type Kernel struct {
	Name    string   `json:"kernel"`
	Site    string   `json:"site"`    // of the launch; "" for any
	Verdict string   `json:"verdict"` // clean: all pairs are proved; open
	Needed  []string `json:"needed"`  // what a launch must satisfy
	Open    int      `json:"open"`    // pairs that are not proved
	Pairs   []Pair   `json:"pairs"`   // those that are proved
}

// Pair is a proved pair of accesses.
type Pair struct {
	First  string        `json:"first"` // the instruction and its place in the PTX
	Second string        `json:"second"`
	Kinds  []string      `json:"kinds"`  // the relations of threads for which it is proved
	Rules  []static.Rule `json:"rules"`  // by which it is proved
	Proofs []string      `json:"proofs"` // the derivations that it rests on, by their queries
	Needed []string      `json:"needed"`
}

// The assumptions of a certificate, as `--assume` of analyze names them.
const (
	disjoint = "disjoint"
	noWrap   = "no-wrap"
)

// Open is the verdict of a kernel of which some pairs are not proved.
const Open = "open"

// Make analyses the kernels of a program and returns the certificate of its proofs. It ignores the options for
// executions, the cache and other solvers; [Certificate.AddRun] adds what the launch file proves.
func Make(ctx context.Context, p *session.Program, o analysis.Options) (*Certificate, error) {
	c := &Certificate{
		Version: Version, Tool: report.Tool{Name: "ptxsan", Version: session.Version}, PTX: identify(p),
		Assume: []string{}, Ignored: []string{},
	}
	if o.Disjoint {
		c.Assume = append(c.Assume, disjoint)
	}
	if o.NoWrap {
		c.Assume = append(c.Assume, noWrap)
	}
	for class, dropped := range o.Drop {
		if dropped {
			c.Ignored = append(c.Ignored, string(class))
		}
	}
	slices.Sort(c.Ignored)
	if list := facts.Join(o.Facts); len(list.Launches)+len(list.Never) > 0 {
		var b bytes.Buffer
		if err := list.Write(&b); err != nil {
			return nil, err
		}
		c.Facts = b.String()
	}
	record := static.NewRecord()
	var err error
	if c.Kernels, _, err = c.analyze(ctx, p, o, record); err != nil {
		return nil, err
	}
	c.Proofs, c.Launches = record.Refutations(), record.Assignments()
	return c, nil
}

// identify returns the identity of a program.
func identify(p *session.Program) File {
	f := p.Module.AST.File
	sum := sha256.Sum256(f.Src)
	return File{Name: f.Name, SHA256: hex.EncodeToString(sum[:])}
}

// analyze analyses the program under the facts and assumptions of the certificate, with a record of refutations. Of the
// kernels, it returns which are about nothing, as no launch is known that satisfies the facts.
func (c *Certificate) analyze(ctx context.Context, p *session.Program, o analysis.Options,
	record *static.Proofs,
) (kernels []Kernel, vacuous []bool, err error) {
	opt := analysis.Options{
		Chosen: o.Chosen, Budget: o.Budget, Step: o.Step, Drop: make(map[facts.Class]bool),
		Proofs: record,
	}
	opt.Disjoint, opt.NoWrap = slices.Contains(c.Assume, disjoint), slices.Contains(c.Assume, noWrap)
	for _, name := range c.Ignored {
		class, ok := facts.ClassOf(name)
		if !ok {
			return nil, nil, fmt.Errorf("unknown class of facts %q", name)
		}
		opt.Drop[class] = true
	}
	if c.Facts != "" {
		f, wrong := factfile.Parse("facts of the certificate", []byte(c.Facts))
		if wrong != nil {
			return nil, nil, wrong
		}
		opt.Facts = []*facts.File{f}
	}
	out, err := analysis.Run(ctx, p, opt)
	if err != nil {
		return nil, nil, err
	}
	kernels = []Kernel{}
	c.made = out.Made()
	for _, m := range c.made {
		if m.Result.Late {
			return nil, nil, context.DeadlineExceeded
		}
		kernels, vacuous = append(kernels, kernelOf(m.Result, m.Proof.Needed)), append(vacuous, m.Result.Vacuous)
	}
	return kernels, vacuous, nil
}

// kernelOf returns what a result proves, with what the proofs need.
func kernelOf(r *static.Result, needed []string) Kernel {
	k := Kernel{Name: r.Kernel, Site: r.Site, Verdict: Open, Needed: list(needed), Pairs: []Pair{}, Open: r.Rest}
	if r.Verdict == static.Clean {
		k.Verdict = report.Clean
	}
	for _, p := range r.Pairs {
		if p.Verdict != static.Clean {
			k.Open++
			continue
		}
		q := Pair{
			First: access(&p.First), Second: access(&p.Second), Kinds: []string{}, Rules: p.Rules,
			Proofs: list(p.Proofs), Needed: list(p.Needed),
		}
		for _, kind := range p.Kinds {
			q.Kinds = append(q.Kinds, kind.String())
		}
		if q.Rules == nil {
			q.Rules = []static.Rule{}
		}
		k.Pairs = append(k.Pairs, q)
	}
	return k
}

// list returns a list that is not nil.
func list(s []string) []string { return append([]string{}, s...) }

// access describes an access by its instruction and place, or an event.
func access(a *static.Access) string {
	if a.Event != "" {
		return report.LifeEvent(a.Event)
	}
	text := fmt.Sprintf("line %d: %s", a.Inst.Line, a.Inst.Text())
	for _, call := range a.Calls {
		text += fmt.Sprintf(", called at line %d", call.Line)
	}
	return text
}

// Write writes the certificate as a file.
func (c *Certificate) Write(w io.Writer) error {
	e := json.NewEncoder(output.JSON(w))
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(c)
}

// Read reads a certificate. Unknown, missing and repeated keys, other versions, and proofs without a query or of the
// same query are errors.
func Read(src []byte) (*Certificate, error) {
	if n := parts(src); n > MaxParts {
		return nil, fmt.Errorf("the certificate has %d values and words, expected at most %d", n, MaxParts)
	}
	d := json.NewDecoder(bytes.NewReader(src))
	var head struct {
		Version int `json:"certificate"`
	}
	if err := json.Unmarshal(src, &head); err != nil {
		return nil, fmt.Errorf("this is no certificate: %w", err)
	}
	if head.Version != Version {
		return nil, fmt.Errorf("a certificate of version %d; expected %d", head.Version, Version)
	}
	d.DisallowUnknownFields()
	c := new(Certificate)
	if err := d.Decode(c); err != nil {
		return nil, fmt.Errorf("the certificate: %w", err)
	}
	for _, l := range c.Launches {
		if l == nil || l.Query == "" {
			return nil, errors.New("the certificate has a launch without a query")
		}
	}
	queries := make(map[string]bool)
	for _, p := range c.Proofs {
		switch {
		case p == nil || p.Query == "":
			return nil, errors.New("the certificate has a proof without a query")
		case queries[p.Query]:
			return nil, fmt.Errorf("the certificate has two proofs of the query %s", p.Query)
		}
		queries[p.Query] = true
	}
	if err := complete(src); err != nil {
		return nil, fmt.Errorf("the certificate: %w", err)
	}
	if c.Run != nil && len(c.Run.Claims) == 0 {
		return nil, errors.New("the certificate has a run that proves nothing")
	}
	return c, nil
}
