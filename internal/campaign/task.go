// Tasks: the parts of a campaign that are executed as a whole.

package campaign

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Task is a part of a campaign that is executed as a whole: one subject, one detector and a range of schedules. Its
// result depends on nothing else, so that running it twice is harmless.
type Task struct {
	ID       string        `json:"id"` // hash of the following fields except Order and Time
	Subject  *Subject      `json:"subject"`
	Detector string        `json:"detector"`
	Strategy string        `json:"strategy"` // a strategy, or proving or replaying
	Seed     uint64        `json:"seed,omitempty"`
	Count    int           `json:"count,omitempty"` // schedules
	Run      string        `json:"run,omitempty"`   // to replay
	Memory   uint64        `json:"memory,omitempty"`
	Steps    uint64        `json:"steps,omitempty"`
	Time     time.Duration `json:"time"`  // limit for an attempt
	Order    int           `json:"order"` // place in the campaign, from 0

	study *study // nil if the task came from another process
}

// Values of Strategy that are not strategies.
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

// Encode returns the encoded task, for another process.
func (t *Task) Encode() ([]byte, error) { return json.Marshal(t) }

// DecodeTask decodes the output of Encode.
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

// Study identifies the unit to which the task's coverage belongs: its subject under its detector.
func (t *Task) Study() string {
	return Hash([]byte(strings.Join(append(t.Subject.Blobs(), t.Subject.PTX, t.Subject.Launch, t.Detector), " ")))[:32]
}

// String returns the task for people.
func (t *Task) String() string {
	switch t.Strategy {
	case proving:
		return "static analysis of " + t.Subject.Name()
	case replaying:
		return fmt.Sprintf("replay under %s of %s", t.Detector, t.Subject.Name())
	}
	return fmt.Sprintf("%s under %s, %s from seed %d, %d schedules", t.Subject.Name(), t.Detector, t.Strategy, t.Seed,
		t.Count)
}

// limits returns the limits that are needed to load the subject.
func (t *Task) limits() *TaskLimits { return &TaskLimits{Memory: t.Memory, Steps: t.Steps} }

// Result is the result of a task.
type Result struct {
	Task      string          `json:"task"`
	Schedules int             `json:"schedules,omitempty"`
	Conflicts []uint64        `json:"conflicts,omitempty"` // ordered pairs of conflicting accesses
	Free      bool            `json:"free,omitempty"`      // the static analysis proved that there are no races
	Report    json.RawMessage `json:"report,omitempty"`    // its Replay fields hold runs
	Ended     string          `json:"ended,omitempty"`     // why the task ended early: its time limit
	Failed    string          `json:"failed,omitempty"`    // why the task was set aside
}

// Encode returns the encoded result, which is the same for every run of the task that does not reach its time limit.
func (r *Result) Encode() ([]byte, error) { return json.Marshal(r) }

// DecodeResult decodes the output of Encode.
func DecodeResult(data []byte) (*Result, error) {
	r := &Result{}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("a result of a task cannot be read: %w", err)
	}
	return r, nil
}

// SetAside returns the result of a task that cannot be run.
func SetAside(t *Task, why string) *Result { return &Result{Task: t.ID, Failed: why} }
