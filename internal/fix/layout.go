// Where the edits of a repair go in the CUDA source.

package fix

import (
	"github.com/ptxsan/ptxsan/internal/fix/repair"
	"github.com/ptxsan/ptxsan/internal/fix/source"
)

// layout says where edits go in the source: nowhere with no source.Spot.
type layout map[*repair.Edit][]source.Spot

// with returns the layout with other places for an edit.
func (l layout) with(e *repair.Edit, at ...source.Spot) layout {
	other := layout{e: at}
	for x, places := range l {
		if x != e {
			other[x] = places
		}
	}
	return other
}

// editSource returns a CUDA source file with the edits that have a form there, and the other edits. Forms have
// statements that are inserted, scopes, the text of asm statements, conditions before a call, and updates of one line
// that become atomic.
func (r *Result) editSource(name string, src []byte, places layout) (text string, left []*repair.Edit) {
	s := source.New(name, string(src))
	for _, e := range r.Edits {
		if !s.Edit(e, places[e]) {
			left = append(left, e)
		}
	}
	return s.Text(), left
}

// layouts returns ways to place the edits in the source: all at their likeliest places, then one of them at another.
func (r *Result) layouts(s *source.File) []layout {
	first := make(layout)
	others := make(map[*repair.Edit][][]source.Spot)
	for _, e := range r.Edits {
		if list := r.places(s, e); len(list) > 0 {
			first[e], others[e] = list[0], list[1:]
		}
	}
	list := []layout{first}
	for _, e := range r.Edits {
		for _, at := range others[e] {
			list = append(list, first.with(e, at...))
		}
	}
	return list
}
