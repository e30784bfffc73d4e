package emu

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

// newest is the header of modules that may contain what sm_100a has.
const newest = ".version 9.5\n.target sm_100a\n.address_size 64\n"

// newest120 is the header of those with what sm_120a has and sm_100a does not.
const newest120 = ".version 9.2\n.target sm_120a\n.address_size 64\n"

// machineFor loads PTX text with the usual header before it.
func machineFor(t testing.TB, cfg Config, body string) *Machine {
	t.Helper()
	m, err := newMachine(cfg, body)
	if err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
	return m
}

func newMachine(cfg Config, body string) (*Machine, error) {
	m, err := machineOf("test.ptx", newest+body, cfg)
	if err != nil {
		if other, otherErr := machineOf("test.ptx", newest120+body, cfg); otherErr == nil {
			return other, nil
		}
	}
	return m, err
}

// machineOf loads the text of a module.
func machineOf(name, text string, cfg Config) (*Machine, error) {
	mod, err := moduleOf(name, text)
	if err != nil {
		return nil, err
	}
	return New(mod, cfg)
}

// moduleOf parses the text of a module.
func moduleOf(name, text string) (*rewrite.Module, error) {
	ast, err := ptxgrammar.Parse(name, []byte(text))
	if err != nil {
		return nil, err
	}
	return rewrite.Load(ast)
}

// mustLoad loads the text of a module that has no errors.
func mustLoad(t testing.TB, name, text string, cfg Config) *Machine {
	t.Helper()
	m, err := machineOf(name, text, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// warpKernel wraps a body that runs in one warp. %rd0 is the address of the
// lane's record in the buffer in (64 bytes per lane), %rd1 that of its record in
// out; registers are declared by type: %p %b(b8) %h(b16) %r(b32) %f(f32) %rd(b64) %fd(f64)
// %q(b128).
func warpKernel(body string) string {
	return `
.visible .entry k(.param .u64 in, .param .u64 out) {
	.reg .pred %p<16>;
	.reg .b8 %b<4>;
	.reg .b16 %h<16>;
	.reg .b32 %r<32>;
	.reg .f32 %f<16>;
	.reg .b64 %rd<16>;
	.reg .f64 %fd<16>;
	.reg .b128 %q<4>;
	ld.param.u64 %rd0, [in];
	ld.param.u64 %rd1, [out];
	mov.u32 %r0, %tid.x;
	mad.wide.u32 %rd0, %r0, 64, %rd0;
	mad.wide.u32 %rd1, %r0, 64, %rd1;
` + body + `
	ret;
}
`
}

const recordSize = 64

// runWarp runs a kernel made by warpKernel on 32 records and returns the output
// records and the fault, nil when there was none. What runs in assembly must give the same
// in Go.
func runWarp(t testing.TB, body string, in []byte) ([]byte, *Fault) {
	t.Helper()
	m := machineFor(t, Config{}, warpKernel(body))
	out, fault := launchWarp(t, m, in)
	if fault == nil {
		CountResults(m, state.WarpSize)
	}
	same, again := launchWarp(t, machineFor(t, Config{NoVector: true}, warpKernel(body)), in)
	if !bytes.Equal(out, same) || fmt.Sprint(fault) != fmt.Sprint(again) {
		t.Errorf("%s\n%x, %v in assembly\n%x, %v in Go", body, out, fault, same, again)
	}
	return out, fault
}

func launchWarp(t testing.TB, m *Machine, in []byte) ([]byte, *Fault) {
	t.Helper()
	a, err := m.Alloc("in", 32*recordSize)
	if err != nil {
		t.Fatal(err)
	}
	b, err := m.Alloc("out", 32*recordSize)
	if err != nil {
		t.Fatal(err)
	}
	if err = m.Write(a, in); err != nil {
		t.Fatal(err)
	}
	params := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, a), b)
	res, err := m.Launch(context.Background(), LaunchConfig{Kernel: "k", Grid: Dim3{X: 1, Y: 1, Z: 1}, Block: Dim3{X: 32, Y: 1, Z: 1}, Params: params})
	if err != nil {
		t.Fatal(err)
	}
	out := make([]byte, 32*recordSize)
	if err := m.Read(b, out); err != nil {
		t.Fatal(err)
	}
	if len(res.Faults) > 0 {
		return out, res.Faults[0]
	}
	return out, nil
}

// regClass is how a test passes a value of a type through memory: the register
// family and the ld/st type.
type regClass struct {
	reg  string
	bits string
	size int
}

var regClasses = map[string]regClass{
	"16": {"%h", "b16", 2}, "32": {"%r", "b32", 4}, "64": {"%rd", "b64", 8}, "f32": {"%f", "b32", 4}, "f64": {"%fd", "b64", 8},
}

// form is one instruction form under test: its text with $d for the destination
// and $a, $b, $c, $e for operands, and the widths of those.
type form struct {
	text string
	args string // e.g. "32 32 32" : width of $d, $a, $b...; "p" for a predicate destination
	// want computes the result from the operands.
	want func(v []uint64) uint64
}

// Places in a record.
const (
	presetAt = 40 // what the destination holds before
	activeAt = 56 // not zero in lanes whose guard holds
)

// kernel is the kernel that applies the form, under a guard, to the operands in
// each record.
func (f form) kernel() string {
	var b strings.Builder
	args := strings.Fields(f.args)
	text := "@%p0 " + strings.ReplaceAll(f.text, "; ", ";\n\t@%p0 ")
	for i, c := range args[1:] {
		rc := regClasses[c]
		reg := fmt.Sprintf("%s%d", rc.reg, i+10)
		fmt.Fprintf(&b, "\tld.global.%s %s, [%%rd0+%d];\n", rc.bits, reg, 8*i)
		text = strings.ReplaceAll(text, "$"+string("abce"[i]), reg)
	}
	fmt.Fprintf(&b, "\tld.global.u32 %%r1, [%%rd0+%d];\n\tsetp.ne.u32 %%p0, %%r1, 0;\n", activeAt)
	if args[0] == "p" {
		fmt.Fprintf(&b, "\tld.global.u32 %%r1, [%%rd0+%d];\n\tsetp.ne.u32 %%p1, %%r1, 0;\n", presetAt)
		text = strings.ReplaceAll(text, "$d", "%p1")
		fmt.Fprintf(&b, "\t%s;\n\tselp.u32 %%r9, 1, 0, %%p1;\n\tst.global.u32 [%%rd1], %%r9;\n", text)
		return warpKernel(b.String())
	}
	rc := regClasses[args[0]]
	dst := rc.reg + "9"
	fmt.Fprintf(&b, "\tld.global.%s %s, [%%rd0+%d];\n", rc.bits, dst, presetAt)
	fmt.Fprintf(&b, "\t%s;\n\tst.global.%s [%%rd1], %s;\n", strings.ReplaceAll(text, "$d", dst), rc.bits, dst)
	return warpKernel(b.String())
}

// judgement is whether a result is right for operands, and what is right or nearly so.
type judgement func(v []uint64, got uint64) (want uint64, ok bool)

// check runs the form on operand tuples.
func (f form) check(t *testing.T, tuples [][]uint64) {
	t.Helper()
	f.judge(t, tuples, func(v []uint64, got uint64) (uint64, bool) {
		want := f.want(v) & f.resultMask()
		return want, got == want
	})
}

// judge runs the form on operand tuples, 32 at a time: in all lanes, and then in some lanes
// only. A form with a handler in assembly runs in Go as well and must give the same bits.
func (f form) judge(t *testing.T, tuples [][]uint64, right judgement) {
	t.Helper()
	m, err := newMachine(Config{}, f.kernel())
	if err != nil {
		t.Errorf("%s: %v", f.text, err)
		return
	}
	countCases(m, 2*len(tuples), opcodesIn(f.text)...)
	tiers := []*Machine{m}
	if m.inAssembly(opcodesIn(f.text)) {
		tiers = append(tiers, machineFor(t, Config{NoVector: true}, f.kernel()))
	}
	for len(tuples) > 0 {
		batch := tuples[:min(32, len(tuples))]
		tuples = tuples[len(batch):]
		for _, active := range []uint32{^uint32(0), 0x9e3779b1} {
			if !f.batch(t, tiers, batch, active, right) {
				return
			}
		}
	}
}

// inAssembly reports whether an instruction with one of the opcodes has a handler in
// assembly.
func (m *Machine) inAssembly(opcodes []string) bool {
	for src, fn := range m.state.BySource {
		for i := range fn.Code {
			if c := &fn.Code[i]; c.Op != vector.Slow && c.Src >= 0 && slices.Contains(opcodes, src.Insts[c.Src].Instr.Name) {
				return true
			}
		}
	}
	return false
}

// resultMask is the bits of the result.
func (f form) resultMask() uint64 { return sizeMask(strings.Fields(f.args)[0]) }

// batch checks a launch on each machine.
func (f form) batch(t *testing.T, tiers []*Machine, batch [][]uint64, active uint32, right judgement) bool {
	t.Helper()
	args := strings.Fields(f.args)
	in := make([]byte, 32*recordSize)
	preset := func(i int) uint64 { return uint64(i%2) * 0x0123456789abcdef }
	for i, v := range batch {
		for k, x := range v {
			binary.LittleEndian.PutUint64(in[i*recordSize+8*k:], x)
		}
		binary.LittleEndian.PutUint64(in[i*recordSize+presetAt:], preset(i))
	}
	for i := range 32 {
		binary.LittleEndian.PutUint32(in[i*recordSize+activeAt:], active>>i&1)
	}
	var first []byte
	for tier, m := range tiers {
		out, fault := launchWarp(t, m, in)
		if fault != nil {
			t.Errorf("%s: %v", f.text, fault)
			return false
		}
		if tier > 0 && !bytes.Equal(out, first) {
			t.Errorf("%s with %x, lanes %x: %x in assembly, %x in Go", f.text, batch, active, first, out)
			return false
		}
		first = out
	}
	for i, v := range batch {
		masked := make([]uint64, len(v))
		for k := range v {
			masked[k] = v[k] & sizeMask(args[k+1])
		}
		got := binary.LittleEndian.Uint64(first[i*recordSize:]) & f.resultMask()
		want, ok := preset(i)&f.resultMask(), false
		switch {
		case active>>i&1 != 0:
			want, ok = right(masked, got)
		default:
			if args[0] == "p" {
				want = uint64(i % 2)
			}
			ok = got == want
		}
		if !ok {
			t.Errorf("%s with %x, lane %d of %x = %x, want %x", f.text, masked, i, active, got, want)
			return false
		}
	}
	return true
}

func sizeMask(class string) uint64 {
	if class == "p" {
		return 1
	}
	return ^uint64(0) >> (64 - 8*regClasses[class].size)
}

// opcodesIn are the opcodes of the instructions in a form's text.
func opcodesIn(text string) []string {
	var names []string
	for _, part := range strings.Split(text, ";") {
		opcode, _, _ := strings.Cut(strings.TrimSpace(part), " ")
		name, _, _ := strings.Cut(opcode, ".")
		names = append(names, name)
	}
	return names
}
