// Deadlocks between streams: every resident kernel polls memory, every collective operation waits for other ranks, no
// other operation can begin, and all host threads wait.

package cuda

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/order"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// Deadlocked ends a deadlock; hosts has what each waiting host thread waits for, as text. If streams wait for values
// (cuStreamWaitValue32), it ends those waits, and the kernels go on; if host threads wait for ranks to join a
// communicator, these calls fail. Otherwise it ends the polling kernels with livelock faults and the collective
// operations with deadlock faults, whose messages list each kernel, operation and host thread with what it waits for.
func (q *Pending) Deadlocked(hosts []string) {
	values := func(o *Operation) bool { return o.look != nil && o.Kernel == "" && o.WaitsFor == nil }
	others := func(o *Operation) bool { return o.look != nil && !values(o) }
	if q.p.abandonRanks() || q.giveUp(values) {
		return
	}
	stuck, queued := slices.Clone(q.list), q.describeQueued()
	stuck = slices.DeleteFunc(stuck, func(o *Operation) bool { return !others(o) })
	all := make([]string, len(stuck))
	for i, o := range stuck {
		if o.WaitsFor != nil {
			all[i] = o.WaitsFor()
		}
	}
	q.giveUp(others)
	if len(stuck) == 1 && len(queued) == 0 { // the fault says it all
		return
	}
	for i, o := range stuck {
		if o.WaitsFor == nil { // by now it has a fault
			all[i] = o.polls(q.p)
		}
	}
	all = slices.Concat(all, queued, hosts)
	for i, o := range stuck {
		if o.fault == nil {
			continue
		}
		list := all
		if o.fault.Message == all[i] { // it says so already
			list = slices.Delete(slices.Clone(all), i, i+1)
		}
		o.fault.Message += "; deadlock of streams: " + strings.Join(list, ", ")
	}
}

// giveUp tells resident operations that nothing can change what they wait for. It reports whether there were any.
func (q *Pending) giveUp(which func(*Operation) bool) (any bool) {
	for _, o := range slices.Clone(q.list) {
		if which(o) {
			for o.over, any = true, true; !q.goesOn(o); {
			}
			q.remove(o)
		}
	}
	return any
}

// StoppedBy records the fault that has stopped the kernel of an operation.
func (o *Operation) StoppedBy(f *report.FaultEvent) { o.fault = f }

// polls says where a kernel waits.
func (o *Operation) polls(p *Process) string {
	text := fmt.Sprintf("kernel %s in %s waits for memory", o.Kernel, p.StreamName(o.Stream))
	if o.fault != nil {
		text += " at " + lineOf(o.fault.Source, o.fault.PTX)
	}
	return text
}

// lineOf names a line of the source, or of PTX without one.
func lineOf(source *report.Source, ptx report.Place) string {
	if source == nil {
		return fmt.Sprintf("%s:%d", ptx.File, ptx.Line)
	}
	own := source.Own()
	return fmt.Sprintf("%s:%d", path.Base(own.File), own.Line)
}

// mostQueued is how many queued operations a message lists.
const mostQueued = 16

// describeQueued says what waits for the end of other operations.
func (q *Pending) describeQueued() (list []string) {
	more := 0
	for i, o := range q.list {
		if o.look != nil || o.begun {
			continue
		}
		switch e := q.before(o, i); {
		case e == nil:
		case len(list) == mostQueued:
			more++
		default:
			list = append(list, fmt.Sprintf("%s in %s waits for the end of %s", o.Text, q.p.StreamName(o.Stream), e.name()))
		}
	}
	if more > 0 {
		list = append(list, fmt.Sprintf("%d more wait for these", more))
	}
	return list
}

// name names an operation.
func (o *Operation) name() string {
	if o.Kernel != "" {
		return "kernel " + o.Kernel
	}
	return o.Text
}

// StreamName names a stream in reports.
func (p *Process) StreamName(s order.Stream) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.streams.name(s)
}

// OfDevice says of which device something is, "" in programs with one device.
func (p *Process) OfDevice(d order.Device) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.streams.ofDevice(d)
}

// KernelName returns the name of a kernel for reports, "" if there is none.
func (p *Process) KernelName(id uint64) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if k := p.modules.kernels[id]; k != nil {
		return report.Demangle(k.Name)
	}
	return ""
}

// heard reports whether a launch has seen, since the last call, what another kernel has written for it.
func (p *Process) heard() (heard bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	heard, p.streams.heard = p.streams.heard, false
	return heard
}

// relies records that a kernel has waited for another one that had begun beside it.
func (p *Process) relies(kernel string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !slices.Contains(p.reliant, kernel) {
		p.reliant = append(p.reliant, kernel)
	}
}

// reliantNote says which kernels rely on others beside them.
func reliantNote(kernels []string) string {
	return "waited for other kernels beside them: " + strings.Join(kernels, ", ") +
		"; CUDA does not guarantee that kernels of different streams run at the same time " +
		"(CUDA Programming Guide, \"Streams\")"
}
