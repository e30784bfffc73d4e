package main

import (
	"maps"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/rewrite"
)

// launched is what the launches of a plan give kernels, by the kernel's name. It is nil for
// programs that launch kernels themselves, with whatever they like, while others run.
type launched map[string][]given

// given is what a launch gives a kernel.
type given struct {
	block, grid [3]uint32
	// params is the bytes of the parameters, each twice: once with the number of a buffer
	// where the address of one is, and once with another number of it.
	params map[string][2][]byte
}

// The numbers of buffers are far apart, so that addresses in different ones differ.
const (
	numberStep  = 1 << 40
	otherNumber = 1 << 39
)

// givenBy reads the arguments of a plan for a module.
func givenBy(mod *rewrite.Module, plan []planned) launched {
	g := launched{}
	for _, f := range mod.Funcs {
		if slices.ContainsFunc(f.Insts, emu.LaunchesGrid) {
			return nil
		}
	}
	for _, p := range plan {
		g[p.kernel.Name] = append(g[p.kernel.Name], givenTo(p))
	}
	return g
}

func givenTo(p planned) given {
	numbers := make(map[string]uint64)
	number := func(buffer string) uint64 {
		if numbers[buffer] == 0 {
			numbers[buffer] = uint64(len(numbers)+1) * numberStep
		}
		return numbers[buffer]
	}
	out := given{block: p.Block, grid: p.Grid, params: make(map[string][2][]byte)}
	for i, v := range p.kernel.Params {
		if p.Args[i].TensorMapByValue(paramOf(v)) {
			continue
		}
		one, err := p.Args[i].Bytes(paramOf(v), number)
		if err != nil {
			continue // which planLaunches has reported
		}
		two, _ := p.Args[i].Bytes(paramOf(v), func(buffer string) uint64 { return number(buffer) + otherNumber })
		out.params[v.Name] = [2][]byte{one, two}
	}
	return out
}

// kernel is what is known of how a kernel is launched.
func (g launched) kernel(name string) (out rewrite.Given) {
	launches := g[name]
	if launches == nil {
		return out
	}
	out.Distinct = func(a, b rewrite.Root) bool {
		return !slices.ContainsFunc(launches, func(l given) bool { return !l.distinct(a, b) })
	}
	for _, l := range launches {
		out.Launches = append(out.Launches, l.values())
	}
	return out
}

// values is the launch as the analysis of addresses sees it.
func (l given) values() rewrite.LaunchValues {
	return rewrite.LaunchValues{
		Block: l.block, Grid: l.grid,
		Param: func(v *rewrite.Var, off int64, size int) (uint64, bool) {
			return rewrite.NumberIn(l.params[v.Name][0], off, size)
		},
		Address: func(*rewrite.Var) (uint64, bool) { return 0, false },
	}
}

// distinct reports whether two roots are of different objects: buffers, variables, which
// have buffers neither, or none at all.
func (l given) distinct(a, b rewrite.Root) bool {
	x, known := l.object(a)
	y, too := l.object(b)
	return known && too && (x != y || x == 0)
}

// object is what a root is of: the number of a buffer, or 0, which stands for what is no
// buffer. It reports whether that is known.
func (l given) object(r rewrite.Root) (uint64, bool) {
	if r.Kind == rewrite.RootVar {
		return 0, true
	}
	const pointer = 8
	both := l.params[r.Var.Name]
	one, ok := rewrite.NumberIn(both[0], r.At, pointer)
	two, _ := rewrite.NumberIn(both[1], r.At, pointer)
	switch {
	case !ok:
		return 0, false
	case one+otherNumber == two:
		return one, true
	case one == 0 && two == 0:
		return 0, true
	}
	return 0, false
}

// exemptions are the accesses of a module that cannot race, with the reasons.
type exemptions map[*rewrite.Inst]rewrite.Exemption

// exempt are the exemptions of the kernels that are launched.
func (g launched) exempt(mod *rewrite.Module) exemptions {
	out := make(exemptions)
	for _, k := range mod.Kernels() {
		if g[k.Name] != nil {
			maps.Copy(out, k.Exempt(g.kernel(k.Name)))
		}
	}
	return out
}

// only are those that satisfy a condition.
func (x exemptions) only(condition func(*rewrite.Inst, rewrite.Exemption) bool) map[*rewrite.Inst]bool {
	out := make(map[*rewrite.Inst]bool)
	for in, why := range x {
		if condition(in, why) {
			out[in] = true
		}
	}
	return out
}
