package enforced

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise/order"
	"github.com/ptxsan/ptxsan/internal/vclock"
)

// Sites of tests.
const (
	add = 1 + iota
	used
	maximum
	store
	float
	load
	swap
	poll
)

var operations = map[uint32]Operation{
	add:     {Kind: Add, Unused: true, Awaited: true},
	used:    {Kind: Add, Awaited: true},
	maximum: {Kind: Max, Type: "u", Unused: true},
	store:   {Unused: true, Awaited: true},
	float:   {Kind: Sum, Type: "f32", Unused: true},
	swap:    {Unused: true},
}

// by returns an access of a thread at a time, after what other threads have done up to a time.
func by(thread order.Unit, at order.Stamp, site uint32, after ...[2]uint32) *Access {
	t := order.Thread{Unit: thread << order.RadixBits}
	a := &Access{
		Thread: t, Issuer: t, At: at, Site: site, Valued: site != poll, Clock: &order.Clock{},
		Reads: site != store, Writes: site != load && site != poll, Wrote: site != load && site != poll,
	}
	for _, x := range after {
		a.Clock = a.Clock.With(vclock.Threads(order.Unit(x[0])<<order.RadixBits, 1, order.Stamp(x[1])))
	}
	return a
}

// valued sets the values of an access.
func (a *Access) valued(from, to uint64) *Access {
	a.Old, a.New = from, to
	return a
}

// found returns what a launch depends on: pairs of sites, waits and sites.
func found(t *testing.T, l *Launch) string {
	t.Helper()
	list, sites, undecided := l.Finish()
	if undecided != "" {
		t.Error(undecided)
	}
	var out []string
	for _, x := range list {
		out = append(out, fmt.Sprintf("%d-%d", x.Seed, x.Sink))
	}
	for s := range uint32(poll + 1) {
		if sites[s] {
			out = append(out, fmt.Sprint(s))
		}
	}
	return strings.Join(out, " ")
}

// TestPairs: what the order of two accesses to a location decides.
func TestPairs(t *testing.T) {
	ordered := [2]uint32{1, 1}
	failed := by(2, 2, swap)
	failed.Wrote = false
	for _, c := range []struct {
		name          string
		first, second *Access
		want          string
	}{
		{"additions", by(1, 1, add), by(2, 2, add), ""},
		{"additions with a result", by(1, 1, add), by(2, 2, used), "2"},
		{"addition and maximum", by(1, 1, add), by(2, 2, maximum), "1-3 1 3"},
		{"addition and maximum in order", by(1, 1, add), by(2, 2, maximum, ordered), ""},
		{"addition and maximum of a thread", by(1, 1, add), by(1, 2, maximum), ""},
		{"stores", by(1, 1, store), by(2, 2, store), "4-4 4"},
		{"sums", by(1, 1, float), by(2, 2, float), "5"},
		{"a store and a load", by(1, 1, store), by(2, 2, load), "6"},
		{"a load and a store", by(1, 1, load), by(2, 2, store), "6"},
		{"loads", by(1, 1, load), by(2, 2, load), ""},
		{"a store and a swap that fails", by(1, 1, store), failed, "4-7 4 7"},
	} {
		l := New(operations, nil)
		l.Add(Place{Addr: 64}, 4, c.first)
		l.Add(Place{Addr: 64}, 4, c.second)
		if got := found(t, l); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestPlaces: accesses conflict if they have a common byte of one memory; those of two sizes do not commute.
func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		first, second Place
		size          uint32
		want          string
	}{
		{Place{Addr: 64}, Place{Addr: 68}, 4, ""},
		{Place{Addr: 64}, Place{Addr: 64}, 8, "1-1 1"},
		{Place{Addr: 68}, Place{Addr: 64}, 8, "1-1 1"},
		{Place{Addr: 64}, Place{Addr: 64, Shared: true}, 8, ""},
		{Place{Addr: 64, Shared: true}, Place{Addr: 64, Shared: true, Cluster: 1}, 8, ""},
	} {
		l := New(operations, nil)
		l.Add(c.first, 4, by(1, 1, add))
		l.Add(c.second, c.size, by(2, 2, add))
		if got := found(t, l); got != c.want {
			t.Errorf("%v and %v of %d bytes: %q, want %q", c.first, c.second, c.size, got, c.want)
		}
	}
}

// TestOwn: a thread's accesses are in order, whatever their times say.
func TestOwn(t *testing.T) {
	l := New(operations, nil)
	l.Add(Place{}, 4, by(1, 3, add))
	l.Add(Place{}, 4, by(2, 9, add))
	l.Add(Place{}, 4, by(2, 5, load, [2]uint32{1, 3})) // of a time that began before
	if got := found(t, l); got != "" {
		t.Error(got)
	}
}

// TestManyThreads: an access is compared with those of all threads before it.
func TestManyThreads(t *testing.T) {
	for _, c := range []struct {
		after [][2]uint32
		want  string
	}{
		{[][2]uint32{{1, 1}, {2, 2}, {3, 3}}, ""},
		{[][2]uint32{{1, 1}, {3, 3}}, "6"},
	} {
		l := New(operations, nil)
		for n := range uint32(3) {
			l.Add(Place{}, 4, by(order.Unit(n+1), order.Stamp(n+1), add))
		}
		l.Add(Place{}, 4, by(4, 4, load, c.after...))
		if got := found(t, l); got != c.want {
			t.Errorf("after %v: %q, want %q", c.after, got, c.want)
		}
	}
}

// until returns the condition of a wait that ends when done holds for the value and the result of the thread's own
// addition.
func until(done func(value, own uint64) bool) *Condition {
	return &Condition{
		Own: []uint32{used}, Only: []uint32{used},
		End: func(value uint64, inputs []uint64) Exit {
			if done(value, inputs[0]) {
				return Exit{Known: true, To: 5}
			}
			return Exit{Known: true, To: Again}
		},
	}
}

// TestCounts: waits of threads for what they add together, and the thread whose wait is over.
func TestCounts(t *testing.T) {
	for _, c := range []struct {
		name   string
		done   func(value, own uint64) bool
		reset  bool // a thread stores 0 when its own wait has ended
		wantBy int
		want   string
	}{
		{"for all three", func(v, _ uint64) bool { return v >= 3 }, false, 3, ""},
		{"for two of three", func(v, _ uint64) bool { return v >= 2 }, false, 2, "8-0 2 8"},
		{"for one more", func(v, own uint64) bool { return v > own+1 }, false, 2, "8-0 2 8"},
		{"for exactly three", func(v, _ uint64) bool { return v == 3 }, false, 3, ""},
		{"for all three, with a reset", func(v, _ uint64) bool { return v >= 3 }, true, 3, "8-0 2 8 2-4 4-4"},
	} {
		l := New(operations, new(Polls))
		for n := range uint32(3) {
			a := by(order.Unit(n+1), order.Stamp(n+1), used).valued(uint64(n), uint64(n+1))
			l.Add(Place{}, 4, numbered(a, int(n+1)))
		}
		for n := range uint32(3) {
			s := &Step{Mask: 1, Known: 1, Found: []uint64{3}, Inputs: [][]uint64{{uint64(n)}}, Condition: until(c.done)}
			polling, number := l.Poll(Place{}, 4, by(order.Unit(n+1), 9, poll), s, 0)
			if n == 0 && (polling != Ended || number != c.wantBy) {
				t.Errorf("%s: %v by write %d, want an end by %d", c.name, polling, number, c.wantBy)
			}
		}
		if c.reset {
			l.Add(Place{}, 4, numbered(by(1, 10, store).valued(3, 0), 4))
		}
		got, want := strings.Fields(found(t, l)), strings.Fields(c.want)
		slices.Sort(got)
		slices.Sort(want)
		if c.reset { // whatever the pairs, the wait may not end
			got = slices.DeleteFunc(got, func(s string) bool { return s != "8-0" })
			want = []string{"8-0"}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", c.name, got, want)
		}
	}
}

// TestFirst: a wait may come before all writes unless one of them is ordered before it.
func TestFirst(t *testing.T) {
	for _, c := range []struct {
		after [][2]uint32
		want  bool
	}{{nil, true}, {[][2]uint32{{1, 1}}, false}} {
		l := New(operations, new(Polls))
		l.Add(Place{}, 4, numbered(by(1, 1, store).valued(7, 0), 1))
		l.Add(Place{}, 4, numbered(by(1, 2, store).valued(0, 1), 2))
		s := &Step{
			Mask: 1, Known: 1, Found: []uint64{1}, Inputs: [][]uint64{{0}},
			Condition: until(func(v, _ uint64) bool { return v == 1 }),
		}
		l.Poll(Place{}, 4, by(2, 9, poll, c.after...), s, 0)
		if found(t, l); l.First[poll] != c.want {
			t.Errorf("after %v: %t", c.after, l.First[poll])
		}
	}
}

// TestForeign: nothing is known of a wait at a location that something other than an awaited write of a thread changes,
// even in order.
func TestForeign(t *testing.T) {
	copied := by(9, 1, add)
	copied.Copied = true
	for _, c := range []struct {
		name    string
		foreign *Access
		want    bool
	}{{"an awaited store", by(9, 1, store), false}, {"another write", by(9, 1, swap), true}, {"a copy", copied, true}} {
		l, first := New(operations, new(Polls)), [2]uint32{9, 1}
		l.Add(Place{}, 4, numbered(c.foreign, 1))
		l.Add(Place{}, 4, numbered(by(1, 1, add, first).valued(0, 1), 2))
		s := &Step{
			Mask: 1, Known: 1, Found: []uint64{1}, Inputs: [][]uint64{{0}},
			Condition: until(func(v, _ uint64) bool { return v == 1 }),
		}
		s.Condition.Own = []uint32{0}
		if got, _ := l.Poll(Place{}, 4, by(2, 9, poll, first), s, 0); got != Ended {
			t.Fatal(c.name, got)
		}
		if got := strings.HasPrefix(found(t, l), "8-0"); got != c.want {
			t.Errorf("%s: the wait may end otherwise: %t", c.name, got)
		}
	}
}

// numbered sets the number of a write.
func numbered(a *Access, n int) *Access {
	a.Number = n
	return a
}

// TestPolls: steps are taken in order, lanes apart, and those of other instructions in between are forgotten.
func TestPolls(t *testing.T) {
	q := new(Polls)
	for n, s := range []*Step{
		{Warp: 1, Site: 7, Mask: 3}, {Warp: 2, Site: 7, Mask: 1}, {Warp: 1, Site: 8, Mask: 1}, {Warp: 1, Site: 7, Mask: 3},
	} {
		s.Found = []uint64{uint64(n), uint64(n)}
		q.Put(s)
	}
	for n, c := range []struct {
		warp, site, mask uint32
		want             int
	}{{1, 7, 1, 0}, {1, 7, 2, 0}, {1, 7, 3, 3}, {2, 7, 1, 1}, {1, 8, 1, -1}} {
		got := -1
		if s := q.take(0, c.warp, c.site, c.mask); s != nil {
			got = int(s.Found[0])
		}
		if got != c.want {
			t.Errorf("%d: step %d, want %d", n, got, c.want)
		}
	}
}
