// Special registers.

package decode

import (
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Properties of the emulated device.
const (
	numSMs        = 1
	maxWarpsPerSM = 64
)

// For which threads a special register has one value.
const (
	PerThread state.Variation = iota // equal for threads at the same position of blocks with the same shape
	PerBlock                         // equal for all threads of a block
	PerLaunch                        // equal for all threads
)

// specialValues computes special registers that do not change while a thread runs (PTX ISA, chapter "Special
// Registers").
var specialValues = map[string]state.SpecialValue{
	"%tid":                 {Varies: PerThread, Value: func(s *state.SpecialContext) uint64 { return s.Tid.Component(s.Dim) }},
	"%ntid":                {Varies: PerLaunch, Value: func(s *state.SpecialContext) uint64 { return s.Block.Component(s.Dim) }},
	"%ctaid":               {Varies: PerBlock, Value: func(s *state.SpecialContext) uint64 { return s.Ctaid.Component(s.Dim) }},
	"%nctaid":              {Varies: PerLaunch, Value: func(s *state.SpecialContext) uint64 { return s.Grid.Component(s.Dim) }},
	"%laneid":              {Varies: PerThread, Value: func(s *state.SpecialContext) uint64 { return uint64(s.Lane) }},
	"%warpid":              {Varies: PerThread, Value: func(s *state.SpecialContext) uint64 { return uint64(s.Warp) }},
	"%nwarpid":             {Varies: PerLaunch, Value: func(s *state.SpecialContext) uint64 { return maxWarpsPerSM }},
	"%smid":                {Varies: PerBlock, Value: func(s *state.SpecialContext) uint64 { return s.Linear % numSMs }},
	"%nsmid":               {Varies: PerLaunch, Value: func(s *state.SpecialContext) uint64 { return numSMs }},
	"%gridid":              {Varies: PerLaunch, Value: func(s *state.SpecialContext) uint64 { return s.LaunchID }},
	"%is_explicit_cluster": {Varies: PerLaunch, Value: func(s *state.SpecialContext) uint64 { return s.Explicit }},
	"%clusterid":           {Varies: PerBlock, Value: func(s *state.SpecialContext) uint64 { return s.Ctaid.Over(s.Cluster).Component(s.Dim) }},
	"%nclusterid":          {Varies: PerLaunch, Value: func(s *state.SpecialContext) uint64 { return s.Grid.Over(s.Cluster).Component(s.Dim) }},
	"%cluster_ctaid":       {Varies: PerBlock, Value: func(s *state.SpecialContext) uint64 { return s.Cluster.At(s.Rank).Component(s.Dim) }},
	"%cluster_nctaid":      {Varies: PerLaunch, Value: func(s *state.SpecialContext) uint64 { return s.Cluster.Component(s.Dim) }},
	"%cluster_ctarank":     {Varies: PerBlock, Value: func(s *state.SpecialContext) uint64 { return s.Rank }},
	"%cluster_nctarank":    {Varies: PerLaunch, Value: func(s *state.SpecialContext) uint64 { return s.Cluster.Count() }},
	"%lanemask_eq":         {Varies: PerThread, Value: func(s *state.SpecialContext) uint64 { return 1 << s.Lane }},
	"%lanemask_lt":         {Varies: PerThread, Value: func(s *state.SpecialContext) uint64 { return 1<<s.Lane - 1 }},
	"%lanemask_le":         {Varies: PerThread, Value: func(s *state.SpecialContext) uint64 { return 2<<s.Lane - 1 }},
	"%lanemask_gt":         {Varies: PerThread, Value: func(s *state.SpecialContext) uint64 { return uint64(^uint32(2<<s.Lane - 1)) }},
	"%lanemask_ge":         {Varies: PerThread, Value: func(s *state.SpecialContext) uint64 { return uint64(^uint32(1<<s.Lane - 1)) }},
	"%total_smem_size":     {Varies: PerLaunch, Value: func(s *state.SpecialContext) uint64 { return s.Shared }},
	"%aggr_smem_size":      {Varies: PerLaunch, Value: func(s *state.SpecialContext) uint64 { return s.Shared + isa.ReservedSharedSize }},
	"%dynamic_smem_size":   {Varies: PerLaunch, Value: func(s *state.SpecialContext) uint64 { return s.Dynamic }},
	faults.WorkspaceHigh: {
		Varies: PerLaunch,
		Value:  func(s *state.SpecialContext) uint64 { return s.Workspace >> 32 },
	},
	faults.WorkspaceLow: {
		Varies: PerLaunch,
		Value:  func(s *state.SpecialContext) uint64 { return s.Workspace & (1<<32 - 1) },
	},
	"%current_graph_exec": {Varies: PerLaunch, Value: func(s *state.SpecialContext) uint64 { return 0 }},
	// The one multiprocessor is in the one locality domain (CUDA Driver API,
	// CU_DEVICE_ATTRIBUTE_LOCALITY_DOMAIN_COUNT).
	"%locality_domain_id":              {Varies: PerLaunch, Value: func(s *state.SpecialContext) uint64 { return 0 }},
	"%locality_domain_supplemental_sm": {Varies: PerLaunch, Value: func(s *state.SpecialContext) uint64 { return 0 }},
}

// zeroRegs are the prefixes of numbered special registers that hold 0: performance counters that are not set up, and
// %envreg registers, which only the driver sets.
var zeroRegs = []string{"%pm", "%envreg"}

// SpecialValueOf returns how a special register is computed.
func SpecialValueOf(name string) (state.SpecialValue, bool) {
	v, ok := specialValues[name]
	if !ok && slices.ContainsFunc(zeroRegs, func(p string) bool { return strings.HasPrefix(name, p) }) {
		return state.SpecialValue{Varies: PerLaunch, Value: func(*state.SpecialContext) uint64 { return 0 }}, true
	}
	return v, ok
}

// ClockRegs are the special registers that count time. Time is the number of warp instructions that the launch has
// executed, so that runs are reproducible.
var ClockRegs = map[string]state.BodyFunc{
	"%clock":          execClock32,
	"%clock_hi":       execClockHigh,
	"%clock64":        execClock64,
	"%globaltimer":    execClock64,
	"%globaltimer_lo": execClock32,
	"%globaltimer_hi": execClockHigh,
}

// SpecialRegOf returns the special register that an operand names.
func SpecialRegOf(op *rewrite.Operand) state.SpecialReg {
	k := state.SpecialReg{Name: op.Special.Name}
	if len(op.Member) > 1 {
		k.Dim = op.Member[1]
	}
	return k
}

// specialOperand returns a slot with a special register: preloaded or, for a clock, read by a separate instruction.
func specialOperand(d *state.Decoder, in *rewrite.Inst, op *rewrite.Operand) (state.Operand, error) {
	k, t := SpecialRegOf(op), op.Special.Type
	if exec, ok := ClockRegs[k.Name]; ok {
		o := state.Operand{Slot: Temp(d, events.SlotBits(t)), Typ: t}
		Emit(d, state.Inst{Body: exec, D: o.Slot, Flags: state.FlagVisible})
		return o, nil
	}
	value, ok := SpecialValueOf(k.Name)
	if !ok {
		return state.Operand{}, Unsupported(d, in, "special register %s", Text(d, op))
	}
	return state.Operand{Slot: Preloaded(d, k, value, t), Typ: t}, nil
}

// Preloaded returns the slot of a special register that does not change.
func Preloaded(d *state.Decoder, k state.SpecialReg, value state.SpecialValue, t isa.Type) state.Slot {
	s, ok := d.Specials[k]
	if !ok {
		s = Alloc(d, events.SlotBits(t))
		d.Specials[k] = s
		sp := state.Special{Slot: s, Reg: k, Bits: events.SlotBits(t), SpecialValue: value}
		d.Fn.Specials = append(d.Fn.Specials, sp)
		if value.Varies == PerBlock {
			d.Fn.BlockSpecials = append(d.Fn.BlockSpecials, sp)
		}
	}
	return s
}

func execClock32(x *state.Engine, in *state.Inst, m state.Lanes) {
	setClock32(x, in, m, uint32(clock(x)))
}

func execClockHigh(x *state.Engine, in *state.Inst, m state.Lanes) {
	setClock32(x, in, m, uint32(clock(x)>>32))
}

func setClock32(x *state.Engine, in *state.Inst, m state.Lanes, v uint32) {
	d := x.Frame.R32(in.D)
	for ; m != 0; m &= m - 1 {
		d[m.First()] = v
	}
}

func execClock64(x *state.Engine, in *state.Inst, m state.Lanes) {
	d, now := x.Frame.R64(in.D), clock(x)
	for ; m != 0; m &= m - 1 {
		d[m.First()] = now
	}
}

// clock returns the launch's time to the running group, and records that the group has read it.
func clock(x *state.Engine) uint64 {
	x.Running.Spin.ReadsClock = true
	return x.Stats.WarpInstructions + x.Clock.Skipped
}
