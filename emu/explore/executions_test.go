package explore_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/explore"
)

// weakTests are litmus tests whose threads are in blocks of their own. The outcomes are those of the axioms of the PTX
// manual (8.10): bits of the loads r5, r6 and so on in the order of the threads, then x and y at the end where they
// matter.
var weakTests = []struct {
	name    string
	threads []string
	observe []int
	want    []string
}{
	// Relaxed accesses of different locations are not ordered.
	{"SB", []string{stX("1") + ldY(5) + keep(5, 2), stY("1") + ldX(5) + keep(5, 3)}, []int{2, 3}, []string{"0 0", "0 1", "1 0", "1 1"}},
	{"LB", []string{ldX(5) + stY("1") + keep(5, 2), ldY(5) + stX("1") + keep(5, 3)}, []int{2, 3}, []string{"0 0", "0 1", "1 0", "1 1"}},
	{"MP", []string{stX("1") + stY("1"), ldY(5) + ldX(6) + keep(5, 2) + keep(6, 3)}, []int{2, 3}, []string{"0 0", "0 1", "1 0", "1 1"}},
	{"2+2W", []string{stX("1") + stY("2"), stY("1") + stX("2")}, []int{0, 1}, []string{"1 1", "1 2", "2 1", "2 2"}},
	{"S", []string{stX("2") + stY("1"), ldY(5) + stX("1") + keep(5, 2)}, []int{0, 2}, []string{"1 0", "1 1", "2 0", "2 1"}},
	{"R", []string{stX("1") + stY("1"), stY("2") + ldX(5) + keep(5, 2)}, []int{1, 2}, []string{"1 0", "1 1", "2 0", "2 1"}},
	// Morally strong accesses of one location are coherent; the last store of a thread is the one that it reads.
	{"CoRR", []string{stX("1"), ldX(5) + ldX(6) + keep(5, 2) + keep(6, 3)}, []int{2, 3}, []string{"0 0", "0 1", "1 1"}},
	{"CoWR", []string{stX("1") + ldX(5) + keep(5, 2), stX("2")}, []int{0, 2}, []string{"1 1", "2 1", "2 2"}},
	// A value does not come out of thin air, though it may pass through computations.
	{"LB+data", []string{ldX(5) + "add.u32 %r5, %r5, 0; " + stY("%r5") + keep(5, 2), ldY(5) + stX("%r5") + keep(5, 3)}, []int{2, 3}, []string{"0 0"}},
	{"LB+computed", []string{ldX(5) + "add.u32 %r7, %r5, 1; " + stY("1") + keep(7, 2), ldY(5) + stX("1") + keep(5, 3)}, []int{2, 3}, []string{"1 0", "1 1", "2 0", "2 1"}},
	// Release and acquire patterns that are morally strong synchronise (8.8, 8.9.3); narrower ones do not.
	{"MP+fences", []string{stX("1") + fence("acq_rel.gpu") + stY("1"), ldY(5) + fence("acq_rel.gpu") + ldX(6) + keep(5, 2) + keep(6, 3)}, []int{2, 3}, []string{"0 0", "0 1", "1 1"}},
	{"MP+cta", []string{stX("1") + fence("acq_rel.cta") + stY("1"), ldY(5) + fence("acq_rel.gpu") + ldX(6) + keep(5, 2) + keep(6, 3)}, []int{2, 3}, []string{"0 0", "0 1", "1 0", "1 1"}},
	{"LB+fences", []string{ldX(5) + fence("acq_rel.gpu") + stY("1") + keep(5, 2), ldY(5) + fence("acq_rel.gpu") + stX("1") + keep(5, 3)}, []int{2, 3}, []string{"0 0", "0 1", "1 0"}},
	{"WRC", []string{stX("1"), ldX(5) + fence("acq_rel.gpu") + stY("1") + keep(5, 2), ldY(5) + fence("acq_rel.gpu") + ldX(6) + keep(5, 3) + keep(6, 4)}, []int{2, 3, 4}, []string{"0 0 0", "0 0 1", "0 1 0", "0 1 1", "1 0 0", "1 0 1", "1 1 1"}},
	{"2+2W+fences", []string{stX("1") + fence("sc.gpu") + stY("2"), stY("1") + fence("sc.gpu") + stX("2")}, []int{0, 1}, []string{"1 2", "2 1", "2 2"}},
	// All morally strong fence.sc have one order (8.9.4); fence.acq_rel do not.
	{"SB+acq_rel", []string{stX("1") + fence("acq_rel.gpu") + ldY(5) + keep(5, 2), stY("1") + fence("acq_rel.gpu") + ldX(5) + keep(5, 3)}, []int{2, 3}, []string{"0 0", "0 1", "1 0", "1 1"}},
	{"SB+sc", []string{stX("1") + fence("sc.gpu") + ldY(5) + keep(5, 2), stY("1") + fence("sc.gpu") + ldX(5) + keep(5, 3)}, []int{2, 3}, []string{"0 1", "1 0", "1 1"}},
	{"SB+sc.cta", []string{stX("1") + fence("sc.cta") + ldY(5) + keep(5, 2), stY("1") + fence("sc.cta") + ldX(5) + keep(5, 3)}, []int{2, 3}, []string{"0 0", "0 1", "1 0", "1 1"}},
	// An atomic operation reads the store before its own (8.10.4).
	{"atomic", []string{"atom.relaxed.gpu.global.add.u32 %r5, [%base], 1; ", "atom.relaxed.gpu.global.add.u32 %r5, [%base], 1; "}, []int{0}, []string{"2"}},
	// A loop that waits for a flag ends, and a loop that waits for what nobody stores does not.
	{"wait", []string{stX("1") + "st.release.gpu.global.u32 [%base+4], 1; ", "W: ld.acquire.gpu.global.u32 %r5, [%base+4]; setp.eq.u32 %p2, %r5, 0; @%p2 bra W; " + ldX(6) + keep(6, 2)}, []int{2}, []string{"1"}},
	{"hang", []string{stX("1"), "W: " + ldY(5) + "setp.eq.u32 %p2, %r5, 0; @%p2 bra W; "}, []int{0}, []string{"livelock"}},
}

func ldX(r int) string { return fmt.Sprintf("ld.relaxed.gpu.global.u32 %%r%d, [%%base]; ", r) }

func ldY(r int) string        { return fmt.Sprintf("ld.relaxed.gpu.global.u32 %%r%d, [%%base+4]; ", r) }
func stX(v string) string     { return "st.relaxed.gpu.global.u32 [%base], " + v + "; " }
func stY(v string) string     { return "st.relaxed.gpu.global.u32 [%base+4], " + v + "; " }
func fence(how string) string { return "fence." + how + "; " }

// weakKernel returns the kernel of a litmus test, one block for each thread.
func weakKernel(threads []string) string {
	text := ""
	for i, body := range threads {
		text += one(i, body)
	}
	return kernel(text + "ret;")
}

// projected returns the outcomes of an exploration as the words of interest.
func projected(e *explored, observe []int) []string {
	set := map[string]bool{}
	for s := range e.states {
		var words [6]int
		if n, _ := fmt.Sscan(s, &words[0], &words[1], &words[2], &words[3], &words[4], &words[5]); n == 0 {
			set[s] = true
			continue
		}
		out := ""
		for _, k := range observe {
			out += fmt.Sprint(" ", words[k])
		}
		set[out[1:]] = true
	}
	return slices.Sorted(maps.Keys(set))
}

// TestExecutions compares the outcomes of litmus tests with those that the axioms allow.
func TestExecutions(t *testing.T) {
	for _, test := range weakTests {
		t.Run(test.name, func(t *testing.T) {
			s := explore.NewExecutions(0)
			e := exploreUnder(t, emu.PTX, weakKernel(test.threads), s, explore.Bounds{Runs: 10_000}, uint32(len(test.threads)), 1, 6)
			if got := projected(e, test.observe); !slices.Equal(got, test.want) {
				t.Errorf("outcomes %q, expected %q", got, test.want)
			}
			if ok, why := s.Complete(); !ok {
				t.Errorf("not complete: %v", why)
			}
		})
	}
}

// TestRandomExecutions: runs with random values have only outcomes that the model allows, and those that sequential
// consistency forbids among them.
func TestRandomExecutions(t *testing.T) {
	for _, test := range weakTests {
		t.Run(test.name, func(t *testing.T) {
			s := explore.Seeds(explore.Run{Policy: emu.Random}, 400)
			e := exploreUnder(t, emu.PTX, weakKernel(test.threads), s, explore.Bounds{}, uint32(len(test.threads)), 1, 6)
			got := projected(e, test.observe)
			for _, end := range got {
				if !slices.Contains(test.want, end) {
					t.Errorf("outcome %q, expected one of %q", end, test.want)
				}
			}
			if weak := map[string]string{"SB": "0 0", "MP": "1 0", "R": "2 0", "MP+cta": "1 0", "SB+sc.cta": "0 0"}[test.name]; weak != "" && !slices.Contains(got, weak) {
				t.Errorf("outcomes %q, expected %q among them", got, weak)
			}
		})
	}
}

// TestExecutionsReplay: the recorded schedule of each run repeats its outcome.
func TestExecutionsReplay(t *testing.T) {
	text := weakKernel(weakTests[1].threads)
	s := explore.NewExecutions(0)
	for runs := s.Next(100); len(runs) > 0; runs = s.Next(100) {
		for _, r := range runs {
			cfg := emu.Config{Memory: emu.PTX}
			r.Configure(&cfg)
			first, err := playOnce(t, text, cfg)
			if err != nil {
				continue // redundant
			}
			again, err := playOnce(t, text, emu.Config{Memory: emu.PTX, Replay: r.Schedule()})
			if err != nil || !slices.Equal(first, again) {
				t.Errorf("the run ends with %v, its replay with %v (%v)", first, again, err)
			}
		}
		s.Learn(runs)
	}
}

// playOnce runs a kernel of two blocks and returns its first six words.
func playOnce(t *testing.T, text string, cfg emu.Config) ([]byte, error) {
	t.Helper()
	m := load(t, text, cfg)
	out, err := m.Alloc("out", 24)
	check(err)
	if _, err := m.Launch(t.Context(), emu.LaunchConfig{Kernel: "k", Grid: dim(2), Block: dim(1), Params: args(out)}); err != nil {
		return nil, err
	}
	p := make([]byte, 24)
	check(m.Read(out, p))
	return p, nil
}
