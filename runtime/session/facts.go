// Facts about the launches of a program, from which it follows which accesses cannot race.

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

// facts is what is known of the launches of a program: those so far, and those announced. Conclusions from it hold for all of
// them together. They are drawn again when a launch differs from all others.
type facts struct {
	kernels map[*rewrite.Func]*kernelFacts
	order   []*rewrite.Func // the kernels, in the order of their first launches
	// unknown says that nothing is concluded from launches: threads launch kernels with arbitrary arguments, or another program
	// of the device changes memory, or an access has left the object that was concluded for it.
	unknown bool
	program *address.Program // of the launches; nil if they are unknown
	key     string           // identifies the launches
	// watched has the launched kernels. The value says whether races of some launch are reported.
	watched map[*rewrite.Func]bool
	// application says that the launches are those of an application, whose number is unknown. times counts the launches of each
	// kernel, executed the instructions of its threads. hopeless holds the kernels of which no access will be exempt, whatever
	// launches follow.
	application bool
	times       map[*rewrite.Func]int
	executed    map[*rewrite.Func]uint64
	hopeless    map[*rewrite.Func]bool
}

// kernelFacts is what is known of the launches of one kernel. It is immutable.
type kernelFacts struct {
	launches []knownLaunch // empty if they differ too much for conclusions
	key      string        // identifies the launches
}

// knownLaunch is one launch, or several with the same grid and block.
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

// limits limits the launches kept for a kernel. Up to apart launches are kept separately. Beyond that, launches with the same
// grid and block are merged, and only arguments that all of them share remain known. If more than most merged launches remain,
// nothing is concluded about the kernel.
type limits struct{ apart, most int }

// Each new launch requires new proofs and decoding. In an application, the number of launches is unknown.
var (
	announcedLimits   = limits{16, 64}
	applicationLimits = limits{4, 16}
)

func newFacts(mod *rewrite.Module, application bool) *facts {
	f := &facts{
		kernels: make(map[*rewrite.Func]*kernelFacts), watched: make(map[*rewrite.Func]bool),
		application: application, times: make(map[*rewrite.Func]int), executed: make(map[*rewrite.Func]uint64), hopeless: make(map[*rewrite.Func]bool),
	}
	for _, fn := range mod.Funcs {
		f.unknown = f.unknown || slices.ContainsFunc(fn.Insts, emu.LaunchesGrid)
	}
	return f
}

// clone returns an independent copy.
func (f *facts) clone() *facts {
	again := *f
	again.kernels, again.order = maps.Clone(f.kernels), slices.Clip(f.order)
	again.watched, again.times, again.executed, again.hopeless = maps.Clone(f.watched), maps.Clone(f.times), maps.Clone(f.executed), maps.Clone(f.hopeless)
	return &again
}

// forget drops all facts for good.
func (f *facts) forget() {
	*f = facts{unknown: true, watched: f.watched, key: f.watchedKey(), times: f.times}
}

// of returns the launches of a kernel, none if they are unknown.
func (f *facts) of(kernel *rewrite.Func) []knownLaunch {
	if k := f.kernels[kernel]; k != nil {
		return k.launches
	}
	return nil
}

// add adds a launch. Most launches equal an earlier one and cost one comparison. Conclusions are cached in the module for all
// sessions, except for applications.
func (f *facts) add(b *boundLaunch) {
	f.times[b.kernel]++
	if f.watch(b) || f.times[b.kernel] == settled {
		defer func() { f.key = f.launchesKey() + f.watchedKey() }()
	}
	before := f.kernels[b.kernel]
	if f.unknown || before != nil && before.covers(b) {
		return
	}
	if before == nil {
		before, f.order = &kernelFacts{}, append(slices.Clip(f.order), b.kernel)
	}
	most := announcedLimits
	if f.application {
		most = applicationLimits
	}
	now := before.with(b, most)
	f.kernels[b.kernel] = now
	key, program := f.launchesKey(), f.program
	conclude := func() any { return program.With(b.kernel.Name, now.kernelLaunches()) }
	if f.key = key + f.watchedKey(); f.application {
		f.program = conclude().(*address.Program)
		return
	}
	f.program = b.program.Module.Memo(launchesOf{key}, conclude).(*address.Program)
}

// launchesOf is the key under which a module caches the address.Program of launches.
type launchesOf struct{ key string }

// launchesKey returns a key that identifies the launches.
func (f *facts) launchesKey() string {
	var key strings.Builder
	for _, k := range f.order {
		key.WriteString(f.kernels[k].key)
		if f.lasting(k) {
			fmt.Fprintln(&key, "lasting", f.earned(k))
		}
	}
	return key.String()
}

// keyOf returns a key that identifies what is known of a launched kernel.
func (f *facts) keyOf(mod *rewrite.Module, k *rewrite.Func) kernelKey {
	return kernelKey{k, f.kernels[k].key, f.program.Memory(mod)}
}

// settled is the number of launches after which a static analysis of an application's kernel pays. It may take as long as several
// launches.
const settled = 8

// lasting reports whether a static analysis of a kernel pays: in an application there must have been many launches, or long ones,
// since there may be no more.
func (f *facts) lasting(k *rewrite.Func) bool {
	return !f.application || f.times[k] >= settled || f.earned(k) > 0
}

// ran counts the instructions that the threads of a launch have executed.
func (f *facts) ran(k *rewrite.Func, instructions uint64) {
	if !f.application || f.unknown {
		return
	}
	before := f.earned(k)
	if f.executed[k] += instructions; f.earned(k) != before {
		f.key = f.launchesKey() + f.watchedKey()
	}
}

// earnings lists the work units for the static analysis of an application's kernel, ascending. Its launches earn one for
// unitPrice instructions of their threads, so that the analysis takes about as long as the detectors' work on these launches. The
// analysis is repeated with more work units, up to those of requested proofs.
var earnings = [...]int64{1 << 19, 1 << 21, proveBudget}

const unitPrice = 16

// earned returns the work units that the launches of a kernel have earned so far.
func (f *facts) earned(k *rewrite.Func) (units int64) {
	for _, u := range earnings {
		if f.executed[k] >= uint64(u)*unitPrice {
			units = u
		}
	}
	return units
}

// covers reports whether the facts include another launch.
func (k *kernelFacts) covers(b *boundLaunch) bool {
	return len(k.launches) == 0 || slices.ContainsFunc(k.launches, func(l knownLaunch) bool { return l.covers(b) })
}

// with returns the facts after another launch.
func (k *kernelFacts) with(b *boundLaunch, at limits) *kernelFacts {
	list := append(slices.Clip(k.launches), knownLaunchOf(b))
	if len(list) > at.apart {
		list = merged(list)
	}
	if len(list) > at.most {
		list = nil
	}
	var key strings.Builder
	fmt.Fprintln(&key, b.kernel.Name)
	for i := range list {
		list[i].writeKey(&key)
	}
	return &kernelFacts{list, key.String()}
}

// kernelLaunches returns the launches in the form for proofs.
func (k *kernelFacts) kernelLaunches() (list []address.KernelLaunch) {
	for i := range k.launches {
		list = append(list, k.launches[i].kernelLaunch())
	}
	return list
}

// knownLaunchOf returns the facts about one launch, whose arguments it copies.
func knownLaunchOf(b *boundLaunch) knownLaunch {
	l := knownLaunch{kernel: b.kernel, grid: b.Grid, block: b.Block, args: make([]knownArg, len(b.args))}
	for i, a := range b.args {
		a.bytes = bytes.Clone(a.bytes)
		l.args[i] = knownArg{a, a.bytes != nil}
	}
	return l
}

// covers reports whether the facts include another launch.
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

// similar reports whether a launch has that kernel, grid and block.
func (l *knownLaunch) similar(kernel *rewrite.Func, grid, block emu.Dim3) bool {
	return l.kernel == kernel && l.grid == grid && l.block == block
}

// equal reports whether two arguments have the same bytes and the same objects, by their numbers in the launch.
func (a *boundArg) equal(b *boundArg) bool {
	return bytes.Equal(a.bytes, b.bytes) && slices.EqualFunc(a.pointers, b.pointers, func(p, q pointer) bool {
		return p.at == q.at && p.number == q.number
	})
}

// merged merges launches of a kernel with the same grid and block. Arguments in which they differ become unknown.
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

// kernelLaunch returns the launch in the form for proofs.
func (l *knownLaunch) kernelLaunch() address.KernelLaunch {
	out := address.KernelLaunch{Kernel: l.kernel.Name, Block: l.block.Array(), Grid: l.grid.Array(), Args: make(map[string]address.Argument)}
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

// writeKey writes what identifies the launch.
func (l *knownLaunch) writeKey(w *strings.Builder) {
	fmt.Fprint(w, l.grid, l.block)
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

// exemptions maps the accesses of a module that cannot race to the reasons.
type exemptions map[*rewrite.Inst]address.Exemption
