// What is known of the launches of a kernel: facts, and the variables that they define.

package query

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/solve"
)

// Launches is what is known of the launches of a kernel: facts, and the variables that they define. It does not
// change once a builder has prepared it.
type Launches struct {
	Given       *facts.Given
	Facts       []solve.Fact
	Definitions map[string]*expr.Int   // definitions by facts, by variable
	defining    map[string]solve.Fact  // the facts with the definitions
	restsOn     map[string][]string    // other defined variables from whose definitions one follows
	Numbers     map[facts.Param]string // facts by which parameters are numbers
	Defined     []string               // the defined variables, in order
	Filling     expr.Substitution      // of the definitions
	Threads     int64                  // upper bound for a block
}

// FindNumbers finds the parameters that are numbers according to facts, and not addresses: the name of such a fact.
func (l *Launches) FindNumbers() {
	l.Numbers = make(map[facts.Param]string)
	for _, f := range l.Given.Facts {
		for _, v := range f.Formula.Vars() {
			if p, ok := facts.ParamOf(v.Name); ok {
				if _, pointer := l.Given.Pointers[p]; !pointer {
					l.Numbers[p] = f.Name
				}
			}
		}
	}
}

// extent returns the constant as which an extent is defined; 0 for other variables.
func (l *Launches) extent(name string) int64 {
	value, ok := l.Definitions[name]
	if !ok {
		return 0
	}
	n, _ := value.Int64()
	return n
}

// ExtentOf returns the name of the extent that limits an index, such as nctaid.x for ctaid.x#2; "" for other variables.
func ExtentOf(name string) string {
	name, _, _ = strings.Cut(name, "#")
	if kind, d, ok := strings.Cut(name, "."); ok && len(d) == 1 && (kind == "tid" || kind == "ctaid") {
		return "n" + name
	}
	return ""
}

// perBlock is the condition that a block does not exceed the maximal number of threads.
func (l *Launches) perBlock() *expr.Bool {
	n := expr.Mul(facts.Dim("ntid", 'x'), facts.Dim("ntid", 'y'), facts.Dim("ntid", 'z'))
	f := expr.Le(n, expr.Const(l.Threads))
	if len(f.Subst(l.Filling).Vars()) < 2 {
		return f
	}
	return expr.True // the product costs more than it helps
}

// MaxThreads is the maximal number of threads of a block, unless a directive limits it further.
const MaxThreads = 1024

// Require adds definitions of extents.
func (l *Launches) Require(register, directive string, args []uint64) {
	for i, d := range Dims {
		n := int64(1)
		if i < len(args) {
			n = int64(args[i])
		}
		v := facts.Dim(register, d)
		name := fmt.Sprintf("directive: %s.%c = %d", directive, d, n)
		fact := solve.Fact{Name: name, Formula: expr.Eq(v, expr.Const(n))}
		if _, ok := l.Definitions[v.String()]; ok {
			l.addFact(fact.Name, fact.Formula)
			continue
		}
		l.Define(v.String(), expr.Const(n), fact)
	}
}

// addFact adds a fact unless the definitions imply it.
func (l *Launches) addFact(name string, f *expr.Bool) {
	if f.Subst(l.Filling) != expr.True {
		l.Facts = append(l.Facts, solve.Fact{Name: name, Formula: f})
	}
}

// WholeClusters adds that the grid consists of whole clusters.
func (l *Launches) WholeClusters(directive string, args []uint64) {
	for i, n := range args {
		if n > 1 && i < len(Dims) {
			v := facts.Dim("nctaid", Dims[i])
			l.addFact(fmt.Sprintf("directive: the grid is a multiple of %s", directive),
				expr.Eq(expr.Rem(v, expr.Const(int64(n))), expr.Const(0)))
		}
	}
}

// LimitThreads adds that a block has no more threads than the product of the directive's extents.
func (l *Launches) LimitThreads(args []uint64) {
	n := int64(1)
	for _, x := range args {
		n *= int64(min(x, MaxThreads))
	}
	if n >= MaxThreads {
		return
	}
	for _, d := range Dims {
		l.addFact(fmt.Sprintf("directive: .maxntid is %d threads", n), expr.Le(facts.Dim("ntid", d), expr.Const(n)))
	}
	l.Threads = n
}

// Mentions reports whether a fact is about a variable.
func (l *Launches) Mentions(name string) bool {
	return slices.ContainsFunc(l.Facts, func(f solve.Fact) bool {
		return slices.ContainsFunc(f.Formula.Vars(), func(v expr.Variable) bool { return v.Name == name })
	})
}

// InRow returns the facts by which blocks extend in dimension x only.
func (l *Launches) InRow() (needs []string, ok bool) {
	for _, v := range []string{"ntid.y", "ntid.z"} {
		if l.extent(v) != 1 {
			return nil, false
		}
		needs = append(needs, l.DefinitionsOf(v)...)
	}
	return needs, true
}

// DefinitionsIn returns the names of the facts that define variables of a formula.
func (l *Launches) DefinitionsIn(x *expr.Int) (names []string) {
	for _, v := range x.Vars() {
		names = append(names, l.DefinitionsOf(v.Name)...)
	}
	return names
}

// OneBlockClusters returns the facts by which each cluster is one block; nil if there are none.
func (l *Launches) OneBlockClusters() (by []string) {
	for _, d := range Dims {
		name := facts.Dim("cluster_nctaid", d).String()
		if l.extent(name) != 1 {
			return nil
		}
		by = append(by, l.DefinitionsOf(name)...)
	}
	return by
}
