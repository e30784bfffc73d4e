// Spans: where the footprint of some of a launch's blocks lies.

package address

// Span is the range of addresses from Lo to before Hi.
type Span struct{ Lo, Hi int64 }

// Limits of Spans: bytes between spans that are not worth a span of their own, and spans of one box of blocks.
const (
	spanGap   = 4 << 10
	mostSpans = 4 << 10
)

// Spans returns ranges that contain the bytes of a bounded footprint that the blocks from number first to before number
// end touch; blocks are numbered with x first.
func (p *Footprint) Spans(launch LaunchValues, first, end uint64) (list []Span) {
	for first < end {
		at, n := box(launch.Grid, first, end)
		form, part := p.Form, launch
		form.Const = p.Lo
		for i := range 3 {
			form.Const += form.Cta[i] * int64(at[i])
		}
		part.Grid = n
		list = append(list, form.spans(part, p.Hi-p.Lo)...)
		first += uint64(n[0]) * uint64(n[1]) * uint64(n[2])
	}
	return list
}

// box returns the largest box of consecutive blocks of a grid that begins with the block first and ends before end.
func box(grid [3]uint32, first, end uint64) (at, n [3]uint32) {
	x, plane := uint64(grid[0]), uint64(grid[0])*uint64(grid[1])
	at = [3]uint32{uint32(first % x), uint32(first % plane / x), uint32(first / plane)}
	switch count := end - first; {
	case first%plane == 0 && count >= plane:
		return at, [3]uint32{grid[0], grid[1], uint32(count / plane)}
	case first%x == 0 && count >= x:
		return at, [3]uint32{grid[0], uint32(min(count/x, uint64(grid[1]-at[1]))), 1}
	default:
		return at, [3]uint32{uint32(min(count, x-uint64(at[0]))), 1, 1}
	}
}

// spans returns ranges that contain size bytes at each value of the form in a launch.
func (l Linear) spans(launch LaunchValues, size int64) []Span {
	starts := []int64{l.Const}
	for _, d := range l.digits(launch) {
		way := absolute(d.factor) * (d.n - 1)
		for i := range starts {
			starts[i] += min(0, d.factor) * (d.n - 1)
		}
		if absolute(d.factor) <= size+spanGap || int64(len(starts))*d.n > mostSpans {
			size += way
			continue
		}
		for _, s := range starts {
			for k := range d.n - 1 {
				starts = append(starts, s+absolute(d.factor)*(k+1))
			}
		}
	}
	list := make([]Span, len(starts))
	for i, s := range starts {
		list[i] = Span{s, s + size}
	}
	return list
}
