// Words for what the parser expected.

package ptxgrammar

import (
	"strings"

	"github.com/antlr4-go/antlr/v4"

	"github.com/ptxsan/ptxsan/ptxgrammar/internal/antlrgen"
)

// group is a set of token kinds that people know under one name. A set of expected
// tokens that has all of kinds is described by phrase in place of the tokens.
type group struct {
	phrase string
	kinds  []int
	silent bool  // never named: that an expression may go on helps nobody
	unless int   // not named when this kind is expected
	also   []int // kinds that are covered as well
}

var (
	operandStart = []int{tokMINUS, tokPLUS, tokBANG, tokTILDE, tokID, tokINT, tokFLOAT, tokHEXFLOAT, tokSTRING, tokLBRACE, tokLPAREN}
	spaceKinds   = []int{tokREG, tokSREG, tokGLOBAL, tokCONST, tokSHARED, tokLOCAL, tokPARAM, tokTEX}
)

// groups in the order in which they are looked for; a kind covered by one group is not
// looked at by the next.
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
		also:  append([]int{tokFILE, tokLOC, tokSECTION, tokPRAGMA, tokDOTID, tokEXTERN, tokVISIBLE, tokWEAK, tokCOMMON, antlr.TokenEOF}, spaceKinds...),
	},
	{
		phrase: "a declaration or function",
		kinds:  []int{tokENTRY, tokFUNC, tokREG},
		also:   append([]int{tokEXTERN, tokVISIBLE, tokWEAK, tokCOMMON}, spaceKinds...),
	},
	{
		phrase: "a statement",
		kinds:  []int{tokAT, tokID, tokLOC, tokREG},
		also:   append([]int{tokLBRACE, tokFILE, tokPRAGMA, tokSECTION, tokDOTID, tokSEMI, tokEXTERN, tokBRANCHTARGETS, tokCALLTARGETS, tokCALLPROTOTYPE}, spaceKinds...),
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

// expected says in words what a set of token kinds allows: "';' or ','".
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

// tokenWord is one token kind in words.
func tokenWord(kind int) string {
	switch kind {
	case tokID:
		return "a name"
	case tokINT:
		return "a whole number"
	case tokFLOAT: // alone only after .version
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
