// Processes that a signal ends.

package cuda

import (
	"fmt"
	"strings"
	"syscall"

	"github.com/ptxsan/ptxsan/runtime/report"
)

// EndedBy says that a signal has ended the application.
func EndedBy(s syscall.Signal) string {
	return fmt.Sprintf("the application was ended by signal %d (%s)", int(s), s)
}

// Crashed records that a signal ends the process, which an instruction in its code has caused.
func (p *Process) Crashed(s syscall.Signal, at Path) {
	p.mu.Lock()
	defer p.mu.Unlock()
	why := EndedBy(s)
	call := p.sites.callAt(at)
	where := (&report.FaultEvent{Call: &call}).CallText()
	f := p.sites.functionAt(at)
	switch {
	case call.Function != "":
		why += " in " + where
	case call.Source != nil:
		why += strings.TrimPrefix(where, "a call")
	case f != "":
		why += " in " + report.Demangle(f)
	}
	p.unchecked.crash = []report.NotChecked{{Why: why + ": what it would have done from then on was not checked"}}
}
