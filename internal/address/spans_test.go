package address

import (
	"math/rand/v2"
	"testing"
)

// TestSpans: the spans of random footprints contain each byte that some blocks touch, and few others.
func TestSpans(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		launch := LaunchValues{
			Block: [3]uint32{1 + r.Uint32N(4), 1 + r.Uint32N(3), 1},
			Grid:  [3]uint32{1 + r.Uint32N(5), 1 + r.Uint32N(4), 1 + r.Uint32N(3)},
		}
		p := &Footprint{Lo: 100, Hi: 100 + 1<<r.IntN(5)}
		for i := range 3 {
			p.Form.Tid[i], p.Form.Cta[i] = r.Int64N(65)-32, (r.Int64N(5)-2)<<r.IntN(16)
		}
		total := uint64(launch.Grid[0] * launch.Grid[1] * launch.Grid[2])
		first := r.Uint64N(total)
		end := first + 1 + r.Uint64N(total-first)
		spans := p.Spans(launch, first, end)
		for n := first; n < end; n++ {
			at, one := box(launch.Grid, n, n+1)
			if one != [3]uint32{1, 1, 1} {
				t.Fatalf("a block of %v", one)
			}
			form, block := p.Form, launch
			block.Grid = one
			for i := range 3 {
				form.Const += form.Cta[i] * int64(at[i])
			}
			least, greatest := form.Range(block)
			if !contain(spans, Span{least + p.Lo, greatest + p.Hi}) {
				t.Fatalf("%+v in %v, blocks %d to %d: block %d touches %d to %d, not in %v",
					p, launch, first, end, n, least+p.Lo, greatest+p.Hi, spans)
			}
		}
	}
}

func contain(spans []Span, want Span) bool {
	for _, s := range spans {
		if s.Lo <= want.Lo && want.Hi <= s.Hi {
			return true
		}
	}
	return false
}

// TestSpansApart: rows and columns of a matrix, and a whole one.
func TestSpansApart(t *testing.T) {
	const width = 1 << 20
	launch := LaunchValues{Block: [3]uint32{256, 1, 1}, Grid: [3]uint32{8, 4, 1}}
	rows := &Footprint{Form: Linear{Tid: [3]int64{4}, Cta: [3]int64{1024, width}}, Hi: 4}
	columns := &Footprint{Form: Linear{Tid: [3]int64{4}, Cta: [3]int64{width, 1024}}, Hi: 4}
	for _, c := range []struct {
		p          *Footprint
		first, end uint64
		want       []Span
	}{
		{rows, 0, 8, []Span{{0, 8192}}},
		{rows, 6, 9, []Span{{6144, 8192}, {width, width + 1024}}},
		{rows, 8, 24, []Span{{width, width + 8192}, {2 * width, 2*width + 8192}}},
		{columns, 1, 3, []Span{{width, width + 1024}, {2 * width, 2*width + 1024}}},
		{columns, 8, 9, []Span{{1024, 2048}}},
	} {
		got := c.p.Spans(launch, c.first, c.end)
		if len(got) != len(c.want) {
			t.Errorf("blocks %d to %d: %v, expected %v", c.first, c.end, got, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("blocks %d to %d: %v, expected %v", c.first, c.end, got, c.want)
			}
		}
	}
}
