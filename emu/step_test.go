package emu_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/observe"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// storedReader records, before each strong access, what its lanes find in memory and in a register.
type storedReader struct {
	emu.NopListener
	only     bool // of strong accesses
	register string
	text     []string
}

// Interest implements emu.Listener.
func (c *storedReader) Interest() emu.Interest {
	of := emu.Interest{Needs: abi.Needs{Shared: true}, Step: c.step}
	if c.only {
		of.Steps = func(in *rewrite.Inst) bool { return in.Strong() }
	}
	return of
}

func (c *storedReader) step(s *emu.Step) {
	if !s.Inst.Strong() {
		c.text = append(c.text, s.Inst.Instr.Name)
		return
	}
	for lane := range 32 {
		if s.Mask>>lane&1 == 0 {
			continue
		}
		value, ok := s.Stored(lane)
		for _, r := range s.Inst.Func.Regs {
			if r.Name == c.register {
				n, known := s.Register(r, lane)
				c.text = append(c.text, fmt.Sprint(s.Inst.Instr.Name, lane, value, ok, n, known))
			}
		}
	}
}

const storedText = `.global .u32 flag = 7;
.entry k(.param .u64 out) {
	.reg .b32 %r<8>; .reg .pred %p<3>; .reg .b64 %d<4>; .shared .u32 s;
	ld.param.u64 %d1, [out];
	mov.u32 %r1, %tid.x; setp.gt.u32 %p1, %r1, 1; @%p1 bra END;
	add.u32 %r2, %r1, 40;
	ld.volatile.global.u32 %r3, [flag];
	atom.global.add.u32 %r4, [%d1+4], %r2;
	mov.u64 %d2, s; cvta.shared.u64 %d2, %d2;
	st.volatile.shared.u32 [s], %r2;
	ld.volatile.u32 %r5, [%d2];
	add.u32 %r6, %r5, %r2;
	st.global.u32 [%d1], %r6;
END:	ret;
}`

// TestStored: a step of an access shows what is in memory before it, at addresses of each form, and registers.
func TestStored(t *testing.T) {
	c := &storedReader{only: true, register: "%r2"}
	m := load(t, storedText, emu.Config{Listener: c})
	clean(t, launch(t, m, 1, 3, alloc(t, m, "out", 2)))
	want := "ld0 7 true 40 true, ld1 7 true 41 true, atom0 0 true 40 true, atom1 0 true 41 true, " +
		"st0 0 true 40 true, st1 0 true 41 true, ld0 41 true 40 true, ld1 41 true 41 true"
	if got := strings.Join(c.text, ", "); got != want {
		t.Errorf("got\n%s\nexpected\n%s", got, want)
	}
}

// TestStoredByCluster: a step shows what is in the shared memory of another block of the cluster.
func TestStoredByCluster(t *testing.T) {
	c := &storedReader{only: true, register: "%r2"}
	m := loadWith(t, header100+`.entry k(.param .u64 out) .reqnctapercluster 2, 1, 1 {
	.reg .b32 %r<8>; .reg .pred %p<3>; .shared .u32 s;
	mov.u32 %r1, %cluster_ctarank; add.u32 %r2, %r1, 50; st.shared.u32 [s], %r2;
	barrier.cluster.arrive; barrier.cluster.wait;
	xor.b32 %r3, %r1, 1; mov.u32 %r4, s; mapa.shared::cluster.u32 %r4, %r4, %r3;
	ld.relaxed.cluster.shared::cluster.u32 %r5, [%r4];
	barrier.cluster.arrive; barrier.cluster.wait;
	st.shared.u32 [s], %r2;
	ret;
}`, emu.Config{Listener: c})
	clean(t, launch(t, m, 2, 1, alloc(t, m, "out", 1)))
	slices.Sort(c.text)
	c.text = slices.DeleteFunc(c.text, func(s string) bool { return !strings.HasPrefix(s, "ld") })
	if got, want := strings.Join(c.text, ", "), "ld0 50 true 51 true, ld0 51 true 50 true"; got != want {
		t.Errorf("got %s, expected %s", got, want)
	}
}

// TestSomeSteps: steps of some instructions are those among all steps, of each listener for itself.
func TestSomeSteps(t *testing.T) {
	some, all := &storedReader{only: true}, &storedReader{}
	for _, l := range []emu.Listener{some, observe.Tee(some, all), observe.Tee(some, &storedReader{only: true})} {
		m := load(t, storedText, emu.Config{Listener: l})
		clean(t, launch(t, m, 1, 3, alloc(t, m, "out", 2)))
		if len(some.text) > 0 {
			t.Errorf("steps of other instructions: %s", some.text)
		}
	}
	if len(all.text) == 0 {
		t.Error("no steps of other instructions beside a listener that needs some")
	}
}

// TestStepsKeepOrder: steps of some instructions do not change in which order threads run.
func TestStepsKeepOrder(t *testing.T) {
	const text = `.entry k(.param .u64 out) {
	.reg .b32 %r<8>; .reg .pred %p<3>; .reg .b64 %d<4>;
	ld.param.u64 %d1, [out];
	mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r1, %r2, 96, %r1; mov.u32 %r5, 0;
LOOP:	atom.global.add.u32 %r3, [%d1], 1;
	add.u32 %r5, %r5, 1; and.b32 %r6, %r1, 3; setp.le.u32 %p1, %r5, %r6; @%p1 bra LOOP;
	mul.wide.u32 %d2, %r1, 4; add.s64 %d2, %d1, %d2; st.global.u32 [%d2+4], %r3;
	ret;
}`
	run := func(cfg emu.Config) []uint32 {
		m := load(t, text, cfg)
		out := alloc(t, m, "out", 1+4*96)
		clean(t, launch(t, m, 4, 96, out))
		return words(t, m, out, 1+4*96)
	}
	for name, p := range policies {
		for seed := range uint64(5) {
			plain := run(emu.Config{Policy: p, Seed: seed, Listener: emu.NopListener{}})
			with := run(emu.Config{Policy: p, Seed: seed, Listener: &storedReader{only: true}})
			if !slices.Equal(plain, with) {
				t.Errorf("%s seed %d: another order with steps", name, seed)
			}
		}
	}
}
