package emu_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// Random programs of structured control flow, which have no races: every thread
// computes one number from its index and from the path that it takes. Barriers stand
// where all threads of the block come that have not ended, so that no policy may report
// one.

// flowKind says what a statement does.
type flowKind int

const (
	flowMark     flowKind = iota // mixes n into the number
	flowIf                       // kids or others, by bits of the number
	flowBlock                    // kids, which may leave it
	flowLoop                     // kids, as often as bits of the number say
	flowRepeat                   // kids, twice in all threads
	flowSwitch                   // one of the four kids, through a table of labels
	flowLeave                    // goes behind the n-th block or loop around it, by bits of the number
	flowContinue                 // goes on with the next round of the n-th loop around it, likewise
	flowReturn                   // leaves the function, likewise; from the kernel, the number is stored
	flowExit                     // ends the thread, likewise
	flowCall                     // function n
	flowCallAny                  // one of two functions, by bits of the number
	flowBarrier
)

// flow is a statement.
type flow struct {
	kind         flowKind
	n            int
	id           int // unique, for labels and registers
	bit          int // of the number, the lower of two that decide
	kids, others []*flow
}

// flowMaker makes programs.
type flowMaker struct {
	*rand.Rand
	ids int
}

// flowPlace is where a statement stands.
type flowPlace struct {
	depth   int
	uniform bool       // all threads that have not ended come here together
	returns bool       // a return may stand here
	around  []flowKind // blocks and loops that may be left, innermost last
	callees int        // functions from 0 that may be called
}

func (m *flowMaker) list(p flowPlace) []*flow {
	var out []*flow
	for range 1 + m.IntN(4) {
		out = append(out, m.statement(p))
	}
	return out
}

func (m *flowMaker) statement(p flowPlace) *flow {
	m.ids++
	f := &flow{id: m.ids, bit: m.IntN(14), n: 1 + m.IntN(1000)}
	in := p
	in.depth, in.uniform = p.depth+1, false
	switch k := m.IntN(20); {
	case k < 4 && p.uniform:
		f.kind = flowBarrier
	case k < 4 && p.callees > 1:
		f.kind, f.n = []flowKind{flowCall, flowCallAny}[m.IntN(2)], m.IntN(p.callees)
	case k < 6 && len(p.around) > 0:
		f.kind, f.n = flowLeave, m.IntN(len(p.around))
	case k < 7 && len(p.around) > 0 && p.around[len(p.around)-1] == flowLoop:
		f.kind, f.n = flowContinue, 0
	case k < 8 && p.returns:
		f.kind = flowReturn
	case k < 9 && p.returns:
		f.kind = flowExit
	case k < 10 || p.depth > 2:
		f.kind = flowMark
	case k < 13:
		f.kind, f.kids = flowIf, m.list(in)
		if m.IntN(3) > 0 {
			f.others = m.list(in)
		}
	case k < 15:
		f.kind = flowSwitch
		for range 4 {
			m.ids++
			c := &flow{id: m.ids}
			c.kids = m.list(in)
			f.kids = append(f.kids, c)
		}
	case k < 16 && p.uniform:
		in.uniform = true
		f.kind, f.kids = flowRepeat, m.list(in)
	case k < 18:
		in.around = append(in.around[:len(in.around):len(in.around)], flowLoop)
		f.kind, f.kids = flowLoop, m.list(in)
	default:
		in.around = append(in.around[:len(in.around):len(in.around)], flowBlock)
		f.kind, f.kids = flowBlock, m.list(in)
	}
	return f
}

// flowProgram is a kernel and the functions that it calls: each those before it.
type flowProgram struct {
	functions [][]*flow
	kernel    []*flow
}

func newFlowProgram(seed uint64) *flowProgram {
	m, p := &flowMaker{Rand: rand.New(rand.NewPCG(seed, 1))}, &flowProgram{}
	for i := range 3 {
		p.functions = append(p.functions, m.list(flowPlace{depth: 1, returns: true, callees: i}))
	}
	for range 2 {
		p.kernel = append(p.kernel, m.list(flowPlace{uniform: true, returns: true, callees: 3})...)
	}
	return p
}

// flowEnd is how a list of statements ends: it goes on, or leaves n blocks and loops.
type flowEnd struct {
	kind flowKind // flowMark to go on, else as in the statement
	n    int
}

// flowThread is a thread of the reference.
type flowThread struct {
	program *flowProgram
	number  uint32
}

func (t *flowThread) bits(f *flow) int { return int(t.number >> f.bit & 3) }

func (t *flowThread) run(list []*flow) flowEnd {
	for _, f := range list {
		if end := t.step(f); end.kind != flowMark {
			return end
		}
	}
	return flowEnd{}
}

func (t *flowThread) step(f *flow) flowEnd {
	switch f.kind {
	case flowMark:
		t.number = t.number*1664525 + uint32(f.n)
	case flowIf:
		if t.bits(f) == 0 {
			return t.run(f.kids)
		}
		return t.run(f.others)
	case flowSwitch:
		return t.run(f.kids[t.bits(f)].kids)
	case flowBlock:
		return t.left(t.run(f.kids))
	case flowLoop, flowRepeat:
		rounds := t.bits(f)
		if f.kind == flowRepeat {
			rounds = 2
		}
		for range rounds {
			end := t.run(f.kids)
			if f.kind == flowLoop && end.kind == flowContinue || end.kind == flowMark {
				continue
			}
			if f.kind == flowRepeat {
				return end
			}
			return t.left(end)
		}
	case flowLeave, flowContinue, flowReturn, flowExit:
		if t.bits(f) == 1 {
			return flowEnd{f.kind, f.n}
		}
	case flowCall:
		return t.call(f.n)
	case flowCallAny:
		return t.call(t.bits(f) & 1)
	}
	return flowEnd{}
}

// left is how a block or loop ends whose statements end so.
func (t *flowThread) left(end flowEnd) flowEnd {
	switch {
	case end.kind == flowLeave && end.n == 0:
		return flowEnd{}
	case end.kind == flowLeave:
		end.n--
	}
	return end
}

func (t *flowThread) call(n int) flowEnd {
	if end := t.run(t.program.functions[n]); end.kind == flowExit {
		return end
	}
	return flowEnd{}
}

// want is what a thread stores.
func (p *flowProgram) want(tid uint32) uint32 {
	t := &flowThread{p, tid*2654435761 + 12345}
	if end := t.run(p.kernel); end.kind == flowExit {
		return 0
	}
	return t.number
}

// flowWriter writes the PTX.
type flowWriter struct {
	strings.Builder
	counters []int
}

func (w *flowWriter) line(format string, args ...any) { fmt.Fprintf(w, "\t"+format+"\n", args...) }

// ptx is the program's text. With merged, all returns of a function jump to one.
func (p *flowProgram) ptx(merged bool) string {
	var out strings.Builder
	for i, f := range p.functions {
		w := &flowWriter{}
		w.list(f, nil, "\tret;", merged)
		fmt.Fprintf(&out, ".func (.reg .b32 %%x) f%d(.reg .b32 %%arg)\n{\n%s\tmov.u32 %%x, %%arg;\n%s}\n", i, w.declared(), w.String()+"END:\n\tret;\n")
	}
	w := &flowWriter{}
	w.list(p.kernel, nil, "\tst.global.u32 [%out], %x;\n\tret;", merged)
	return out.String() + ".entry k(.param .u64 p)\n{\n\t.reg .b32 %x, %t;\n\t.reg .b64 %out, %o;\n" + w.declared() +
		"\tld.param.u64 %out, [p];\n\tmov.u32 %t, %tid.x;\n\tmul.wide.u32 %o, %t, 4;\n\tadd.u64 %out, %out, %o;\n" +
		"\tmul.lo.u32 %x, %t, 2654435761;\n\tadd.u32 %x, %x, 12345;\n" + w.String() + "END:\n\tst.global.u32 [%out], %x;\n\tret;\n}\n"
}

// declared declares what the statements use.
func (w *flowWriter) declared() string {
	s := "\t.reg .pred %p;\n\t.reg .b32 %b;\n\t.reg .b64 %f, %g;\n"
	for _, c := range w.counters {
		s += fmt.Sprintf("\t.reg .b32 %%c%d;\n", c)
	}
	return s + "PROTO: .callprototype (.reg .b32 _) _ (.reg .b32 _);\n"
}

// list writes statements; around is the ids of the blocks and loops that they may leave,
// leave what a return does.
func (w *flowWriter) list(fs []*flow, around []int, leave string, merged bool) {
	for _, f := range fs {
		w.statement(f, around, leave, merged)
	}
}

// decide sets %b to the bits that decide, and %p to whether they are v.
func (w *flowWriter) decide(f *flow, v int) {
	w.line("shr.u32 %%b, %%x, %d;", f.bit)
	w.line("and.b32 %%b, %%b, 3;")
	w.line("setp.eq.u32 %%p, %%b, %d;", v)
}

func (w *flowWriter) statement(f *flow, around []int, leave string, merged bool) {
	inside := append(around[:len(around):len(around)], f.id)
	switch f.kind {
	case flowMark:
		w.line("mad.lo.u32 %%x, %%x, 1664525, %d;", f.n)
	case flowBarrier:
		w.line("bar.sync 0;")
	case flowIf:
		w.decide(f, 0)
		w.line("@!%%p bra ELSE%d;", f.id)
		w.list(f.kids, around, leave, merged)
		w.line("bra END%d;\nELSE%d:", f.id, f.id)
		w.list(f.others, around, leave, merged)
		w.line("END%d:", f.id)
	case flowBlock:
		w.list(f.kids, inside, leave, merged)
		w.line("END%d:", f.id)
	case flowLoop, flowRepeat:
		if f.kind == flowRepeat {
			inside = around
		}
		w.loop(f, inside, leave, merged)
	case flowSwitch:
		w.table(f, around, leave, merged)
	case flowCall:
		w.line("call (%%x), f%d, (%%x);", f.n)
	case flowCallAny:
		w.decide(f, 0)
		w.line("and.b32 %%b, %%b, 1;\n\tsetp.eq.u32 %%p, %%b, 0;")
		w.line("mov.u64 %%f, f0;\n\tmov.u64 %%g, f1;\n\tselp.b64 %%f, %%f, %%g, %%p;")
		w.line("call (%%x), %%f, (%%x), PROTO;")
	default:
		w.jump(f, around, leave, merged)
	}
}

// loop writes a loop; it may be left when it is the last of inside.
func (w *flowWriter) loop(f *flow, inside []int, leave string, merged bool) {
	w.counters = append(w.counters, f.id)
	w.line("mov.u32 %%c%d, 2;", f.id)
	if f.kind == flowLoop {
		w.decide(f, 0)
		w.line("mov.u32 %%c%d, %%b;", f.id)
	}
	w.line("LOOP%d:", f.id)
	w.line("setp.eq.u32 %%p, %%c%d, 0;\n\t@%%p bra END%d;", f.id, f.id)
	w.line("sub.u32 %%c%d, %%c%d, 1;", f.id, f.id)
	w.list(f.kids, inside, leave, merged)
	w.line("bra LOOP%d;\nEND%d:", f.id, f.id)
}

// table writes a switch.
func (w *flowWriter) table(f *flow, around []int, leave string, merged bool) {
	w.decide(f, 0)
	var labels []string
	for _, c := range f.kids {
		labels = append(labels, fmt.Sprintf("CASE%d", c.id))
	}
	w.line("TABLE%d: .branchtargets %s;", f.id, strings.Join(labels, ", "))
	w.line("brx.idx %%b, TABLE%d;", f.id)
	for _, c := range f.kids {
		w.line("CASE%d:", c.id)
		w.list(c.kids, around, leave, merged)
		w.line("bra END%d;", f.id)
	}
	w.line("END%d:", f.id)
}

// jump writes what leaves a block, a round, the function or the kernel.
func (w *flowWriter) jump(f *flow, around []int, leave string, merged bool) {
	w.decide(f, 1)
	switch {
	case f.kind == flowLeave:
		w.line("@%%p bra END%d;", around[len(around)-1-f.n])
	case f.kind == flowContinue:
		w.line("@%%p bra LOOP%d;", around[len(around)-1])
	case f.kind == flowExit && merged:
		w.line("@!%%p bra STAY%d;\n\texit;\nSTAY%d:", f.id, f.id)
	case f.kind == flowExit:
		w.line("@%%p exit;")
	case merged:
		w.line("@%%p bra END;")
	default:
		w.line("@!%%p bra STAY%d;\n%s\nSTAY%d:", f.id, leave, f.id)
	}
}

// TestRandomFlow: random programs of structured control flow have the results of a
// reference under every policy, and no barrier is reported.
func TestRandomFlow(t *testing.T) {
	const threads = 64
	programs := uint64(100)
	if testing.Short() {
		programs = 15
	}
	for seed := range programs {
		p := newFlowProgram(seed)
		text := p.ptx(seed%2 == 0)
		mod, err := parse(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, cfg := range []emu.Config{
			{Policy: emu.ITS},
			{Policy: emu.Lockstep},
			{Policy: emu.Lockstep, NoVector: true},
			{Policy: emu.Random, Seed: seed},
			{Policy: emu.PCT, Seed: seed, Length: 300},
			{Policy: emu.RoundRobin, Seed: seed},
			{Policy: emu.PerThread},
		} {
			m, err := emu.New(mod, cfg)
			if err != nil {
				t.Fatal(err)
			}
			out := alloc(t, m, "out", threads)
			if r := launch(t, m, 1, threads, out); len(r.Faults) > 0 {
				t.Fatalf("seed %d, policy %d: %v\n%s", seed, cfg.Policy, r.Faults[0], text)
			}
			for i, got := range words(t, m, out, threads) {
				if want := p.want(uint32(i)); got != want {
					t.Fatalf("seed %d, policy %d: thread %d: got %d, want %d\n%s", seed, cfg.Policy, i, got, want, text)
				}
			}
		}
	}
}
