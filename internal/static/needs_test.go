// Needs: a kernel that is proved free of races has none in any launch that satisfies what the proof lists, and only
// that.

package static_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/factfile"
	"github.com/ptxsan/ptxsan/internal/static"
	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

var (
	needy     = flag.Int("needs", 80, "random kernels for TestNeedsOfRandomKernels")
	firstNeed = flag.Uint64("first-need", 1, "seed of the first one")
)

// TestNeedsOfRandomKernels: the kernels of TestRandom, some of which have two dimensions, under a part of the facts.
func TestNeedsOfRandomKernels(t *testing.T) {
	n, first := uint64(*needy), *firstNeed
	if testing.Short() {
		n /= 4
	}
	var c needsCount
	work := make(chan uint64)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for seed := range work {
				rnd := rand.New(rand.NewPCG(seed, 0x6e656564))
				k := families[seed%uint64(len(families))].make(seed)
				c.test(t, fmt.Sprintf("seed %d", seed), k.shaped(rnd), k.partly(rnd), rnd)
			}
		})
	}
	for i := range n {
		if t.Failed() {
			break
		}
		if i > 0 && i%2000 == 0 {
			fmt.Printf("%d kernels: %s\n", i, c.String())
		}
		work <- first + i
	}
	close(work)
	wg.Wait()
	t.Log(c.String())
	if n >= 100 && (c.clean == 0 || c.ended < c.clean) {
		t.Error("too little is proved or executed to tell")
	}
}

// TestNeedsOfSuite: the programs of the race suite under the facts of their launch files; SUITE is the number of
// programs, 40 unless set.
func TestNeedsOfSuite(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	paths, err := filepath.Glob("../../examples/suite/*/*/*.yaml")
	if err != nil || len(paths) < 100 {
		t.Fatalf("%d programs, %v", len(paths), err)
	}
	n := 40
	if s := os.Getenv("SUITE"); s != "" {
		if n, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	}
	var c needsCount
	for i := 0; i < len(paths); i += max(1, len(paths)/n) | 1 {
		text, err := os.ReadFile(strings.TrimSuffix(paths[i], ".yaml") + ".ptx")
		if err != nil {
			continue // a launch file for several programs
		}
		file, err := launch.Load(paths[i], launch.Options{})
		if err != nil {
			t.Fatal(err)
		}
		c.test(t, paths[i], string(text), factfile.FromLaunches(file).Launches, rand.New(rand.NewPCG(uint64(i), 1)))
	}
	t.Log(c.String())
}

// needsCount counts what was tested.
type needsCount struct {
	mu                     sync.Mutex
	all, clean, run, ended int
}

func (c *needsCount) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return fmt.Sprintf("%d analyses, %d proofs, %d launches that satisfy their needs, of which %d ended without a fault", c.all, c.clean, c.run, c.ended)
}

func (c *needsCount) add(clean, run, ended int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all, c.clean, c.run, c.ended = c.all+1, c.clean+clean, c.run+run, c.ended+ended
}

// needsLaunches is the number of launches for a proof.
const needsLaunches = 4

// test analyses a program under facts of launches, and executes launches that satisfy only what the proofs need.
func (c *needsCount) test(t *testing.T, name, text string, launches []*facts.Launch, rnd *rand.Rand) {
	t.Helper()
	program, err := session.Parse("k.ptx", []byte(text))
	if err != nil {
		t.Errorf("%s: %v\n%s", name, err, text)
		return
	}
	for _, l := range launches {
		i := slices.IndexFunc(program.Module.Kernels(), func(k *rewrite.Func) bool { return report.Matches(l.Kernel, k.Name) })
		if i < 0 {
			continue
		}
		k := program.Module.Kernels()[i]
		params := session.KernelParams(k)
		var widths []int
		for _, p := range params {
			widths = append(widths, map[bool]int{false: 8 * int(p.Size)}[p.Type.Float() || p.Array])
		}
		g := l.Given(nil, widths)
		g.Disjoint = rnd.IntN(2) == 0
		r, err := static.Analyze(context.Background(), k, g, static.Options{Budget: randomBudget, NoWrap: rnd.IntN(2) == 0})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		if r.Verdict != static.Clean {
			c.add(0, 0, 0)
			continue
		}
		n, err := needsOf(r.Needed)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		ended := 0
		for range needsLaunches {
			file := n.launch(k, params, rnd)
			switch says, err := playNeeds(program, file); {
			case err != nil:
				t.Errorf("%s: %v\n%s", name, err, file)
			case says == "racy":
				t.Errorf("%s: a launch races that satisfies the needs of the proof, %q:\n%s\n%s", name, r.Needed, file, text)
			case says == "clean":
				ended++
			}
		}
		c.add(1, needsLaunches, ended)
	}
}

// playNeeds executes the launch of a file under precise: "racy", "clean", or "stopped" by a fault.
func playNeeds(p *session.Program, text string) (string, error) {
	file, err := launch.Parse("needs.yaml", []byte(text), launch.Options{})
	if err != nil {
		return "", err
	}
	plan, err := session.NewPlan(p, file, maxSteps)
	if err != nil {
		return "", err
	}
	detectors, err := session.ParseDetectors("precise")
	if err != nil {
		return "", err
	}
	s, err := session.Open(session.Options{Detectors: detectors, Emulator: emu.Config{MaxSteps: maxSteps, Workers: 1}})
	if err != nil {
		return "", err
	}
	defer s.Close()
	if plan.Play(context.Background(), s) != nil {
		return "stopped", nil // the kernel's directives refuse the launch
	}
	r := s.Report()
	waits := func(f *report.FaultEvent) bool {
		return f.Class == "timeout" || f.Class == "deadlock" || f.Class == "livelock"
	}
	wrong := slices.ContainsFunc(r.Faults, func(f *report.FaultEvent) bool { return !waits(f) })
	switch racy := slices.ContainsFunc(r.Races, func(x *report.Race) bool { return x.Severity == report.Error }); {
	case wrong: // a launch that ends in a fault is outside of what proofs are about
		return "stopped", nil
	case racy:
		return "racy", nil
	case len(r.Faults) > 0:
		return "stopped", nil
	}
	return "clean", nil
}

// needs is what a launch has to satisfy, read from the text of a proof's needs.
type needs struct {
	extents  map[string]uint32
	numbers  map[int]int64
	buffers  map[int]string // by parameter
	offsets  map[int]int64
	sizes    map[string]int64
	starts   map[string]string
	disjoint bool
	narrow   bool // no index may wrap around
}

// The forms of needs. A need of another form fails the test, since nobody could tell which launches satisfy it.
var (
	needExtent   = regexp.MustCompile(`^((?:block|grid)\.[xyz]) = (\d+)(?: \(.*\))?$`)
	needNumber   = regexp.MustCompile(`^parameter (\d+) = (-?\d+)(?: \(.*\))?$`)
	needIdentity = regexp.MustCompile(`^identity: (\w+), to (?:byte (\d+) of )?which parameter (\d+) points, is an allocation of its own$`)
	needBound    = regexp.MustCompile(`^in-bounds: (\w+), to which parameter (\d+) points, has (\d+) bytes(?: \(.*\))?$`)
	needStart    = regexp.MustCompile(`^(\w+), to which parameter (\d+) points, starts with (-?\d+)(?: \(.*\))?$`)
	needAlways   = regexp.MustCompile(`^directive: |^aligned: |^[\w$]+ starts with \d+, as the module says$`)
)

func needsOf(list []string) (*needs, error) {
	n := &needs{extents: map[string]uint32{}, numbers: map[int]int64{}, buffers: map[int]string{}, offsets: map[int]int64{}, sizes: map[string]int64{}, starts: map[string]string{}}
	number := func(s string) int64 { k, _ := strconv.ParseInt(s, 10, 64); return k }
	for _, need := range list {
		if m := needExtent.FindStringSubmatch(need); m != nil {
			n.extents[m[1]] = uint32(number(m[2]))
		} else if m := needNumber.FindStringSubmatch(need); m != nil {
			n.numbers[int(number(m[1]))-1] = number(m[2])
		} else if m := needIdentity.FindStringSubmatch(need); m != nil {
			n.buffers[int(number(m[3]))-1], n.offsets[int(number(m[3]))-1] = m[1], number(m[2])
		} else if m := needBound.FindStringSubmatch(need); m != nil {
			n.buffers[int(number(m[2]))-1], n.sizes[m[1]] = m[1], number(m[3])
		} else if m := needStart.FindStringSubmatch(need); m != nil {
			n.buffers[int(number(m[2]))-1], n.starts[m[1]] = m[1], m[3]
		} else if strings.HasPrefix(need, "disjoint: ") {
			n.disjoint = true
		} else if strings.HasPrefix(need, "no-wrap: ") {
			n.narrow = true
		} else if !needAlways.MatchString(need) {
			return nil, fmt.Errorf("need of an unknown form: %q", need)
		}
	}
	return n, nil
}

// launch returns the text of a launch file that satisfies the needs, with everything else chosen at random.
func (n *needs) launch(k *rewrite.Func, params []launch.Param, rnd *rand.Rand) string {
	grid, block := n.shape(rnd)
	var args []string
	used := map[string]bool{}
	for _, b := range n.buffers {
		used[b] = true
	}
	for i, p := range params {
		args = append(args, n.arg(i, p, used, rnd))
	}
	var text strings.Builder
	if len(used) > 0 {
		text.WriteString("buffers:\n")
	}
	for _, b := range slices.Sorted(maps.Keys(used)) {
		bytes := n.sizes[b]
		if bytes == 0 {
			bytes = 1 << (8 + rnd.IntN(9))
		}
		start := n.starts[b]
		if start == "" {
			start = []string{"0", "0", "1", "iota", "random", "random"}[rnd.IntN(6)]
		}
		more := ""
		if start == "random" {
			more = fmt.Sprintf(", seed: %d, min: 0, max: %d", rnd.IntN(100), []int{1, 3, 100}[rnd.IntN(3)])
		}
		fmt.Fprintf(&text, "  %s: {type: u32, count: %d, init: %s%s}\n", b, (bytes+3)/4, start, more)
	}
	fmt.Fprintf(&text, "launches:\n  - {kernel: %q, grid: [%d, %d, %d], block: [%d, %d, %d], shared: %d, args: [%s]}\n", k.Name,
		grid[0], grid[1], grid[2], block[0], block[1], block[2], []int{0, 4096, 32768}[rnd.IntN(3)], strings.Join(args, ", "))
	return text.String()
}

// shape returns a grid and a block, of a few hundred threads unless the needs ask for more.
func (n *needs) shape(rnd *rand.Rand) (grid, block [3]uint32) {
	pick := func(list ...uint32) uint32 { return list[rnd.IntN(len(list))] }
	for i, d := range []string{"x", "y", "z"} {
		if grid[i], block[i] = pick(1, 2, 3), pick(1, 1, 2, 4); i == 0 {
			block[i] = pick(1, 2, 7, 32, 33, 64)
		}
		if k := n.extents["grid."+d]; k > 0 {
			grid[i] = k
		}
		if k := n.extents["block."+d]; k > 0 {
			block[i] = k
		}
	}
	for i, d := range []string{"z", "y", "x"} {
		if at := 2 - i; block[0]*block[1]*block[2] > 1024 && n.extents["block."+d] == 0 {
			block[at] = 1
		}
	}
	return grid, block
}

// arg returns an argument. Pointers of which the needs say nothing lead anywhere.
func (n *needs) arg(i int, p launch.Param, used map[string]bool, rnd *rand.Rand) string {
	b, known := n.buffers[i]
	switch {
	case known && n.offsets[i] > 0:
		return fmt.Sprintf("{buffer: %s, offset: %d}", b, n.offsets[i])
	case known:
		return b
	case p.Array:
		return "[" + strings.TrimSuffix(strings.Repeat("0, ", int(p.Size/4)), ", ") + "]"
	case p.Type.Float():
		return "1.0"
	case p.Shared && n.disjoint:
		return fmt.Sprint(4096 * i)
	case p.Shared:
		return fmt.Sprint(16 * max(0, rnd.IntN(512)-256))
	case !p.Pointer:
		if k, known := n.numbers[i]; known {
			return fmt.Sprint(k)
		}
		return fmt.Sprint(n.free(p, rnd))
	}
	b = fmt.Sprint("own", i)
	if others := slices.Sorted(maps.Keys(used)); !n.disjoint && len(others) > 0 && rnd.IntN(3) > 0 {
		b = others[rnd.IntN(len(others))]
	}
	used[b] = true
	if at := 4 * rnd.IntN(16); !n.disjoint && at < 32 {
		return fmt.Sprintf("{buffer: %s, offset: %d}", b, at)
	}
	return b
}

// free returns a number of which the needs say nothing.
func (n *needs) free(p launch.Param, rnd *rand.Rand) int64 {
	k := int64(rnd.IntN(70))
	if !n.narrow && rnd.IntN(8) == 0 {
		k = int64(rnd.Uint32())
	}
	return k
}

// shaped returns the text of a program: in some, threads or blocks count in another dimension, or shared memory is
// given by a parameter.
func (k *random) shaped(rnd *rand.Rand) string {
	const plain = "\tmov.u32 %r2, %tid.x;\n"
	more := "\tmov.u32 %r2, %tid.y;\n\tmov.u32 %r4, %ntid.x;\n\tmul.lo.u32 %r2, %r2, %r4;\n\tmov.u32 %r4, %tid.x;\n\tadd.u32 %r2, %r2, %r4;\n"
	shared := strings.NewReplacer(
		".param .u32 n)", ".param .u32 n, .param .u64 .ptr .shared .align 16 given)",
		"\tmov.u64 %rd3, tile;\n", "\tred.shared.add.u32 [tile], 1;\n\tld.param.u64 %rd3, [given];\n",
	)
	switch rnd.IntN(5) {
	case 0:
		return strings.Replace(k.text, plain, more, 1)
	case 1:
		return strings.Replace(k.text, "\tmov.u32 %r3, %ctaid.x;\n", "\tmov.u32 %r3, %ctaid.y;\n", 1)
	case 2:
		return shared.Replace(k.text)
	}
	return k.text
}

// partly returns the launches of a program as facts of which a part is left out.
func (k *random) partly(rnd *rand.Rand) (out []*facts.Launch) {
	for _, l := range k.launches {
		f := &facts.Launch{Kernel: l.kernel, First: true}
		all := rnd.IntN(3) == 0
		for i := range 3 {
			if all || rnd.IntN(2) == 0 {
				f.Grid[i] = expr.Const(int64([]uint32{l.grid, 1, 1}[i]))
			}
			if all || rnd.IntN(2) == 0 {
				f.Block[i] = expr.Const(int64([]uint32{l.block, 1, 1}[i]))
			}
		}
		known := rnd.IntN(4) > 0
		for _, b := range l.buffers {
			var a facts.Arg
			if known {
				a = facts.Arg{Buffer: fmt.Sprint("b", b), Offset: expr.Const(0)}
				if f.Buffer(a.Buffer) == nil {
					of := facts.Buffer{Name: a.Buffer, Size: expr.Const(int64(k.size))}
					if l.zero {
						of.Init = expr.Const(0)
					}
					f.Buffers = append(f.Buffers, of)
				}
			}
			f.Args = append(f.Args, a)
		}
		for _, n := range l.numbers {
			var a facts.Arg
			if all || rnd.IntN(2) == 0 {
				a.Int = expr.Const(n)
			}
			f.Args = append(f.Args, a)
		}
		out = append(out, f)
	}
	return out
}
