package racesuite

import (
	"math"
	"slices"
	"testing"
)

// The two data-mining kernels of LDetector's evaluation (Section 6), in
// examples/suite/mining: each correct and with one race at a time, at the block sizes of
// its launch file.

// TestMining: at each block size, under several schedules, precise finds the races that a
// build has and no others, ldetector finds one at least and no others, and the correct ones
// compute what they should.
func TestMining(t *testing.T) {
	references := map[string]func(*appRun){"em": (*appRun).mStep, "co-clustering": (*appRun).assignRows}
	runs := matrixRuns[:2]
	if testing.Short() {
		runs = runs[:1]
	}
	sizes := make(map[string][]string)
	for _, c := range Mining(t) {
		sizes[c.Category+"/"+c.Pair] = append(sizes[c.Category+"/"+c.Pair], c.Variant)
		if testing.Short() && c.Variant != "128" {
			continue
		}
		t.Run(c.Category+"/"+c.Name(), func(t *testing.T) {
			c.checked(t)
			for _, r := range runs {
				if r.policy != "its" && c.Variant != "128" {
					continue
				}
				k := c.Run(t, "precise").Under(r.policy, r.seed)
				for _, e := range k.Check(t).Expect {
					if !e.OK {
						t.Errorf("%s, seed %d: %s: expected %s, got %s", r.policy, r.seed, e.What, e.Want, e.Got)
					}
				}
				c.foundBy(t, "ldetector", r)
				if r.policy == "its" && c.Variant == "128" {
					c.foundBy(t, "ldetector<paper>", r)
					c.foundBy(t, "ldetector<spec>", r)
				}
				if c.Pair != CorrectBuild {
					continue
				}
				s := c.Run(t, "").Under(r.policy, r.seed).Play(t)
				if s.Stopped() {
					t.Fatal(s.Report().Faults)
				}
				references[c.Category](&appRun{t, c, s})
			}
		})
	}
	for build, got := range sizes {
		if !slices.Equal(got, []string{"64", "128", "256", "512"}) {
			t.Errorf("%s: block sizes %v", build, got)
		}
	}
}

// foundBy checks a detector that finds a race of some regions: the verdict is right, and lines
// that it names do race. The paper's compares copies alone, and does not see what leaves a
// region in a register.
func (c *Case) foundBy(t *testing.T, detector string, r matrixRun) {
	t.Helper()
	rep := c.Run(t, detector).Under(r.policy, r.seed).Check(t)
	want := c.File.Expect.Verdict
	if detector == "ldetector<paper>" && (c.Pair == "sum-barrier" || c.Pair == "size-barrier") {
		want = "clean"
	}
	if rep.Verdict != want || len(rep.Faults) > 0 || len(rep.Notes) > 0 {
		t.Errorf("%s, %s, seed %d: %s %v %v, want %s", detector, r.policy, r.seed, rep.Verdict, rep.Faults, rep.Notes, want)
	}
	for _, x := range rep.Races {
		pair := [2]int{x.First.Source.Line, x.Second.Source.Line}
		slices.Sort(pair[:])
		if detector != "ldetector<paper>" && (!slices.Contains(c.File.Expect.Lines, pair) || x.Space != c.File.Expect.Space) {
			t.Errorf("%s, %s, seed %d: lines %v in %s memory", detector, r.policy, r.seed, pair, x.Space)
		}
	}
}

func floats(p []uint32) []float32 {
	out := make([]float32, len(p))
	for i, x := range p {
		out[i] = math.Float32frombits(x)
	}
	return out
}

// mStep adds up what each thread has, in the order in which the kernel does.
func (r *appRun) mStep() {
	const dim, sums = 3, 9
	share, data, centres := floats(r.before("share")), floats(r.before("data")), floats(r.before("centres"))
	l, size := &r.c.File.Launches[0], r.args(0)
	n, clusters, threads, blocks := int(size[0]), int(size[1]), int(l.Block[0]), int(l.Grid[0])
	want := make([]uint32, blocks*sums)
	for b := range blocks {
		var total [sums]float32
		for t := range threads {
			var mine [sums]float32
			for i := b*threads + t; i < n; i += blocks * threads {
				for j := range clusters {
					for k := range mine {
						d := float32(data[i*dim+k/dim] - centres[j*dim+k/dim])
						e := float32(data[i*dim+k%dim] - centres[j*dim+k%dim])
						mine[k] = fused(float32(d*share[j*n+i]), e, mine[k])
					}
				}
			}
			for k := range total {
				total[k] += mine[k]
			}
		}
		for k, x := range total {
			want[b*sums+k] = math.Float32bits(x)
		}
	}
	r.equal("out", want)
}

// fused returns a*b+c, rounded once: the sum of 53 bits is rounded to odd first, so that it is
// on the right side of what lies between two numbers of 24 bits.
func fused(a, b, c float32) float32 {
	p, x := float64(a)*float64(b), float64(c)
	sum := p + x
	back := sum - p
	if rest := (p - (sum - back)) + (x - back); rest != 0 && math.Float64bits(sum)&1 == 0 {
		sum = math.Nextafter(sum, math.Copysign(math.Inf(1), rest))
	}
	return float32(sum)
}

// assignRows finds the nearest cluster of each row, and counts for each block.
func (r *appRun) assignRows() {
	const groups, clusters = 8, 4
	table, group, means := r.before("table"), r.before("group"), r.before("means")
	l, size := &r.c.File.Launches[0], r.args(0)
	rows, columns, threads, blocks := int(size[0]), int(size[1]), int(l.Block[0]), int(l.Grid[0])
	assigned, count := make([]uint32, rows), make([]uint32, blocks*clusters)
	for row := range rows {
		var sums [groups]uint32
		for k := range columns {
			sums[group[k]] += table[row*columns+k]
		}
		best, nearest := 0, uint32(math.MaxUint32)
		for c := range clusters {
			var distance uint32
			for g := range sums {
				d := sums[g] - means[c*groups+g]
				distance += d * d
			}
			if distance < nearest {
				best, nearest = c, distance
			}
		}
		assigned[row] = uint32(best)
		count[row/threads%blocks*clusters+best]++
	}
	r.equal("cluster", assigned)
	r.equal("size", count)
}
