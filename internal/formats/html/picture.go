// The picture of a race: the operations of its two threads in the order of time, and the edge between them that is
// missing.

package html

import (
	"unicode/utf8"

	"github.com/ptxsan/ptxsan/runtime/report"
)

// picture is a drawing in units of which it is pictureWidth wide: a vertical line for each thread, from top to bottom
// in time.
type picture struct {
	Height  int
	Events  []event
	Message *edge // from the operation that publishes the first access to the one that observes it
	Missing edge  // from the first access, or what follows it, to the second
}

// event is an operation of one of the two threads.
type event struct {
	Thread      int // 1 or 2
	Y           int
	What, Where string
}

// edge leads from the first thread to the second one.
type edge struct{ From, To int }

// Middle returns where the label of the edge stands.
func (e edge) Middle() int { return (e.From + e.To) / 2 }

// Sizes of a picture; page.html has its width.
const (
	top     = 32
	step    = 40
	longest = 20 // characters that fit beside the line of a thread
)

// draw returns the picture of a race.
func draw(x *report.Race) *picture {
	p := &picture{Height: top}
	p.add(1, x.First.Access, x.First.Instruction, x.First.At())
	p.Missing.From = p.Events[0].Y
	for _, o := range []*report.Operation{x.Fence, x.Publish} {
		if o != nil {
			p.add(1, "", o.Instruction, o.At())
		}
	}
	published := p.Events[len(p.Events)-1].Y
	p.Height += step / 2
	if o := x.Observe; o != nil {
		p.add(2, "", o.Instruction, o.At())
		if x.Publish != nil {
			p.Message = &edge{published, p.Events[len(p.Events)-1].Y}
		}
	}
	p.add(2, x.Second.Access, x.Second.Instruction, x.Second.At())
	p.Missing.To = p.Events[len(p.Events)-1].Y
	p.Height -= step / 4
	return p
}

// add adds an operation below the others.
func (p *picture) add(thread int, access, instruction, where string) {
	if instruction == "" {
		instruction = access
	}
	p.Events = append(p.Events, event{thread, p.Height, short(instruction), short(where)})
	p.Height += step
}

// short cuts a text to what fits into the picture.
func short(s string) string {
	if n := utf8.RuneCountInString(s); n > longest {
		r := []rune(s)
		return "…" + string(r[n-longest+1:])
	}
	return s
}
