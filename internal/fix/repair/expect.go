// Bytes that an mbarrier expects: a phase completes too early if its arrivals do not expect all stored bytes.

package repair

import (
	"fmt"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// expects proposes that an arrival on the mbarrier of an operation also expects its bytes, in addition to those it
// expects already. A phase that expects more bytes than arrive never completes, which verification shows.
func (p *proposer) expects(copying *rewrite.Inst) {
	bytes := completedBytes(copying)
	own := p.at.variables(copying)
	for _, in := range p.at.f.Insts {
		op := in.Opcode()
		if bytes == 0 || in.Mbarrier() != isa.MbarrierArrive || p.unrelatedCost(own, p.at.variables(in)) > 0 ||
			len(in.Operands) < 2 {
			continue
		}
		if in.Has("expect_tx") {
			if o := Immediate(in, len(in.Operands)-1); o != nil && len(in.Operands) == 3 {
				p.expect(in, op, o.Imm+bytes)
			}
		} else if len(in.Operands) == 2 {
			p.expect(in, strings.Replace(op, "mbarrier.arrive.", "mbarrier.arrive.expect_tx.", 1), bytes)
		}
	}
}

// expect proposes that an arrival expects that many bytes.
func (p *proposer) expect(in *rewrite.Inst, op string, bytes uint64) {
	text := fmt.Sprintf("%s%s %s, %s, %d;", guardText(in), op, OperandText(in, 0), OperandText(in, 1), bytes)
	p.awaited(p.add(Expect, costWait, fmt.Sprintf("expect %d bytes", bytes),
		Change{At: in, Place: Instead, Text: text}))
}

// completedBytes returns the number of bytes that an operation signals to an mbarrier, 0 if registers or a tensor map
// determine it.
func completedBytes(in *rewrite.Inst) uint64 {
	if in.Access.Size > 0 {
		return uint64(in.Access.Size)
	}
	if o := Immediate(in, 2); o != nil && in.Has("bulk") && !in.Has("tensor") {
		return o.Imm
	}
	return 0
}
