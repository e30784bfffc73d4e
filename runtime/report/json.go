// Reports as JSON.

package report

import (
	"encoding/json"
	"io"

	"github.com/ptxsan/ptxsan/internal/output"
)

// MarshalJSON leaves out the thread of an access that no thread is known to make.
func (a Access) MarshalJSON() ([]byte, error) {
	type plain Access
	if !a.anyone() {
		return json.Marshal(plain(a))
	}
	return json.Marshal(struct {
		plain
		Block  *struct{} `json:"block,omitempty"`
		Thread *struct{} `json:"thread,omitempty"`
		Warp   *struct{} `json:"warp,omitempty"`
	}{plain: plain(a)})
}

// names returns the demangled names, without parameters, of the kernels of findings.
func (r *Report) names() map[string]string {
	names := make(map[string]string)
	add := func(kernel string) {
		if simple := Simple(kernel); simple != kernel {
			names[kernel] = simple
		}
	}
	for _, x := range r.Races {
		add(x.First.Kernel)
		add(x.Second.Kernel)
	}
	for _, f := range r.Faults {
		add(f.Kernel)
	}
	return names
}

// WriteJSON writes the report as indented JSON.
func (r *Report) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(output.JSON(w))
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	all := *r
	all.Notes, all.NotChecked, all.Names = append(r.CoverageNotes(), r.Notes...), r.unchecked(), r.names()
	all.Holds = r.Weakest()
	return enc.Encode(&all)
}
