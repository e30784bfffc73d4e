// Attempts: how often tasks have been begun.

package jetstream

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/ptxsan/ptxsan/internal/campaign"
)

// attempts is the record of a task's attempts. A single attempt is not recorded.
type attempts struct {
	Count int    `json:"count"` // number of attempts begun and not withdrawn
	Last  string `json:"last"`  // the error of the last attempt, "" if none was recorded
}

// begin counts an attempt of a task that was delivered before. After three attempts it returns the result of a task
// that is set aside.
func (j *job) begin(ctx context.Context, t *campaign.Task, m jetstream.Msg) (*campaign.Result, error) {
	meta, err := m.Metadata()
	if err != nil || meta.NumDelivered == 1 {
		return nil, err
	}
	var aside *campaign.Result
	err = set(ctx, j.tries, t.ID, func(old []byte) ([]byte, error) {
		x := attempts{Count: 1}
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

func (x *attempts) why() string {
	if x.Last == "" {
		return fmt.Sprintf("%d tries have come to no end: their workers died", x.Count)
	}
	return fmt.Sprintf("%d tries failed, the last one: %s", x.Count, x.Last)
}

// count changes the number of attempts of a running task, and records why the last one failed.
func (j *job) count(ctx context.Context, id string, more int, why string) error {
	return set(ctx, j.tries, id, func(old []byte) ([]byte, error) {
		x := attempts{Count: 1}
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
