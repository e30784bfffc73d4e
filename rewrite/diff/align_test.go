package diff

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// lcs is the length of a longest common subsequence, by the textbook table.
func lcs(a, b []uint32) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		diagonal := 0
		for j, y := range b {
			up := row[j+1]
			if x == y {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(up, row[j])
			}
			diagonal = up
		}
	}
	return row[len(b)]
}

func checkMatches(t *testing.T, a, b []uint32, got []match) {
	t.Helper()
	i, j := 0, 0
	for _, m := range got {
		if m.a < i || m.b < j || m.n <= 0 || m.a+m.n > len(a) || m.b+m.n > len(b) {
			t.Fatalf("%v after %d, %d of %d, %d", m, i, j, len(a), len(b))
		}
		if !slices.Equal(a[m.a:m.a+m.n], b[m.b:m.b+m.n]) {
			t.Fatalf("%v matches what is not equal", m)
		}
		i, j = m.a+m.n, m.b+m.n
	}
}

func random(rnd *rand.Rand, n, kinds int) []uint32 {
	s := make([]uint32, n)
	for i := range s {
		s[i] = uint32(rnd.IntN(kinds))
	}
	return s
}

// Small problems are solved with the fewest differences.
func TestAlignExact(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		a, b := random(rnd, rnd.IntN(40), 1+rnd.IntN(8)), random(rnd, rnd.IntN(40), 1+rnd.IntN(8))
		got := align(a, b)
		checkMatches(t, a, b, got)
		if want := lcs(a, b); size(got) != want {
			t.Fatalf("%v and %v: %d in common, want %d", a, b, size(got), want)
		}
	}
}

// In large problems insertions among items that are mostly unique are found.
func TestAlignInsertions(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	var a, b []uint32
	for i := range 20000 {
		a = append(a, uint32(i))
		for range rnd.IntN(10) {
			b = append(b, 1_000_000+uint32(rnd.IntN(30)))
		}
		b = append(b, uint32(i))
	}
	got := align(a, b)
	checkMatches(t, a, b, got)
	if size(got) != len(a) {
		t.Errorf("%d of %d matched", size(got), len(a))
	}
	got = align(b, a)
	checkMatches(t, b, a, got)
	if size(got) != len(a) {
		t.Errorf("reversed: %d of %d matched", size(got), len(a))
	}
}

// No input takes long, whatever it is made of.
func TestAlignBounded(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	const n = 200_000
	rising := make([]uint32, n)
	for i := range rising {
		rising[i] = uint32(i)
	}
	falling := slices.Clone(rising)
	slices.Reverse(falling)
	few := func() []uint32 { return random(rnd, n, 3) }
	for name, sides := range map[string][2][]uint32{
		"nothing in common": {rising, few()},
		"reversed":          {rising, falling},
		"few kinds":         {few(), few()},
		"many kinds":        {random(rnd, n, n), random(rnd, n, n)},
		"one":               {{7}, few()},
		"nothing":           {nil, few()},
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			checkMatches(t, sides[0], sides[1], align(sides[0], sides[1]))
			if d := time.Since(start); d > time.Minute {
				t.Errorf("took %v", d)
			}
		})
	}
}

func TestExactManyKinds(t *testing.T) {
	a := make([]uint32, 0x10000)
	for i := range a {
		a[i] = uint32(i)
	}
	b := append(slices.Clone(a[:0xe000]), a[0xe001:]...)
	got := exact(a, b)
	checkMatches(t, a, b, got)
	if size(got) != len(b) {
		t.Errorf("%d of %d", size(got), len(b))
	}
}
