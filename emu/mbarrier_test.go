package emu

import (
	"strings"
	"testing"
)

// TestMbarrierPack: objects survive their 64 bits, and other data is none.
func TestMbarrierPack(t *testing.T) {
	for _, b := range []mbarrier{
		{pending: 1, expected: 1},
		{pending: maxCount, expected: maxCount, tx: maxCount, phase: 1},
		{pending: 0, expected: 7, tx: -maxCount},
		{pending: 3, expected: 5, tx: -1, phase: 1},
	} {
		if got, ok := unpackMbarrier(b.pack()); !ok || got != b {
			t.Errorf("%+v: got %+v, %v", b, got, ok)
		}
	}
	for _, w := range []uint64{0, 1, ^uint64(0), 0x3f80000000000000} {
		if b, ok := unpackMbarrier(w); ok {
			t.Errorf("0x%x is taken for %+v", w, b)
		}
	}
}

// TestMbarrierPhases follows objects through operations as the manual describes
// them.
func TestMbarrierPhases(t *testing.T) {
	type step struct {
		op   func(*mbarrier) *violation
		want mbarrier
	}
	arrive := func(n uint32) func(*mbarrier) *violation {
		return func(b *mbarrier) *violation { return b.arrive(arrival{count: n}) }
	}
	drop := func(b *mbarrier) *violation { return b.arrive(arrival{count: 1, drop: true}) }
	expect := func(n uint32) func(*mbarrier) *violation {
		return func(b *mbarrier) *violation { return b.expect(n) }
	}
	done := func(n uint32) func(*mbarrier) *violation {
		return func(b *mbarrier) *violation { return b.done(n) }
	}
	for name, c := range map[string]struct {
		count uint32
		steps []step
	}{
		"arrivals": {2, []step{
			{arrive(1), mbarrier{1, 2, 0, 0}},
			{arrive(1), mbarrier{2, 2, 0, 1}},
			{arrive(2), mbarrier{2, 2, 0, 0}},
		}},
		"bytes after arrivals": {1, []step{
			{expect(64), mbarrier{1, 1, 64, 0}},
			{arrive(1), mbarrier{0, 1, 64, 0}},
			{done(48), mbarrier{0, 1, 16, 0}},
			{done(16), mbarrier{1, 1, 0, 1}},
		}},
		"bytes before they are expected": {2, []step{
			{done(16), mbarrier{2, 2, -16, 0}},
			{arrive(1), mbarrier{1, 2, -16, 0}},
			{expect(16), mbarrier{1, 2, 0, 0}},
			{arrive(1), mbarrier{2, 2, 0, 1}},
		}},
		"drop": {3, []step{
			{drop, mbarrier{2, 2, 0, 0}}, {arrive(2), mbarrier{2, 2, 0, 1}}, {arrive(2), mbarrier{2, 2, 0, 0}},
		}},
	} {
		b, bad := newMbarrier(c.count)
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
		b    mbarrier
		op   func(*mbarrier) *violation
		want string
	}{
		"too many":    {mbarrier{1, 4, 0, 0}, func(b *mbarrier) *violation { return b.arrive(arrival{count: 2}) }, "2 arrivals at an mbarrier that has 1 pending"},
		"none":        {mbarrier{1, 4, 0, 0}, func(b *mbarrier) *violation { return b.arrive(arrival{}) }, "0 arrivals"},
		"complete":    {mbarrier{1, 4, 0, 0}, func(b *mbarrier) *violation { return b.arrive(arrival{count: 1, noComplete: true}) }, "would complete"},
		"many bytes":  {mbarrier{1, 1, maxCount, 0}, func(b *mbarrier) *violation { return b.expect(1) }, "tx-count"},
		"few bytes":   {mbarrier{1, 1, -maxCount, 0}, func(b *mbarrier) *violation { return b.done(1) }, "tx-count"},
		"no count":    {mbarrier{}, func(*mbarrier) *violation { _, bad := newMbarrier(0); return bad }, "count of 0"},
		"large count": {mbarrier{}, func(*mbarrier) *violation { _, bad := newMbarrier(1 << 20); return bad }, "count of 1048576"},
	} {
		if bad := c.op(&c.b); bad == nil || !strings.Contains(bad.msg, c.want) {
			t.Errorf("%s: got %v, want %q", name, bad, c.want)
		}
	}
}
