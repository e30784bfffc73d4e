package main

import (
	"encoding/binary"
	"maps"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/rewrite"
)

// given is what the launches of a plan give kernels, by the kernel's name: for each launch
// what the pointers in the parameters point to. It is nil for programs that launch kernels
// themselves, with whatever they like, while others run.
type given map[string][]pointers

// pointers is the bytes of the parameters of a launch, each twice: once with the number of
// a buffer where the address of one is, and once with another number of it.
type pointers map[string][2][]byte

// otherNumber is what the two numbers of a buffer differ by.
const otherNumber = 1 << 32

// givenBy reads the arguments of a plan for a module.
func givenBy(mod *rewrite.Module, plan []planned) given {
	g := given{}
	for _, f := range mod.Funcs {
		if slices.ContainsFunc(f.Insts, emu.LaunchesGrid) {
			return nil
		}
	}
	for _, p := range plan {
		g[p.kernel.Name] = append(g[p.kernel.Name], pointersOf(p))
	}
	return g
}

func pointersOf(p planned) pointers {
	numbers := make(map[string]uint64)
	number := func(buffer string) uint64 {
		if numbers[buffer] == 0 {
			numbers[buffer] = uint64(len(numbers)) + 1
		}
		return numbers[buffer]
	}
	out := make(pointers)
	for i, v := range p.kernel.Params {
		if p.Args[i].TensorMapByValue(paramOf(v)) {
			continue
		}
		one, err := p.Args[i].Bytes(paramOf(v), number)
		if err != nil {
			continue // which planLaunches has reported
		}
		two, _ := p.Args[i].Bytes(paramOf(v), func(buffer string) uint64 { return number(buffer) + otherNumber })
		out[v.Name] = [2][]byte{one, two}
	}
	return out
}

// aliases is what is known of the pointers that a kernel is given.
func (g given) aliases(kernel string) rewrite.AliasOptions {
	launches := g[kernel]
	if launches == nil {
		return rewrite.AliasOptions{}
	}
	return rewrite.AliasOptions{Distinct: func(a, b rewrite.Root) bool {
		return !slices.ContainsFunc(launches, func(l pointers) bool { return !l.distinct(a, b) })
	}}
}

// distinct reports whether two roots are of different objects: buffers, variables, which
// have buffers neither, or none at all.
func (l pointers) distinct(a, b rewrite.Root) bool {
	x, known := l.object(a)
	y, too := l.object(b)
	return known && too && (x != y || x == 0)
}

// object is what a root is of: the number of a buffer, or 0, which stands for what is no
// buffer. It reports whether that is known.
func (l pointers) object(r rewrite.Root) (uint64, bool) {
	if r.Kind == rewrite.RootVar {
		return 0, true
	}
	both := l[r.Var.Name]
	if r.At < 0 || r.At+8 > int64(len(both[0])) {
		return 0, false
	}
	one, two := binary.LittleEndian.Uint64(both[0][r.At:]), binary.LittleEndian.Uint64(both[1][r.At:])
	switch {
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
func (g given) exempt(mod *rewrite.Module) exemptions {
	out := make(exemptions)
	for _, k := range mod.Kernels() {
		if g[k.Name] != nil {
			maps.Copy(out, k.Exempt(g.aliases(k.Name)))
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
