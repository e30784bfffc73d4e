package observe_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/observe"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// batchKernel has accesses of all kinds that come in batches: rows, columns, two spaces,
// some lanes, values of several registers, operations that fail.
const batchKernel = eventsHead + `
	.reg .pred %p4;
	.reg .b64 %sh, %at;
	mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2; mul.wide.u32 %rd4, %r1, 16; add.u64 %rd4, %rd1, %rd4;
	mov.u64 %sh, tile; cvta.shared.u64 %sh, %sh; add.u64 %sh, %sh, %rd2;
	and.b32 %r3, %r1, 3; setp.eq.u32 %p4, %r3, 0; selp.b64 %at, %sh, %rd3, %p4;
	mov.u32 %r4, 0;
LOOP:
	ld.global.u32 %r5, [%rd1+64]; ld.global.u32 %r6, [%rd3]; st.global.v2.u32 [%rd4+1024], {%r5, %r6};
	st.u32 [%at], %r4; @%p1 ld.u32 %r5, [%sh]; @!%p4 ld.global.u8 %r6, [%rd4];
	membar.gl; atom.global.add.u32 %r5, [%rd1+64], %r1; @%p1 fence.acq_rel.cta; atom.cas.b32 %r6, [%at], %r4, %r1; red.shared.or.b32 [tile+252], %r1;
	@%p4 atom.global.exch.b64 %rd5, [%rd4+2048], %rd2; st.global.u16 [%rd4], %r4;
	add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 9; @%p2 bra LOOP;
	bar.sync 0;
	ret;
}`

// eventLog writes events down.
type eventLog struct {
	*observe.Events
	lines []string
}

func newEventLog(m *rewrite.Module, needs abi.Needs) *eventLog {
	l := &eventLog{}
	l.Events = observe.NewEvents(m, needs, each(l.event))
	return l
}

// each takes accesses as events, one at a time.
type each func(*abi.Event)

// Event implements abi.Receiver.
func (f each) Event(ev *abi.Event) { f(ev) }

// Accesses implements abi.Receiver.
func (f each) Accesses(b *abi.Batch) {
	var ev abi.Event
	b.Each(&ev, f)
}

func (l *eventLog) event(ev *abi.Event) {
	s := eventLine(l.Events, ev)
	if ev.Kind == abi.EventAccess {
		s += fmt.Sprintf(" next %x same %x wrote %x reduces %v scalar %d", ev.Next, ev.Same, ev.Wrote, ev.Reduces, ev.Scalar)
		for i := range ev.Addr {
			if ev.Mask>>i&1 != 0 {
				s += fmt.Sprintf(" %x", ev.Addr[i])
			}
			if ev.Mask>>i&1 != 0 && ev.Valued && ev.Access == abi.AccessRMW {
				s += fmt.Sprintf("<%x", ev.Old[i])
			}
		}
	}
	l.lines = append(l.lines, s)
}

// TestBatches: the listeners of one run get the same events, whether they are alone or combined with others, with or
// without vector instructions.
func TestBatches(t *testing.T) {
	mod := load(t, batchKernel)
	for _, values := range []bool{false, true} {
		needs := abi.Needs{Values: values, Shared: true, Branches: true, Lanes: true}
		alone := newEventLog(mod, needs)
		runModule(t, mod, emu.Config{Listener: alone, NoVector: true}, 2, 48)
		logs := []*eventLog{newEventLog(mod, needs), newEventLog(mod, needs), newEventLog(mod, needs)}
		one := accessCounter{}
		runModule(t, mod, emu.Config{Listener: observe.Tee(logs[0], logs[1], &one, logs[2])}, 2, 48)
		accesses := 0
		for _, s := range alone.lines {
			if len(s) > 6 && s[:6] == "access" {
				accesses++
			}
		}
		for i, l := range logs {
			if !slices.Equal(l.lines, alone.lines) {
				k := 0
				for k < min(len(l.lines), len(alone.lines)) && l.lines[k] == alone.lines[k] {
					k++
				}
				t.Errorf("values %v, listener %d: %d events, differ from %d on, %d expected:\n%q\n%q", values, i, len(l.lines), k, len(alone.lines),
					l.lines[k:min(k+1, len(l.lines))], alone.lines[k:min(k+1, len(alone.lines))])
			}
		}
		if accesses < 300 || one.accesses != accesses {
			t.Errorf("values %v: %d accesses, %d counted", values, accesses, one.accesses)
		}
	}
}

// accessCounter counts accesses. It takes no loops.
type accessCounter struct {
	emu.NopListener
	accesses int
}

// Accesses implements abi.Receiver.
func (c *accessCounter) Accesses(b *abi.Batch) { c.accesses += len(b.List) }
