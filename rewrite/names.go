// Fresh names for inserted symbols, registers and labels.

package rewrite

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// namer makes names that cannot collide with any in a module: all contain a stem that occurs nowhere in its text. A
// further pass over the same text gets the next stem, so names depend on the text alone.
type namer struct {
	stem    string
	symbols map[string]int
}

// stemPrefix is the prefix of every stem.
const stemPrefix = "ptxsan"

// newNamer returns a namer for a module that is made of some texts.
func newNamer(texts ...[]byte) *namer {
	for k := 0; ; k++ {
		stem := fmt.Sprintf("%s%d_", stemPrefix, k)
		if !slices.ContainsFunc(texts, func(text []byte) bool { return bytes.Contains(text, []byte(stem)) }) {
			return &namer{stem: stem, symbols: make(map[string]int)}
		}
	}
}

// symbol returns a fresh module-scope name derived from hint.
func (n *namer) symbol(hint string) string {
	k := n.symbols[hint]
	n.symbols[hint]++
	if k == 0 {
		return "__" + n.stem + hint
	}
	return fmt.Sprintf("__%s%s_%d", n.stem, hint, k)
}

// regClass is a class of registers that a pass adds to a function, with one declaration for each width.
type regClass uint8

const (
	classPred regClass = iota
	class16
	class32
	class64
	class128
	numClasses
)

var regClasses = [numClasses]struct {
	prefix string
	typ    isa.Type
}{
	classPred: {"p", isa.Pred}, class16: {"rs", isa.B16}, class32: {"r", isa.B32}, class64: {"rd", isa.B64},
	class128: {"rq", isa.B128},
}

// classOf returns the class of registers that hold values of type t.
func classOf(t isa.Type) regClass {
	switch {
	case t == isa.Pred:
		return classPred
	case t.Bits() <= 16:
		return class16
	case t.Bits() <= 32:
		return class32
	case t.Bits() <= 64:
		return class64
	}
	return class128
}

// funcNames allocates registers and labels of one function. The sites of a function share scratch registers: none is
// live from one site to the next.
type funcNames struct {
	stem    string
	regs    [numClasses]int // number declared so far
	scratch [numClasses][]string
	labels  int
}

// reg returns a fresh register.
func (n *funcNames) reg(c regClass) string {
	name := fmt.Sprintf("%%%s%s%d", n.stem, regClasses[c].prefix, n.regs[c])
	n.regs[c]++
	return name
}

// temp returns the i-th scratch register of a class.
func (n *funcNames) temp(c regClass, i int) string {
	for len(n.scratch[c]) <= i {
		n.scratch[c] = append(n.scratch[c], n.reg(c))
	}
	return n.scratch[c][i]
}

// label returns a fresh label.
func (n *funcNames) label(hint string) string {
	name := fmt.Sprintf("$%s%s%d", n.stem, hint, n.labels)
	n.labels++
	return name
}

// declarations returns the .reg directives for all allocated registers.
func (n *funcNames) declarations() []string {
	var lines []string
	for c, count := range n.regs {
		if count > 0 {
			class := regClasses[c]
			lines = append(lines, fmt.Sprintf(".reg .%s %%%s%s<%d>;", class.typ, n.stem, class.prefix, count))
		}
	}
	return lines
}
