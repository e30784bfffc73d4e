// Source locations of instructions, with inlined calls.

package rewrite

import (
	"bytes"

	"github.com/ptxsan/ptxsan/ptxgrammar"
)

// locState tracks .loc directives through a function.
type locState struct {
	mod  *Module
	cur  *SourceLoc
	seen map[ptxgrammar.LocAt]*SourceLoc // last location with these coordinates

	last    *SourceLoc       // location of the last .loc of a known line
	lastAt  ptxgrammar.LocAt // its coordinates
	unknown bool             // a .loc of line 0 is in force

	read     uint32 // offset in the source up to which comments have been read
	assembly bool   // the .loc directives are of one asm statement
}

// LLVM writes these comments around the text of an asm statement.
var beginsAssembly, endsAssembly = []byte("// begin inline asm"), []byte("// end inline asm")

// isCounted reports whether a .loc only counts the lines of an asm statement: LLVM writes one before each line of its text, of which
// the first has the place of the statement, and the others lines below it.
func (s *locState) isCounted(a *ptxgrammar.Loc) bool {
	text := s.mod.Source()[s.read:max(a.Start, s.read)]
	s.read = max(a.Start, s.read)
	begin, end := bytes.LastIndex(text, beginsAssembly), bytes.LastIndex(text, endsAssembly)
	if begin >= 0 || end >= 0 {
		s.assembly = begin > end
		return false
	}
	return s.assembly && a.File == s.lastAt.File && a.Col == s.lastAt.Col && a.Line > s.lastAt.Line
}

// maxInlining limits the length of the chain of a SourceLoc.
const maxInlining = 64

// enter makes a .loc the current location. In line 0, which means unknown, only the place of inlining counts. That place may be
// inlined itself: compilers write its own .loc first, with the same coordinates. LLVM, on which nvcc is based, repeats a location
// after a .loc of line 0 without its place of inlining.
func (s *locState) enter(a *ptxgrammar.Loc) {
	if s.isCounted(a) {
		return
	}
	if a.Line == 0 {
		s.cur, s.unknown = s.outer(a.InlinedAt), true
		return
	}
	at := ptxgrammar.LocAt{File: a.File, Line: a.Line, Col: a.Col}
	repeated := s.unknown && a.InlinedAt == nil && s.last != nil && s.lastAt == at
	s.unknown = false
	if repeated {
		s.cur = s.last
		return
	}
	loc := &SourceLoc{File: s.mod.Files[a.File], Line: a.Line, Col: a.Col}
	loc.InlinedAt = s.outer(a.InlinedAt)
	if s.seen == nil {
		s.seen = make(map[ptxgrammar.LocAt]*SourceLoc)
	}
	s.seen[at], s.last, s.lastAt = loc, loc, at
	s.cur = loc
}

// outer returns the location at which code is inlined, nil if it is not inlined or the location is unknown.
func (s *locState) outer(at *ptxgrammar.LocAt) *SourceLoc {
	if at == nil || at.Line == 0 {
		return nil
	}
	if loc := s.seen[*at]; loc != nil && loc.depth() < maxInlining {
		return loc
	}
	return &SourceLoc{File: s.mod.Files[at.File], Line: at.Line, Col: at.Col}
}

func (s *SourceLoc) depth() int {
	n := 0
	for ; s != nil; s = s.InlinedAt {
		n++
	}
	return n
}
