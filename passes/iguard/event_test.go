package iguard_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// event is one instrumented instruction, executed by some lanes of a warp together.
type event struct {
	op                 eventOp
	block, warp        int
	lanes              uint32
	addr               uint64 // offset in the test's memory
	size               int
	site               uint32
	atomic, blockScope bool
	cas, exch          bool
	writeOnly          bool // atomic, and no read-modify-write operation
	shared             bool // addr is an offset in the block's shared memory
	text               string
	want               []found
}

type eventOp int

const (
	opLoad eventOp = iota
	opStore
	opFence
	opBlockBarrier
	opPartialBarrier
	opWarpBarrier
)

// threads are the threads that execute the event, in order of lanes.
func (e event) threads() []thread {
	var list []thread
	for lane := range 32 {
		if e.lanes>>lane&1 != 0 {
			list = append(list, thread{e.block, e.warp*32 + lane})
		}
	}
	return list
}

var eventSyntax = regexp.MustCompile(`^b(\d+)(?:t([\d,-]+))? ([a-z.]+)(\d*)(?: (s?)([A-Z])(?:\+(\d+))?)?(?: => (.*))?$`)

// parseEvents reads a script, one event per line; the line number is the site.
//
//	b0t3 st X              thread 3 of block 0 stores the word X
//	b0t0,1,2 ld X          three lanes load together; t0-31 is a range
//	b0t0 st8 X+4           eight bytes at X+4 (size 4 unless given)
//	b0t0 st sX             the word X of the block's shared memory
//	b0t0 atom.cta X        also red-like: atom, cas, exch, with .cta or .gpu
//	b0t0 ld.relaxed.gpu X  and st.relaxed
//	b0t0 fence.gpu         fence.cta
//	b0 bar                 barrier of the block
//	b0t0 barpart           barrier of some threads of the block, this warp's
//	b0t0-31 warpbar        barrier of the warp, or of the lanes named
//	... => R3 b0t0@1       reports R3 against b0t0's access at line 1
func parseEvents(t testing.TB, script string) []event {
	t.Helper()
	var list []event
	for line := range strings.SplitSeq(strings.TrimSpace(script), "\n") {
		line = strings.TrimSpace(line)
		m := eventSyntax.FindStringSubmatch(line)
		if m == nil {
			t.Fatalf("bad event %q", line)
		}
		e := event{text: line, site: uint32(len(list) + 1), size: 4, block: atoi(m[1])}
		e.warp, e.lanes = parseLanes(m[2])
		if m[4] != "" {
			e.size = atoi(m[4])
		}
		if m[6] != "" {
			e.shared, e.addr = m[5] == "s", uint64(m[6][0]-'A')*64+uint64(atoi("0"+m[7]))
		}
		words := strings.Split(m[3], ".")
		e.blockScope = words[len(words)-1] == "cta"
		e.atomic = len(words) > 1
		switch words[0] {
		case "ld":
			e.op = opLoad
		case "st", "atom", "cas", "exch":
			e.op, e.cas, e.exch, e.writeOnly = opStore, words[0] == "cas", words[0] == "exch", words[0] == "st"
		case "fence":
			e.op = opFence
		case "bar":
			e.op = opBlockBarrier
		case "barpart":
			e.op = opPartialBarrier
		case "warpbar":
			e.op = opWarpBarrier
		default:
			t.Fatalf("bad operation in %q", line)
		}
		if m[8] != "" {
			for want := range strings.SplitSeq(m[8], "; ") {
				var f found
				if _, err := fmt.Sscanf(want, "R%d b%dt%d@%d", &f.rule, &f.first.block, &f.first.thread, &f.firstSite); err != nil {
					t.Fatalf("bad expectation in %q: %v", line, err)
				}
				e.want = append(e.want, f)
			}
		}
		list = append(list, e)
	}
	return list
}

func atoi(s string) int { n, _ := strconv.Atoi(s); return n }

// parseLanes reads a list of threads of one warp: 0,1,2 or 32-63.
func parseLanes(s string) (warp int, lanes uint32) {
	for part := range strings.SplitSeq(s, ",") {
		from, to, ranged := strings.Cut(part, "-")
		if !ranged {
			to = from
		}
		for i := atoi(from); i <= atoi(to); i++ {
			warp = i / 32
			lanes |= 1 << (i % 32)
		}
	}
	return warp, lanes
}
