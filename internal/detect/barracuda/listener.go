// The detector of uninstrumented programs, which listens to events of the emulator.

package barracuda

import (
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// Listener is a Detector of uninstrumented programs: it implements detect.Detector on the events of the emulator.
type Listener struct {
	*Detector
	from   *FromEvents
	trace  *Writer // nil for none
	unused bool    // Options.Unused
}

// NewListener makes a Listener.
func NewListener(opts Options) (*Listener, error) {
	d, err := New(opts)
	if err != nil {
		return nil, err
	}
	l := &Listener{Detector: d, unused: opts.Unused}
	l.from = NewFromEvents(nil, l.op)
	return l, nil
}

// Record writes the following launches to a trace file, which the caller closes.
func (l *Listener) Record(w *Writer) { l.trace = w }

func (l *Listener) op(op *Op) {
	if l.trace != nil {
		l.trace.Op(op)
	}
	l.Op(op)
}

// Begin implements detect.Detector.
func (l *Listener) Begin(launch detect.Launch) {
	if l.trace != nil {
		l.trace.Begin(&launch)
	}
	l.Detector.Begin(launch)
}

// End implements detect.Detector.
func (l *Listener) End() []detect.Race {
	if l.trace != nil {
		l.trace.End()
	}
	return l.Detector.End()
}

// SetOrders sets the acquire and release of each site.
func (l *Listener) SetOrders(o Orders) { l.from.setOrders(o) }

// Needs implements detect.Selective.
func (l *Listener) Needs() abi.Needs {
	return abi.Needs{Values: true, Shared: true, Branches: true, Used: !l.unused, NoPasses: true}
}

// Event implements detect.Detector.
func (l *Listener) Event(ev *abi.Event) { l.from.Event(ev) }

// Accesses implements detect.Detector.
func (l *Listener) Accesses(b *abi.Batch) { l.from.Accesses(b) }
