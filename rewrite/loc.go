// Source locations of instructions, with inlined calls.

package rewrite

import "github.com/ptxsan/ptxsan/ptxgrammar"

// locState follows .loc directives through a function.
type locState struct {
	mod  *Module
	cur  *SourceLoc
	seen map[ptxgrammar.LocAt]*SourceLoc // last location with these coordinates
}

// maxInlining bounds the chain of a SourceLoc.
const maxInlining = 64

// enter makes a .loc the location in force. Line 0 means that the compiler knows
// none, but for where the code is inlined. The place that a location is inlined at may itself be inlined: compilers
// write its own .loc first, with the same coordinates.
func (s *locState) enter(a *ptxgrammar.Loc) {
	if a.Line == 0 {
		s.cur = s.outer(a.InlinedAt)
		return
	}
	loc := &SourceLoc{File: s.mod.files[a.File], Line: a.Line, Col: a.Col}
	loc.InlinedAt = s.outer(a.InlinedAt)
	if s.seen == nil {
		s.seen = make(map[ptxgrammar.LocAt]*SourceLoc)
	}
	s.seen[ptxgrammar.LocAt{File: a.File, Line: a.Line, Col: a.Col}] = loc
	s.cur = loc
}

// outer is the location that code is inlined at, nil when it is not or when that is not known.
func (s *locState) outer(at *ptxgrammar.LocAt) *SourceLoc {
	if at == nil || at.Line == 0 {
		return nil
	}
	if loc := s.seen[*at]; loc != nil && loc.depth() < maxInlining {
		return loc
	}
	return &SourceLoc{File: s.mod.files[at.File], Line: at.Line, Col: at.Col}
}

func (s *SourceLoc) depth() int {
	n := 0
	for ; s != nil; s = s.InlinedAt {
		n++
	}
	return n
}
