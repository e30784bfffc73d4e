// Reading ANTLR's serialised lexer automaton.

package main

import "fmt"

// The serialized form of an ATN, version 4: kinds of states and transitions.
const (
	atnVersion = 4

	stateBlockStart     = 3 // 3, 4 and 5 carry the number of their end state
	statePlusBlockStart = 4
	stateStarBlockStart = 5
	stateRuleStop       = 7
	stateLoopEnd        = 12 // carries the number of its loop-back state

	edgeEpsilon  = 1
	edgeRange    = 2
	edgeRule     = 3
	edgeAtom     = 5
	edgeAction   = 6
	edgeSet      = 7
	edgeNotSet   = 8
	edgeWildcard = 9
)

// atn is a lexer grammar as the ANTLR tool serializes it.
type atn struct {
	stateKind []int
	edges     [][]edge // by source state
	ruleStart []int    // by rule
	ruleToken []int    // token kind by rule, 0 for fragments
	start     int      // state with an epsilon edge to every token rule
	sets      [][]span
}

type edge struct{ kind, target, arg1, arg2 int }

// span is a closed interval of characters.
type span struct{ lo, hi int }

// reader reads integers of a serialized ATN.
type reader struct {
	data []int32
	pos  int
}

func (r *reader) int() int {
	if r.pos >= len(r.data) {
		r.pos++
		return 0
	}
	v := int(r.data[r.pos])
	r.pos++
	return v
}

// readATN decodes a serialized lexer. It returns an error for features that a deterministic automaton cannot express:
// modes and non-greedy loops.
func readATN(data []int32) (*atn, error) {
	r := &reader{data: data}
	if v := r.int(); v != atnVersion {
		return nil, fmt.Errorf("ATN version %d, want %d", v, atnVersion)
	}
	if r.int() != 0 {
		return nil, fmt.Errorf("not the ATN of a lexer")
	}
	r.int() // largest token kind
	a := &atn{}
	a.readStates(r)
	if n := r.int(); n != 0 {
		return nil, fmt.Errorf("%d non-greedy loops: write them as regular expressions", n)
	}
	for n := r.int(); n > 0; n-- {
		r.int() // precedence rules: of parsers only
	}
	for n := r.int(); n > 0; n-- {
		a.ruleStart = append(a.ruleStart, r.int())
		a.ruleToken = append(a.ruleToken, r.int())
	}
	if n := r.int(); n != 1 {
		return nil, fmt.Errorf("%d lexer modes, want 1", n)
	}
	a.start = r.int()
	a.readSets(r)
	a.readEdges(r)
	if r.pos > len(r.data) {
		return nil, fmt.Errorf("the ATN is cut short")
	}
	return a, nil
}

func (a *atn) readStates(r *reader) {
	n := r.int()
	a.stateKind = make([]int, n)
	a.edges = make([][]edge, n)
	for i := range a.stateKind {
		kind := r.int()
		a.stateKind[i] = kind
		if kind == 0 {
			continue
		}
		r.int() // rule
		switch kind {
		case stateBlockStart, statePlusBlockStart, stateStarBlockStart, stateLoopEnd:
			r.int()
		}
	}
}

func (a *atn) readSets(r *reader) {
	for n := r.int(); n > 0; n-- {
		var set []span
		spans := r.int()
		r.int() // whether EOF is a member
		for ; spans > 0; spans-- {
			lo := r.int()
			set = append(set, span{lo, r.int()})
		}
		a.sets = append(a.sets, set)
	}
}

func (a *atn) readEdges(r *reader) {
	for n := r.int(); n > 0; n-- {
		src, target := r.int(), r.int()
		e := edge{target: target, kind: r.int(), arg1: r.int(), arg2: r.int()}
		r.int()
		a.edges[src] = append(a.edges[src], e)
	}
}

// tokenOf returns the token kind of the rule that starts at state s.
func (a *atn) tokenOf(s int) int {
	for i, start := range a.ruleStart {
		if start == s {
			return a.ruleToken[i]
		}
	}
	return 0
}

// matches reports whether the edge, which must not be an epsilon edge, accepts byte c.
func (a *atn) matches(e edge, c int) bool {
	switch e.kind {
	case edgeRange:
		return e.arg1 <= c && c <= e.arg2
	case edgeAtom:
		return e.arg1 == c
	case edgeSet, edgeNotSet:
		in := false
		for _, s := range a.sets[e.arg1] {
			in = in || s.lo <= c && c <= s.hi
		}
		return in == (e.kind == edgeSet)
	}
	return e.kind == edgeWildcard
}
