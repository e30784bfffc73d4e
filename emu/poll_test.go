package emu_test

import (
	"encoding/binary"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// mailbox is a kernel that sends numbers to the host through a mailbox and spins until the host has read them.
const mailbox = `.entry k(.param .u64 box) {
	.reg .b32 %r<8>; .reg .pred %p<3>; .reg .b64 %d<3>;
	ld.param.u64 %d1, [box];
	mov.u32 %r1, 0;
NEXT:	add.u32 %r1, %r1, 1;
	st.volatile.global.u32 [%d1], %r1;
WAIT:	ld.volatile.global.u32 %r2, [%d1];
	setp.ne.u32 %p1, %r2, 0;
	@%p1 bra WAIT;
	setp.lt.u32 %p1, %r1, 100;
	@%p1 bra NEXT;
	ret;
}`

// emptied reads the mailbox and empties it. It reports whether there was a number, which it adds to sum.
func emptied(t *testing.T, m *emu.Machine, box uint64, sum *uint32) bool {
	t.Helper()
	b := make([]byte, 4)
	if err := m.Read(box, b); err != nil {
		t.Fatal(err)
	}
	n := binary.LittleEndian.Uint32(b)
	if n == 0 {
		return false
	}
	*sum += n
	if err := m.Write(box, make([]byte, 4)); err != nil {
		t.Fatal(err)
	}
	return true
}

// TestPoll: the host looks at the mailbox again and again while the kernel runs.
func TestPoll(t *testing.T) {
	for _, policy := range []emu.Policy{emu.ITS, emu.Lockstep, emu.Random, emu.PCT} {
		var m *emu.Machine
		var box uint64
		sum, polls := uint32(0), 0
		m = load(t, mailbox, emu.Config{Policy: policy, Poll: func() bool {
			polls++
			return emptied(t, m, box, &sum)
		}})
		box = alloc(t, m, "box", 1)
		clean(t, launch(t, m, 1, 1, box))
		if sum != 100*101/2 || polls < 100 {
			t.Errorf("policy %d: sum %d after %d polls", policy, sum, polls)
		}
	}
}

// TestStalled: the host reads the mailbox when the kernel cannot go on. When it has nothing new, the launch ends with a
// livelock.
func TestStalled(t *testing.T) {
	for _, policy := range []emu.Policy{emu.ITS, emu.Lockstep, emu.Random, emu.PCT} {
		var m *emu.Machine
		var box uint64
		sum, idle := uint32(0), 0
		m = load(t, mailbox, emu.Config{Policy: policy})
		box = alloc(t, m, "box", 1)
		res, err := m.Launch(t.Context(), emu.LaunchConfig{
			Kernel: "k", Grid: dim(1), Block: dim(1), Params: args(box),
			Stalled: func(changed bool) bool {
				if sum < 50*51/2 {
					return emptied(t, m, box, &sum)
				}
				if idle++; changed != (idle == 1) {
					t.Errorf("policy %d: look %d without an answer: changed is %v", policy, idle, changed)
				}
				return idle < 5
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Faults) != 1 || res.Faults[0].Class != "livelock" || sum != 50*51/2 || idle != 5 {
			t.Errorf("policy %d: sum %d, %d looks in vain, faults %v", policy, sum, idle, res.Faults)
		}
	}
}
