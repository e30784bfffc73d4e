package observe_test

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/observe"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// loopKernel has loops of one, two and five accesses, one whose distances change, one whose distances and lanes change
// once, one that lanes leave at different times, one with accesses to shared memory between those to global memory, and
// two of generic accesses: to one space, and by one instruction to two spaces at an even distance.
const loopKernel = eventsHead + `
	.local .align 16 .b8 own[64];
	.reg .b64 %p, %q, %i; .reg .pred %p3;
	mul.wide.u32 %rd2, %r1, 4; add.u64 %p, %rd1, %rd2; mov.u32 %r4, 0;
ONE:
	st.global.u32 [%p], %r4; add.u64 %p, %p, 8;
	add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 40; @%p2 bra ONE;
	add.u64 %p, %rd1, %rd2; add.u64 %q, %p, 1024; mov.u32 %r4, 0;
TWO:
	ld.global.u32 %r5, [%p]; st.global.u32 [%q], %r5; add.u64 %p, %p, 16; sub.u64 %q, %q, 4;
	add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 30; @%p2 bra TWO;
	mov.u64 %p, %rd1; mov.u32 %r4, 0;
FIVE:
	ld.global.u32 %r5, [%p]; ld.global.u32 %r6, [%p+4]; st.global.u32 [%p+512], %r5; st.global.u16 [%p+520], %r5; red.global.add.u32 [%p+900], %r6;
	add.u64 %p, %p, 12; add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 20; @%p2 bra FIVE;
	mov.u32 %r4, 0;
SQUARE:
	mul.lo.u32 %r5, %r4, %r4; mul.wide.u32 %i, %r5, 4; add.u64 %p, %rd1, %i; st.global.u32 [%p], %r4;
	add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 20; @%p2 bra SQUARE;
	add.u64 %p, %rd1, %rd2; mov.u32 %r4, 0;
CHANGE:
	setp.lt.u32 %p2, %r4, 20; selp.b32 %r5, 16, 8, %p2; cvt.u64.u32 %i, %r5; add.u64 %p, %p, %i;
	setp.gt.u32 %p3, %r4, 10; setp.lt.or.u32 %p3, %r1, 12, %p3; @%p3 ld.global.u32 %r6, [%p+512]; st.global.u32 [%p], %r6;
	add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 40; @%p2 bra CHANGE;
	add.u64 %p, %rd1, %rd2; mov.u32 %r4, 0;
LEAVE:
	ld.global.u32 %r5, [%p]; st.shared.u32 [tile], %r5; st.global.u32 [%p+128], %r5; add.u64 %p, %p, 4;
	add.u32 %r4, %r4, 1; add.u32 %r5, %r1, 5; setp.lt.u32 %p2, %r4, %r5; @%p2 bra LEAVE;
	add.u64 %p, %rd1, %rd2; mov.u64 %q, tile; cvta.shared.u64 %q, %q; mov.u32 %r4, 0;
GENERIC:
	ld.u32 %r5, [%p]; st.u32 [%q], %r5; add.u64 %p, %p, 8; add.u64 %q, %q, 4;
	add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 20; @%p2 bra GENERIC;
	mov.u64 %q, tile; cvta.shared.u64 %q, %q; cvt.u64.u32 %i, %r1; shl.b64 %i, %i, 32; add.u64 %q, %q, %i; mov.u32 %r4, 0;
SPACES:
	setp.lt.u32 %p3, %r1, 2; @%p3 st.u32 [%q], %r4; add.u64 %q, %q, 4;
	add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 10; @%p2 bra SPACES;
	ret;
}`

// loopLog is an eventLog that takes loops. It counts the accesses that are left out, those of loops that are listed,
// and those of the longest batch.
type loopLog struct {
	each
	*loopCounts
}

type loopCounts struct{ left, listed, longest int }

// TakesLoops implements abi.LoopReceiver.
func (loopLog) TakesLoops() bool { return true }

// Accesses implements abi.Receiver.
func (l loopLog) Accesses(b *abi.Batch) {
	l.longest = max(l.longest, len(b.List))
	for i := range b.Loops {
		loop := &b.Loops[i]
		l.left += loop.More
		if loop.More == 0 {
			l.listed += loop.Listed
		}
		l.check(b, loop)
	}
	l.each.Accesses(b)
}

// check panics if the rounds of a loop do not follow each other at equal distances.
func (l loopLog) check(b *abi.Batch, loop *abi.Loop) {
	var w, x, y abi.Access
	for n := range loop.Len() - 2*loop.Period {
		loop.Nth(b, n, &w)
		loop.Nth(b, n+loop.Period, &x)
		loop.Nth(b, n+2*loop.Period, &y)
		for m := w.Mask; m != 0; m &= m - 1 {
			lane := bits.TrailingZeros32(m)
			if x.Mask != w.Mask || y.Mask != w.Mask || x.At(lane)-w.At(lane) != y.At(lane)-x.At(lane) {
				panic(fmt.Sprintf("access %d of loop %+v, lane %d", n, *loop, lane))
			}
		}
	}
}

// loopCounter is an accessCounter that takes loops.
type loopCounter struct{ accessCounter }

// TakesLoops implements abi.LoopReceiver.
func (*loopCounter) TakesLoops() bool { return true }

// TestLoops: a listener that takes loops gets the same accesses as one without them and without vector instructions,
// most of them in loops, also if some are omitted, on the emulator's goroutine or another one. With values, the rounds
// of stores are listed.
func TestLoops(t *testing.T) {
	mod := load(t, loopKernel)
	for i := range 8 {
		needs := abi.Needs{Shared: i&1 != 0, Values: i&2 != 0}
		all := newEventLog(mod, needs)
		runModule(t, mod, emu.Config{Listener: all, NoVector: true}, 2, 48)
		some, n := &eventLog{}, &loopCounts{}
		some.Events = observe.NewEvents(mod, needs, loopLog{some.event, n})
		if i&4 != 0 {
			some.Beside()
		}
		// The counter needs accesses to shared memory, so that they are noted.
		runModule(t, mod, emu.Config{Listener: observe.Tee(some, new(loopCounter))}, 2, 48)
		some.Wait()
		if !slices.Equal(some.lines, all.lines) {
			t.Errorf("%+v: %d events, %d expected", needs, len(some.lines), len(all.lines))
		}
		many := len(all.lines) / 2
		if vector := n.longest > 1; vector && (needs.Values && n.listed < many || !needs.Values && n.left < many) {
			t.Errorf("%+v: of %d accesses %+v", needs, len(all.lines), *n)
		}
	}
}
