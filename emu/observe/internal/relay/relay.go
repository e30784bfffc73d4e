// Package relay runs a receiver of events on a separate goroutine, concurrently with the producer. The receiver gets
// the same events in the same order. The package does not interpret events.
package relay

import (
	"context"
	"sync/atomic"

	"github.com/ptxsan/ptxsan/emu/internal/crew"
	"github.com/ptxsan/ptxsan/internal/panics"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Relay is a Receiver that passes copies of its events to another one, later and on another goroutine. That receiver
// must not be used otherwise before Wait has returned. The methods of a Relay must be called by one goroutine.
type Relay struct {
	to      abi.Receiver
	filling *chunk         // chunk being filled, nil if there is none
	ring    [chunks]*chunk // chunks that have been sent
	sent    atomic.Uint64  // number of chunks sent; the last one is before ring[sent%chunks]
	given   atomic.Uint64  // number of these that have been delivered
	made    uint64         // number of chunks made
	reused  uint64         // number of delivered chunks that have been reused
	works   atomic.Bool    // a goroutine is delivering chunks
	sleeps  atomic.Bool    // the producer sleeps until it is woken
	wake    chan struct{}
	failed  any // value of the receiver's panic
	until   context.Context
}

// chunks is the maximum number of chunks, and so of chunks that wait for delivery. Most launches need few.
const chunks = 16

// To makes a Relay to a receiver.
func To(to abi.Receiver) *Relay {
	return &Relay{to: to, wake: make(chan struct{}, 1), until: context.Background()}
}

// Until has accesses dropped that have not been delivered when a context is done: many may wait, and a receiver may
// take long for each. Events are delivered. It must be called between launches.
func (r *Relay) Until(ctx context.Context) { r.until = ctx }

// Event implements abi.Receiver.
func (r *Relay) Event(ev *abi.Event) { r.room().event(ev) }

// Accesses implements abi.Receiver.
func (r *Relay) Accesses(b *abi.Batch) { r.room().accesses(b) }

// Wait returns when everything has been delivered. The caller delivers a chunk that is not full, so that short launches
// need no other goroutine. If the receiver has panicked, Wait panics.
func (r *Relay) Wait() {
	r.await(0)
	if r.failed != nil {
		panic(r.failed)
	}
	if c := r.filling; c != nil {
		defer c.clear()
		c.deliver(r.to, r.until)
	}
}

// room returns a chunk with room for an item.
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

// send queues the full chunk for delivery.
func (r *Relay) send() {
	sent := r.sent.Load()
	r.ring[sent%chunks] = r.filling
	r.sent.Store(sent + 1)
	if r.works.CompareAndSwap(false, true) {
		go r.work()
	}
}

// empty returns a delivered or new chunk. If all are waiting for delivery, it waits until half of them have been
// delivered: waking it for each would cost the receiver's goroutine as much time as the delivery.
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

// left returns the number of chunks that wait for delivery.
func (r *Relay) left() uint64 { return r.sent.Load() - r.given.Load() }

// await waits until at most the given number of chunks is left: 0 or chunks/2.
func (r *Relay) await(left uint64) {
	crew.Soon(func() bool { return r.left() <= left })
	for r.left() > left {
		r.sleeps.Store(true)
		if r.left() > left || !r.sleeps.CompareAndSwap(true, false) {
			<-r.wake
		}
	}
}

// work delivers chunks until no more come.
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

// give delivers a chunk.
func (r *Relay) give() {
	c := r.ring[r.given.Load()%chunks]
	if r.failed == nil {
		r.failed = panics.Attempt(func() { c.deliver(r.to, r.until) })
	}
	c.clear()
	r.given.Add(1)
	if left := r.left(); (left == 0 || left == chunks/2) && r.sleeps.CompareAndSwap(true, false) {
		r.wake <- struct{}{}
	}
}
