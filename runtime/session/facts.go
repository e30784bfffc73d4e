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
	kernels map[*rewrite.Func]*kernelFacts
	order   []*rewrite.Func // the kernels, by their first launches
	// unknown says that nothing is concluded from launches: threads launch kernels, with
	// whatever they like, while others run; another program on the device puts into memory
	// what this one does not know of; or an access went elsewhere than was concluded.
	unknown bool
	program *address.Program // of the launches, nil when they are unknown
	key     string           // identifies the launches
	// watched says of each kernel that has been launched whether races in one of its launches
	// are asked for.
	watched map[*rewrite.Func]bool
	// application says that the launches are those of an application, which may differ for ever; times is how often each
	// kernel has been launched, executed how many instructions its threads have executed, hopeless are those of which no access is
	// exempt, whatever launches follow.
	application bool
	times       map[*rewrite.Func]int
	executed    map[*rewrite.Func]uint64
	hopeless    map[*rewrite.Func]bool
}

// kernelFacts is what is known of the launches of one kernel. It does not change.
type kernelFacts struct {
	launches []knownLaunch // empty when they differ too much for anything to be concluded
	key      string        // identifies them
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

// limits bounds what is kept of the launches of a kernel. Up to apart launches are kept one by one. When there are more, launches with
// the same grid and block are merged into one, whose known arguments are those that all of them share. When more than most
// merged launches are left, nothing is concluded of the kernel.
type limits struct{ apart, most int }

// Each launch that is new makes proofs and decoding necessary again. In an application, nobody knows how many will come.
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

// clone is a copy that learns on its own.
func (f *facts) clone() *facts {
	again := *f
	again.kernels, again.order = maps.Clone(f.kernels), slices.Clip(f.order)
	again.watched, again.times, again.executed, again.hopeless = maps.Clone(f.watched), maps.Clone(f.times), maps.Clone(f.executed), maps.Clone(f.hopeless)
	return &again
}

// forget gives up what is known, for good.
func (f *facts) forget() {
	*f = facts{unknown: true, watched: f.watched, key: f.watchedKey(), times: f.times}
}

// of are the launches of a kernel, none when nothing is known of them.
func (f *facts) of(kernel *rewrite.Func) []knownLaunch {
	if k := f.kernels[kernel]; k != nil {
		return k.launches
	}
	return nil
}

// add takes a launch into account. Most launches are like an earlier one, and cost a
// comparison. What is concluded is kept with the module, for all sessions, unless it is of an application.
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

// launchesOf is the key under which a module keeps the program of launches.
type launchesOf struct{ key string }

// launchesKey tells the launches from others.
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

// keyOf identifies what is known of a kernel that has been launched.
func (f *facts) keyOf(mod *rewrite.Module, k *rewrite.Func) kernelKey {
	return kernelKey{k, f.kernels[k].key, f.program.Memory(mod)}
}

// settled is the number of launches after which a kernel of an application is worth a static analysis, which may
// take as long as several of them.
const settled = 8

// lasting reports whether a static analysis of a kernel is worth its time: in an application there have to be many
// launches, or long ones, since nobody knows whether there will be more.
func (f *facts) lasting(k *rewrite.Func) bool {
	return !f.application || f.times[k] >= settled || f.earned(k) > 0
}

// ran takes note of how many instructions the threads of a launch have executed.
func (f *facts) ran(k *rewrite.Func, instructions uint64) {
	if !f.application || f.unknown {
		return
	}
	before := f.earned(k)
	if f.executed[k] += instructions; f.earned(k) != before {
		f.key = f.launchesKey() + f.watchedKey()
	}
}

// earnings are the work units that the launches of a kernel of an application earn its static analysis, ascending: one for unitPrice
// instructions of their threads, so that the analysis takes about as long as looking at these launches has taken. The analysis is
// made again with more work units, and ends with those of the proofs that somebody asks for.
var earnings = [...]int64{1 << 19, 1 << 21, proveBudget}

const unitPrice = 16

// earned is what the launches of a kernel have earned so far.
func (f *facts) earned(k *rewrite.Func) (units int64) {
	for _, u := range earnings {
		if f.executed[k] >= uint64(u)*unitPrice {
			units = u
		}
	}
	return units
}

// covers reports whether what is known holds of another launch, too.
func (k *kernelFacts) covers(b *boundLaunch) bool {
	return len(k.launches) == 0 || slices.ContainsFunc(k.launches, func(l knownLaunch) bool { return l.covers(b) })
}

// with is what is known when there is another launch.
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

// kernelLaunches is the launches in the form that proofs read.
func (k *kernelFacts) kernelLaunches() (list []address.KernelLaunch) {
	for i := range k.launches {
		list = append(list, k.launches[i].kernelLaunch())
	}
	return list
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

// exemptions are the accesses of a module that cannot race, with the reasons.
type exemptions map[*rewrite.Inst]address.Exemption
