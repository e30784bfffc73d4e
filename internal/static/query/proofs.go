// Recorded refutations: what the solver has shown, so that an analysis can be repeated without searching.

package query

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/solve"
)

// Refutation is the proof that a query has no solution. It does not hold the query: whoever checks it has the formulas
// from the kernel and the facts.
type Refutation struct {
	Query string   `json:"query"` // a hash of the formulas
	Facts []string `json:"facts"` // the names of the facts that the proof uses
	solve.Proof
}

// Proofs records the refutations of an analysis, or holds those of an earlier one. With the latter, an analysis asks no
// solver: a query without a refutation that [solve.Check] accepts is not decided. Nil does neither.
type Proofs struct {
	known   map[string]*Refutation
	order   []*Refutation
	inPair  map[string]bool
	checked map[string]bool // those that were asked for and accepted
	reading bool
	wrong   error

	solved   map[string]*Assignment
	assigned []*Assignment
}

// NewRecord returns an empty record.
func NewRecord() *Proofs {
	return &Proofs{
		known: make(map[string]*Refutation), order: []*Refutation{}, solved: make(map[string]*Assignment),
		assigned: []*Assignment{},
	}
}

// FromRecord returns the refutations and assignments of an earlier analysis.
func FromRecord(list []*Refutation, assigned []*Assignment) *Proofs {
	p := NewRecord()
	p.reading, p.order, p.checked = true, list, make(map[string]bool)
	for _, r := range list {
		p.known[r.Query] = r
	}
	p.assigned = assigned
	for _, x := range assigned {
		p.solved[x.Query] = x
	}
	return p
}

// Refutations returns the recorded refutations, in the order in which they were found.
func (p *Proofs) Refutations() []*Refutation { return p.order }

// Checked returns the number of refutations of an earlier analysis that were asked for and accepted.
func (p *Proofs) Checked() int { return len(p.checked) }

// Wrong returns why a refutation that an analysis asked for was not accepted; nil if all were.
func (p *Proofs) Wrong() error { return p.wrong }

func (p *Proofs) checks() bool { return p != nil && p.reading }

// Begin begins a pair.
func (p *Proofs) Begin() {
	if p != nil {
		p.inPair = make(map[string]bool)
	}
}

// use notes that the current pair rests on refutations.
func (p *Proofs) use(queries ...string) {
	if p == nil || p.inPair == nil {
		return
	}
	for _, q := range queries {
		p.inPair[q] = true
	}
}

// Used returns the refutations that the current pair rests on.
func (p *Proofs) Used() []string {
	if p == nil {
		return nil
	}
	var out []string
	for _, r := range p.order {
		if p.inPair[r.Query] {
			out = append(out, r.Query)
		}
	}
	return out
}

// leastProof is the least budget of a search for a proof, in work units.
const leastProof = 2_000_000

// record completes the answer that a query is unsatisfiable by a refutation. Without one, the query counts as
// undecided.
func (p *Proofs) record(ctx context.Context, q solve.Query, e Effort, r Answer, work int64) Answer {
	key := keyOf(q, e)
	r.Proofs = []string{key}
	if p.known[key] != nil {
		return r
	}
	proof, err := solve.Prove(ctx, formulasOf(q, r.Core), max(4*work, leastProof))
	if err != nil {
		for _, f := range q.Facts {
			r.Core = append(r.Core, f.Name)
		}
		slices.Sort(r.Core)
		r.Core = slices.Compact(r.Core)
		if proof, err = solve.Prove(ctx, formulasOf(q, r.Core), max(4*work, leastProof)); err != nil {
			return Answer{Reason: err.Error()}
		}
	}
	p.known[key] = &Refutation{Query: key, Facts: append([]string{}, r.Core...), Proof: *proof}
	p.order = append(p.order, p.known[key])
	return r
}

// look answers a query by its refutation.
func (p *Proofs) look(q solve.Query, e Effort) Answer {
	r := p.known[keyOf(q, e)]
	if r == nil {
		return Answer{Reason: "no proof is recorded"}
	}
	if err := solve.Check(formulasOf(q, r.Facts), &r.Proof); err != nil {
		if p.wrong == nil {
			p.wrong = fmt.Errorf("proof %s: %w", r.Query, err)
		}
		return Answer{Reason: "the recorded proof does not hold"}
	}
	p.checked[r.Query] = true
	return Answer{Unsat: true, Core: slices.Clone(r.Facts), Proofs: []string{r.Query}}
}

// formulasOf returns the formulas of a query with the named facts.
func formulasOf(q solve.Query, names []string) []*expr.Bool {
	out := slices.Clone(q.Goal)
	for _, f := range q.Facts {
		if slices.Contains(names, f.Name) {
			out = append(out, f.Formula)
		}
	}
	return out
}

// keyOf returns the hash of a query. An effort is part of it, as a query that a small budget does not decide is asked
// again.
func keyOf(q solve.Query, e Effort) string {
	h := sha256.New()
	fmt.Fprintf(h, "%d", e)
	for _, f := range q.Goal {
		hashInto(h, "", f)
	}
	for _, f := range q.Facts {
		hashInto(h, f.Name, f.Formula)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// hashInto writes a formula with the ranges of its variables.
func hashInto(w io.Writer, name string, f *expr.Bool) {
	fmt.Fprintf(w, "\x00%s\x00%s", name, f)
	for _, v := range f.Vars() {
		fmt.Fprintf(w, "\x01%s %v %v %v", v.Name, v.Lo, v.Hi, v.Uniform)
	}
}
