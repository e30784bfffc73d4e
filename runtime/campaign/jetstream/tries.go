// Tries: how often tasks have been begun.

package jetstream

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/ptxsan/ptxsan/runtime/campaign"
)

// tried is what is known of the tries of a task. The first try alone leaves no trace.
type tried struct {
	Count int    `json:"count"` // begun, and not taken back
	Last  string `json:"last"`  // why the last one failed, "" when the worker has not said so
}

// begin counts a try of a task that was delivered before. After three tries it gives the
// result of a task that is set aside.
func (j *job) begin(ctx context.Context, t *campaign.Task, m jetstream.Msg) (*campaign.Result, error) {
	meta, err := m.Metadata()
	if err != nil || meta.NumDelivered == 1 {
		return nil, err
	}
	var aside *campaign.Result
	err = set(ctx, j.tries, t.ID, func(old []byte) ([]byte, error) {
		x := tried{Count: 1}
		if old != nil {
			if wrong := json.Unmarshal(old, &x); wrong != nil {
				return nil, wrong
			}
		}
		if x.Count >= campaign.Tries {
			aside = campaign.SetAside(t, x.why())
			return nil, nil
		}
		x.Count++
		x.Last = ""
		return json.Marshal(x)
	})
	return aside, err
}

func (x *tried) why() string {
	if x.Last == "" {
		return fmt.Sprintf("%d tries have come to no end: their workers died", x.Count)
	}
	return fmt.Sprintf("%d tries failed, the last one: %s", x.Count, x.Last)
}

// count changes the number of tries of a task that is being tried, and notes why it failed.
func (j *job) count(ctx context.Context, id string, more int, why string) error {
	return set(ctx, j.tries, id, func(old []byte) ([]byte, error) {
		x := tried{Count: 1}
		if old != nil {
			if err := json.Unmarshal(old, &x); err != nil {
				return nil, err
			}
		}
		x.Count += more
		x.Last = why
		return json.Marshal(x)
	})
}
