// Loading: the instruction table's description of an instruction.

package rewrite

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// opKey is the part of an instruction's spelling that determines its decoding.
type opKey struct {
	text      string
	operands  int
	addresses isa.Addresses
}

// decode looks up an instruction in the instruction table; nil if it is not PTX.
func (l *loader) decode(a *ptxgrammar.Inst, operands int) *isa.Decoded {
	r := l.ast.OpcodeRange(a)
	key := opKey{l.ast.Text(r), operands, l.addresses(a)}
	if d := l.ops[key]; d != nil {
		return d
	}
	op := l.ast.Opcode(a)
	row, ok := isa.Lookup(op)
	l.mods = l.ast.Mods(l.mods[:0], a)
	var d *isa.Decoded
	err := error(nil)
	if ok {
		d, err = row.DecodeAs(l.mods, operands, key.addresses)
	} else {
		err = fmt.Errorf("unknown instruction %q%s", op, suggestOpcode(op))
	}
	if err != nil {
		l.newerf(r.Start, "%v", err)
		if !l.newer {
			return nil
		}
		d = isa.Unknown(op, slices.Clone(l.mods), operands)
	}
	l.ops[key] = d
	return d
}

// addresses returns which operands are written as addresses.
func (l *loader) addresses(a *ptxgrammar.Inst) (out isa.Addresses) {
	ops := l.ast.InstOperands(a)
	for i := range ops {
		if ops[i].Kind == ptxgrammar.OperandAddr {
			out |= 1 << i
		}
	}
	return out
}

func suggestOpcode(op string) string {
	if s := isa.Suggest(op); s != "" {
		return ", did you mean \"" + s + "\"?"
	}
	return ""
}
