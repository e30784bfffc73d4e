// Code generated from PTXParser.g4 by ANTLR 4.13.1. DO NOT EDIT.

package antlrgen // PTXParser
import (
	"fmt"
	"strconv"
	"sync"

	"github.com/antlr4-go/antlr/v4"
)

// Suppress unused import errors
var _ = fmt.Printf
var _ = strconv.Itoa
var _ = sync.Once{}

type PTXParser struct {
	PTXBase
}

var PTXParserParserStaticData struct {
	once                   sync.Once
	serializedATN          []int32
	LiteralNames           []string
	SymbolicNames          []string
	RuleNames              []string
	PredictionContextCache *antlr.PredictionContextCache
	atn                    *antlr.ATN
	decisionToDFA          []*antlr.DFA
}

func ptxparserParserInit() {
	staticData := &PTXParserParserStaticData
	staticData.LiteralNames = []string{
		"", "'.version'", "'.target'", "'.address_size'", "'.file'", "'.loc'",
		"'.section'", "'.func'", "'.entry'", "'.extern'", "'.visible'", "'.weak'",
		"'.common'", "'.reg'", "'.sreg'", "'.global'", "", "'.shared'", "'.local'",
		"'.param'", "'.tex'", "'.align'", "'.attribute'", "'.pragma'", "'.alias'",
		"'.branchtargets'", "'.calltargets'", "'.callprototype'", "", "", "",
		"", "", "", "';'", "','", "':'", "'@'", "'='", "'('", "')'", "'{'",
		"'}'", "'['", "']'", "'<'", "'>'", "'-'", "'+'", "'|'", "'!'", "'~'",
		"'?'",
	}
	staticData.SymbolicNames = []string{
		"", "VERSION", "TARGET", "ADDRESS_SIZE", "FILE", "LOC", "SECTION", "FUNC",
		"ENTRY", "EXTERN", "VISIBLE", "WEAK", "COMMON", "REG", "SREG", "GLOBAL",
		"CONST", "SHARED", "LOCAL", "PARAM", "TEX", "ALIGN", "ATTRIBUTE", "PRAGMA",
		"ALIAS", "BRANCHTARGETS", "CALLTARGETS", "CALLPROTOTYPE", "FLOAT", "HEXFLOAT",
		"INT", "STRING", "ID", "DOTID", "SEMI", "COMMA", "COLON", "AT", "ASSIGN",
		"LPAREN", "RPAREN", "LBRACE", "RBRACE", "LBRACK", "RBRACK", "LT", "GT",
		"MINUS", "PLUS", "PIPE", "BANG", "TILDE", "QUESTION", "OP", "WS", "LINE_COMMENT",
		"COMMENT", "HASH", "DWARF", "OPEN_STRING", "OPEN_COMMENT", "ERRCHAR",
	}
	staticData.RuleNames = []string{
		"module", "item", "file", "loc", "pragma", "section", "function", "params",
		"param", "attribute", "variables", "space", "typing", "declarator",
		"block", "stmt", "operand", "paren", "braces",
	}
	staticData.PredictionContextCache = antlr.NewPredictionContextCache()
	staticData.serializedATN = []int32{
		4, 1, 61, 617, 2, 0, 7, 0, 2, 1, 7, 1, 2, 2, 7, 2, 2, 3, 7, 3, 2, 4, 7,
		4, 2, 5, 7, 5, 2, 6, 7, 6, 2, 7, 7, 7, 2, 8, 7, 8, 2, 9, 7, 9, 2, 10, 7,
		10, 2, 11, 7, 11, 2, 12, 7, 12, 2, 13, 7, 13, 2, 14, 7, 14, 2, 15, 7, 15,
		2, 16, 7, 16, 2, 17, 7, 17, 2, 18, 7, 18, 1, 0, 5, 0, 40, 8, 0, 10, 0,
		12, 0, 43, 9, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 5, 1,
		53, 8, 1, 10, 1, 12, 1, 56, 9, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
		1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 5, 1, 70, 8, 1, 10, 1, 12, 1, 73, 9, 1,
		1, 1, 1, 1, 1, 1, 1, 1, 3, 1, 79, 8, 1, 3, 1, 81, 8, 1, 1, 2, 1, 2, 1,
		2, 1, 2, 1, 2, 5, 2, 88, 8, 2, 10, 2, 12, 2, 91, 9, 2, 1, 3, 1, 3, 1, 3,
		1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 3, 3, 102, 8, 3, 1, 3, 1, 3, 1, 3,
		1, 3, 1, 3, 3, 3, 109, 8, 3, 1, 4, 1, 4, 1, 4, 1, 4, 5, 4, 115, 8, 4, 10,
		4, 12, 4, 118, 9, 4, 1, 4, 1, 4, 1, 5, 1, 5, 1, 5, 1, 5, 5, 5, 126, 8,
		5, 10, 5, 12, 5, 129, 9, 5, 1, 5, 1, 5, 1, 5, 3, 5, 134, 8, 5, 1, 5, 1,
		5, 1, 5, 1, 5, 1, 5, 1, 5, 1, 5, 3, 5, 143, 8, 5, 3, 5, 145, 8, 5, 1, 5,
		1, 5, 3, 5, 149, 8, 5, 1, 5, 1, 5, 1, 5, 1, 5, 1, 5, 1, 5, 1, 5, 3, 5,
		158, 8, 5, 3, 5, 160, 8, 5, 5, 5, 162, 8, 5, 10, 5, 12, 5, 165, 9, 5, 1,
		5, 1, 5, 5, 5, 169, 8, 5, 10, 5, 12, 5, 172, 9, 5, 1, 5, 1, 5, 1, 6, 1,
		6, 3, 6, 178, 8, 6, 1, 6, 3, 6, 181, 8, 6, 1, 6, 3, 6, 184, 8, 6, 1, 6,
		1, 6, 3, 6, 188, 8, 6, 1, 6, 1, 6, 1, 6, 1, 6, 5, 6, 194, 8, 6, 10, 6,
		12, 6, 197, 9, 6, 3, 6, 199, 8, 6, 1, 6, 5, 6, 202, 8, 6, 10, 6, 12, 6,
		205, 9, 6, 1, 6, 1, 6, 3, 6, 209, 8, 6, 1, 7, 1, 7, 1, 7, 1, 7, 5, 7, 215,
		8, 7, 10, 7, 12, 7, 218, 9, 7, 3, 7, 220, 8, 7, 1, 7, 1, 7, 1, 8, 1, 8,
		1, 8, 1, 8, 1, 8, 3, 8, 229, 8, 8, 1, 8, 5, 8, 232, 8, 8, 10, 8, 12, 8,
		235, 9, 8, 3, 8, 237, 8, 8, 1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 5,
		9, 246, 8, 9, 10, 9, 12, 9, 249, 9, 9, 1, 9, 3, 9, 252, 8, 9, 1, 9, 1,
		9, 1, 9, 1, 9, 1, 9, 1, 9, 5, 9, 260, 8, 9, 10, 9, 12, 9, 263, 9, 9, 1,
		9, 3, 9, 266, 8, 9, 5, 9, 268, 8, 9, 10, 9, 12, 9, 271, 9, 9, 1, 9, 1,
		9, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 5, 10, 280, 8, 10, 10, 10, 12, 10,
		283, 9, 10, 1, 11, 1, 11, 1, 12, 1, 12, 1, 12, 1, 12, 1, 12, 1, 12, 1,
		12, 1, 12, 1, 12, 5, 12, 296, 8, 12, 10, 12, 12, 12, 299, 9, 12, 1, 13,
		1, 13, 1, 13, 1, 13, 3, 13, 305, 8, 13, 1, 13, 1, 13, 3, 13, 309, 8, 13,
		1, 13, 5, 13, 312, 8, 13, 10, 13, 12, 13, 315, 9, 13, 1, 13, 1, 13, 3,
		13, 319, 8, 13, 1, 14, 1, 14, 5, 14, 323, 8, 14, 10, 14, 12, 14, 326, 9,
		14, 1, 14, 1, 14, 1, 15, 1, 15, 1, 15, 1, 15, 1, 15, 1, 15, 5, 15, 336,
		8, 15, 10, 15, 12, 15, 339, 9, 15, 1, 15, 1, 15, 1, 15, 1, 15, 1, 15, 5,
		15, 346, 8, 15, 10, 15, 12, 15, 349, 9, 15, 1, 15, 1, 15, 1, 15, 3, 15,
		354, 8, 15, 1, 15, 1, 15, 3, 15, 358, 8, 15, 1, 15, 1, 15, 1, 15, 1, 15,
		5, 15, 364, 8, 15, 10, 15, 12, 15, 367, 9, 15, 3, 15, 369, 8, 15, 5, 15,
		371, 8, 15, 10, 15, 12, 15, 374, 9, 15, 1, 15, 3, 15, 377, 8, 15, 1, 15,
		5, 15, 380, 8, 15, 10, 15, 12, 15, 383, 9, 15, 1, 15, 1, 15, 1, 15, 5,
		15, 388, 8, 15, 10, 15, 12, 15, 391, 9, 15, 3, 15, 393, 8, 15, 1, 15, 3,
		15, 396, 8, 15, 1, 15, 1, 15, 3, 15, 400, 8, 15, 1, 15, 1, 15, 1, 15, 5,
		15, 405, 8, 15, 10, 15, 12, 15, 408, 9, 15, 1, 15, 1, 15, 1, 15, 5, 15,
		413, 8, 15, 10, 15, 12, 15, 416, 9, 15, 3, 15, 418, 8, 15, 1, 15, 1, 15,
		3, 15, 422, 8, 15, 1, 15, 1, 15, 1, 15, 1, 15, 1, 15, 1, 15, 1, 15, 1,
		15, 1, 15, 3, 15, 433, 8, 15, 1, 16, 5, 16, 436, 8, 16, 10, 16, 12, 16,
		439, 9, 16, 1, 16, 1, 16, 5, 16, 443, 8, 16, 10, 16, 12, 16, 446, 9, 16,
		1, 16, 1, 16, 1, 16, 1, 16, 3, 16, 452, 8, 16, 1, 16, 1, 16, 1, 16, 1,
		16, 1, 16, 3, 16, 459, 8, 16, 1, 16, 1, 16, 1, 16, 1, 16, 1, 16, 1, 16,
		1, 16, 1, 16, 5, 16, 469, 8, 16, 10, 16, 12, 16, 472, 9, 16, 1, 16, 1,
		16, 3, 16, 476, 8, 16, 3, 16, 478, 8, 16, 1, 16, 1, 16, 1, 16, 1, 16, 1,
		16, 1, 16, 1, 16, 3, 16, 487, 8, 16, 1, 16, 3, 16, 490, 8, 16, 1, 17, 1,
		17, 1, 17, 1, 17, 1, 17, 1, 17, 1, 17, 5, 17, 499, 8, 17, 10, 17, 12, 17,
		502, 9, 17, 3, 17, 504, 8, 17, 1, 17, 1, 17, 1, 17, 1, 17, 1, 17, 1, 17,
		1, 17, 1, 17, 3, 17, 514, 8, 17, 3, 17, 516, 8, 17, 1, 18, 1, 18, 5, 18,
		520, 8, 18, 10, 18, 12, 18, 523, 9, 18, 1, 18, 1, 18, 5, 18, 527, 8, 18,
		10, 18, 12, 18, 530, 9, 18, 1, 18, 1, 18, 1, 18, 1, 18, 3, 18, 536, 8,
		18, 1, 18, 1, 18, 1, 18, 1, 18, 1, 18, 3, 18, 543, 8, 18, 1, 18, 1, 18,
		1, 18, 1, 18, 3, 18, 549, 8, 18, 1, 18, 1, 18, 1, 18, 1, 18, 1, 18, 1,
		18, 1, 18, 3, 18, 558, 8, 18, 1, 18, 3, 18, 561, 8, 18, 1, 18, 1, 18, 5,
		18, 565, 8, 18, 10, 18, 12, 18, 568, 9, 18, 1, 18, 1, 18, 5, 18, 572, 8,
		18, 10, 18, 12, 18, 575, 9, 18, 1, 18, 1, 18, 1, 18, 1, 18, 3, 18, 581,
		8, 18, 1, 18, 1, 18, 1, 18, 1, 18, 1, 18, 3, 18, 588, 8, 18, 1, 18, 1,
		18, 1, 18, 1, 18, 3, 18, 594, 8, 18, 1, 18, 1, 18, 1, 18, 1, 18, 1, 18,
		1, 18, 1, 18, 3, 18, 603, 8, 18, 1, 18, 3, 18, 606, 8, 18, 5, 18, 608,
		8, 18, 10, 18, 12, 18, 611, 9, 18, 3, 18, 613, 8, 18, 1, 18, 1, 18, 1,
		18, 0, 0, 19, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30,
		32, 34, 36, 0, 10, 1, 0, 9, 12, 1, 0, 31, 33, 1, 0, 32, 33, 1, 0, 47, 48,
		2, 0, 30, 30, 32, 33, 1, 0, 13, 20, 2, 0, 1, 27, 33, 33, 2, 0, 47, 48,
		50, 51, 2, 0, 45, 49, 53, 53, 3, 0, 38, 38, 45, 49, 53, 53, 736, 0, 41,
		1, 0, 0, 0, 2, 80, 1, 0, 0, 0, 4, 82, 1, 0, 0, 0, 6, 92, 1, 0, 0, 0, 8,
		110, 1, 0, 0, 0, 10, 121, 1, 0, 0, 0, 12, 183, 1, 0, 0, 0, 14, 210, 1,
		0, 0, 0, 16, 223, 1, 0, 0, 0, 18, 238, 1, 0, 0, 0, 20, 274, 1, 0, 0, 0,
		22, 284, 1, 0, 0, 0, 24, 297, 1, 0, 0, 0, 26, 300, 1, 0, 0, 0, 28, 320,
		1, 0, 0, 0, 30, 432, 1, 0, 0, 0, 32, 437, 1, 0, 0, 0, 34, 491, 1, 0, 0,
		0, 36, 517, 1, 0, 0, 0, 38, 40, 3, 2, 1, 0, 39, 38, 1, 0, 0, 0, 40, 43,
		1, 0, 0, 0, 41, 39, 1, 0, 0, 0, 41, 42, 1, 0, 0, 0, 42, 44, 1, 0, 0, 0,
		43, 41, 1, 0, 0, 0, 44, 45, 5, 0, 0, 1, 45, 1, 1, 0, 0, 0, 46, 47, 5, 1,
		0, 0, 47, 81, 5, 28, 0, 0, 48, 49, 5, 2, 0, 0, 49, 54, 5, 32, 0, 0, 50,
		51, 5, 35, 0, 0, 51, 53, 5, 32, 0, 0, 52, 50, 1, 0, 0, 0, 53, 56, 1, 0,
		0, 0, 54, 52, 1, 0, 0, 0, 54, 55, 1, 0, 0, 0, 55, 81, 1, 0, 0, 0, 56, 54,
		1, 0, 0, 0, 57, 58, 5, 3, 0, 0, 58, 81, 5, 30, 0, 0, 59, 60, 5, 24, 0,
		0, 60, 61, 5, 32, 0, 0, 61, 62, 5, 35, 0, 0, 62, 63, 5, 32, 0, 0, 63, 81,
		5, 34, 0, 0, 64, 81, 3, 4, 2, 0, 65, 81, 3, 6, 3, 0, 66, 81, 3, 10, 5,
		0, 67, 81, 3, 8, 4, 0, 68, 70, 7, 0, 0, 0, 69, 68, 1, 0, 0, 0, 70, 73,
		1, 0, 0, 0, 71, 69, 1, 0, 0, 0, 71, 72, 1, 0, 0, 0, 72, 78, 1, 0, 0, 0,
		73, 71, 1, 0, 0, 0, 74, 79, 3, 12, 6, 0, 75, 76, 3, 20, 10, 0, 76, 77,
		5, 34, 0, 0, 77, 79, 1, 0, 0, 0, 78, 74, 1, 0, 0, 0, 78, 75, 1, 0, 0, 0,
		79, 81, 1, 0, 0, 0, 80, 46, 1, 0, 0, 0, 80, 48, 1, 0, 0, 0, 80, 57, 1,
		0, 0, 0, 80, 59, 1, 0, 0, 0, 80, 64, 1, 0, 0, 0, 80, 65, 1, 0, 0, 0, 80,
		66, 1, 0, 0, 0, 80, 67, 1, 0, 0, 0, 80, 71, 1, 0, 0, 0, 81, 3, 1, 0, 0,
		0, 82, 83, 5, 4, 0, 0, 83, 84, 5, 30, 0, 0, 84, 89, 5, 31, 0, 0, 85, 86,
		5, 35, 0, 0, 86, 88, 5, 30, 0, 0, 87, 85, 1, 0, 0, 0, 88, 91, 1, 0, 0,
		0, 89, 87, 1, 0, 0, 0, 89, 90, 1, 0, 0, 0, 90, 5, 1, 0, 0, 0, 91, 89, 1,
		0, 0, 0, 92, 93, 5, 5, 0, 0, 93, 94, 5, 30, 0, 0, 94, 95, 5, 30, 0, 0,
		95, 108, 5, 30, 0, 0, 96, 97, 5, 35, 0, 0, 97, 98, 5, 32, 0, 0, 98, 101,
		5, 32, 0, 0, 99, 100, 5, 48, 0, 0, 100, 102, 5, 30, 0, 0, 101, 99, 1, 0,
		0, 0, 101, 102, 1, 0, 0, 0, 102, 103, 1, 0, 0, 0, 103, 104, 5, 35, 0, 0,
		104, 105, 5, 32, 0, 0, 105, 106, 5, 30, 0, 0, 106, 107, 5, 30, 0, 0, 107,
		109, 5, 30, 0, 0, 108, 96, 1, 0, 0, 0, 108, 109, 1, 0, 0, 0, 109, 7, 1,
		0, 0, 0, 110, 111, 5, 23, 0, 0, 111, 116, 5, 31, 0, 0, 112, 113, 5, 35,
		0, 0, 113, 115, 5, 31, 0, 0, 114, 112, 1, 0, 0, 0, 115, 118, 1, 0, 0, 0,
		116, 114, 1, 0, 0, 0, 116, 117, 1, 0, 0, 0, 117, 119, 1, 0, 0, 0, 118,
		116, 1, 0, 0, 0, 119, 120, 5, 34, 0, 0, 120, 9, 1, 0, 0, 0, 121, 122, 5,
		6, 0, 0, 122, 127, 7, 1, 0, 0, 123, 124, 5, 35, 0, 0, 124, 126, 5, 31,
		0, 0, 125, 123, 1, 0, 0, 0, 126, 129, 1, 0, 0, 0, 127, 125, 1, 0, 0, 0,
		127, 128, 1, 0, 0, 0, 128, 130, 1, 0, 0, 0, 129, 127, 1, 0, 0, 0, 130,
		170, 5, 41, 0, 0, 131, 144, 5, 33, 0, 0, 132, 134, 5, 47, 0, 0, 133, 132,
		1, 0, 0, 0, 133, 134, 1, 0, 0, 0, 134, 135, 1, 0, 0, 0, 135, 145, 5, 30,
		0, 0, 136, 145, 5, 28, 0, 0, 137, 145, 5, 29, 0, 0, 138, 145, 5, 31, 0,
		0, 139, 142, 7, 2, 0, 0, 140, 141, 7, 3, 0, 0, 141, 143, 7, 4, 0, 0, 142,
		140, 1, 0, 0, 0, 142, 143, 1, 0, 0, 0, 143, 145, 1, 0, 0, 0, 144, 133,
		1, 0, 0, 0, 144, 136, 1, 0, 0, 0, 144, 137, 1, 0, 0, 0, 144, 138, 1, 0,
		0, 0, 144, 139, 1, 0, 0, 0, 145, 163, 1, 0, 0, 0, 146, 159, 5, 35, 0, 0,
		147, 149, 5, 47, 0, 0, 148, 147, 1, 0, 0, 0, 148, 149, 1, 0, 0, 0, 149,
		150, 1, 0, 0, 0, 150, 160, 5, 30, 0, 0, 151, 160, 5, 28, 0, 0, 152, 160,
		5, 29, 0, 0, 153, 160, 5, 31, 0, 0, 154, 157, 7, 2, 0, 0, 155, 156, 7,
		3, 0, 0, 156, 158, 7, 4, 0, 0, 157, 155, 1, 0, 0, 0, 157, 158, 1, 0, 0,
		0, 158, 160, 1, 0, 0, 0, 159, 148, 1, 0, 0, 0, 159, 151, 1, 0, 0, 0, 159,
		152, 1, 0, 0, 0, 159, 153, 1, 0, 0, 0, 159, 154, 1, 0, 0, 0, 160, 162,
		1, 0, 0, 0, 161, 146, 1, 0, 0, 0, 162, 165, 1, 0, 0, 0, 163, 161, 1, 0,
		0, 0, 163, 164, 1, 0, 0, 0, 164, 169, 1, 0, 0, 0, 165, 163, 1, 0, 0, 0,
		166, 167, 5, 32, 0, 0, 167, 169, 5, 36, 0, 0, 168, 131, 1, 0, 0, 0, 168,
		166, 1, 0, 0, 0, 169, 172, 1, 0, 0, 0, 170, 168, 1, 0, 0, 0, 170, 171,
		1, 0, 0, 0, 171, 173, 1, 0, 0, 0, 172, 170, 1, 0, 0, 0, 173, 174, 5, 42,
		0, 0, 174, 11, 1, 0, 0, 0, 175, 177, 5, 7, 0, 0, 176, 178, 3, 18, 9, 0,
		177, 176, 1, 0, 0, 0, 177, 178, 1, 0, 0, 0, 178, 180, 1, 0, 0, 0, 179,
		181, 3, 14, 7, 0, 180, 179, 1, 0, 0, 0, 180, 181, 1, 0, 0, 0, 181, 184,
		1, 0, 0, 0, 182, 184, 5, 8, 0, 0, 183, 175, 1, 0, 0, 0, 183, 182, 1, 0,
		0, 0, 184, 185, 1, 0, 0, 0, 185, 187, 5, 32, 0, 0, 186, 188, 3, 14, 7,
		0, 187, 186, 1, 0, 0, 0, 187, 188, 1, 0, 0, 0, 188, 203, 1, 0, 0, 0, 189,
		198, 5, 33, 0, 0, 190, 195, 5, 30, 0, 0, 191, 192, 5, 35, 0, 0, 192, 194,
		5, 30, 0, 0, 193, 191, 1, 0, 0, 0, 194, 197, 1, 0, 0, 0, 195, 193, 1, 0,
		0, 0, 195, 196, 1, 0, 0, 0, 196, 199, 1, 0, 0, 0, 197, 195, 1, 0, 0, 0,
		198, 190, 1, 0, 0, 0, 198, 199, 1, 0, 0, 0, 199, 202, 1, 0, 0, 0, 200,
		202, 3, 8, 4, 0, 201, 189, 1, 0, 0, 0, 201, 200, 1, 0, 0, 0, 202, 205,
		1, 0, 0, 0, 203, 201, 1, 0, 0, 0, 203, 204, 1, 0, 0, 0, 204, 208, 1, 0,
		0, 0, 205, 203, 1, 0, 0, 0, 206, 209, 3, 28, 14, 0, 207, 209, 5, 34, 0,
		0, 208, 206, 1, 0, 0, 0, 208, 207, 1, 0, 0, 0, 208, 209, 1, 0, 0, 0, 209,
		13, 1, 0, 0, 0, 210, 219, 5, 39, 0, 0, 211, 216, 3, 16, 8, 0, 212, 213,
		5, 35, 0, 0, 213, 215, 3, 16, 8, 0, 214, 212, 1, 0, 0, 0, 215, 218, 1,
		0, 0, 0, 216, 214, 1, 0, 0, 0, 216, 217, 1, 0, 0, 0, 217, 220, 1, 0, 0,
		0, 218, 216, 1, 0, 0, 0, 219, 211, 1, 0, 0, 0, 219, 220, 1, 0, 0, 0, 220,
		221, 1, 0, 0, 0, 221, 222, 5, 40, 0, 0, 222, 15, 1, 0, 0, 0, 223, 224,
		3, 22, 11, 0, 224, 236, 3, 24, 12, 0, 225, 233, 5, 32, 0, 0, 226, 228,
		5, 43, 0, 0, 227, 229, 3, 32, 16, 0, 228, 227, 1, 0, 0, 0, 228, 229, 1,
		0, 0, 0, 229, 230, 1, 0, 0, 0, 230, 232, 5, 44, 0, 0, 231, 226, 1, 0, 0,
		0, 232, 235, 1, 0, 0, 0, 233, 231, 1, 0, 0, 0, 233, 234, 1, 0, 0, 0, 234,
		237, 1, 0, 0, 0, 235, 233, 1, 0, 0, 0, 236, 225, 1, 0, 0, 0, 236, 237,
		1, 0, 0, 0, 237, 17, 1, 0, 0, 0, 238, 239, 5, 22, 0, 0, 239, 240, 5, 39,
		0, 0, 240, 251, 5, 33, 0, 0, 241, 242, 5, 39, 0, 0, 242, 247, 5, 30, 0,
		0, 243, 244, 5, 35, 0, 0, 244, 246, 5, 30, 0, 0, 245, 243, 1, 0, 0, 0,
		246, 249, 1, 0, 0, 0, 247, 245, 1, 0, 0, 0, 247, 248, 1, 0, 0, 0, 248,
		250, 1, 0, 0, 0, 249, 247, 1, 0, 0, 0, 250, 252, 5, 40, 0, 0, 251, 241,
		1, 0, 0, 0, 251, 252, 1, 0, 0, 0, 252, 269, 1, 0, 0, 0, 253, 254, 5, 35,
		0, 0, 254, 265, 5, 33, 0, 0, 255, 256, 5, 39, 0, 0, 256, 261, 5, 30, 0,
		0, 257, 258, 5, 35, 0, 0, 258, 260, 5, 30, 0, 0, 259, 257, 1, 0, 0, 0,
		260, 263, 1, 0, 0, 0, 261, 259, 1, 0, 0, 0, 261, 262, 1, 0, 0, 0, 262,
		264, 1, 0, 0, 0, 263, 261, 1, 0, 0, 0, 264, 266, 5, 40, 0, 0, 265, 255,
		1, 0, 0, 0, 265, 266, 1, 0, 0, 0, 266, 268, 1, 0, 0, 0, 267, 253, 1, 0,
		0, 0, 268, 271, 1, 0, 0, 0, 269, 267, 1, 0, 0, 0, 269, 270, 1, 0, 0, 0,
		270, 272, 1, 0, 0, 0, 271, 269, 1, 0, 0, 0, 272, 273, 5, 40, 0, 0, 273,
		19, 1, 0, 0, 0, 274, 275, 3, 22, 11, 0, 275, 276, 3, 24, 12, 0, 276, 281,
		3, 26, 13, 0, 277, 278, 5, 35, 0, 0, 278, 280, 3, 26, 13, 0, 279, 277,
		1, 0, 0, 0, 280, 283, 1, 0, 0, 0, 281, 279, 1, 0, 0, 0, 281, 282, 1, 0,
		0, 0, 282, 21, 1, 0, 0, 0, 283, 281, 1, 0, 0, 0, 284, 285, 7, 5, 0, 0,
		285, 23, 1, 0, 0, 0, 286, 287, 5, 21, 0, 0, 287, 296, 5, 30, 0, 0, 288,
		296, 3, 18, 9, 0, 289, 296, 5, 33, 0, 0, 290, 296, 5, 15, 0, 0, 291, 296,
		5, 16, 0, 0, 292, 296, 5, 17, 0, 0, 293, 296, 5, 18, 0, 0, 294, 296, 5,
		19, 0, 0, 295, 286, 1, 0, 0, 0, 295, 288, 1, 0, 0, 0, 295, 289, 1, 0, 0,
		0, 295, 290, 1, 0, 0, 0, 295, 291, 1, 0, 0, 0, 295, 292, 1, 0, 0, 0, 295,
		293, 1, 0, 0, 0, 295, 294, 1, 0, 0, 0, 296, 299, 1, 0, 0, 0, 297, 295,
		1, 0, 0, 0, 297, 298, 1, 0, 0, 0, 298, 25, 1, 0, 0, 0, 299, 297, 1, 0,
		0, 0, 300, 304, 5, 32, 0, 0, 301, 302, 5, 45, 0, 0, 302, 303, 5, 30, 0,
		0, 303, 305, 5, 46, 0, 0, 304, 301, 1, 0, 0, 0, 304, 305, 1, 0, 0, 0, 305,
		313, 1, 0, 0, 0, 306, 308, 5, 43, 0, 0, 307, 309, 3, 32, 16, 0, 308, 307,
		1, 0, 0, 0, 308, 309, 1, 0, 0, 0, 309, 310, 1, 0, 0, 0, 310, 312, 5, 44,
		0, 0, 311, 306, 1, 0, 0, 0, 312, 315, 1, 0, 0, 0, 313, 311, 1, 0, 0, 0,
		313, 314, 1, 0, 0, 0, 314, 318, 1, 0, 0, 0, 315, 313, 1, 0, 0, 0, 316,
		317, 5, 38, 0, 0, 317, 319, 3, 32, 16, 0, 318, 316, 1, 0, 0, 0, 318, 319,
		1, 0, 0, 0, 319, 27, 1, 0, 0, 0, 320, 324, 5, 41, 0, 0, 321, 323, 3, 30,
		15, 0, 322, 321, 1, 0, 0, 0, 323, 326, 1, 0, 0, 0, 324, 322, 1, 0, 0, 0,
		324, 325, 1, 0, 0, 0, 325, 327, 1, 0, 0, 0, 326, 324, 1, 0, 0, 0, 327,
		328, 5, 42, 0, 0, 328, 29, 1, 0, 0, 0, 329, 395, 5, 32, 0, 0, 330, 376,
		5, 36, 0, 0, 331, 332, 5, 25, 0, 0, 332, 337, 5, 32, 0, 0, 333, 334, 5,
		35, 0, 0, 334, 336, 5, 32, 0, 0, 335, 333, 1, 0, 0, 0, 336, 339, 1, 0,
		0, 0, 337, 335, 1, 0, 0, 0, 337, 338, 1, 0, 0, 0, 338, 340, 1, 0, 0, 0,
		339, 337, 1, 0, 0, 0, 340, 377, 5, 34, 0, 0, 341, 342, 5, 26, 0, 0, 342,
		347, 5, 32, 0, 0, 343, 344, 5, 35, 0, 0, 344, 346, 5, 32, 0, 0, 345, 343,
		1, 0, 0, 0, 346, 349, 1, 0, 0, 0, 347, 345, 1, 0, 0, 0, 347, 348, 1, 0,
		0, 0, 348, 350, 1, 0, 0, 0, 349, 347, 1, 0, 0, 0, 350, 377, 5, 34, 0, 0,
		351, 353, 5, 27, 0, 0, 352, 354, 3, 14, 7, 0, 353, 352, 1, 0, 0, 0, 353,
		354, 1, 0, 0, 0, 354, 355, 1, 0, 0, 0, 355, 357, 5, 32, 0, 0, 356, 358,
		3, 14, 7, 0, 357, 356, 1, 0, 0, 0, 357, 358, 1, 0, 0, 0, 358, 372, 1, 0,
		0, 0, 359, 368, 5, 33, 0, 0, 360, 365, 5, 30, 0, 0, 361, 362, 5, 35, 0,
		0, 362, 364, 5, 30, 0, 0, 363, 361, 1, 0, 0, 0, 364, 367, 1, 0, 0, 0, 365,
		363, 1, 0, 0, 0, 365, 366, 1, 0, 0, 0, 366, 369, 1, 0, 0, 0, 367, 365,
		1, 0, 0, 0, 368, 360, 1, 0, 0, 0, 368, 369, 1, 0, 0, 0, 369, 371, 1, 0,
		0, 0, 370, 359, 1, 0, 0, 0, 371, 374, 1, 0, 0, 0, 372, 370, 1, 0, 0, 0,
		372, 373, 1, 0, 0, 0, 373, 375, 1, 0, 0, 0, 374, 372, 1, 0, 0, 0, 375,
		377, 5, 34, 0, 0, 376, 331, 1, 0, 0, 0, 376, 341, 1, 0, 0, 0, 376, 351,
		1, 0, 0, 0, 376, 377, 1, 0, 0, 0, 377, 396, 1, 0, 0, 0, 378, 380, 7, 6,
		0, 0, 379, 378, 1, 0, 0, 0, 380, 383, 1, 0, 0, 0, 381, 379, 1, 0, 0, 0,
		381, 382, 1, 0, 0, 0, 382, 392, 1, 0, 0, 0, 383, 381, 1, 0, 0, 0, 384,
		389, 3, 32, 16, 0, 385, 386, 5, 35, 0, 0, 386, 388, 3, 32, 16, 0, 387,
		385, 1, 0, 0, 0, 388, 391, 1, 0, 0, 0, 389, 387, 1, 0, 0, 0, 389, 390,
		1, 0, 0, 0, 390, 393, 1, 0, 0, 0, 391, 389, 1, 0, 0, 0, 392, 384, 1, 0,
		0, 0, 392, 393, 1, 0, 0, 0, 393, 394, 1, 0, 0, 0, 394, 396, 5, 34, 0, 0,
		395, 330, 1, 0, 0, 0, 395, 381, 1, 0, 0, 0, 396, 433, 1, 0, 0, 0, 397,
		399, 5, 37, 0, 0, 398, 400, 5, 50, 0, 0, 399, 398, 1, 0, 0, 0, 399, 400,
		1, 0, 0, 0, 400, 401, 1, 0, 0, 0, 401, 402, 5, 32, 0, 0, 402, 406, 5, 32,
		0, 0, 403, 405, 7, 6, 0, 0, 404, 403, 1, 0, 0, 0, 405, 408, 1, 0, 0, 0,
		406, 404, 1, 0, 0, 0, 406, 407, 1, 0, 0, 0, 407, 417, 1, 0, 0, 0, 408,
		406, 1, 0, 0, 0, 409, 414, 3, 32, 16, 0, 410, 411, 5, 35, 0, 0, 411, 413,
		3, 32, 16, 0, 412, 410, 1, 0, 0, 0, 413, 416, 1, 0, 0, 0, 414, 412, 1,
		0, 0, 0, 414, 415, 1, 0, 0, 0, 415, 418, 1, 0, 0, 0, 416, 414, 1, 0, 0,
		0, 417, 409, 1, 0, 0, 0, 417, 418, 1, 0, 0, 0, 418, 419, 1, 0, 0, 0, 419,
		433, 5, 34, 0, 0, 420, 422, 5, 9, 0, 0, 421, 420, 1, 0, 0, 0, 421, 422,
		1, 0, 0, 0, 422, 423, 1, 0, 0, 0, 423, 424, 3, 20, 10, 0, 424, 425, 5,
		34, 0, 0, 425, 433, 1, 0, 0, 0, 426, 433, 3, 28, 14, 0, 427, 433, 3, 6,
		3, 0, 428, 433, 3, 4, 2, 0, 429, 433, 3, 8, 4, 0, 430, 433, 3, 10, 5, 0,
		431, 433, 5, 34, 0, 0, 432, 329, 1, 0, 0, 0, 432, 397, 1, 0, 0, 0, 432,
		421, 1, 0, 0, 0, 432, 426, 1, 0, 0, 0, 432, 427, 1, 0, 0, 0, 432, 428,
		1, 0, 0, 0, 432, 429, 1, 0, 0, 0, 432, 430, 1, 0, 0, 0, 432, 431, 1, 0,
		0, 0, 433, 31, 1, 0, 0, 0, 434, 436, 7, 7, 0, 0, 435, 434, 1, 0, 0, 0,
		436, 439, 1, 0, 0, 0, 437, 435, 1, 0, 0, 0, 437, 438, 1, 0, 0, 0, 438,
		489, 1, 0, 0, 0, 439, 437, 1, 0, 0, 0, 440, 444, 5, 32, 0, 0, 441, 443,
		5, 33, 0, 0, 442, 441, 1, 0, 0, 0, 443, 446, 1, 0, 0, 0, 444, 442, 1, 0,
		0, 0, 444, 445, 1, 0, 0, 0, 445, 451, 1, 0, 0, 0, 446, 444, 1, 0, 0, 0,
		447, 448, 5, 39, 0, 0, 448, 449, 3, 32, 16, 0, 449, 450, 5, 40, 0, 0, 450,
		452, 1, 0, 0, 0, 451, 447, 1, 0, 0, 0, 451, 452, 1, 0, 0, 0, 452, 478,
		1, 0, 0, 0, 453, 458, 5, 30, 0, 0, 454, 455, 5, 39, 0, 0, 455, 456, 3,
		32, 16, 0, 456, 457, 5, 40, 0, 0, 457, 459, 1, 0, 0, 0, 458, 454, 1, 0,
		0, 0, 458, 459, 1, 0, 0, 0, 459, 478, 1, 0, 0, 0, 460, 478, 5, 28, 0, 0,
		461, 478, 5, 29, 0, 0, 462, 478, 5, 31, 0, 0, 463, 478, 3, 36, 18, 0, 464,
		465, 5, 43, 0, 0, 465, 470, 3, 32, 16, 0, 466, 467, 5, 35, 0, 0, 467, 469,
		3, 32, 16, 0, 468, 466, 1, 0, 0, 0, 469, 472, 1, 0, 0, 0, 470, 468, 1,
		0, 0, 0, 470, 471, 1, 0, 0, 0, 471, 473, 1, 0, 0, 0, 472, 470, 1, 0, 0,
		0, 473, 475, 5, 44, 0, 0, 474, 476, 5, 33, 0, 0, 475, 474, 1, 0, 0, 0,
		475, 476, 1, 0, 0, 0, 476, 478, 1, 0, 0, 0, 477, 440, 1, 0, 0, 0, 477,
		453, 1, 0, 0, 0, 477, 460, 1, 0, 0, 0, 477, 461, 1, 0, 0, 0, 477, 462,
		1, 0, 0, 0, 477, 463, 1, 0, 0, 0, 477, 464, 1, 0, 0, 0, 478, 486, 1, 0,
		0, 0, 479, 480, 7, 8, 0, 0, 480, 487, 3, 32, 16, 0, 481, 482, 5, 52, 0,
		0, 482, 483, 3, 32, 16, 0, 483, 484, 5, 36, 0, 0, 484, 485, 3, 32, 16,
		0, 485, 487, 1, 0, 0, 0, 486, 479, 1, 0, 0, 0, 486, 481, 1, 0, 0, 0, 486,
		487, 1, 0, 0, 0, 487, 490, 1, 0, 0, 0, 488, 490, 3, 34, 17, 0, 489, 477,
		1, 0, 0, 0, 489, 488, 1, 0, 0, 0, 490, 33, 1, 0, 0, 0, 491, 515, 5, 39,
		0, 0, 492, 493, 5, 33, 0, 0, 493, 494, 5, 40, 0, 0, 494, 516, 3, 32, 16,
		0, 495, 500, 3, 32, 16, 0, 496, 497, 5, 35, 0, 0, 497, 499, 3, 32, 16,
		0, 498, 496, 1, 0, 0, 0, 499, 502, 1, 0, 0, 0, 500, 498, 1, 0, 0, 0, 500,
		501, 1, 0, 0, 0, 501, 504, 1, 0, 0, 0, 502, 500, 1, 0, 0, 0, 503, 495,
		1, 0, 0, 0, 503, 504, 1, 0, 0, 0, 504, 505, 1, 0, 0, 0, 505, 513, 5, 40,
		0, 0, 506, 507, 7, 8, 0, 0, 507, 514, 3, 32, 16, 0, 508, 509, 5, 52, 0,
		0, 509, 510, 3, 32, 16, 0, 510, 511, 5, 36, 0, 0, 511, 512, 3, 32, 16,
		0, 512, 514, 1, 0, 0, 0, 513, 506, 1, 0, 0, 0, 513, 508, 1, 0, 0, 0, 513,
		514, 1, 0, 0, 0, 514, 516, 1, 0, 0, 0, 515, 492, 1, 0, 0, 0, 515, 503,
		1, 0, 0, 0, 516, 35, 1, 0, 0, 0, 517, 612, 5, 41, 0, 0, 518, 520, 7, 7,
		0, 0, 519, 518, 1, 0, 0, 0, 520, 523, 1, 0, 0, 0, 521, 519, 1, 0, 0, 0,
		521, 522, 1, 0, 0, 0, 522, 560, 1, 0, 0, 0, 523, 521, 1, 0, 0, 0, 524,
		528, 5, 32, 0, 0, 525, 527, 5, 33, 0, 0, 526, 525, 1, 0, 0, 0, 527, 530,
		1, 0, 0, 0, 528, 526, 1, 0, 0, 0, 528, 529, 1, 0, 0, 0, 529, 535, 1, 0,
		0, 0, 530, 528, 1, 0, 0, 0, 531, 532, 5, 39, 0, 0, 532, 533, 3, 32, 16,
		0, 533, 534, 5, 40, 0, 0, 534, 536, 1, 0, 0, 0, 535, 531, 1, 0, 0, 0, 535,
		536, 1, 0, 0, 0, 536, 549, 1, 0, 0, 0, 537, 542, 5, 30, 0, 0, 538, 539,
		5, 39, 0, 0, 539, 540, 3, 32, 16, 0, 540, 541, 5, 40, 0, 0, 541, 543, 1,
		0, 0, 0, 542, 538, 1, 0, 0, 0, 542, 543, 1, 0, 0, 0, 543, 549, 1, 0, 0,
		0, 544, 549, 5, 28, 0, 0, 545, 549, 5, 29, 0, 0, 546, 549, 5, 31, 0, 0,
		547, 549, 3, 36, 18, 0, 548, 524, 1, 0, 0, 0, 548, 537, 1, 0, 0, 0, 548,
		544, 1, 0, 0, 0, 548, 545, 1, 0, 0, 0, 548, 546, 1, 0, 0, 0, 548, 547,
		1, 0, 0, 0, 549, 557, 1, 0, 0, 0, 550, 551, 7, 9, 0, 0, 551, 558, 3, 32,
		16, 0, 552, 553, 5, 52, 0, 0, 553, 554, 3, 32, 16, 0, 554, 555, 5, 36,
		0, 0, 555, 556, 3, 32, 16, 0, 556, 558, 1, 0, 0, 0, 557, 550, 1, 0, 0,
		0, 557, 552, 1, 0, 0, 0, 557, 558, 1, 0, 0, 0, 558, 561, 1, 0, 0, 0, 559,
		561, 3, 34, 17, 0, 560, 548, 1, 0, 0, 0, 560, 559, 1, 0, 0, 0, 561, 609,
		1, 0, 0, 0, 562, 566, 5, 35, 0, 0, 563, 565, 7, 7, 0, 0, 564, 563, 1, 0,
		0, 0, 565, 568, 1, 0, 0, 0, 566, 564, 1, 0, 0, 0, 566, 567, 1, 0, 0, 0,
		567, 605, 1, 0, 0, 0, 568, 566, 1, 0, 0, 0, 569, 573, 5, 32, 0, 0, 570,
		572, 5, 33, 0, 0, 571, 570, 1, 0, 0, 0, 572, 575, 1, 0, 0, 0, 573, 571,
		1, 0, 0, 0, 573, 574, 1, 0, 0, 0, 574, 580, 1, 0, 0, 0, 575, 573, 1, 0,
		0, 0, 576, 577, 5, 39, 0, 0, 577, 578, 3, 32, 16, 0, 578, 579, 5, 40, 0,
		0, 579, 581, 1, 0, 0, 0, 580, 576, 1, 0, 0, 0, 580, 581, 1, 0, 0, 0, 581,
		594, 1, 0, 0, 0, 582, 587, 5, 30, 0, 0, 583, 584, 5, 39, 0, 0, 584, 585,
		3, 32, 16, 0, 585, 586, 5, 40, 0, 0, 586, 588, 1, 0, 0, 0, 587, 583, 1,
		0, 0, 0, 587, 588, 1, 0, 0, 0, 588, 594, 1, 0, 0, 0, 589, 594, 5, 28, 0,
		0, 590, 594, 5, 29, 0, 0, 591, 594, 5, 31, 0, 0, 592, 594, 3, 36, 18, 0,
		593, 569, 1, 0, 0, 0, 593, 582, 1, 0, 0, 0, 593, 589, 1, 0, 0, 0, 593,
		590, 1, 0, 0, 0, 593, 591, 1, 0, 0, 0, 593, 592, 1, 0, 0, 0, 594, 602,
		1, 0, 0, 0, 595, 596, 7, 9, 0, 0, 596, 603, 3, 32, 16, 0, 597, 598, 5,
		52, 0, 0, 598, 599, 3, 32, 16, 0, 599, 600, 5, 36, 0, 0, 600, 601, 3, 32,
		16, 0, 601, 603, 1, 0, 0, 0, 602, 595, 1, 0, 0, 0, 602, 597, 1, 0, 0, 0,
		602, 603, 1, 0, 0, 0, 603, 606, 1, 0, 0, 0, 604, 606, 3, 34, 17, 0, 605,
		593, 1, 0, 0, 0, 605, 604, 1, 0, 0, 0, 606, 608, 1, 0, 0, 0, 607, 562,
		1, 0, 0, 0, 608, 611, 1, 0, 0, 0, 609, 607, 1, 0, 0, 0, 609, 610, 1, 0,
		0, 0, 610, 613, 1, 0, 0, 0, 611, 609, 1, 0, 0, 0, 612, 521, 1, 0, 0, 0,
		612, 613, 1, 0, 0, 0, 613, 614, 1, 0, 0, 0, 614, 615, 5, 42, 0, 0, 615,
		37, 1, 0, 0, 0, 93, 41, 54, 71, 78, 80, 89, 101, 108, 116, 127, 133, 142,
		144, 148, 157, 159, 163, 168, 170, 177, 180, 183, 187, 195, 198, 201, 203,
		208, 216, 219, 228, 233, 236, 247, 251, 261, 265, 269, 281, 295, 297, 304,
		308, 313, 318, 324, 337, 347, 353, 357, 365, 368, 372, 376, 381, 389, 392,
		395, 399, 406, 414, 417, 421, 432, 437, 444, 451, 458, 470, 475, 477, 486,
		489, 500, 503, 513, 515, 521, 528, 535, 542, 548, 557, 560, 566, 573, 580,
		587, 593, 602, 605, 609, 612,
	}
	deserializer := antlr.NewATNDeserializer(nil)
	staticData.atn = deserializer.Deserialize(staticData.serializedATN)
	atn := staticData.atn
	staticData.decisionToDFA = make([]*antlr.DFA, len(atn.DecisionToState))
	decisionToDFA := staticData.decisionToDFA
	for index, state := range atn.DecisionToState {
		decisionToDFA[index] = antlr.NewDFA(state, index)
	}
}

// PTXParserInit initializes any static state used to implement PTXParser. By default the
// static state used to implement the parser is lazily initialized during the first call to
// NewPTXParser(). You can call this function if you wish to initialize the static state ahead
// of time.
func PTXParserInit() {
	staticData := &PTXParserParserStaticData
	staticData.once.Do(ptxparserParserInit)
}

// NewPTXParser produces a new parser instance for the optional input antlr.TokenStream.
func NewPTXParser(input antlr.TokenStream) *PTXParser {
	PTXParserInit()
	this := new(PTXParser)
	this.BaseParser = antlr.NewBaseParser(input)
	staticData := &PTXParserParserStaticData
	this.Interpreter = antlr.NewParserATNSimulator(this, staticData.atn, staticData.decisionToDFA, staticData.PredictionContextCache)
	this.RuleNames = staticData.RuleNames
	this.LiteralNames = staticData.LiteralNames
	this.SymbolicNames = staticData.SymbolicNames
	this.GrammarFileName = "PTXParser.g4"

	return this
}

// PTXParser tokens.
const (
	PTXParserEOF           = antlr.TokenEOF
	PTXParserVERSION       = 1
	PTXParserTARGET        = 2
	PTXParserADDRESS_SIZE  = 3
	PTXParserFILE          = 4
	PTXParserLOC           = 5
	PTXParserSECTION       = 6
	PTXParserFUNC          = 7
	PTXParserENTRY         = 8
	PTXParserEXTERN        = 9
	PTXParserVISIBLE       = 10
	PTXParserWEAK          = 11
	PTXParserCOMMON        = 12
	PTXParserREG           = 13
	PTXParserSREG          = 14
	PTXParserGLOBAL        = 15
	PTXParserCONST         = 16
	PTXParserSHARED        = 17
	PTXParserLOCAL         = 18
	PTXParserPARAM         = 19
	PTXParserTEX           = 20
	PTXParserALIGN         = 21
	PTXParserATTRIBUTE     = 22
	PTXParserPRAGMA        = 23
	PTXParserALIAS         = 24
	PTXParserBRANCHTARGETS = 25
	PTXParserCALLTARGETS   = 26
	PTXParserCALLPROTOTYPE = 27
	PTXParserFLOAT         = 28
	PTXParserHEXFLOAT      = 29
	PTXParserINT           = 30
	PTXParserSTRING        = 31
	PTXParserID            = 32
	PTXParserDOTID         = 33
	PTXParserSEMI          = 34
	PTXParserCOMMA         = 35
	PTXParserCOLON         = 36
	PTXParserAT            = 37
	PTXParserASSIGN        = 38
	PTXParserLPAREN        = 39
	PTXParserRPAREN        = 40
	PTXParserLBRACE        = 41
	PTXParserRBRACE        = 42
	PTXParserLBRACK        = 43
	PTXParserRBRACK        = 44
	PTXParserLT            = 45
	PTXParserGT            = 46
	PTXParserMINUS         = 47
	PTXParserPLUS          = 48
	PTXParserPIPE          = 49
	PTXParserBANG          = 50
	PTXParserTILDE         = 51
	PTXParserQUESTION      = 52
	PTXParserOP            = 53
	PTXParserWS            = 54
	PTXParserLINE_COMMENT  = 55
	PTXParserCOMMENT       = 56
	PTXParserHASH          = 57
	PTXParserDWARF         = 58
	PTXParserOPEN_STRING   = 59
	PTXParserOPEN_COMMENT  = 60
	PTXParserERRCHAR       = 61
)

// PTXParser rules.
const (
	PTXParserRULE_module     = 0
	PTXParserRULE_item       = 1
	PTXParserRULE_file       = 2
	PTXParserRULE_loc        = 3
	PTXParserRULE_pragma     = 4
	PTXParserRULE_section    = 5
	PTXParserRULE_function   = 6
	PTXParserRULE_params     = 7
	PTXParserRULE_param      = 8
	PTXParserRULE_attribute  = 9
	PTXParserRULE_variables  = 10
	PTXParserRULE_space      = 11
	PTXParserRULE_typing     = 12
	PTXParserRULE_declarator = 13
	PTXParserRULE_block      = 14
	PTXParserRULE_stmt       = 15
	PTXParserRULE_operand    = 16
	PTXParserRULE_paren      = 17
	PTXParserRULE_braces     = 18
)

// IModuleContext is an interface to support dynamic dispatch.
type IModuleContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	EOF() antlr.TerminalNode
	AllItem() []IItemContext
	Item(i int) IItemContext

	// IsModuleContext differentiates from other interfaces.
	IsModuleContext()
}

type ModuleContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyModuleContext() *ModuleContext {
	var p = new(ModuleContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PTXParserRULE_module
	return p
}

func InitEmptyModuleContext(p *ModuleContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PTXParserRULE_module
}

func (*ModuleContext) IsModuleContext() {}

func NewModuleContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *ModuleContext {
	var p = new(ModuleContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PTXParserRULE_module

	return p
}

func (s *ModuleContext) GetParser() antlr.Parser { return s.parser }

func (s *ModuleContext) EOF() antlr.TerminalNode {
	return s.GetToken(PTXParserEOF, 0)
}

func (s *ModuleContext) AllItem() []IItemContext {
	children := s.GetChildren()
	len := 0
	for _, ctx := range children {
		if _, ok := ctx.(IItemContext); ok {
			len++
		}
	}

	tst := make([]IItemContext, len)
	i := 0
	for _, ctx := range children {
		if t, ok := ctx.(IItemContext); ok {
			tst[i] = t.(IItemContext)
			i++
		}
	}

	return tst
}

func (s *ModuleContext) Item(i int) IItemContext {
	var t antlr.RuleContext
	j := 0
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IItemContext); ok {
			if j == i {
				t = ctx.(antlr.RuleContext)
				break
			}
			j++
		}
	}

	if t == nil {
		return nil
	}

	return t.(IItemContext)
}

func (s *ModuleContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *ModuleContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PTXParser) Module() (localctx IModuleContext) {
	if !p.fast {
		localctx = NewModuleContext(p, p.GetParserRuleContext(), p.GetState())
	}
	p.EnterRule(localctx, 0, PTXParserRULE_module)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	p.SetState(41)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&27262974) != 0 {
		{
			p.SetState(38)
			p.Item()
		}

		p.SetState(43)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}
	{
		p.SetState(44)
		p.Match(PTXParserEOF)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
	goto errorExit // Trick to prevent compiler error if the label is not used
}

// IItemContext is an interface to support dynamic dispatch.
type IItemContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	VERSION() antlr.TerminalNode
	FLOAT() antlr.TerminalNode
	TARGET() antlr.TerminalNode
	AllID() []antlr.TerminalNode
	ID(i int) antlr.TerminalNode
	AllCOMMA() []antlr.TerminalNode
	COMMA(i int) antlr.TerminalNode
	ADDRESS_SIZE() antlr.TerminalNode
	INT() antlr.TerminalNode
	ALIAS() antlr.TerminalNode
	SEMI() antlr.TerminalNode
	File() IFileContext
	Loc() ILocContext
	Section() ISectionContext
	Pragma() IPragmaContext
	Function() IFunctionContext
	Variables() IVariablesContext
	AllEXTERN() []antlr.TerminalNode
	EXTERN(i int) antlr.TerminalNode
	AllVISIBLE() []antlr.TerminalNode
	VISIBLE(i int) antlr.TerminalNode
	AllWEAK() []antlr.TerminalNode
	WEAK(i int) antlr.TerminalNode
	AllCOMMON() []antlr.TerminalNode
	COMMON(i int) antlr.TerminalNode

	// IsItemContext differentiates from other interfaces.
	IsItemContext()
}

type ItemContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyItemContext() *ItemContext {
	var p = new(ItemContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PTXParserRULE_item
	return p
}

func InitEmptyItemContext(p *ItemContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PTXParserRULE_item
}

func (*ItemContext) IsItemContext() {}

func NewItemContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *ItemContext {
	var p = new(ItemContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PTXParserRULE_item

	return p
}

func (s *ItemContext) GetParser() antlr.Parser { return s.parser }

func (s *ItemContext) VERSION() antlr.TerminalNode {
	return s.GetToken(PTXParserVERSION, 0)
}

func (s *ItemContext) FLOAT() antlr.TerminalNode {
	return s.GetToken(PTXParserFLOAT, 0)
}

func (s *ItemContext) TARGET() antlr.TerminalNode {
	return s.GetToken(PTXParserTARGET, 0)
}

func (s *ItemContext) AllID() []antlr.TerminalNode {
	return s.GetTokens(PTXParserID)
}

func (s *ItemContext) ID(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserID, i)
}

func (s *ItemContext) AllCOMMA() []antlr.TerminalNode {
	return s.GetTokens(PTXParserCOMMA)
}

func (s *ItemContext) COMMA(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserCOMMA, i)
}

func (s *ItemContext) ADDRESS_SIZE() antlr.TerminalNode {
	return s.GetToken(PTXParserADDRESS_SIZE, 0)
}

func (s *ItemContext) INT() antlr.TerminalNode {
	return s.GetToken(PTXParserINT, 0)
}

func (s *ItemContext) ALIAS() antlr.TerminalNode {
	return s.GetToken(PTXParserALIAS, 0)
}

func (s *ItemContext) SEMI() antlr.TerminalNode {
	return s.GetToken(PTXParserSEMI, 0)
}

func (s *ItemContext) File() IFileContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IFileContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(IFileContext)
}

func (s *ItemContext) Loc() ILocContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(ILocContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(ILocContext)
}

func (s *ItemContext) Section() ISectionContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(ISectionContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(ISectionContext)
}

func (s *ItemContext) Pragma() IPragmaContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IPragmaContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(IPragmaContext)
}

func (s *ItemContext) Function() IFunctionContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IFunctionContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(IFunctionContext)
}

func (s *ItemContext) Variables() IVariablesContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IVariablesContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(IVariablesContext)
}

func (s *ItemContext) AllEXTERN() []antlr.TerminalNode {
	return s.GetTokens(PTXParserEXTERN)
}

func (s *ItemContext) EXTERN(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserEXTERN, i)
}

func (s *ItemContext) AllVISIBLE() []antlr.TerminalNode {
	return s.GetTokens(PTXParserVISIBLE)
}

func (s *ItemContext) VISIBLE(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserVISIBLE, i)
}

func (s *ItemContext) AllWEAK() []antlr.TerminalNode {
	return s.GetTokens(PTXParserWEAK)
}

func (s *ItemContext) WEAK(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserWEAK, i)
}

func (s *ItemContext) AllCOMMON() []antlr.TerminalNode {
	return s.GetTokens(PTXParserCOMMON)
}

func (s *ItemContext) COMMON(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserCOMMON, i)
}

func (s *ItemContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *ItemContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PTXParser) Item() (localctx IItemContext) {
	if !p.fast {
		localctx = NewItemContext(p, p.GetParserRuleContext(), p.GetState())
	}
	p.EnterRule(localctx, 2, PTXParserRULE_item)
	var _la int

	p.SetState(80)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}

	switch p.GetTokenStream().LA(1) {
	case PTXParserVERSION:
		p.EnterOuterAlt(localctx, 1)
		{
			p.SetState(46)
			p.Match(PTXParserVERSION)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(47)
			p.Match(PTXParserFLOAT)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PTXParserTARGET:
		p.EnterOuterAlt(localctx, 2)
		{
			p.SetState(48)
			p.Match(PTXParserTARGET)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(49)
			p.Match(PTXParserID)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		p.SetState(54)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		for _la == PTXParserCOMMA {
			{
				p.SetState(50)
				p.Match(PTXParserCOMMA)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			{
				p.SetState(51)
				p.Match(PTXParserID)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}

			p.SetState(56)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}

	case PTXParserADDRESS_SIZE:
		p.EnterOuterAlt(localctx, 3)
		{
			p.SetState(57)
			p.Match(PTXParserADDRESS_SIZE)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(58)
			p.Match(PTXParserINT)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PTXParserALIAS:
		p.EnterOuterAlt(localctx, 4)
		{
			p.SetState(59)
			p.Match(PTXParserALIAS)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(60)
			p.Match(PTXParserID)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(61)
			p.Match(PTXParserCOMMA)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(62)
			p.Match(PTXParserID)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(63)
			p.Match(PTXParserSEMI)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PTXParserFILE:
		p.EnterOuterAlt(localctx, 5)
		{
			p.SetState(64)
			p.File()
		}

	case PTXParserLOC:
		p.EnterOuterAlt(localctx, 6)
		{
			p.SetState(65)
			p.Loc()
		}

	case PTXParserSECTION:
		p.EnterOuterAlt(localctx, 7)
		{
			p.SetState(66)
			p.Section()
		}

	case PTXParserPRAGMA:
		p.EnterOuterAlt(localctx, 8)
		{
			p.SetState(67)
			p.Pragma()
		}

	case PTXParserFUNC, PTXParserENTRY, PTXParserEXTERN, PTXParserVISIBLE, PTXParserWEAK, PTXParserCOMMON, PTXParserREG, PTXParserSREG, PTXParserGLOBAL, PTXParserCONST, PTXParserSHARED, PTXParserLOCAL, PTXParserPARAM, PTXParserTEX:
		p.EnterOuterAlt(localctx, 9)
		p.SetState(71)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&7680) != 0 {
			{
				p.SetState(68)
				_la = p.GetTokenStream().LA(1)

				if !((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&7680) != 0) {
					p.GetErrorHandler().RecoverInline(p)
				} else {
					p.GetErrorHandler().ReportMatch(p)
					p.Consume()
				}
			}

			p.SetState(73)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}
		p.SetState(78)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}

		switch p.GetTokenStream().LA(1) {
		case PTXParserFUNC, PTXParserENTRY:
			{
				p.SetState(74)
				p.Function()
			}

		case PTXParserREG, PTXParserSREG, PTXParserGLOBAL, PTXParserCONST, PTXParserSHARED, PTXParserLOCAL, PTXParserPARAM, PTXParserTEX:
			{
				p.SetState(75)
				p.Variables()
			}
			{
				p.SetState(76)
				p.Match(PTXParserSEMI)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}

		default:
			p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
			goto errorExit
		}

	default:
		p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
		goto errorExit
	}

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
	goto errorExit // Trick to prevent compiler error if the label is not used
}

// IFileContext is an interface to support dynamic dispatch.
type IFileContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	FILE() antlr.TerminalNode
	AllINT() []antlr.TerminalNode
	INT(i int) antlr.TerminalNode
	STRING() antlr.TerminalNode
	AllCOMMA() []antlr.TerminalNode
	COMMA(i int) antlr.TerminalNode

	// IsFileContext differentiates from other interfaces.
	IsFileContext()
}

type FileContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyFileContext() *FileContext {
	var p = new(FileContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PTXParserRULE_file
	return p
}

func InitEmptyFileContext(p *FileContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PTXParserRULE_file
}

func (*FileContext) IsFileContext() {}

func NewFileContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *FileContext {
	var p = new(FileContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PTXParserRULE_file

	return p
}

func (s *FileContext) GetParser() antlr.Parser { return s.parser }

func (s *FileContext) FILE() antlr.TerminalNode {
	return s.GetToken(PTXParserFILE, 0)
}

func (s *FileContext) AllINT() []antlr.TerminalNode {
	return s.GetTokens(PTXParserINT)
}

func (s *FileContext) INT(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserINT, i)
}

func (s *FileContext) STRING() antlr.TerminalNode {
	return s.GetToken(PTXParserSTRING, 0)
}

func (s *FileContext) AllCOMMA() []antlr.TerminalNode {
	return s.GetTokens(PTXParserCOMMA)
}

func (s *FileContext) COMMA(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserCOMMA, i)
}

func (s *FileContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *FileContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PTXParser) File() (localctx IFileContext) {
	if !p.fast {
		localctx = NewFileContext(p, p.GetParserRuleContext(), p.GetState())
	}
	p.EnterRule(localctx, 4, PTXParserRULE_file)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(82)
		p.Match(PTXParserFILE)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	{
		p.SetState(83)
		p.Match(PTXParserINT)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	{
		p.SetState(84)
		p.Match(PTXParserSTRING)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	p.SetState(89)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	for _la == PTXParserCOMMA {
		{
			p.SetState(85)
			p.Match(PTXParserCOMMA)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(86)
			p.Match(PTXParserINT)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

		p.SetState(91)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
	goto errorExit // Trick to prevent compiler error if the label is not used
}

// ILocContext is an interface to support dynamic dispatch.
type ILocContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	LOC() antlr.TerminalNode
	AllINT() []antlr.TerminalNode
	INT(i int) antlr.TerminalNode
	AllCOMMA() []antlr.TerminalNode
	COMMA(i int) antlr.TerminalNode
	AllID() []antlr.TerminalNode
	ID(i int) antlr.TerminalNode
	PLUS() antlr.TerminalNode

	// IsLocContext differentiates from other interfaces.
	IsLocContext()
}

type LocContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyLocContext() *LocContext {
	var p = new(LocContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PTXParserRULE_loc
	return p
}

func InitEmptyLocContext(p *LocContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PTXParserRULE_loc
}

func (*LocContext) IsLocContext() {}

func NewLocContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *LocContext {
	var p = new(LocContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PTXParserRULE_loc

	return p
}

func (s *LocContext) GetParser() antlr.Parser { return s.parser }

func (s *LocContext) LOC() antlr.TerminalNode {
	return s.GetToken(PTXParserLOC, 0)
}

func (s *LocContext) AllINT() []antlr.TerminalNode {
	return s.GetTokens(PTXParserINT)
}

func (s *LocContext) INT(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserINT, i)
}

func (s *LocContext) AllCOMMA() []antlr.TerminalNode {
	return s.GetTokens(PTXParserCOMMA)
}

func (s *LocContext) COMMA(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserCOMMA, i)
}

func (s *LocContext) AllID() []antlr.TerminalNode {
	return s.GetTokens(PTXParserID)
}

func (s *LocContext) ID(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserID, i)
}

func (s *LocContext) PLUS() antlr.TerminalNode {
	return s.GetToken(PTXParserPLUS, 0)
}

func (s *LocContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *LocContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PTXParser) Loc() (localctx ILocContext) {
	if !p.fast {
		localctx = NewLocContext(p, p.GetParserRuleContext(), p.GetState())
	}
	p.EnterRule(localctx, 6, PTXParserRULE_loc)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(92)
		p.Match(PTXParserLOC)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	{
		p.SetState(93)
		p.Match(PTXParserINT)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	{
		p.SetState(94)
		p.Match(PTXParserINT)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	{
		p.SetState(95)
		p.Match(PTXParserINT)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	p.SetState(108)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	if _la == PTXParserCOMMA {
		{
			p.SetState(96)
			p.Match(PTXParserCOMMA)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(97)
			p.Match(PTXParserID)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(98)
			p.Match(PTXParserID)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		p.SetState(101)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		if _la == PTXParserPLUS {
			{
				p.SetState(99)
				p.Match(PTXParserPLUS)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			{
				p.SetState(100)
				p.Match(PTXParserINT)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}

		}
		{
			p.SetState(103)
			p.Match(PTXParserCOMMA)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(104)
			p.Match(PTXParserID)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(105)
			p.Match(PTXParserINT)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(106)
			p.Match(PTXParserINT)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(107)
			p.Match(PTXParserINT)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	}

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
	goto errorExit // Trick to prevent compiler error if the label is not used
}

// IPragmaContext is an interface to support dynamic dispatch.
type IPragmaContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	PRAGMA() antlr.TerminalNode
	AllSTRING() []antlr.TerminalNode
	STRING(i int) antlr.TerminalNode
	SEMI() antlr.TerminalNode
	AllCOMMA() []antlr.TerminalNode
	COMMA(i int) antlr.TerminalNode

	// IsPragmaContext differentiates from other interfaces.
	IsPragmaContext()
}

type PragmaContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyPragmaContext() *PragmaContext {
	var p = new(PragmaContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PTXParserRULE_pragma
	return p
}

func InitEmptyPragmaContext(p *PragmaContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PTXParserRULE_pragma
}

func (*PragmaContext) IsPragmaContext() {}

func NewPragmaContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *PragmaContext {
	var p = new(PragmaContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PTXParserRULE_pragma

	return p
}

func (s *PragmaContext) GetParser() antlr.Parser { return s.parser }

func (s *PragmaContext) PRAGMA() antlr.TerminalNode {
	return s.GetToken(PTXParserPRAGMA, 0)
}

func (s *PragmaContext) AllSTRING() []antlr.TerminalNode {
	return s.GetTokens(PTXParserSTRING)
}

func (s *PragmaContext) STRING(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserSTRING, i)
}

func (s *PragmaContext) SEMI() antlr.TerminalNode {
	return s.GetToken(PTXParserSEMI, 0)
}

func (s *PragmaContext) AllCOMMA() []antlr.TerminalNode {
	return s.GetTokens(PTXParserCOMMA)
}

func (s *PragmaContext) COMMA(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserCOMMA, i)
}

func (s *PragmaContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *PragmaContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PTXParser) Pragma() (localctx IPragmaContext) {
	if !p.fast {
		localctx = NewPragmaContext(p, p.GetParserRuleContext(), p.GetState())
	}
	p.EnterRule(localctx, 8, PTXParserRULE_pragma)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(110)
		p.Match(PTXParserPRAGMA)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	{
		p.SetState(111)
		p.Match(PTXParserSTRING)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	p.SetState(116)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	for _la == PTXParserCOMMA {
		{
			p.SetState(112)
			p.Match(PTXParserCOMMA)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(113)
			p.Match(PTXParserSTRING)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

		p.SetState(118)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}
	{
		p.SetState(119)
		p.Match(PTXParserSEMI)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
	goto errorExit // Trick to prevent compiler error if the label is not used
}

// ISectionContext is an interface to support dynamic dispatch.
type ISectionContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	SECTION() antlr.TerminalNode
	LBRACE() antlr.TerminalNode
	RBRACE() antlr.TerminalNode
	AllDOTID() []antlr.TerminalNode
	DOTID(i int) antlr.TerminalNode
	AllSTRING() []antlr.TerminalNode
	STRING(i int) antlr.TerminalNode
	AllID() []antlr.TerminalNode
	ID(i int) antlr.TerminalNode
	AllCOMMA() []antlr.TerminalNode
	COMMA(i int) antlr.TerminalNode
	AllCOLON() []antlr.TerminalNode
	COLON(i int) antlr.TerminalNode
	AllINT() []antlr.TerminalNode
	INT(i int) antlr.TerminalNode
	AllFLOAT() []antlr.TerminalNode
	FLOAT(i int) antlr.TerminalNode
	AllHEXFLOAT() []antlr.TerminalNode
	HEXFLOAT(i int) antlr.TerminalNode
	AllMINUS() []antlr.TerminalNode
	MINUS(i int) antlr.TerminalNode
	AllPLUS() []antlr.TerminalNode
	PLUS(i int) antlr.TerminalNode

	// IsSectionContext differentiates from other interfaces.
	IsSectionContext()
}

type SectionContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptySectionContext() *SectionContext {
	var p = new(SectionContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PTXParserRULE_section
	return p
}

func InitEmptySectionContext(p *SectionContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PTXParserRULE_section
}

func (*SectionContext) IsSectionContext() {}

func NewSectionContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *SectionContext {
	var p = new(SectionContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PTXParserRULE_section

	return p
}

func (s *SectionContext) GetParser() antlr.Parser { return s.parser }

func (s *SectionContext) SECTION() antlr.TerminalNode {
	return s.GetToken(PTXParserSECTION, 0)
}

func (s *SectionContext) LBRACE() antlr.TerminalNode {
	return s.GetToken(PTXParserLBRACE, 0)
}

func (s *SectionContext) RBRACE() antlr.TerminalNode {
	return s.GetToken(PTXParserRBRACE, 0)
}

func (s *SectionContext) AllDOTID() []antlr.TerminalNode {
	return s.GetTokens(PTXParserDOTID)
}

func (s *SectionContext) DOTID(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserDOTID, i)
}

func (s *SectionContext) AllSTRING() []antlr.TerminalNode {
	return s.GetTokens(PTXParserSTRING)
}

func (s *SectionContext) STRING(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserSTRING, i)
}

func (s *SectionContext) AllID() []antlr.TerminalNode {
	return s.GetTokens(PTXParserID)
}

func (s *SectionContext) ID(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserID, i)
}

func (s *SectionContext) AllCOMMA() []antlr.TerminalNode {
	return s.GetTokens(PTXParserCOMMA)
}

func (s *SectionContext) COMMA(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserCOMMA, i)
}

func (s *SectionContext) AllCOLON() []antlr.TerminalNode {
	return s.GetTokens(PTXParserCOLON)
}

func (s *SectionContext) COLON(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserCOLON, i)
}

func (s *SectionContext) AllINT() []antlr.TerminalNode {
	return s.GetTokens(PTXParserINT)
}

func (s *SectionContext) INT(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserINT, i)
}

func (s *SectionContext) AllFLOAT() []antlr.TerminalNode {
	return s.GetTokens(PTXParserFLOAT)
}

func (s *SectionContext) FLOAT(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserFLOAT, i)
}

func (s *SectionContext) AllHEXFLOAT() []antlr.TerminalNode {
	return s.GetTokens(PTXParserHEXFLOAT)
}

func (s *SectionContext) HEXFLOAT(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserHEXFLOAT, i)
}

func (s *SectionContext) AllMINUS() []antlr.TerminalNode {
	return s.GetTokens(PTXParserMINUS)
}

func (s *SectionContext) MINUS(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserMINUS, i)
}

func (s *SectionContext) AllPLUS() []antlr.TerminalNode {
	return s.GetTokens(PTXParserPLUS)
}

func (s *SectionContext) PLUS(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserPLUS, i)
}

func (s *SectionContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *SectionContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PTXParser) Section() (localctx ISectionContext) {
	if !p.fast {
		localctx = NewSectionContext(p, p.GetParserRuleContext(), p.GetState())
	}
	p.EnterRule(localctx, 10, PTXParserRULE_section)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(121)
		p.Match(PTXParserSECTION)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	{
		p.SetState(122)
		_la = p.GetTokenStream().LA(1)

		if !((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&15032385536) != 0) {
			p.GetErrorHandler().RecoverInline(p)
		} else {
			p.GetErrorHandler().ReportMatch(p)
			p.Consume()
		}
	}
	p.SetState(127)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	for _la == PTXParserCOMMA {
		{
			p.SetState(123)
			p.Match(PTXParserCOMMA)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(124)
			p.Match(PTXParserSTRING)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

		p.SetState(129)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}
	{
		p.SetState(130)
		p.Match(PTXParserLBRACE)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	p.SetState(170)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	for _la == PTXParserID || _la == PTXParserDOTID {
		p.SetState(168)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}

		switch p.GetTokenStream().LA(1) {
		case PTXParserDOTID:
			{
				p.SetState(131)
				p.Match(PTXParserDOTID)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			p.SetState(144)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}

			switch p.GetTokenStream().LA(1) {
			case PTXParserINT, PTXParserMINUS:
				p.SetState(133)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)

				if _la == PTXParserMINUS {
					{
						p.SetState(132)
						p.Match(PTXParserMINUS)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}

				}
				{
					p.SetState(135)
					p.Match(PTXParserINT)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}

			case PTXParserFLOAT:
				{
					p.SetState(136)
					p.Match(PTXParserFLOAT)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}

			case PTXParserHEXFLOAT:
				{
					p.SetState(137)
					p.Match(PTXParserHEXFLOAT)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}

			case PTXParserSTRING:
				{
					p.SetState(138)
					p.Match(PTXParserSTRING)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}

			case PTXParserID, PTXParserDOTID:
				{
					p.SetState(139)
					_la = p.GetTokenStream().LA(1)

					if !(_la == PTXParserID || _la == PTXParserDOTID) {
						p.GetErrorHandler().RecoverInline(p)
					} else {
						p.GetErrorHandler().ReportMatch(p)
						p.Consume()
					}
				}
				p.SetState(142)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)

				if _la == PTXParserMINUS || _la == PTXParserPLUS {
					{
						p.SetState(140)
						_la = p.GetTokenStream().LA(1)

						if !(_la == PTXParserMINUS || _la == PTXParserPLUS) {
							p.GetErrorHandler().RecoverInline(p)
						} else {
							p.GetErrorHandler().ReportMatch(p)
							p.Consume()
						}
					}
					{
						p.SetState(141)
						_la = p.GetTokenStream().LA(1)

						if !((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&13958643712) != 0) {
							p.GetErrorHandler().RecoverInline(p)
						} else {
							p.GetErrorHandler().ReportMatch(p)
							p.Consume()
						}
					}

				}

			default:
				p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
				goto errorExit
			}
			p.SetState(163)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)

			for _la == PTXParserCOMMA {
				{
					p.SetState(146)
					p.Match(PTXParserCOMMA)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}
				p.SetState(159)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}

				switch p.GetTokenStream().LA(1) {
				case PTXParserINT, PTXParserMINUS:
					p.SetState(148)
					p.GetErrorHandler().Sync(p)
					if p.HasError() {
						goto errorExit
					}
					_la = p.GetTokenStream().LA(1)

					if _la == PTXParserMINUS {
						{
							p.SetState(147)
							p.Match(PTXParserMINUS)
							if p.HasError() {
								// Recognition error - abort rule
								goto errorExit
							}
						}

					}
					{
						p.SetState(150)
						p.Match(PTXParserINT)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}

				case PTXParserFLOAT:
					{
						p.SetState(151)
						p.Match(PTXParserFLOAT)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}

				case PTXParserHEXFLOAT:
					{
						p.SetState(152)
						p.Match(PTXParserHEXFLOAT)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}

				case PTXParserSTRING:
					{
						p.SetState(153)
						p.Match(PTXParserSTRING)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}

				case PTXParserID, PTXParserDOTID:
					{
						p.SetState(154)
						_la = p.GetTokenStream().LA(1)

						if !(_la == PTXParserID || _la == PTXParserDOTID) {
							p.GetErrorHandler().RecoverInline(p)
						} else {
							p.GetErrorHandler().ReportMatch(p)
							p.Consume()
						}
					}
					p.SetState(157)
					p.GetErrorHandler().Sync(p)
					if p.HasError() {
						goto errorExit
					}
					_la = p.GetTokenStream().LA(1)

					if _la == PTXParserMINUS || _la == PTXParserPLUS {
						{
							p.SetState(155)
							_la = p.GetTokenStream().LA(1)

							if !(_la == PTXParserMINUS || _la == PTXParserPLUS) {
								p.GetErrorHandler().RecoverInline(p)
							} else {
								p.GetErrorHandler().ReportMatch(p)
								p.Consume()
							}
						}
						{
							p.SetState(156)
							_la = p.GetTokenStream().LA(1)

							if !((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&13958643712) != 0) {
								p.GetErrorHandler().RecoverInline(p)
							} else {
								p.GetErrorHandler().ReportMatch(p)
								p.Consume()
							}
						}

					}

				default:
					p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
					goto errorExit
				}

				p.SetState(165)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)
			}

		case PTXParserID:
			{
				p.SetState(166)
				p.Match(PTXParserID)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			{
				p.SetState(167)
				p.Match(PTXParserCOLON)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}

		default:
			p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
			goto errorExit
		}

		p.SetState(172)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}
	{
		p.SetState(173)
		p.Match(PTXParserRBRACE)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
	goto errorExit // Trick to prevent compiler error if the label is not used
}

// IFunctionContext is an interface to support dynamic dispatch.
type IFunctionContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	ID() antlr.TerminalNode
	FUNC() antlr.TerminalNode
	ENTRY() antlr.TerminalNode
	AllParams() []IParamsContext
	Params(i int) IParamsContext
	AllDOTID() []antlr.TerminalNode
	DOTID(i int) antlr.TerminalNode
	AllPragma() []IPragmaContext
	Pragma(i int) IPragmaContext
	Block() IBlockContext
	SEMI() antlr.TerminalNode
	Attribute() IAttributeContext
	AllINT() []antlr.TerminalNode
	INT(i int) antlr.TerminalNode
	AllCOMMA() []antlr.TerminalNode
	COMMA(i int) antlr.TerminalNode

	// IsFunctionContext differentiates from other interfaces.
	IsFunctionContext()
}

type FunctionContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyFunctionContext() *FunctionContext {
	var p = new(FunctionContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PTXParserRULE_function
	return p
}

func InitEmptyFunctionContext(p *FunctionContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PTXParserRULE_function
}

func (*FunctionContext) IsFunctionContext() {}

func NewFunctionContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *FunctionContext {
	var p = new(FunctionContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PTXParserRULE_function

	return p
}

func (s *FunctionContext) GetParser() antlr.Parser { return s.parser }

func (s *FunctionContext) ID() antlr.TerminalNode {
	return s.GetToken(PTXParserID, 0)
}

func (s *FunctionContext) FUNC() antlr.TerminalNode {
	return s.GetToken(PTXParserFUNC, 0)
}

func (s *FunctionContext) ENTRY() antlr.TerminalNode {
	return s.GetToken(PTXParserENTRY, 0)
}

func (s *FunctionContext) AllParams() []IParamsContext {
	children := s.GetChildren()
	len := 0
	for _, ctx := range children {
		if _, ok := ctx.(IParamsContext); ok {
			len++
		}
	}

	tst := make([]IParamsContext, len)
	i := 0
	for _, ctx := range children {
		if t, ok := ctx.(IParamsContext); ok {
			tst[i] = t.(IParamsContext)
			i++
		}
	}

	return tst
}

func (s *FunctionContext) Params(i int) IParamsContext {
	var t antlr.RuleContext
	j := 0
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IParamsContext); ok {
			if j == i {
				t = ctx.(antlr.RuleContext)
				break
			}
			j++
		}
	}

	if t == nil {
		return nil
	}

	return t.(IParamsContext)
}

func (s *FunctionContext) AllDOTID() []antlr.TerminalNode {
	return s.GetTokens(PTXParserDOTID)
}

func (s *FunctionContext) DOTID(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserDOTID, i)
}

func (s *FunctionContext) AllPragma() []IPragmaContext {
	children := s.GetChildren()
	len := 0
	for _, ctx := range children {
		if _, ok := ctx.(IPragmaContext); ok {
			len++
		}
	}

	tst := make([]IPragmaContext, len)
	i := 0
	for _, ctx := range children {
		if t, ok := ctx.(IPragmaContext); ok {
			tst[i] = t.(IPragmaContext)
			i++
		}
	}

	return tst
}

func (s *FunctionContext) Pragma(i int) IPragmaContext {
	var t antlr.RuleContext
	j := 0
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IPragmaContext); ok {
			if j == i {
				t = ctx.(antlr.RuleContext)
				break
			}
			j++
		}
	}

	if t == nil {
		return nil
	}

	return t.(IPragmaContext)
}

func (s *FunctionContext) Block() IBlockContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IBlockContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(IBlockContext)
}

func (s *FunctionContext) SEMI() antlr.TerminalNode {
	return s.GetToken(PTXParserSEMI, 0)
}

func (s *FunctionContext) Attribute() IAttributeContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IAttributeContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(IAttributeContext)
}

func (s *FunctionContext) AllINT() []antlr.TerminalNode {
	return s.GetTokens(PTXParserINT)
}

func (s *FunctionContext) INT(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserINT, i)
}

func (s *FunctionContext) AllCOMMA() []antlr.TerminalNode {
	return s.GetTokens(PTXParserCOMMA)
}

func (s *FunctionContext) COMMA(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserCOMMA, i)
}

func (s *FunctionContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *FunctionContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PTXParser) Function() (localctx IFunctionContext) {
	if !p.fast {
		localctx = NewFunctionContext(p, p.GetParserRuleContext(), p.GetState())
	}
	p.EnterRule(localctx, 12, PTXParserRULE_function)
	var _la int

	var _alt int

	p.EnterOuterAlt(localctx, 1)
	p.SetState(183)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}

	switch p.GetTokenStream().LA(1) {
	case PTXParserFUNC:
		{
			p.SetState(175)
			p.Match(PTXParserFUNC)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		p.SetState(177)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		if _la == PTXParserATTRIBUTE {
			{
				p.SetState(176)
				p.Attribute()
			}

		}
		p.SetState(180)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		if _la == PTXParserLPAREN {
			{
				p.SetState(179)
				p.Params()
			}

		}

	case PTXParserENTRY:
		{
			p.SetState(182)
			p.Match(PTXParserENTRY)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	default:
		p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
		goto errorExit
	}
	{
		p.SetState(185)
		p.Match(PTXParserID)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	p.SetState(187)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	if _la == PTXParserLPAREN {
		{
			p.SetState(186)
			p.Params()
		}

	}
	p.SetState(203)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_alt = p.takesPragma()
	if p.HasError() {
		goto errorExit
	}
	for _alt != 2 && _alt != antlr.ATNInvalidAltNumber {
		if _alt == 1 {
			p.SetState(201)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}

			switch p.GetTokenStream().LA(1) {
			case PTXParserDOTID:
				{
					p.SetState(189)
					p.Match(PTXParserDOTID)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}
				p.SetState(198)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)

				if _la == PTXParserINT {
					{
						p.SetState(190)
						p.Match(PTXParserINT)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}
					p.SetState(195)
					p.GetErrorHandler().Sync(p)
					if p.HasError() {
						goto errorExit
					}
					_la = p.GetTokenStream().LA(1)

					for _la == PTXParserCOMMA {
						{
							p.SetState(191)
							p.Match(PTXParserCOMMA)
							if p.HasError() {
								// Recognition error - abort rule
								goto errorExit
							}
						}
						{
							p.SetState(192)
							p.Match(PTXParserINT)
							if p.HasError() {
								// Recognition error - abort rule
								goto errorExit
							}
						}

						p.SetState(197)
						p.GetErrorHandler().Sync(p)
						if p.HasError() {
							goto errorExit
						}
						_la = p.GetTokenStream().LA(1)
					}

				}

			case PTXParserPRAGMA:
				{
					p.SetState(200)
					p.Pragma()
				}

			default:
				p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
				goto errorExit
			}

		}
		p.SetState(205)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_alt = p.takesPragma()
		if p.HasError() {
			goto errorExit
		}
	}
	p.SetState(208)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	switch p.GetTokenStream().LA(1) {
	case PTXParserLBRACE:
		{
			p.SetState(206)
			p.Block()
		}

	case PTXParserSEMI:
		{
			p.SetState(207)
			p.Match(PTXParserSEMI)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PTXParserEOF, PTXParserVERSION, PTXParserTARGET, PTXParserADDRESS_SIZE, PTXParserFILE, PTXParserLOC, PTXParserSECTION, PTXParserFUNC, PTXParserENTRY, PTXParserEXTERN, PTXParserVISIBLE, PTXParserWEAK, PTXParserCOMMON, PTXParserREG, PTXParserSREG, PTXParserGLOBAL, PTXParserCONST, PTXParserSHARED, PTXParserLOCAL, PTXParserPARAM, PTXParserTEX, PTXParserPRAGMA, PTXParserALIAS:

	default:
	}

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
	goto errorExit // Trick to prevent compiler error if the label is not used
}

// IParamsContext is an interface to support dynamic dispatch.
type IParamsContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	LPAREN() antlr.TerminalNode
	RPAREN() antlr.TerminalNode
	AllParam() []IParamContext
	Param(i int) IParamContext
	AllCOMMA() []antlr.TerminalNode
	COMMA(i int) antlr.TerminalNode

	// IsParamsContext differentiates from other interfaces.
	IsParamsContext()
}

type ParamsContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyParamsContext() *ParamsContext {
	var p = new(ParamsContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PTXParserRULE_params
	return p
}

func InitEmptyParamsContext(p *ParamsContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PTXParserRULE_params
}

func (*ParamsContext) IsParamsContext() {}

func NewParamsContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *ParamsContext {
	var p = new(ParamsContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PTXParserRULE_params

	return p
}

func (s *ParamsContext) GetParser() antlr.Parser { return s.parser }

func (s *ParamsContext) LPAREN() antlr.TerminalNode {
	return s.GetToken(PTXParserLPAREN, 0)
}

func (s *ParamsContext) RPAREN() antlr.TerminalNode {
	return s.GetToken(PTXParserRPAREN, 0)
}

func (s *ParamsContext) AllParam() []IParamContext {
	children := s.GetChildren()
	len := 0
	for _, ctx := range children {
		if _, ok := ctx.(IParamContext); ok {
			len++
		}
	}

	tst := make([]IParamContext, len)
	i := 0
	for _, ctx := range children {
		if t, ok := ctx.(IParamContext); ok {
			tst[i] = t.(IParamContext)
			i++
		}
	}

	return tst
}

func (s *ParamsContext) Param(i int) IParamContext {
	var t antlr.RuleContext
	j := 0
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IParamContext); ok {
			if j == i {
				t = ctx.(antlr.RuleContext)
				break
			}
			j++
		}
	}

	if t == nil {
		return nil
	}

	return t.(IParamContext)
}

func (s *ParamsContext) AllCOMMA() []antlr.TerminalNode {
	return s.GetTokens(PTXParserCOMMA)
}

func (s *ParamsContext) COMMA(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserCOMMA, i)
}

func (s *ParamsContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *ParamsContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PTXParser) Params() (localctx IParamsContext) {
	if !p.fast {
		localctx = NewParamsContext(p, p.GetParserRuleContext(), p.GetState())
	}
	p.EnterRule(localctx, 14, PTXParserRULE_params)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(210)
		p.Match(PTXParserLPAREN)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	p.SetState(219)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	if (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&2088960) != 0 {
		{
			p.SetState(211)
			p.Param()
		}
		p.SetState(216)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		for _la == PTXParserCOMMA {
			{
				p.SetState(212)
				p.Match(PTXParserCOMMA)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			{
				p.SetState(213)
				p.Param()
			}

			p.SetState(218)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}

	}
	{
		p.SetState(221)
		p.Match(PTXParserRPAREN)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
	goto errorExit // Trick to prevent compiler error if the label is not used
}

// IParamContext is an interface to support dynamic dispatch.
type IParamContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	Space() ISpaceContext
	Typing() ITypingContext
	ID() antlr.TerminalNode
	AllLBRACK() []antlr.TerminalNode
	LBRACK(i int) antlr.TerminalNode
	AllRBRACK() []antlr.TerminalNode
	RBRACK(i int) antlr.TerminalNode
	AllOperand() []IOperandContext
	Operand(i int) IOperandContext

	// IsParamContext differentiates from other interfaces.
	IsParamContext()
}

type ParamContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyParamContext() *ParamContext {
	var p = new(ParamContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PTXParserRULE_param
	return p
}

func InitEmptyParamContext(p *ParamContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PTXParserRULE_param
}

func (*ParamContext) IsParamContext() {}

func NewParamContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *ParamContext {
	var p = new(ParamContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PTXParserRULE_param

	return p
}

func (s *ParamContext) GetParser() antlr.Parser { return s.parser }

func (s *ParamContext) Space() ISpaceContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(ISpaceContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(ISpaceContext)
}

func (s *ParamContext) Typing() ITypingContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(ITypingContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(ITypingContext)
}

func (s *ParamContext) ID() antlr.TerminalNode {
	return s.GetToken(PTXParserID, 0)
}

func (s *ParamContext) AllLBRACK() []antlr.TerminalNode {
	return s.GetTokens(PTXParserLBRACK)
}

func (s *ParamContext) LBRACK(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserLBRACK, i)
}

func (s *ParamContext) AllRBRACK() []antlr.TerminalNode {
	return s.GetTokens(PTXParserRBRACK)
}

func (s *ParamContext) RBRACK(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserRBRACK, i)
}

func (s *ParamContext) AllOperand() []IOperandContext {
	children := s.GetChildren()
	len := 0
	for _, ctx := range children {
		if _, ok := ctx.(IOperandContext); ok {
			len++
		}
	}

	tst := make([]IOperandContext, len)
	i := 0
	for _, ctx := range children {
		if t, ok := ctx.(IOperandContext); ok {
			tst[i] = t.(IOperandContext)
			i++
		}
	}

	return tst
}

func (s *ParamContext) Operand(i int) IOperandContext {
	var t antlr.RuleContext
	j := 0
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IOperandContext); ok {
			if j == i {
				t = ctx.(antlr.RuleContext)
				break
			}
			j++
		}
	}

	if t == nil {
		return nil
	}

	return t.(IOperandContext)
}

func (s *ParamContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *ParamContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PTXParser) Param() (localctx IParamContext) {
	if !p.fast {
		localctx = NewParamContext(p, p.GetParserRuleContext(), p.GetState())
	}
	p.EnterRule(localctx, 16, PTXParserRULE_param)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(223)
		p.Space()
	}
	{
		p.SetState(224)
		p.Typing()
	}
	p.SetState(236)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	if _la == PTXParserID {
		{
			p.SetState(225)
			p.Match(PTXParserID)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		p.SetState(233)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		for _la == PTXParserLBRACK {
			{
				p.SetState(226)
				p.Match(PTXParserLBRACK)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			p.SetState(228)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)

			if (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&3811465379184640) != 0 {
				{
					p.SetState(227)
					p.Operand()
				}

			}
			{
				p.SetState(230)
				p.Match(PTXParserRBRACK)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}

			p.SetState(235)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}

	}

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
	goto errorExit // Trick to prevent compiler error if the label is not used
}

// IAttributeContext is an interface to support dynamic dispatch.
type IAttributeContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	ATTRIBUTE() antlr.TerminalNode
	AllLPAREN() []antlr.TerminalNode
	LPAREN(i int) antlr.TerminalNode
	AllDOTID() []antlr.TerminalNode
	DOTID(i int) antlr.TerminalNode
	AllRPAREN() []antlr.TerminalNode
	RPAREN(i int) antlr.TerminalNode
	AllINT() []antlr.TerminalNode
	INT(i int) antlr.TerminalNode
	AllCOMMA() []antlr.TerminalNode
	COMMA(i int) antlr.TerminalNode

	// IsAttributeContext differentiates from other interfaces.
	IsAttributeContext()
}

type AttributeContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyAttributeContext() *AttributeContext {
	var p = new(AttributeContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PTXParserRULE_attribute
	return p
}

func InitEmptyAttributeContext(p *AttributeContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PTXParserRULE_attribute
}

func (*AttributeContext) IsAttributeContext() {}

func NewAttributeContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *AttributeContext {
	var p = new(AttributeContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PTXParserRULE_attribute

	return p
}

func (s *AttributeContext) GetParser() antlr.Parser { return s.parser }

func (s *AttributeContext) ATTRIBUTE() antlr.TerminalNode {
	return s.GetToken(PTXParserATTRIBUTE, 0)
}

func (s *AttributeContext) AllLPAREN() []antlr.TerminalNode {
	return s.GetTokens(PTXParserLPAREN)
}

func (s *AttributeContext) LPAREN(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserLPAREN, i)
}

func (s *AttributeContext) AllDOTID() []antlr.TerminalNode {
	return s.GetTokens(PTXParserDOTID)
}

func (s *AttributeContext) DOTID(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserDOTID, i)
}

func (s *AttributeContext) AllRPAREN() []antlr.TerminalNode {
	return s.GetTokens(PTXParserRPAREN)
}

func (s *AttributeContext) RPAREN(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserRPAREN, i)
}

func (s *AttributeContext) AllINT() []antlr.TerminalNode {
	return s.GetTokens(PTXParserINT)
}

func (s *AttributeContext) INT(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserINT, i)
}

func (s *AttributeContext) AllCOMMA() []antlr.TerminalNode {
	return s.GetTokens(PTXParserCOMMA)
}

func (s *AttributeContext) COMMA(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserCOMMA, i)
}

func (s *AttributeContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *AttributeContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PTXParser) Attribute() (localctx IAttributeContext) {
	if !p.fast {
		localctx = NewAttributeContext(p, p.GetParserRuleContext(), p.GetState())
	}
	p.EnterRule(localctx, 18, PTXParserRULE_attribute)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(238)
		p.Match(PTXParserATTRIBUTE)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	{
		p.SetState(239)
		p.Match(PTXParserLPAREN)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	{
		p.SetState(240)
		p.Match(PTXParserDOTID)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	p.SetState(251)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	if _la == PTXParserLPAREN {
		{
			p.SetState(241)
			p.Match(PTXParserLPAREN)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(242)
			p.Match(PTXParserINT)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		p.SetState(247)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		for _la == PTXParserCOMMA {
			{
				p.SetState(243)
				p.Match(PTXParserCOMMA)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			{
				p.SetState(244)
				p.Match(PTXParserINT)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}

			p.SetState(249)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}
		{
			p.SetState(250)
			p.Match(PTXParserRPAREN)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	}
	p.SetState(269)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	for _la == PTXParserCOMMA {
		{
			p.SetState(253)
			p.Match(PTXParserCOMMA)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(254)
			p.Match(PTXParserDOTID)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		p.SetState(265)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		if _la == PTXParserLPAREN {
			{
				p.SetState(255)
				p.Match(PTXParserLPAREN)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			{
				p.SetState(256)
				p.Match(PTXParserINT)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			p.SetState(261)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)

			for _la == PTXParserCOMMA {
				{
					p.SetState(257)
					p.Match(PTXParserCOMMA)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}
				{
					p.SetState(258)
					p.Match(PTXParserINT)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}

				p.SetState(263)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)
			}
			{
				p.SetState(264)
				p.Match(PTXParserRPAREN)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}

		}

		p.SetState(271)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}
	{
		p.SetState(272)
		p.Match(PTXParserRPAREN)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
	goto errorExit // Trick to prevent compiler error if the label is not used
}

// IVariablesContext is an interface to support dynamic dispatch.
type IVariablesContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	Space() ISpaceContext
	Typing() ITypingContext
	AllDeclarator() []IDeclaratorContext
	Declarator(i int) IDeclaratorContext
	AllCOMMA() []antlr.TerminalNode
	COMMA(i int) antlr.TerminalNode

	// IsVariablesContext differentiates from other interfaces.
	IsVariablesContext()
}

type VariablesContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyVariablesContext() *VariablesContext {
	var p = new(VariablesContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PTXParserRULE_variables
	return p
}

func InitEmptyVariablesContext(p *VariablesContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PTXParserRULE_variables
}

func (*VariablesContext) IsVariablesContext() {}

func NewVariablesContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *VariablesContext {
	var p = new(VariablesContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PTXParserRULE_variables

	return p
}

func (s *VariablesContext) GetParser() antlr.Parser { return s.parser }

func (s *VariablesContext) Space() ISpaceContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(ISpaceContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(ISpaceContext)
}

func (s *VariablesContext) Typing() ITypingContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(ITypingContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(ITypingContext)
}

func (s *VariablesContext) AllDeclarator() []IDeclaratorContext {
	children := s.GetChildren()
	len := 0
	for _, ctx := range children {
		if _, ok := ctx.(IDeclaratorContext); ok {
			len++
		}
	}

	tst := make([]IDeclaratorContext, len)
	i := 0
	for _, ctx := range children {
		if t, ok := ctx.(IDeclaratorContext); ok {
			tst[i] = t.(IDeclaratorContext)
			i++
		}
	}

	return tst
}

func (s *VariablesContext) Declarator(i int) IDeclaratorContext {
	var t antlr.RuleContext
	j := 0
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IDeclaratorContext); ok {
			if j == i {
				t = ctx.(antlr.RuleContext)
				break
			}
			j++
		}
	}

	if t == nil {
		return nil
	}

	return t.(IDeclaratorContext)
}

func (s *VariablesContext) AllCOMMA() []antlr.TerminalNode {
	return s.GetTokens(PTXParserCOMMA)
}

func (s *VariablesContext) COMMA(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserCOMMA, i)
}

func (s *VariablesContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *VariablesContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PTXParser) Variables() (localctx IVariablesContext) {
	if !p.fast {
		localctx = NewVariablesContext(p, p.GetParserRuleContext(), p.GetState())
	}
	p.EnterRule(localctx, 20, PTXParserRULE_variables)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(274)
		p.Space()
	}
	{
		p.SetState(275)
		p.Typing()
	}
	{
		p.SetState(276)
		p.Declarator()
	}
	p.SetState(281)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	for _la == PTXParserCOMMA {
		{
			p.SetState(277)
			p.Match(PTXParserCOMMA)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(278)
			p.Declarator()
		}

		p.SetState(283)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
	goto errorExit // Trick to prevent compiler error if the label is not used
}

// ISpaceContext is an interface to support dynamic dispatch.
type ISpaceContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	REG() antlr.TerminalNode
	SREG() antlr.TerminalNode
	GLOBAL() antlr.TerminalNode
	CONST() antlr.TerminalNode
	SHARED() antlr.TerminalNode
	LOCAL() antlr.TerminalNode
	PARAM() antlr.TerminalNode
	TEX() antlr.TerminalNode

	// IsSpaceContext differentiates from other interfaces.
	IsSpaceContext()
}

type SpaceContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptySpaceContext() *SpaceContext {
	var p = new(SpaceContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PTXParserRULE_space
	return p
}

func InitEmptySpaceContext(p *SpaceContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PTXParserRULE_space
}

func (*SpaceContext) IsSpaceContext() {}

func NewSpaceContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *SpaceContext {
	var p = new(SpaceContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PTXParserRULE_space

	return p
}

func (s *SpaceContext) GetParser() antlr.Parser { return s.parser }

func (s *SpaceContext) REG() antlr.TerminalNode {
	return s.GetToken(PTXParserREG, 0)
}

func (s *SpaceContext) SREG() antlr.TerminalNode {
	return s.GetToken(PTXParserSREG, 0)
}

func (s *SpaceContext) GLOBAL() antlr.TerminalNode {
	return s.GetToken(PTXParserGLOBAL, 0)
}

func (s *SpaceContext) CONST() antlr.TerminalNode {
	return s.GetToken(PTXParserCONST, 0)
}

func (s *SpaceContext) SHARED() antlr.TerminalNode {
	return s.GetToken(PTXParserSHARED, 0)
}

func (s *SpaceContext) LOCAL() antlr.TerminalNode {
	return s.GetToken(PTXParserLOCAL, 0)
}

func (s *SpaceContext) PARAM() antlr.TerminalNode {
	return s.GetToken(PTXParserPARAM, 0)
}

func (s *SpaceContext) TEX() antlr.TerminalNode {
	return s.GetToken(PTXParserTEX, 0)
}

func (s *SpaceContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *SpaceContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PTXParser) Space() (localctx ISpaceContext) {
	if !p.fast {
		localctx = NewSpaceContext(p, p.GetParserRuleContext(), p.GetState())
	}
	p.EnterRule(localctx, 22, PTXParserRULE_space)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(284)
		_la = p.GetTokenStream().LA(1)

		if !((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&2088960) != 0) {
			p.GetErrorHandler().RecoverInline(p)
		} else {
			p.GetErrorHandler().ReportMatch(p)
			p.Consume()
		}
	}

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
	goto errorExit // Trick to prevent compiler error if the label is not used
}

// ITypingContext is an interface to support dynamic dispatch.
type ITypingContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	AllALIGN() []antlr.TerminalNode
	ALIGN(i int) antlr.TerminalNode
	AllINT() []antlr.TerminalNode
	INT(i int) antlr.TerminalNode
	AllAttribute() []IAttributeContext
	Attribute(i int) IAttributeContext
	AllDOTID() []antlr.TerminalNode
	DOTID(i int) antlr.TerminalNode
	AllGLOBAL() []antlr.TerminalNode
	GLOBAL(i int) antlr.TerminalNode
	AllCONST() []antlr.TerminalNode
	CONST(i int) antlr.TerminalNode
	AllSHARED() []antlr.TerminalNode
	SHARED(i int) antlr.TerminalNode
	AllLOCAL() []antlr.TerminalNode
	LOCAL(i int) antlr.TerminalNode
	AllPARAM() []antlr.TerminalNode
	PARAM(i int) antlr.TerminalNode

	// IsTypingContext differentiates from other interfaces.
	IsTypingContext()
}

type TypingContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyTypingContext() *TypingContext {
	var p = new(TypingContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PTXParserRULE_typing
	return p
}

func InitEmptyTypingContext(p *TypingContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PTXParserRULE_typing
}

func (*TypingContext) IsTypingContext() {}

func NewTypingContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *TypingContext {
	var p = new(TypingContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PTXParserRULE_typing

	return p
}

func (s *TypingContext) GetParser() antlr.Parser { return s.parser }

func (s *TypingContext) AllALIGN() []antlr.TerminalNode {
	return s.GetTokens(PTXParserALIGN)
}

func (s *TypingContext) ALIGN(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserALIGN, i)
}

func (s *TypingContext) AllINT() []antlr.TerminalNode {
	return s.GetTokens(PTXParserINT)
}

func (s *TypingContext) INT(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserINT, i)
}

func (s *TypingContext) AllAttribute() []IAttributeContext {
	children := s.GetChildren()
	len := 0
	for _, ctx := range children {
		if _, ok := ctx.(IAttributeContext); ok {
			len++
		}
	}

	tst := make([]IAttributeContext, len)
	i := 0
	for _, ctx := range children {
		if t, ok := ctx.(IAttributeContext); ok {
			tst[i] = t.(IAttributeContext)
			i++
		}
	}

	return tst
}

func (s *TypingContext) Attribute(i int) IAttributeContext {
	var t antlr.RuleContext
	j := 0
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IAttributeContext); ok {
			if j == i {
				t = ctx.(antlr.RuleContext)
				break
			}
			j++
		}
	}

	if t == nil {
		return nil
	}

	return t.(IAttributeContext)
}

func (s *TypingContext) AllDOTID() []antlr.TerminalNode {
	return s.GetTokens(PTXParserDOTID)
}

func (s *TypingContext) DOTID(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserDOTID, i)
}

func (s *TypingContext) AllGLOBAL() []antlr.TerminalNode {
	return s.GetTokens(PTXParserGLOBAL)
}

func (s *TypingContext) GLOBAL(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserGLOBAL, i)
}

func (s *TypingContext) AllCONST() []antlr.TerminalNode {
	return s.GetTokens(PTXParserCONST)
}

func (s *TypingContext) CONST(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserCONST, i)
}

func (s *TypingContext) AllSHARED() []antlr.TerminalNode {
	return s.GetTokens(PTXParserSHARED)
}

func (s *TypingContext) SHARED(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserSHARED, i)
}

func (s *TypingContext) AllLOCAL() []antlr.TerminalNode {
	return s.GetTokens(PTXParserLOCAL)
}

func (s *TypingContext) LOCAL(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserLOCAL, i)
}

func (s *TypingContext) AllPARAM() []antlr.TerminalNode {
	return s.GetTokens(PTXParserPARAM)
}

func (s *TypingContext) PARAM(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserPARAM, i)
}

func (s *TypingContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *TypingContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PTXParser) Typing() (localctx ITypingContext) {
	if !p.fast {
		localctx = NewTypingContext(p, p.GetParserRuleContext(), p.GetState())
	}
	p.EnterRule(localctx, 24, PTXParserRULE_typing)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	p.SetState(297)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&8597241856) != 0 {
		p.SetState(295)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}

		switch p.GetTokenStream().LA(1) {
		case PTXParserALIGN:
			{
				p.SetState(286)
				p.Match(PTXParserALIGN)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			{
				p.SetState(287)
				p.Match(PTXParserINT)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}

		case PTXParserATTRIBUTE:
			{
				p.SetState(288)
				p.Attribute()
			}

		case PTXParserDOTID:
			{
				p.SetState(289)
				p.Match(PTXParserDOTID)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}

		case PTXParserGLOBAL:
			{
				p.SetState(290)
				p.Match(PTXParserGLOBAL)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}

		case PTXParserCONST:
			{
				p.SetState(291)
				p.Match(PTXParserCONST)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}

		case PTXParserSHARED:
			{
				p.SetState(292)
				p.Match(PTXParserSHARED)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}

		case PTXParserLOCAL:
			{
				p.SetState(293)
				p.Match(PTXParserLOCAL)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}

		case PTXParserPARAM:
			{
				p.SetState(294)
				p.Match(PTXParserPARAM)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}

		default:
			p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
			goto errorExit
		}

		p.SetState(299)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
	goto errorExit // Trick to prevent compiler error if the label is not used
}

// IDeclaratorContext is an interface to support dynamic dispatch.
type IDeclaratorContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	ID() antlr.TerminalNode
	LT() antlr.TerminalNode
	INT() antlr.TerminalNode
	GT() antlr.TerminalNode
	AllLBRACK() []antlr.TerminalNode
	LBRACK(i int) antlr.TerminalNode
	AllRBRACK() []antlr.TerminalNode
	RBRACK(i int) antlr.TerminalNode
	ASSIGN() antlr.TerminalNode
	AllOperand() []IOperandContext
	Operand(i int) IOperandContext

	// IsDeclaratorContext differentiates from other interfaces.
	IsDeclaratorContext()
}

type DeclaratorContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyDeclaratorContext() *DeclaratorContext {
	var p = new(DeclaratorContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PTXParserRULE_declarator
	return p
}

func InitEmptyDeclaratorContext(p *DeclaratorContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PTXParserRULE_declarator
}

func (*DeclaratorContext) IsDeclaratorContext() {}

func NewDeclaratorContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *DeclaratorContext {
	var p = new(DeclaratorContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PTXParserRULE_declarator

	return p
}

func (s *DeclaratorContext) GetParser() antlr.Parser { return s.parser }

func (s *DeclaratorContext) ID() antlr.TerminalNode {
	return s.GetToken(PTXParserID, 0)
}

func (s *DeclaratorContext) LT() antlr.TerminalNode {
	return s.GetToken(PTXParserLT, 0)
}

func (s *DeclaratorContext) INT() antlr.TerminalNode {
	return s.GetToken(PTXParserINT, 0)
}

func (s *DeclaratorContext) GT() antlr.TerminalNode {
	return s.GetToken(PTXParserGT, 0)
}

func (s *DeclaratorContext) AllLBRACK() []antlr.TerminalNode {
	return s.GetTokens(PTXParserLBRACK)
}

func (s *DeclaratorContext) LBRACK(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserLBRACK, i)
}

func (s *DeclaratorContext) AllRBRACK() []antlr.TerminalNode {
	return s.GetTokens(PTXParserRBRACK)
}

func (s *DeclaratorContext) RBRACK(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserRBRACK, i)
}

func (s *DeclaratorContext) ASSIGN() antlr.TerminalNode {
	return s.GetToken(PTXParserASSIGN, 0)
}

func (s *DeclaratorContext) AllOperand() []IOperandContext {
	children := s.GetChildren()
	len := 0
	for _, ctx := range children {
		if _, ok := ctx.(IOperandContext); ok {
			len++
		}
	}

	tst := make([]IOperandContext, len)
	i := 0
	for _, ctx := range children {
		if t, ok := ctx.(IOperandContext); ok {
			tst[i] = t.(IOperandContext)
			i++
		}
	}

	return tst
}

func (s *DeclaratorContext) Operand(i int) IOperandContext {
	var t antlr.RuleContext
	j := 0
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IOperandContext); ok {
			if j == i {
				t = ctx.(antlr.RuleContext)
				break
			}
			j++
		}
	}

	if t == nil {
		return nil
	}

	return t.(IOperandContext)
}

func (s *DeclaratorContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *DeclaratorContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PTXParser) Declarator() (localctx IDeclaratorContext) {
	if !p.fast {
		localctx = NewDeclaratorContext(p, p.GetParserRuleContext(), p.GetState())
	}
	p.EnterRule(localctx, 26, PTXParserRULE_declarator)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(300)
		p.Match(PTXParserID)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	p.SetState(304)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	if _la == PTXParserLT {
		{
			p.SetState(301)
			p.Match(PTXParserLT)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(302)
			p.Match(PTXParserINT)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(303)
			p.Match(PTXParserGT)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	}
	p.SetState(313)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	for _la == PTXParserLBRACK {
		{
			p.SetState(306)
			p.Match(PTXParserLBRACK)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		p.SetState(308)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		if (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&3811465379184640) != 0 {
			{
				p.SetState(307)
				p.Operand()
			}

		}
		{
			p.SetState(310)
			p.Match(PTXParserRBRACK)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

		p.SetState(315)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}
	p.SetState(318)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	if _la == PTXParserASSIGN {
		{
			p.SetState(316)
			p.Match(PTXParserASSIGN)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(317)
			p.Operand()
		}

	}

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
	goto errorExit // Trick to prevent compiler error if the label is not used
}

// IBlockContext is an interface to support dynamic dispatch.
type IBlockContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	LBRACE() antlr.TerminalNode
	RBRACE() antlr.TerminalNode
	AllStmt() []IStmtContext
	Stmt(i int) IStmtContext

	// IsBlockContext differentiates from other interfaces.
	IsBlockContext()
}

type BlockContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyBlockContext() *BlockContext {
	var p = new(BlockContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PTXParserRULE_block
	return p
}

func InitEmptyBlockContext(p *BlockContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PTXParserRULE_block
}

func (*BlockContext) IsBlockContext() {}

func NewBlockContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *BlockContext {
	var p = new(BlockContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PTXParserRULE_block

	return p
}

func (s *BlockContext) GetParser() antlr.Parser { return s.parser }

func (s *BlockContext) LBRACE() antlr.TerminalNode {
	return s.GetToken(PTXParserLBRACE, 0)
}

func (s *BlockContext) RBRACE() antlr.TerminalNode {
	return s.GetToken(PTXParserRBRACE, 0)
}

func (s *BlockContext) AllStmt() []IStmtContext {
	children := s.GetChildren()
	len := 0
	for _, ctx := range children {
		if _, ok := ctx.(IStmtContext); ok {
			len++
		}
	}

	tst := make([]IStmtContext, len)
	i := 0
	for _, ctx := range children {
		if t, ok := ctx.(IStmtContext); ok {
			tst[i] = t.(IStmtContext)
			i++
		}
	}

	return tst
}

func (s *BlockContext) Stmt(i int) IStmtContext {
	var t antlr.RuleContext
	j := 0
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IStmtContext); ok {
			if j == i {
				t = ctx.(antlr.RuleContext)
				break
			}
			j++
		}
	}

	if t == nil {
		return nil
	}

	return t.(IStmtContext)
}

func (s *BlockContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *BlockContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PTXParser) Block() (localctx IBlockContext) {
	if !p.fast {
		localctx = NewBlockContext(p, p.GetParserRuleContext(), p.GetState())
	}
	p.EnterRule(localctx, 28, PTXParserRULE_block)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(320)
		p.Match(PTXParserLBRACE)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	p.SetState(324)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&2357947523696) != 0 {
		{
			p.SetState(321)
			p.Stmt()
		}

		p.SetState(326)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}
	{
		p.SetState(327)
		p.Match(PTXParserRBRACE)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
	goto errorExit // Trick to prevent compiler error if the label is not used
}

// IStmtContext is an interface to support dynamic dispatch.
type IStmtContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	AllID() []antlr.TerminalNode
	ID(i int) antlr.TerminalNode
	COLON() antlr.TerminalNode
	SEMI() antlr.TerminalNode
	AllBRANCHTARGETS() []antlr.TerminalNode
	BRANCHTARGETS(i int) antlr.TerminalNode
	AllCALLTARGETS() []antlr.TerminalNode
	CALLTARGETS(i int) antlr.TerminalNode
	AllCALLPROTOTYPE() []antlr.TerminalNode
	CALLPROTOTYPE(i int) antlr.TerminalNode
	AllOperand() []IOperandContext
	Operand(i int) IOperandContext
	AllDOTID() []antlr.TerminalNode
	DOTID(i int) antlr.TerminalNode
	AllVERSION() []antlr.TerminalNode
	VERSION(i int) antlr.TerminalNode
	AllTARGET() []antlr.TerminalNode
	TARGET(i int) antlr.TerminalNode
	AllADDRESS_SIZE() []antlr.TerminalNode
	ADDRESS_SIZE(i int) antlr.TerminalNode
	AllFILE() []antlr.TerminalNode
	FILE(i int) antlr.TerminalNode
	AllLOC() []antlr.TerminalNode
	LOC(i int) antlr.TerminalNode
	AllSECTION() []antlr.TerminalNode
	SECTION(i int) antlr.TerminalNode
	AllFUNC() []antlr.TerminalNode
	FUNC(i int) antlr.TerminalNode
	AllENTRY() []antlr.TerminalNode
	ENTRY(i int) antlr.TerminalNode
	AllEXTERN() []antlr.TerminalNode
	EXTERN(i int) antlr.TerminalNode
	AllVISIBLE() []antlr.TerminalNode
	VISIBLE(i int) antlr.TerminalNode
	AllWEAK() []antlr.TerminalNode
	WEAK(i int) antlr.TerminalNode
	AllCOMMON() []antlr.TerminalNode
	COMMON(i int) antlr.TerminalNode
	AllREG() []antlr.TerminalNode
	REG(i int) antlr.TerminalNode
	AllSREG() []antlr.TerminalNode
	SREG(i int) antlr.TerminalNode
	AllGLOBAL() []antlr.TerminalNode
	GLOBAL(i int) antlr.TerminalNode
	AllCONST() []antlr.TerminalNode
	CONST(i int) antlr.TerminalNode
	AllSHARED() []antlr.TerminalNode
	SHARED(i int) antlr.TerminalNode
	AllLOCAL() []antlr.TerminalNode
	LOCAL(i int) antlr.TerminalNode
	AllPARAM() []antlr.TerminalNode
	PARAM(i int) antlr.TerminalNode
	AllTEX() []antlr.TerminalNode
	TEX(i int) antlr.TerminalNode
	AllALIGN() []antlr.TerminalNode
	ALIGN(i int) antlr.TerminalNode
	AllATTRIBUTE() []antlr.TerminalNode
	ATTRIBUTE(i int) antlr.TerminalNode
	AllPRAGMA() []antlr.TerminalNode
	PRAGMA(i int) antlr.TerminalNode
	AllALIAS() []antlr.TerminalNode
	ALIAS(i int) antlr.TerminalNode
	AllCOMMA() []antlr.TerminalNode
	COMMA(i int) antlr.TerminalNode
	AllParams() []IParamsContext
	Params(i int) IParamsContext
	AllINT() []antlr.TerminalNode
	INT(i int) antlr.TerminalNode
	AT() antlr.TerminalNode
	BANG() antlr.TerminalNode
	Variables() IVariablesContext
	Block() IBlockContext
	Loc() ILocContext
	File() IFileContext
	Pragma() IPragmaContext
	Section() ISectionContext

	// IsStmtContext differentiates from other interfaces.
	IsStmtContext()
}

type StmtContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyStmtContext() *StmtContext {
	var p = new(StmtContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PTXParserRULE_stmt
	return p
}

func InitEmptyStmtContext(p *StmtContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PTXParserRULE_stmt
}

func (*StmtContext) IsStmtContext() {}

func NewStmtContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *StmtContext {
	var p = new(StmtContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PTXParserRULE_stmt

	return p
}

func (s *StmtContext) GetParser() antlr.Parser { return s.parser }

func (s *StmtContext) AllID() []antlr.TerminalNode {
	return s.GetTokens(PTXParserID)
}

func (s *StmtContext) ID(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserID, i)
}

func (s *StmtContext) COLON() antlr.TerminalNode {
	return s.GetToken(PTXParserCOLON, 0)
}

func (s *StmtContext) SEMI() antlr.TerminalNode {
	return s.GetToken(PTXParserSEMI, 0)
}

func (s *StmtContext) AllBRANCHTARGETS() []antlr.TerminalNode {
	return s.GetTokens(PTXParserBRANCHTARGETS)
}

func (s *StmtContext) BRANCHTARGETS(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserBRANCHTARGETS, i)
}

func (s *StmtContext) AllCALLTARGETS() []antlr.TerminalNode {
	return s.GetTokens(PTXParserCALLTARGETS)
}

func (s *StmtContext) CALLTARGETS(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserCALLTARGETS, i)
}

func (s *StmtContext) AllCALLPROTOTYPE() []antlr.TerminalNode {
	return s.GetTokens(PTXParserCALLPROTOTYPE)
}

func (s *StmtContext) CALLPROTOTYPE(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserCALLPROTOTYPE, i)
}

func (s *StmtContext) AllOperand() []IOperandContext {
	children := s.GetChildren()
	len := 0
	for _, ctx := range children {
		if _, ok := ctx.(IOperandContext); ok {
			len++
		}
	}

	tst := make([]IOperandContext, len)
	i := 0
	for _, ctx := range children {
		if t, ok := ctx.(IOperandContext); ok {
			tst[i] = t.(IOperandContext)
			i++
		}
	}

	return tst
}

func (s *StmtContext) Operand(i int) IOperandContext {
	var t antlr.RuleContext
	j := 0
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IOperandContext); ok {
			if j == i {
				t = ctx.(antlr.RuleContext)
				break
			}
			j++
		}
	}

	if t == nil {
		return nil
	}

	return t.(IOperandContext)
}

func (s *StmtContext) AllDOTID() []antlr.TerminalNode {
	return s.GetTokens(PTXParserDOTID)
}

func (s *StmtContext) DOTID(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserDOTID, i)
}

func (s *StmtContext) AllVERSION() []antlr.TerminalNode {
	return s.GetTokens(PTXParserVERSION)
}

func (s *StmtContext) VERSION(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserVERSION, i)
}

func (s *StmtContext) AllTARGET() []antlr.TerminalNode {
	return s.GetTokens(PTXParserTARGET)
}

func (s *StmtContext) TARGET(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserTARGET, i)
}

func (s *StmtContext) AllADDRESS_SIZE() []antlr.TerminalNode {
	return s.GetTokens(PTXParserADDRESS_SIZE)
}

func (s *StmtContext) ADDRESS_SIZE(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserADDRESS_SIZE, i)
}

func (s *StmtContext) AllFILE() []antlr.TerminalNode {
	return s.GetTokens(PTXParserFILE)
}

func (s *StmtContext) FILE(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserFILE, i)
}

func (s *StmtContext) AllLOC() []antlr.TerminalNode {
	return s.GetTokens(PTXParserLOC)
}

func (s *StmtContext) LOC(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserLOC, i)
}

func (s *StmtContext) AllSECTION() []antlr.TerminalNode {
	return s.GetTokens(PTXParserSECTION)
}

func (s *StmtContext) SECTION(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserSECTION, i)
}

func (s *StmtContext) AllFUNC() []antlr.TerminalNode {
	return s.GetTokens(PTXParserFUNC)
}

func (s *StmtContext) FUNC(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserFUNC, i)
}

func (s *StmtContext) AllENTRY() []antlr.TerminalNode {
	return s.GetTokens(PTXParserENTRY)
}

func (s *StmtContext) ENTRY(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserENTRY, i)
}

func (s *StmtContext) AllEXTERN() []antlr.TerminalNode {
	return s.GetTokens(PTXParserEXTERN)
}

func (s *StmtContext) EXTERN(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserEXTERN, i)
}

func (s *StmtContext) AllVISIBLE() []antlr.TerminalNode {
	return s.GetTokens(PTXParserVISIBLE)
}

func (s *StmtContext) VISIBLE(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserVISIBLE, i)
}

func (s *StmtContext) AllWEAK() []antlr.TerminalNode {
	return s.GetTokens(PTXParserWEAK)
}

func (s *StmtContext) WEAK(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserWEAK, i)
}

func (s *StmtContext) AllCOMMON() []antlr.TerminalNode {
	return s.GetTokens(PTXParserCOMMON)
}

func (s *StmtContext) COMMON(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserCOMMON, i)
}

func (s *StmtContext) AllREG() []antlr.TerminalNode {
	return s.GetTokens(PTXParserREG)
}

func (s *StmtContext) REG(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserREG, i)
}

func (s *StmtContext) AllSREG() []antlr.TerminalNode {
	return s.GetTokens(PTXParserSREG)
}

func (s *StmtContext) SREG(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserSREG, i)
}

func (s *StmtContext) AllGLOBAL() []antlr.TerminalNode {
	return s.GetTokens(PTXParserGLOBAL)
}

func (s *StmtContext) GLOBAL(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserGLOBAL, i)
}

func (s *StmtContext) AllCONST() []antlr.TerminalNode {
	return s.GetTokens(PTXParserCONST)
}

func (s *StmtContext) CONST(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserCONST, i)
}

func (s *StmtContext) AllSHARED() []antlr.TerminalNode {
	return s.GetTokens(PTXParserSHARED)
}

func (s *StmtContext) SHARED(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserSHARED, i)
}

func (s *StmtContext) AllLOCAL() []antlr.TerminalNode {
	return s.GetTokens(PTXParserLOCAL)
}

func (s *StmtContext) LOCAL(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserLOCAL, i)
}

func (s *StmtContext) AllPARAM() []antlr.TerminalNode {
	return s.GetTokens(PTXParserPARAM)
}

func (s *StmtContext) PARAM(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserPARAM, i)
}

func (s *StmtContext) AllTEX() []antlr.TerminalNode {
	return s.GetTokens(PTXParserTEX)
}

func (s *StmtContext) TEX(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserTEX, i)
}

func (s *StmtContext) AllALIGN() []antlr.TerminalNode {
	return s.GetTokens(PTXParserALIGN)
}

func (s *StmtContext) ALIGN(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserALIGN, i)
}

func (s *StmtContext) AllATTRIBUTE() []antlr.TerminalNode {
	return s.GetTokens(PTXParserATTRIBUTE)
}

func (s *StmtContext) ATTRIBUTE(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserATTRIBUTE, i)
}

func (s *StmtContext) AllPRAGMA() []antlr.TerminalNode {
	return s.GetTokens(PTXParserPRAGMA)
}

func (s *StmtContext) PRAGMA(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserPRAGMA, i)
}

func (s *StmtContext) AllALIAS() []antlr.TerminalNode {
	return s.GetTokens(PTXParserALIAS)
}

func (s *StmtContext) ALIAS(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserALIAS, i)
}

func (s *StmtContext) AllCOMMA() []antlr.TerminalNode {
	return s.GetTokens(PTXParserCOMMA)
}

func (s *StmtContext) COMMA(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserCOMMA, i)
}

func (s *StmtContext) AllParams() []IParamsContext {
	children := s.GetChildren()
	len := 0
	for _, ctx := range children {
		if _, ok := ctx.(IParamsContext); ok {
			len++
		}
	}

	tst := make([]IParamsContext, len)
	i := 0
	for _, ctx := range children {
		if t, ok := ctx.(IParamsContext); ok {
			tst[i] = t.(IParamsContext)
			i++
		}
	}

	return tst
}

func (s *StmtContext) Params(i int) IParamsContext {
	var t antlr.RuleContext
	j := 0
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IParamsContext); ok {
			if j == i {
				t = ctx.(antlr.RuleContext)
				break
			}
			j++
		}
	}

	if t == nil {
		return nil
	}

	return t.(IParamsContext)
}

func (s *StmtContext) AllINT() []antlr.TerminalNode {
	return s.GetTokens(PTXParserINT)
}

func (s *StmtContext) INT(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserINT, i)
}

func (s *StmtContext) AT() antlr.TerminalNode {
	return s.GetToken(PTXParserAT, 0)
}

func (s *StmtContext) BANG() antlr.TerminalNode {
	return s.GetToken(PTXParserBANG, 0)
}

func (s *StmtContext) Variables() IVariablesContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IVariablesContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(IVariablesContext)
}

func (s *StmtContext) Block() IBlockContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IBlockContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(IBlockContext)
}

func (s *StmtContext) Loc() ILocContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(ILocContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(ILocContext)
}

func (s *StmtContext) File() IFileContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IFileContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(IFileContext)
}

func (s *StmtContext) Pragma() IPragmaContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IPragmaContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(IPragmaContext)
}

func (s *StmtContext) Section() ISectionContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(ISectionContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(ISectionContext)
}

func (s *StmtContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *StmtContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PTXParser) Stmt() (localctx IStmtContext) {
	if !p.fast {
		localctx = NewStmtContext(p, p.GetParserRuleContext(), p.GetState())
	}
	p.EnterRule(localctx, 30, PTXParserRULE_stmt)
	var _la int

	p.SetState(432)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}

	switch p.GetTokenStream().LA(1) {
	case PTXParserID:
		p.EnterOuterAlt(localctx, 1)
		{
			p.SetState(329)
			p.Match(PTXParserID)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		p.SetState(395)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}

		switch p.GetTokenStream().LA(1) {
		case PTXParserCOLON:
			{
				p.SetState(330)
				p.Match(PTXParserCOLON)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			p.SetState(376)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			switch p.GetTokenStream().LA(1) {
			case PTXParserBRANCHTARGETS:
				{
					p.SetState(331)
					p.Match(PTXParserBRANCHTARGETS)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}
				{
					p.SetState(332)
					p.Match(PTXParserID)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}
				p.SetState(337)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)

				for _la == PTXParserCOMMA {
					{
						p.SetState(333)
						p.Match(PTXParserCOMMA)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}
					{
						p.SetState(334)
						p.Match(PTXParserID)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}

					p.SetState(339)
					p.GetErrorHandler().Sync(p)
					if p.HasError() {
						goto errorExit
					}
					_la = p.GetTokenStream().LA(1)
				}
				{
					p.SetState(340)
					p.Match(PTXParserSEMI)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}

			case PTXParserCALLTARGETS:
				{
					p.SetState(341)
					p.Match(PTXParserCALLTARGETS)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}
				{
					p.SetState(342)
					p.Match(PTXParserID)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}
				p.SetState(347)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)

				for _la == PTXParserCOMMA {
					{
						p.SetState(343)
						p.Match(PTXParserCOMMA)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}
					{
						p.SetState(344)
						p.Match(PTXParserID)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}

					p.SetState(349)
					p.GetErrorHandler().Sync(p)
					if p.HasError() {
						goto errorExit
					}
					_la = p.GetTokenStream().LA(1)
				}
				{
					p.SetState(350)
					p.Match(PTXParserSEMI)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}

			case PTXParserCALLPROTOTYPE:
				{
					p.SetState(351)
					p.Match(PTXParserCALLPROTOTYPE)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}
				p.SetState(353)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)

				if _la == PTXParserLPAREN {
					{
						p.SetState(352)
						p.Params()
					}

				}
				{
					p.SetState(355)
					p.Match(PTXParserID)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}
				p.SetState(357)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)

				if _la == PTXParserLPAREN {
					{
						p.SetState(356)
						p.Params()
					}

				}
				p.SetState(372)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)

				for _la == PTXParserDOTID {
					{
						p.SetState(359)
						p.Match(PTXParserDOTID)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}
					p.SetState(368)
					p.GetErrorHandler().Sync(p)
					if p.HasError() {
						goto errorExit
					}
					_la = p.GetTokenStream().LA(1)

					if _la == PTXParserINT {
						{
							p.SetState(360)
							p.Match(PTXParserINT)
							if p.HasError() {
								// Recognition error - abort rule
								goto errorExit
							}
						}
						p.SetState(365)
						p.GetErrorHandler().Sync(p)
						if p.HasError() {
							goto errorExit
						}
						_la = p.GetTokenStream().LA(1)

						for _la == PTXParserCOMMA {
							{
								p.SetState(361)
								p.Match(PTXParserCOMMA)
								if p.HasError() {
									// Recognition error - abort rule
									goto errorExit
								}
							}
							{
								p.SetState(362)
								p.Match(PTXParserINT)
								if p.HasError() {
									// Recognition error - abort rule
									goto errorExit
								}
							}

							p.SetState(367)
							p.GetErrorHandler().Sync(p)
							if p.HasError() {
								goto errorExit
							}
							_la = p.GetTokenStream().LA(1)
						}

					}

					p.SetState(374)
					p.GetErrorHandler().Sync(p)
					if p.HasError() {
						goto errorExit
					}
					_la = p.GetTokenStream().LA(1)
				}
				{
					p.SetState(375)
					p.Match(PTXParserSEMI)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}

			case PTXParserFILE, PTXParserLOC, PTXParserSECTION, PTXParserEXTERN, PTXParserREG, PTXParserSREG, PTXParserGLOBAL, PTXParserCONST, PTXParserSHARED, PTXParserLOCAL, PTXParserPARAM, PTXParserTEX, PTXParserPRAGMA, PTXParserID, PTXParserSEMI, PTXParserAT, PTXParserLBRACE, PTXParserRBRACE:

			default:
			}

		case PTXParserVERSION, PTXParserTARGET, PTXParserADDRESS_SIZE, PTXParserFILE, PTXParserLOC, PTXParserSECTION, PTXParserFUNC, PTXParserENTRY, PTXParserEXTERN, PTXParserVISIBLE, PTXParserWEAK, PTXParserCOMMON, PTXParserREG, PTXParserSREG, PTXParserGLOBAL, PTXParserCONST, PTXParserSHARED, PTXParserLOCAL, PTXParserPARAM, PTXParserTEX, PTXParserALIGN, PTXParserATTRIBUTE, PTXParserPRAGMA, PTXParserALIAS, PTXParserBRANCHTARGETS, PTXParserCALLTARGETS, PTXParserCALLPROTOTYPE, PTXParserFLOAT, PTXParserHEXFLOAT, PTXParserINT, PTXParserSTRING, PTXParserID, PTXParserDOTID, PTXParserSEMI, PTXParserLPAREN, PTXParserLBRACE, PTXParserLBRACK, PTXParserMINUS, PTXParserPLUS, PTXParserBANG, PTXParserTILDE:
			p.SetState(381)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)

			for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&8858370046) != 0 {
				{
					p.SetState(378)
					_la = p.GetTokenStream().LA(1)

					if !((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&8858370046) != 0) {
						p.GetErrorHandler().RecoverInline(p)
					} else {
						p.GetErrorHandler().ReportMatch(p)
						p.Consume()
					}
				}

				p.SetState(383)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)
			}
			p.SetState(392)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)

			if (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&3811465379184640) != 0 {
				{
					p.SetState(384)
					p.Operand()
				}
				p.SetState(389)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)

				for _la == PTXParserCOMMA {
					{
						p.SetState(385)
						p.Match(PTXParserCOMMA)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}
					{
						p.SetState(386)
						p.Operand()
					}

					p.SetState(391)
					p.GetErrorHandler().Sync(p)
					if p.HasError() {
						goto errorExit
					}
					_la = p.GetTokenStream().LA(1)
				}

			}
			{
				p.SetState(394)
				p.Match(PTXParserSEMI)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}

		default:
			p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
			goto errorExit
		}

	case PTXParserAT:
		p.EnterOuterAlt(localctx, 2)
		{
			p.SetState(397)
			p.Match(PTXParserAT)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		p.SetState(399)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		if _la == PTXParserBANG {
			{
				p.SetState(398)
				p.Match(PTXParserBANG)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}

		}
		{
			p.SetState(401)
			p.Match(PTXParserID)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(402)
			p.Match(PTXParserID)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		p.SetState(406)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&8858370046) != 0 {
			{
				p.SetState(403)
				_la = p.GetTokenStream().LA(1)

				if !((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&8858370046) != 0) {
					p.GetErrorHandler().RecoverInline(p)
				} else {
					p.GetErrorHandler().ReportMatch(p)
					p.Consume()
				}
			}

			p.SetState(408)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}
		p.SetState(417)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		if (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&3811465379184640) != 0 {
			{
				p.SetState(409)
				p.Operand()
			}
			p.SetState(414)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)

			for _la == PTXParserCOMMA {
				{
					p.SetState(410)
					p.Match(PTXParserCOMMA)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}
				{
					p.SetState(411)
					p.Operand()
				}

				p.SetState(416)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)
			}

		}
		{
			p.SetState(419)
			p.Match(PTXParserSEMI)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PTXParserEXTERN, PTXParserREG, PTXParserSREG, PTXParserGLOBAL, PTXParserCONST, PTXParserSHARED, PTXParserLOCAL, PTXParserPARAM, PTXParserTEX:
		p.EnterOuterAlt(localctx, 3)
		p.SetState(421)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		if _la == PTXParserEXTERN {
			{
				p.SetState(420)
				p.Match(PTXParserEXTERN)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}

		}
		{
			p.SetState(423)
			p.Variables()
		}
		{
			p.SetState(424)
			p.Match(PTXParserSEMI)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PTXParserLBRACE:
		p.EnterOuterAlt(localctx, 4)
		{
			p.SetState(426)
			p.Block()
		}

	case PTXParserLOC:
		p.EnterOuterAlt(localctx, 5)
		{
			p.SetState(427)
			p.Loc()
		}

	case PTXParserFILE:
		p.EnterOuterAlt(localctx, 6)
		{
			p.SetState(428)
			p.File()
		}

	case PTXParserPRAGMA:
		p.EnterOuterAlt(localctx, 7)
		{
			p.SetState(429)
			p.Pragma()
		}

	case PTXParserSECTION:
		p.EnterOuterAlt(localctx, 8)
		{
			p.SetState(430)
			p.Section()
		}

	case PTXParserSEMI:
		p.EnterOuterAlt(localctx, 9)
		{
			p.SetState(431)
			p.Match(PTXParserSEMI)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	default:
		p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
		goto errorExit
	}

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
	goto errorExit // Trick to prevent compiler error if the label is not used
}

// IOperandContext is an interface to support dynamic dispatch.
type IOperandContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	Paren() IParenContext
	AllMINUS() []antlr.TerminalNode
	MINUS(i int) antlr.TerminalNode
	AllPLUS() []antlr.TerminalNode
	PLUS(i int) antlr.TerminalNode
	AllBANG() []antlr.TerminalNode
	BANG(i int) antlr.TerminalNode
	AllTILDE() []antlr.TerminalNode
	TILDE(i int) antlr.TerminalNode
	ID() antlr.TerminalNode
	INT() antlr.TerminalNode
	FLOAT() antlr.TerminalNode
	HEXFLOAT() antlr.TerminalNode
	STRING() antlr.TerminalNode
	Braces() IBracesContext
	LBRACK() antlr.TerminalNode
	AllOperand() []IOperandContext
	Operand(i int) IOperandContext
	RBRACK() antlr.TerminalNode
	QUESTION() antlr.TerminalNode
	COLON() antlr.TerminalNode
	PIPE() antlr.TerminalNode
	LT() antlr.TerminalNode
	GT() antlr.TerminalNode
	OP() antlr.TerminalNode
	AllDOTID() []antlr.TerminalNode
	DOTID(i int) antlr.TerminalNode
	LPAREN() antlr.TerminalNode
	RPAREN() antlr.TerminalNode
	AllCOMMA() []antlr.TerminalNode
	COMMA(i int) antlr.TerminalNode

	// IsOperandContext differentiates from other interfaces.
	IsOperandContext()
}

type OperandContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyOperandContext() *OperandContext {
	var p = new(OperandContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PTXParserRULE_operand
	return p
}

func InitEmptyOperandContext(p *OperandContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PTXParserRULE_operand
}

func (*OperandContext) IsOperandContext() {}

func NewOperandContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *OperandContext {
	var p = new(OperandContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PTXParserRULE_operand

	return p
}

func (s *OperandContext) GetParser() antlr.Parser { return s.parser }

func (s *OperandContext) Paren() IParenContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IParenContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(IParenContext)
}

func (s *OperandContext) AllMINUS() []antlr.TerminalNode {
	return s.GetTokens(PTXParserMINUS)
}

func (s *OperandContext) MINUS(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserMINUS, i)
}

func (s *OperandContext) AllPLUS() []antlr.TerminalNode {
	return s.GetTokens(PTXParserPLUS)
}

func (s *OperandContext) PLUS(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserPLUS, i)
}

func (s *OperandContext) AllBANG() []antlr.TerminalNode {
	return s.GetTokens(PTXParserBANG)
}

func (s *OperandContext) BANG(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserBANG, i)
}

func (s *OperandContext) AllTILDE() []antlr.TerminalNode {
	return s.GetTokens(PTXParserTILDE)
}

func (s *OperandContext) TILDE(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserTILDE, i)
}

func (s *OperandContext) ID() antlr.TerminalNode {
	return s.GetToken(PTXParserID, 0)
}

func (s *OperandContext) INT() antlr.TerminalNode {
	return s.GetToken(PTXParserINT, 0)
}

func (s *OperandContext) FLOAT() antlr.TerminalNode {
	return s.GetToken(PTXParserFLOAT, 0)
}

func (s *OperandContext) HEXFLOAT() antlr.TerminalNode {
	return s.GetToken(PTXParserHEXFLOAT, 0)
}

func (s *OperandContext) STRING() antlr.TerminalNode {
	return s.GetToken(PTXParserSTRING, 0)
}

func (s *OperandContext) Braces() IBracesContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IBracesContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(IBracesContext)
}

func (s *OperandContext) LBRACK() antlr.TerminalNode {
	return s.GetToken(PTXParserLBRACK, 0)
}

func (s *OperandContext) AllOperand() []IOperandContext {
	children := s.GetChildren()
	len := 0
	for _, ctx := range children {
		if _, ok := ctx.(IOperandContext); ok {
			len++
		}
	}

	tst := make([]IOperandContext, len)
	i := 0
	for _, ctx := range children {
		if t, ok := ctx.(IOperandContext); ok {
			tst[i] = t.(IOperandContext)
			i++
		}
	}

	return tst
}

func (s *OperandContext) Operand(i int) IOperandContext {
	var t antlr.RuleContext
	j := 0
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IOperandContext); ok {
			if j == i {
				t = ctx.(antlr.RuleContext)
				break
			}
			j++
		}
	}

	if t == nil {
		return nil
	}

	return t.(IOperandContext)
}

func (s *OperandContext) RBRACK() antlr.TerminalNode {
	return s.GetToken(PTXParserRBRACK, 0)
}

func (s *OperandContext) QUESTION() antlr.TerminalNode {
	return s.GetToken(PTXParserQUESTION, 0)
}

func (s *OperandContext) COLON() antlr.TerminalNode {
	return s.GetToken(PTXParserCOLON, 0)
}

func (s *OperandContext) PIPE() antlr.TerminalNode {
	return s.GetToken(PTXParserPIPE, 0)
}

func (s *OperandContext) LT() antlr.TerminalNode {
	return s.GetToken(PTXParserLT, 0)
}

func (s *OperandContext) GT() antlr.TerminalNode {
	return s.GetToken(PTXParserGT, 0)
}

func (s *OperandContext) OP() antlr.TerminalNode {
	return s.GetToken(PTXParserOP, 0)
}

func (s *OperandContext) AllDOTID() []antlr.TerminalNode {
	return s.GetTokens(PTXParserDOTID)
}

func (s *OperandContext) DOTID(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserDOTID, i)
}

func (s *OperandContext) LPAREN() antlr.TerminalNode {
	return s.GetToken(PTXParserLPAREN, 0)
}

func (s *OperandContext) RPAREN() antlr.TerminalNode {
	return s.GetToken(PTXParserRPAREN, 0)
}

func (s *OperandContext) AllCOMMA() []antlr.TerminalNode {
	return s.GetTokens(PTXParserCOMMA)
}

func (s *OperandContext) COMMA(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserCOMMA, i)
}

func (s *OperandContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *OperandContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PTXParser) Operand() (localctx IOperandContext) {
	if !p.fast {
		localctx = NewOperandContext(p, p.GetParserRuleContext(), p.GetState())
	}
	p.EnterRule(localctx, 32, PTXParserRULE_operand)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	p.SetState(437)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&3799912185593856) != 0 {
		{
			p.SetState(434)
			_la = p.GetTokenStream().LA(1)

			if !((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&3799912185593856) != 0) {
				p.GetErrorHandler().RecoverInline(p)
			} else {
				p.GetErrorHandler().ReportMatch(p)
				p.Consume()
			}
		}

		p.SetState(439)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}
	p.SetState(489)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}

	switch p.GetTokenStream().LA(1) {
	case PTXParserFLOAT, PTXParserHEXFLOAT, PTXParserINT, PTXParserSTRING, PTXParserID, PTXParserLBRACE, PTXParserLBRACK:
		p.SetState(477)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}

		switch p.GetTokenStream().LA(1) {
		case PTXParserID:
			{
				p.SetState(440)
				p.Match(PTXParserID)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			p.SetState(444)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)

			for _la == PTXParserDOTID {
				{
					p.SetState(441)
					p.Match(PTXParserDOTID)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}

				p.SetState(446)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)
			}
			p.SetState(451)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)

			if _la == PTXParserLPAREN {
				{
					p.SetState(447)
					p.Match(PTXParserLPAREN)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}
				{
					p.SetState(448)
					p.Operand()
				}
				{
					p.SetState(449)
					p.Match(PTXParserRPAREN)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}

			}

		case PTXParserINT:
			{
				p.SetState(453)
				p.Match(PTXParserINT)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			p.SetState(458)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)

			if _la == PTXParserLPAREN {
				{
					p.SetState(454)
					p.Match(PTXParserLPAREN)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}
				{
					p.SetState(455)
					p.Operand()
				}
				{
					p.SetState(456)
					p.Match(PTXParserRPAREN)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}

			}

		case PTXParserFLOAT:
			{
				p.SetState(460)
				p.Match(PTXParserFLOAT)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}

		case PTXParserHEXFLOAT:
			{
				p.SetState(461)
				p.Match(PTXParserHEXFLOAT)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}

		case PTXParserSTRING:
			{
				p.SetState(462)
				p.Match(PTXParserSTRING)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}

		case PTXParserLBRACE:
			{
				p.SetState(463)
				p.Braces()
			}

		case PTXParserLBRACK:
			{
				p.SetState(464)
				p.Match(PTXParserLBRACK)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			{
				p.SetState(465)
				p.Operand()
			}
			p.SetState(470)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)

			for _la == PTXParserCOMMA {
				{
					p.SetState(466)
					p.Match(PTXParserCOMMA)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}
				{
					p.SetState(467)
					p.Operand()
				}

				p.SetState(472)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)
			}
			{
				p.SetState(473)
				p.Match(PTXParserRBRACK)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			p.SetState(475)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)

			if _la == PTXParserDOTID {
				{
					p.SetState(474)
					p.Match(PTXParserDOTID)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}

			}

		default:
			p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
			goto errorExit
		}
		p.SetState(486)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		switch p.GetTokenStream().LA(1) {
		case PTXParserLT, PTXParserGT, PTXParserMINUS, PTXParserPLUS, PTXParserPIPE, PTXParserOP:
			{
				p.SetState(479)
				_la = p.GetTokenStream().LA(1)

				if !((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&10097914789494784) != 0) {
					p.GetErrorHandler().RecoverInline(p)
				} else {
					p.GetErrorHandler().ReportMatch(p)
					p.Consume()
				}
			}
			{
				p.SetState(480)
				p.Operand()
			}

		case PTXParserQUESTION:
			{
				p.SetState(481)
				p.Match(PTXParserQUESTION)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			{
				p.SetState(482)
				p.Operand()
			}
			{
				p.SetState(483)
				p.Match(PTXParserCOLON)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			{
				p.SetState(484)
				p.Operand()
			}

		case PTXParserSEMI, PTXParserCOMMA, PTXParserCOLON, PTXParserRPAREN, PTXParserRBRACE, PTXParserRBRACK:

		default:
		}

	case PTXParserLPAREN:
		{
			p.SetState(488)
			p.Paren()
		}

	default:
		p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
		goto errorExit
	}

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
	goto errorExit // Trick to prevent compiler error if the label is not used
}

// IParenContext is an interface to support dynamic dispatch.
type IParenContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	LPAREN() antlr.TerminalNode
	DOTID() antlr.TerminalNode
	RPAREN() antlr.TerminalNode
	AllOperand() []IOperandContext
	Operand(i int) IOperandContext
	QUESTION() antlr.TerminalNode
	COLON() antlr.TerminalNode
	PLUS() antlr.TerminalNode
	MINUS() antlr.TerminalNode
	PIPE() antlr.TerminalNode
	LT() antlr.TerminalNode
	GT() antlr.TerminalNode
	OP() antlr.TerminalNode
	AllCOMMA() []antlr.TerminalNode
	COMMA(i int) antlr.TerminalNode

	// IsParenContext differentiates from other interfaces.
	IsParenContext()
}

type ParenContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyParenContext() *ParenContext {
	var p = new(ParenContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PTXParserRULE_paren
	return p
}

func InitEmptyParenContext(p *ParenContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PTXParserRULE_paren
}

func (*ParenContext) IsParenContext() {}

func NewParenContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *ParenContext {
	var p = new(ParenContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PTXParserRULE_paren

	return p
}

func (s *ParenContext) GetParser() antlr.Parser { return s.parser }

func (s *ParenContext) LPAREN() antlr.TerminalNode {
	return s.GetToken(PTXParserLPAREN, 0)
}

func (s *ParenContext) DOTID() antlr.TerminalNode {
	return s.GetToken(PTXParserDOTID, 0)
}

func (s *ParenContext) RPAREN() antlr.TerminalNode {
	return s.GetToken(PTXParserRPAREN, 0)
}

func (s *ParenContext) AllOperand() []IOperandContext {
	children := s.GetChildren()
	len := 0
	for _, ctx := range children {
		if _, ok := ctx.(IOperandContext); ok {
			len++
		}
	}

	tst := make([]IOperandContext, len)
	i := 0
	for _, ctx := range children {
		if t, ok := ctx.(IOperandContext); ok {
			tst[i] = t.(IOperandContext)
			i++
		}
	}

	return tst
}

func (s *ParenContext) Operand(i int) IOperandContext {
	var t antlr.RuleContext
	j := 0
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IOperandContext); ok {
			if j == i {
				t = ctx.(antlr.RuleContext)
				break
			}
			j++
		}
	}

	if t == nil {
		return nil
	}

	return t.(IOperandContext)
}

func (s *ParenContext) QUESTION() antlr.TerminalNode {
	return s.GetToken(PTXParserQUESTION, 0)
}

func (s *ParenContext) COLON() antlr.TerminalNode {
	return s.GetToken(PTXParserCOLON, 0)
}

func (s *ParenContext) PLUS() antlr.TerminalNode {
	return s.GetToken(PTXParserPLUS, 0)
}

func (s *ParenContext) MINUS() antlr.TerminalNode {
	return s.GetToken(PTXParserMINUS, 0)
}

func (s *ParenContext) PIPE() antlr.TerminalNode {
	return s.GetToken(PTXParserPIPE, 0)
}

func (s *ParenContext) LT() antlr.TerminalNode {
	return s.GetToken(PTXParserLT, 0)
}

func (s *ParenContext) GT() antlr.TerminalNode {
	return s.GetToken(PTXParserGT, 0)
}

func (s *ParenContext) OP() antlr.TerminalNode {
	return s.GetToken(PTXParserOP, 0)
}

func (s *ParenContext) AllCOMMA() []antlr.TerminalNode {
	return s.GetTokens(PTXParserCOMMA)
}

func (s *ParenContext) COMMA(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserCOMMA, i)
}

func (s *ParenContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *ParenContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PTXParser) Paren() (localctx IParenContext) {
	if !p.fast {
		localctx = NewParenContext(p, p.GetParserRuleContext(), p.GetState())
	}
	p.EnterRule(localctx, 34, PTXParserRULE_paren)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(491)
		p.Match(PTXParserLPAREN)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	p.SetState(515)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}

	switch p.GetTokenStream().LA(1) {
	case PTXParserDOTID:
		{
			p.SetState(492)
			p.Match(PTXParserDOTID)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(493)
			p.Match(PTXParserRPAREN)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(494)
			p.Operand()
		}

	case PTXParserFLOAT, PTXParserHEXFLOAT, PTXParserINT, PTXParserSTRING, PTXParserID, PTXParserLPAREN, PTXParserRPAREN, PTXParserLBRACE, PTXParserLBRACK, PTXParserMINUS, PTXParserPLUS, PTXParserBANG, PTXParserTILDE:
		p.SetState(503)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		if (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&3811465379184640) != 0 {
			{
				p.SetState(495)
				p.Operand()
			}
			p.SetState(500)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)

			for _la == PTXParserCOMMA {
				{
					p.SetState(496)
					p.Match(PTXParserCOMMA)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}
				{
					p.SetState(497)
					p.Operand()
				}

				p.SetState(502)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)
			}

		}
		{
			p.SetState(505)
			p.Match(PTXParserRPAREN)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		p.SetState(513)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		switch p.GetTokenStream().LA(1) {
		case PTXParserLT, PTXParserGT, PTXParserMINUS, PTXParserPLUS, PTXParserPIPE, PTXParserOP:
			{
				p.SetState(506)
				_la = p.GetTokenStream().LA(1)

				if !((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&10097914789494784) != 0) {
					p.GetErrorHandler().RecoverInline(p)
				} else {
					p.GetErrorHandler().ReportMatch(p)
					p.Consume()
				}
			}
			{
				p.SetState(507)
				p.Operand()
			}

		case PTXParserQUESTION:
			{
				p.SetState(508)
				p.Match(PTXParserQUESTION)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			{
				p.SetState(509)
				p.Operand()
			}
			{
				p.SetState(510)
				p.Match(PTXParserCOLON)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			{
				p.SetState(511)
				p.Operand()
			}

		case PTXParserSEMI, PTXParserCOMMA, PTXParserCOLON, PTXParserRPAREN, PTXParserRBRACE, PTXParserRBRACK:

		default:
		}

	default:
		p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
		goto errorExit
	}

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
	goto errorExit // Trick to prevent compiler error if the label is not used
}

// IBracesContext is an interface to support dynamic dispatch.
type IBracesContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	LBRACE() antlr.TerminalNode
	RBRACE() antlr.TerminalNode
	AllParen() []IParenContext
	Paren(i int) IParenContext
	AllCOMMA() []antlr.TerminalNode
	COMMA(i int) antlr.TerminalNode
	AllMINUS() []antlr.TerminalNode
	MINUS(i int) antlr.TerminalNode
	AllPLUS() []antlr.TerminalNode
	PLUS(i int) antlr.TerminalNode
	AllBANG() []antlr.TerminalNode
	BANG(i int) antlr.TerminalNode
	AllTILDE() []antlr.TerminalNode
	TILDE(i int) antlr.TerminalNode
	AllID() []antlr.TerminalNode
	ID(i int) antlr.TerminalNode
	AllINT() []antlr.TerminalNode
	INT(i int) antlr.TerminalNode
	AllFLOAT() []antlr.TerminalNode
	FLOAT(i int) antlr.TerminalNode
	AllHEXFLOAT() []antlr.TerminalNode
	HEXFLOAT(i int) antlr.TerminalNode
	AllSTRING() []antlr.TerminalNode
	STRING(i int) antlr.TerminalNode
	AllBraces() []IBracesContext
	Braces(i int) IBracesContext
	AllOperand() []IOperandContext
	Operand(i int) IOperandContext
	AllQUESTION() []antlr.TerminalNode
	QUESTION(i int) antlr.TerminalNode
	AllCOLON() []antlr.TerminalNode
	COLON(i int) antlr.TerminalNode
	AllPIPE() []antlr.TerminalNode
	PIPE(i int) antlr.TerminalNode
	AllLT() []antlr.TerminalNode
	LT(i int) antlr.TerminalNode
	AllGT() []antlr.TerminalNode
	GT(i int) antlr.TerminalNode
	AllOP() []antlr.TerminalNode
	OP(i int) antlr.TerminalNode
	AllASSIGN() []antlr.TerminalNode
	ASSIGN(i int) antlr.TerminalNode
	AllDOTID() []antlr.TerminalNode
	DOTID(i int) antlr.TerminalNode
	AllLPAREN() []antlr.TerminalNode
	LPAREN(i int) antlr.TerminalNode
	AllRPAREN() []antlr.TerminalNode
	RPAREN(i int) antlr.TerminalNode

	// IsBracesContext differentiates from other interfaces.
	IsBracesContext()
}

type BracesContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyBracesContext() *BracesContext {
	var p = new(BracesContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PTXParserRULE_braces
	return p
}

func InitEmptyBracesContext(p *BracesContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PTXParserRULE_braces
}

func (*BracesContext) IsBracesContext() {}

func NewBracesContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *BracesContext {
	var p = new(BracesContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PTXParserRULE_braces

	return p
}

func (s *BracesContext) GetParser() antlr.Parser { return s.parser }

func (s *BracesContext) LBRACE() antlr.TerminalNode {
	return s.GetToken(PTXParserLBRACE, 0)
}

func (s *BracesContext) RBRACE() antlr.TerminalNode {
	return s.GetToken(PTXParserRBRACE, 0)
}

func (s *BracesContext) AllParen() []IParenContext {
	children := s.GetChildren()
	len := 0
	for _, ctx := range children {
		if _, ok := ctx.(IParenContext); ok {
			len++
		}
	}

	tst := make([]IParenContext, len)
	i := 0
	for _, ctx := range children {
		if t, ok := ctx.(IParenContext); ok {
			tst[i] = t.(IParenContext)
			i++
		}
	}

	return tst
}

func (s *BracesContext) Paren(i int) IParenContext {
	var t antlr.RuleContext
	j := 0
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IParenContext); ok {
			if j == i {
				t = ctx.(antlr.RuleContext)
				break
			}
			j++
		}
	}

	if t == nil {
		return nil
	}

	return t.(IParenContext)
}

func (s *BracesContext) AllCOMMA() []antlr.TerminalNode {
	return s.GetTokens(PTXParserCOMMA)
}

func (s *BracesContext) COMMA(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserCOMMA, i)
}

func (s *BracesContext) AllMINUS() []antlr.TerminalNode {
	return s.GetTokens(PTXParserMINUS)
}

func (s *BracesContext) MINUS(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserMINUS, i)
}

func (s *BracesContext) AllPLUS() []antlr.TerminalNode {
	return s.GetTokens(PTXParserPLUS)
}

func (s *BracesContext) PLUS(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserPLUS, i)
}

func (s *BracesContext) AllBANG() []antlr.TerminalNode {
	return s.GetTokens(PTXParserBANG)
}

func (s *BracesContext) BANG(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserBANG, i)
}

func (s *BracesContext) AllTILDE() []antlr.TerminalNode {
	return s.GetTokens(PTXParserTILDE)
}

func (s *BracesContext) TILDE(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserTILDE, i)
}

func (s *BracesContext) AllID() []antlr.TerminalNode {
	return s.GetTokens(PTXParserID)
}

func (s *BracesContext) ID(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserID, i)
}

func (s *BracesContext) AllINT() []antlr.TerminalNode {
	return s.GetTokens(PTXParserINT)
}

func (s *BracesContext) INT(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserINT, i)
}

func (s *BracesContext) AllFLOAT() []antlr.TerminalNode {
	return s.GetTokens(PTXParserFLOAT)
}

func (s *BracesContext) FLOAT(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserFLOAT, i)
}

func (s *BracesContext) AllHEXFLOAT() []antlr.TerminalNode {
	return s.GetTokens(PTXParserHEXFLOAT)
}

func (s *BracesContext) HEXFLOAT(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserHEXFLOAT, i)
}

func (s *BracesContext) AllSTRING() []antlr.TerminalNode {
	return s.GetTokens(PTXParserSTRING)
}

func (s *BracesContext) STRING(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserSTRING, i)
}

func (s *BracesContext) AllBraces() []IBracesContext {
	children := s.GetChildren()
	len := 0
	for _, ctx := range children {
		if _, ok := ctx.(IBracesContext); ok {
			len++
		}
	}

	tst := make([]IBracesContext, len)
	i := 0
	for _, ctx := range children {
		if t, ok := ctx.(IBracesContext); ok {
			tst[i] = t.(IBracesContext)
			i++
		}
	}

	return tst
}

func (s *BracesContext) Braces(i int) IBracesContext {
	var t antlr.RuleContext
	j := 0
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IBracesContext); ok {
			if j == i {
				t = ctx.(antlr.RuleContext)
				break
			}
			j++
		}
	}

	if t == nil {
		return nil
	}

	return t.(IBracesContext)
}

func (s *BracesContext) AllOperand() []IOperandContext {
	children := s.GetChildren()
	len := 0
	for _, ctx := range children {
		if _, ok := ctx.(IOperandContext); ok {
			len++
		}
	}

	tst := make([]IOperandContext, len)
	i := 0
	for _, ctx := range children {
		if t, ok := ctx.(IOperandContext); ok {
			tst[i] = t.(IOperandContext)
			i++
		}
	}

	return tst
}

func (s *BracesContext) Operand(i int) IOperandContext {
	var t antlr.RuleContext
	j := 0
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IOperandContext); ok {
			if j == i {
				t = ctx.(antlr.RuleContext)
				break
			}
			j++
		}
	}

	if t == nil {
		return nil
	}

	return t.(IOperandContext)
}

func (s *BracesContext) AllQUESTION() []antlr.TerminalNode {
	return s.GetTokens(PTXParserQUESTION)
}

func (s *BracesContext) QUESTION(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserQUESTION, i)
}

func (s *BracesContext) AllCOLON() []antlr.TerminalNode {
	return s.GetTokens(PTXParserCOLON)
}

func (s *BracesContext) COLON(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserCOLON, i)
}

func (s *BracesContext) AllPIPE() []antlr.TerminalNode {
	return s.GetTokens(PTXParserPIPE)
}

func (s *BracesContext) PIPE(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserPIPE, i)
}

func (s *BracesContext) AllLT() []antlr.TerminalNode {
	return s.GetTokens(PTXParserLT)
}

func (s *BracesContext) LT(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserLT, i)
}

func (s *BracesContext) AllGT() []antlr.TerminalNode {
	return s.GetTokens(PTXParserGT)
}

func (s *BracesContext) GT(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserGT, i)
}

func (s *BracesContext) AllOP() []antlr.TerminalNode {
	return s.GetTokens(PTXParserOP)
}

func (s *BracesContext) OP(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserOP, i)
}

func (s *BracesContext) AllASSIGN() []antlr.TerminalNode {
	return s.GetTokens(PTXParserASSIGN)
}

func (s *BracesContext) ASSIGN(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserASSIGN, i)
}

func (s *BracesContext) AllDOTID() []antlr.TerminalNode {
	return s.GetTokens(PTXParserDOTID)
}

func (s *BracesContext) DOTID(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserDOTID, i)
}

func (s *BracesContext) AllLPAREN() []antlr.TerminalNode {
	return s.GetTokens(PTXParserLPAREN)
}

func (s *BracesContext) LPAREN(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserLPAREN, i)
}

func (s *BracesContext) AllRPAREN() []antlr.TerminalNode {
	return s.GetTokens(PTXParserRPAREN)
}

func (s *BracesContext) RPAREN(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserRPAREN, i)
}

func (s *BracesContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *BracesContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PTXParser) Braces() (localctx IBracesContext) {
	if !p.fast {
		localctx = NewBracesContext(p, p.GetParserRuleContext(), p.GetState())
	}
	p.EnterRule(localctx, 36, PTXParserRULE_braces)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(517)
		p.Match(PTXParserLBRACE)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	p.SetState(612)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	if (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&3802669286162432) != 0 {
		p.SetState(521)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&3799912185593856) != 0 {
			{
				p.SetState(518)
				_la = p.GetTokenStream().LA(1)

				if !((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&3799912185593856) != 0) {
					p.GetErrorHandler().RecoverInline(p)
				} else {
					p.GetErrorHandler().ReportMatch(p)
					p.Consume()
				}
			}

			p.SetState(523)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}
		p.SetState(560)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}

		switch p.GetTokenStream().LA(1) {
		case PTXParserFLOAT, PTXParserHEXFLOAT, PTXParserINT, PTXParserSTRING, PTXParserID, PTXParserLBRACE:
			p.SetState(548)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}

			switch p.GetTokenStream().LA(1) {
			case PTXParserID:
				{
					p.SetState(524)
					p.Match(PTXParserID)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}
				p.SetState(528)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)

				for _la == PTXParserDOTID {
					{
						p.SetState(525)
						p.Match(PTXParserDOTID)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}

					p.SetState(530)
					p.GetErrorHandler().Sync(p)
					if p.HasError() {
						goto errorExit
					}
					_la = p.GetTokenStream().LA(1)
				}
				p.SetState(535)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)

				if _la == PTXParserLPAREN {
					{
						p.SetState(531)
						p.Match(PTXParserLPAREN)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}
					{
						p.SetState(532)
						p.Operand()
					}
					{
						p.SetState(533)
						p.Match(PTXParserRPAREN)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}

				}

			case PTXParserINT:
				{
					p.SetState(537)
					p.Match(PTXParserINT)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}
				p.SetState(542)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)

				if _la == PTXParserLPAREN {
					{
						p.SetState(538)
						p.Match(PTXParserLPAREN)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}
					{
						p.SetState(539)
						p.Operand()
					}
					{
						p.SetState(540)
						p.Match(PTXParserRPAREN)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}

				}

			case PTXParserFLOAT:
				{
					p.SetState(544)
					p.Match(PTXParserFLOAT)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}

			case PTXParserHEXFLOAT:
				{
					p.SetState(545)
					p.Match(PTXParserHEXFLOAT)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}

			case PTXParserSTRING:
				{
					p.SetState(546)
					p.Match(PTXParserSTRING)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}

			case PTXParserLBRACE:
				{
					p.SetState(547)
					p.Braces()
				}

			default:
				p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
				goto errorExit
			}
			p.SetState(557)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			switch p.GetTokenStream().LA(1) {
			case PTXParserASSIGN, PTXParserLT, PTXParserGT, PTXParserMINUS, PTXParserPLUS, PTXParserPIPE, PTXParserOP:
				{
					p.SetState(550)
					_la = p.GetTokenStream().LA(1)

					if !((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&10098189667401728) != 0) {
						p.GetErrorHandler().RecoverInline(p)
					} else {
						p.GetErrorHandler().ReportMatch(p)
						p.Consume()
					}
				}
				{
					p.SetState(551)
					p.Operand()
				}

			case PTXParserQUESTION:
				{
					p.SetState(552)
					p.Match(PTXParserQUESTION)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}
				{
					p.SetState(553)
					p.Operand()
				}
				{
					p.SetState(554)
					p.Match(PTXParserCOLON)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}
				{
					p.SetState(555)
					p.Operand()
				}

			case PTXParserCOMMA, PTXParserRBRACE:

			default:
			}

		case PTXParserLPAREN:
			{
				p.SetState(559)
				p.Paren()
			}

		default:
			p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
			goto errorExit
		}
		p.SetState(609)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		for _la == PTXParserCOMMA {
			{
				p.SetState(562)
				p.Match(PTXParserCOMMA)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			p.SetState(566)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)

			for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&3799912185593856) != 0 {
				{
					p.SetState(563)
					_la = p.GetTokenStream().LA(1)

					if !((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&3799912185593856) != 0) {
						p.GetErrorHandler().RecoverInline(p)
					} else {
						p.GetErrorHandler().ReportMatch(p)
						p.Consume()
					}
				}

				p.SetState(568)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)
			}
			p.SetState(605)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}

			switch p.GetTokenStream().LA(1) {
			case PTXParserFLOAT, PTXParserHEXFLOAT, PTXParserINT, PTXParserSTRING, PTXParserID, PTXParserLBRACE:
				p.SetState(593)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}

				switch p.GetTokenStream().LA(1) {
				case PTXParserID:
					{
						p.SetState(569)
						p.Match(PTXParserID)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}
					p.SetState(573)
					p.GetErrorHandler().Sync(p)
					if p.HasError() {
						goto errorExit
					}
					_la = p.GetTokenStream().LA(1)

					for _la == PTXParserDOTID {
						{
							p.SetState(570)
							p.Match(PTXParserDOTID)
							if p.HasError() {
								// Recognition error - abort rule
								goto errorExit
							}
						}

						p.SetState(575)
						p.GetErrorHandler().Sync(p)
						if p.HasError() {
							goto errorExit
						}
						_la = p.GetTokenStream().LA(1)
					}
					p.SetState(580)
					p.GetErrorHandler().Sync(p)
					if p.HasError() {
						goto errorExit
					}
					_la = p.GetTokenStream().LA(1)

					if _la == PTXParserLPAREN {
						{
							p.SetState(576)
							p.Match(PTXParserLPAREN)
							if p.HasError() {
								// Recognition error - abort rule
								goto errorExit
							}
						}
						{
							p.SetState(577)
							p.Operand()
						}
						{
							p.SetState(578)
							p.Match(PTXParserRPAREN)
							if p.HasError() {
								// Recognition error - abort rule
								goto errorExit
							}
						}

					}

				case PTXParserINT:
					{
						p.SetState(582)
						p.Match(PTXParserINT)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}
					p.SetState(587)
					p.GetErrorHandler().Sync(p)
					if p.HasError() {
						goto errorExit
					}
					_la = p.GetTokenStream().LA(1)

					if _la == PTXParserLPAREN {
						{
							p.SetState(583)
							p.Match(PTXParserLPAREN)
							if p.HasError() {
								// Recognition error - abort rule
								goto errorExit
							}
						}
						{
							p.SetState(584)
							p.Operand()
						}
						{
							p.SetState(585)
							p.Match(PTXParserRPAREN)
							if p.HasError() {
								// Recognition error - abort rule
								goto errorExit
							}
						}

					}

				case PTXParserFLOAT:
					{
						p.SetState(589)
						p.Match(PTXParserFLOAT)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}

				case PTXParserHEXFLOAT:
					{
						p.SetState(590)
						p.Match(PTXParserHEXFLOAT)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}

				case PTXParserSTRING:
					{
						p.SetState(591)
						p.Match(PTXParserSTRING)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}

				case PTXParserLBRACE:
					{
						p.SetState(592)
						p.Braces()
					}

				default:
					p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
					goto errorExit
				}
				p.SetState(602)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				switch p.GetTokenStream().LA(1) {
				case PTXParserASSIGN, PTXParserLT, PTXParserGT, PTXParserMINUS, PTXParserPLUS, PTXParserPIPE, PTXParserOP:
					{
						p.SetState(595)
						_la = p.GetTokenStream().LA(1)

						if !((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&10098189667401728) != 0) {
							p.GetErrorHandler().RecoverInline(p)
						} else {
							p.GetErrorHandler().ReportMatch(p)
							p.Consume()
						}
					}
					{
						p.SetState(596)
						p.Operand()
					}

				case PTXParserQUESTION:
					{
						p.SetState(597)
						p.Match(PTXParserQUESTION)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}
					{
						p.SetState(598)
						p.Operand()
					}
					{
						p.SetState(599)
						p.Match(PTXParserCOLON)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}
					{
						p.SetState(600)
						p.Operand()
					}

				case PTXParserCOMMA, PTXParserRBRACE:

				default:
				}

			case PTXParserLPAREN:
				{
					p.SetState(604)
					p.Paren()
				}

			default:
				p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
				goto errorExit
			}

			p.SetState(611)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}

	}
	{
		p.SetState(614)
		p.Match(PTXParserRBRACE)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}

errorExit:
	if p.HasError() {
		v := p.GetError()
		localctx.SetException(v)
		p.GetErrorHandler().ReportError(p, v)
		p.GetErrorHandler().Recover(p, v)
		p.SetError(nil)
	}
	p.ExitRule()
	return localctx
	goto errorExit // Trick to prevent compiler error if the label is not used
}
