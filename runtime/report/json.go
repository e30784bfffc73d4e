// Reports as JSON.

package report

import (
	"encoding/json"
	"io"
)

// WriteJSON writes the report as indented JSON.
func (r *Report) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	all := *r
	all.Notes = append(r.CoverageNotes(), r.Notes...)
	return enc.Encode(&all)
}
