// Plans, and what they choose.

package sample

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"
)

// TestParse: plans are read as they are written.
func TestParse(t *testing.T) {
	for text, want := range map[string]Plan{
		"10%":                   {{100_000, 1, 0}},
		"12.5%":                 {{125_000, 1, 0}},
		"100%,25%@41,5%@200.17": {{Whole, 1, 0}, {250_000, 41, 0}, {50_000, 200, 17}},
		"0.0001%,0%@1.3":        {{1, 1, 0}, {0, 1, 3}},
	} {
		p, err := Parse(text)
		if err != nil || !slices.Equal(p, want) || p.String() != text {
			t.Errorf("%s: %v, %v", text, p, err)
		}
	}
	for _, text := range []string{"", "10", "%", "nan%", "-1%", "101%", "10%@2", "10%,5%", "10%,5%@1", "10%,5%@0", "10%,5%@3,1%@3", "10%,5%@x", "10%,5%@2.x", "10%,"} {
		if p, err := Parse(text); err == nil {
			t.Errorf("%q: %v", text, p)
		}
	}
}

// chosen returns what a sampler chooses of launches with those numbers of blocks.
func chosen(s *Sampler, grids []uint64) (all []string) {
	for i, blocks := range grids {
		l := s.Begin(uint64(i+1), "k", blocks)
		for b := range blocks {
			l.BeginBlock(b)
			all = append(all, fmt.Sprint(i, b, l.Has(b)))
		}
		l.End()
	}
	return all
}

// TestShares: a share of the blocks of the first launch, and of the later launches, is chosen, whatever the sizes.
func TestShares(t *testing.T) {
	for _, blocks := range []uint64{1 << 10, 1 << 14} {
		var seen, watched uint64
		const seeds, launches = 100, 50
		for seed := range uint64(seeds) {
			s := NewSampler(Options{Plan: Plan{{Whole / 5, 1, 0}}, Seed: seed})
			for n := range uint64(launches) {
				l := s.Begin(n+1, "k", blocks)
				if n == 0 && (!l.Has(0) || !l.Has(blocks-1)) {
					t.Fatal("the first and the last block of the first launch are watched")
				}
				l.End()
				if n == 0 {
					seen += s.order[0].Seen
				}
			}
			watched += s.order[0].Watched - 1
		}
		if share := float64(seen) / float64(seeds*blocks); share < 0.19 || share > 0.23 {
			t.Errorf("of %d blocks: %.3f", blocks, share)
		}
		if share := float64(watched) / float64(seeds*(launches-1)); share < 0.18 || share > 0.22 {
			t.Errorf("of launches: %.3f", share)
		}
	}
}

// TestBudget: as time passes, less is watched, and the plan that the sampler gives for it chooses the same again.
func TestBudget(t *testing.T) {
	grids := []uint64{100, 300, 40, 500, 500, 70, 1000, 900, 800, 900, 1000}
	for step := range 7 { // microseconds for a block
		now := time.Unix(0, 0)
		clock := func() time.Time {
			now = now.Add(time.Duration(step) * time.Microsecond / 2)
			return now
		}
		s := NewSampler(Options{Budget: NewBudget(4*time.Millisecond, clock), Seed: 3})
		got := chosen(s, grids)
		again := NewSampler(Options{Plan: s.made, Seed: 3})
		if want := chosen(again, grids); !slices.Equal(got, want) {
			t.Errorf("step %d: %s chooses other blocks", step, s.made)
		}
		if steps := len(s.made); steps == 1 != (step == 0) {
			t.Errorf("step %d: %s", step, s.made)
		}
	}
}

// TestBudgetOfHost: what the host takes between launches lowers no share, and leaves less time for launches.
func TestBudgetOfHost(t *testing.T) {
	for host, want := range map[time.Duration]Share{0: Whole, 40: Whole, 60: Whole / 4, 80: Whole / 20, 88: Whole / 1000, 96: 0} {
		now := time.Unix(0, 0)
		s := NewSampler(Options{Budget: NewBudget(100, func() time.Time { return now })})
		for launch, took := range []time.Duration{host / 2, host / 2} { // 5 for the launch itself
			now = now.Add(took)
			l := s.Begin(uint64(launch+1), "k", 1)
			now = now.Add(5)
			l.End()
		}
		s.Begin(3, "k", 1).End()
		if last := s.made[len(s.made)-1].Share; last != want {
			t.Errorf("the host took %d of 100: a share of %s, want %s", host, last, want)
		}
	}
}

// TestParallel: blocks that begin on several goroutines are watched exactly if the plan says so.
func TestParallel(t *testing.T) {
	s := NewSampler(Options{Budget: NewBudget(2*time.Millisecond, time.Now)})
	l := s.Begin(1, "k", 1<<16)
	has := make([]bool, 1<<16)
	var all sync.WaitGroup
	for g := range 4 {
		all.Go(func() {
			for b := g; b < len(has); b += 4 {
				l.BeginBlock(uint64(b))
				has[b] = l.Has(uint64(b))
			}
		})
	}
	all.Wait()
	again := NewSampler(Options{Plan: s.made}).Begin(1, "k", 1<<16)
	for b := range has {
		if again.Has(uint64(b)) != has[b] {
			t.Fatalf("%s: block %d", s.made, b)
		}
	}
}

// TestBeside: where launches run beside each other, the plan that is made repeats what was watched of each.
func TestBeside(t *testing.T) {
	const blocks = 400
	now := time.Unix(0, 0)
	s := NewSampler(Options{Budget: NewBudget(100, func() time.Time { return now })})
	begun := func(l *Launch, from, to uint64) {
		for b := from; b < to; b++ {
			l.BeginBlock(b)
		}
	}
	a := s.Begin(1, "a", blocks)
	begun(a, 0, blocks/2)
	now = now.Add(30)
	b := s.Begin(2, "b", blocks)
	begun(b, 0, blocks/4)
	now = now.Add(30)
	begun(a, blocks/2, blocks)
	begun(b, blocks/4, blocks)
	a.End()
	b.End()
	c := s.Begin(3, "c", blocks)
	begun(c, 0, blocks)

	const want = "100%,5%@1.200,25%@2,5%@2.100"
	if got := s.made.String(); got != want {
		t.Errorf("the plan %s, want %s", got, want)
	}
	plan, err := Parse(s.made.String())
	if err != nil {
		t.Fatal(err)
	}
	replayed := NewSampler(Options{Plan: plan})
	for i, l := range []*Launch{a, b, c} {
		again := replayed.Begin(uint64(i+1), l.kernel.Name, blocks)
		for block := range uint64(blocks) {
			if again.Has(block) != l.Has(block) {
				t.Fatalf("launch %d, block %d", i+1, block)
			}
		}
	}
}
