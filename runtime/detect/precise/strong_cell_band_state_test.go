package precise

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// Cells describes the cells of the words of global memory at the end of the latest launch, also where bands stand for them.
func (d *Detector) Cells() (list []string) {
	for n, p := range d.lastGlobal.pages.All {
		for i := range p {
			for word := range lineWords {
				var c cell
				if l := &p[i]; l.cells != nil {
					c = l.cells[word]
				} else if l.bands != nil {
					c = l.bands.cell(word)
				}
				if c.unit != 0 {
					x := d.accesses(&c)
					list = append(list, fmt.Sprintf("%#x: %+v, value %d, flags %d\n", n*pageBytes+uint64(i)*lineBytes+uint64(word)*uint64(p[i].cellBytes), x.list[:x.n], x.value, x.flags))
				}
			}
		}
	}
	slices.Sort(list)
	return list
}

// TestBandState: bands stand for the cells that the same accesses make one by one, as long as they hold them.
func TestBandState(t *testing.T) {
	refused, left, notOwn := 0, 0, 0 // left: words that others own, or seem to
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 8))
		var x bands
		var want cells
		now := stamp(1)
		for range 30 {
			if r.IntN(6) == 0 {
				i := r.IntN(lineWords)
				c := want[i]
				c.unit, c.lane, c.readAt, c.readClass = 5, uint8(r.IntN(2)), now, uint16(r.IntN(3))
				if !x.put(i, &c) {
					refused++
					break
				}
				want[i] = c
				continue
			}
			a := bandAccess{unit: 5, lanes: wordLanes(r.IntN(5) / 4), flags: uint8(r.IntN(8)), class: uint16(r.IntN(4)), writes: r.IntN(2) == 0, shared: r.IntN(3) == 0}
			a.words = uint32(0x55555555) << r.IntN(2) >> r.IntN(20) << r.IntN(20)
			if r.IntN(3) == 0 {
				first := r.IntN(5) - 2
				a.lanes, a.words = lanesFrom(first), ^uint32(0)>>r.IntN(20)<<r.IntN(20)&shifted(^uint32(0), -first)
			}
			if a.at = (stamps{first: now}); a.writes {
				a.at.step = pick32(r, 1, 2, ^stamp(0))
				a.at.first += lineWords // so that no stamp is 0
			}
			now += 3 * lineWords
			others, got := x.enter(&a)
			held := true
			for i := range want {
				c := &want[i]
				isOwn := c.unit == 0 || c.unit == a.unit && c.lane == a.lanes.of(i)
				switch {
				case a.words>>i&1 == 0:
				case others>>i&1 != 0:
					left++
					if !isOwn {
						notOwn++
					}
				case got && !isOwn:
					t.Fatalf("seed %d: word %d is entered, which another lane owns", seed, i)
				case a.writes:
					c.unit, c.lane = a.unit, a.lanes.of(i)
					held = held && (a.shared || !c.losesWrite(a.class))
					c.wrote(a.at.first+stamp(i)*a.at.step, a.class, c.value, a.flags)
				default:
					c.unit, c.lane = a.unit, a.lanes.of(i)
					c.read(a.at.first+stamp(i)*a.at.step, a.class, a.flags)
				}
			}
			if got && !held {
				t.Fatalf("seed %d: held by bands, not by cells", seed)
			}
			if !got {
				refused++
				break
			}
			for i := range want {
				if c := x.cell(i); c != want[i] {
					t.Fatalf("seed %d: word %d is %+v, expected %+v", seed, i, c, want[i])
				}
			}
		}
	}
	if refused < 200 || refused > 1999 || notOwn < left/2 {
		t.Errorf("bands did not suffice in %d of 2000 cases; of %d words left to others, %d are theirs", refused, left, notOwn)
	}
}

func pick32(r *rand.Rand, from ...stamp) stamp { return from[r.IntN(len(from))] }
