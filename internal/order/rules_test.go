// The table of CUDA's synchronisation: it is complete, and no row is without effect.

package order

import "testing"

// TestRules: each call has a rule for all kinds of memory, each row holds for some, and each call has functions.
func TestRules(t *testing.T) {
	used := make(map[*Rule]bool)
	for c := range calls {
		for from := DeviceMemory; from < kindsOfMemory; from++ {
			for to := DeviceMemory; to < kindsOfMemory; to++ {
				r := RuleOf(c, from, to)
				if r == nil {
					t.Fatalf("no rule for call %d from %s to %s", c, memoryText[from], memoryText[to])
				}
				used[r] = true
			}
		}
		if functions[c] == "" {
			t.Errorf("call %d has no functions", c)
		}
	}
	for i := range Rules {
		if r := &Rules[i]; !used[r] || r.Source == "" {
			t.Errorf("row %d, of %s: used %t, source %q", i, functions[r.Call], used[r], r.Source)
		}
	}
}

// TestHostWaits: what the documents promise of calls, of which the table is made.
func TestHostWaits(t *testing.T) {
	for _, c := range []struct {
		call     Call
		from, to Memory
		want     Wait
	}{
		{Copy, Pageable, DeviceMemory, ForStream},
		{Copy, Pageable, Managed, ForOperation},
		{Copy, Pinned, DeviceMemory, ForOperation},
		{Copy, DeviceMemory, Pageable, ForOperation},
		{Copy, StreamOrdered, Pinned, ForOperation},
		{Copy, DeviceMemory, StreamOrdered, ForNothing},
		{CopyAsync, Pageable, DeviceMemory, ForNothing},
		{CopyAsync, DeviceMemory, Managed, ForNothing},
		{CopyAsync, Pinned, Pageable, ForOperation},
		{CopyPeer, DeviceMemory, DeviceMemory, ForNothing},
		{Fill, AnyMemory, DeviceMemory, ForNothing},
		{Fill, AnyMemory, Pinned, ForOperation},
		{FillAsync, AnyMemory, Pinned, ForNothing},
		{Free, AnyMemory, DeviceMemory, ForDevice},
		{Free, AnyMemory, Managed, ForDevice},
		{Free, AnyMemory, StreamOrdered, ForNothing},
		{Free, AnyMemory, Mapped, ForNothing},
		{DestroyPool, AnyMemory, AnyMemory, ForNothing},
	} {
		if got := RuleOf(c.call, c.from, c.to).Host; got != c.want {
			t.Errorf("%s from %s to %s: the host waits for %s, want %s", functions[c.call], memoryText[c.from], memoryText[c.to], waitText[got], waitText[c.want])
		}
	}
}
