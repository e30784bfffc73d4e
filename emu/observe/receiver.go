// The destination of events for a detector: its receiver, directly or on another goroutine, or none.

package observe

import (
	"context"

	"github.com/ptxsan/ptxsan/emu/observe/internal/relay"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Beside runs the receiver on a separate goroutine, concurrently with the emulator, from the next launch on. It gets
// the same events in the same order, but later: it must not be used otherwise during a launch, nor after it before Wait
// has returned.
func (e *Events) Beside() {
	e.beside = relay.To(e.receiver)
	e.to = e.beside
}

// Until has accesses of the next launch dropped that the receiver, if it runs on a separate goroutine, has not got when
// the launch's context is done.
func (e *Events) Until(ctx context.Context) {
	if e.beside != nil {
		e.beside.Until(ctx)
	}
}

// Wait returns when the receiver has got all events so far.
func (e *Events) Wait() {
	if e.beside != nil {
		e.beside.Wait()
	}
}

// Mute discards the events of the next launches, or passes them to the receiver again. The accesses of muted launches
// still cost time; IgnoreSites avoids that.
func (e *Events) Mute(on bool) {
	switch {
	case on:
		e.to = nowhere{}
	case e.beside != nil:
		e.to = e.beside
	default:
		e.to = e.receiver
	}
}

// nowhere discards all events.
type nowhere struct{}

func (nowhere) Event(*abi.Event)    {}
func (nowhere) Accesses(*abi.Batch) {}
