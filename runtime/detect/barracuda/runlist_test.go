package barracuda

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// TestRunList: accesses that waited in a log, or next to the set, end in the runs that they
// make one by one.
func TestRunList(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var set epochSet
		var logged, direct runList
		warps := make([]latest, 4+rng.IntN(60)) // the last access of each
		for range 400 {
			warp := rng.IntN(len(warps))
			x := &warps[warp]
			if x.clock == 0 || rng.IntN(3) > 0 { // another instruction
				*x = latest{warp: uint32(warp), path: rng.Uint32() | 1<<rng.IntN(32), clock: x.clock + 1, site: uint32(rng.IntN(2))}
				if rng.IntN(2) == 0 {
					x.path = ^uint32(0)
				}
			}
			x.lanes = x.path&-x.path | x.path&(1<<rng.IntN(32))
			x.lanes |= x.path & (1 << rng.IntN(32))
			direct.list.insert(x)
			logged.add(x)
			set.add(&access{threadClock: threadClock{path: path{mask: x.path, local: x.clock}, id: x.warp}, site: x.site}, x.lanes)
			if rng.IntN(40) == 0 {
				logged.settle()
			}
		}
		logged.settle()
		want := single(direct.list)
		if got := single(logged.appendTo(nil)); !slices.Equal(got, want) {
			t.Fatalf("seed %d: %v, one by one %v", seed, got, want)
		}
		if got := single(set.runs().appendTo(nil)); !slices.Equal(got, want) {
			t.Fatalf("seed %d: set %v, one by one %v", seed, got, want)
		}
	}
}

// TestLongRunList: the same for lists so long that they have parts. Their parts keep their sizes and their order.
func TestLongRunList(t *testing.T) {
	most := 0 // number of parts
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 2))
		var naive, list runList
		warps := make([]latest, []int{20, 200, 2000}[rng.IntN(3)])
		unlike, inOrder, often := rng.IntN(3) > 0, rng.IntN(2) == 0, 1+rng.IntN(60)
		for n := range 6000 {
			warp := rng.IntN(len(warps))
			if inOrder {
				warp = (n/8 + rng.IntN(2)) % len(warps)
			}
			x := &warps[warp]
			*x = latest{warp: uint32(warp), lanes: rng.Uint32() & rng.Uint32() & rng.Uint32(), path: ^uint32(0), clock: x.clock + 1, site: rng.Uint32N(2)}
			x.lanes |= 1 << rng.IntN(32)
			x.path = x.lanes
			if !unlike && n > 3000 { // many runs become one
				*x = latest{warp: uint32(warp), lanes: 1, path: ^uint32(0), clock: 6000}
			}
			naive.list.insert(x)
			list.add(x)
			if rng.IntN(often) > 0 {
				continue
			}
			list.settle()
			if list.long != nil {
				most = max(most, len(list.long.parts))
			}
			if rng.IntN(20) == 0 {
				checkParts(t, &list)
				checkCursor(t, &list, rng.IntN(6), rng.Uint32N(uint32(len(warps))))
			}
		}
		list.settle()
		if got, want := single(list.appendTo(nil)), single(naive.list); !slices.Equal(got, want) {
			t.Fatalf("seed %d: %v, one by one %v", seed, got, want)
		}
	}
	if most < 50 {
		t.Errorf("lists had at most %d parts", most)
	}
}

// checkParts checks the sizes of the parts of a list, and that none of two has runs of the same warp.
func checkParts(t *testing.T, s *runList) {
	t.Helper()
	if s.long == nil || len(s.long.parts) == 0 {
		return
	}
	if len(s.list) > 0 {
		t.Fatalf("%d runs beside %d parts", len(s.list), len(s.long.parts))
	}
	for i, part := range s.long.parts {
		if len(part) == 0 || len(part) > mostRuns {
			t.Fatalf("part %d has %d runs", i, len(part))
		}
		if i == 0 {
			continue
		}
		before := s.long.parts[i-1]
		if max(len(before), len(part)) < fewRuns {
			t.Fatalf("part %d has %d runs and the one before %d", i, len(part), len(before))
		}
		if before[len(before)-1].end() > part[0].warp {
			t.Fatalf("part %d begins with warp %d, which the one before has", i, part[0].warp)
		}
	}
}

// checkCursor compares a cursor that takes steps from the start, and then goes to a warp, with a list without parts.
func checkCursor(t *testing.T, s *runList, steps int, warp uint32) {
	t.Helper()
	all, c := s.appendTo(nil), s.start()
	k := min(steps, len(all))
	for range k {
		c.next()
	}
	if k < len(all) {
		k = max(k+1, all.seek(warp))
		c.next()
		c.seek(warp)
	}
	for ; k < len(all) && c.more(); k++ {
		if *c.run() != all[k] {
			t.Fatalf("run %d: %v, want %v", k, *c.run(), all[k])
		}
		c.next()
	}
	if k < len(all) || c.more() {
		t.Fatalf("end after %d of %d runs, more: %v", k, len(all), c.more())
	}
}

// TestRunListGrowth: an access to a list that is needed after every few accesses allocates as much when many warps have accessed
// the cell as when few have. Passes over the list would allocate a list each.
func TestRunListGrowth(t *testing.T) {
	for name, order := range map[string]func(i, n int) int{
		"in order": func(i, _ int) int { return i },
		"backward": func(i, n int) int { return n - 1 - i },
		"anywhere": func(i, n int) int { return i * 0x9e3779b1 % n },
	} {
		few, many := allocated(1<<9, order), allocated(1<<13, order)
		if many > 2*few {
			t.Errorf("%s: %d bytes for each access by %d warps, %d by %d", name, few, 1<<9, many, 1<<13)
		}
	}
}

// allocated returns the bytes allocated for an access in a list that the lanes of a number of warps access one by one; the list is
// needed after each warp.
func allocated(warps int, order func(i, n int) int) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var s runList
	for i := range warps {
		for lane := range uint32(32) {
			s.add(&latest{warp: uint32(order(i, warps)), lanes: 1 << lane, path: ^uint32(0) << lane, clock: lane + 1})
		}
		s.settle()
	}
	runtime.ReadMemStats(&after)
	return (after.TotalAlloc - before.TotalAlloc) / uint64(warps*32)
}

// single is a list with a run for each warp.
func single(list []epochRun) (out []epochRun) {
	for _, r := range list {
		for w := r.warp; w != r.end(); w++ {
			r := r
			r.warp, r.warps = w, 1
			out = append(out, r)
		}
	}
	return out
}
