// Tasks: the parts of a campaign that machines run.

package campaign

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Task is a part of the work that is run as a whole: one subject, one detector and a range of
// schedules. What it finds depends on nothing else, so that running it twice is harmless.
type Task struct {
	ID       string        `json:"id"` // of all that follows but for Order and Time
	Subject  *Subject      `json:"subject"`
	Detector string        `json:"detector"`
	Strategy string        `json:"strategy"` // a strategy, or proving or replaying
	Seed     uint64        `json:"seed,omitempty"`
	Count    int           `json:"count,omitempty"` // schedules
	Run      string        `json:"run,omitempty"`   // to replay
	Memory   uint64        `json:"memory,omitempty"`
	Steps    uint64        `json:"steps,omitempty"`
	Time     time.Duration `json:"time"`  // of a try
	Order    int           `json:"order"` // place in the campaign, from 0

	study *study // nil where the task came from another process
}

// What tasks do beside running a strategy.
const (
	proving   = "prove"
	replaying = "replay"
)

// identify sets the ID.
func (t *Task) identify() *Task {
	text, err := json.Marshal([]any{t.Subject, t.Detector, t.Strategy, t.Seed, t.Count, t.Run, t.Memory, t.Steps})
	if err != nil {
		panic("BUG: campaign: a task is not JSON: " + err.Error())
	}
	t.ID = Hash(text)[:32]
	return t
}

// Encode is the task as bytes for another process.
func (t *Task) Encode() ([]byte, error) { return json.Marshal(t) }

// DecodeTask reads what Encode has written.
func DecodeTask(data []byte) (*Task, error) {
	t := &Task{}
	err := json.Unmarshal(data, t)
	if err == nil && t.Subject == nil {
		err = errors.New("it says of no kernel")
	}
	if err != nil {
		return nil, fmt.Errorf("a task cannot be read: %w", err)
	}
	return t, nil
}

// Study identifies what the coverage of a task counts for: its subject under its detector.
func (t *Task) Study() string {
	return Hash([]byte(strings.Join(append(t.Subject.Blobs(), t.Subject.PTX, t.Subject.Launch, t.Detector), " ")))[:32]
}

// String is the task for people.
func (t *Task) String() string {
	switch t.Strategy {
	case proving:
		return "static analysis of " + t.Subject.Name()
	case replaying:
		return fmt.Sprintf("replay under %s of %s", t.Detector, t.Subject.Name())
	}
	return fmt.Sprintf("%s under %s, %s from seed %d, %d schedules", t.Subject.Name(), t.Detector, t.Strategy, t.Seed, t.Count)
}

// limits are those that matter for loading the subject.
func (t *Task) limits() *TaskLimits { return &TaskLimits{Memory: t.Memory, Steps: t.Steps} }

// Result is what a task has shown.
type Result struct {
	Task      string          `json:"task"`
	Schedules int             `json:"schedules,omitempty"`
	Conflicts []uint64        `json:"conflicts,omitempty"` // ordered pairs of conflicting accesses
	Free      bool            `json:"free,omitempty"`      // of proving: of races
	Report    json.RawMessage `json:"report,omitempty"`    // in which Replay holds runs
	Ended     string          `json:"ended,omitempty"`     // why not all of the task was done: its limit of time
	Failed    string          `json:"failed,omitempty"`    // why the task was set aside
}

// Encode is the result as bytes, the same for every run of the task that does not reach its limit of time.
func (r *Result) Encode() ([]byte, error) { return json.Marshal(r) }

// DecodeResult reads what Encode has written.
func DecodeResult(data []byte) (*Result, error) {
	r := &Result{}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("a result of a task cannot be read: %w", err)
	}
	return r, nil
}

// SetAside is the result of a task that cannot be run.
func SetAside(t *Task, why string) *Result { return &Result{Task: t.ID, Failed: why} }
