// Special registers.

package emu

import (
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// specialReg names a special register and, for %tid and similar ones, a component.
type specialReg struct {
	name string
	dim  byte // 'x', 'y', 'z', 'w' or 0
}

// Properties of the emulated device.
const (
	numSMs        = 1
	maxWarpsPerSM = 64
)

// specialValue describes how a special register is computed, and where it differs.
type specialValue struct {
	varies variation
	value  func(s *specialContext) uint64
}

// variation says between which threads of a launch a special register differs.
type variation uint8

const (
	perThread variation = iota // equal for threads at the same position of blocks with the same shape
	perBlock                   // equal for all threads of a block
	perLaunch                  // equal for all threads
)

// specialValues computes special registers that do not change while a thread runs (PTX ISA, chapter "Special
// Registers").
var specialValues = map[string]specialValue{
	"%tid":                 {perThread, func(s *specialContext) uint64 { return s.tid.component(s.dim) }},
	"%ntid":                {perLaunch, func(s *specialContext) uint64 { return s.block.component(s.dim) }},
	"%ctaid":               {perBlock, func(s *specialContext) uint64 { return s.ctaid.component(s.dim) }},
	"%nctaid":              {perLaunch, func(s *specialContext) uint64 { return s.grid.component(s.dim) }},
	"%laneid":              {perThread, func(s *specialContext) uint64 { return uint64(s.lane) }},
	"%warpid":              {perThread, func(s *specialContext) uint64 { return uint64(s.warp) }},
	"%nwarpid":             {perLaunch, func(s *specialContext) uint64 { return maxWarpsPerSM }},
	"%smid":                {perBlock, func(s *specialContext) uint64 { return s.linear % numSMs }},
	"%nsmid":               {perLaunch, func(s *specialContext) uint64 { return numSMs }},
	"%gridid":              {perLaunch, func(s *specialContext) uint64 { return s.launchID }},
	"%is_explicit_cluster": {perLaunch, func(s *specialContext) uint64 { return s.explicit }},
	"%clusterid":           {perBlock, func(s *specialContext) uint64 { return s.ctaid.over(s.cluster).component(s.dim) }},
	"%nclusterid":          {perLaunch, func(s *specialContext) uint64 { return s.grid.over(s.cluster).component(s.dim) }},
	"%cluster_ctaid":       {perBlock, func(s *specialContext) uint64 { return s.cluster.At(s.rank).component(s.dim) }},
	"%cluster_nctaid":      {perLaunch, func(s *specialContext) uint64 { return s.cluster.component(s.dim) }},
	"%cluster_ctarank":     {perBlock, func(s *specialContext) uint64 { return s.rank }},
	"%cluster_nctarank":    {perLaunch, func(s *specialContext) uint64 { return s.cluster.count() }},
	"%lanemask_eq":         {perThread, func(s *specialContext) uint64 { return 1 << s.lane }},
	"%lanemask_lt":         {perThread, func(s *specialContext) uint64 { return 1<<s.lane - 1 }},
	"%lanemask_le":         {perThread, func(s *specialContext) uint64 { return 2<<s.lane - 1 }},
	"%lanemask_gt":         {perThread, func(s *specialContext) uint64 { return uint64(^uint32(2<<s.lane - 1)) }},
	"%lanemask_ge":         {perThread, func(s *specialContext) uint64 { return uint64(^uint32(1<<s.lane - 1)) }},
	"%total_smem_size":     {perLaunch, func(s *specialContext) uint64 { return s.shared }},
	"%aggr_smem_size":      {perLaunch, func(s *specialContext) uint64 { return s.shared + isa.ReservedSharedSize }},
	"%dynamic_smem_size":   {perLaunch, func(s *specialContext) uint64 { return s.dynamic }},
	workspaceHigh:          {perLaunch, func(s *specialContext) uint64 { return s.workspace >> 32 }},
	workspaceLow:           {perLaunch, func(s *specialContext) uint64 { return s.workspace & (1<<32 - 1) }},
	"%current_graph_exec":  {perLaunch, func(s *specialContext) uint64 { return 0 }},
	// The one multiprocessor is in the one locality domain (CUDA Driver API,
	// CU_DEVICE_ATTRIBUTE_LOCALITY_DOMAIN_COUNT).
	"%locality_domain_id":              {perLaunch, func(s *specialContext) uint64 { return 0 }},
	"%locality_domain_supplemental_sm": {perLaunch, func(s *specialContext) uint64 { return 0 }},
}

// zeroRegs are the prefixes of numbered special registers that hold 0: performance counters that are not set up, and
// %envreg registers, which only the driver sets.
var zeroRegs = []string{"%pm", "%envreg"}

// specialValueOf returns how a special register is computed.
func specialValueOf(name string) (specialValue, bool) {
	v, ok := specialValues[name]
	if !ok && slices.ContainsFunc(zeroRegs, func(p string) bool { return strings.HasPrefix(name, p) }) {
		return specialValue{perLaunch, func(*specialContext) uint64 { return 0 }}, true
	}
	return v, ok
}

// clockRegs are the special registers that count time. Time is the number of warp instructions that the launch has
// executed, so that runs are reproducible.
var clockRegs = map[string]bodyFunc{
	"%clock":          execClock32,
	"%clock_hi":       execClockHigh,
	"%clock64":        execClock64,
	"%globaltimer":    execClock64,
	"%globaltimer_lo": execClock32,
	"%globaltimer_hi": execClockHigh,
}

// specialContext holds the values that special registers of one thread are computed from.
type specialContext struct {
	tid, ctaid, block, grid Dim3
	cluster                 Dim3
	rank, explicit          uint64 // rank in the cluster; 1 if there are explicit clusters
	dim                     byte
	lane, warp              uint
	linear, launchID        uint64
	shared, dynamic         uint64
	workspace               uint64
}

// component returns the x, y or z of d; PTX's fourth component is 0.
func (d Dim3) component(dim byte) uint64 {
	switch dim {
	case 'x':
		return uint64(d.X)
	case 'y':
		return uint64(d.Y)
	case 'z':
		return uint64(d.Z)
	}
	return 0
}

// fillSpecials loads the special registers of all lanes of f's warp, except those that f still holds from its last use.
func (x *engine) fillSpecials(f *frame, used frameUse) {
	w, s := f.warp, &x.special
	s.ctaid, s.linear, s.rank, s.warp = w.cta.index, w.cta.linear, uint64(w.cta.rank), uint(w.index)
	for i := range f.fn.specials {
		sp := &f.fn.specials[i]
		s.dim = sp.reg.dim
		switch {
		case sp.varies == perBlock, sp.varies == perLaunch && used < usedNow:
			f.broadcast(sp.slot, sp.bits, sp.value(s))
		case sp.varies == perThread && used == usedNever:
			x.fillLanes(f, sp, s)
		}
	}
}

// blockValue is the value of a special register in a block, and a register of 32 bits with that value.
type blockValue struct {
	value uint64
	row   vec32
}

// fillBlock computes the special registers that are equal for all threads of a block.
func (x *engine) fillBlock(fn *function, c *cta) {
	s := &x.special
	s.ctaid, s.linear, s.rank = c.index, c.linear, uint64(c.rank)
	for len(x.blockValues) < len(fn.blockSpecials) {
		x.blockValues = append(x.blockValues, blockValue{})
	}
	for i := range fn.blockSpecials {
		v := &x.blockValues[i]
		s.dim = fn.blockSpecials[i].reg.dim
		v.value = fn.blockSpecials[i].value(s)
		for lane := range v.row {
			v.row[lane] = uint32(v.value)
		}
	}
}

// specialContext returns the values that are the same for all threads of a launch.
func (l *launch) specialContext() specialContext {
	s := specialContext{
		block: l.block, grid: l.grid, launchID: l.id,
		shared: l.sharedSize - l.reserved, dynamic: l.dynamic, cluster: l.clusterDim(), workspace: l.workspace,
	}
	if l.explicit() {
		s.explicit = 1
	}
	return s
}

// fillLanes loads a special register lane by lane.
func (x *engine) fillLanes(f *frame, sp *special, s *specialContext) {
	for i := range warpSize {
		s.lane, s.tid = uint(i), x.threadIndex(f.warp, i)
		if v := sp.value(s); sp.bits == 64 {
			f.r64(sp.slot)[i] = v
		} else {
			f.r32(sp.slot)[i] = uint32(v)
		}
	}
}

// threadIndex returns %tid of lane i.
func (x *engine) threadIndex(w *warp, i int) Dim3 {
	t, b := uint32(w.index*warpSize+i), x.l.block
	return Dim3{t % b.X, t / b.X % b.Y, t / b.X / b.Y}
}

// specialRegOf returns the special register that an operand names.
func specialRegOf(op *rewrite.Operand) specialReg {
	k := specialReg{name: op.Special.Name}
	if len(op.Member) > 1 {
		k.dim = op.Member[1]
	}
	return k
}

// specialOperand returns a slot with a special register: preloaded or, for a clock, read by a separate instruction.
func (d *decoder) specialOperand(in *rewrite.Inst, op *rewrite.Operand) (operand, error) {
	k, t := specialRegOf(op), op.Special.Type
	if exec, ok := clockRegs[k.name]; ok {
		o := operand{d.temp(slotBits(t)), t}
		d.emit(inst{body: exec, d: o.slot, flags: flagVisible})
		return o, nil
	}
	value, ok := specialValueOf(k.name)
	if !ok {
		return operand{}, d.unsupported(in, "special register %s", d.text(op))
	}
	return operand{d.preloaded(k, value, t), t}, nil
}

// preloaded returns the slot of a special register that does not change.
func (d *decoder) preloaded(k specialReg, value specialValue, t isa.Type) slot {
	s, ok := d.specials[k]
	if !ok {
		s = d.alloc(slotBits(t))
		d.specials[k] = s
		sp := special{s, k, slotBits(t), value}
		d.fn.specials = append(d.fn.specials, sp)
		if value.varies == perBlock {
			d.fn.blockSpecials = append(d.fn.blockSpecials, sp)
		}
	}
	return s
}

func execClock32(x *engine, in *inst, m lanes)   { x.setClock32(in, m, uint32(x.clock())) }
func execClockHigh(x *engine, in *inst, m lanes) { x.setClock32(in, m, uint32(x.clock()>>32)) }

func (x *engine) setClock32(in *inst, m lanes, v uint32) {
	d := x.frame.r32(in.d)
	for ; m != 0; m &= m - 1 {
		d[m.first()] = v
	}
}

func execClock64(x *engine, in *inst, m lanes) {
	d, now := x.frame.r64(in.d), x.clock()
	for ; m != 0; m &= m - 1 {
		d[m.first()] = now
	}
}

// clock returns the launch's time to the running group, and records that the group has read it.
func (x *engine) clock() uint64 {
	x.running.spin.readsClock = true
	return x.stats.WarpInstructions
}
