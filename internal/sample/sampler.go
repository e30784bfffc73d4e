// The launches and blocks of one process that are watched, and how many there were.

package sample

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
)

// Options say what is watched. The zero value says everything.
type Options struct {
	Plan Plan
	Seed uint64
	// Budget, unless nil, lowers the shares of the plan as time passes. It may be shared by several samplers.
	Budget *Budget
}

// Samples reports whether something may be left out.
func (o *Options) Samples() bool { return len(o.Plan) > 0 || o.Budget != nil }

// Sampler applies options to the launches of one process, one after the other.
type Sampler struct {
	Options
	made    Plan // as far as the budget has decided; the plan without a budget
	kernels map[string]*Kernel
	order   []*Kernel
}

// Kernel counts launches and blocks of one kernel. Watched launches are those of which some block was watched.
type Kernel struct {
	Name              string
	Launches, Watched uint64
	Blocks, Seen      uint64 // of all launches; watched ones
}

// Partial reports whether something was left out.
func (k *Kernel) Partial() bool { return k.Seen < k.Blocks }

// NewSampler returns a sampler for a process that begins.
func NewSampler(o Options) *Sampler {
	s := &Sampler{Options: o, made: o.Plan, kernels: make(map[string]*Kernel)}
	if o.Budget != nil && len(s.made) == 0 {
		s.made = Plan{{Share: Whole, Launch: 1}}
	}
	return s
}

// Launch says which blocks of a launch are watched. Several goroutines may use it.
type Launch struct {
	mu      sync.Mutex
	parts   atomic.Pointer[[]part]
	of      *Sampler
	kernel  *Kernel
	number  uint64
	blocks  uint64
	planned Share  // that the plan has for the launch, as far as the budget has decided
	group   uint64 // size in blocks of the groups that are watched or not
	highest uint64 // one more than the highest number of a block that has begun; counted with a budget
}

// part is the choice for the blocks from number from on.
type part struct {
	from  uint64
	share Share // of the groups
	edges bool  // the first and the last group are watched whatever the share
}

// Begin counts a launch, with its number in the process and of a grid with that many blocks, and chooses what is
// watched of it. All blocks are watched if the result is nil.
//
// Of the first launch of each kernel the share is one of its blocks. Of later launches it is one of the launches, with
// all their blocks. Where the share falls during a launch, its later blocks are chosen by the new share.
func (s *Sampler) Begin(number uint64, kernel string, blocks uint64) *Launch {
	if !s.Samples() {
		return nil
	}
	k := s.kernels[kernel]
	if k == nil {
		k = &Kernel{Name: kernel}
		s.kernels[kernel], s.order = k, append(s.order, k)
	}
	if s.Budget != nil {
		s.Budget.launch(1)
		s.lower(Step{s.Budget.share(), number, 0}, s.made[len(s.made)-1].Share)
	}
	l := &Launch{of: s, kernel: k, number: number, blocks: blocks, planned: s.made.at(number)}
	l.group = max(1, min(maxGroup, blocks/minGroups))
	first := part{share: l.planned}
	switch {
	case k.Launches == 0:
		first.edges = first.share > 0
	case s.chooses(first.share, k.Launches, ofLaunch, kernel):
		first.share = Whole
	default:
		first.share = 0
	}
	parts := []part{first}
	for _, step := range s.made {
		if step.Launch == number && step.Block > 0 && first.share > 0 {
			parts = append(parts, part{from: step.Block, share: step.Share})
		}
	}
	l.parts.Store(&parts)
	k.Launches++
	k.Blocks += blocks
	return l
}

// Blocks are chosen in groups of neighbours, since races are often between neighbours: of up to maxGroup blocks, where
// that leaves minGroups groups.
const (
	maxGroup  = 8
	minGroups = 32
)

// lower adds a step to the plan if it has a smaller share than applies so far, and reports whether it has done so.
// Launches that have begun since keep the shares by which they were chosen.
func (s *Sampler) lower(step Step, so Share) bool {
	if step.Share >= so {
		return false
	}
	i := len(s.made)
	for i > 0 && step.before(&s.made[i-1]) {
		i--
	}
	if last := &s.made[max(i-1, 0)]; i > 0 && !last.before(&step) {
		last.Share = step.Share // before anything was chosen by it
	} else {
		s.made = slices.Insert(s.made, i, step)
	}
	return true
}

// Values of chooses that distinguish what is chosen.
const (
	ofLaunch = iota
	ofGroup
)

// chooses decides about one of the launches of a kernel, or of the groups of blocks of a launch.
func (s *Sampler) chooses(share Share, number, what uint64, kernel string) bool {
	if share >= Whole || share == 0 {
		return share > 0
	}
	h := s.Seed*2 + what
	for _, c := range []byte(kernel) {
		h = mix(h ^ uint64(c))
	}
	return mix(mix(h)^number)%uint64(Whole) < uint64(share)
}

// mix is the finaliser of SplitMix64 (Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA
// 2014).
func mix(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Watched reports whether blocks of the launch are watched.
func (l *Launch) Watched() bool { return l == nil || (*l.parts.Load())[0].share > 0 }

// Partial reports whether blocks of the launch are left out.
func (l *Launch) Partial() bool {
	if l == nil {
		return false
	}
	parts := *l.parts.Load()
	return len(parts) > 1 || parts[0].share < Whole
}

// Has reports whether a block is watched.
func (l *Launch) Has(block uint64) bool {
	if l == nil {
		return true
	}
	parts := *l.parts.Load()
	i := len(parts) - 1
	for parts[i].from > block {
		i--
	}
	p, g := &parts[i], block/l.group
	return p.edges && (g == 0 || g == (l.blocks-1)/l.group) ||
		l.of.chooses(p.share, g^l.number<<40, ofGroup, l.kernel.Name)
}

// BeginBlock says that a block begins. If the budget lowers the share, that applies to blocks with higher numbers than
// all that have begun.
func (l *Launch) BeginBlock(block uint64) {
	if l == nil || l.of.Budget == nil || !l.Watched() {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if block >= l.highest && l.highest > 0 {
		step := Step{l.of.Budget.share(), l.number, l.highest}
		if l.of.lower(step, l.planned) {
			l.planned = step.Share
			parts := append(slices.Clip(*l.parts.Load()), part{from: l.highest, share: step.Share})
			l.parts.Store(&parts)
		}
	}
	l.highest = max(l.highest, block+1)
}

// End ends the launch: what was watched of it is counted.
func (l *Launch) End() {
	if l != nil && l.of.Budget != nil {
		l.of.Budget.launch(-1)
	}
	if l == nil || !l.Watched() {
		return
	}
	l.kernel.Watched++
	if !l.Partial() {
		l.kernel.Seen += l.blocks
		return
	}
	for block := uint64(0); block < l.blocks; block++ {
		if l.Has(block) {
			l.kernel.Seen++
		}
	}
}

// Kernels returns the counts of kernels of which something was left out, in the order of their first launches.
func (s *Sampler) Kernels() (list []Kernel) {
	for _, k := range s.order {
		if k.Partial() {
			list = append(list, *k)
		}
	}
	return list
}

// Reason says in terms of the command line why something was left out.
func (s *Sampler) Reason() string {
	if s.Budget != nil {
		return fmt.Sprintf("--time-budget %s, which --sample %s repeats", s.Budget.total, s.made)
	}
	return fmt.Sprintf("--sample %s", s.made)
}
