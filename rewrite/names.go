// Names for inserted symbols, registers and labels that clash with no other.

package rewrite

import (
	"bytes"
	"fmt"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// namer makes names that cannot collide with any in a module: all contain a stem
// that occurs nowhere in its text. Each further pass over the same text gets the
// next stem, so names do not depend on anything but the text.
type namer struct {
	stem    string
	symbols map[string]int
}

// stemPrefix is what every stem starts with.
const stemPrefix = "ptxsan"

func newNamer(src []byte) *namer {
	for k := 0; ; k++ {
		stem := fmt.Sprintf("%s%d_", stemPrefix, k)
		if !bytes.Contains(src, []byte(stem)) {
			return &namer{stem: stem, symbols: make(map[string]int)}
		}
	}
}

// symbol is a fresh module-scope name that reads like hint.
func (n *namer) symbol(hint string) string {
	k := n.symbols[hint]
	n.symbols[hint]++
	if k == 0 {
		return "__" + n.stem + hint
	}
	return fmt.Sprintf("__%s%s_%d", n.stem, hint, k)
}

// regClass groups the registers that a pass adds to a function: one declaration
// per width.
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
	classPred: {"p", isa.Pred}, class16: {"rs", isa.B16}, class32: {"r", isa.B32}, class64: {"rd", isa.B64}, class128: {"rq", isa.B128},
}

// classOf is the class of registers that hold values of type t.
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

// funcNames hands out registers and labels of one function. Scratch registers are
// shared by the sites of a function: none lives from one site to the next.
type funcNames struct {
	stem    string
	regs    [numClasses]int // declared so far
	scratch [numClasses][]string
	labels  int
}

// reg is a fresh register.
func (n *funcNames) reg(c regClass) string {
	name := fmt.Sprintf("%%%s%s%d", n.stem, regClasses[c].prefix, n.regs[c])
	n.regs[c]++
	return name
}

// temp is the i-th scratch register of a class.
func (n *funcNames) temp(c regClass, i int) string {
	for len(n.scratch[c]) <= i {
		n.scratch[c] = append(n.scratch[c], n.reg(c))
	}
	return n.scratch[c][i]
}

// label is a fresh label.
func (n *funcNames) label(hint string) string {
	name := fmt.Sprintf("$%s%s%d", n.stem, hint, n.labels)
	n.labels++
	return name
}

// declarations are the .reg directives for everything handed out.
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
