// Code generated from PTXLexer.g4 by ANTLR 4.13.1. DO NOT EDIT.

package antlrgen

import (
	"fmt"
	"github.com/antlr4-go/antlr/v4"
	"sync"
	"unicode"
)

// Suppress unused import error
var _ = fmt.Printf
var _ = sync.Once{}
var _ = unicode.IsLetter

type PTXLexer struct {
	*antlr.BaseLexer
	channelNames []string
	modeNames    []string
	// TODO: EOF string
}

var PTXLexerLexerStaticData struct {
	once                   sync.Once
	serializedATN          []int32
	ChannelNames           []string
	ModeNames              []string
	LiteralNames           []string
	SymbolicNames          []string
	RuleNames              []string
	PredictionContextCache *antlr.PredictionContextCache
	atn                    *antlr.ATN
	decisionToDFA          []*antlr.DFA
}

func ptxlexerLexerInit() {
	staticData := &PTXLexerLexerStaticData
	staticData.ChannelNames = []string{
		"DEFAULT_TOKEN_CHANNEL", "HIDDEN",
	}
	staticData.ModeNames = []string{
		"DEFAULT_MODE",
	}
	staticData.LiteralNames = []string{
		"", "'.version'", "'.target'", "'.address_size'", "'.file'", "'.loc'",
		"'.section'", "'.loc_intermediate'", "", "'.func'", "'.entry'", "'.extern'",
		"'.visible'", "'.weak'", "'.common'", "'.reg'", "'.sreg'", "'.global'",
		"", "'.shared'", "'.local'", "'.param'", "'.tex'", "'.align'", "'.attribute'",
		"'.pragma'", "'.alias'", "'.branchtargets'", "'.calltargets'", "'.callprototype'",
		"", "", "", "", "", "", "';'", "','", "':'", "'@'", "'='", "'('", "')'",
		"'{'", "'}'", "'['", "']'", "'<'", "'>'", "'-'", "'+'", "'|'", "'!'",
		"'~'", "'?'",
	}
	staticData.SymbolicNames = []string{
		"", "VERSION", "TARGET", "ADDRESS_SIZE", "FILE", "LOC", "SECTION", "PLACE",
		"SOURCE", "FUNC", "ENTRY", "EXTERN", "VISIBLE", "WEAK", "COMMON", "REG",
		"SREG", "GLOBAL", "CONST", "SHARED", "LOCAL", "PARAM", "TEX", "ALIGN",
		"ATTRIBUTE", "PRAGMA", "ALIAS", "BRANCHTARGETS", "CALLTARGETS", "CALLPROTOTYPE",
		"FLOAT", "HEXFLOAT", "INT", "STRING", "ID", "DOTID", "SEMI", "COMMA",
		"COLON", "AT", "ASSIGN", "LPAREN", "RPAREN", "LBRACE", "RBRACE", "LBRACK",
		"RBRACK", "LT", "GT", "MINUS", "PLUS", "PIPE", "BANG", "TILDE", "QUESTION",
		"OP", "WS", "LINE_COMMENT", "COMMENT", "HASH", "DWARF", "OPEN_STRING",
		"OPEN_COMMENT", "OPEN_SOURCE", "ERRCHAR",
	}
	staticData.RuleNames = []string{
		"VERSION", "TARGET", "ADDRESS_SIZE", "FILE", "LOC", "SECTION", "PLACE",
		"SOURCE", "FUNC", "ENTRY", "EXTERN", "VISIBLE", "WEAK", "COMMON", "REG",
		"SREG", "GLOBAL", "CONST", "SHARED", "LOCAL", "PARAM", "TEX", "ALIGN",
		"ATTRIBUTE", "PRAGMA", "ALIAS", "BRANCHTARGETS", "CALLTARGETS", "CALLPROTOTYPE",
		"FLOAT", "HEXFLOAT", "INT", "STRING", "ID", "DOTID", "SEMI", "COMMA",
		"COLON", "AT", "ASSIGN", "LPAREN", "RPAREN", "LBRACE", "RBRACE", "LBRACK",
		"RBRACK", "LT", "GT", "MINUS", "PLUS", "PIPE", "BANG", "TILDE", "QUESTION",
		"OP", "WS", "LINE_COMMENT", "COMMENT", "HASH", "DWARF", "OPEN_STRING",
		"OPEN_COMMENT", "OPEN_SOURCE", "ERRCHAR", "Digit", "Hex", "Follow",
		"Exp", "Blank", "SourceText", "Dots", "Start", "Other",
	}
	staticData.PredictionContextCache = antlr.NewPredictionContextCache()
	staticData.serializedATN = numbers(lexerATN)
	deserializer := antlr.NewATNDeserializer(nil)
	staticData.atn = deserializer.Deserialize(staticData.serializedATN)
	atn := staticData.atn
	staticData.decisionToDFA = make([]*antlr.DFA, len(atn.DecisionToState))
	decisionToDFA := staticData.decisionToDFA
	for index, state := range atn.DecisionToState {
		decisionToDFA[index] = antlr.NewDFA(state, index)
	}
}

// PTXLexerInit initializes any static state used to implement PTXLexer. By default the
// static state used to implement the lexer is lazily initialized during the first call to
// NewPTXLexer(). You can call this function if you wish to initialize the static state ahead
// of time.
func PTXLexerInit() {
	staticData := &PTXLexerLexerStaticData
	staticData.once.Do(ptxlexerLexerInit)
}

// NewPTXLexer produces a new lexer instance for the optional input antlr.CharStream.
func NewPTXLexer(input antlr.CharStream) *PTXLexer {
	PTXLexerInit()
	l := new(PTXLexer)
	l.BaseLexer = antlr.NewBaseLexer(input)
	staticData := &PTXLexerLexerStaticData
	l.Interpreter = antlr.NewLexerATNSimulator(l, staticData.atn, staticData.decisionToDFA, staticData.PredictionContextCache)
	l.channelNames = staticData.ChannelNames
	l.modeNames = staticData.ModeNames
	l.RuleNames = staticData.RuleNames
	l.LiteralNames = staticData.LiteralNames
	l.SymbolicNames = staticData.SymbolicNames
	l.GrammarFileName = "PTXLexer.g4"
	// TODO: l.EOF = antlr.TokenEOF

	return l
}

// PTXLexer tokens.
const (
	PTXLexerVERSION       = 1
	PTXLexerTARGET        = 2
	PTXLexerADDRESS_SIZE  = 3
	PTXLexerFILE          = 4
	PTXLexerLOC           = 5
	PTXLexerSECTION       = 6
	PTXLexerPLACE         = 7
	PTXLexerSOURCE        = 8
	PTXLexerFUNC          = 9
	PTXLexerENTRY         = 10
	PTXLexerEXTERN        = 11
	PTXLexerVISIBLE       = 12
	PTXLexerWEAK          = 13
	PTXLexerCOMMON        = 14
	PTXLexerREG           = 15
	PTXLexerSREG          = 16
	PTXLexerGLOBAL        = 17
	PTXLexerCONST         = 18
	PTXLexerSHARED        = 19
	PTXLexerLOCAL         = 20
	PTXLexerPARAM         = 21
	PTXLexerTEX           = 22
	PTXLexerALIGN         = 23
	PTXLexerATTRIBUTE     = 24
	PTXLexerPRAGMA        = 25
	PTXLexerALIAS         = 26
	PTXLexerBRANCHTARGETS = 27
	PTXLexerCALLTARGETS   = 28
	PTXLexerCALLPROTOTYPE = 29
	PTXLexerFLOAT         = 30
	PTXLexerHEXFLOAT      = 31
	PTXLexerINT           = 32
	PTXLexerSTRING        = 33
	PTXLexerID            = 34
	PTXLexerDOTID         = 35
	PTXLexerSEMI          = 36
	PTXLexerCOMMA         = 37
	PTXLexerCOLON         = 38
	PTXLexerAT            = 39
	PTXLexerASSIGN        = 40
	PTXLexerLPAREN        = 41
	PTXLexerRPAREN        = 42
	PTXLexerLBRACE        = 43
	PTXLexerRBRACE        = 44
	PTXLexerLBRACK        = 45
	PTXLexerRBRACK        = 46
	PTXLexerLT            = 47
	PTXLexerGT            = 48
	PTXLexerMINUS         = 49
	PTXLexerPLUS          = 50
	PTXLexerPIPE          = 51
	PTXLexerBANG          = 52
	PTXLexerTILDE         = 53
	PTXLexerQUESTION      = 54
	PTXLexerOP            = 55
	PTXLexerWS            = 56
	PTXLexerLINE_COMMENT  = 57
	PTXLexerCOMMENT       = 58
	PTXLexerHASH          = 59
	PTXLexerDWARF         = 60
	PTXLexerOPEN_STRING   = 61
	PTXLexerOPEN_COMMENT  = 62
	PTXLexerOPEN_SOURCE   = 63
	PTXLexerERRCHAR       = 64
)
