package precise_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// volatileWords returns events by which one thread stores to n words, and another one in its block loads them; both are
// volatile and nothing orders them.
func volatileWords(t *testing.T, from, n int) []abi.Event {
	var events []abi.Event
	for i := from; i < from+n; i++ {
		for k, ev := range litmusEvents(t, []string{"A st.volatile d", "B ld.volatile d"}) {
			ev.Site, ev.Addr[0] = uint32(1+k), wordAddr(i)
			events = append(events, ev)
		}
	}
	return events
}

// below returns the numbers from 0 to n-1.
func below(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

func wordAddr(i int) uint64 { return 0x10000 + 4*uint64(i) }

// TestWarningsOfManyLocations tests which of the warnings alike about many words is reported, and how many there are,
// when it turns out that threads synchronise through some.
func TestWarningsOfManyLocations(t *testing.T) {
	const n = 40
	swap := litmusEvents(t, []string{"B cas.relaxed.gpu d"})[0]
	for _, c := range []struct {
		name      string
		locks     []int // words that are accessed by compare-and-swap in the end
		want      int   // word of the report
		explained bool
	}{
		{"all are data", nil, 0, true},
		{"the first one is a lock", []int{0}, 1, true},
		{"some are locks", []int{0, 1, 3, 39}, 2, true},
		{"all with an explanation are locks", below(20), 20, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			events := volatileWords(t, 0, n)
			for _, i := range c.locks {
				ev := swap
				ev.Site, ev.Addr[0] = 3, wordAddr(i)
				events = append(events, ev)
			}
			races := report(t, events)
			if len(races) != 1 {
				t.Fatalf("%d findings %+v, want 1", len(races), races)
			}
			r := races[0]
			if want := uint64(n - len(c.locks)); r.Address != wordAddr(c.want) || r.Count != want {
				t.Errorf("address 0x%x, %d occurrences, want 0x%x, %d", r.Address, r.Count, wordAddr(c.want), want)
			}
			if explained := r.Missing != ""; explained != c.explained {
				t.Errorf("the missing operation is given as %q", r.Missing)
			}
		})
	}
}

// TestWarningsWhenFull tests that a detector whose record is full keeps the warnings so far, gives no others, since it
// has forgotten which words threads synchronise through, and says so.
func TestWarningsWhenFull(t *testing.T) {
	o := precise.DefaultOptions()
	o.Memory = 1 << 20
	d, err := precise.New(o)
	if err != nil {
		t.Fatal(err)
	}
	d.SetDecisions(map[uint32]bool{})
	const many = 20000
	races := play(d, volatileWords(t, 0, many))
	if len(races) != 1 || races[0].Count == 0 || races[0].Count > many/2 {
		t.Errorf("%+v, want a warning about the first words", races)
	}
	if s := strings.Join(d.Statistics(), "; "); !strings.Contains(s, "not checked: volatile data") {
		t.Errorf("statistics %q", s)
	}
	if races := play(d, volatileWords(t, 0, 3)); len(races) != 1 || races[0].Count != 3 {
		t.Errorf("the next launch has %+v, want a warning", races)
	}
}
