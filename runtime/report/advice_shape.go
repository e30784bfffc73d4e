// Shapes of findings: what their accesses have in common, as far as advice depends on it.

package report

import (
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/detect"
)

// shape summarises the accesses of a finding.
type shape struct {
	oneLine       bool // both accesses of each race are in one statement: one line, and not two lines of a library that the statement calls
	reads, writes bool // a read races with a write, a write with a write
	atomic, check bool
	updates       bool    // threads load the element, compute, and store it
	scatters      bool    // a store is to another element than the load of the same statement
	signalled     bool    // in each race, the first thread signals the second that it may continue: an order of the two is intended
	marks         bool    // all stores store one value, the same in all threads
	again         bool    // a store is followed by an access that it races with
	prepares      bool    // a plain store precedes atomic operations on the element
	initialised   int     // the largest number of initialising accesses in one race
	ended         bool    // one access of each race ends the object
	plain         bool    // all accesses are loads and stores of the threads
	unread        bool    // the threads of each race do the same, since the kernel does not read the index in which they differ
	widest        *Race   // the race of the most distant threads
	load, store   *Access // of a race of a read and a write
	stores        []*Access
}

func shapeOf(parts []*Race) shape {
	s := shape{
		oneLine: true, signalled: true, marks: true, prepares: true, updates: true, ended: true, plain: true, unread: true,
		widest: slices.MinFunc(parts, func(a, b *Race) int { return width(a) - width(b) }),
	}
	for _, x := range parts {
		a, b := &x.First, &x.Second
		s.oneLine = s.oneLine && a.at() == b.at() && !apartInLibrary(a.Source, b.Source)
		s.atomic = s.atomic || a.Access == "atomic" || b.Access == "atomic"
		s.check = s.check || x.Checks
		s.updates = s.updates && x.Updates != nil
		s.scatters = s.scatters || x.Scatters
		s.signalled = s.signalled && x.Awaits && (x.Cause == detect.MissingFence || x.Cause == detect.WeakOutcome ||
			x.Cause == detect.InsufficientFenceScope)
		s.marks = s.marks && x.Marks
		s.again = s.again || x.Again
		s.prepares = s.prepares && x.Prepares
		s.ended = s.ended && (a.Ends || b.Ends)
		s.plain = s.plain && a.plain() && b.plain()
		s.unread = s.unread && len(x.Unread) > 0 && !x.ordered()
		n := 0
		for _, side := range []*Access{a, b} {
			if side.Initialises {
				n++
			}
		}
		s.initialised = max(s.initialised, n)
		switch {
		case a.writes() && b.writes():
			s.writes = true
		case a.writes():
			s.reads, s.load, s.store = true, b, a
			s.stores = append(s.stores, a)
		default:
			s.reads, s.load, s.store = true, a, b
			s.stores = append(s.stores, b)
		}
	}
	return s
}

// plain reports whether an access is a load or store of the thread itself, which its next instructions can be part of.
func (a *Access) plain() bool {
	word, _, _ := strings.Cut(a.Instruction, ".")
	return (word == "ld" || word == "ldu" || word == "st" || a.Instruction == "") &&
		!strings.Contains(a.Instruction, ".async")
}

// weak reports whether an access is a load or store without strong semantics.
func (a *Access) weak() bool {
	strong := func(word string) bool { return slices.Contains(strongWords, word) }
	return a.plain() && !slices.ContainsFunc(strings.Split(a.Instruction, "."), strong)
}

// strongWords make a load or store strong.
var strongWords = []string{"volatile", "relaxed", "acquire", "release", "mmio"}

// ordered reports whether a race is between threads that communicate, and lacks a fence or scope: its accesses need an
// order, and nothing is lost if they have one.
func (x *Race) ordered() bool {
	switch x.Cause {
	case detect.MissingFence, detect.WeakOutcome, detect.InsufficientFenceScope, detect.InsufficientAtomicScope,
		detect.MissingLock:
		return true
	}
	return false
}

// apartInLibrary reports whether two places are different lines of headers of the toolkit, such as those of CUB: one
// statement that calls it may make the two accesses at different times.
func apartInLibrary(a, b *Source) bool {
	if a == nil || b == nil || a.File == b.File && a.Line == b.Line {
		return false
	}
	return inToolkit(a.File) && inToolkit(b.File)
}
