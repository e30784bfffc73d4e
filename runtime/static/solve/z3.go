// The optional z3 process: it decides the linear problem, with the same lemmas, over a pipe.

package solve

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// z3 is a process that answers queries one after the other. When a query takes too long, the process is killed, and the next
// query starts another one.
type z3 struct {
	path    string
	timeout time.Duration
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

// findZ3 finds the program.
func findZ3(path string, timeout time.Duration) (*z3, error) {
	if path == "" {
		path = "z3"
	}
	full, err := exec.LookPath(path)
	if err != nil {
		return nil, fmt.Errorf("z3: %w", err)
	}
	return &z3{path: full, timeout: timeout}, nil
}

// start starts the process, or resets a running one.
func (z *z3) start() error {
	if z.cmd != nil {
		if _, err := io.WriteString(z.in, "(reset)\n"); err == nil {
			return nil
		}
		z.stop()
	}
	cmd := exec.Command(z.path, "-in", "-smt2")
	in, err := cmd.StdinPipe()
	if err != nil {
		return fmt.Errorf("z3: %w", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("z3: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("z3: %w", err)
	}
	z.cmd, z.in, z.out = cmd, in, bufio.NewReader(out)
	return nil
}

// stop ends the process.
func (z *z3) stop() {
	if z.cmd == nil {
		return
	}
	_ = z.in.Close()
	_ = z.cmd.Process.Kill()
	_ = z.cmd.Wait() // the error reports that it was killed
	z.cmd = nil
}

// watch kills the process when a context ends. The caller must call the returned function when the query is done.
func (z *z3) watch(ctx context.Context) func() {
	done, ended := make(chan struct{}), make(chan struct{})
	process := z.cmd.Process
	go func() {
		defer close(ended)
		select {
		case <-ctx.Done():
			_ = process.Kill()
		case <-done:
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}

// ask sends a command and reads the answer: a word, or a parenthesized list.
func (z *z3) ask(text string) (string, error) {
	if _, err := io.WriteString(z.in, text); err != nil {
		return "", err
	}
	var answer strings.Builder
	depth := 0
	for {
		line, err := z.out.ReadString('\n')
		if err != nil {
			return "", err
		}
		answer.WriteString(line)
		depth += strings.Count(line, "(") - strings.Count(line, ")")
		if depth <= 0 && strings.TrimSpace(line) != "" {
			return strings.TrimSpace(answer.String()), nil
		}
	}
}

// z3Query sends a problem incrementally.
type z3Query struct {
	z                      *z3
	s                      *search
	vars, linears, clauses int // numbers of those already sent
	facts                  uint64
}

// linearZ3 is linear with z3 in place of the search.
func (a *attempt) linearZ3(ctx context.Context) (status, error) {
	if err := a.z.start(); err != nil {
		return gaveUp, err
	}
	limited, cancel := context.WithTimeout(ctx, a.z.timeout)
	defer cancel()
	done := a.z.watch(limited)
	q := &z3Query{z: a.z, s: newSearch(ctx, a.t.problem, a.budget)}
	st, err := a.rounds(q)
	done()
	if limited.Err() != nil {
		a.z.stop()
		a.giveUp("z3 took longer than " + a.z.timeout.String())
		return gaveUp, ctx.Err()
	}
	if err != nil {
		a.z.stop()
		a.giveUp("z3: " + err.Error())
		return gaveUp, nil
	}
	return st, nil
}

// rounds queries z3 repeatedly until the values are a model, or there are none.
func (a *attempt) rounds(q *z3Query) (status, error) {
	for {
		answer, err := q.check()
		if err != nil {
			return gaveUp, err
		}
		switch answer {
		case "unsat":
			a.tag, err = q.core()
			return noneExists, err
		case "sat":
		default:
			a.giveUp("z3 answered " + answer)
			return gaveUp, nil
		}
		if err := q.values(); err != nil {
			return gaveUp, err
		}
		if !a.noModel && a.candidate(q.s) {
			return found, nil
		}
		if !q.s.refine(a.noModel) {
			a.giveUp("no witness found")
			return gaveUp, nil
		}
	}
}

// check sends what was added and queries satisfiability.
func (q *z3Query) check() (string, error) {
	var b bytes.Buffer
	p := q.s.p
	if q.vars == 0 {
		b.WriteString("(set-option :produce-models true)\n(set-option :produce-unsat-assumptions true)\n(set-logic QF_LIA)\n")
	}
	for ; q.vars < len(p.vars); q.vars++ {
		v := p.vars[q.vars]
		fmt.Fprintf(&b, "(declare-const x%d Int)\n", q.vars)
		if v.lo != -inf {
			fmt.Fprintf(&b, "(assert (>= x%d %s))\n", q.vars, number(v.lo))
		}
		if v.hi != inf {
			fmt.Fprintf(&b, "(assert (<= x%d %s))\n", q.vars, number(v.hi))
		}
	}
	for ; q.linears < len(p.linears); q.linears++ {
		l := p.linears[q.linears]
		fmt.Fprintf(&b, "(assert (= x%d (+ 0", l.vs[0])
		for i, v := range l.vs[1:] {
			fmt.Fprintf(&b, " (* %s x%d)", number(l.cs[i+1]), v)
		}
		b.WriteString(")))\n")
	}
	for ; q.clauses < len(p.clauses); q.clauses++ {
		q.clause(&b, p.clauses[q.clauses])
	}
	b.WriteString("(check-sat-assuming (")
	for i := range 64 {
		if q.facts&(1<<i) != 0 {
			fmt.Fprintf(&b, " f%d", i)
		}
	}
	b.WriteString("))\n")
	return q.z.ask(b.String())
}

// number writes an integer.
func number(k int64) string {
	if k < 0 {
		return "(- " + strconv.FormatInt(k, 10)[1:] + ")"
	}
	return strconv.FormatInt(k, 10)
}

// clause writes a clause as an implication: it holds if its facts are assumed.
func (q *z3Query) clause(b *bytes.Buffer, c clause) {
	for i := range 64 {
		if (c.tag&^q.facts)&(1<<i) != 0 {
			fmt.Fprintf(b, "(declare-const f%d Bool)\n", i)
		}
	}
	q.facts |= c.tag
	b.WriteString("(assert (or false")
	for i := range 64 {
		if c.tag&(1<<i) != 0 {
			fmt.Fprintf(b, " (not f%d)", i)
		}
	}
	for _, l := range c.lits {
		op := ">="
		if l.up {
			op = "<="
		}
		fmt.Fprintf(b, " (%s x%d %s)", op, l.v, number(l.c))
	}
	b.WriteString("))\n")
}

// core returns the tag of the facts that were used.
func (q *z3Query) core() (uint64, error) {
	answer, err := q.z.ask("(get-unsat-assumptions)\n")
	if err != nil {
		return 0, err
	}
	var tag uint64
	for _, name := range strings.Fields(strings.Trim(answer, "()")) {
		i, err := strconv.Atoi(strings.TrimPrefix(name, "f"))
		if err != nil || i < 0 || i > 63 {
			return 0, fmt.Errorf("unexpected assumption %q", name)
		}
		tag |= 1 << i
	}
	return tag, nil
}

// values reads the values of all variables into the search.
func (q *z3Query) values() error {
	s := q.s
	s.sync()
	s.tab.sync(s.p)
	var b bytes.Buffer
	b.WriteString("(get-value (")
	for i := range s.p.vars {
		fmt.Fprintf(&b, " x%d", i)
	}
	b.WriteString("))\n")
	answer, err := q.z.ask(b.String())
	if err != nil {
		return err
	}
	words := strings.FieldsFunc(answer, func(r rune) bool { return r == '(' || r == ')' || r == ' ' || r == '\n' })
	next := func() string {
		if len(words) == 0 {
			return ""
		}
		w := words[0]
		words = words[1:]
		return w
	}
	for i := range s.p.vars {
		if name := next(); name != "x"+strconv.Itoa(i) {
			return fmt.Errorf("unexpected value of %q", name)
		}
		digits := next()
		if digits == "-" {
			digits += next()
		}
		k, ok := new(big.Int).SetString(digits, 10)
		if !ok {
			return errors.New("unexpected value " + digits)
		}
		s.tab.val[i] = s.tab.store(new(big.Rat).SetInt(k))
	}
	return nil
}
