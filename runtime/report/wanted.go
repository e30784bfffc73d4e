// What a static analysis would have to know of the launches to decide more pairs.

package report

import (
	"slices"
	"strings"
)

// Wanted is what a static analysis does not know of the launches.
type Wanted struct {
	// Unread says why host code was not read; "" if it was, or there is none.
	Unread string `json:"unread,omitempty"`
	// Facts has what may decide more pairs: extents such as block.x and numbers such as "parameter 2".
	Facts []string `json:"facts,omitempty"`
	// Disjoint says that more pairs may be decided if pointer parameters do not alias.
	Disjoint bool `json:"disjoint,omitempty"`
}

// maxWanted limits the facts that the text names.
const maxWanted = 8

// Line returns what is wanted in a sentence, with how to say it.
func (w *Wanted) Line() string {
	var parts []string
	if w.Unread != "" {
		parts = append(parts, "Without facts of the host code, which was not read: "+w.Unread)
	}
	var know, how []string
	if list := w.Facts[:min(len(w.Facts), maxWanted)]; len(list) > 0 {
		know = append(know, list...)
		if len(w.Facts) > len(list) {
			know = append(know, "…")
		}
		how = append(how, "--facts '"+strings.Join(list, "=…,")+"=…'")
	}
	if w.Disjoint {
		know = append(know, "that pointers do not alias")
		how = append(how, "--assume disjoint")
	}
	if len(know) > 0 {
		if w.Unread == "" {
			how = slices.Insert(how, 0, "--host FILE")
		}
		parts = append(parts, "Needs to decide more: "+strings.Join(know, ", ")+" ("+strings.Join(how, ", ")+")")
	}
	return strings.Join(parts, ". ")
}
