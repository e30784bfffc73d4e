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
			{arrive(1), Object{1, 2, 0, 0}},
			{arrive(1), Object{2, 2, 0, 1}},
			{arrive(2), Object{2, 2, 0, 0}},
		}},
		"bytes after arrivals": {1, []step{
			{expect(64), Object{1, 1, 64, 0}},
			{arrive(1), Object{0, 1, 64, 0}},
			{done(48), Object{0, 1, 16, 0}},
			{done(16), Object{1, 1, 0, 1}},
		}},
		"bytes before they are expected": {2, []step{
			{done(16), Object{2, 2, -16, 0}},
			{arrive(1), Object{1, 2, -16, 0}},
			{expect(16), Object{1, 2, 0, 0}},
			{arrive(1), Object{2, 2, 0, 1}},
		}},
		"drop": {3, []step{
			{drop, Object{2, 2, 0, 0}}, {arrive(2), Object{2, 2, 0, 1}}, {arrive(2), Object{2, 2, 0, 0}},
		}},
	} {
		b, bad := New(c.count)
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
		"too many":    {Object{1, 4, 0, 0}, func(b *Object) *diag.Violation { return b.Arrive(Arrival{Count: 2}) }, "2 arrivals at an mbarrier that has 1 pending"},
		"none":        {Object{1, 4, 0, 0}, func(b *Object) *diag.Violation { return b.Arrive(Arrival{}) }, "0 arrivals"},
		"complete":    {Object{1, 4, 0, 0}, func(b *Object) *diag.Violation { return b.Arrive(Arrival{Count: 1, NoComplete: true}) }, "would complete"},
		"many bytes":  {Object{1, 1, MaxCount, 0}, func(b *Object) *diag.Violation { return b.Expect(1) }, "tx-count"},
		"few bytes":   {Object{1, 1, -MaxCount, 0}, func(b *Object) *diag.Violation { return b.Done(1) }, "tx-count"},
		"no count":    {Object{}, func(*Object) *diag.Violation { _, bad := New(0); return bad }, "count of 0"},
		"large count": {Object{}, func(*Object) *diag.Violation { _, bad := New(1 << 20); return bad }, "count of 1048576"},
	} {
		if bad := c.op(&c.b); bad == nil || !strings.Contains(bad.Msg, c.want) {
			t.Errorf("%s: got %v, want %q", name, bad, c.want)
		}
	}
}
