// Modules that are not checked, or in part.

package cuda

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/report"
)

// mostRejected limits the rejected modules that are described one by one.
const mostRejected = 20

// rejectedModules lists modules that could not be loaded, for the report: applications may ignore the error and do
// without their kernels.
type rejectedModules struct {
	reasons []string
	modules [][]uint64 // for each reason
	more    int        // modules whose reason is not in the list
}

// add records that a module was not loaded, and reports whether for a new reason.
func (r *rejectedModules) add(id uint64, err error) bool {
	i := slices.Index(r.reasons, err.Error())
	switch {
	case i >= 0:
		r.modules[i] = append(r.modules[i], id)
	case len(r.reasons) < mostRejected:
		r.reasons, r.modules = append(r.reasons, err.Error()), append(r.modules, []uint64{id})
	default:
		r.more++
	}
	return i < 0
}

// list returns lines for Report.Notes.
func (r *rejectedModules) list() (notes []string) {
	for i, reason := range r.reasons {
		notes = append(notes, fmt.Sprintf("%s%s: %s", report.Unchecked, moduleNumbers(r.modules[i]), reason))
	}
	if r.more > 0 {
		notes = append(notes, fmt.Sprintf("%sfurther modules that could not be loaded: %d", report.Unchecked, r.more))
	}
	return notes
}

// moduleNumbers names modules: the first eight, and the number of others.
func moduleNumbers(ids []uint64) string {
	const most = 8
	if len(ids) == 1 {
		return fmt.Sprintf("module %d", ids[0])
	}
	var list []string
	for _, id := range ids[:min(most, len(ids))] {
		list = append(list, fmt.Sprint(id))
	}
	text := "modules " + strings.Join(list, ", ")
	if n := len(ids) - most; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

// machineCode lists the modules whose PTX comes from machine code.
type machineCode struct {
	modules []uint64
	targets []string
	without []string // functions of which there is machine code only
	instead []string // what PTX for other architectures is in place of
}

func (c *machineCode) add(id uint64, r *reader) {
	if len(r.targets) > 0 {
		c.modules, c.targets = append(c.modules, id), append(c.targets, r.targets...)
	}
	c.without, c.instead = append(c.without, r.without...), append(c.instead, r.instead...)
}

// notes returns lines for Report.Notes: where PTX comes from, and what has none.
func (c *machineCode) notes() (list []string) {
	if len(c.modules) > 0 {
		list = append(list, fmt.Sprintf("the PTX of %s is from machine code for %s, compiled with line information; its "+
			"lines have no columns", moduleNumbers(c.modules), strings.Join(distinct(c.targets), ", ")))
	}
	for _, what := range distinct(c.instead) {
		list = append(list, "a GPU like the device runs other code: exec replaces "+what)
	}
	if len(c.without) > 0 {
		list = append(list, fmt.Sprintf("%smachine code without PTX, from objects that were compiled without -lineinfo: %s",
			report.Unchecked, report.Functions(c.without)))
	}
	return list
}

func distinct(list []string) []string { return slices.Compact(slices.Sorted(slices.Values(list))) }
