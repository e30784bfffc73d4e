// Intermediate results of a campaign: findings and coverage, in buckets that all workers write.

package jetstream

import (
	"context"
	"encoding/json"
	"slices"
	"sync"

	"github.com/ptxsan/ptxsan/internal/campaign"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// Finding is a finding of some worker. If several tasks show it, Order is the lowest of their positions in the
// campaign.
type Finding struct {
	ID       string `json:"id"`
	Severity string `json:"severity"`
	Kernel   string `json:"kernel"`
	Subject  string `json:"subject"` // the subject of the kernel
	First    string `json:"first"`
	Second   string `json:"second"`
	Order    int    `json:"order"`
}

// live updates the buckets of findings and coverage. It caches what it has written, so that most tasks, which show
// nothing new, cost no message.
type live struct {
	*store
	mu    sync.Mutex
	found map[string]int // position of the first known task
	pairs map[string]map[uint64]bool
}

func newLive(s *store) *live {
	return &live{store: s, found: make(map[string]int), pairs: make(map[string]map[uint64]bool)}
}

// take writes the new parts of a result.
func (l *live) take(ctx context.Context, t *campaign.Task, r *campaign.Result) error {
	for _, f := range l.news(t, r) {
		if err := l.finding(ctx, f); err != nil {
			return err
		}
	}
	key := t.Study()
	if !l.covers(key, r.Conflicts) {
		return nil
	}
	return set(ctx, l.coverage, key, func(old []byte) ([]byte, error) {
		var have []uint64
		if old != nil {
			if err := json.Unmarshal(old, &have); err != nil {
				return nil, err
			}
		}
		all := append(slices.Clone(have), r.Conflicts...)
		slices.Sort(all)
		if all = slices.Compact(all); len(all) == len(have) {
			return nil, nil
		}
		return json.Marshal(all)
	})
}

// news returns the findings of a result that are new, or from an earlier task than the known ones.
func (l *live) news(t *campaign.Task, r *campaign.Result) (list []*Finding) {
	if r.Report == nil {
		return nil
	}
	rep := &report.Report{}
	if err := json.Unmarshal(r.Report, rep); err != nil {
		return nil // the coordinator reports the error
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, x := range rep.Races {
		if order, ok := l.found[x.ID]; ok && order <= t.Order {
			continue
		}
		l.found[x.ID] = t.Order
		list = append(list, &Finding{
			x.ID, x.Severity, report.Demangle(x.Kernel()), t.Subject.Name(), side(&x.First),
			side(&x.Second), t.Order,
		})
	}
	return list
}

// finding writes a finding, unless the bucket has it from an earlier task.
func (l *live) finding(ctx context.Context, f *Finding) error {
	return set(ctx, l.findings, f.ID, func(old []byte) ([]byte, error) {
		if old != nil {
			have := &Finding{}
			if err := json.Unmarshal(old, have); err != nil || have.Order <= f.Order {
				return nil, err
			}
		}
		return json.Marshal(f)
	})
}

// covers reports whether a study has pairs that this process has not written.
func (l *live) covers(key string, pairs []uint64) (more bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	have := l.pairs[key]
	if have == nil {
		have = make(map[uint64]bool)
		l.pairs[key] = have
	}
	for _, p := range pairs {
		if !have[p] {
			have[p], more = true, true
		}
	}
	return more
}

// side returns one access of a race for people.
func side(a *report.Access) string { return a.Access + " at " + a.At() }
