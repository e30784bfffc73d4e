// The parallel part of the detector: shards that each consume a queue of accesses.

package barracuda

import (
	"sync"
	"sync/atomic"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/panics"
)

// consumers runs shards, each with its own queue.
type consumers struct {
	shards []*shard
	queues []chan *batch
	next   *batch // being filled
	pool   sync.Pool
	done   panics.Group
}

// batch is work handed to all shards together, with its operations.
type batch struct {
	work  []work
	ops   [batchSize]Op
	users atomic.Int32 // shards that have not finished the batch
}

const (
	batchSize = 128
	depth     = 8 // length of the queue of a shard, in batches
)

// newConsumers makes a shard for each element of spares.
func newConsumers(spares []*spare, r rules) *consumers {
	n := len(spares)
	c := new(consumers)
	for i, s := range spares {
		c.shards = append(c.shards, newShard(i, n, r, s))
	}
	if n == 1 {
		return c
	}
	for i, s := range c.shards {
		q := make(chan *batch, depth)
		c.queues = append(c.queues, q)
		c.done.Go(func() {
			defer func() {
				for range q { // after a panic, which finish hands on; who gives work does not wait for ever
				}
			}()
			for b := range q {
				s.doAll(b.work, 1<<i)
				if b.users.Add(-1) == 0 {
					c.pool.Put(b)
				}
			}
		})
	}
	return c
}

// all gives work to all shards.
func (c *consumers) all(kind Kind, cluster uint64) {
	c.give(&work{kind: kind, op: &Op{Kind: kind, Cluster: cluster}, shards: ^uint64(0)})
}

// access gives an access to the shards that own its pages.
func (c *consumers) access(w *work) {
	n := uint64(len(c.shards))
	if n == 1 {
		c.shards[0].do(w)
		return
	}
	op, cluster := w.op, uint64(0)
	if op.Space == abi.SpaceShared {
		cluster = op.Cluster
	}
	last := ^uint64(0)
	for m := op.Mask; m != 0; m &= m - 1 {
		addr := op.Addr[first(m)]
		from, pages := addr>>pageBits, (addr&(pageBytes-1)+uint64(op.Bytes)-1)>>pageBits+1
		if pages == 1 && from == last {
			continue
		}
		for p := range pages {
			last = (from + p) & (1<<(64-pageBits) - 1) // behind the last page comes the first
			w.shards |= 1 << shardOf(last, cluster, n)
		}
	}
	c.give(w)
}

// give hands work to its shards. It copies the operation.
func (c *consumers) give(w *work) {
	if len(c.shards) == 1 {
		c.shards[0].do(w)
		return
	}
	b := c.next
	if b == nil {
		b = c.buffer()
		c.next = b
	}
	n := len(b.work)
	b.work = append(b.work, *w)
	b.ops[n] = *w.op
	b.work[n].op = &b.ops[n]
	if n+1 == batchSize {
		c.send()
	}
}

// send hands the current batch to all shards.
func (c *consumers) send() {
	b := c.next
	c.next = nil
	b.users.Store(int32(len(c.shards)))
	for _, q := range c.queues {
		q <- b
	}
}

func (c *consumers) buffer() *batch {
	if b, ok := c.pool.Get().(*batch); ok {
		b.work = b.work[:0]
		return b
	}
	return &batch{work: make([]work, 0, batchSize)}
}

// finish waits until all work is done.
func (c *consumers) finish() {
	if c.next != nil {
		c.send()
	}
	for _, q := range c.queues {
		close(q)
	}
	c.done.Wait()
	c.queues = nil
	for _, s := range c.shards {
		for _, m := range s.grids {
			s.forgetAll(m)
		}
		s.grids = nil
	}
}
