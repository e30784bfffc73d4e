// Facts about the launches of a program, from which it follows which accesses cannot race.

package proofs

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Facts is what is known of the launches of a program: those so far, and those announced. Conclusions from it hold for
// all of them together. They are drawn again when a launch differs from all others.
type Facts struct {
	kernels map[*rewrite.Func]*kernelFacts
	Order   []*rewrite.Func // the kernels, in the order of their first launches
	// Unknown says that nothing is concluded from launches: threads launch kernels with arbitrary arguments, or another
	// program of the device changes memory, or an access has left the object that was concluded for it.
	Unknown bool
	Program *address.Program // of the launches; nil if they are unknown
	Key     string           // identifies the launches
	// watched has the launched kernels. The value says whether races of some launch are reported.
	watched map[*rewrite.Func]bool
	// application says that the launches are those of an application, whose number is unknown. times counts the
	// launches of each kernel, executed the instructions of its threads. hopeless holds the kernels of which no access
	// will be exempt, whatever launches follow.
	application bool
	times       map[*rewrite.Func]int
	executed    map[*rewrite.Func]uint64
	hopeless    map[*rewrite.Func]bool
}

// Launch is a launch that facts are about.
type Launch struct {
	Module      *rewrite.Module
	Kernel      *rewrite.Func
	Grid, Block emu.Dim3
	Args        []Arg // one for each parameter
	Unreported  bool  // its races are not reported
}

// Arg is an argument of a launch.
type Arg struct {
	// Bytes is the argument as it stands in the parameter block, with addresses as offsets in their object. It is nil
	// for a tensor map passed by value.
	Bytes    []byte
	Pointers []Pointer
}

// Pointer is the address of an object in an argument.
type Pointer struct {
	At     int    // offset in the argument
	Number uint64 // number of the object in the launch, counted from 1 in the order in which arguments name objects
}

// PointerBytes is the size of an address in an argument.
const PointerBytes = 8

// kernelFacts is what is known of the launches of one kernel. It is immutable.
type kernelFacts struct {
	launches []KnownLaunch // empty if they differ too much for conclusions
	key      string        // identifies the launches
}

// KnownLaunch is one launch, or several with the same grid and block.
type KnownLaunch struct {
	kernel      *rewrite.Func
	grid, block emu.Dim3
	Args        []knownArg // by parameter
}

// knownArg is what is known of an argument.
type knownArg struct {
	Arg
	Known bool // it is the same in all launches
}

// limits limits the launches kept for a kernel. Up to Distinct launches are kept separately. Beyond that, launches with
// the same grid and block are merged, and only arguments that all of them share remain known. If more than most merged
// launches remain, nothing is concluded about the kernel.
type limits struct{ Distinct, most int }

// Each new launch requires new proofs and decoding. In an application, the number of launches is unknown.
var (
	AnnouncedLimits   = limits{16, 64}
	applicationLimits = limits{4, 16}
)

// New returns facts about the launches of a module, of which none is known yet. In an application the launches to come
// are unknown.
func New(mod *rewrite.Module, application bool) *Facts {
	f := &Facts{
		kernels: make(map[*rewrite.Func]*kernelFacts), watched: make(map[*rewrite.Func]bool),
		application: application, times: make(map[*rewrite.Func]int), executed: make(map[*rewrite.Func]uint64),
		hopeless: make(map[*rewrite.Func]bool),
	}
	for _, fn := range mod.Funcs {
		f.Unknown = f.Unknown || slices.ContainsFunc(fn.Insts, emu.LaunchesGrid)
	}
	return f
}

// Clone returns an independent copy.
func (f *Facts) Clone() *Facts {
	again := *f
	again.kernels, again.Order = maps.Clone(f.kernels), slices.Clip(f.Order)
	again.watched, again.times, again.executed, again.hopeless = maps.Clone(f.watched), maps.Clone(f.times),
		maps.Clone(f.executed), maps.Clone(f.hopeless)
	return &again
}

// Forget drops all facts for good.
func (f *Facts) Forget() {
	*f = Facts{Unknown: true, watched: f.watched, Key: f.watchedKey(), times: f.times}
}

// Of returns the launches of a kernel, none if they are unknown.
func (f *Facts) Of(kernel *rewrite.Func) []KnownLaunch {
	if k := f.kernels[kernel]; k != nil {
		return k.launches
	}
	return nil
}

// Add adds a launch. Most launches equal an earlier one and cost one comparison. Conclusions are cached in the module
// for all sessions, except for applications.
func (f *Facts) Add(b *Launch) {
	f.times[b.Kernel]++
	if f.watch(b) || f.times[b.Kernel] == settled {
		defer func() { f.Key = f.launchesKey() + f.watchedKey() }()
	}
	before := f.kernels[b.Kernel]
	if f.Unknown || before != nil && before.covers(b) {
		return
	}
	if before == nil {
		before, f.Order = &kernelFacts{}, append(slices.Clip(f.Order), b.Kernel)
	}
	most := AnnouncedLimits
	if f.application {
		most = applicationLimits
	}
	now := before.with(b, most)
	f.kernels[b.Kernel] = now
	key, program := f.launchesKey(), f.Program
	conclude := func() any { return program.With(b.Kernel.Name, now.kernelLaunches()) }
	if f.Key = key + f.watchedKey(); f.application {
		f.Program = conclude().(*address.Program)
		return
	}
	f.Program = b.Module.Memo(launchesOf{key}, conclude).(*address.Program)
}

// launchesOf is the key under which a module caches the address.Program of launches.
type launchesOf struct{ key string }

// launchesKey returns a key that identifies the launches.
func (f *Facts) launchesKey() string {
	var key strings.Builder
	for _, k := range f.Order {
		key.WriteString(f.kernels[k].key)
		if f.lasting(k) {
			fmt.Fprintln(&key, "lasting", f.earned(k))
		}
	}
	return key.String()
}

// keyOf returns a key that identifies what is known of a launched kernel.
func (f *Facts) keyOf(mod *rewrite.Module, k *rewrite.Func) kernelKey {
	return kernelKey{k, f.kernels[k].key, f.Program.Memory(mod)}
}

// settled is the number of launches after which a static analysis of an application's kernel pays. It may take as long
// as several launches.
const settled = 8

// lasting reports whether a static analysis of a kernel pays: in an application there must have been many launches, or
// long ones, since there may be no more.
func (f *Facts) lasting(k *rewrite.Func) bool {
	return !f.application || f.times[k] >= settled || f.earned(k) > 0
}

// Ran counts the instructions that the threads of a launch have executed.
func (f *Facts) Ran(k *rewrite.Func, instructions uint64) {
	if !f.application || f.Unknown {
		return
	}
	before := f.earned(k)
	if f.executed[k] += instructions; f.earned(k) != before {
		f.Key = f.launchesKey() + f.watchedKey()
	}
}

// earnings lists the work units for the static analysis of an application's kernel, ascending. Its launches earn one
// for unitPrice instructions of their threads, so that the analysis takes about as long as the detectors' work on these
// launches. The analysis is repeated with more work units, up to those of requested proofs.
var earnings = [...]int64{1 << 19, 1 << 21, proveBudget}

const unitPrice = 16

// earned returns the work units that the launches of a kernel have earned so far.
func (f *Facts) earned(k *rewrite.Func) (units int64) {
	for _, u := range earnings {
		if f.executed[k] >= uint64(u)*unitPrice {
			units = u
		}
	}
	return units
}

// covers reports whether the facts include another launch.
func (k *kernelFacts) covers(b *Launch) bool {
	return len(k.launches) == 0 || slices.ContainsFunc(k.launches, func(l KnownLaunch) bool { return l.covers(b) })
}

// with returns the facts after another launch.
func (k *kernelFacts) with(b *Launch, at limits) *kernelFacts {
	list := append(slices.Clip(k.launches), knownLaunchOf(b))
	if len(list) > at.Distinct {
		list = merged(list)
	}
	if len(list) > at.most {
		list = nil
	}
	var key strings.Builder
	fmt.Fprintln(&key, b.Kernel.Name)
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
func knownLaunchOf(b *Launch) KnownLaunch {
	l := KnownLaunch{kernel: b.Kernel, grid: b.Grid, block: b.Block, Args: make([]knownArg, len(b.Args))}
	for i, a := range b.Args {
		a.Bytes = bytes.Clone(a.Bytes)
		l.Args[i] = knownArg{a, a.Bytes != nil}
	}
	return l
}

// covers reports whether the facts include another launch.
func (l *KnownLaunch) covers(b *Launch) bool {
	if !l.similar(b.Kernel, b.Grid, b.Block) {
		return false
	}
	for i := range l.Args {
		if l.Args[i].Known && !l.Args[i].equal(&b.Args[i]) {
			return false
		}
	}
	return true
}

// similar reports whether a launch has that kernel, grid and block.
func (l *KnownLaunch) similar(kernel *rewrite.Func, grid, block emu.Dim3) bool {
	return l.kernel == kernel && l.grid == grid && l.block == block
}

// equal reports whether two arguments have the same bytes and the same objects, by their numbers in the launch.
func (a *Arg) equal(b *Arg) bool {
	return bytes.Equal(a.Bytes, b.Bytes) && slices.EqualFunc(a.Pointers, b.Pointers, func(p, q Pointer) bool {
		return p.At == q.At && p.Number == q.Number
	})
}

// merged merges launches of a kernel with the same grid and block. Arguments in which they differ become unknown.
func merged(launches []KnownLaunch) (list []KnownLaunch) {
	for _, l := range launches {
		i := slices.IndexFunc(list, func(m KnownLaunch) bool { return m.similar(l.kernel, l.grid, l.block) })
		if i < 0 {
			l.Args = slices.Clone(l.Args)
			list = append(list, l)
			continue
		}
		for j := range l.Args {
			a := &list[i].Args[j]
			a.Known = a.Known && l.Args[j].Known && a.equal(&l.Args[j].Arg)
		}
	}
	return list
}

// kernelLaunch returns the launch in the form for proofs.
func (l *KnownLaunch) kernelLaunch() address.KernelLaunch {
	out := address.KernelLaunch{
		Kernel: l.kernel.Name, Block: l.block.Array(), Grid: l.grid.Array(),
		Args: make(map[string]address.Argument),
	}
	for i, v := range l.kernel.Params {
		if !l.Args[i].Known {
			continue
		}
		a := address.Argument{Bytes: l.Args[i].Bytes, Objects: make(map[int64]uint64)}
		for _, p := range l.Args[i].Pointers {
			a.Objects[int64(p.At)] = p.Number
		}
		out.Args[v.Name] = a
	}
	return out
}

// writeKey writes what identifies the launch.
func (l *KnownLaunch) writeKey(w *strings.Builder) {
	fmt.Fprint(w, l.grid, l.block)
	for i := range l.Args {
		if !l.Args[i].Known {
			continue
		}
		fmt.Fprintf(w, ";%d=%x", i, l.Args[i].Bytes)
		for _, p := range l.Args[i].Pointers {
			fmt.Fprintf(w, ",%d:%d", p.At, p.Number)
		}
	}
	w.WriteByte('\n')
}

// Exemptions maps the accesses of a module that cannot race to the reasons.
type Exemptions map[*rewrite.Inst]address.Exemption
