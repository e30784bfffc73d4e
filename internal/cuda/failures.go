// Failed calls of CUDA's APIs.

package cuda

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/report"
)

// Failure is a call of an application that has failed.
type Failure struct {
	Thread     uint64
	Result     Result
	Name, Text string // of the result, as in CUDA
	Why        string // the reason, "" if it is not known
	In         In
}

// failures are the failed calls of a process.
type failures struct {
	list   []*failureCount
	last   map[uint64]*failureCount // by thread, the call that failed last
	unread map[uint64]*failureCount // by thread, the call whose error is the last error of the runtime API, until the program reads it
}

// failureCount is the failed executions of one call with one error.
type failureCount struct {
	at         place
	result     Result
	event      *report.FaultEvent
	handled    uint64 // executions after which the program has read the error
	executions uint64
}

// answers are errors that answer a question of the program, by the name of the function: such calls have not failed.
var answers = map[Result]string{
	InvalidValue:   "cudaPointerGetAttributes cuPointerGetAttribute cuPointerGetAttributes",
	InvalidContext: "cuCtxGetDevice",
	NotFound: "cuMemGetAddressRange cuGetProcAddress cudaGetDriverEntryPoint cudaGetDriverEntryPointByVersion cuModuleGetFunction cuModuleGetGlobal " +
		"cuModuleGetTexRef cuModuleGetSurfRef cuLibraryGetKernel cuLibraryGetGlobal cuLibraryGetManaged",
	NotSupported:             "cuGetExportTable",
	PeerAccessAlreadyEnabled: "cudaDeviceEnablePeerAccess cuCtxEnablePeerAccess",
	PeerAccessNotEnabled:     "cudaDeviceDisablePeerAccess cuCtxDisablePeerAccess",
}

// isAnswer reports whether an error is an answer of a function, in any of its versions.
func isAnswer(function string, r Result) bool {
	base, _, _ := strings.Cut(function, "_")
	for _, name := range strings.Fields(answers[r]) {
		if name == base {
			return true
		}
	}
	return r == NotReady
}

// Failed records that a call of the application has failed.
func (p *Process) Failed(x Failure) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f := &p.faults.calls
	at := p.sites.placeOf(x.In.Path)
	if p.unwatched || isAnswer(at.call.Function, x.Result) {
		return
	}
	if l := f.last[x.Thread]; l != nil && l.result == x.Result && l.at.outside == at.outside && l.at.depth > at.depth {
		return // the call of one function by another one of the library, which has been recorded
	}
	e := f.entry(at, x)
	e.executions++
	if f.last == nil {
		f.last, f.unread = make(map[uint64]*failureCount), make(map[uint64]*failureCount)
	}
	f.last[x.Thread] = e
	if strings.HasPrefix(x.Name, "cuda") {
		f.unread[x.Thread] = e
	}
}

// entry returns the record of a call.
func (f *failures) entry(at place, x Failure) *failureCount {
	for _, e := range f.list {
		if e.at.outside == at.outside && e.at.call.Function == at.call.Function && e.result == x.Result {
			return e
		}
	}
	function := cmp.Or(at.call.Function, "a call")
	call := at.call
	e := &failureCount{at: at, result: x.Result, event: &report.FaultEvent{
		Class: report.APIClass, Call: &call, Source: call.Source, Error: x.Name,
		Message: fmt.Sprintf("%s returned %s (error %d, %s)", function, x.Name, x.Result, x.Text),
	}}
	if x.Why != "" {
		e.event.Message += ": " + x.Why
	}
	if x.Result == NotSupported {
		e.event.Severity = report.Warning // the device here lacks it, perhaps not a GPU
	}
	f.list = append(f.list, e)
	return e
}

// Handled records that the program has read the last error of a thread. Errors that another one has replaced before
// stay unread.
func (p *Process) Handled(thread uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e := p.faults.calls.unread[thread]; e != nil {
		e.handled++
	}
	delete(p.faults.calls.unread, thread)
	delete(p.faults.calls.last, thread)
}

// events returns a fault for each call: for its executions that the program has handled and for others separately.
func (f *failures) events() (list []*report.FaultEvent) {
	for _, e := range f.list {
		for _, n := range []struct {
			count   uint64
			handled bool
		}{{e.executions - e.handled, false}, {e.handled, true}} {
			if n.count > 0 {
				event := *e.event
				event.Count, event.Handled = n.count, n.handled
				list = append(list, &event)
			}
		}
	}
	return list
}

// Why returns the reason of an unsuccessful outcome, "" if err is none.
func Why(err error) string {
	if e := (*Error)(nil); errors.As(err, &e) {
		return e.Why
	}
	return ""
}
