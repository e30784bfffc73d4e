// Chunks: copies of events and batches that are passed on together.

package relay

import (
	"context"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// chunk holds copies of events and batches for a receiver.
type chunk struct {
	order   []kind
	briefs  []abi.Brief // events without data of single lanes
	events  []abi.Event // the others
	batches []abi.Batch
	list    []abi.Access // of the batches
	loops   []abi.Loop   // of the batches
	rows    []row        // addresses and values of accesses
}

// kind is the list of a chunk that the next item is in.
type kind uint8

const (
	brief kind = iota
	event
	batch
)

// row has a value for each lane.
type row = [abi.WarpLanes]uint64

// Limits of a chunk, which is full at one of them and takes up to 150 KB. A batch may exceed them.
const (
	fullBriefs   = 256
	fullEvents   = 16
	fullBatches  = 256
	fullAccesses = 512
	fullRows     = 256
)

// Additional capacity for such a batch; larger ones grow it.
const (
	moreAccesses = 256
	moreRows     = 150
)

func newChunk() *chunk {
	return &chunk{
		order:  make([]kind, 0, fullBriefs+fullEvents+fullBatches),
		briefs: make([]abi.Brief, 0, fullBriefs), events: make([]abi.Event, 0, fullEvents),
		batches: make([]abi.Batch, 0, fullBatches),
		list:    make([]abi.Access, 0, fullAccesses+moreAccesses), rows: make([]row, 0, fullRows+moreRows),
	}
}

func (c *chunk) isFull() bool {
	return len(c.batches) >= fullBatches || len(c.list) >= fullAccesses || len(c.rows) >= fullRows ||
		len(c.briefs) >= fullBriefs || len(c.events) >= fullEvents
}

// event adds an event.
func (c *chunk) event(ev *abi.Event) {
	if b := ev.Brief(); b != nil {
		c.order, c.briefs = append(c.order, brief), append(c.briefs, *b)
		return
	}
	c.order, c.events = append(c.order, event), append(c.events, *ev)
}

// accesses adds a batch.
func (c *chunk) accesses(b *abi.Batch) {
	c.order, c.batches = append(c.order, batch), append(c.batches, *b)
	from := len(c.list)
	c.list = append(c.list, b.List...)
	list := c.list[from:]
	loops := len(c.loops)
	c.loops = append(c.loops, b.Loops...)
	c.batches[len(c.batches)-1].List, c.batches[len(c.batches)-1].Loops = list, c.loops[loops:]
	for i := range list {
		a := &list[i]
		a.Addr, a.New, a.Old, a.Ages = c.row(a.Addr), c.row(a.New), c.row(a.Old), c.row(a.Ages)
	}
}

// row returns a copy of a row with a stable address; nil for nil.
func (c *chunk) row(r *row) *row {
	if r == nil {
		return nil
	}
	if len(c.rows) == cap(c.rows) {
		c.rows = make([]row, 0, cap(c.rows))
	}
	c.rows = append(c.rows, *r)
	return &c.rows[len(c.rows)-1]
}

// deliver passes everything to a receiver, but no accesses once the context is done.
func (c *chunk) deliver(to abi.Receiver, until context.Context) {
	var ev abi.Event
	briefs, events, batches := c.briefs, c.events, c.batches
	for _, k := range c.order {
		switch k {
		case brief:
			ev.SetBrief(&briefs[0])
			to.Event(&ev)
			briefs = briefs[1:]
		case event:
			to.Event(&events[0])
			events = events[1:]
		case batch:
			if until.Err() == nil {
				to.Accesses(&batches[0])
			}
			batches = batches[1:]
		}
	}
}

// clear empties the chunk.
func (c *chunk) clear() {
	c.order, c.briefs, c.events, c.batches = c.order[:0], c.briefs[:0], c.events[:0], c.batches[:0]
	c.list, c.loops, c.rows = c.list[:0], c.loops[:0], c.rows[:0]
}
