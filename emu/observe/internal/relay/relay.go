// Package relay has a receiver of events work beside those who make them: on a goroutine of its own, which is given the same
// events in the same order. The package must not know what events mean.
package relay

import (
	"fmt"
	"runtime/debug"
	"sync/atomic"

	"github.com/ptxsan/ptxsan/emu/internal/crew"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Relay is a Receiver that hands copies of what it is given to another one, later and on another goroutine. Nobody may use that
// receiver otherwise before Wait has returned. The methods of a Relay are for one goroutine.
type Relay struct {
	to      abi.Receiver
	filling *chunk         // nil when there is none
	ring    [chunks]*chunk // those that have been sent
	sent    atomic.Uint64  // how many; the last one is before ring[sent%chunks]
	given   atomic.Uint64  // of them, how many the receiver has been given
	made    uint64         // chunks
	reused  uint64         // of those that the receiver has been given, how many are filled again
	works   atomic.Bool    // there is a goroutine that gives chunks to the receiver
	sleeps  atomic.Bool    // the producer does, until it is woken
	wake    chan struct{}
	failed  any // what the receiver has panicked with
}

// chunks is how many chunks there are at most: the receiver is never behind by more. Most launches need few.
const chunks = 16

// To makes a Relay to a receiver.
func To(to abi.Receiver) *Relay { return &Relay{to: to, wake: make(chan struct{}, 1)} }

// Event implements abi.Receiver.
func (r *Relay) Event(ev *abi.Event) { r.room().event(ev) }

// Accesses implements abi.Receiver.
func (r *Relay) Accesses(b *abi.Batch) { r.room().accesses(b) }

// Wait returns when the receiver has been given everything. What has not filled a chunk it is given by the caller, so that
// short launches need no other goroutine. If the receiver has panicked, so does Wait.
func (r *Relay) Wait() {
	r.await(0)
	if r.failed != nil {
		panic(r.failed)
	}
	if c := r.filling; c != nil {
		defer c.clear()
		c.deliver(r.to)
	}
}

// room is a chunk with room for something.
func (r *Relay) room() *chunk {
	if r.filling != nil && !r.filling.isFull() {
		return r.filling
	}
	if r.filling != nil {
		r.send()
	}
	r.filling = r.empty()
	return r.filling
}

// send has the receiver be given the chunk that is full.
func (r *Relay) send() {
	sent := r.sent.Load()
	r.ring[sent%chunks] = r.filling
	r.sent.Store(sent + 1)
	if r.works.CompareAndSwap(false, true) {
		go r.work()
	}
}

// empty is a chunk that has been given or is new. When all are waiting to be given, it waits until half of them have been: to be woken
// for each would cost the receiver's goroutine as much as what it is given.
func (r *Relay) empty() *chunk {
	if r.reused == r.given.Load() {
		if r.made < chunks {
			r.made++
			return newChunk()
		}
		r.await(chunks / 2)
	}
	c := r.ring[r.reused%chunks]
	r.reused++
	return c
}

// left is how many chunks the receiver has not been given.
func (r *Relay) left() uint64 { return r.sent.Load() - r.given.Load() }

// await waits until there are no more than so many chunks left: 0 or chunks/2.
func (r *Relay) await(left uint64) {
	crew.Soon(func() bool { return r.left() <= left })
	for r.left() > left {
		r.sleeps.Store(true)
		if r.left() > left || !r.sleeps.CompareAndSwap(true, false) {
			<-r.wake
		}
	}
}

// work gives chunks to the receiver until no more come.
func (r *Relay) work() {
	for {
		for r.left() > 0 {
			r.give()
		}
		if crew.Soon(func() bool { return r.left() > 0 }) {
			continue
		}
		r.works.Store(false)
		if r.left() == 0 || !r.works.CompareAndSwap(false, true) {
			return
		}
	}
}

// give gives a chunk to the receiver.
func (r *Relay) give() {
	c := r.ring[r.given.Load()%chunks]
	if r.failed == nil {
		r.failed = attempt(func() { c.deliver(r.to) })
	}
	c.clear()
	r.given.Add(1)
	if left := r.left(); (left == 0 || left == chunks/2) && r.sleeps.CompareAndSwap(true, false) {
		r.wake <- struct{}{}
	}
}

// attempt calls f and returns what it has panicked with, with the stack, nil if it has not.
func attempt(f func()) (failed any) {
	defer func() {
		if p := recover(); p != nil {
			failed = fmt.Sprintf("%v\n%s", p, debug.Stack())
		}
	}()
	f()
	return nil
}
