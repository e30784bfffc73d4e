// A listener that combines several.

package observe

import (
	"slices"
	"sync"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/sites"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Tee returns a listener that passes events to several listeners, in order: to each what it needs. It ignores nil
// listeners; if there are no others, the result is nil.
func Tee(listeners ...emu.Listener) emu.Listener {
	t := &tee{}
	for _, l := range listeners {
		if l != nil {
			t.all = append(t.all, &branch{Receiver: l, listener: l})
		}
	}
	switch len(t.all) {
	case 0:
		return nil
	case 1:
		return t.all[0].listener
	}
	return t
}

type tee struct{ all []*branch }

// Event implements abi.Receiver.
func (t *tee) Event(ev *abi.Event) {
	for _, b := range t.all {
		b.Event(ev)
	}
}

// Accesses implements abi.Receiver.
func (t *tee) Accesses(batch *abi.Batch) {
	for _, b := range t.all {
		b.Accesses(batch)
	}
}

// TakesLoops implements abi.LoopReceiver.
func (t *tee) TakesLoops() bool {
	return !slices.ContainsFunc(t.all, func(b *branch) bool { return !takesLoops(b.Receiver) })
}

// Interest implements emu.Listener: the union of the listeners' interests.
func (t *tee) Interest() emu.Interest {
	u := emu.Interest{Kernel: t.kernel, First: t.first, Parts: t.parts, Block: t.block}
	all, steps, allSteps := false, false, false
	for i, b := range t.all {
		b.interest = b.listener.Interest()
		b.known, b.left = make(map[*abi.AccessClass]bool), new(sync.Map)
		if i == 0 {
			u.Needs = b.interest.Needs
		} else {
			u.Needs = u.Union(b.interest.Needs)
		}
		all, steps = all || b.interest.Site == nil, steps || b.interest.Step != nil
		allSteps = allSteps || b.interest.Step != nil && b.interest.Steps == nil
	}
	if !all {
		u.Site = func(in *rewrite.Inst) bool {
			return slices.ContainsFunc(t.all, func(b *branch) bool { return b.interest.Site(in) })
		}
	}
	if steps {
		u.Step = t.step
		if !allSteps {
			u.Steps = t.steps
		}
	}
	for _, b := range t.all {
		b.plain = u.Values && !b.interest.Values
	}
	return u
}

// kernel implements emu.Interest.Kernel.
func (t *tee) kernel(f *rewrite.Func) {
	for _, b := range t.all {
		if b.module = f.Module; b.interest.Kernel != nil {
			b.interest.Kernel(f)
		}
	}
}

// first implements emu.Interest.First.
func (t *tee) first(in *rewrite.Inst) {
	for _, b := range t.all {
		if b.interest.First != nil && b.interest.NeedsSite(in) {
			b.interest.First(in)
		}
	}
}

// block implements emu.Interest.Block.
func (t *tee) block(block uint64) bool {
	needed := false
	for _, b := range t.all {
		if b.interest.Block != nil && !b.interest.Block(block) {
			b.left.Store(block, true)
			continue
		}
		needed = true
		b.left.Delete(block)
	}
	return needed
}

// step implements emu.Interest.Step.
func (t *tee) step(s *emu.Step) {
	for _, b := range t.all {
		if b.interest.NeedsStep(s.Inst) {
			b.interest.Step(s)
		}
	}
}

// steps implements emu.Interest.Steps.
func (t *tee) steps(in *rewrite.Inst) bool {
	return slices.ContainsFunc(t.all, func(b *branch) bool { return b.interest.NeedsStep(in) })
}

// parts implements emu.Interest.Parts: listeners that cannot receive parts must not need any events of the launch.
func (t *tee) parts(kernel *rewrite.Func) abi.PartsReceiver {
	p := &teeParts{}
	for _, b := range t.all {
		var to abi.PartsReceiver
		if b.interest.Parts != nil {
			to = b.interest.Parts(kernel)
		}
		switch {
		case to != nil:
			p.all, p.of = append(p.all, to), append(p.of, b)
		case b.interest.NeedsLaunch(kernel):
			return nil
		}
	}
	return p
}

// branch is a listener of a tee, or a receiver of parts.
type branch struct {
	abi.Receiver
	listener emu.Listener
	interest emu.Interest
	module   *rewrite.Module
	known    map[*abi.AccessClass]bool // whether accesses of a class are needed
	plain    bool                      // values are left out, which another listener needs
	left     *sync.Map                 // blocks without weak accesses
	depth    int                       // number of running grids
	list     []abi.Access
}

// Event implements abi.Receiver.
func (b *branch) Event(ev *abi.Event) {
	switch ev.Kind {
	case abi.EventKernelBegin:
		b.depth++
	case abi.EventKernelEnd:
		b.depth--
	}
	if b.interest.Wants(ev) {
		b.Receiver.Event(ev)
	}
}

// Accesses implements abi.Receiver.
func (b *branch) Accesses(from *abi.Batch) {
	strong := false // weak accesses are left out
	if b.interest.Block != nil && b.depth == 1 {
		_, strong = b.left.Load(from.Block)
	}
	strong = strong && from.Async == abi.Synchronous
	if b.needsAll(from.List, strong) {
		b.Receiver.Accesses(from)
		return
	}
	to := *from
	to.List, to.Loops = b.list[:0], nil
	at := 0
	for _, l := range from.Loops {
		b.add(&to, from.List[at:l.At], strong)
		at = l.At + l.Listed
		b.addLoop(&to, from, &l, strong)
	}
	b.add(&to, from.List[at:], strong)
	if b.list = to.List; len(to.List) > 0 {
		b.Receiver.Accesses(&to)
	}
}

// add adds to a batch what is needed of some accesses.
func (b *branch) add(to *abi.Batch, list []abi.Access, strong bool) {
	for i := range list {
		if !b.needs(&list[i], strong) {
			continue
		}
		to.List = append(to.List, list[i])
		if last := &to.List[len(to.List)-1]; b.plain && last.New != nil {
			last.New, last.Old, last.Wrote = nil, nil, last.Mask
		}
	}
}

// addLoop adds to a batch what is needed of a loop of another one: the loop, or some of its accesses one by one.
func (b *branch) addLoop(to, from *abi.Batch, l *abi.Loop, strong bool) {
	if listed := from.List[l.At : l.At+l.Listed]; b.needsAll(listed, strong) {
		kept := *l
		kept.At = len(to.List)
		to.List, to.Loops = append(to.List, listed...), append(to.Loops, kept)
		return
	}
	var x [1]abi.Access
	for n := range l.Len() {
		l.Nth(from, n, &x[0])
		b.add(to, x[:], strong)
	}
}

// needsAll reports whether all accesses of a list are needed, with their values.
func (b *branch) needsAll(list []abi.Access, strong bool) bool {
	for i := range list {
		if b.plain && list[i].New != nil || !b.needs(&list[i], strong) {
			return false
		}
	}
	return true
}

// needs reports whether an access is needed; strong says that those that cannot be used for synchronisation are not.
func (b *branch) needs(a *abi.Access, strong bool) bool {
	needed, ok := b.known[a.AccessClass]
	if !ok {
		needed = b.interest.NeedsAccess(sites.At(b.module, a.Site), a.Space)
		b.known[a.AccessClass] = needed
	}
	return needed && (!strong || !a.Weak())
}

// teeParts receives a launch in parts.
type teeParts struct {
	all []abi.PartsReceiver
	of  []*branch
}

// TakesParts implements abi.PartsReceiver.
func (t *teeParts) TakesParts() bool { return true }

// Divide implements abi.PartsReceiver.
func (t *teeParts) Divide(goroutines int) []abi.PartReceiver {
	parts := make([]*partTee, goroutines)
	list := make([]abi.PartReceiver, goroutines)
	for i := range parts {
		parts[i] = &partTee{}
		list[i] = parts[i]
	}
	for n, to := range t.all {
		for i, x := range to.Divide(goroutines) {
			b := *t.of[n]
			b.Receiver, b.known, b.list, b.depth = x, make(map[*abi.AccessClass]bool), nil, 0
			parts[i].all, parts[i].parts = append(parts[i].all, &b), append(parts[i].parts, x)
		}
	}
	return list
}

// Unite implements abi.PartsReceiver.
func (t *teeParts) Unite(ok bool) {
	for _, to := range t.all {
		to.Unite(ok)
	}
}

// partTee passes the events of parts of a launch to several receivers.
type partTee struct {
	tee
	parts []abi.PartReceiver
}

// BeginPart implements abi.PartReceiver.
func (t *partTee) BeginPart(number uint64) {
	for _, p := range t.parts {
		p.BeginPart(number)
	}
}

// EndPart implements abi.PartReceiver.
func (t *partTee) EndPart() bool {
	ok := true
	for _, p := range t.parts {
		ok = p.EndPart() && ok
	}
	return ok
}
