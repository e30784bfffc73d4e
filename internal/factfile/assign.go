// Assignments: simple facts on one line, such as n=1024,block.x=256,grid.x=(n+255)/256.

package factfile

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
)

// Kernel is a kernel that assignments are about.
type Kernel struct {
	Name   string
	Params []string // names
}

// Assign returns the facts that assignments state of the launches of kernels: extents (block.x), parameters by name or
// number (parameter 2), shared, and variables of other names, which later formulas may use. A kernel without a parameter
// that is assigned keeps the other facts.
func Assign(text string, kernels []Kernel) (*facts.File, error) {
	a := assignments{known: make(map[string]*expr.Int)}
	for _, part := range split(text) {
		if err := a.add(part); err != nil {
			return nil, fmt.Errorf("%w in %q", err, part)
		}
	}
	out := new(facts.File)
	for _, k := range kernels {
		out.Launches = append(out.Launches, a.launch(k))
	}
	for _, name := range a.order {
		if !a.used[name] {
			return nil, fmt.Errorf("no kernel has a parameter %q, and no formula after it names it", name)
		}
	}
	return out, nil
}

// split splits a line at commas that are not in parentheses.
func split(text string) (parts []string) {
	depth, from := 0, 0
	for i, c := range text {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			parts, from = append(parts, text[from:i]), i+1
		}
	}
	return append(parts, text[from:])
}

// assignments are facts as they are read.
type assignments struct {
	known map[string]*expr.Int // by name
	order []string             // the names of parameters and variables
	used  map[string]bool      // those of them that a kernel or formula has
	vars  []facts.Var          // variables without a value
}

// add reads one assignment.
func (a *assignments) add(text string) error {
	name, formula, ok := strings.Cut(text, "=")
	name = strings.TrimSpace(name)
	if rest, isParam := strings.CutPrefix(name, "parameter"); isParam {
		name = "parameter " + strings.TrimSpace(rest)
		n, err := strconv.Atoi(strings.TrimSpace(rest))
		ok = ok && err == nil && n > 0
	}
	if !ok || name == "" {
		return fmt.Errorf("expected NAME=FORMULA, where NAME is that of a parameter, parameter 2, block.x, grid.x or shared")
	}
	if a.known[name] != nil {
		return fmt.Errorf("a second value of %s", name)
	}
	if a.used == nil {
		a.used = make(map[string]bool)
	}
	x, err := expr.ParseInt(strings.TrimSpace(formula), a.resolve)
	if err != nil {
		return err
	}
	if a.known[name] = x; !extent(name) {
		a.order = append(a.order, name)
	}
	return nil
}

// extent reports whether a name is that of an extent, or of the size of shared memory.
func extent(name string) bool {
	of, axis, _ := strings.Cut(name, ".")
	return name == "shared" ||
		(of == "grid" || of == "block" || of == "cluster") && len(axis) == 1 && strings.Contains("xyz", axis)
}

// resolve returns the value of a name in a formula. One without a value is a variable of 32 bits.
func (a *assignments) resolve(name string) (*expr.Int, *expr.Bool, error) {
	if x := a.known[name]; x != nil {
		a.used[name] = true
		return x, nil, nil
	}
	if extent(name) {
		return nil, nil, fmt.Errorf("%s has no value yet", name)
	}
	v := facts.NewVar(name, "s32")
	a.vars = append(a.vars, v)
	a.known[name] = v.Int()
	return v.Int(), nil, nil
}

// launch returns what the assignments say of the launches of a kernel.
func (a *assignments) launch(k Kernel) *facts.Launch {
	l := &facts.Launch{Kernel: k.Name, Vars: a.vars, Shared: a.known["shared"]}
	for i, axis := range "xyz" {
		for of, to := range map[string]*[3]*expr.Int{"grid": &l.Grid, "block": &l.Block, "cluster": &l.Cluster} {
			to[i] = a.known[of+"."+string(axis)]
		}
	}
	for i, name := range k.Params {
		arg := facts.Arg{}
		for _, known := range []string{name, fmt.Sprintf("parameter %d", i+1)} {
			if x := a.known[known]; x != nil {
				arg.Int, a.used[known] = x, true
			}
		}
		l.Args = append(l.Args, arg)
	}
	return l
}
