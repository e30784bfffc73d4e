// Facts: what is known of the launches of a program, and which accesses cannot race for that.

package session

import (
	"bytes"
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
	launches []knownLaunch
	// unknown says that nothing is concluded from launches: threads launch kernels, with
	// whatever they like, while others run; another program on the device puts into memory
	// what this one does not know of; or launches differ too much.
	unknown bool
	program *address.Program // of the launches, nil when they are unknown
	key     string           // identifies the launches
	// watched says of each kernel that has been launched whether races in one of its launches
	// are asked for.
	watched map[*rewrite.Func]bool
}

// knownLaunch is a launch, or several with the same grid and block.
type knownLaunch struct {
	kernel      *rewrite.Func
	grid, block emu.Dim3
	args        []knownArg // by parameter
}

// knownArg is what is known of an argument.
type knownArg struct {
	boundArg
	known bool // it is the same in all launches
}

// A program's launches are told apart up to manyLaunches. Of more of them, those that agree
// in grid and block are taken as one, with the arguments that all have in common; when more
// than mostLaunches are left, nothing is concluded.
const (
	manyLaunches = 16
	mostLaunches = 64
)

func newFacts(mod *rewrite.Module) *facts {
	f := &facts{watched: make(map[*rewrite.Func]bool)}
	for _, fn := range mod.Funcs {
		f.unknown = f.unknown || slices.ContainsFunc(fn.Insts, emu.LaunchesGrid)
	}
	return f
}

// clone is a copy that learns on its own.
func (f *facts) clone() *facts {
	again := *f
	again.watched = maps.Clone(f.watched)
	return &again
}

// forget gives up what is known, for good.
func (f *facts) forget() { *f = facts{unknown: true, watched: f.watched, key: f.watchedKey()} }

// add takes a launch into account. Most launches are like an earlier one, and cost a
// comparison.
func (f *facts) add(b *boundLaunch) {
	if f.watch(b) {
		defer func() { f.key = f.launchesKey() + f.watchedKey() }()
	}
	if f.unknown || slices.ContainsFunc(f.launches, func(l knownLaunch) bool { return l.covers(b) }) {
		return
	}
	f.launches = append(slices.Clip(f.launches), knownLaunchOf(b))
	if len(f.launches) > manyLaunches {
		f.launches = merged(f.launches)
	}
	if len(f.launches) > mostLaunches {
		f.forget()
		return
	}
	key := f.launchesKey()
	f.program, f.key = f.programOf(b.program.Module, key), key+f.watchedKey()
}

// launchesOf is the key under which a module keeps the program of launches.
type launchesOf struct{ key string }

// programOf is the launches as one program: the same one for all sessions, since what is concluded from it
// is kept with the module.
func (f *facts) programOf(mod *rewrite.Module, key string) *address.Program {
	return mod.Memo(launchesOf{key}, func() any {
		var list []address.KernelLaunch
		for i := range f.launches {
			list = append(list, f.launches[i].kernelLaunch())
		}
		return address.NewProgram(list)
	}).(*address.Program)
}

// launchesKey tells the launches from others.
func (f *facts) launchesKey() string {
	var key strings.Builder
	for i := range f.launches {
		f.launches[i].writeKey(&key)
	}
	return key.String()
}

// knownLaunchOf is what is known of one launch, whose arguments it copies.
func knownLaunchOf(b *boundLaunch) knownLaunch {
	l := knownLaunch{kernel: b.kernel, grid: b.Grid, block: b.Block, args: make([]knownArg, len(b.args))}
	for i, a := range b.args {
		a.bytes = bytes.Clone(a.bytes)
		l.args[i] = knownArg{a, a.bytes != nil}
	}
	return l
}

// covers reports whether what is known holds of another launch, too.
func (l *knownLaunch) covers(b *boundLaunch) bool {
	if !l.similar(b.kernel, b.Grid, b.Block) {
		return false
	}
	for i := range l.args {
		if l.args[i].known && !l.args[i].equal(&b.args[i]) {
			return false
		}
	}
	return true
}

// similar reports whether a launch is of that kernel, grid and block.
func (l *knownLaunch) similar(kernel *rewrite.Func, grid, block emu.Dim3) bool {
	return l.kernel == kernel && l.grid == grid && l.block == block
}

// equal reports whether two arguments are the same bytes and the same objects, as those of
// a launch are numbered.
func (a *boundArg) equal(b *boundArg) bool {
	return bytes.Equal(a.bytes, b.bytes) && slices.EqualFunc(a.pointers, b.pointers, func(p, q pointer) bool {
		return p.at == q.at && p.number == q.number
	})
}

// merged takes launches of a kernel with the same grid and block as one. Arguments in which
// they differ are not known of it.
func merged(launches []knownLaunch) (list []knownLaunch) {
	for _, l := range launches {
		i := slices.IndexFunc(list, func(m knownLaunch) bool { return m.similar(l.kernel, l.grid, l.block) })
		if i < 0 {
			l.args = slices.Clone(l.args)
			list = append(list, l)
			continue
		}
		for j := range l.args {
			a := &list[i].args[j]
			a.known = a.known && l.args[j].known && a.equal(&l.args[j].boundArg)
		}
	}
	return list
}

// kernelLaunch is the launch in the form that proofs read.
func (l *knownLaunch) kernelLaunch() address.KernelLaunch {
	out := address.KernelLaunch{Kernel: l.kernel.Name, Block: array3(l.block), Grid: array3(l.grid), Args: make(map[string]address.Argument)}
	for i, v := range l.kernel.Params {
		if !l.args[i].known {
			continue
		}
		a := address.Argument{Bytes: l.args[i].bytes, Objects: make(map[int64]uint64)}
		for _, p := range l.args[i].pointers {
			a.Objects[int64(p.at)] = p.number
		}
		out.Args[v.Name] = a
	}
	return out
}

// writeKey writes what tells the launch from others.
func (l *knownLaunch) writeKey(w *strings.Builder) {
	fmt.Fprint(w, l.kernel.Name, l.grid, l.block)
	for i := range l.args {
		if !l.args[i].known {
			continue
		}
		fmt.Fprintf(w, ";%d=%x", i, l.args[i].bytes)
		for _, p := range l.args[i].pointers {
			fmt.Fprintf(w, ",%d:%d", p.at, p.number)
		}
	}
	w.WriteByte('\n')
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
