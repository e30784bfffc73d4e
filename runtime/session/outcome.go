// The outcome of a run without detectors, as text and as JSON: what `ptxsan emulate` prints.

package session

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/ptxsan/ptxsan/emu/observe"
	"github.com/ptxsan/ptxsan/internal/output"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// Outcome is the result of a run without detectors, apart from buffers.
type Outcome struct {
	Launches   int                  `json:"launches"` // launches that ended, normally or with a fault
	Faults     []*report.FaultEvent `json:"faults"`   // those recorded by passes, and the one that ended the run
	Statistics *observe.Statistics  `json:"statistics,omitempty"`

	Stopped bool `json:"-"` // a fault ended the run
}

// WriteText writes statistics and faults as text.
func (o *Outcome) WriteText(w io.Writer, opt report.TextOptions) error {
	if o.Statistics != nil {
		fmt.Fprintf(w, "launches %d\n", o.Launches)
		if err := o.Statistics.WriteText(w); err != nil {
			return err
		}
	}
	switch {
	case len(o.Faults) == 0:
		return nil
	case !o.Stopped:
		return report.WriteRecorded(w, o.Faults, opt)
	}
	rep := &report.Report{Faults: o.Faults}
	rep.Finish()
	return rep.WriteText(w, opt)
}

// WriteJSON writes the outcome as one JSON document.
func (o *Outcome) WriteJSON(w io.Writer) error {
	rep := &report.Report{Faults: o.Faults}
	rep.Finish()
	all := *o
	if all.Faults = rep.Faults; all.Faults == nil {
		all.Faults = []*report.FaultEvent{}
	}
	enc := json.NewEncoder(output.JSON(w))
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(&all)
}
