package rewrite_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/rewrite/query"
)

// evaluated are opcodes with the kinds of their operands, the result first: a register of 32 or 64 bits (r, d), a
// predicate (p), or two (q).
var evaluated = strings.Fields(`
	cvt.s8.s32_rr cvt.u8.s32_rr cvt.s16.u64_rd cvt.u32.u64_rd cvt.s64.s32_dr cvt.u64.u32_dr cvt.s32.s8_rr cvt.u32.u16_rr
	cvt.s64.s16_dr cvt.u64.s8_dr mov.b32_rr mov.u64_dd
	add.u32_rrr add.s64_ddd sub.s32_rrr sub.u64_ddd mul.lo.u32_rrr mul.lo.s64_ddd mul.hi.u32_rrr mul.hi.s32_rrr mul.hi.u64_ddd
	mul.hi.s64_ddd mul.wide.u32_drr mul.wide.s32_drr mad.lo.s32_rrrr mad.lo.u64_dddd mad.hi.s32_rrrr mad.hi.u64_dddd
	mad.wide.u32_drrd mad.wide.s32_drrd min.s32_rrr min.u64_ddd max.u32_rrr max.s64_ddd abs.s32_rr abs.s64_dd neg.s32_rr neg.s64_dd
	div.s32_rrr div.u32_rrr div.s64_ddd div.u64_ddd rem.s32_rrr rem.u32_rrr rem.s64_ddd rem.u64_ddd and.b32_rrr or.b64_ddd
	xor.b32_rrr not.b32_rr not.b64_dd shl.b32_rrr shl.b64_ddr shr.u32_rrr shr.s32_rrr shr.b32_rrr shr.u64_ddr shr.s64_ddr
	bfe.u32_rrrr bfe.s32_rrrr bfe.u64_ddrr bfe.s64_ddrr selp.b32_rrrp selp.b64_dddp setp.eq.u32_qrr setp.ne.s64_qdd setp.lt.s32_qrr
	setp.lo.u32_qrr setp.le.s64_qdd setp.gt.u64_qdd setp.hs.u32_qrr setp.ge.and.s32_qrrp setp.lt.or.u64_qddp setp.ne.xor.s32_qrrp`)

// results are instructions that leave the result in %rd9, by the letter of the result.
var results = map[byte]string{
	'r': "cvt.u64.u32 %rd9, %r9;",
	'd': "mov.b64 %rd9, %rd9;",
	'q': "selp.b64 %rd9, 1, 0, %p8; @%p9 or.b64 %rd9, %rd9, 2;",
}

// resultBits are the bits of a result that have a meaning.
var resultBits = map[byte]uint64{'r': 1<<32 - 1, 'd': 1<<64 - 1, 'q': 3}

// TestEvaluateIsExecuted: Evaluate computes what the emulator does, for random sources and for numbers at the ends of
// types.
func TestEvaluateIsExecuted(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 1))
	defined := 0
	for range 40 {
		var body strings.Builder
		sources := make([][]uint64, len(evaluated))
		var names, shapes []string
		for i, form := range evaluated {
			for n := range 3 {
				w := sourceWord(rnd)
				sources[i] = append(sources[i], w)
				fmt.Fprintf(&body, "mov.b64 %%rd%d, %d; cvt.u32.u64 %%r%d, %%rd%d;\n", n, w, n, n)
			}
			op, shape, _ := strings.Cut(form, "_")
			names, shapes = append(names, op+" "+operandsOf(shape)), append(shapes, shape)
			fmt.Fprintf(&body, "and.b64 %%rd8, %%rd2, 1; setp.ne.b64 %%p2, %%rd8, 0;\n%s;\n%s\nst.global.b64 [%%rd7+%d], %%rd9;\n",
				names[i], results[shape[0]], 8*i)
			sources[i] = sources[i][:len(shape)-1]
		}
		m := parse(t, "k.ptx", []byte(".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"+
			".reg .pred %p<10>; .reg .b32 %r<10>; .reg .b64 %rd<10>;\nld.param.u64 %rd7, [p];\n"+body.String()+"ret;\n}\n"))
		memory, _, _ := execute(t, m, "k", emu.ITS)
		at := 1 // the load of the parameter comes first
		for i, name := range names {
			in := m.Kernels()[0].Insts[at+8]
			if in.Opcode() != strings.Fields(name)[0] {
				t.Fatalf("%s instead of %s", in.Opcode(), name)
			}
			at += 10 + strings.Count(results[shapes[i][0]], ";")
			got, ok := query.Evaluate(in, sources[i])
			if !ok {
				continue
			}
			defined++
			got &= resultBits[shapes[i][0]]
			if want := binary.LittleEndian.Uint64(memory[8*i:]); got != want {
				t.Errorf("%s of %#x: %#x, executed %#x", name, sources[i], got, want)
			}
		}
	}
	if all := 40 * len(evaluated); defined < all*9/10 {
		t.Errorf("%d of %d results are defined", defined, all)
	}
}

// operandsOf returns the operands that letters stand for.
func operandsOf(shape string) string {
	var list []string
	for i, c := range shape {
		n := (i + 9) % 10 // the result is number 9
		switch c {
		case 'r':
			list = append(list, fmt.Sprintf("%%r%d", n))
		case 'd':
			list = append(list, fmt.Sprintf("%%rd%d", n))
		case 'p':
			list = append(list, "%p2")
		case 'q':
			list = append(list, "%p8|%p9")
		}
	}
	return strings.Join(list, ", ")
}

// sourceWord returns a random number, a small one, or one at the end of a type.
func sourceWord(rnd *rand.Rand) uint64 {
	switch rnd.IntN(4) {
	case 0:
		return rnd.Uint64()
	case 1:
		return rnd.Uint64N(70)
	case 2:
		return -rnd.Uint64N(4)
	}
	return 1<<rnd.IntN(64) - rnd.Uint64N(3)
}
