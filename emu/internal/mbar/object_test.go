package mbar

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu/internal/diag"
)

// TestMbarrierPack: objects survive their 64 bits, and other data is none.
func TestMbarrierPack(t *testing.T) {
	for _, b := range []Object{
		{Pending: 1, Expected: 1},
		{Pending: MaxCount, Expected: MaxCount, Tx: MaxCount, Phase: 1},
		{Pending: 0, Expected: 7, Tx: -MaxCount},
		{Pending: 3, Expected: 5, Tx: -1, Phase: 1},
		{Pending: 1, Expected: 1, Payload: Payload{V1: true}},
		{Pending: 511, Expected: 511, Tx: -MaxCount, Phase: 1, Payload: Payload{V1: true, Report: 511, Completed: 511, Conditional: 1, Advanced: 1}},
		{Pending: 0, Expected: 3, Tx: MaxCount, Payload: Payload{V1: true, Report: reported | 5, Conditional: 1}},
	} {
		if got, ok := Unpack(b.Pack()); !ok || got != b {
			t.Errorf("%+v: got %+v, %v", b, got, ok)
		}
	}
	for _, w := range []uint64{0, 1, ^uint64(0), 0x3f80000000000000} {
		if b, ok := Unpack(w); ok {
			t.Errorf("0x%x is taken for %+v", w, b)
		}
	}
}

// plain returns an object of layout::v0.
func plain(pending, expected uint32, tx int32, phase uint32) Object {
	return Object{Pending: pending, Expected: expected, Tx: tx, Phase: phase}
}

// TestMbarrierPhases follows objects through operations as the manual describes
// them.
func TestMbarrierPhases(t *testing.T) {
	type step struct {
		op   func(*Object) *diag.Violation
		want Object
	}
	arrive := func(n uint32) func(*Object) *diag.Violation {
		return func(b *Object) *diag.Violation { return b.Arrive(Arrival{Count: n}) }
	}
	drop := func(b *Object) *diag.Violation { return b.Arrive(Arrival{Count: 1, Drop: true}) }
	expect := func(n uint32) func(*Object) *diag.Violation {
		return func(b *Object) *diag.Violation { return b.Expect(n) }
	}
	done := func(n uint32) func(*Object) *diag.Violation {
		return func(b *Object) *diag.Violation { return b.Done(n) }
	}
	for name, c := range map[string]struct {
		count uint32
		steps []step
	}{
		"arrivals": {2, []step{
			{arrive(1), plain(1, 2, 0, 0)},
			{arrive(1), plain(2, 2, 0, 1)},
			{arrive(2), plain(2, 2, 0, 0)},
		}},
		"bytes after arrivals": {1, []step{
			{expect(64), plain(1, 1, 64, 0)},
			{arrive(1), plain(0, 1, 64, 0)},
			{done(48), plain(0, 1, 16, 0)},
			{done(16), plain(1, 1, 0, 1)},
		}},
		"bytes before they are expected": {2, []step{
			{done(16), plain(2, 2, -16, 0)},
			{arrive(1), plain(1, 2, -16, 0)},
			{expect(16), plain(1, 2, 0, 0)},
			{arrive(1), plain(2, 2, 0, 1)},
		}},
		"drop": {3, []step{
			{drop, plain(2, 2, 0, 0)}, {arrive(2), plain(2, 2, 0, 1)}, {arrive(2), plain(2, 2, 0, 0)},
		}},
	} {
		b, bad := New(c.count, false)
		for i, s := range c.steps {
			if bad == nil {
				bad = s.op(&b)
			}
			if bad != nil || b != s.want {
				t.Errorf("%s, step %d: got %+v %v, want %+v", name, i, b, bad, s.want)
				break
			}
		}
	}
}

// TestMbarrierRefuses: what the manual leaves undefined.
func TestMbarrierRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		b    Object
		op   func(*Object) *diag.Violation
		want string
	}{
		"too many":    {plain(1, 4, 0, 0), func(b *Object) *diag.Violation { return b.Arrive(Arrival{Count: 2}) }, "2 arrivals at an mbarrier that has 1 pending"},
		"none":        {plain(1, 4, 0, 0), func(b *Object) *diag.Violation { return b.Arrive(Arrival{}) }, "0 arrivals"},
		"complete":    {plain(1, 4, 0, 0), func(b *Object) *diag.Violation { return b.Arrive(Arrival{Count: 1, NoComplete: true}) }, "would complete"},
		"many bytes":  {plain(1, 1, MaxCount, 0), func(b *Object) *diag.Violation { return b.Expect(1) }, "tx-count"},
		"few bytes":   {plain(1, 1, -MaxCount, 0), func(b *Object) *diag.Violation { return b.Done(1) }, "tx-count"},
		"no count":    {Object{}, func(*Object) *diag.Violation { _, bad := New(0, false); return bad }, "count of 0"},
		"large count": {Object{}, func(*Object) *diag.Violation { _, bad := New(1<<20, false); return bad }, "count of 1048576"},
	} {
		if bad := c.op(&c.b); bad == nil || !strings.Contains(bad.Msg, c.want) {
			t.Errorf("%s: got %v, want %q", name, bad, c.want)
		}
	}
}

// TestPayload follows an object of layout::v1 through three phases, of which the second one has a report: the
// conditional phase does not advance there, and the report is that of the completed phase until the next one completes
// (PTX ISA 9.4, "Phase Completion of the mbarrier object").
func TestPayload(t *testing.T) {
	b, bad := New(1, true)
	if bad != nil {
		t.Fatal(bad)
	}
	for i, want := range []Payload{
		{V1: true, Conditional: 1, Advanced: 0},
		{V1: true, Conditional: 1, Advanced: 0, Completed: reported | 6},
		{V1: true, Conditional: 0, Advanced: 0},
	} {
		if i == 1 {
			for _, v := range []uint8{2, 4, 0} {
				if bad = b.ReportOn(v); bad != nil {
					t.Fatal(bad)
				}
			}
		}
		if bad = b.Arrive(Arrival{Count: 1}); bad != nil || b.Payload != want || b.Phase != uint32(i+1)&1 {
			t.Fatalf("phase %d: %+v %v, want %+v", i, b, bad, want)
		}
		primary, of := b.Passed(uint32(i)&1, false)
		conditional, by := b.Passed(0, true)
		if !primary || of != uint32(i)&1 || conditional != (i < 2) || by != want.Advanced {
			t.Errorf("phase %d: primary %v %d, conditional %v %d", i, primary, of, conditional, by)
		}
		if want.Completed.Predicate() != (i == 1) || want.Completed.Value() != uint8(i%2*6) {
			t.Errorf("phase %d: report %v %d", i, want.Completed.Predicate(), want.Completed.Value())
		}
	}
	if _, bad = New(512, true); bad == nil || !strings.Contains(bad.Msg, "expected 1 to 511") {
		t.Errorf("a count of 512: %v", bad)
	}
	b = plain(1, 1, 0, 0)
	if bad = b.ReportOn(0); bad == nil || bad.Class != "mbarrier" {
		t.Errorf("a report to layout::v0: %v", bad)
	}
}

// TestPatterns: a pattern counts in the first element of each aligned 16 bytes, or in every byte (PTX ISA 9.4, table
// 33).
func TestPatterns(t *testing.T) {
	data := func(at int, bytes ...byte) []byte {
		b := make([]byte, 48)
		copy(b[at:], bytes)
		return b
	}
	const report = "mbarrier::report::validity::"
	for _, c := range []struct {
		modifier string
		addr     uint64
		data     []byte
		want     bool
	}{
		{report + "per_16bytes::80000000", 64, data(16, 0, 0, 0, 0x80), true},
		{report + "per_16bytes::80000000", 64, data(20, 0, 0, 0, 0x80), false},
		{report + "per_16bytes::80000000", 72, data(24, 0, 0, 0, 0x80), true},
		{report + "per_16bytes::80000000", 72, data(16, 0, 0, 0, 0x80), false},
		{report + "per_16bytes::8000", 64, data(32, 0, 0x80), true},
		{report + "per_16bytes::80", 64, data(0, 0x80), true},
		{report + "per_16bytes::8", 64, data(16, 0x38), true},
		{report + "per_16bytes::8", 64, data(16, 0x83), false},
		{report + "per_element::ff", 64, data(47, 0xff), true},
		{report + "per_element::ff", 64, data(47, 0xfe), false},
		{report + "per_element::ff", 64, nil, false},
	} {
		if p := PatternOf(c.modifier); !p.Looks() || p.In(c.addr, c.data) != c.want {
			t.Errorf("%s at %d in %x: want %v", c.modifier, c.addr, c.data, c.want)
		}
	}
	if PatternOf("mbarrier::report::disabled").Looks() || PatternOf("").Looks() {
		t.Error("a disabled report looks for something")
	}
}
