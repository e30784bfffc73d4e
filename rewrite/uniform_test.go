package rewrite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// lane executes the instructions that random kernels are made of, for one lane. It
// calls see before every instruction with how often each loop around it has turned.
type lane struct {
	f       *Func
	special map[string]uint64
	regs    []uint64
	rounds  map[*Loop]int
}

func (l *lane) run(limit int, see func(in *Inst, key string, regs []uint64)) {
	g, u := l.f.CFG(), l.f.Uniformity()
	l.regs, l.rounds = make([]uint64, len(l.f.Regs)), make(map[*Loop]int)
	from := (*Block)(nil)
	for b := g.Blocks[0]; b != g.Exit; limit-- {
		if limit == 0 {
			return
		}
		key := ""
		for loop := u.loops[b.Index]; loop != nil; loop = loop.Parent {
			if loop.Header == b {
				if from != nil && inLoop(u.loops, loop, from) {
					l.rounds[loop]++
				} else {
					l.rounds[loop] = 0
				}
			}
			key += fmt.Sprintf(" %d:%d", loop.Header.Index, l.rounds[loop])
		}
		from = b
		next := g.at(b.End)
		for _, in := range l.f.Insts[b.Start:b.End] {
			see(in, key, l.regs)
			if in.Guard != nil && (l.regs[in.Guard.Index] != 0) == in.GuardNot {
				continue
			}
			if in.leaves() {
				next = g.Exit
			}
			if in.Branches() {
				targets, _ := in.targets()
				next = g.at(targets[0].Inst)
			}
			l.exec(in)
		}
		b = next
	}
}

func (l *lane) value(o *Operand) uint64 {
	switch o.Kind {
	case OperandReg:
		return l.regs[o.Reg.Index]
	case OperandSpecial:
		return l.special[o.Special.Name]
	}
	return o.Imm
}

func (l *lane) exec(in *Inst) {
	src := func(n int) uint64 { return l.value(&in.Operands[n]) }
	set := func(v uint64) { l.regs[in.Operands[0].Reg.Index] = uint64(uint32(v)) }
	switch in.Instr.Name {
	case "mov":
		set(src(1))
	case "add":
		set(src(1) + src(2))
	case "and":
		set(src(1) & src(2))
	case "setp":
		v := uint64(0)
		if in.Has("lt") && src(1) < src(2) || in.Has("eq") && src(1) == src(2) {
			v = 1
		}
		set(v)
	}
}

// What Uniformity calls uniform is the same in all lanes, in every round of loops.
func TestUniformAgainstLanes(t *testing.T) {
	uniform, reads := 0, 0
	randomKernels(t, 300, 60, func(t *testing.T, k *Func) {
		u := k.Uniformity()
		seen := make(map[string]uint64)
		for id := range uint64(8) {
			l := &lane{f: k, special: map[string]uint64{"%tid": id, "%laneid": id, "%ctaid": 5, "%ntid": 8}}
			l.run(5000, func(in *Inst, key string, regs []uint64) {
				in.Uses(func(r *Reg) {
					reads++
					if !u.Reg(in, r) {
						return
					}
					uniform++
					at := fmt.Sprintf("%s in %d%s", r.Name, in.Index, key)
					if was, again := seen[at]; again && was != regs[r.Index] {
						t.Errorf("line %d: %s in %q is said to be uniform and is %d and %d (%s)", in.Line, r.Name, in.Text(), was, regs[r.Index], key)
					}
					seen[at] = regs[r.Index]
				})
			})
		}
	})
	if uniform*5 < reads {
		t.Errorf("only %d of %d reads are uniform: the analysis has lost its precision", uniform, reads)
	}
}

type uniformityTest struct {
	name, body string
	want       string // the divergent branches, by line of the body
}

func TestUniformity(t *testing.T) {
	const regs = ".reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<4>;\n"
	tests := []uniformityTest{
		{"thread index", "mov.u32 %r1, %tid.x;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra L;\nmembar.gl;\nL:\nret;", "3"},
		{"block index", "mov.u32 %r1, %ctaid.x;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra L;\nmembar.gl;\nL:\nret;", ""},
		{"parameter", "ld.param.u32 %r1, [n];\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra L;\nmembar.gl;\nL:\nret;", ""},
		{"loaded", "ld.param.u64 %rd1, [p];\nld.global.u32 %r1, [%rd1];\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra L;\nmembar.gl;\nL:\nret;", "4"},
		{"loaded for good", "ld.param.u64 %rd1, [p];\nld.global.nc.u32 %r1, [%rd1];\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra L;\nmembar.gl;\nL:\nret;", ""},
		{"vote", "mov.u32 %r1, %tid.x;\nsetp.eq.u32 %p1, %r1, 0;\nvote.sync.any.pred %p2, %p1, -1;\n@%p2 bra L;\nmembar.gl;\nL:\nret;", ""},
		{"vote of a varying mask", "mov.u32 %r1, %tid.x;\nsetp.eq.u32 %p1, %r1, 0;\nvote.sync.any.pred %p2, %p1, %r1;\n@%p2 bra L;\nmembar.gl;\nL:\nret;", "4"},
		{"atomic", "ld.param.u64 %rd1, [p];\natom.global.add.u32 %r1, [%rd1], 1;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 exit;\nret;", "4"},
		{"clock", "mov.u32 %r1, %clock;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra L;\nmembar.gl;\nL:\nret;", "3"},
		{"merged behind a divergent branch", "mov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra L;\nmov.u32 %r2, 1;\nL:\nsetp.eq.u32 %p2, %r2, 0;\n@%p2 bra M;\nmembar.gl;\nM:\nret;", "4 8"},
		{"merged behind a uniform branch", "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, 0;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra L;\nmov.u32 %r2, 1;\nL:\nsetp.eq.u32 %p2, %r2, 0;\n@%p2 bra M;\nmembar.gl;\nM:\nret;", ""},
		{"guarded write", "mov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 mov.u32 %r2, 1;\nsetp.eq.u32 %p2, %r2, 0;\n@%p2 bra M;\nmembar.gl;\nM:\nret;", "6"},
		{"uniform loop", "ld.param.u32 %r1, [n];\nmov.u32 %r2, 0;\nL:\nadd.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, %r1;\n@%p1 bra L;\nsetp.eq.u32 %p2, %r2, 9;\n@%p2 bra M;\nmembar.gl;\nM:\nret;", ""},
		{"left in different rounds", "mov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\nL:\nadd.u32 %r2, %r2, 1;\nsetp.eq.u32 %p3, %r2, 5;\n@%p3 bra K;\nK:\nsetp.lt.u32 %p1, %r2, %r1;\n@%p1 bra L;\nsetp.eq.u32 %p2, %r2, 9;\n@%p2 bra M;\nmembar.gl;\nM:\nret;", "9 11"},
		{"other lanes go round", "mov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\nL:\nadd.u32 %r2, %r2, 1;\nsetp.eq.u32 %p1, %r1, %r2;\n@%p1 bra L;\nmembar.gl;\nsetp.lt.u32 %p2, %r2, 7;\n@%p2 bra L;\nsetp.eq.u32 %p3, %r2, 7;\n@%p3 bra M;\nmembar.gl;\nM:\nret;", "6 9 11"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := kernel(t, regs+tt.body)
			var lines []string
			for _, in := range f.Uniformity().DivergentBranches() {
				lines = append(lines, fmt.Sprint(in.Line-6))
			}
			if got := strings.Join(lines, " "); got != tt.want {
				t.Errorf("divergent are the branches on lines %q, expected %q", got, tt.want)
			}
		})
	}
}

func TestUniformityQueries(t *testing.T) {
	f := kernel(t, `
	.reg .b32 %r<4>; .reg .pred %p;
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, %ctaid.x;
	setp.eq.u32 %p, %r1, %r2;
	@%p bra END;
	bra END;
END:
	ret;`)
	u, in := f.Uniformity(), f.Insts
	reg := func(i, operand int) *Reg { return in[i].Operands[operand].Reg }
	if u.Reg(in[2], reg(0, 0)) || !u.Reg(in[2], reg(1, 0)) || u.Reg(in[3], in[3].Guard) {
		t.Error("what the instructions write")
	}
	if u.Reg(in[0], reg(1, 0)) {
		t.Error("a register that an instruction does not name is uniform there")
	}
	if !u.Divergent(in[3]) || u.Divergent(in[4]) {
		t.Error("branches")
	}
}

// Arguments of device functions and results of calls are not known to be uniform.
func TestUniformityOfCalls(t *testing.T) {
	m := load(t, "k.ptx", header+`
.func (.param .b32 out) f(.param .b32 in)
{
	.reg .b32 %r<3>;
	ld.param.b32 %r1, [in];
	st.param.b32 [out], %r1;
	ret;
}
.entry k()
{
	.reg .b32 %r<3>;
	{
	.param .b32 a; .param .b32 b;
	st.param.b32 [a], 1;
	call (b), f, (a);
	ld.param.b32 %r1, [b];
	}
	st.global.u32 [0], %r1;
	ret;
}
`)
	for name, inst := range map[string]int{"f": 1, "k": 3} {
		f := m.Func(name)
		in := f.Insts[inst]
		if f.Uniformity().Reg(in, in.Operands[1].Reg) {
			t.Errorf("%s: %q: the value is said to be uniform", name, in.Text())
		}
		if in.Access.Kind != isa.AccessStore {
			t.Errorf("%q is no store", in.Text())
		}
	}
}

// TestRaceFreeUniformity: what a block loads from one word of shared memory is the same for its threads if
// it has no race; what it loads elsewhere, or otherwise, is not known to be.
func TestRaceFreeUniformity(t *testing.T) {
	const frame = ".reg .pred %%p; .reg .b32 %%r<4>; .shared .b32 s[4];\nmov.u32 %%r1, %%tid.x;\nmov.b32 %%r2, s;\n%s\nsetp.eq.u32 %%p, %%r3, 0;\n@%%p bra L;\nmembar.gl;\nL:\nret;"
	for load, want := range map[string]int{
		"ld.shared.u32 %r3, [s];":                           0,
		"ld.shared.u32 %r3, [%r2];":                         0,
		"add.u32 %r2, %r2, %r1;\nld.shared.u32 %r3, [%r2];": 1,
		"ld.volatile.shared.u32 %r3, [s];":                  1,
		"ld.relaxed.cta.shared.u32 %r3, [s];":               1,
		"atom.shared.add.u32 %r3, [s], 0;":                  1,
		"ld.global.u32 %r3, [0];":                           1,
	} {
		f := kernel(t, fmt.Sprintf(frame, load))
		if got := len(f.RaceFreeUniformity().DivergentBranches()); got != want {
			t.Errorf("%s: %d divergent branches, expected %d", load, got, want)
		}
		if got := len(f.Uniformity().DivergentBranches()); got != 1 {
			t.Errorf("%s: %d divergent branches for all programs, expected 1", load, got)
		}
	}
}
