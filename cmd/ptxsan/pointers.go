package main

import (
	"encoding/binary"
	"maps"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/rewrite"
)

// programOf is what is known of the host that a plan describes. It is nil for programs that
// launch kernels themselves, with whatever they like, while others run.
func programOf(mod *rewrite.Module, plan []planned) *rewrite.Program {
	for _, f := range mod.Funcs {
		if slices.ContainsFunc(f.Insts, emu.LaunchesGrid) {
			return nil
		}
	}
	var launches []rewrite.KernelLaunch
	for _, p := range plan {
		launches = append(launches, launchOf(p))
	}
	return rewrite.NewProgram(launches)
}

// launchOf reads the arguments of a launch.
func launchOf(p planned) rewrite.KernelLaunch {
	objects := make(map[string]uint64)
	number := func(buffer string) uint64 {
		if objects[buffer] == 0 {
			objects[buffer] = uint64(len(objects) + 1)
		}
		return objects[buffer]
	}
	out := rewrite.KernelLaunch{Kernel: p.kernel.Name, Block: p.Block, Grid: p.Grid, Args: make(map[string]rewrite.Argument)}
	for i, v := range p.kernel.Params {
		if p.Args[i].TensorMapByValue(paramOf(v)) {
			continue
		}
		zeros, err := p.Args[i].Bytes(paramOf(v), func(string) uint64 { return 0 })
		if err != nil {
			continue // which planLaunches has reported
		}
		numbers, _ := p.Args[i].Bytes(paramOf(v), number)
		out.Args[v.Name] = rewrite.Argument{Bytes: zeros, Objects: differences(zeros, numbers)}
	}
	return out
}

// differences are the words that differ, as they are in the second one, by offset. Addresses
// are at multiples of their size.
func differences(a, b []byte) map[int64]uint64 {
	const word = 8
	out := make(map[int64]uint64)
	for at := 0; at+word <= len(a); at += word {
		if x := binary.LittleEndian.Uint64(b[at:]); x != binary.LittleEndian.Uint64(a[at:]) {
			out[int64(at)] = x
		}
	}
	return out
}

// exemptions are the accesses of a module that cannot race, with the reasons.
type exemptions map[*rewrite.Inst]rewrite.Exemption

// exempt are the exemptions of the kernels that a program launches.
func exempt(mod *rewrite.Module, p *rewrite.Program) exemptions {
	out := make(exemptions)
	for _, k := range mod.Kernels() {
		if p.Launches(k.Name) {
			maps.Copy(out, k.Exempt(p.Given(k.Name)))
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
