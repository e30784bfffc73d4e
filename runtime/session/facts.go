package session

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/address"
)

// facts is what is known of the launches of a program: of those so far, and of those that
// have been announced. What is concluded from it holds for all of them together, and is
// concluded again when there is a launch that differs from them.
type facts struct {
	launches []address.KernelLaunch
	seen     map[string]bool // keys of all launches so far
	// unknown says that nothing is concluded from launches: threads launch kernels, with
	// whatever they like, while others run; another program on the device puts into memory
	// what this one does not know of; or launches differ too much.
	unknown bool
	program *address.Program // of the launches, nil when they are unknown
	key     string           // identifies the launches
}

// A program's launches are told apart up to manyLaunches. Of more of them, those that agree
// in grid and block are taken as one, with the arguments that all have in common; when more
// than mostLaunches are left, nothing is concluded.
const (
	manyLaunches = 16
	mostLaunches = 64
)

func newFacts(mod *rewrite.Module) *facts {
	f := &facts{seen: make(map[string]bool)}
	for _, fn := range mod.Funcs {
		f.unknown = f.unknown || slices.ContainsFunc(fn.Insts, emu.LaunchesGrid)
	}
	return f
}

// clone is a copy that learns on its own.
func (f *facts) clone() *facts {
	again := *f
	again.seen = maps.Clone(f.seen)
	return &again
}

// forget gives up what is known, for good.
func (f *facts) forget() { *f = facts{unknown: true} }

// add takes a launch into account.
func (f *facts) add(b *boundLaunch) {
	if f.unknown {
		return
	}
	l := launchOf(b)
	key := keyOf(&l)
	if f.seen[key] {
		return
	}
	f.seen[key] = true
	f.launches = append(slices.Clip(f.launches), l)
	if len(f.launches) > manyLaunches {
		f.launches = merged(f.launches)
	}
	if len(f.launches) > mostLaunches {
		f.forget()
		return
	}
	f.program = address.NewProgram(f.launches)
	f.key = ""
	for i := range f.launches {
		f.key += keyOf(&f.launches[i])
	}
}

// merged takes launches of a kernel with the same grid and block as one. Arguments in which
// they differ are not known of it.
func merged(launches []address.KernelLaunch) (list []address.KernelLaunch) {
	for _, l := range launches {
		i := slices.IndexFunc(list, func(m address.KernelLaunch) bool {
			return m.Kernel == l.Kernel && m.Grid == l.Grid && m.Block == l.Block
		})
		if i < 0 {
			list = append(list, l)
			continue
		}
		common := make(map[string]address.Argument)
		for name, a := range list[i].Args {
			if b, ok := l.Args[name]; ok && bytes.Equal(a.Bytes, b.Bytes) && maps.Equal(a.Objects, b.Objects) {
				common[name] = a
			}
		}
		list[i].Args = common
	}
	return list
}

// launchOf reads the arguments of a launch.
func launchOf(b *boundLaunch) address.KernelLaunch {
	objects := make(map[*Object]uint64)
	number := func(o *Object) uint64 {
		if objects[o] == 0 {
			objects[o] = uint64(len(objects) + 1)
		}
		return objects[o]
	}
	out := address.KernelLaunch{Kernel: b.kernel.Name, Block: array3(b.Block), Grid: array3(b.Grid), Args: make(map[string]address.Argument)}
	for i, v := range b.kernel.Params {
		if b.isByValue(i) {
			continue
		}
		zeros, err := b.argument(i, func(*Object) uint64 { return 0 })
		if err != nil {
			continue // which bind has reported
		}
		numbers, _ := b.argument(i, number)
		out.Args[v.Name] = address.Argument{Bytes: zeros, Objects: differences(zeros, numbers)}
	}
	return out
}

// keyOf identifies what a launch gives a kernel.
func keyOf(l *address.KernelLaunch) string {
	var b strings.Builder
	fmt.Fprint(&b, l.Kernel, l.Grid, l.Block)
	for _, name := range slices.Sorted(maps.Keys(l.Args)) {
		a := l.Args[name]
		fmt.Fprintf(&b, ";%s=%x", name, a.Bytes)
		for _, at := range slices.Sorted(maps.Keys(a.Objects)) {
			fmt.Fprintf(&b, ",%d:%d", at, a.Objects[at])
		}
	}
	return b.String() + "\n"
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
type exemptions map[*rewrite.Inst]address.Exemption

// exempt are the exemptions of the kernels that a program launches.
func exempt(mod *rewrite.Module, p *address.Program) exemptions {
	out := make(exemptions)
	for _, k := range mod.Kernels() {
		if p.Launches(k.Name) {
			maps.Copy(out, address.Exempt(k, p.Given(k.Name)))
		}
	}
	return out
}

// only are those that satisfy a condition.
func (x exemptions) only(condition func(*rewrite.Inst, address.Exemption) bool) map[*rewrite.Inst]bool {
	out := make(map[*rewrite.Inst]bool)
	for in, why := range x {
		if condition(in, why) {
			out[in] = true
		}
	}
	return out
}
