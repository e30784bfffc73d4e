// Limits on source texts: size and nesting.

package ptxgrammar

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/ptxsan/ptxsan/ptxgrammar/internal/lex"
)

// Limits of Parse. Larger inputs are rejected with a message that contains the limit.
const (
	maxSource    = 1<<31 - 1      // bytes; offsets are 32 bits wide
	MaxToken     = lex.MaxLen - 1 // bytes; lex.MaxLen represents all longer tokens
	MaxNesting   = 1000           // number of open brackets of all kinds
	MaxChain     = 10000          // number of open operators: they nest in the parser
	MaxModifiers = 255            // of one instruction
	maxErrors    = 50             // messages of one ErrorList
)

// Errors of Parse for inputs that exceed a limit. errors.Is finds them in an ErrorList.
var (
	ErrTooLarge = errors.New("text too large")
	ErrTooDeep  = errors.New("brackets nested too deep")
	ErrTooLong  = errors.New("token, expression or instruction too long")
)

// checkSource rejects texts that are too large and files that are not text.
func checkSource(name string, src []byte) *Error {
	at := Position{File: name, Line: 1, Col: 1}
	switch {
	case len(src) > maxSource:
		return &Error{at, fmt.Sprintf("file of %d bytes is too large: at most %d", len(src), maxSource), ErrTooLarge}
	case bytes.HasPrefix(src, []byte("\x7fELF")):
		return &Error{Pos: at, Msg: "this is an ELF file, not PTX text"}
	case bytes.HasPrefix(src, []byte{0x50, 0xed, 0x55, 0xba}):
		return &Error{Pos: at, Msg: "this is a fat binary, not PTX text"}
	}
	return nil
}

// surveyor limits the parser's stack before the parser runs: a Go program cannot recover from a stack overflow.
type surveyor struct {
	chains [MaxNesting + 1]int // operators since the last separator, by open brackets
	depth  int                 // open brackets
	open   int                 // sum of chains
}

// survey checks the limits on tokens. cuts are places, at least step tokens apart, between a closing brace and a
// directive outside all brackets, at which a correct text may be divided between items.
func survey(f *File, toks []Tok, step int) (cuts []int, err *Error) {
	var s surveyor
	next, before := step, uint8(tokEOF)
	for i, t := range toks {
		kind := t.Kind()
		if t.Len() > MaxToken {
			return nil, &Error{f.Position(t.Off), fmt.Sprintf("token of more than %d bytes", MaxToken), ErrTooLong}
		}
		if !s.step(kind) || beside(before, kind) {
			s.separate()
		}
		switch {
		case s.depth > MaxNesting:
			return nil, &Error{
				f.Position(t.Off), fmt.Sprintf("brackets are nested more than %d deep", MaxNesting),
				ErrTooDeep,
			}
		case s.open > MaxChain:
			return nil, &Error{
				f.Position(t.Off), fmt.Sprintf("expression of more than %d operators", MaxChain),
				ErrTooLong,
			}
		case i >= next && s.depth == 0 && before == tokRBRACE && isDirective(kind):
			cuts = append(cuts, i)
			next = i + step
		}
		before = kind
	}
	return cuts, nil
}

// step processes a token. It returns false for one that ends an expression.
func (s *surveyor) step(kind uint8) bool {
	switch kind {
	case tokLBRACE, tokLPAREN, tokLBRACK:
		if s.depth++; s.depth <= MaxNesting {
			s.chains[s.depth] = 0
		}
	case tokRBRACE, tokRPAREN, tokRBRACK:
		if s.depth > 0 {
			s.separate()
			s.depth--
		}
	case tokSEMI, tokCOMMA:
		return false
	case tokMINUS, tokPLUS, tokPIPE, tokBANG, tokTILDE, tokLT, tokGT, tokOP, tokASSIGN, tokQUESTION:
		s.chains[s.depth]++
		s.open++
	}
	return true
}

// separate ends the expression inside the innermost brackets.
func (s *surveyor) separate() {
	s.open -= s.chains[s.depth]
	s.chains[s.depth] = 0
}

// beside reports whether two kinds of tokens are never adjacent in an expression. The data lines of a section have no
// separator.
func beside(a, b uint8) bool {
	return (isAtom(a) || a == tokDOTID) && isAtom(b) || a == tokINT && b == tokDOTID
}

// isAtom reports whether a token kind is an operand by itself.
func isAtom(kind uint8) bool {
	switch kind {
	case tokID, tokINT, tokFLOAT, tokHEXFLOAT, tokSTRING:
		return true
	}
	return false
}

// isDirective reports whether a token kind is a directive with a separate token.
func isDirective(kind uint8) bool { return kind <= tokCALLPROTOTYPE }
