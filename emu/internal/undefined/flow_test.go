package undefined

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

// instruction returns one instruction of a kernel with registers r0 to r3 (32 bits), d0 to d3 (64 bits), h0 to h3 (16
// bits) and p0 to p3.
func instruction(t *testing.T, text string) *rewrite.Inst {
	t.Helper()
	source := fmt.Sprintf(`.version 8.0
.target sm_80
.address_size 64
.visible .entry k() {
	.reg .b16 h<4>; .reg .b32 r<4>; .reg .b64 d<4>; .reg .pred p<4>;
	%s;
	ret;
}`, text)
	ast, err := ptxgrammar.Parse("k.ptx", []byte(source))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	mod, err := rewrite.Load(ast)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return mod.Funcs[0].Insts[0]
}

// sourcesOf gives registers values and undefined bits, by name.
func sourcesOf(values map[string]uint64, undefined map[string]Value) *sources {
	return &sources{
		value: func(o *rewrite.Operand) (uint64, bool) {
			if o.Kind == rewrite.OperandReg {
				return values[o.Reg.Name], true
			}
			return o.Imm, o.Kind == rewrite.OperandImm
		},
		undefined: func(r *rewrite.Reg) Value { return undefined[r.Name] },
	}
}

// TestResults: what the result of an instruction has of the undefined bits of its sources.
func TestResults(t *testing.T) {
	const all = ^uint64(0)
	values := map[string]uint64{"r1": 0x11223344, "r2": 0x55667788, "r3": 8, "d1": 0x1122334455667788, "p1": 1, "p2": 0}
	for _, c := range []struct {
		text      string
		undefined map[string]Value
		want      string // registers with undefined bits and padding
	}{
		{"mov.b32 r0, r1", map[string]Value{"r1": {0xff00, 0xff00}}, "r0 ff00/ff00"},
		{"mov.b64 d0, {r1, r2}", map[string]Value{"r2": {0xff, 0}}, "d0 ff00000000/0"},
		{"mov.b64 {r0, r3}, d1", map[string]Value{"d1": {0xff0000ff00, 0xff00}}, "r0 ff00/ff00 r3 ff/0"},
		{"mov.b32 r0, 5", map[string]Value{"r1": {all, 0}}, ""},
		{"and.b32 r0, r1, 255", map[string]Value{"r1": {0xffffff00, 0}}, ""},
		{"and.b32 r0, r1, r2", map[string]Value{"r1": {0xffff, 0}}, "r0 7788/0"},
		{"or.b32 r0, r1, 0xff00", map[string]Value{"r1": {0xffff, 0xffff}}, "r0 ff/ff"},
		{"or.b32 r0, r1, r2", map[string]Value{"r1": {0xf, 0xf}, "r2": {0xf0, 0}}, "r0 b7/7"},
		{"shl.b32 r0, r1, 8", map[string]Value{"r1": {0xff0000ff, 0}}, "r0 ff00/0"},
		{"shr.u64 d0, d1, 32", map[string]Value{"d1": {0xff000000ff, 0xff000000ff}}, "d0 ff/ff"},
		{"shl.b32 r0, r1, r3", map[string]Value{"r3": {1, 1}}, "r0 ffffffff/0"},
		{"bfe.u32 r0, r1, 16, 8", map[string]Value{"r1": {0xffff, 0}}, ""},
		{"bfi.b32 r0, r1, r2, 0, 8", map[string]Value{"r1": {0xffff, 0}}, "r0 ff/0"},
		{"prmt.b32 r0, r1, r2, 0x5410", map[string]Value{"r1": {0xff000000, 0}, "r2": {0xff, 0xff}}, "r0 ff0000/ff0000"},
		{"lop3.b32 r0, r1, r2, r3, 0xc0", map[string]Value{"r1": {0xff, 0}}, "r0 88/0"},
		{"cvt.u32.u64 r0, d1", map[string]Value{"d1": {0xff00000000, 0}}, ""},
		{"cvt.u16.u32 h0, r1", map[string]Value{"r1": {0xff00, 0}}, "h0 ff00/0"},
		{"cvt.rn.f32.u32 r0, r1", map[string]Value{"r1": {1, 1}}, "r0 ffffffff/0"},
		{"selp.b32 r0, r1, r2, p1", map[string]Value{"r2": {all, 0}}, ""},
		{"selp.b32 r0, r1, r2, p2", map[string]Value{"r2": {0xff, 0xff}}, "r0 ff/ff"},
		{"selp.b32 r0, r1, r2, p1", map[string]Value{"p1": {1, 0}}, "r0 ffffffff/0"},
		{"add.u32 r0, r1, r2", map[string]Value{"r1": {1, 1}}, "r0 ffffffff/0"},
		{"setp.eq.u32 p0, r1, 5", map[string]Value{"r1": {1, 0}}, "p0 1/0"},
		{"setp.eq.and.u32 p0, r1, 5, p2", map[string]Value{"r1": {1, 0}}, ""},
		{"setp.eq.or.u32 p0, r1, 5, p2", map[string]Value{"r1": {1, 0}}, "p0 1/0"},
		{"and.pred p0, p1, p2", map[string]Value{"p1": {1, 0}}, ""},
		{"or.pred p0, p1, p2", map[string]Value{"p1": {1, 0}}, "p0 1/0"},
	} {
		var got []string
		sourcesOf(values, c.undefined).results(instruction(t, c.text), func(r *rewrite.Reg, v Value) {
			if v.Bits != 0 {
				got = append(got, fmt.Sprintf("%s %x/%x", r.Name, v.Bits, v.Padding))
			}
		})
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: got %q, expected %q", c.text, text, c.want)
		}
	}
}

// TestMoved: bits of a result that count as defined do not change, whatever the undefined bits of the sources are.
func TestMoved(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	for _, text := range []string{
		"and.b32 r0, r1, r2", "or.b32 r0, r1, r2", "xor.b32 r0, r1, r2", "not.b32 r0, r1", "shl.b32 r0, r1, 5", "shr.s32 r0, r1, 9", "bfe.s32 r0, r1, 3, 7",
		"bfi.b32 r0, r1, r2, 4, 9", "prmt.b32 r0, r1, r2, 0x6203", "prmt.b32 r0, r1, r2, 0xb1c8", "shf.l.wrap.b32 r0, r1, r2, 13", "lop3.b32 r0, r1, r2, r3, 0xe8",
		"cvt.s32.s16 r0, r1", "selp.b32 r0, r1, r2, p1",
	} {
		in := instruction(t, text)
		if FlowOf(in) != Moves {
			t.Errorf("%s does not move bits", text)
		}
		for range 300 {
			values, undefined := map[string]uint64{"p1": r.Uint64N(2)}, map[string]Value{}
			for _, name := range []string{"r1", "r2", "r3"} {
				values[name] = uint64(r.Uint32())
				undefined[name] = Value{Bits: uint64(r.Uint32() & r.Uint32() & r.Uint32())}
			}
			var v Value
			sourcesOf(values, undefined).results(in, func(_ *rewrite.Reg, got Value) { v = got })
			var known, other []uint64
			for i := range in.Operands[1:] {
				o := &in.Operands[i+1]
				x := o.Imm
				if o.Kind == rewrite.OperandReg {
					x = values[o.Reg.Name]
				}
				known = append(known, x)
				if o.Kind == rewrite.OperandReg {
					x ^= undefined[o.Reg.Name].Bits & r.Uint64()
				}
				other = append(other, x)
			}
			a, _ := evaluate(in, known)
			b, _ := evaluate(in, other)
			if changed := (a ^ b) & 0xffffffff &^ v.Bits; changed != 0 {
				t.Fatalf("%s: bits %x change and count as defined (values %x and %x)", text, changed, known, other)
			}
		}
	}
}

// TestFlowOf: instructions with effects other than on registers use what is undefined.
func TestFlowOf(t *testing.T) {
	for text, want := range map[string]Flow{
		"ld.global.u32 r0, [d1]": Loads, "st.global.u32 [d1], r1": Stores, "atom.global.add.u32 r0, [d1], r1": Uses, "shfl.sync.idx.b32 r0, r1, 0, 31, -1": Shuffles,
		"bar.sync 0": Uses, "vote.sync.ballot.b32 r0, p1, -1": Uses, "mad.lo.u32 r0, r1, r2, r3": Computes, "cp.async.ca.shared.global [r1], [d1], 4": Uses,
		"fma.rn.f32 r0, r1, r2, r3": Computes, "mov.b32 r0, r1": Moves, "cvta.to.global.u64 d0, d1": Moves, "tex.1d.v4.f32.s32 {r0, r1, r2, r3}, [d1, {r1}]": Uses,
	} {
		if got := FlowOf(instruction(t, text)); got != want {
			t.Errorf("%s: flow %d, expected %d", text, got, want)
		}
	}
}

// TestLoaded: the bits of a register after a load, and the bytes that a store of it leaves undefined.
func TestLoaded(t *testing.T) {
	for _, c := range []struct {
		unwritten, padding uint64
		size, width        int
		signed             bool
		want               Value
	}{
		{0xf0, 0x30, 8, 64, false, Value{0xffffffff00000000, 0xffff00000000}},
		{1, 0, 1, 32, false, Value{0xff, 0}},
		{1, 1, 1, 32, true, Value{0xffffffff, 0xffffffff}},
		{1, 0, 2, 32, true, Value{0xff, 0}},
	} {
		v := Loaded(c.unwritten, c.padding, c.size, c.width, c.signed)
		if v != c.want {
			t.Errorf("%+v: got %x", c, v)
		}
		if undefined, padding := v.Stored(c.size); undefined != c.unwritten || padding != c.padding {
			t.Errorf("%+v: stored with %x and %x undefined", c, undefined, padding)
		}
	}
	if undefined, padding := (Value{0x0100ff, 0xff}).Stored(4); undefined != 5 || padding != 1 {
		t.Errorf("bytes %x, padding %x", undefined, padding)
	}
}

// TestShuffle: lanes get the undefined bits of others, also of the same register.
func TestShuffle(t *testing.T) {
	reg := instruction(t, "mov.b32 r0, r1").Operands[0].Reg
	var u Registers
	for i := range Lanes / 2 {
		u.Set(reg, i, Value{Bits: uint64(i + 1)}, i)
	}
	var from [Lanes]int
	for i := range from {
		from[i] = i + 1
		if i == Lanes-1 {
			from[i] = -1
		}
	}
	u.Shuffle(reg, reg, ^uint32(0)&^2, &from) // lane 1 does not take part
	for i := range Lanes {
		want, origin := Value{Bits: uint64(i + 2)}, any(i+1)
		switch {
		case i == 1:
			want, origin = Value{Bits: 2}, 1
		case i >= Lanes/2-1:
			want, origin = Value{}, nil
		}
		if v, from := u.Get(reg, i); v != want || from != origin {
			t.Errorf("lane %d: %v from %v, expected %v from %v", i, v, from, want, origin)
		}
	}
	if u.Keep(make(rewrite.RegSet, 1), ^uint32(0)); !u.None() {
		t.Error("a register that is not live is kept")
	}
}
