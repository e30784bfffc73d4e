// Where the events for a detector go: to its receiver, there on another goroutine, or nowhere.

package observe

import (
	"github.com/ptxsan/ptxsan/emu/observe/internal/relay"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Beside has the receiver work on a goroutine of its own, beside the emulator, from the next launch on. It is given the same as
// before, in the same order, but later: nobody may use it otherwise during a launch, nor after it before Wait has returned.
func (e *Events) Beside() {
	e.beside = relay.To(e.receiver)
	e.to = e.beside
}

// Wait returns when the receiver has been given all events so far.
func (e *Events) Wait() {
	if e.beside != nil {
		e.beside.Wait()
	}
}

// Mute has the events of the next launches go nowhere, or to the receiver again. Who is not
// interested in a launch of a module pays for its accesses even so; IgnoreSites avoids that.
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

// nowhere receives what nobody is interested in.
type nowhere struct{}

func (nowhere) Event(*abi.Event)    {}
func (nowhere) Accesses(*abi.Batch) {}
