// Proofs in the form of files: the steps of a record as text.

package solve

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// Proof is a derivation of a contradiction from formulas. It holds no formulas: a reader translates its own.
//
// Steps of the method bounds are, with constraints numbered as the translation makes them:
//
//	0 c12 l4 p3 r7*2,9*-1      constraints that change bounds, or contradict them: a clause, a linear form, a product, or a linear
//	                           form Σ c·v = 0 (as v*c) that follows from those of the problem
//	k5 7<=3 9>=1 : l4 k2 c7    a clause, and the constraints that contradict its negation
//	m F Q, f M A B V, o I X Y  a lemma, see the types multiplied, fixed and evaluated
//
// Steps of the method bits are clauses over the literals of the translation to bits; unit propagation contradicts the
// negation of each. The method parity, Gaussian elimination modulo 2, has no steps.
type Proof struct {
	Method string   `json:"method"` // bounds, bits or parity
	Steps  []string `json:"steps"`
}

// The methods of proofs.
const (
	Bounds = "bounds"
	Bits   = "bits"
	Parity = "parity"
)

// ErrNoProof says that no proof was found within the budget.
var ErrNoProof = errors.New("no proof was found within the budget")

// Prove searches for a proof that no values satisfy all formulas, within a budget of work units. The error is
// ErrNoProof, or that of the context.
func Prove(ctx context.Context, fs []*expr.Bool, budget int64) (*Proof, error) {
	for _, noModel := range []bool{true, false} {
		a := newAttempt(Query{Goal: fs}, budget, noModel)
		a.recording = true
		st, err := a.run(ctx)
		if err != nil {
			return nil, err
		}
		if st == noneExists {
			return a.proof, nil
		}
	}
	return nil, ErrNoProof
}

// proof returns the record of a search over bounds.
func (r *record) proof() *Proof {
	r.trim()
	p := &Proof{Method: Bounds, Steps: []string{}}
	for i := range r.steps {
		p.Steps = append(p.Steps, r.text(&r.steps[i]))
	}
	return p
}

// bitProof returns the record of a search over bits.
func (r *record) bitProof() *Proof {
	p := &Proof{Method: Bits, Steps: []string{}}
	for _, c := range r.clauses {
		var b strings.Builder
		for i, l := range c {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(strconv.Itoa(int(l)))
		}
		p.Steps = append(p.Steps, b.String())
	}
	return p
}

// text returns the text of a step.
func (r *record) text(s *step) string {
	var b strings.Builder
	switch l := s.lemma.(type) {
	case multiplied:
		return fmt.Sprintf("m %d %d", l.f, l.q)
	case fixed:
		return fmt.Sprintf("f %d %d %d %d", l.m, l.a, l.b, l.value)
	case evaluated:
		return fmt.Sprintf("o %d %d %d", l.opaque, l.x, l.y)
	}
	if b.WriteByte('0'); s.id > 0 {
		b.Reset()
		fmt.Fprintf(&b, "k%d", s.id)
		for _, l := range s.lits {
			op := ">="
			if l.up {
				op = "<="
			}
			fmt.Fprintf(&b, " %d%s%d", l.v, op, l.c)
		}
		b.WriteString(" :")
	}
	for _, c := range s.chain {
		b.WriteByte(' ')
		if c.kind != byRow {
			fmt.Fprintf(&b, "%c%d", letters[c.kind], c.at)
			continue
		}
		for i, t := range r.rows[c.at] {
			fmt.Fprintf(&b, "%c%d*%d", "r,"[min(i, 1)], t.v, t.c)
		}
	}
	return b.String()
}

// letters are the first letters of causes, by kind.
const letters = "?cklpr"

// parse reads the steps of a proof over bounds.
func (p *Proof) parse() (*record, error) {
	r := &record{}
	for i, text := range p.Steps {
		s, err := r.parseStep(strings.Fields(text))
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
		r.steps = append(r.steps, s)
	}
	return r, nil
}

// parseStep reads a step.
func (r *record) parseStep(words []string) (step, error) {
	if len(words) == 0 {
		return step{}, errors.New("it is empty")
	}
	head, rest := words[0], words[1:]
	switch {
	case head == "0":
		chain, err := r.parseChain(rest)
		return step{chain: chain}, err
	case head == "m" || head == "f" || head == "o":
		l, err := parseLemma(head, rest)
		return step{lemma: l}, err
	case !strings.HasPrefix(head, "k"):
		return step{}, fmt.Errorf("unknown kind %q", head)
	}
	id, err := strconv.ParseInt(head[1:], 10, 32)
	if err != nil || id < 1 {
		return step{}, fmt.Errorf("%q is no number of a clause", head)
	}
	s := step{id: int32(id)}
	for len(rest) > 0 && rest[0] != ":" {
		l, wrong := parseLit(rest[0])
		if wrong != nil {
			return step{}, wrong
		}
		s.lits, rest = append(s.lits, l), rest[1:]
	}
	if len(rest) == 0 {
		return step{}, errors.New("expected ':' after the clause")
	}
	s.chain, err = r.parseChain(rest[1:])
	return s, err
}

// parseLit reads a literal.
func parseLit(text string) (lit, error) {
	v, c, up := strings.Cut(text, "<=")
	if !up {
		v, c, _ = strings.Cut(text, ">=")
	}
	n, err := strconv.ParseInt(v, 10, 32)
	k, wrong := strconv.ParseInt(c, 10, 64)
	if err != nil || wrong != nil || n < 0 || k <= -inf || k >= inf {
		return lit{}, fmt.Errorf("%q is no bound", text)
	}
	return lit{int32(n), up, k}, nil
}

// parseLemma reads the numbers of a lemma.
func parseLemma(kind string, words []string) (lemma, error) {
	n := make([]*big.Int, len(words))
	for i, w := range words {
		var ok bool
		if n[i], ok = new(big.Int).SetString(w, 10); !ok {
			return nil, fmt.Errorf("%q is no number", w)
		}
	}
	index := func(i int) int32 {
		if n[i].Sign() < 0 || n[i].BitLen() > 31 {
			return -1
		}
		return int32(n[i].Int64())
	}
	switch {
	case kind == "m" && len(n) == 2:
		return multiplied{index(0), index(1)}, nil
	case kind == "f" && len(n) == 4:
		return fixed{index(0), index(1), index(2), n[3]}, nil
	case kind == "o" && len(n) == 3:
		return evaluated{index(0), n[1], n[2]}, nil
	}
	return nil, fmt.Errorf("a lemma %q with %d numbers", kind, len(n))
}

// parseChain reads constraints.
func (r *record) parseChain(words []string) ([]cause, error) {
	var out []cause
	for _, w := range words {
		kind := strings.IndexByte(letters, w[0])
		if kind < 1 {
			return nil, fmt.Errorf("unknown constraint %q", w)
		}
		c := cause{kind: causeKind(kind)}
		if c.kind == byRow {
			terms, err := parseRow(w[1:])
			if err != nil {
				return nil, err
			}
			r.rows = append(r.rows, terms)
			c.at = int32(len(r.rows) - 1)
		} else {
			n, err := strconv.ParseInt(w[1:], 10, 32)
			if err != nil || n < 0 {
				return nil, fmt.Errorf("%q is no constraint", w)
			}
			c.at = int32(n)
		}
		out = append(out, c)
	}
	return out, nil
}

// parseRow reads the terms of a linear form.
func parseRow(text string) (row, error) {
	var out row
	for _, t := range strings.Split(text, ",") {
		v, c, _ := strings.Cut(t, "*")
		n, err := strconv.ParseInt(v, 10, 32)
		k, ok := new(big.Int).SetString(c, 10)
		if err != nil || !ok || n < 0 {
			return nil, fmt.Errorf("%q is no term", t)
		}
		out = append(out, term{int32(n), k})
	}
	return out, nil
}
