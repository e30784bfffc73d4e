package iguard_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// scenarios are short histories of one or two locations with the verdict that the
// paper's rules give, by name of the condition of Table 2 that decides. They run
// against the model and against the device library.
var scenarios = []struct {
	name, script string
	options      string // "its=false", "locks=false", "granularity=8"
}{
	{name: "P1 first access", script: `
		b0t0 st X
		b1t0 ld Y
		b1t0 st Z`},
	{name: "P2 loads of what nobody wrote", script: `
		b0t0 ld X
		b0t32 ld X
		b1t0 ld X
		b0t1 ld X`},
	{name: "P3 program order", script: `
		b0t0 st X
		b0t0 ld X
		b0t0 st X
		b0t0 atom.gpu X`},
	{name: "P3 a thread reads its own write after others did", script: `
		b0t0 st X
		b0t0 fence.gpu
		b0t32 ld X
		b1t0 ld X
		b0t0 ld X`},
	{name: "P4 lanes that execute together", script: `
		b0t0,1 st X
		b0t0,1 ld X
		b0t0,1 st X`},
	{name: "P4 not for lanes that are apart", script: `
		b0t0,1 ld X
		b0t1 st X => R2 b0t0@1`},
	{name: "P4 warp barrier", script: `
		b0t0 st X
		b0t0-31 warpbar
		b0t1 ld X
		b0t0,1 warpbar
		b0t0 st X`},
	{name: "P4 lock-step warps", options: "its=false", script: `
		b0t0 st X
		b0t1 ld X
		b0t2 st X`},
	{name: "P5 block barrier", script: `
		b0t0 st X
		b0 bar
		b0t32 ld X
		b0t33 ld X
		b0 bar
		b0t0 st X`},
	{name: "P5 after a barrier sharing starts anew", script: `
		b0t32 st X
		b0 bar
		b0t0 ld X
		b0t0 st X
		b0t0 ld X`},
	{name: "P5 barrier of a part of the block", script: `
		b0t0 st X
		b0t0-31 barpart
		b0t32 ld X`},
	{name: "P6 atomics of device scope", script: `
		b0t0 atom.gpu X
		b0t32 atom.gpu X
		b1t0 atom.gpu X`},
	{name: "P6 atomics of block scope in one block", script: `
		b0t0 atom.cta X
		b0t32 atom.cta X
		b0t33 atom.gpu X`},
	{name: "P6 only the recorded scope counts", script: `
		b0t0 atom.gpu X
		b1t0 atom.cta X`},
	{name: "P6 a load between atomics leaves the flags", script: `
		b0t0 atom.gpu X
		b0t0 ld X
		b1t0 atom.gpu X`},
	{name: "P6 relaxed polling", script: `
		b1t0 ld.relaxed.gpu X
		b0t0 st.relaxed.gpu X
		b1t0 ld.relaxed.gpu X`},
	{name: "R1 atomic of block scope, another block's atomic", script: `
		b0t0 atom.cta X
		b1t0 atom.gpu X => R1 b0t0@1`},
	{name: "R1 atomic of block scope, another block's load", script: `
		b0t0 atom.cta X
		b0t0 fence.gpu
		b1t0 ld X => R1 b0t0@1`},
	{name: "R1 with a load in between", script: `
		b0t0 atom.cta X
		b0t0 ld X
		b1t0 atom.gpu X => R1 b0t0@2`},
	{name: "R1 the last writer was in another block", script: `
		b0t0 atom.cta X
		b1t0 ld X => R1 b0t0@1
		b1t0 st X => R1 b0t0@1`},
	{name: "R2 Figure 8", script: `
		b0t1 ld Y
		b0t1 st X
		b0t0 ld X => R2 b0t1@2`},
	{name: "R2 of each load by a thread that has loaded", script: `
		b0t1 st X
		b0t0 ld X => R2 b0t1@1
		b0t0 ld X => R2 b0t1@1
		b0t1 ld X
		b0t0 ld X => R2 b0t1@1
		b0t0 st X
		b0t0 ld X`},
	{name: "R2 not after a fence", script: `
		b0t1 st X
		b0t1 fence.cta
		b0t0 ld X
		b0t1 st Y
		b0t1 fence.gpu
		b0t0 st Y`},
	{name: "R3 warps of one block", script: `
		b0t0 st X
		b0t32 ld X => R3 b0t0@1
		b0t64 st X => R3 b0t32@2`},
	{name: "R3 either fence orders", script: `
		b0t0 st X
		b0t0 fence.cta
		b0t32 ld X
		b0t0 st Y
		b0t0 fence.gpu
		b0t32 ld Y`},
	{name: "R3 the reader of another warp before the last accessor", script: `
		b0t0 ld X
		b0t32 ld X
		b0t32 st X => R3 b0t0@1`},
	{name: "R3 not when that reader has fenced", script: `
		b0t0 ld X
		b0t0 fence.cta
		b0t32 ld X
		b0t32 st X`},
	{name: "R4 blocks without a fence", script: `
		b0t0 st X
		b1t0 ld X => R4 b0t0@1
		b1t0 st X
		b0t5 st X => R4 b1t0@3`},
	{name: "R4 a block fence is too narrow", script: `
		b0t0 st X
		b0t0 fence.cta
		b1t0 ld X => R4 b0t0@1`},
	{name: "R4 a block barrier does not help", script: `
		b0t0 st X
		b0 bar
		b1 bar
		b1t0 ld X => R4 b0t0@1`},
	{name: "R4 not after a device fence", script: `
		b0t0 st X
		b0t0 fence.gpu
		b1t0 ld X`},
	{name: "R4 plain store and atomic", script: `
		b0t0 atom.gpu X
		b1t0 st X => R4 b0t0@1
		b0t0 atom.gpu X => R4 b1t0@2`},
	{name: "R5 one side without the lock", script: `
		b0t0 cas.gpu L
		b0t0 fence.gpu
		b0t0 st X
		b0t0 fence.gpu
		b0t0 exch.gpu L
		b1t0 st X => R5 b0t0@3`},
	{name: "R5 different locks", script: `
		b0t0 cas.gpu L
		b0t0 fence.gpu
		b0t0 st X
		b0t0 fence.gpu
		b0t0 exch.gpu L
		b1t0 cas.gpu M
		b1t0 fence.gpu
		b1t0 ld X => R5 b0t0@3
		b1t0 fence.gpu
		b1t0 exch.gpu M`},
	{name: "R5 same lock", script: `
		b0t0 cas.gpu L
		b0t0 fence.gpu
		b0t0 ld X
		b0t0 st X
		b0t0 fence.gpu
		b0t0 exch.gpu L
		b0t32 cas.gpu L
		b0t32 fence.gpu
		b0t32 ld X
		b0t32 st X
		b0t32 fence.gpu
		b0t32 exch.gpu L
		b1t0 cas.gpu L
		b1t0 fence.gpu
		b1t0 ld X
		b1t0 st X`},
	{name: "R5 the lock is held from the fence on", script: `
		b0t0 cas.gpu L
		b0t0 st X
		b0t0 fence.gpu
		b0t0 exch.gpu L
		b1t0 cas.gpu L
		b1t0 fence.gpu
		b1t0 st X => R5 b0t0@2`},
	{name: "R5 a block fence does not complete a device lock", script: `
		b0t0 cas.gpu L
		b0t0 fence.cta
		b0t0 st X
		b0t0 fence.gpu
		b1t0 cas.gpu L
		b1t0 fence.gpu
		b1t0 st X => R5 b0t0@3`},
	{name: "R5 Figure 9, per-thread locks", script: `
		b0t0,1 cas.gpu L
		b0t1 cas.gpu M
		b0t0 fence.gpu
		b0t0 st X
		b0t0 fence.gpu
		b0t0 exch.gpu L
		b0t1 fence.gpu
		b0t1 exch.gpu L
		b0t1 st X => R5 b0t0@4`},
	{name: "R5 per-warp locks until two lanes take one together", script: `
		b0t0 cas.gpu L
		b0t0 fence.gpu
		b0t1 st X
		b0t1 fence.gpu
		b0t0 exch.gpu L
		b0t2 cas.gpu L
		b0t2 fence.gpu
		b0t3 st X`},
	{name: "R5 the lock held at the switch is kept", script: `
		b0t0 cas.gpu L
		b0t0 fence.gpu
		b0t1,2 cas.gpu L
		b0t0 st X
		b0t0 fence.gpu
		b0t0 exch.gpu L
		b0t1 fence.gpu
		b0t1 st X`},
	{name: "R5 a lock of block scope is no lock to another block", options: "lockscope=true", script: `
		b0t0 cas.cta L
		b0t0 fence.cta
		b0t0 st X
		b0t0 fence.gpu
		b0t0 exch.cta L
		b0t32 cas.cta L
		b0t32 fence.cta
		b0t32 st X
		b0t32 fence.gpu
		b0t32 exch.cta L
		b1t0 cas.cta L => R1 b0t32@10
		b1t0 fence.cta
		b1t0 st X => R5 b0t32@8`},
	{name: "R5 a lock taken at both scopes in one block", script: `
		b0t0 cas.gpu L
		b0t0 fence.gpu
		b0t0 st X
		b0t0 fence.gpu
		b0t0 exch.gpu L
		b0t32 cas.cta L
		b0t32 fence.cta
		b0t32 st X`},
	{name: "R5 off", options: "locks=false", script: `
		b0t0 cas.gpu L
		b0t0 fence.gpu
		b0t0 st X
		b0t0 fence.gpu
		b0t0 exch.gpu L
		b1t0 st X`},
	{name: "the oldest of four locks is forgotten", script: `
		b0t0 cas.gpu A
		b0t0 cas.gpu B
		b0t0 cas.gpu C
		b0t0 cas.gpu D
		b0t0 fence.gpu
		b0t0 st X
		b0t0 fence.gpu
		b1t0 cas.gpu A
		b1t0 fence.gpu
		b1t0 st X => R5 b0t0@6`},
	{name: "known miss: a fence is enough, whoever waits for it", script: `
		b0t0 st X
		b0t0 fence.gpu
		b1t0 st X`},
	{name: "known miss: locks of block scope in two blocks", script: `
		b0t0 cas.cta L
		b0t0 fence.cta
		b0t0 st X
		b0t0 fence.gpu
		b0t0 exch.cta L
		b1t0 cas.cta L => R1 b0t0@5
		b1t0 fence.cta
		b1t0 st X`},
	{name: "known miss: the current atomic has block scope", script: `
		b0t0 atom.gpu X
		b1t0 atom.cta X
		b1t0 atom.cta X`},
	{name: "scope: the current atomic has block scope", options: "scope=true", script: `
		b0t0 atom.gpu X
		b1t0 atom.cta X => R1 b0t0@1
		b1t0 atom.cta X
		b0t0 atom.gpu X => R1 b1t0@3
		b0t0 atom.cta X
		b0t32 atom.cta X`},
	{name: "known miss: the reader before the last of another block", script: `
		b0t0 ld X
		b1t0 ld X
		b1t0 st X`},
	{name: "known false alarm: the fence of another thread after a barrier", script: `
		b0t0 st X
		b0 bar
		b0t32 fence.gpu
		b1t0 ld X => R4 b0t0@1`},
	{name: "cumulative: the fence of another thread after a barrier", options: "cumulative=true", script: `
		b0t0 st X
		b0t32 fence.gpu
		b1t0 ld X => R4 b0t0@1
		b0 bar
		b1t0 ld X => R4 b0t0@1
		b0t32 fence.cta
		b1t0 ld X => R4 b0t0@1
		b0t32 fence.gpu
		b1t0 ld X
		b0t64 st X => R4 b1t0@9
		b1t0 ld X => R4 b0t64@10`},
	{name: "cumulative: the fence of another lane after a warp barrier", options: "cumulative=true", script: `
		b0t1 st X
		b0t0 fence.cta
		b0t32 ld X => R3 b0t1@1
		b0t0,1 warpbar
		b0t0 fence.cta
		b0t32 ld X
		b1t0 ld X => R4 b0t1@1
		b0t0 fence.gpu
		b1t0 ld X`},
	{name: "known false alarm: counters of fences wrap around", script: "\n" +
		"b0t0 st X\n" + strings.Repeat("b0t0 fence.gpu\n", 64) + "b1t0 ld X => R4 b0t0@1"},
	{name: "known false alarm: counters of barriers wrap around", script: "\n" +
		"b0t0 st X\n" + strings.Repeat("b0 bar\n", 256) + "b0t32 ld X => R3 b0t0@1"},
	{name: "known false alarm: counters of warp barriers wrap around", script: "\n" +
		"b0t0 st X\n" + strings.Repeat("b0t0-31 warpbar\n", 64) + "b0t1 ld X => R2 b0t0@1"},
	{name: "counters of fences of two bits", options: "fencebits=2", script: `
		b0t0 st X
		b0t0 fence.gpu
		b0t0 fence.gpu
		b0t0 fence.gpu
		b1t0 ld X
		b0t0 fence.gpu
		b1t0 ld X => R4 b0t0@1
		b0t0 st Y
		b0t0 fence.cta
		b0t32 ld Y
		b0t0 fence.cta
		b0t0 fence.cta
		b0t0 fence.cta
		b0t32 ld Y => R3 b0t0@8`},
	{name: "counters of barriers of one bit", options: "barrierbits=1", script: `
		b0t0 st X
		b0 bar
		b0t32 ld X
		b0 bar
		b0t32 ld X => R3 b0t0@1
		b0t0-31 barpart
		b0t32 ld X`},
	{name: "counters of warp barriers of one bit", options: "warpbits=1", script: `
		b0t0 st X
		b0t0-31 warpbar
		b0t1 ld X
		b0t0-31 warpbar
		b0t1 ld X => R2 b0t0@1
		b0t0,1 warpbar
		b0t1 ld X`},
	{name: "cumulative: half of what counters of barriers count comes later", options: "cumulative=true barrierbits=2", script: `
		b0t0 st X
		b0 bar
		b0t32 fence.gpu
		b1t0 ld X
		b0 bar
		b0t32 fence.gpu
		b1t0 ld X => R4 b0t0@1`},
	{name: "shared memory is not watched", script: `
		b0t0 st sX
		b0t32 st sX`},
	{name: "known false alarm: neighbours in a granule", script: `
		b0t0 st1 X
		b0t32 st1 X+1 => R3 b0t0@1`},
	{name: "byte granularity tells neighbours apart", options: "granularity=1", script: `
		b0t0 st1 X
		b0t32 st1 X+1
		b0t64 st2 X+1 => R3 b0t32@2`},
	{name: "wide accesses check all granules and report once", script: `
		b0t0 st16 X
		b0t32 st4 X+12 => R3 b0t0@1
		b1t0 ld16 X => R4 b0t0@1
		b1t0 st8 Y
		b0t0 ld4 Y => R4 b1t0@4
		b0t0 st4 Y+4 => R4 b1t0@4`},
	{name: "coarse granules join words", options: "granularity=16", script: `
		b0t0 st4 X
		b0t32 st4 X+12 => R3 b0t0@1
		b0t64 st4 X+16`},
	{name: "6.5 one lane checks for lanes that load together", script: `
		b0t0 st X
		b1t3,4,5 ld X => R4 b0t0@1
		b0t0 fence.gpu
		b1t3-9 atom.gpu X`},
	{name: "stores of lanes are checked one by one", script: `
		b0t0 st X
		b1t3,4 st X => R4 b0t0@1`},
}

func TestTable2Model(t *testing.T) { testScenarios(t, func(c config) stepper { return c.model() }) }

// testScenarios runs all scenarios on an implementation.
func testScenarios(t *testing.T, start func(config) stepper) {
	for _, s := range scenarios {
		t.Run(s.name, func(t *testing.T) {
			impl := start(parseConfig(t, s.options))
			for _, e := range parseEvents(t, s.script) {
				var want []found
				for _, w := range e.want {
					w.second, w.secondSite = e.threads()[0], e.site
					want = append(want, w)
				}
				got := impl.step(e)
				for i, g := range got {
					// Lanes may be checked in any order: what counts is that it is one of them.
					if slices.Contains(e.threads(), g.second) {
						got[i].second = e.threads()[0]
					}
				}
				if !slices.Equal(got, want) {
					t.Errorf("line %d, %s:\n got %+v\nwant %+v", e.site, e.text, got, want)
				}
			}
		})
	}
}

// stepper is an implementation of iGUARD that performs one event at a time.
type stepper interface{ step(e event) []found }

// config is the shape and the options of a run.
type config struct {
	its, locks       bool
	scope, lockScope bool // beyond the paper
	cumulative       bool
	counters         abi.IGuardCounters
	granularity      int
	blocks           int
	threads          int
}

func parseConfig(t testing.TB, options string) config {
	c := config{its: true, locks: true, granularity: 4, blocks: 2, threads: 96, counters: abi.PaperIGuardCounters}
	for option := range strings.FieldsSeq(options) {
		key, value, _ := strings.Cut(option, "=")
		switch key {
		case "its":
			c.its = value == "true"
		case "locks":
			c.locks = value == "true"
		case "scope":
			c.scope = value == "true"
		case "cumulative":
			c.cumulative = value == "true"
		case "lockscope":
			c.lockScope = value == "true"
		case "blocks":
			c.blocks = atoi(value)
		case "fencebits":
			c.counters.Fence = atoi(value)
		case "barrierbits":
			c.counters.Barrier = atoi(value)
		case "warpbits":
			c.counters.WarpBarrier = atoi(value)
		case "granularity":
			c.granularity = atoi(value)
		default:
			t.Fatalf("unknown option %s", option)
		}
	}
	return c
}

func (c config) model() *model { return newModel(c) }
