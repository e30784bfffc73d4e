// Descriptions of the tokens that the parser expected.

package ptxgrammar

import (
	"strings"

	"github.com/antlr4-go/antlr/v4"

	"github.com/ptxsan/ptxsan/ptxgrammar/internal/antlrgen"
)

// group is a set of token kinds with a common description. In a set of expected tokens that contains all of kinds,
// phrase replaces these tokens.
type group struct {
	phrase string
	kinds  []int
	silent bool  // never named: it does not help users that an expression may continue
	unless int   // not named if this kind is expected
	also   []int // further kinds that phrase covers
}

var (
	operandStart = []int{
		tokMINUS, tokPLUS, tokBANG, tokTILDE, tokID, tokINT, tokFLOAT, tokHEXFLOAT, tokSTRING,
		tokLBRACE, tokLPAREN,
	}
	spaceKinds = []int{tokREG, tokSREG, tokGLOBAL, tokCONST, tokSHARED, tokLOCAL, tokPARAM, tokTEX}
)

// groups lists the groups in order of precedence; a kind covered by one group is not described by a later one.
var groups = []group{
	{
		phrase: "a modifier",
		kinds:  []int{tokDOTID, tokVERSION, tokBRANCHTARGETS},
		also: append([]int{
			tokTARGET, tokADDRESSSIZE, tokFILE, tokLOC, tokSECTION, tokFUNC, tokENTRY, tokEXTERN, tokVISIBLE,
			tokWEAK, tokCOMMON, tokALIGN, tokATTRIBUTE, tokPRAGMA, tokALIAS, tokCALLTARGETS, tokCALLPROTOTYPE,
		}, spaceKinds...),
	},
	{
		phrase: "a directive, declaration or function", unless: tokLBRACE, // in a function header
		kinds: []int{tokVERSION, tokTARGET, tokADDRESSSIZE, tokALIAS, tokENTRY, tokFUNC},
		also: append([]int{
			tokFILE, tokLOC, tokSECTION, tokSOURCE, tokPRAGMA, tokDOTID, tokEXTERN, tokVISIBLE, tokWEAK,
			tokCOMMON, antlr.TokenEOF,
		}, spaceKinds...),
	},
	{
		phrase: "a declaration or function",
		kinds:  []int{tokENTRY, tokFUNC, tokREG},
		also:   append([]int{tokEXTERN, tokVISIBLE, tokWEAK, tokCOMMON}, spaceKinds...),
	},
	{
		phrase: "a statement",
		kinds:  []int{tokAT, tokID, tokLOC, tokREG},
		also: append([]int{
			tokLBRACE, tokFILE, tokPLACE, tokPRAGMA, tokSECTION, tokDOTID, tokSEMI, tokEXTERN,
			tokBRANCHTARGETS, tokCALLTARGETS, tokCALLPROTOTYPE,
		}, spaceKinds...),
	},
	{
		silent: true,
		kinds:  []int{tokOP, tokPIPE, tokPLUS, tokMINUS},
		also:   []int{tokLT, tokGT, tokQUESTION, tokASSIGN, tokDOTID, tokLPAREN, tokLBRACK},
	},
	{phrase: "a type", kinds: []int{tokDOTID, tokALIGN, tokATTRIBUTE}, also: []int{tokGLOBAL, tokCONST, tokSHARED, tokLOCAL, tokPARAM}},
	{phrase: "a state space", kinds: spaceKinds, also: []int{tokDOTID}},
	{phrase: "an operand", kinds: append([]int{tokLBRACK}, operandStart...)},
	{phrase: "a value", kinds: operandStart},
	{phrase: "a value", kinds: []int{tokMINUS, tokINT, tokFLOAT, tokHEXFLOAT, tokSTRING, tokID, tokDOTID}},
}

// expected describes a set of token kinds in words: "';' or ','".
func expected(set *antlr.IntervalSet) string {
	left := map[int]bool{}
	for _, iv := range set.GetIntervals() {
		for k := iv.Start; k < iv.Stop; k++ {
			left[k] = true
		}
	}
	var words []string
	for _, g := range groups {
		if !g.within(left) {
			continue
		}
		for _, k := range append(g.kinds, g.also...) {
			delete(left, k)
		}
		if !g.silent && (g.unless == 0 || !left[g.unless]) {
			words = append(words, g.phrase)
		}
	}
	for k := 1; k <= antlrgen.PTXLexerERRCHAR; k++ {
		if left[k] {
			words = append(words, tokenWord(k))
		}
	}
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " or " + words[n-1]
	}
	return strings.Join(words, "")
}

// within reports whether all kinds of the group are in the set.
func (g *group) within(set map[int]bool) bool {
	for _, k := range g.kinds {
		if !set[k] {
			return false
		}
	}
	return true
}

// tokenWord describes one token kind.
func tokenWord(kind int) string {
	switch kind {
	case tokID:
		return "a name"
	case tokINT:
		return "a whole number"
	case tokFLOAT: // only after .version
		return "a number such as 8.5"
	case tokSTRING:
		return "a string"
	case tokDOTID:
		return "a dotted word"
	case tokOP:
		return "an operator"
	}
	return antlrgen.PTXParserParserStaticData.LiteralNames[kind]
}
