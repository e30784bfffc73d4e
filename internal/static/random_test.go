// The verdicts on random kernels against what the detector precise sees of them.

package static_test

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/static"
	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/testgen/addressgen"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

var (
	verdicts     = flag.Int("verdicts", 120, "random kernels for TestRandom")
	firstVerdict = flag.Uint64("first-verdict", 1, "seed of the first one")
	onlyFamily   = flag.Int("family", -1, "the family of all kernels of TestRandom, by its index; -1: by their seeds")
	show         = flag.Bool("show", false, "show the kernels of TestRandom, and the pairs that race in them")
)

// family is a kind of random kernels.
type family struct {
	name string
	make func(seed uint64) *random
}

// families are those of the seeds in turn.
var families = [9]*family{&phases, &locks, &barriers, &copying, &counting, &locks, &barriers, &addresses, &ringing}

var (
	barriers  = family{"barriers", randomKernel}
	locks     = family{"locks and flags", synchronisedKernel}
	counting  = family{"counters of blocks", countingKernel}
	phases    = family{"mbarriers", phaseKernel}
	ringing   = family{"rings of mbarriers", ringKernel}
	copying   = family{"asynchronous copies", copyingKernel}
	addresses = family{"addresses", addressKernel}
)

// maxSchedules is how many schedules a race may need that the analysis is sure of: in others a lock,
// a flag or an atomic operation that observes another orders the accesses.
const maxSchedules = 24

// maxWrong is the wrong verdicts after which a campaign ends.
const maxWrong = 20

// TestRandom: no random kernel that the detector precise sees racing is proved free of races, and
// none is called racy that does not race. The kernels are of seven families by their seeds.
func TestRandom(t *testing.T) {
	n, first := uint64(*verdicts), *firstVerdict
	if testing.Short() {
		n /= 4
	}
	c := &campaign{counts: make(map[string]map[string]int)}
	work := make(chan uint64)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for seed := range work {
				c.judge(seed)
			}
		})
	}
	for i := range n {
		if c.over() {
			break
		}
		if i > 0 && i%2000 == 0 {
			c.progress(i)
		}
		work <- first + i
	}
	close(work)
	wg.Wait()
	slices.Sort(c.wrong)
	for _, w := range c.wrong {
		t.Error(w)
	}
	t.Log(c)
	racy, clean := 0, 0
	for _, f := range families {
		m := c.counts[f.name]
		racy, clean = racy+m["racy racy"]/2, clean+m["clean clean"]/2                                    // half of the families come twice
		if n >= 240 && (m["racy racy"] == 0 && f != &phases && f != &ringing || m["clean clean"] == 0) { // races of phases are left to executions
			t.Errorf("%s: too little is decided to tell: %v", f.name, m)
		}
	}
	if racy < int(n)/16 || clean < int(n)/16 {
		t.Errorf("%d racy and %d clean kernels are decided: too few to tell", racy, clean)
	}
}

// campaign is what many kernels came to.
type campaign struct {
	mu     sync.Mutex
	counts map[string]map[string]int // by family, then by what precise and the analysis say
	wrong  []string
	shown  int // of wrong
}

func (c *campaign) over() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.wrong) >= maxWrong
}

// progress shows what a long campaign came to so far, with the seeds of what is wrong.
func (c *campaign) progress(n uint64) {
	fmt.Printf("%d kernels: %s\n", n, c)
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, w := range c.wrong[c.shown:] {
		line, _, _ := strings.Cut(w, "\n")
		fmt.Println(line)
	}
	c.shown = len(c.wrong)
}

func (c *campaign) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return fmt.Sprint(c.counts)
}

// judge compares the verdict on the kernel of a seed with what it does.
func (c *campaign) judge(seed uint64) {
	if *onlyFamily >= 0 {
		c.judgeOf(families[*onlyFamily], seed)
		return
	}
	c.judgeOf(families[seed%uint64(len(families))], seed)
}

func (c *campaign) judgeOf(f *family, seed uint64) {
	k := f.make(seed)
	says, err := k.check()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.counts[f.name] == nil {
		c.counts[f.name] = make(map[string]int)
	}
	c.counts[f.name][says]++
	if *show {
		fmt.Printf("seed %d: %s\n%s\n", seed, says, k.text)
	}
	if err != nil || says == "racy clean" || says == "clean racy" {
		c.wrong = append(c.wrong, fmt.Sprintf("seed %d: %s (precise, analyze) %v\n%s\n%+v", seed, says, err, k.text, k.launches))
	}
}

// random is a random program: its kernels have pointers, then a 64-bit number if there are two,
// then a 32-bit number.
type random struct {
	text     string
	size     int // of each buffer
	launches []randomLaunch
	budget   int64 // work units for a kernel; 0: randomBudget
	// mirror is the text with the threads of a block in the opposite order; "" where threads of a warp synchronise.
	mirror string
}

type randomLaunch struct {
	kernel      string
	grid, block uint32
	buffers     []int
	zero        bool // buffers start with zeros, and the facts say so
	numbers     []int64
	untold      bool // the numbers are no facts
}

// addressKernel is a program whose addresses are hard to see through.
func addressKernel(seed uint64) *random {
	p := addressgen.Make(seed)
	k := &random{text: p.PTX, size: addressgen.BufferBytes}
	k.mirror = strings.ReplaceAll(p.PTX, "mov.u32 %lane, %tid.x;", "mov.u32 %lane, %ntid.x;\nsub.u32 %lane, %lane, 1;\nmov.u32 %size, %tid.x;\nsub.u32 %lane, %lane, %size;")
	for _, l := range p.Launches {
		k.launches = append(k.launches, randomLaunch{
			kernel: l.Kernel, grid: l.Grid, block: l.Block, buffers: l.Buffers[:], numbers: []int64{int64(l.Zero), int64(l.N)},
		})
	}
	return k
}

// randomBudget is the work units for a kernel: most that is ever decided is with so many.
const randomBudget = 100_000

// check is what precise and the analysis say of a program: precise is asked where the analysis is
// sure. A race that the analysis is sure of is
// looked for in several schedules.
func (k *random) check() (string, error) {
	program, err := session.Parse("k.ptx", []byte(k.text))
	if err != nil {
		return "", err
	}
	got := static.Clean
	sure := func(p *static.Pair) bool { return p.Verdict == static.Racy && !*show }
	for i := range k.launches {
		l := &k.launches[i]
		r, failed := static.Analyze(context.Background(), program.Module.Func(l.kernel), l.given(k.size), static.Options{Budget: cmp.Or(k.budget, randomBudget), Stop: sure})
		if failed != nil {
			return "", failed
		}
		got = max(got, r.Verdict)
		for _, p := range r.Pairs {
			if p.Verdict == static.Racy && *show {
				fmt.Printf("%s | %s %v %+v\n", p.First.Inst.Text(), p.Second.Inst.Text(), p.Kinds, p.Witness)
			}
		}
	}
	if got == static.Possible { // nothing to compare
		return got.String(), nil
	}
	schedules := uint64(maxSchedules)
	if got == static.Clean {
		schedules = 3
	}
	fair, failed := k.run(0)
	says := fair
	if failed == nil && fair != "racy" {
		says, failed = k.runs(schedules)
	}
	if says == "clean" && got == static.Racy && k.mirror != "" {
		// An atomic operation orders those of lower lanes before what its thread does next, but hardware may perform
		// them in another order.
		other := *k
		other.text = k.mirror
		says, failed = other.runs(1)
	}
	if failed != nil || says == "stopped" {
		return says, failed
	}
	contradiction, err := k.disagrees(got.String(), fair == "racy")
	if err == nil && contradiction != "" {
		err = errors.New(contradiction)
	}
	return says + " " + got.String(), err
}

// runs runs the program by so many schedules, unless one shows a race; "stopped" when one does not come to the end, and
// none before it does.
func (k *random) runs(schedules uint64) (says string, err error) {
	for seed := range schedules {
		now, err := k.run(seed)
		if err != nil || now == "racy" {
			return now, err
		}
		if now == "clean" && says != "stopped" || says == "" {
			says = now
		}
	}
	return says, nil
}

// given is all that there is to know of a launch; of what the buffers hold, that they start with
// zeros.
func (l *randomLaunch) given(size int) *facts.Given {
	g := &facts.Given{Site: "launch", Pointers: make(map[facts.Param]facts.Pointer)}
	define := func(v *expr.Int, k int64) {
		g.Facts = append(g.Facts, facts.Fact{Name: fmt.Sprint(v, " = ", k), Class: facts.Dims, Var: v.String(), Value: expr.Const(k), Formula: expr.Eq(v, expr.Const(k))})
	}
	for i, d := range []byte("xyz") {
		define(facts.Dim("ntid", d), []int64{int64(l.block), 1, 1}[i])
		define(facts.Dim("nctaid", d), []int64{int64(l.grid), 1, 1}[i])
	}
	for i, b := range l.buffers {
		p := facts.Pointer{Buffer: fmt.Sprint("b", b), Offset: expr.Const(0), Size: expr.Const(int64(size)), Bound: fmt.Sprint("in-bounds b", b)}
		if l.zero {
			p.Initial, p.Init = expr.Const(0), fmt.Sprint("b", b, " starts with 0")
		}
		g.Pointers[facts.Param{Index: i}] = p
	}
	for i, k := range l.numbers {
		if l.untold {
			break
		}
		bits := 32
		if len(l.numbers) == 2 && i == 0 {
			bits = 64
		}
		define(facts.ParamVar(len(l.buffers)+i, 0, bits), k)
	}
	return g
}

// maxSteps is the warp instructions of a launch, which threads that wait for ever use up.
const maxSteps = 20_000

// run runs the program under precise, by the default schedule or a random one; "stopped" when it
// faults, or waits for ever without a race.
func (k *random) run(seed uint64) (string, error) {
	s, launched, err := k.session(seed, "precise")
	if err != nil {
		return "", err
	}
	r := s.Report()
	wrong := slices.ContainsFunc(r.Faults, func(f *report.FaultEvent) bool { return f.Class != "timeout" })
	racy := slices.ContainsFunc(r.Races, func(x *report.Race) bool { return x.Severity == report.Error })
	switch {
	case !launched, wrong, len(r.Faults) > 0 && !racy:
		return "stopped", nil
	case racy:
		return "racy", nil
	}
	return "clean", nil
}

// session returns the session in which a detector has seen the program. launched says that no launch was refused.
func (k *random) session(seed uint64, detector string) (s *session.Session, launched bool, err error) {
	detectors, err := session.ParseDetectors(detector)
	if err != nil {
		return nil, false, err
	}
	cfg := emu.Config{MaxSteps: maxSteps}
	if seed > 0 {
		cfg.Policy, cfg.Seed = emu.Random, seed
	}
	s, err = session.Open(session.Options{Detectors: detectors, Emulator: cfg})
	if err != nil {
		return nil, false, err
	}
	err = k.Play(context.Background(), s)
	if errors.Is(err, errRefused) {
		return s, false, nil
	}
	return s, err == nil, err
}

// errRefused is the error for a launch that does not start or does not come to its end.
var errRefused = errors.New("the launch is refused")

// Play loads the program and launches its kernels.
func (k *random) Play(ctx context.Context, s *session.Session) error {
	program, err := session.Parse("k.ptx", []byte(k.text))
	if err != nil {
		return err
	}
	if err = s.Load(program); err != nil {
		return err
	}
	objects := make(map[int]*session.Object)
	for _, l := range k.launches {
		var args []any
		for _, b := range l.buffers {
			if objects[b] == nil {
				if objects[b], err = session.Buffer(s, fmt.Sprint("b", b), make([]uint32, k.size/4)); err != nil {
					return err
				}
			}
			args = append(args, objects[b])
		}
		for _, n := range l.numbers {
			args = append(args, n)
		}
		if _, err := s.Launch(ctx, session.Launch{Kernel: l.kernel, Grid: emu.Dim3{X: l.grid}, Block: emu.Dim3{X: l.block}, Args: args}); err != nil {
			return fmt.Errorf("%w: %w", errRefused, err)
		}
	}
	return nil
}

// TestLongLoops: kernels whose threads access one place in each of very many rounds, which nothing
// can be said of, cost no more than the budget.
func TestLongLoops(t *testing.T) {
	for _, seed := range []uint64{47814, 56986} {
		k := barriers.make(seed)
		program, err := session.Parse("k.ptx", []byte(k.text))
		if err != nil {
			t.Fatal(err)
		}
		r, err := static.Analyze(context.Background(), program.Module.Func("k"), k.launches[0].given(k.size), static.Options{Budget: randomBudget})
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != static.Possible || r.Work > 20*randomBudget {
			t.Errorf("seed %d: %s after %d work units", seed, r.Verdict, r.Work)
		}
	}
}
