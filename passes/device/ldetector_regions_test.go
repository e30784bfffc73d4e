package device_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Regions under LDetector's library, called as by the pass, compared with a model in Go: the reports, and the final
// contents of memory.

// regionCase is a launch of region, and what comes of it.
type regionCase struct {
	threads, warps, first, bytes int
	options                      uint32
	steps                        [][]step // by step and thread
	own                          []uint32
}

type step struct{ read, write, value, _ uint16 }

const nowhere = 0xffff

func makeRegion(rnd *rand.Rand) *regionCase {
	c := &regionCase{threads: 33 + rnd.IntN(160), first: rnd.IntN(16), options: uint32(rnd.IntN(32)) &^ abi.LDetectorOptionStop}
	c.warps, c.bytes = (c.threads+31)/32, c.threads+rnd.IntN(200)
	for range c.threads {
		c.own = append(c.own, rnd.Uint32())
	}
	shift := rnd.IntN(3) // 0: each its own
	for range 1 + rnd.IntN(3) {
		row := make([]step, c.threads)
		value := rnd.IntN(3)
		for t := range row {
			row[t] = step{nowhere, nowhere, uint16(1 + (7*t+value)%255), 0}
			if rnd.IntN(3) > 0 {
				row[t].write = uint16(t)
			}
			if rnd.IntN(3) == 0 {
				row[t].read = uint16(t)
			}
			if shift == 1 && rnd.IntN(60) == 0 {
				row[t].read = uint16(rnd.IntN(c.bytes))
			}
			if shift == 2 && t >= 32 && rnd.IntN(40) == 0 { // no two lanes of a warp write the same byte
				row[t].write = uint16(t - 32)
			}
		}
		c.steps = append(c.steps, row)
	}
	return c
}

// pass returns the results of a warp for a copy: its sums, and the final copy.
func (c *regionCase) pass(w int, start []byte) (sums []uint32, end []byte) {
	end = slices.Clone(start)
	lanes := min(c.threads-32*w, 32)
	sums = slices.Clone(c.own[32*w : 32*w+lanes])
	for _, row := range c.steps {
		for i := range lanes {
			var v uint32
			if at := row[32*w+i].read; at != nowhere {
				v = uint32(end[at])
			}
			sums[i] = sums[i]*31 + v
		}
		for i := range lanes {
			if at := row[32*w+i].write; at != nowhere {
				end[at] = byte(row[32*w+i].value)
			}
		}
	}
	return sums, end
}

// outcome is the expected report and results.
type outcome struct {
	races []abi.LDetectorRace
	array []byte
	own   []uint32
}

// model returns the paper's two passes. Everything is 0 at the start.
func (c *regionCase) model() (o outcome) {
	start := make([]byte, c.bytes)
	o.array = make([]byte, c.bytes)
	sums, copies, by := make([][]uint32, c.warps), make([][]byte, c.warps), make([][]int, c.bytes)
	for w := range c.warps {
		sums[w], copies[w] = c.pass(w, start)
		for i, b := range copies[w] {
			if b != 0 {
				o.array[i], by[i] = b, append(by[i], w)
			}
		}
	}
	defer func() {
		for i := range o.races {
			if c.touch(&o.races[i]); c.options&abi.LDetectorOptionSites != 0 && o.races[i].Bytes > 0 {
				o.own = slices.Concat(sums...) // of the pass that finds the accesses
			}
		}
	}()
	o.races = c.writes(by)
	if len(o.races) > 0 && c.options&abi.LDetectorOptionContinue == 0 {
		o.races, o.own = o.races[:1], slices.Concat(sums...)
		return o
	}
	for w := range c.warps {
		left, address, bytes, again := c.second(w, by, o.array, len(o.array), sums[w])
		o.own = append(o.own, again...)
		if left == 0 || len(o.races) > 0 && o.races[len(o.races)-1].Kind == abi.LDetectorReadWrite {
			continue
		}
		r := abi.LDetectorRace{Kind: abi.LDetectorReadWrite, Region: 7, End: 9, First: abi.LDetectorNone, Second: uint32(w), Left: left, Thread: abi.LDetectorNone, Passes: 2, Count: 1, Address: uint32(address), Bytes: uint32(bytes)}
		if left&abi.LDetectorLeftRegisters != 0 {
			r.Thread = uint32(32 * w)
			for sums[w][r.Thread%32] == again[r.Thread%32] {
				r.Thread++
			}
		}
		if c.options&abi.LDetectorOptionLocate != 0 {
			c.locate(&r, w, by, o.array, sums[w])
		}
		o.races = append(o.races, r)
	}
	return o
}

// writes returns the write-write races, in order of address.
func (c *regionCase) writes(by [][]int) (races []abi.LDetectorRace) {
	for i := 0; i < len(by); i++ {
		if len(by[i]) < 2 {
			continue
		}
		r := abi.LDetectorRace{Kind: abi.LDetectorWriteWrite, Region: 7, End: 9, First: uint32(by[i][0]), Second: uint32(by[i][1]), Address: uint32(i), Thread: abi.LDetectorNone, Passes: 1, Count: 1}
		for ; i < len(by) && len(by[i]) > 1 && uint32(by[i][0]) == r.First && uint32(by[i][1]) == r.Second; i++ {
			r.Bytes++
		}
		i--
		races = append(races, r)
	}
	return races
}

// second returns a warp's pass on what others have written below a limit: what leaves it otherwise
// than in the first pass.
func (c *regionCase) second(w int, by [][]int, united []byte, limit int, sums []uint32) (left uint32, address, bytes int, again []uint32) {
	start, want := make([]byte, c.bytes), slices.Clone(united)
	for i := range start {
		switch own := slices.Contains(by[i], w); {
		case !own && i < limit:
			start[i] = united[i]
		case !own:
			want[i] = 0
		}
	}
	again, end := c.pass(w, start)
	for i := range end {
		if end[i] == want[i] || len(by[i]) > 1 {
			if bytes > 0 {
				break
			}
			continue
		}
		if bytes == 0 {
			left, address = left|abi.LDetectorLeftShared, i
		}
		bytes++
	}
	if c.options&abi.LDetectorOptionOutputs != 0 && !slices.Equal(again, sums) {
		left |= abi.LDetectorLeftRegisters
	}
	return left, address, bytes, again
}

// locate is the search for the byte that a warp has read.
func (c *regionCase) locate(r *abi.LDetectorRace, w int, by [][]int, united []byte, sums []uint32) {
	low, high := 0, c.first+c.bytes
	r.Passes = 3
	for ; high-low > 1; r.Passes++ {
		limit := (low + high) / 2
		if left, _, _, _ := c.second(w, by, united, limit-c.first, sums); left != 0 {
			high = limit
		} else {
			low = limit
		}
	}
	owner := func(i int) int {
		if i < c.first || i-c.first >= c.bytes || len(by[i-c.first]) == 0 {
			return -1
		}
		return by[i-c.first][0]
	}
	if c.options&abi.LDetectorOptionSites != 0 {
		r.Passes, high = 3, c.met(w, owner)+1
	}
	from, to := high-1, high
	for from%4 != 0 && owner(from-1) == owner(high-1) {
		from--
	}
	for to%4 != 0 && owner(to) == owner(high-1) {
		to++
	}
	r.First, r.Address, r.Bytes = uint32(owner(high-1)), uint32(from-c.first), uint32(to-from)
}

// met returns the lowest offset that a warp reads and another has modified.
func (c *regionCase) met(w int, owner func(int) int) int {
	lowest := c.first + c.bytes
	for _, row := range c.steps {
		for _, s := range row[32*w : min(32*w+32, c.threads)] {
			if at := c.first + int(s.read); s.read != nowhere && owner(at) >= 0 && owner(at) != w {
				lowest = min(lowest, at)
			}
		}
	}
	return lowest
}

// touch notes the accesses of a race.
func (c *regionCase) touch(r *abi.LDetectorRace) {
	if c.options&abi.LDetectorOptionSites == 0 {
		return
	}
	for k, row := range c.steps {
		for t := range row {
			if s := &row[t]; s.read != nowhere && uint32(s.read)-r.Address < r.Bytes && uint32(t/32) == r.Second && r.Kind == abi.LDetectorReadWrite {
				note(&r.SecondSites, &r.SecondThread, 2*k+2, t)
			}
		}
		for t := range row {
			if s := &row[t]; s.write == nowhere || uint32(s.write)-r.Address >= r.Bytes {
				continue
			}
			if uint32(t/32) == r.First {
				note(&r.FirstSites, &r.FirstThread, 2*k+3, t)
			}
			if uint32(t/32) == r.Second && r.Kind == abi.LDetectorWriteWrite {
				note(&r.SecondSites, &r.SecondThread, 2*k+3, t)
			}
		}
	}
}

func note(sites *[]uint32, thread *uint32, site, t int) {
	if len(*sites) == 0 {
		*thread = uint32(t)
	}
	if !slices.Contains(*sites, uint32(site)) {
		*sites = append(*sites, uint32(site))
	}
}

// base is the place of region's array in the shared window, which the device code adds.
const base = 0

// TestLDetectorRegions runs random regions.
func TestLDetectorRegions(t *testing.T) {
	g := newRegionGPU(t)
	seen := make(map[string]int)
	for seed := range uint64(400) {
		if testing.Short() && seed%8 != 0 {
			continue
		}
		c := makeRegion(rand.New(rand.NewPCG(seed, 0x726567696f6e)))
		want := c.model()
		got, counts := g.run(c)
		for i := range want.races {
			if want.races[i].Bytes > 0 {
				want.races[i].Address += base + uint32(c.first)
			}
		}
		unwatched := 0
		for i := range min(len(want.races), len(got.races)) {
			if w, g := &want.races[i], &got.races[i]; len(g.FirstSites)+len(g.SecondSites) == 0 && len(w.FirstSites)+len(w.SecondSites) > 0 {
				unwatched++
				w.FirstSites, w.SecondSites, w.FirstThread, w.SecondThread = nil, nil, 0, 0
			}
		}
		if unwatched > max(0, len(want.races)-abi.LDetectorRaceSites) {
			t.Errorf("seed %d: the accesses of %d of %d races are not known", seed, unwatched, len(want.races))
		}
		if fmt.Sprint(got.races) != fmt.Sprint(want.races) {
			t.Errorf("seed %d, options %d: races\n%+v, want\n%+v", seed, c.options, got.races, want.races)
		}
		if !slices.Equal(got.array, want.array) {
			t.Errorf("seed %d: shared memory\n%x, want\n%x", seed, got.array, want.array)
		}
		if c.options&abi.LDetectorOptionLocate == 0 && !slices.Equal(got.own, want.own) {
			t.Errorf("seed %d: sums\n%x, want\n%x", seed, got.own, want.own)
		}
		if counts.Found != uint32(len(want.races)) || counts.Checked != 1 || counts.Skipped+counts.Unlogged+counts.Unstable+counts.TooLarge != 0 {
			t.Errorf("seed %d: %+v", seed, counts)
		}
		if t.Failed() {
			t.FailNow()
		}
		kinds := []string{"none"}
		for _, r := range want.races {
			kinds = append(kinds, fmt.Sprint(r.Kind))
		}
		seen[strings.Join(slices.Compact(kinds), " ")]++
	}
	t.Log(seen)
	if !testing.Short() && (seen["none"] < 20 || seen["none 1"] < 20 || seen["none 2"] < 20 || seen["none 1 2"] < 1) {
		t.Error("too few of a kind")
	}
}
