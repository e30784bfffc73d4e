// Asynchronous operations: waits for them, and fences between proxies.

package repair

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// asynchronous reports whether an instruction starts an asynchronous operation.
func asynchronous(in *rewrite.Inst) bool {
	return in.Copy.Kind != isa.AccessNone || in.Proxy() == isa.ProxyAsync || completes(in)
}

// completes reports whether an instruction signals its completion to an mbarrier.
func completes(in *rewrite.Inst) bool { return strings.Contains(in.Opcode(), "mbarrier::complete_tx") }

// oneThread proposes that one thread of the block initialises an object which several threads initialise alike.
func (p *proposer) oneThread() {
	in := p.r.First
	if in != p.r.Second || in.Guard != nil || !in.Access.Writes() || !in.Has("init") || in.Func != p.r.Kernel {
		return
	}
	p.add(OneThread, costWarpBarrier, "if (threadIdx.x + threadIdx.y + threadIdx.z == 0)", Change{At: in, Place: Instead, Text: `{
.reg .pred %first;
.reg .b32 %sum, %next;
mov.u32 %sum, %tid.x;
mov.u32 %next, %tid.y;
add.u32 %sum, %sum, %next;
mov.u32 %next, %tid.z;
add.u32 %sum, %sum, %next;
setp.eq.u32 %first, %sum, 0;
@%first ` + in.Text() + `;
}`})
}

// waits proposes waits for the asynchronous operation of the race.
func (p *proposer) waits() {
	copying, other := p.r.First, p.r.Second
	if !asynchronous(copying) {
		copying, other = other, copying
	}
	text := p.waitText(copying)
	if text == "" {
		return
	}
	commits := false
	switch {
	case strings.HasPrefix(text, "cp.async.wait"):
		commits = p.longerWaits(text)
	case strings.HasSuffix(copying.Opcode(), "bulk_group"):
		p.longerBulkWaits()
	}
	if completes(copying) {
		p.phases(copying, copying.Copy.Kind == isa.AccessNone)
		p.expects(copying)
	}
	wait := func(cost int, c Change) {
		if commits { // the newest group may be for later
			c.Text = "cp.async.wait_group 1;"
			p.awaited(p.add(Wait, cost-unnamed, "wait for all groups but 1", c))
		}
		c.Text = text
		if e := p.add(Wait, cost, "wait for the copy", c); !completes(copying) {
			p.awaited(e)
		}
	}
	wait(costWait, Change{At: other, Place: Before})
	if n := p.at.next(copying); n != nil {
		wait(costWait+unnamed, Change{At: n, Place: Before})
	}
	for _, in := range p.at.f.Insts {
		if _, ok := in.Barrier(); ok && p.at.leads(copying, in) {
			wait(costWait, Change{At: in, Place: Before})
		}
		if strings.Contains(in.Opcode(), "commit_group") && in.Index > copying.Index {
			wait(costWait+unnamed, Change{At: in, Place: After})
		}
	}
	if p.r.Kind != detect.IntraWarp {
		p.everywhere(Wait, costWait+costBarrier, "wait for the copy, and __syncthreads()", text+"\n"+blockBarrier)
	}
}

// longerWaits proposes that waits for groups of copies leave fewer of them pending, and at last none, by the wait text.
// It reports whether the kernel commits copies in groups.
func (p *proposer) longerWaits(text string) (commits bool) {
	for _, in := range p.at.f.Insts {
		step, bulk := in.CopyGroups()
		if commits = commits || step == isa.CopyGroupsCommit && !bulk; step != isa.CopyGroupsWait || bulk {
			continue
		}
		pending := int64(0)
		if n := Immediate(in, 0); n != nil {
			pending = int64(n.Imm)
		}
		for n := min(pending, maxPending) - 1; n > 0; n-- {
			group := fmt.Sprintf("cp.async.wait_group %d;", n)
			p.awaited(p.add(Wait, 1, fmt.Sprintf("wait for all groups but %d", n),
				Change{At: in, Place: Instead, Text: guardText(in) + group}))
		}
		p.awaited(p.add(Wait, 2, "wait for all groups", Change{At: in, Place: Instead, Text: guardText(in) + text}))
	}
	return commits
}

// longerBulkWaits proposes that waits for groups of bulk copies leave none of them pending.
func (p *proposer) longerBulkWaits() {
	for _, in := range p.at.f.Insts {
		if step, bulk := in.CopyGroups(); step == isa.CopyGroupsWait && bulk {
			p.awaited(p.add(Wait, 2, "wait for all groups",
				Change{At: in, Place: Instead, Text: guardText(in) + in.Opcode() + " 0;"}))
			if op, _, reads := strings.Cut(in.Opcode(), ".read"); reads {
				p.awaited(p.add(Wait, 2, "wait until all groups have written, too",
					Change{At: in, Place: Instead, Text: guardText(in) + op + " 0;"}))
			}
		}
	}
}

// maxPending is the number of pending groups from which fewer are tried.
const maxPending = 8

// waitText returns a wait for an operation by its completion mechanism; "" if that is unknown.
func (p *proposer) waitText(in *rewrite.Inst) string {
	op := in.Opcode()
	switch {
	case strings.HasSuffix(op, "bulk_group"):
		return p.committed("cp.async.bulk.commit_group;", "cp.async.bulk.wait_group 0;")
	case completes(in):
		return p.phaseText(in.Copy.Kind == isa.AccessNone)
	case in.Wgmma():
		return p.committed("wgmma.commit_group.sync.aligned;", "wgmma.wait_group.sync.aligned 0;")
	case in.Copy.Kind != isa.AccessNone && in.Proxy() == isa.ProxyGeneric:
		return "cp.async.wait_all;"
	}
	return ""
}

// committed returns a wait, preceded by a commit of the operations unless the kernel has one.
func (p *proposer) committed(commit, wait string) string {
	for _, in := range p.at.f.Insts {
		if in.Opcode()+";" == commit {
			return wait
		}
	}
	return commit + "\n" + wait
}

// phaseText returns a wait for the first phase of the mbarrier that the kernel initialises. If other blocks of the
// cluster store, it is an acquire of their scope.
func (p *proposer) phaseText(stored bool) string {
	for _, in := range p.at.f.Insts {
		if in.Mbarrier() == isa.MbarrierInit {
			return firstPhase(acquires(stored), p.at.objectText(in, 0))
		}
	}
	return ""
}

// firstPhase returns statements that wait until the first phase of an mbarrier is complete.
func firstPhase(order, object string) string {
	return phaseWait("mbarrier.try_wait.parity"+order+".shared::cta.b64", "", object, "0")
}

// objectText returns the address of the object that operand n of an instruction points to: the variable if that is
// known, since it can be named everywhere.
func (p *places) objectText(in *rewrite.Inst, n int) string {
	o := &in.Operands[n]
	for range 8 { // limit of copies of addresses
		if v, ok := o.Sym.(*rewrite.Var); ok && o.Off == 0 {
			return "[" + v.Name + "]"
		}
		from := copied(p.f, o.Reg)
		if from == nil {
			break
		}
		o = from
	}
	return OperandText(in, n)
}

// copied returns the operand that a register is a copy of, nil if it is no copy or is written in several places.
func copied(f *rewrite.Func, r *rewrite.Reg) (from *rewrite.Operand) {
	for _, in := range f.Writers(r) {
		if from != nil || len(in.Operands) != 2 || in.Guard != nil ||
			!slices.Contains([]isa.Calc{isa.CalcCopy, isa.CalcConvert, isa.CalcConvertAddress}, in.Instr.Calc) {
			return nil
		}
		from = &in.Operands[1]
	}
	return from
}

// proxyFences proposes fences that order generic accesses before the asynchronous proxy.
func (p *proposer) proxyFences() {
	const text = "fence.proxy.async;"
	if p.r.First.Proxy() != isa.ProxyAsync && p.r.Second.Proxy() != isa.ProxyAsync {
		return
	}
	generic, other := p.r.First, p.r.Second
	if generic.Proxy() == isa.ProxyAsync {
		generic, other = other, generic
	}
	p.add(ProxyFence, costWait, "fence.proxy.async", Change{At: generic, Place: After, Text: text})
	p.add(ProxyFence, costWait, "fence.proxy.async", Change{At: other, Place: Before, Text: text})
	for _, in := range p.at.f.Insts {
		if _, ok := in.Barrier(); ok && p.at.leads(generic, in) {
			p.add(ProxyFence, costWait+unnamed, "fence.proxy.async", Change{At: in, Place: Before, Text: text})
		}
	}
}
