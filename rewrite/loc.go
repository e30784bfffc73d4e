// Source locations of instructions, with inlined calls.

package rewrite

import (
	"bytes"
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar"
)

// locState tracks .loc directives through a function.
type locState struct {
	mod  *Module
	cur  *SourceLoc
	seen map[ptxgrammar.LocAt]*calls

	last    *SourceLoc       // location of the last .loc of a known line
	lastAt  ptxgrammar.LocAt // its coordinates
	unknown bool             // a .loc of line 0 is in force

	read     uint32 // offset in the source up to which comments have been read
	assembly bool   // the .loc directives are of one asm statement
}

// LLVM writes these comments around the text of an asm statement.
var beginsAssembly, endsAssembly = []byte("// begin inline asm"), []byte("// end inline asm")

// isCounted reports whether a .loc only counts the lines of an asm statement: LLVM writes one before each line of its
// text, of which the first has the place of the statement, and the others lines below it.
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

// calls is the locations with the same coordinates, in the order of their first .loc: code of one line, inlined by
// different calls.
type calls struct {
	list []*SourceLoc
	now  int                       // the one that was referred to last
	code map[ptxgrammar.LocAt]bool // what it has inlined since then
}

// maxLocations limits the locations of calls.
const maxLocations = 64

// add makes a location that a .loc gives the current one.
func (c *calls) add(loc *SourceLoc) {
	c.code = make(map[ptxgrammar.LocAt]bool)
	if c.now = slices.IndexFunc(c.list, loc.equal); c.now < 0 {
		if len(c.list) == maxLocations {
			c.list = c.list[1:]
		}
		c.list, c.now = append(c.list, loc), len(c.list)
	}
}

// at returns the location at which code is inlined behind the location last. Compilers write the chain of a location
// once. Later it is that of the last location, if this is part of it, or else of the current one, until this inlines
// the same code again: copies of code call in the same order.
func (c *calls) at(code ptxgrammar.LocAt, last *SourceLoc) *SourceLoc {
	if len(c.list) == 1 {
		return c.list[0]
	}
	part := func(l *SourceLoc) bool { return l.within(last) }
	switch i := slices.IndexFunc(c.list, part); {
	case i < 0 && c.code[code]:
		c.next()
	case i >= 0 && !part(c.list[c.now]):
		c.now = i
		fallthrough
	case i >= 0:
		c.code = make(map[ptxgrammar.LocAt]bool)
	}
	c.code[code] = true
	return c.list[c.now]
}

// next makes the next location with the same outermost call the current one.
func (c *calls) next() {
	root := c.list[c.now].root()
	for range c.list {
		if c.now = (c.now + 1) % len(c.list); c.list[c.now].root().equal(root) {
			break
		}
	}
	c.code = make(map[ptxgrammar.LocAt]bool)
}

// equal reports whether two locations have the same coordinates and calls.
func (s *SourceLoc) equal(o *SourceLoc) bool {
	for s != nil && o != nil && s != o {
		if s.File != o.File || s.Line != o.Line || s.Col != o.Col {
			return false
		}
		s, o = s.InlinedAt, o.InlinedAt
	}
	return s == o
}

// within reports whether a location is one of the calls of another, or the same.
func (s *SourceLoc) within(call *SourceLoc) bool {
	for ; s != nil && call != nil; s = s.InlinedAt {
		if s.equal(call) {
			return true
		}
	}
	return false
}

// root returns the outermost call.
func (s *SourceLoc) root() *SourceLoc {
	for s.InlinedAt != nil {
		s = s.InlinedAt
	}
	return s
}

// enter makes a .loc the current location. In line 0, which means unknown, only the place of inlining counts. That
// place may be inlined itself: compilers write its own .loc first, with the same coordinates. LLVM, on which nvcc is
// based, repeats a location after a .loc of line 0 without its place of inlining.
func (s *locState) enter(a *ptxgrammar.Loc) {
	if s.isCounted(a) {
		return
	}
	if a.Line == 0 {
		s.cur, s.unknown = s.outer(a.InlinedAt, ptxgrammar.LocAt{}), true
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
	loc.InlinedAt = s.outer(a.InlinedAt, at)
	if s.seen == nil {
		s.seen = make(map[ptxgrammar.LocAt]*calls)
	}
	if s.seen[at] == nil {
		s.seen[at] = &calls{}
	}
	s.seen[at].add(loc)
	s.last, s.lastAt = loc, at
	s.cur = loc
}

// outer returns the location at which code is inlined, nil if it is not inlined or the location is unknown.
func (s *locState) outer(at *ptxgrammar.LocAt, code ptxgrammar.LocAt) *SourceLoc {
	if at == nil || at.Line == 0 {
		return nil
	}
	if c := s.seen[*at]; c != nil {
		if loc := c.at(code, s.last); loc.depth() < maxInlining {
			return loc
		}
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
