// Bytes that an mbarrier expects: a phase is complete too early when its arrivals do not expect all that is stored.

package repair

import (
	"fmt"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// expects proposes that an arrival on the mbarrier that an operation completes expects its bytes, too: in addition to those that it
// expects, or where it expects none. A phase that waits for more than arrives is never complete, which verification shows.
func (p *proposer) expects(copying *rewrite.Inst) {
	bytes := completedBytes(copying)
	own := p.at.variables(copying)
	for _, in := range p.at.f.Insts {
		op := in.Opcode()
		if bytes == 0 || in.Mbarrier() != isa.MbarrierArrive || p.stranger(own, p.at.variables(in)) > 0 || len(in.Operands) < 2 {
			continue
		}
		if in.Has("expect_tx") {
			if o := immediate(in, len(in.Operands)-1); o != nil && len(in.Operands) == 3 {
				p.expect(in, op, o.Imm+bytes)
			}
		} else if len(in.Operands) == 2 {
			p.expect(in, strings.Replace(op, "mbarrier.arrive.", "mbarrier.arrive.expect_tx.", 1), bytes)
		}
	}
}

// expect proposes that an arrival expects so many bytes.
func (p *proposer) expect(in *rewrite.Inst, op string, bytes uint64) {
	text := fmt.Sprintf("%s%s %s, %s, %d;", guardText(in), op, operandText(in, 0), operandText(in, 1), bytes)
	p.awaited(p.add(Expect, costWait, fmt.Sprintf("expect %d bytes", bytes), Change{At: in, Place: Instead, Text: text}))
}

// completedBytes is of how many bytes an operation tells an mbarrier, 0 when registers or a tensor map say it.
func completedBytes(in *rewrite.Inst) uint64 {
	if in.Access.Size > 0 {
		return uint64(in.Access.Size)
	}
	if o := immediate(in, 2); o != nil && in.Has("bulk") && !in.Has("tensor") {
		return o.Imm
	}
	return 0
}
