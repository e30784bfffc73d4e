package barracuda

import "github.com/ptxsan/ptxsan/runtime/abi"

// Listener is a Detector of programs that are not instrumented: it implements
// detect.Detector on the events of the emulator.
type Listener struct {
	*Detector
	from *FromEvents
}

// NewListener makes a Listener.
func NewListener(opts Options) (*Listener, error) {
	d, err := New(opts)
	if err != nil {
		return nil, err
	}
	return &Listener{Detector: d, from: NewFromEvents(nil, d.Op)}, nil
}

// SetOrders says which sites acquire and release.
func (l *Listener) SetOrders(o Orders) { l.from.orders = o }

// Event implements detect.Detector.
func (l *Listener) Event(ev *abi.Event) { l.from.Event(ev) }
