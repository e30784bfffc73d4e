// Code generated from PTXParser.g4 by ANTLR 4.13.1. DO NOT EDIT.

package antlrgen // PTXParser
import (
	"fmt"
	"github.com/antlr4-go/antlr/v4"
	"strconv"
	"sync"
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
		"module", "item", "unknown", "file", "loc", "pragma", "section", "function",
		"params", "param", "attribute", "variables", "space", "typing", "declarator",
		"block", "stmt", "operand", "paren", "braces",
	}
	staticData.PredictionContextCache = antlr.NewPredictionContextCache()
	staticData.serializedATN = []int32{
		4, 1, 64, 642, 2, 0, 7, 0, 2, 1, 7, 1, 2, 2, 7, 2, 2, 3, 7, 3, 2, 4, 7,
		4, 2, 5, 7, 5, 2, 6, 7, 6, 2, 7, 7, 7, 2, 8, 7, 8, 2, 9, 7, 9, 2, 10, 7,
		10, 2, 11, 7, 11, 2, 12, 7, 12, 2, 13, 7, 13, 2, 14, 7, 14, 2, 15, 7, 15,
		2, 16, 7, 16, 2, 17, 7, 17, 2, 18, 7, 18, 2, 19, 7, 19, 1, 0, 5, 0, 42,
		8, 0, 10, 0, 12, 0, 45, 9, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
		1, 1, 5, 1, 55, 8, 1, 10, 1, 12, 1, 58, 9, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
		1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 5, 1, 74, 8, 1,
		10, 1, 12, 1, 77, 9, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 1, 83, 8, 1, 3, 1, 85,
		8, 1, 1, 2, 1, 2, 5, 2, 89, 8, 2, 10, 2, 12, 2, 92, 9, 2, 1, 2, 1, 2, 1,
		3, 1, 3, 1, 3, 1, 3, 1, 3, 5, 3, 101, 8, 3, 10, 3, 12, 3, 104, 9, 3, 1,
		4, 1, 4, 1, 4, 1, 4, 1, 4, 1, 4, 1, 4, 1, 4, 1, 4, 3, 4, 115, 8, 4, 1,
		4, 1, 4, 1, 4, 1, 4, 1, 4, 3, 4, 122, 8, 4, 1, 5, 1, 5, 1, 5, 1, 5, 5,
		5, 128, 8, 5, 10, 5, 12, 5, 131, 9, 5, 1, 5, 1, 5, 1, 6, 1, 6, 1, 6, 1,
		6, 5, 6, 139, 8, 6, 10, 6, 12, 6, 142, 9, 6, 1, 6, 1, 6, 1, 6, 3, 6, 147,
		8, 6, 1, 6, 1, 6, 1, 6, 1, 6, 1, 6, 1, 6, 1, 6, 3, 6, 156, 8, 6, 3, 6,
		158, 8, 6, 1, 6, 1, 6, 3, 6, 162, 8, 6, 1, 6, 1, 6, 1, 6, 1, 6, 1, 6, 1,
		6, 1, 6, 3, 6, 171, 8, 6, 3, 6, 173, 8, 6, 5, 6, 175, 8, 6, 10, 6, 12,
		6, 178, 9, 6, 1, 6, 1, 6, 5, 6, 182, 8, 6, 10, 6, 12, 6, 185, 9, 6, 1,
		6, 1, 6, 1, 7, 1, 7, 3, 7, 191, 8, 7, 1, 7, 3, 7, 194, 8, 7, 1, 7, 3, 7,
		197, 8, 7, 1, 7, 1, 7, 3, 7, 201, 8, 7, 1, 7, 1, 7, 1, 7, 1, 7, 5, 7, 207,
		8, 7, 10, 7, 12, 7, 210, 9, 7, 3, 7, 212, 8, 7, 1, 7, 5, 7, 215, 8, 7,
		10, 7, 12, 7, 218, 9, 7, 1, 7, 1, 7, 3, 7, 222, 8, 7, 1, 8, 1, 8, 1, 8,
		1, 8, 5, 8, 228, 8, 8, 10, 8, 12, 8, 231, 9, 8, 3, 8, 233, 8, 8, 1, 8,
		1, 8, 1, 9, 3, 9, 238, 8, 9, 1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 3, 9, 245, 8,
		9, 1, 9, 5, 9, 248, 8, 9, 10, 9, 12, 9, 251, 9, 9, 3, 9, 253, 8, 9, 1,
		10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 5, 10, 262, 8, 10, 10, 10,
		12, 10, 265, 9, 10, 1, 10, 3, 10, 268, 8, 10, 1, 10, 1, 10, 1, 10, 1, 10,
		1, 10, 1, 10, 5, 10, 276, 8, 10, 10, 10, 12, 10, 279, 9, 10, 1, 10, 3,
		10, 282, 8, 10, 5, 10, 284, 8, 10, 10, 10, 12, 10, 287, 9, 10, 1, 10, 1,
		10, 1, 11, 1, 11, 1, 11, 1, 11, 1, 11, 5, 11, 296, 8, 11, 10, 11, 12, 11,
		299, 9, 11, 1, 12, 1, 12, 1, 13, 1, 13, 1, 13, 1, 13, 1, 13, 1, 13, 1,
		13, 1, 13, 1, 13, 5, 13, 312, 8, 13, 10, 13, 12, 13, 315, 9, 13, 1, 14,
		1, 14, 1, 14, 1, 14, 3, 14, 321, 8, 14, 1, 14, 1, 14, 3, 14, 325, 8, 14,
		1, 14, 5, 14, 328, 8, 14, 10, 14, 12, 14, 331, 9, 14, 1, 14, 1, 14, 3,
		14, 335, 8, 14, 1, 15, 1, 15, 5, 15, 339, 8, 15, 10, 15, 12, 15, 342, 9,
		15, 1, 15, 1, 15, 1, 16, 1, 16, 1, 16, 1, 16, 1, 16, 1, 16, 5, 16, 352,
		8, 16, 10, 16, 12, 16, 355, 9, 16, 1, 16, 1, 16, 1, 16, 1, 16, 1, 16, 5,
		16, 362, 8, 16, 10, 16, 12, 16, 365, 9, 16, 1, 16, 1, 16, 1, 16, 3, 16,
		370, 8, 16, 1, 16, 1, 16, 3, 16, 374, 8, 16, 1, 16, 1, 16, 1, 16, 1, 16,
		5, 16, 380, 8, 16, 10, 16, 12, 16, 383, 9, 16, 3, 16, 385, 8, 16, 5, 16,
		387, 8, 16, 10, 16, 12, 16, 390, 9, 16, 1, 16, 3, 16, 393, 8, 16, 1, 16,
		5, 16, 396, 8, 16, 10, 16, 12, 16, 399, 9, 16, 1, 16, 1, 16, 1, 16, 5,
		16, 404, 8, 16, 10, 16, 12, 16, 407, 9, 16, 3, 16, 409, 8, 16, 1, 16, 3,
		16, 412, 8, 16, 1, 16, 1, 16, 3, 16, 416, 8, 16, 1, 16, 1, 16, 1, 16, 5,
		16, 421, 8, 16, 10, 16, 12, 16, 424, 9, 16, 1, 16, 1, 16, 1, 16, 5, 16,
		429, 8, 16, 10, 16, 12, 16, 432, 9, 16, 3, 16, 434, 8, 16, 1, 16, 1, 16,
		3, 16, 438, 8, 16, 1, 16, 1, 16, 1, 16, 1, 16, 1, 16, 1, 16, 1, 16, 1,
		16, 1, 16, 1, 16, 1, 16, 1, 16, 1, 16, 1, 16, 3, 16, 454, 8, 16, 1, 17,
		5, 17, 457, 8, 17, 10, 17, 12, 17, 460, 9, 17, 1, 17, 1, 17, 5, 17, 464,
		8, 17, 10, 17, 12, 17, 467, 9, 17, 1, 17, 1, 17, 1, 17, 1, 17, 1, 17, 1,
		17, 1, 17, 1, 17, 3, 17, 477, 8, 17, 1, 17, 1, 17, 1, 17, 1, 17, 1, 17,
		3, 17, 484, 8, 17, 1, 17, 1, 17, 1, 17, 1, 17, 1, 17, 1, 17, 1, 17, 1,
		17, 5, 17, 494, 8, 17, 10, 17, 12, 17, 497, 9, 17, 1, 17, 1, 17, 3, 17,
		501, 8, 17, 3, 17, 503, 8, 17, 1, 17, 1, 17, 1, 17, 1, 17, 1, 17, 1, 17,
		1, 17, 3, 17, 512, 8, 17, 1, 17, 3, 17, 515, 8, 17, 1, 18, 1, 18, 1, 18,
		1, 18, 1, 18, 1, 18, 1, 18, 5, 18, 524, 8, 18, 10, 18, 12, 18, 527, 9,
		18, 3, 18, 529, 8, 18, 1, 18, 1, 18, 1, 18, 1, 18, 1, 18, 1, 18, 1, 18,
		1, 18, 3, 18, 539, 8, 18, 3, 18, 541, 8, 18, 1, 19, 1, 19, 5, 19, 545,
		8, 19, 10, 19, 12, 19, 548, 9, 19, 1, 19, 1, 19, 5, 19, 552, 8, 19, 10,
		19, 12, 19, 555, 9, 19, 1, 19, 1, 19, 1, 19, 1, 19, 3, 19, 561, 8, 19,
		1, 19, 1, 19, 1, 19, 1, 19, 1, 19, 3, 19, 568, 8, 19, 1, 19, 1, 19, 1,
		19, 1, 19, 3, 19, 574, 8, 19, 1, 19, 1, 19, 1, 19, 1, 19, 1, 19, 1, 19,
		1, 19, 3, 19, 583, 8, 19, 1, 19, 3, 19, 586, 8, 19, 1, 19, 1, 19, 5, 19,
		590, 8, 19, 10, 19, 12, 19, 593, 9, 19, 1, 19, 1, 19, 5, 19, 597, 8, 19,
		10, 19, 12, 19, 600, 9, 19, 1, 19, 1, 19, 1, 19, 1, 19, 3, 19, 606, 8,
		19, 1, 19, 1, 19, 1, 19, 1, 19, 1, 19, 3, 19, 613, 8, 19, 1, 19, 1, 19,
		1, 19, 1, 19, 3, 19, 619, 8, 19, 1, 19, 1, 19, 1, 19, 1, 19, 1, 19, 1,
		19, 1, 19, 3, 19, 628, 8, 19, 1, 19, 3, 19, 631, 8, 19, 5, 19, 633, 8,
		19, 10, 19, 12, 19, 636, 9, 19, 3, 19, 638, 8, 19, 1, 19, 1, 19, 1, 19,
		0, 0, 20, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32,
		34, 36, 38, 0, 12, 1, 0, 11, 14, 3, 0, 30, 35, 37, 37, 49, 49, 1, 0, 33,
		35, 1, 0, 34, 35, 1, 0, 49, 50, 2, 0, 32, 32, 34, 35, 1, 0, 32, 33, 1,
		0, 15, 22, 3, 0, 1, 6, 9, 29, 35, 35, 2, 0, 49, 50, 52, 53, 2, 0, 47, 51,
		55, 55, 3, 0, 40, 40, 47, 51, 55, 55, 767, 0, 43, 1, 0, 0, 0, 2, 84, 1,
		0, 0, 0, 4, 86, 1, 0, 0, 0, 6, 95, 1, 0, 0, 0, 8, 105, 1, 0, 0, 0, 10,
		123, 1, 0, 0, 0, 12, 134, 1, 0, 0, 0, 14, 196, 1, 0, 0, 0, 16, 223, 1,
		0, 0, 0, 18, 237, 1, 0, 0, 0, 20, 254, 1, 0, 0, 0, 22, 290, 1, 0, 0, 0,
		24, 300, 1, 0, 0, 0, 26, 313, 1, 0, 0, 0, 28, 316, 1, 0, 0, 0, 30, 336,
		1, 0, 0, 0, 32, 453, 1, 0, 0, 0, 34, 458, 1, 0, 0, 0, 36, 516, 1, 0, 0,
		0, 38, 542, 1, 0, 0, 0, 40, 42, 3, 2, 1, 0, 41, 40, 1, 0, 0, 0, 42, 45,
		1, 0, 0, 0, 43, 41, 1, 0, 0, 0, 43, 44, 1, 0, 0, 0, 44, 46, 1, 0, 0, 0,
		45, 43, 1, 0, 0, 0, 46, 47, 5, 0, 0, 1, 47, 1, 1, 0, 0, 0, 48, 49, 5, 1,
		0, 0, 49, 85, 5, 30, 0, 0, 50, 51, 5, 2, 0, 0, 51, 56, 5, 34, 0, 0, 52,
		53, 5, 37, 0, 0, 53, 55, 5, 34, 0, 0, 54, 52, 1, 0, 0, 0, 55, 58, 1, 0,
		0, 0, 56, 54, 1, 0, 0, 0, 56, 57, 1, 0, 0, 0, 57, 85, 1, 0, 0, 0, 58, 56,
		1, 0, 0, 0, 59, 60, 5, 3, 0, 0, 60, 85, 5, 32, 0, 0, 61, 62, 5, 26, 0,
		0, 62, 63, 5, 34, 0, 0, 63, 64, 5, 37, 0, 0, 64, 65, 5, 34, 0, 0, 65, 85,
		5, 36, 0, 0, 66, 85, 3, 6, 3, 0, 67, 85, 3, 8, 4, 0, 68, 85, 3, 12, 6,
		0, 69, 85, 5, 8, 0, 0, 70, 85, 3, 10, 5, 0, 71, 85, 3, 4, 2, 0, 72, 74,
		7, 0, 0, 0, 73, 72, 1, 0, 0, 0, 74, 77, 1, 0, 0, 0, 75, 73, 1, 0, 0, 0,
		75, 76, 1, 0, 0, 0, 76, 82, 1, 0, 0, 0, 77, 75, 1, 0, 0, 0, 78, 83, 3,
		14, 7, 0, 79, 80, 3, 22, 11, 0, 80, 81, 5, 36, 0, 0, 81, 83, 1, 0, 0, 0,
		82, 78, 1, 0, 0, 0, 82, 79, 1, 0, 0, 0, 83, 85, 1, 0, 0, 0, 84, 48, 1,
		0, 0, 0, 84, 50, 1, 0, 0, 0, 84, 59, 1, 0, 0, 0, 84, 61, 1, 0, 0, 0, 84,
		66, 1, 0, 0, 0, 84, 67, 1, 0, 0, 0, 84, 68, 1, 0, 0, 0, 84, 69, 1, 0, 0,
		0, 84, 70, 1, 0, 0, 0, 84, 71, 1, 0, 0, 0, 84, 75, 1, 0, 0, 0, 85, 3, 1,
		0, 0, 0, 86, 90, 5, 35, 0, 0, 87, 89, 7, 1, 0, 0, 88, 87, 1, 0, 0, 0, 89,
		92, 1, 0, 0, 0, 90, 88, 1, 0, 0, 0, 90, 91, 1, 0, 0, 0, 91, 93, 1, 0, 0,
		0, 92, 90, 1, 0, 0, 0, 93, 94, 5, 36, 0, 0, 94, 5, 1, 0, 0, 0, 95, 96,
		5, 4, 0, 0, 96, 97, 5, 32, 0, 0, 97, 102, 5, 33, 0, 0, 98, 99, 5, 37, 0,
		0, 99, 101, 5, 32, 0, 0, 100, 98, 1, 0, 0, 0, 101, 104, 1, 0, 0, 0, 102,
		100, 1, 0, 0, 0, 102, 103, 1, 0, 0, 0, 103, 7, 1, 0, 0, 0, 104, 102, 1,
		0, 0, 0, 105, 106, 5, 5, 0, 0, 106, 107, 5, 32, 0, 0, 107, 108, 5, 32,
		0, 0, 108, 121, 5, 32, 0, 0, 109, 110, 5, 37, 0, 0, 110, 111, 5, 34, 0,
		0, 111, 114, 5, 34, 0, 0, 112, 113, 5, 50, 0, 0, 113, 115, 5, 32, 0, 0,
		114, 112, 1, 0, 0, 0, 114, 115, 1, 0, 0, 0, 115, 116, 1, 0, 0, 0, 116,
		117, 5, 37, 0, 0, 117, 118, 5, 34, 0, 0, 118, 119, 5, 32, 0, 0, 119, 120,
		5, 32, 0, 0, 120, 122, 5, 32, 0, 0, 121, 109, 1, 0, 0, 0, 121, 122, 1,
		0, 0, 0, 122, 9, 1, 0, 0, 0, 123, 124, 5, 25, 0, 0, 124, 129, 5, 33, 0,
		0, 125, 126, 5, 37, 0, 0, 126, 128, 5, 33, 0, 0, 127, 125, 1, 0, 0, 0,
		128, 131, 1, 0, 0, 0, 129, 127, 1, 0, 0, 0, 129, 130, 1, 0, 0, 0, 130,
		132, 1, 0, 0, 0, 131, 129, 1, 0, 0, 0, 132, 133, 5, 36, 0, 0, 133, 11,
		1, 0, 0, 0, 134, 135, 5, 6, 0, 0, 135, 140, 7, 2, 0, 0, 136, 137, 5, 37,
		0, 0, 137, 139, 5, 33, 0, 0, 138, 136, 1, 0, 0, 0, 139, 142, 1, 0, 0, 0,
		140, 138, 1, 0, 0, 0, 140, 141, 1, 0, 0, 0, 141, 143, 1, 0, 0, 0, 142,
		140, 1, 0, 0, 0, 143, 183, 5, 43, 0, 0, 144, 157, 5, 35, 0, 0, 145, 147,
		5, 49, 0, 0, 146, 145, 1, 0, 0, 0, 146, 147, 1, 0, 0, 0, 147, 148, 1, 0,
		0, 0, 148, 158, 5, 32, 0, 0, 149, 158, 5, 30, 0, 0, 150, 158, 5, 31, 0,
		0, 151, 158, 5, 33, 0, 0, 152, 155, 7, 3, 0, 0, 153, 154, 7, 4, 0, 0, 154,
		156, 7, 5, 0, 0, 155, 153, 1, 0, 0, 0, 155, 156, 1, 0, 0, 0, 156, 158,
		1, 0, 0, 0, 157, 146, 1, 0, 0, 0, 157, 149, 1, 0, 0, 0, 157, 150, 1, 0,
		0, 0, 157, 151, 1, 0, 0, 0, 157, 152, 1, 0, 0, 0, 158, 176, 1, 0, 0, 0,
		159, 172, 5, 37, 0, 0, 160, 162, 5, 49, 0, 0, 161, 160, 1, 0, 0, 0, 161,
		162, 1, 0, 0, 0, 162, 163, 1, 0, 0, 0, 163, 173, 5, 32, 0, 0, 164, 173,
		5, 30, 0, 0, 165, 173, 5, 31, 0, 0, 166, 173, 5, 33, 0, 0, 167, 170, 7,
		3, 0, 0, 168, 169, 7, 4, 0, 0, 169, 171, 7, 5, 0, 0, 170, 168, 1, 0, 0,
		0, 170, 171, 1, 0, 0, 0, 171, 173, 1, 0, 0, 0, 172, 161, 1, 0, 0, 0, 172,
		164, 1, 0, 0, 0, 172, 165, 1, 0, 0, 0, 172, 166, 1, 0, 0, 0, 172, 167,
		1, 0, 0, 0, 173, 175, 1, 0, 0, 0, 174, 159, 1, 0, 0, 0, 175, 178, 1, 0,
		0, 0, 176, 174, 1, 0, 0, 0, 176, 177, 1, 0, 0, 0, 177, 182, 1, 0, 0, 0,
		178, 176, 1, 0, 0, 0, 179, 180, 5, 34, 0, 0, 180, 182, 5, 38, 0, 0, 181,
		144, 1, 0, 0, 0, 181, 179, 1, 0, 0, 0, 182, 185, 1, 0, 0, 0, 183, 181,
		1, 0, 0, 0, 183, 184, 1, 0, 0, 0, 184, 186, 1, 0, 0, 0, 185, 183, 1, 0,
		0, 0, 186, 187, 5, 44, 0, 0, 187, 13, 1, 0, 0, 0, 188, 190, 5, 9, 0, 0,
		189, 191, 3, 20, 10, 0, 190, 189, 1, 0, 0, 0, 190, 191, 1, 0, 0, 0, 191,
		193, 1, 0, 0, 0, 192, 194, 3, 16, 8, 0, 193, 192, 1, 0, 0, 0, 193, 194,
		1, 0, 0, 0, 194, 197, 1, 0, 0, 0, 195, 197, 5, 10, 0, 0, 196, 188, 1, 0,
		0, 0, 196, 195, 1, 0, 0, 0, 197, 198, 1, 0, 0, 0, 198, 200, 5, 34, 0, 0,
		199, 201, 3, 16, 8, 0, 200, 199, 1, 0, 0, 0, 200, 201, 1, 0, 0, 0, 201,
		216, 1, 0, 0, 0, 202, 211, 5, 35, 0, 0, 203, 208, 7, 6, 0, 0, 204, 205,
		5, 37, 0, 0, 205, 207, 7, 6, 0, 0, 206, 204, 1, 0, 0, 0, 207, 210, 1, 0,
		0, 0, 208, 206, 1, 0, 0, 0, 208, 209, 1, 0, 0, 0, 209, 212, 1, 0, 0, 0,
		210, 208, 1, 0, 0, 0, 211, 203, 1, 0, 0, 0, 211, 212, 1, 0, 0, 0, 212,
		215, 1, 0, 0, 0, 213, 215, 3, 10, 5, 0, 214, 202, 1, 0, 0, 0, 214, 213,
		1, 0, 0, 0, 215, 218, 1, 0, 0, 0, 216, 214, 1, 0, 0, 0, 216, 217, 1, 0,
		0, 0, 217, 221, 1, 0, 0, 0, 218, 216, 1, 0, 0, 0, 219, 222, 3, 30, 15,
		0, 220, 222, 5, 36, 0, 0, 221, 219, 1, 0, 0, 0, 221, 220, 1, 0, 0, 0, 221,
		222, 1, 0, 0, 0, 222, 15, 1, 0, 0, 0, 223, 232, 5, 41, 0, 0, 224, 229,
		3, 18, 9, 0, 225, 226, 5, 37, 0, 0, 226, 228, 3, 18, 9, 0, 227, 225, 1,
		0, 0, 0, 228, 231, 1, 0, 0, 0, 229, 227, 1, 0, 0, 0, 229, 230, 1, 0, 0,
		0, 230, 233, 1, 0, 0, 0, 231, 229, 1, 0, 0, 0, 232, 224, 1, 0, 0, 0, 232,
		233, 1, 0, 0, 0, 233, 234, 1, 0, 0, 0, 234, 235, 5, 42, 0, 0, 235, 17,
		1, 0, 0, 0, 236, 238, 5, 35, 0, 0, 237, 236, 1, 0, 0, 0, 237, 238, 1, 0,
		0, 0, 238, 239, 1, 0, 0, 0, 239, 240, 3, 24, 12, 0, 240, 252, 3, 26, 13,
		0, 241, 249, 5, 34, 0, 0, 242, 244, 5, 45, 0, 0, 243, 245, 3, 34, 17, 0,
		244, 243, 1, 0, 0, 0, 244, 245, 1, 0, 0, 0, 245, 246, 1, 0, 0, 0, 246,
		248, 5, 46, 0, 0, 247, 242, 1, 0, 0, 0, 248, 251, 1, 0, 0, 0, 249, 247,
		1, 0, 0, 0, 249, 250, 1, 0, 0, 0, 250, 253, 1, 0, 0, 0, 251, 249, 1, 0,
		0, 0, 252, 241, 1, 0, 0, 0, 252, 253, 1, 0, 0, 0, 253, 19, 1, 0, 0, 0,
		254, 255, 5, 24, 0, 0, 255, 256, 5, 41, 0, 0, 256, 267, 5, 35, 0, 0, 257,
		258, 5, 41, 0, 0, 258, 263, 5, 32, 0, 0, 259, 260, 5, 37, 0, 0, 260, 262,
		5, 32, 0, 0, 261, 259, 1, 0, 0, 0, 262, 265, 1, 0, 0, 0, 263, 261, 1, 0,
		0, 0, 263, 264, 1, 0, 0, 0, 264, 266, 1, 0, 0, 0, 265, 263, 1, 0, 0, 0,
		266, 268, 5, 42, 0, 0, 267, 257, 1, 0, 0, 0, 267, 268, 1, 0, 0, 0, 268,
		285, 1, 0, 0, 0, 269, 270, 5, 37, 0, 0, 270, 281, 5, 35, 0, 0, 271, 272,
		5, 41, 0, 0, 272, 277, 5, 32, 0, 0, 273, 274, 5, 37, 0, 0, 274, 276, 5,
		32, 0, 0, 275, 273, 1, 0, 0, 0, 276, 279, 1, 0, 0, 0, 277, 275, 1, 0, 0,
		0, 277, 278, 1, 0, 0, 0, 278, 280, 1, 0, 0, 0, 279, 277, 1, 0, 0, 0, 280,
		282, 5, 42, 0, 0, 281, 271, 1, 0, 0, 0, 281, 282, 1, 0, 0, 0, 282, 284,
		1, 0, 0, 0, 283, 269, 1, 0, 0, 0, 284, 287, 1, 0, 0, 0, 285, 283, 1, 0,
		0, 0, 285, 286, 1, 0, 0, 0, 286, 288, 1, 0, 0, 0, 287, 285, 1, 0, 0, 0,
		288, 289, 5, 42, 0, 0, 289, 21, 1, 0, 0, 0, 290, 291, 3, 24, 12, 0, 291,
		292, 3, 26, 13, 0, 292, 297, 3, 28, 14, 0, 293, 294, 5, 37, 0, 0, 294,
		296, 3, 28, 14, 0, 295, 293, 1, 0, 0, 0, 296, 299, 1, 0, 0, 0, 297, 295,
		1, 0, 0, 0, 297, 298, 1, 0, 0, 0, 298, 23, 1, 0, 0, 0, 299, 297, 1, 0,
		0, 0, 300, 301, 7, 7, 0, 0, 301, 25, 1, 0, 0, 0, 302, 303, 5, 23, 0, 0,
		303, 312, 5, 32, 0, 0, 304, 312, 3, 20, 10, 0, 305, 312, 5, 35, 0, 0, 306,
		312, 5, 17, 0, 0, 307, 312, 5, 18, 0, 0, 308, 312, 5, 19, 0, 0, 309, 312,
		5, 20, 0, 0, 310, 312, 5, 21, 0, 0, 311, 302, 1, 0, 0, 0, 311, 304, 1,
		0, 0, 0, 311, 305, 1, 0, 0, 0, 311, 306, 1, 0, 0, 0, 311, 307, 1, 0, 0,
		0, 311, 308, 1, 0, 0, 0, 311, 309, 1, 0, 0, 0, 311, 310, 1, 0, 0, 0, 312,
		315, 1, 0, 0, 0, 313, 311, 1, 0, 0, 0, 313, 314, 1, 0, 0, 0, 314, 27, 1,
		0, 0, 0, 315, 313, 1, 0, 0, 0, 316, 320, 5, 34, 0, 0, 317, 318, 5, 47,
		0, 0, 318, 319, 5, 32, 0, 0, 319, 321, 5, 48, 0, 0, 320, 317, 1, 0, 0,
		0, 320, 321, 1, 0, 0, 0, 321, 329, 1, 0, 0, 0, 322, 324, 5, 45, 0, 0, 323,
		325, 3, 34, 17, 0, 324, 323, 1, 0, 0, 0, 324, 325, 1, 0, 0, 0, 325, 326,
		1, 0, 0, 0, 326, 328, 5, 46, 0, 0, 327, 322, 1, 0, 0, 0, 328, 331, 1, 0,
		0, 0, 329, 327, 1, 0, 0, 0, 329, 330, 1, 0, 0, 0, 330, 334, 1, 0, 0, 0,
		331, 329, 1, 0, 0, 0, 332, 333, 5, 40, 0, 0, 333, 335, 3, 34, 17, 0, 334,
		332, 1, 0, 0, 0, 334, 335, 1, 0, 0, 0, 335, 29, 1, 0, 0, 0, 336, 340, 5,
		43, 0, 0, 337, 339, 3, 32, 16, 0, 338, 337, 1, 0, 0, 0, 339, 342, 1, 0,
		0, 0, 340, 338, 1, 0, 0, 0, 340, 341, 1, 0, 0, 0, 341, 343, 1, 0, 0, 0,
		342, 340, 1, 0, 0, 0, 343, 344, 5, 44, 0, 0, 344, 31, 1, 0, 0, 0, 345,
		411, 5, 34, 0, 0, 346, 392, 5, 38, 0, 0, 347, 348, 5, 27, 0, 0, 348, 353,
		5, 34, 0, 0, 349, 350, 5, 37, 0, 0, 350, 352, 5, 34, 0, 0, 351, 349, 1,
		0, 0, 0, 352, 355, 1, 0, 0, 0, 353, 351, 1, 0, 0, 0, 353, 354, 1, 0, 0,
		0, 354, 356, 1, 0, 0, 0, 355, 353, 1, 0, 0, 0, 356, 393, 5, 36, 0, 0, 357,
		358, 5, 28, 0, 0, 358, 363, 5, 34, 0, 0, 359, 360, 5, 37, 0, 0, 360, 362,
		5, 34, 0, 0, 361, 359, 1, 0, 0, 0, 362, 365, 1, 0, 0, 0, 363, 361, 1, 0,
		0, 0, 363, 364, 1, 0, 0, 0, 364, 366, 1, 0, 0, 0, 365, 363, 1, 0, 0, 0,
		366, 393, 5, 36, 0, 0, 367, 369, 5, 29, 0, 0, 368, 370, 3, 16, 8, 0, 369,
		368, 1, 0, 0, 0, 369, 370, 1, 0, 0, 0, 370, 371, 1, 0, 0, 0, 371, 373,
		5, 34, 0, 0, 372, 374, 3, 16, 8, 0, 373, 372, 1, 0, 0, 0, 373, 374, 1,
		0, 0, 0, 374, 388, 1, 0, 0, 0, 375, 384, 5, 35, 0, 0, 376, 381, 5, 32,
		0, 0, 377, 378, 5, 37, 0, 0, 378, 380, 5, 32, 0, 0, 379, 377, 1, 0, 0,
		0, 380, 383, 1, 0, 0, 0, 381, 379, 1, 0, 0, 0, 381, 382, 1, 0, 0, 0, 382,
		385, 1, 0, 0, 0, 383, 381, 1, 0, 0, 0, 384, 376, 1, 0, 0, 0, 384, 385,
		1, 0, 0, 0, 385, 387, 1, 0, 0, 0, 386, 375, 1, 0, 0, 0, 387, 390, 1, 0,
		0, 0, 388, 386, 1, 0, 0, 0, 388, 389, 1, 0, 0, 0, 389, 391, 1, 0, 0, 0,
		390, 388, 1, 0, 0, 0, 391, 393, 5, 36, 0, 0, 392, 347, 1, 0, 0, 0, 392,
		357, 1, 0, 0, 0, 392, 367, 1, 0, 0, 0, 392, 393, 1, 0, 0, 0, 393, 412,
		1, 0, 0, 0, 394, 396, 7, 8, 0, 0, 395, 394, 1, 0, 0, 0, 396, 399, 1, 0,
		0, 0, 397, 395, 1, 0, 0, 0, 397, 398, 1, 0, 0, 0, 398, 408, 1, 0, 0, 0,
		399, 397, 1, 0, 0, 0, 400, 405, 3, 34, 17, 0, 401, 402, 5, 37, 0, 0, 402,
		404, 3, 34, 17, 0, 403, 401, 1, 0, 0, 0, 404, 407, 1, 0, 0, 0, 405, 403,
		1, 0, 0, 0, 405, 406, 1, 0, 0, 0, 406, 409, 1, 0, 0, 0, 407, 405, 1, 0,
		0, 0, 408, 400, 1, 0, 0, 0, 408, 409, 1, 0, 0, 0, 409, 410, 1, 0, 0, 0,
		410, 412, 5, 36, 0, 0, 411, 346, 1, 0, 0, 0, 411, 397, 1, 0, 0, 0, 412,
		454, 1, 0, 0, 0, 413, 415, 5, 39, 0, 0, 414, 416, 5, 52, 0, 0, 415, 414,
		1, 0, 0, 0, 415, 416, 1, 0, 0, 0, 416, 417, 1, 0, 0, 0, 417, 418, 5, 34,
		0, 0, 418, 422, 5, 34, 0, 0, 419, 421, 7, 8, 0, 0, 420, 419, 1, 0, 0, 0,
		421, 424, 1, 0, 0, 0, 422, 420, 1, 0, 0, 0, 422, 423, 1, 0, 0, 0, 423,
		433, 1, 0, 0, 0, 424, 422, 1, 0, 0, 0, 425, 430, 3, 34, 17, 0, 426, 427,
		5, 37, 0, 0, 427, 429, 3, 34, 17, 0, 428, 426, 1, 0, 0, 0, 429, 432, 1,
		0, 0, 0, 430, 428, 1, 0, 0, 0, 430, 431, 1, 0, 0, 0, 431, 434, 1, 0, 0,
		0, 432, 430, 1, 0, 0, 0, 433, 425, 1, 0, 0, 0, 433, 434, 1, 0, 0, 0, 434,
		435, 1, 0, 0, 0, 435, 454, 5, 36, 0, 0, 436, 438, 5, 11, 0, 0, 437, 436,
		1, 0, 0, 0, 437, 438, 1, 0, 0, 0, 438, 439, 1, 0, 0, 0, 439, 440, 3, 22,
		11, 0, 440, 441, 5, 36, 0, 0, 441, 454, 1, 0, 0, 0, 442, 454, 3, 30, 15,
		0, 443, 454, 3, 8, 4, 0, 444, 445, 5, 7, 0, 0, 445, 446, 5, 32, 0, 0, 446,
		447, 5, 32, 0, 0, 447, 454, 5, 32, 0, 0, 448, 454, 3, 6, 3, 0, 449, 454,
		3, 10, 5, 0, 450, 454, 3, 12, 6, 0, 451, 454, 3, 4, 2, 0, 452, 454, 5,
		36, 0, 0, 453, 345, 1, 0, 0, 0, 453, 413, 1, 0, 0, 0, 453, 437, 1, 0, 0,
		0, 453, 442, 1, 0, 0, 0, 453, 443, 1, 0, 0, 0, 453, 444, 1, 0, 0, 0, 453,
		448, 1, 0, 0, 0, 453, 449, 1, 0, 0, 0, 453, 450, 1, 0, 0, 0, 453, 451,
		1, 0, 0, 0, 453, 452, 1, 0, 0, 0, 454, 33, 1, 0, 0, 0, 455, 457, 7, 9,
		0, 0, 456, 455, 1, 0, 0, 0, 457, 460, 1, 0, 0, 0, 458, 456, 1, 0, 0, 0,
		458, 459, 1, 0, 0, 0, 459, 514, 1, 0, 0, 0, 460, 458, 1, 0, 0, 0, 461,
		465, 5, 34, 0, 0, 462, 464, 5, 35, 0, 0, 463, 462, 1, 0, 0, 0, 464, 467,
		1, 0, 0, 0, 465, 463, 1, 0, 0, 0, 465, 466, 1, 0, 0, 0, 466, 476, 1, 0,
		0, 0, 467, 465, 1, 0, 0, 0, 468, 469, 5, 41, 0, 0, 469, 470, 3, 34, 17,
		0, 470, 471, 5, 42, 0, 0, 471, 477, 1, 0, 0, 0, 472, 473, 5, 45, 0, 0,
		473, 474, 3, 34, 17, 0, 474, 475, 5, 46, 0, 0, 475, 477, 1, 0, 0, 0, 476,
		468, 1, 0, 0, 0, 476, 472, 1, 0, 0, 0, 476, 477, 1, 0, 0, 0, 477, 503,
		1, 0, 0, 0, 478, 483, 5, 32, 0, 0, 479, 480, 5, 41, 0, 0, 480, 481, 3,
		34, 17, 0, 481, 482, 5, 42, 0, 0, 482, 484, 1, 0, 0, 0, 483, 479, 1, 0,
		0, 0, 483, 484, 1, 0, 0, 0, 484, 503, 1, 0, 0, 0, 485, 503, 5, 30, 0, 0,
		486, 503, 5, 31, 0, 0, 487, 503, 5, 33, 0, 0, 488, 503, 3, 38, 19, 0, 489,
		490, 5, 45, 0, 0, 490, 495, 3, 34, 17, 0, 491, 492, 5, 37, 0, 0, 492, 494,
		3, 34, 17, 0, 493, 491, 1, 0, 0, 0, 494, 497, 1, 0, 0, 0, 495, 493, 1,
		0, 0, 0, 495, 496, 1, 0, 0, 0, 496, 498, 1, 0, 0, 0, 497, 495, 1, 0, 0,
		0, 498, 500, 5, 46, 0, 0, 499, 501, 5, 35, 0, 0, 500, 499, 1, 0, 0, 0,
		500, 501, 1, 0, 0, 0, 501, 503, 1, 0, 0, 0, 502, 461, 1, 0, 0, 0, 502,
		478, 1, 0, 0, 0, 502, 485, 1, 0, 0, 0, 502, 486, 1, 0, 0, 0, 502, 487,
		1, 0, 0, 0, 502, 488, 1, 0, 0, 0, 502, 489, 1, 0, 0, 0, 503, 511, 1, 0,
		0, 0, 504, 505, 7, 10, 0, 0, 505, 512, 3, 34, 17, 0, 506, 507, 5, 54, 0,
		0, 507, 508, 3, 34, 17, 0, 508, 509, 5, 38, 0, 0, 509, 510, 3, 34, 17,
		0, 510, 512, 1, 0, 0, 0, 511, 504, 1, 0, 0, 0, 511, 506, 1, 0, 0, 0, 511,
		512, 1, 0, 0, 0, 512, 515, 1, 0, 0, 0, 513, 515, 3, 36, 18, 0, 514, 502,
		1, 0, 0, 0, 514, 513, 1, 0, 0, 0, 515, 35, 1, 0, 0, 0, 516, 540, 5, 41,
		0, 0, 517, 518, 5, 35, 0, 0, 518, 519, 5, 42, 0, 0, 519, 541, 3, 34, 17,
		0, 520, 525, 3, 34, 17, 0, 521, 522, 5, 37, 0, 0, 522, 524, 3, 34, 17,
		0, 523, 521, 1, 0, 0, 0, 524, 527, 1, 0, 0, 0, 525, 523, 1, 0, 0, 0, 525,
		526, 1, 0, 0, 0, 526, 529, 1, 0, 0, 0, 527, 525, 1, 0, 0, 0, 528, 520,
		1, 0, 0, 0, 528, 529, 1, 0, 0, 0, 529, 530, 1, 0, 0, 0, 530, 538, 5, 42,
		0, 0, 531, 532, 7, 10, 0, 0, 532, 539, 3, 34, 17, 0, 533, 534, 5, 54, 0,
		0, 534, 535, 3, 34, 17, 0, 535, 536, 5, 38, 0, 0, 536, 537, 3, 34, 17,
		0, 537, 539, 1, 0, 0, 0, 538, 531, 1, 0, 0, 0, 538, 533, 1, 0, 0, 0, 538,
		539, 1, 0, 0, 0, 539, 541, 1, 0, 0, 0, 540, 517, 1, 0, 0, 0, 540, 528,
		1, 0, 0, 0, 541, 37, 1, 0, 0, 0, 542, 637, 5, 43, 0, 0, 543, 545, 7, 9,
		0, 0, 544, 543, 1, 0, 0, 0, 545, 548, 1, 0, 0, 0, 546, 544, 1, 0, 0, 0,
		546, 547, 1, 0, 0, 0, 547, 585, 1, 0, 0, 0, 548, 546, 1, 0, 0, 0, 549,
		553, 5, 34, 0, 0, 550, 552, 5, 35, 0, 0, 551, 550, 1, 0, 0, 0, 552, 555,
		1, 0, 0, 0, 553, 551, 1, 0, 0, 0, 553, 554, 1, 0, 0, 0, 554, 560, 1, 0,
		0, 0, 555, 553, 1, 0, 0, 0, 556, 557, 5, 41, 0, 0, 557, 558, 3, 34, 17,
		0, 558, 559, 5, 42, 0, 0, 559, 561, 1, 0, 0, 0, 560, 556, 1, 0, 0, 0, 560,
		561, 1, 0, 0, 0, 561, 574, 1, 0, 0, 0, 562, 567, 5, 32, 0, 0, 563, 564,
		5, 41, 0, 0, 564, 565, 3, 34, 17, 0, 565, 566, 5, 42, 0, 0, 566, 568, 1,
		0, 0, 0, 567, 563, 1, 0, 0, 0, 567, 568, 1, 0, 0, 0, 568, 574, 1, 0, 0,
		0, 569, 574, 5, 30, 0, 0, 570, 574, 5, 31, 0, 0, 571, 574, 5, 33, 0, 0,
		572, 574, 3, 38, 19, 0, 573, 549, 1, 0, 0, 0, 573, 562, 1, 0, 0, 0, 573,
		569, 1, 0, 0, 0, 573, 570, 1, 0, 0, 0, 573, 571, 1, 0, 0, 0, 573, 572,
		1, 0, 0, 0, 574, 582, 1, 0, 0, 0, 575, 576, 7, 11, 0, 0, 576, 583, 3, 34,
		17, 0, 577, 578, 5, 54, 0, 0, 578, 579, 3, 34, 17, 0, 579, 580, 5, 38,
		0, 0, 580, 581, 3, 34, 17, 0, 581, 583, 1, 0, 0, 0, 582, 575, 1, 0, 0,
		0, 582, 577, 1, 0, 0, 0, 582, 583, 1, 0, 0, 0, 583, 586, 1, 0, 0, 0, 584,
		586, 3, 36, 18, 0, 585, 573, 1, 0, 0, 0, 585, 584, 1, 0, 0, 0, 586, 634,
		1, 0, 0, 0, 587, 591, 5, 37, 0, 0, 588, 590, 7, 9, 0, 0, 589, 588, 1, 0,
		0, 0, 590, 593, 1, 0, 0, 0, 591, 589, 1, 0, 0, 0, 591, 592, 1, 0, 0, 0,
		592, 630, 1, 0, 0, 0, 593, 591, 1, 0, 0, 0, 594, 598, 5, 34, 0, 0, 595,
		597, 5, 35, 0, 0, 596, 595, 1, 0, 0, 0, 597, 600, 1, 0, 0, 0, 598, 596,
		1, 0, 0, 0, 598, 599, 1, 0, 0, 0, 599, 605, 1, 0, 0, 0, 600, 598, 1, 0,
		0, 0, 601, 602, 5, 41, 0, 0, 602, 603, 3, 34, 17, 0, 603, 604, 5, 42, 0,
		0, 604, 606, 1, 0, 0, 0, 605, 601, 1, 0, 0, 0, 605, 606, 1, 0, 0, 0, 606,
		619, 1, 0, 0, 0, 607, 612, 5, 32, 0, 0, 608, 609, 5, 41, 0, 0, 609, 610,
		3, 34, 17, 0, 610, 611, 5, 42, 0, 0, 611, 613, 1, 0, 0, 0, 612, 608, 1,
		0, 0, 0, 612, 613, 1, 0, 0, 0, 613, 619, 1, 0, 0, 0, 614, 619, 5, 30, 0,
		0, 615, 619, 5, 31, 0, 0, 616, 619, 5, 33, 0, 0, 617, 619, 3, 38, 19, 0,
		618, 594, 1, 0, 0, 0, 618, 607, 1, 0, 0, 0, 618, 614, 1, 0, 0, 0, 618,
		615, 1, 0, 0, 0, 618, 616, 1, 0, 0, 0, 618, 617, 1, 0, 0, 0, 619, 627,
		1, 0, 0, 0, 620, 621, 7, 11, 0, 0, 621, 628, 3, 34, 17, 0, 622, 623, 5,
		54, 0, 0, 623, 624, 3, 34, 17, 0, 624, 625, 5, 38, 0, 0, 625, 626, 3, 34,
		17, 0, 626, 628, 1, 0, 0, 0, 627, 620, 1, 0, 0, 0, 627, 622, 1, 0, 0, 0,
		627, 628, 1, 0, 0, 0, 628, 631, 1, 0, 0, 0, 629, 631, 3, 36, 18, 0, 630,
		618, 1, 0, 0, 0, 630, 629, 1, 0, 0, 0, 631, 633, 1, 0, 0, 0, 632, 587,
		1, 0, 0, 0, 633, 636, 1, 0, 0, 0, 634, 632, 1, 0, 0, 0, 634, 635, 1, 0,
		0, 0, 635, 638, 1, 0, 0, 0, 636, 634, 1, 0, 0, 0, 637, 546, 1, 0, 0, 0,
		637, 638, 1, 0, 0, 0, 638, 639, 1, 0, 0, 0, 639, 640, 5, 44, 0, 0, 640,
		39, 1, 0, 0, 0, 95, 43, 56, 75, 82, 84, 90, 102, 114, 121, 129, 140, 146,
		155, 157, 161, 170, 172, 176, 181, 183, 190, 193, 196, 200, 208, 211, 214,
		216, 221, 229, 232, 237, 244, 249, 252, 263, 267, 277, 281, 285, 297, 311,
		313, 320, 324, 329, 334, 340, 353, 363, 369, 373, 381, 384, 388, 392, 397,
		405, 408, 411, 415, 422, 430, 433, 437, 453, 458, 465, 476, 483, 495, 500,
		502, 511, 514, 525, 528, 538, 540, 546, 553, 560, 567, 573, 582, 585, 591,
		598, 605, 612, 618, 627, 630, 634, 637,
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
	PTXParserPLACE         = 7
	PTXParserSOURCE        = 8
	PTXParserFUNC          = 9
	PTXParserENTRY         = 10
	PTXParserEXTERN        = 11
	PTXParserVISIBLE       = 12
	PTXParserWEAK          = 13
	PTXParserCOMMON        = 14
	PTXParserREG           = 15
	PTXParserSREG          = 16
	PTXParserGLOBAL        = 17
	PTXParserCONST         = 18
	PTXParserSHARED        = 19
	PTXParserLOCAL         = 20
	PTXParserPARAM         = 21
	PTXParserTEX           = 22
	PTXParserALIGN         = 23
	PTXParserATTRIBUTE     = 24
	PTXParserPRAGMA        = 25
	PTXParserALIAS         = 26
	PTXParserBRANCHTARGETS = 27
	PTXParserCALLTARGETS   = 28
	PTXParserCALLPROTOTYPE = 29
	PTXParserFLOAT         = 30
	PTXParserHEXFLOAT      = 31
	PTXParserINT           = 32
	PTXParserSTRING        = 33
	PTXParserID            = 34
	PTXParserDOTID         = 35
	PTXParserSEMI          = 36
	PTXParserCOMMA         = 37
	PTXParserCOLON         = 38
	PTXParserAT            = 39
	PTXParserASSIGN        = 40
	PTXParserLPAREN        = 41
	PTXParserRPAREN        = 42
	PTXParserLBRACE        = 43
	PTXParserRBRACE        = 44
	PTXParserLBRACK        = 45
	PTXParserRBRACK        = 46
	PTXParserLT            = 47
	PTXParserGT            = 48
	PTXParserMINUS         = 49
	PTXParserPLUS          = 50
	PTXParserPIPE          = 51
	PTXParserBANG          = 52
	PTXParserTILDE         = 53
	PTXParserQUESTION      = 54
	PTXParserOP            = 55
	PTXParserWS            = 56
	PTXParserLINE_COMMENT  = 57
	PTXParserCOMMENT       = 58
	PTXParserHASH          = 59
	PTXParserDWARF         = 60
	PTXParserOPEN_STRING   = 61
	PTXParserOPEN_COMMENT  = 62
	PTXParserOPEN_SOURCE   = 63
	PTXParserERRCHAR       = 64
)

// PTXParser rules.
const (
	PTXParserRULE_module     = 0
	PTXParserRULE_item       = 1
	PTXParserRULE_unknown    = 2
	PTXParserRULE_file       = 3
	PTXParserRULE_loc        = 4
	PTXParserRULE_pragma     = 5
	PTXParserRULE_section    = 6
	PTXParserRULE_function   = 7
	PTXParserRULE_params     = 8
	PTXParserRULE_param      = 9
	PTXParserRULE_attribute  = 10
	PTXParserRULE_variables  = 11
	PTXParserRULE_space      = 12
	PTXParserRULE_typing     = 13
	PTXParserRULE_declarator = 14
	PTXParserRULE_block      = 15
	PTXParserRULE_stmt       = 16
	PTXParserRULE_operand    = 17
	PTXParserRULE_paren      = 18
	PTXParserRULE_braces     = 19
)

func (p *PTXParser) Module() (localctx antlr.ParserRuleContext) {
	localctx = p.enterRule(0, PTXParserRULE_module)
	var _la int
	p.EnterOuterAlt(localctx, 1)
	if p.strays(43) {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)
	for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&34468790142) != 0 {
		p.SetState(40)
		p.Item()
		if p.strays(45) {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}
	if p.lacks(46, PTXParserEOF) {
		goto errorExit
	}
	goto errorExit

errorExit:
	return p.leave(localctx)
}

func (p *PTXParser) Item() (localctx antlr.ParserRuleContext) {
	localctx = p.enterRule(2, PTXParserRULE_item)
	var _la int
	if p.strays(84) {
		goto errorExit
	}
	switch p.GetTokenStream().LA(1) {
	case PTXParserVERSION:
		p.EnterOuterAlt(localctx, 1)
		if p.lacks(48, PTXParserVERSION) || p.lacks(49, PTXParserFLOAT) {
			goto errorExit
		}
	case PTXParserTARGET:
		p.EnterOuterAlt(localctx, 2)
		if p.lacks(50, PTXParserTARGET) || p.lacks(51, PTXParserID) || p.strays(56) {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
		for _la == PTXParserCOMMA {
			if p.lacks(52, PTXParserCOMMA) || p.lacks(53, PTXParserID) || p.strays(58) {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}
	case PTXParserADDRESS_SIZE:
		p.EnterOuterAlt(localctx, 3)
		if p.lacks(59, PTXParserADDRESS_SIZE) || p.lacks(60, PTXParserINT) {
			goto errorExit
		}
	case PTXParserALIAS:
		p.EnterOuterAlt(localctx, 4)
		if p.lacks(61, PTXParserALIAS) || p.lacks(62, PTXParserID) || p.lacks(63, PTXParserCOMMA) || p.lacks(64, PTXParserID) || p.lacks(65, PTXParserSEMI) {
			goto errorExit
		}
	case PTXParserFILE:
		p.EnterOuterAlt(localctx, 5)
		p.SetState(66)
		p.File()
	case PTXParserLOC:
		p.EnterOuterAlt(localctx, 6)
		p.SetState(67)
		p.Loc()
	case PTXParserSECTION:
		p.EnterOuterAlt(localctx, 7)
		p.SetState(68)
		p.Section()
	case PTXParserSOURCE:
		p.EnterOuterAlt(localctx, 8)
		if p.lacks(69, PTXParserSOURCE) {
			goto errorExit
		}
	case PTXParserPRAGMA:
		p.EnterOuterAlt(localctx, 9)
		p.SetState(70)
		p.Pragma()
	case PTXParserDOTID:
		p.EnterOuterAlt(localctx, 10)
		p.SetState(71)
		p.Unknown()
	case PTXParserFUNC, PTXParserENTRY, PTXParserEXTERN, PTXParserVISIBLE, PTXParserWEAK, PTXParserCOMMON, PTXParserREG, PTXParserSREG, PTXParserGLOBAL, PTXParserCONST, PTXParserSHARED, PTXParserLOCAL, PTXParserPARAM, PTXParserTEX:
		p.EnterOuterAlt(localctx, 11)
		if p.strays(75) {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
		for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&30720) != 0 {
			p.SetState(72)
			_la = p.GetTokenStream().LA(1)
			p.take((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&30720) != 0)
			if p.strays(77) {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}
		if p.strays(82) {
			goto errorExit
		}
		switch p.GetTokenStream().LA(1) {
		case PTXParserFUNC, PTXParserENTRY:
			p.SetState(78)
			p.Function()
		case PTXParserREG, PTXParserSREG, PTXParserGLOBAL, PTXParserCONST, PTXParserSHARED, PTXParserLOCAL, PTXParserPARAM, PTXParserTEX:
			p.SetState(79)
			p.Variables()
			if p.lacks(80, PTXParserSEMI) {
				goto errorExit
			}
		default:
			p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
			goto errorExit
		}
	default:
		p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
		goto errorExit
	}
	goto errorExit

errorExit:
	return p.leave(localctx)
}

func (p *PTXParser) Unknown() (localctx antlr.ParserRuleContext) {
	localctx = p.enterRule(4, PTXParserRULE_unknown)
	var _la int
	p.EnterOuterAlt(localctx, 1)
	if p.lacks(86, PTXParserDOTID) || p.strays(90) {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)
	for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&563155038109696) != 0 {
		p.SetState(87)
		_la = p.GetTokenStream().LA(1)
		p.take((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&563155038109696) != 0)
		if p.strays(92) {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}
	if p.lacks(93, PTXParserSEMI) {
		goto errorExit
	}
	goto errorExit

errorExit:
	return p.leave(localctx)
}

func (p *PTXParser) File() (localctx antlr.ParserRuleContext) {
	localctx = p.enterRule(6, PTXParserRULE_file)
	var _la int
	p.EnterOuterAlt(localctx, 1)
	if p.lacks(95, PTXParserFILE) || p.lacks(96, PTXParserINT) || p.lacks(97, PTXParserSTRING) || p.strays(102) {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)
	for _la == PTXParserCOMMA {
		if p.lacks(98, PTXParserCOMMA) || p.lacks(99, PTXParserINT) || p.strays(104) {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}
	goto errorExit

errorExit:
	return p.leave(localctx)
}

func (p *PTXParser) Loc() (localctx antlr.ParserRuleContext) {
	localctx = p.enterRule(8, PTXParserRULE_loc)
	var _la int
	p.EnterOuterAlt(localctx, 1)
	if p.lacks(105, PTXParserLOC) || p.lacks(106, PTXParserINT) || p.lacks(107, PTXParserINT) || p.lacks(108, PTXParserINT) || p.strays(121) {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)
	if _la == PTXParserCOMMA {
		if p.lacks(109, PTXParserCOMMA) || p.lacks(110, PTXParserID) || p.lacks(111, PTXParserID) || p.strays(114) {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
		if _la == PTXParserPLUS {
			if p.lacks(112, PTXParserPLUS) || p.lacks(113, PTXParserINT) {
				goto errorExit
			}
		}
		if p.lacks(116, PTXParserCOMMA) || p.lacks(117, PTXParserID) || p.lacks(118, PTXParserINT) || p.lacks(119, PTXParserINT) || p.lacks(120, PTXParserINT) {
			goto errorExit
		}
	}
	goto errorExit

errorExit:
	return p.leave(localctx)
}

func (p *PTXParser) Pragma() (localctx antlr.ParserRuleContext) {
	localctx = p.enterRule(10, PTXParserRULE_pragma)
	var _la int
	p.EnterOuterAlt(localctx, 1)
	if p.lacks(123, PTXParserPRAGMA) || p.lacks(124, PTXParserSTRING) || p.strays(129) {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)
	for _la == PTXParserCOMMA {
		if p.lacks(125, PTXParserCOMMA) || p.lacks(126, PTXParserSTRING) || p.strays(131) {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}
	if p.lacks(132, PTXParserSEMI) {
		goto errorExit
	}
	goto errorExit

errorExit:
	return p.leave(localctx)
}

func (p *PTXParser) Section() (localctx antlr.ParserRuleContext) {
	localctx = p.enterRule(12, PTXParserRULE_section)
	var _la int
	p.EnterOuterAlt(localctx, 1)
	if p.lacks(134, PTXParserSECTION) {
		goto errorExit
	}
	p.SetState(135)
	_la = p.GetTokenStream().LA(1)
	p.take((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&60129542144) != 0)
	if p.strays(140) {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)
	for _la == PTXParserCOMMA {
		if p.lacks(136, PTXParserCOMMA) || p.lacks(137, PTXParserSTRING) || p.strays(142) {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}
	if p.lacks(143, PTXParserLBRACE) || p.strays(183) {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)
	for _la == PTXParserID || _la == PTXParserDOTID {
		if p.strays(181) {
			goto errorExit
		}
		switch p.GetTokenStream().LA(1) {
		case PTXParserDOTID:
			if p.lacks(144, PTXParserDOTID) || p.strays(157) {
				goto errorExit
			}
			switch p.GetTokenStream().LA(1) {
			case PTXParserINT, PTXParserMINUS:
				if p.strays(146) {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)
				if _la == PTXParserMINUS {
					if p.lacks(145, PTXParserMINUS) {
						goto errorExit
					}
				}
				if p.lacks(148, PTXParserINT) {
					goto errorExit
				}
			case PTXParserFLOAT:
				if p.lacks(149, PTXParserFLOAT) {
					goto errorExit
				}
			case PTXParserHEXFLOAT:
				if p.lacks(150, PTXParserHEXFLOAT) {
					goto errorExit
				}
			case PTXParserSTRING:
				if p.lacks(151, PTXParserSTRING) {
					goto errorExit
				}
			case PTXParserID, PTXParserDOTID:
				p.SetState(152)
				_la = p.GetTokenStream().LA(1)
				p.take(_la == PTXParserID || _la == PTXParserDOTID)
				if p.strays(155) {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)
				if _la == PTXParserMINUS || _la == PTXParserPLUS {
					p.SetState(153)
					_la = p.GetTokenStream().LA(1)
					p.take(_la == PTXParserMINUS || _la == PTXParserPLUS)
					p.SetState(154)
					_la = p.GetTokenStream().LA(1)
					p.take((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&55834574848) != 0)
				}
			default:
				p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
				goto errorExit
			}
			if p.strays(176) {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
			for _la == PTXParserCOMMA {
				if p.lacks(159, PTXParserCOMMA) || p.strays(172) {
					goto errorExit
				}
				switch p.GetTokenStream().LA(1) {
				case PTXParserINT, PTXParserMINUS:
					if p.strays(161) {
						goto errorExit
					}
					_la = p.GetTokenStream().LA(1)
					if _la == PTXParserMINUS {
						if p.lacks(160, PTXParserMINUS) {
							goto errorExit
						}
					}
					if p.lacks(163, PTXParserINT) {
						goto errorExit
					}
				case PTXParserFLOAT:
					if p.lacks(164, PTXParserFLOAT) {
						goto errorExit
					}
				case PTXParserHEXFLOAT:
					if p.lacks(165, PTXParserHEXFLOAT) {
						goto errorExit
					}
				case PTXParserSTRING:
					if p.lacks(166, PTXParserSTRING) {
						goto errorExit
					}
				case PTXParserID, PTXParserDOTID:
					p.SetState(167)
					_la = p.GetTokenStream().LA(1)
					p.take(_la == PTXParserID || _la == PTXParserDOTID)
					if p.strays(170) {
						goto errorExit
					}
					_la = p.GetTokenStream().LA(1)
					if _la == PTXParserMINUS || _la == PTXParserPLUS {
						p.SetState(168)
						_la = p.GetTokenStream().LA(1)
						p.take(_la == PTXParserMINUS || _la == PTXParserPLUS)
						p.SetState(169)
						_la = p.GetTokenStream().LA(1)
						p.take((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&55834574848) != 0)
					}
				default:
					p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
					goto errorExit
				}
				if p.strays(178) {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)
			}
		case PTXParserID:
			if p.lacks(179, PTXParserID) || p.lacks(180, PTXParserCOLON) {
				goto errorExit
			}
		default:
			p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
			goto errorExit
		}
		if p.strays(185) {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}
	if p.lacks(186, PTXParserRBRACE) {
		goto errorExit
	}
	goto errorExit

errorExit:
	return p.leave(localctx)
}

func (p *PTXParser) Function() (localctx antlr.ParserRuleContext) {
	localctx = p.enterRule(14, PTXParserRULE_function)
	var _la int
	var _alt int
	p.EnterOuterAlt(localctx, 1)
	if p.strays(196) {
		goto errorExit
	}
	switch p.GetTokenStream().LA(1) {
	case PTXParserFUNC:
		if p.lacks(188, PTXParserFUNC) || p.strays(190) {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
		if _la == PTXParserATTRIBUTE {
			p.SetState(189)
			p.Attribute()
		}
		if p.strays(193) {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
		if _la == PTXParserLPAREN {
			p.SetState(192)
			p.Params()
		}
	case PTXParserENTRY:
		if p.lacks(195, PTXParserENTRY) {
			goto errorExit
		}
	default:
		p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
		goto errorExit
	}
	if p.lacks(198, PTXParserID) || p.strays(200) {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)
	if _la == PTXParserLPAREN {
		p.SetState(199)
		p.Params()
	}
	if p.strays(216) {
		goto errorExit
	}
	_alt = p.takesPragma()
	if p.HasError() {
		goto errorExit
	}
	for _alt != 2 && _alt != antlr.ATNInvalidAltNumber {
		if _alt == 1 {
			if p.strays(214) {
				goto errorExit
			}
			switch p.GetTokenStream().LA(1) {
			case PTXParserDOTID:
				if p.lacks(202, PTXParserDOTID) || p.strays(211) {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)
				if _la == PTXParserINT || _la == PTXParserSTRING {
					p.SetState(203)
					_la = p.GetTokenStream().LA(1)
					p.take(_la == PTXParserINT || _la == PTXParserSTRING)
					if p.strays(208) {
						goto errorExit
					}
					_la = p.GetTokenStream().LA(1)
					for _la == PTXParserCOMMA {
						if p.lacks(204, PTXParserCOMMA) {
							goto errorExit
						}
						p.SetState(205)
						_la = p.GetTokenStream().LA(1)
						p.take(_la == PTXParserINT || _la == PTXParserSTRING)
						if p.strays(210) {
							goto errorExit
						}
						_la = p.GetTokenStream().LA(1)
					}
				}
			case PTXParserPRAGMA:
				p.SetState(213)
				p.Pragma()
			default:
				p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
				goto errorExit
			}
		}
		if p.strays(218) {
			goto errorExit
		}
		_alt = p.takesPragma()
		if p.HasError() {
			goto errorExit
		}
	}
	if p.strays(221) {
		goto errorExit
	}
	switch p.GetTokenStream().LA(1) {
	case PTXParserLBRACE:
		p.SetState(219)
		p.Block()
	case PTXParserSEMI:
		if p.lacks(220, PTXParserSEMI) {
			goto errorExit
		}
	case PTXParserEOF, PTXParserVERSION, PTXParserTARGET, PTXParserADDRESS_SIZE, PTXParserFILE, PTXParserLOC, PTXParserSECTION, PTXParserSOURCE, PTXParserFUNC, PTXParserENTRY, PTXParserEXTERN, PTXParserVISIBLE, PTXParserWEAK, PTXParserCOMMON, PTXParserREG, PTXParserSREG, PTXParserGLOBAL, PTXParserCONST, PTXParserSHARED, PTXParserLOCAL, PTXParserPARAM, PTXParserTEX, PTXParserPRAGMA, PTXParserALIAS, PTXParserDOTID:
	default:
	}
	goto errorExit

errorExit:
	return p.leave(localctx)
}

func (p *PTXParser) Params() (localctx antlr.ParserRuleContext) {
	localctx = p.enterRule(16, PTXParserRULE_params)
	var _la int
	p.EnterOuterAlt(localctx, 1)
	if p.lacks(223, PTXParserLPAREN) || p.strays(232) {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)
	if (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&34368094208) != 0 {
		p.SetState(224)
		p.Param()
		if p.strays(229) {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
		for _la == PTXParserCOMMA {
			if p.lacks(225, PTXParserCOMMA) {
				goto errorExit
			}
			p.SetState(226)
			p.Param()
			if p.strays(231) {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}
	}
	if p.lacks(234, PTXParserRPAREN) {
		goto errorExit
	}
	goto errorExit

errorExit:
	return p.leave(localctx)
}

func (p *PTXParser) Param() (localctx antlr.ParserRuleContext) {
	localctx = p.enterRule(18, PTXParserRULE_param)
	var _la int
	p.EnterOuterAlt(localctx, 1)
	if p.strays(237) {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)
	if _la == PTXParserDOTID {
		if p.lacks(236, PTXParserDOTID) {
			goto errorExit
		}
	}
	p.SetState(239)
	p.Space()
	p.SetState(240)
	p.Typing()
	if p.strays(252) {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)
	if _la == PTXParserID {
		if p.lacks(241, PTXParserID) || p.strays(249) {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
		for _la == PTXParserLBRACK {
			if p.lacks(242, PTXParserLBRACK) || p.strays(244) {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
			if (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&15245861516738560) != 0 {
				p.SetState(243)
				p.Operand()
			}
			if p.lacks(246, PTXParserRBRACK) || p.strays(251) {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}
	}
	goto errorExit

errorExit:
	return p.leave(localctx)
}

func (p *PTXParser) Attribute() (localctx antlr.ParserRuleContext) {
	localctx = p.enterRule(20, PTXParserRULE_attribute)
	var _la int
	p.EnterOuterAlt(localctx, 1)
	if p.lacks(254, PTXParserATTRIBUTE) || p.lacks(255, PTXParserLPAREN) || p.lacks(256, PTXParserDOTID) || p.strays(267) {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)
	if _la == PTXParserLPAREN {
		if p.lacks(257, PTXParserLPAREN) || p.lacks(258, PTXParserINT) || p.strays(263) {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
		for _la == PTXParserCOMMA {
			if p.lacks(259, PTXParserCOMMA) || p.lacks(260, PTXParserINT) || p.strays(265) {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}
		if p.lacks(266, PTXParserRPAREN) {
			goto errorExit
		}
	}
	if p.strays(285) {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)
	for _la == PTXParserCOMMA {
		if p.lacks(269, PTXParserCOMMA) || p.lacks(270, PTXParserDOTID) || p.strays(281) {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
		if _la == PTXParserLPAREN {
			if p.lacks(271, PTXParserLPAREN) || p.lacks(272, PTXParserINT) || p.strays(277) {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
			for _la == PTXParserCOMMA {
				if p.lacks(273, PTXParserCOMMA) || p.lacks(274, PTXParserINT) || p.strays(279) {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)
			}
			if p.lacks(280, PTXParserRPAREN) {
				goto errorExit
			}
		}
		if p.strays(287) {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}
	if p.lacks(288, PTXParserRPAREN) {
		goto errorExit
	}
	goto errorExit

errorExit:
	return p.leave(localctx)
}

func (p *PTXParser) Variables() (localctx antlr.ParserRuleContext) {
	localctx = p.enterRule(22, PTXParserRULE_variables)
	var _la int
	p.EnterOuterAlt(localctx, 1)
	p.SetState(290)
	p.Space()
	p.SetState(291)
	p.Typing()
	p.SetState(292)
	p.Declarator()
	if p.strays(297) {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)
	for _la == PTXParserCOMMA {
		if p.lacks(293, PTXParserCOMMA) {
			goto errorExit
		}
		p.SetState(294)
		p.Declarator()
		if p.strays(299) {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}
	goto errorExit

errorExit:
	return p.leave(localctx)
}

func (p *PTXParser) Space() (localctx antlr.ParserRuleContext) {
	localctx = p.enterRule(24, PTXParserRULE_space)
	var _la int
	p.EnterOuterAlt(localctx, 1)
	p.SetState(300)
	_la = p.GetTokenStream().LA(1)
	p.take((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&8355840) != 0)
	goto errorExit

errorExit:
	return p.leave(localctx)
}

func (p *PTXParser) Typing() (localctx antlr.ParserRuleContext) {
	localctx = p.enterRule(26, PTXParserRULE_typing)
	var _la int
	p.EnterOuterAlt(localctx, 1)
	if p.strays(313) {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)
	for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&34388967424) != 0 {
		if p.strays(311) {
			goto errorExit
		}
		switch p.GetTokenStream().LA(1) {
		case PTXParserALIGN:
			if p.lacks(302, PTXParserALIGN) || p.lacks(303, PTXParserINT) {
				goto errorExit
			}
		case PTXParserATTRIBUTE:
			p.SetState(304)
			p.Attribute()
		case PTXParserDOTID:
			if p.lacks(305, PTXParserDOTID) {
				goto errorExit
			}
		case PTXParserGLOBAL:
			if p.lacks(306, PTXParserGLOBAL) {
				goto errorExit
			}
		case PTXParserCONST:
			if p.lacks(307, PTXParserCONST) {
				goto errorExit
			}
		case PTXParserSHARED:
			if p.lacks(308, PTXParserSHARED) {
				goto errorExit
			}
		case PTXParserLOCAL:
			if p.lacks(309, PTXParserLOCAL) {
				goto errorExit
			}
		case PTXParserPARAM:
			if p.lacks(310, PTXParserPARAM) {
				goto errorExit
			}
		default:
			p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
			goto errorExit
		}
		if p.strays(315) {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}
	goto errorExit

errorExit:
	return p.leave(localctx)
}

func (p *PTXParser) Declarator() (localctx antlr.ParserRuleContext) {
	localctx = p.enterRule(28, PTXParserRULE_declarator)
	var _la int
	p.EnterOuterAlt(localctx, 1)
	if p.lacks(316, PTXParserID) || p.strays(320) {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)
	if _la == PTXParserLT {
		if p.lacks(317, PTXParserLT) || p.lacks(318, PTXParserINT) || p.lacks(319, PTXParserGT) {
			goto errorExit
		}
	}
	if p.strays(329) {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)
	for _la == PTXParserLBRACK {
		if p.lacks(322, PTXParserLBRACK) || p.strays(324) {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
		if (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&15245861516738560) != 0 {
			p.SetState(323)
			p.Operand()
		}
		if p.lacks(326, PTXParserRBRACK) || p.strays(331) {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}
	if p.strays(334) {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)
	if _la == PTXParserASSIGN {
		if p.lacks(332, PTXParserASSIGN) {
			goto errorExit
		}
		p.SetState(333)
		p.Operand()
	}
	goto errorExit

errorExit:
	return p.leave(localctx)
}

func (p *PTXParser) Block() (localctx antlr.ParserRuleContext) {
	localctx = p.enterRule(30, PTXParserRULE_block)
	var _la int
	p.EnterOuterAlt(localctx, 1)
	if p.lacks(336, PTXParserLBRACE) || p.strays(340) {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)
	for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&9466149832944) != 0 {
		p.SetState(337)
		p.Stmt()
		if p.strays(342) {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}
	if p.lacks(343, PTXParserRBRACE) {
		goto errorExit
	}
	goto errorExit

errorExit:
	return p.leave(localctx)
}

func (p *PTXParser) Stmt() (localctx antlr.ParserRuleContext) {
	localctx = p.enterRule(32, PTXParserRULE_stmt)
	var _la int
	if p.strays(453) {
		goto errorExit
	}
	switch p.GetTokenStream().LA(1) {
	case PTXParserID:
		p.EnterOuterAlt(localctx, 1)
		if p.lacks(345, PTXParserID) || p.strays(411) {
			goto errorExit
		}
		switch p.GetTokenStream().LA(1) {
		case PTXParserCOLON:
			if p.lacks(346, PTXParserCOLON) || p.strays(392) {
				goto errorExit
			}
			switch p.GetTokenStream().LA(1) {
			case PTXParserBRANCHTARGETS:
				if p.lacks(347, PTXParserBRANCHTARGETS) || p.lacks(348, PTXParserID) || p.strays(353) {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)
				for _la == PTXParserCOMMA {
					if p.lacks(349, PTXParserCOMMA) || p.lacks(350, PTXParserID) || p.strays(355) {
						goto errorExit
					}
					_la = p.GetTokenStream().LA(1)
				}
				if p.lacks(356, PTXParserSEMI) {
					goto errorExit
				}
			case PTXParserCALLTARGETS:
				if p.lacks(357, PTXParserCALLTARGETS) || p.lacks(358, PTXParserID) || p.strays(363) {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)
				for _la == PTXParserCOMMA {
					if p.lacks(359, PTXParserCOMMA) || p.lacks(360, PTXParserID) || p.strays(365) {
						goto errorExit
					}
					_la = p.GetTokenStream().LA(1)
				}
				if p.lacks(366, PTXParserSEMI) {
					goto errorExit
				}
			case PTXParserCALLPROTOTYPE:
				if p.lacks(367, PTXParserCALLPROTOTYPE) || p.strays(369) {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)
				if _la == PTXParserLPAREN {
					p.SetState(368)
					p.Params()
				}
				if p.lacks(371, PTXParserID) || p.strays(373) {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)
				if _la == PTXParserLPAREN {
					p.SetState(372)
					p.Params()
				}
				if p.strays(388) {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)
				for _la == PTXParserDOTID {
					if p.lacks(375, PTXParserDOTID) || p.strays(384) {
						goto errorExit
					}
					_la = p.GetTokenStream().LA(1)
					if _la == PTXParserINT {
						if p.lacks(376, PTXParserINT) || p.strays(381) {
							goto errorExit
						}
						_la = p.GetTokenStream().LA(1)
						for _la == PTXParserCOMMA {
							if p.lacks(377, PTXParserCOMMA) || p.lacks(378, PTXParserINT) || p.strays(383) {
								goto errorExit
							}
							_la = p.GetTokenStream().LA(1)
						}
					}
					if p.strays(390) {
						goto errorExit
					}
					_la = p.GetTokenStream().LA(1)
				}
				if p.lacks(391, PTXParserSEMI) {
					goto errorExit
				}
			case PTXParserFILE, PTXParserLOC, PTXParserSECTION, PTXParserPLACE, PTXParserEXTERN, PTXParserREG, PTXParserSREG, PTXParserGLOBAL, PTXParserCONST, PTXParserSHARED, PTXParserLOCAL, PTXParserPARAM, PTXParserTEX, PTXParserPRAGMA, PTXParserID, PTXParserDOTID, PTXParserSEMI, PTXParserAT, PTXParserLBRACE, PTXParserRBRACE:
			default:
			}
		case PTXParserVERSION, PTXParserTARGET, PTXParserADDRESS_SIZE, PTXParserFILE, PTXParserLOC, PTXParserSECTION, PTXParserFUNC, PTXParserENTRY, PTXParserEXTERN, PTXParserVISIBLE, PTXParserWEAK, PTXParserCOMMON, PTXParserREG, PTXParserSREG, PTXParserGLOBAL, PTXParserCONST, PTXParserSHARED, PTXParserLOCAL, PTXParserPARAM, PTXParserTEX, PTXParserALIGN, PTXParserATTRIBUTE, PTXParserPRAGMA, PTXParserALIAS, PTXParserBRANCHTARGETS, PTXParserCALLTARGETS, PTXParserCALLPROTOTYPE, PTXParserFLOAT, PTXParserHEXFLOAT, PTXParserINT, PTXParserSTRING, PTXParserID, PTXParserDOTID, PTXParserSEMI, PTXParserLPAREN, PTXParserLBRACE, PTXParserLBRACK, PTXParserMINUS, PTXParserPLUS, PTXParserBANG, PTXParserTILDE:
			if p.strays(397) {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
			for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&35433479806) != 0 {
				p.SetState(394)
				_la = p.GetTokenStream().LA(1)
				p.take((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&35433479806) != 0)
				if p.strays(399) {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)
			}
			if p.strays(408) {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
			if (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&15245861516738560) != 0 {
				p.SetState(400)
				p.Operand()
				if p.strays(405) {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)
				for _la == PTXParserCOMMA {
					if p.lacks(401, PTXParserCOMMA) {
						goto errorExit
					}
					p.SetState(402)
					p.Operand()
					if p.strays(407) {
						goto errorExit
					}
					_la = p.GetTokenStream().LA(1)
				}
			}
			if p.lacks(410, PTXParserSEMI) {
				goto errorExit
			}
		default:
			p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
			goto errorExit
		}
	case PTXParserAT:
		p.EnterOuterAlt(localctx, 2)
		if p.lacks(413, PTXParserAT) || p.strays(415) {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
		if _la == PTXParserBANG {
			if p.lacks(414, PTXParserBANG) {
				goto errorExit
			}
		}
		if p.lacks(417, PTXParserID) || p.lacks(418, PTXParserID) || p.strays(422) {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
		for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&35433479806) != 0 {
			p.SetState(419)
			_la = p.GetTokenStream().LA(1)
			p.take((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&35433479806) != 0)
			if p.strays(424) {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}
		if p.strays(433) {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
		if (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&15245861516738560) != 0 {
			p.SetState(425)
			p.Operand()
			if p.strays(430) {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
			for _la == PTXParserCOMMA {
				if p.lacks(426, PTXParserCOMMA) {
					goto errorExit
				}
				p.SetState(427)
				p.Operand()
				if p.strays(432) {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)
			}
		}
		if p.lacks(435, PTXParserSEMI) {
			goto errorExit
		}
	case PTXParserEXTERN, PTXParserREG, PTXParserSREG, PTXParserGLOBAL, PTXParserCONST, PTXParserSHARED, PTXParserLOCAL, PTXParserPARAM, PTXParserTEX:
		p.EnterOuterAlt(localctx, 3)
		if p.strays(437) {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
		if _la == PTXParserEXTERN {
			if p.lacks(436, PTXParserEXTERN) {
				goto errorExit
			}
		}
		p.SetState(439)
		p.Variables()
		if p.lacks(440, PTXParserSEMI) {
			goto errorExit
		}
	case PTXParserLBRACE:
		p.EnterOuterAlt(localctx, 4)
		p.SetState(442)
		p.Block()
	case PTXParserLOC:
		p.EnterOuterAlt(localctx, 5)
		p.SetState(443)
		p.Loc()
	case PTXParserPLACE:
		p.EnterOuterAlt(localctx, 6)
		if p.lacks(444, PTXParserPLACE) || p.lacks(445, PTXParserINT) || p.lacks(446, PTXParserINT) || p.lacks(447, PTXParserINT) {
			goto errorExit
		}
	case PTXParserFILE:
		p.EnterOuterAlt(localctx, 7)
		p.SetState(448)
		p.File()
	case PTXParserPRAGMA:
		p.EnterOuterAlt(localctx, 8)
		p.SetState(449)
		p.Pragma()
	case PTXParserSECTION:
		p.EnterOuterAlt(localctx, 9)
		p.SetState(450)
		p.Section()
	case PTXParserDOTID:
		p.EnterOuterAlt(localctx, 10)
		p.SetState(451)
		p.Unknown()
	case PTXParserSEMI:
		p.EnterOuterAlt(localctx, 11)
		if p.lacks(452, PTXParserSEMI) {
			goto errorExit
		}
	default:
		p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
		goto errorExit
	}
	goto errorExit

errorExit:
	return p.leave(localctx)
}

func (p *PTXParser) Operand() (localctx antlr.ParserRuleContext) {
	localctx = p.enterRule(34, PTXParserRULE_operand)
	var _la int
	p.EnterOuterAlt(localctx, 1)
	if p.strays(458) {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)
	for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&15199648742375424) != 0 {
		p.SetState(455)
		_la = p.GetTokenStream().LA(1)
		p.take((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&15199648742375424) != 0)
		if p.strays(460) {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}
	if p.strays(514) {
		goto errorExit
	}
	switch p.GetTokenStream().LA(1) {
	case PTXParserFLOAT, PTXParserHEXFLOAT, PTXParserINT, PTXParserSTRING, PTXParserID, PTXParserLBRACE, PTXParserLBRACK:
		if p.strays(502) {
			goto errorExit
		}
		switch p.GetTokenStream().LA(1) {
		case PTXParserID:
			if p.lacks(461, PTXParserID) || p.strays(465) {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
			for _la == PTXParserDOTID {
				if p.lacks(462, PTXParserDOTID) || p.strays(467) {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)
			}
			if p.strays(476) {
				goto errorExit
			}
			switch p.GetTokenStream().LA(1) {
			case PTXParserLPAREN:
				if p.lacks(468, PTXParserLPAREN) {
					goto errorExit
				}
				p.SetState(469)
				p.Operand()
				if p.lacks(470, PTXParserRPAREN) {
					goto errorExit
				}
			case PTXParserLBRACK:
				if p.lacks(472, PTXParserLBRACK) {
					goto errorExit
				}
				p.SetState(473)
				p.Operand()
				if p.lacks(474, PTXParserRBRACK) {
					goto errorExit
				}
			case PTXParserSEMI, PTXParserCOMMA, PTXParserCOLON, PTXParserRPAREN, PTXParserRBRACE, PTXParserRBRACK, PTXParserLT, PTXParserGT, PTXParserMINUS, PTXParserPLUS, PTXParserPIPE, PTXParserQUESTION, PTXParserOP:
			default:
			}
		case PTXParserINT:
			if p.lacks(478, PTXParserINT) || p.strays(483) {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
			if _la == PTXParserLPAREN {
				if p.lacks(479, PTXParserLPAREN) {
					goto errorExit
				}
				p.SetState(480)
				p.Operand()
				if p.lacks(481, PTXParserRPAREN) {
					goto errorExit
				}
			}
		case PTXParserFLOAT:
			if p.lacks(485, PTXParserFLOAT) {
				goto errorExit
			}
		case PTXParserHEXFLOAT:
			if p.lacks(486, PTXParserHEXFLOAT) {
				goto errorExit
			}
		case PTXParserSTRING:
			if p.lacks(487, PTXParserSTRING) {
				goto errorExit
			}
		case PTXParserLBRACE:
			p.SetState(488)
			p.Braces()
		case PTXParserLBRACK:
			if p.lacks(489, PTXParserLBRACK) {
				goto errorExit
			}
			p.SetState(490)
			p.Operand()
			if p.strays(495) {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
			for _la == PTXParserCOMMA {
				if p.lacks(491, PTXParserCOMMA) {
					goto errorExit
				}
				p.SetState(492)
				p.Operand()
				if p.strays(497) {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)
			}
			if p.lacks(498, PTXParserRBRACK) || p.strays(500) {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
			if _la == PTXParserDOTID {
				if p.lacks(499, PTXParserDOTID) {
					goto errorExit
				}
			}
		default:
			p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
			goto errorExit
		}
		if p.strays(511) {
			goto errorExit
		}
		switch p.GetTokenStream().LA(1) {
		case PTXParserLT, PTXParserGT, PTXParserMINUS, PTXParserPLUS, PTXParserPIPE, PTXParserOP:
			p.SetState(504)
			_la = p.GetTokenStream().LA(1)
			p.take((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&40391659157979136) != 0)
			p.SetState(505)
			p.Operand()
		case PTXParserQUESTION:
			if p.lacks(506, PTXParserQUESTION) {
				goto errorExit
			}
			p.SetState(507)
			p.Operand()
			if p.lacks(508, PTXParserCOLON) {
				goto errorExit
			}
			p.SetState(509)
			p.Operand()
		case PTXParserSEMI, PTXParserCOMMA, PTXParserCOLON, PTXParserRPAREN, PTXParserRBRACE, PTXParserRBRACK:
		default:
		}
	case PTXParserLPAREN:
		p.SetState(513)
		p.Paren()
	default:
		p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
		goto errorExit
	}
	goto errorExit

errorExit:
	return p.leave(localctx)
}

func (p *PTXParser) Paren() (localctx antlr.ParserRuleContext) {
	localctx = p.enterRule(36, PTXParserRULE_paren)
	var _la int
	p.EnterOuterAlt(localctx, 1)
	if p.lacks(516, PTXParserLPAREN) || p.strays(540) {
		goto errorExit
	}
	switch p.GetTokenStream().LA(1) {
	case PTXParserDOTID:
		if p.lacks(517, PTXParserDOTID) || p.lacks(518, PTXParserRPAREN) {
			goto errorExit
		}
		p.SetState(519)
		p.Operand()
	case PTXParserFLOAT, PTXParserHEXFLOAT, PTXParserINT, PTXParserSTRING, PTXParserID, PTXParserLPAREN, PTXParserRPAREN, PTXParserLBRACE, PTXParserLBRACK, PTXParserMINUS, PTXParserPLUS, PTXParserBANG, PTXParserTILDE:
		if p.strays(528) {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
		if (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&15245861516738560) != 0 {
			p.SetState(520)
			p.Operand()
			if p.strays(525) {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
			for _la == PTXParserCOMMA {
				if p.lacks(521, PTXParserCOMMA) {
					goto errorExit
				}
				p.SetState(522)
				p.Operand()
				if p.strays(527) {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)
			}
		}
		if p.lacks(530, PTXParserRPAREN) || p.strays(538) {
			goto errorExit
		}
		switch p.GetTokenStream().LA(1) {
		case PTXParserLT, PTXParserGT, PTXParserMINUS, PTXParserPLUS, PTXParserPIPE, PTXParserOP:
			p.SetState(531)
			_la = p.GetTokenStream().LA(1)
			p.take((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&40391659157979136) != 0)
			p.SetState(532)
			p.Operand()
		case PTXParserQUESTION:
			if p.lacks(533, PTXParserQUESTION) {
				goto errorExit
			}
			p.SetState(534)
			p.Operand()
			if p.lacks(535, PTXParserCOLON) {
				goto errorExit
			}
			p.SetState(536)
			p.Operand()
		case PTXParserSEMI, PTXParserCOMMA, PTXParserCOLON, PTXParserRPAREN, PTXParserRBRACE, PTXParserRBRACK:
		default:
		}
	default:
		p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
		goto errorExit
	}
	goto errorExit

errorExit:
	return p.leave(localctx)
}

func (p *PTXParser) Braces() (localctx antlr.ParserRuleContext) {
	localctx = p.enterRule(38, PTXParserRULE_braces)
	var _la int
	p.EnterOuterAlt(localctx, 1)
	if p.lacks(542, PTXParserLBRACE) || p.strays(637) {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)
	if (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&15210677144649728) != 0 {
		if p.strays(546) {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
		for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&15199648742375424) != 0 {
			p.SetState(543)
			_la = p.GetTokenStream().LA(1)
			p.take((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&15199648742375424) != 0)
			if p.strays(548) {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}
		if p.strays(585) {
			goto errorExit
		}
		switch p.GetTokenStream().LA(1) {
		case PTXParserFLOAT, PTXParserHEXFLOAT, PTXParserINT, PTXParserSTRING, PTXParserID, PTXParserLBRACE:
			if p.strays(573) {
				goto errorExit
			}
			switch p.GetTokenStream().LA(1) {
			case PTXParserID:
				if p.lacks(549, PTXParserID) || p.strays(553) {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)
				for _la == PTXParserDOTID {
					if p.lacks(550, PTXParserDOTID) || p.strays(555) {
						goto errorExit
					}
					_la = p.GetTokenStream().LA(1)
				}
				if p.strays(560) {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)
				if _la == PTXParserLPAREN {
					if p.lacks(556, PTXParserLPAREN) {
						goto errorExit
					}
					p.SetState(557)
					p.Operand()
					if p.lacks(558, PTXParserRPAREN) {
						goto errorExit
					}
				}
			case PTXParserINT:
				if p.lacks(562, PTXParserINT) || p.strays(567) {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)
				if _la == PTXParserLPAREN {
					if p.lacks(563, PTXParserLPAREN) {
						goto errorExit
					}
					p.SetState(564)
					p.Operand()
					if p.lacks(565, PTXParserRPAREN) {
						goto errorExit
					}
				}
			case PTXParserFLOAT:
				if p.lacks(569, PTXParserFLOAT) {
					goto errorExit
				}
			case PTXParserHEXFLOAT:
				if p.lacks(570, PTXParserHEXFLOAT) {
					goto errorExit
				}
			case PTXParserSTRING:
				if p.lacks(571, PTXParserSTRING) {
					goto errorExit
				}
			case PTXParserLBRACE:
				p.SetState(572)
				p.Braces()
			default:
				p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
				goto errorExit
			}
			if p.strays(582) {
				goto errorExit
			}
			switch p.GetTokenStream().LA(1) {
			case PTXParserASSIGN, PTXParserLT, PTXParserGT, PTXParserMINUS, PTXParserPLUS, PTXParserPIPE, PTXParserOP:
				p.SetState(575)
				_la = p.GetTokenStream().LA(1)
				p.take((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&40392758669606912) != 0)
				p.SetState(576)
				p.Operand()
			case PTXParserQUESTION:
				if p.lacks(577, PTXParserQUESTION) {
					goto errorExit
				}
				p.SetState(578)
				p.Operand()
				if p.lacks(579, PTXParserCOLON) {
					goto errorExit
				}
				p.SetState(580)
				p.Operand()
			case PTXParserCOMMA, PTXParserRBRACE:
			default:
			}
		case PTXParserLPAREN:
			p.SetState(584)
			p.Paren()
		default:
			p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
			goto errorExit
		}
		if p.strays(634) {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
		for _la == PTXParserCOMMA {
			if p.lacks(587, PTXParserCOMMA) || p.strays(591) {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
			for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&15199648742375424) != 0 {
				p.SetState(588)
				_la = p.GetTokenStream().LA(1)
				p.take((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&15199648742375424) != 0)
				if p.strays(593) {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)
			}
			if p.strays(630) {
				goto errorExit
			}
			switch p.GetTokenStream().LA(1) {
			case PTXParserFLOAT, PTXParserHEXFLOAT, PTXParserINT, PTXParserSTRING, PTXParserID, PTXParserLBRACE:
				if p.strays(618) {
					goto errorExit
				}
				switch p.GetTokenStream().LA(1) {
				case PTXParserID:
					if p.lacks(594, PTXParserID) || p.strays(598) {
						goto errorExit
					}
					_la = p.GetTokenStream().LA(1)
					for _la == PTXParserDOTID {
						if p.lacks(595, PTXParserDOTID) || p.strays(600) {
							goto errorExit
						}
						_la = p.GetTokenStream().LA(1)
					}
					if p.strays(605) {
						goto errorExit
					}
					_la = p.GetTokenStream().LA(1)
					if _la == PTXParserLPAREN {
						if p.lacks(601, PTXParserLPAREN) {
							goto errorExit
						}
						p.SetState(602)
						p.Operand()
						if p.lacks(603, PTXParserRPAREN) {
							goto errorExit
						}
					}
				case PTXParserINT:
					if p.lacks(607, PTXParserINT) || p.strays(612) {
						goto errorExit
					}
					_la = p.GetTokenStream().LA(1)
					if _la == PTXParserLPAREN {
						if p.lacks(608, PTXParserLPAREN) {
							goto errorExit
						}
						p.SetState(609)
						p.Operand()
						if p.lacks(610, PTXParserRPAREN) {
							goto errorExit
						}
					}
				case PTXParserFLOAT:
					if p.lacks(614, PTXParserFLOAT) {
						goto errorExit
					}
				case PTXParserHEXFLOAT:
					if p.lacks(615, PTXParserHEXFLOAT) {
						goto errorExit
					}
				case PTXParserSTRING:
					if p.lacks(616, PTXParserSTRING) {
						goto errorExit
					}
				case PTXParserLBRACE:
					p.SetState(617)
					p.Braces()
				default:
					p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
					goto errorExit
				}
				if p.strays(627) {
					goto errorExit
				}
				switch p.GetTokenStream().LA(1) {
				case PTXParserASSIGN, PTXParserLT, PTXParserGT, PTXParserMINUS, PTXParserPLUS, PTXParserPIPE, PTXParserOP:
					p.SetState(620)
					_la = p.GetTokenStream().LA(1)
					p.take((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&40392758669606912) != 0)
					p.SetState(621)
					p.Operand()
				case PTXParserQUESTION:
					if p.lacks(622, PTXParserQUESTION) {
						goto errorExit
					}
					p.SetState(623)
					p.Operand()
					if p.lacks(624, PTXParserCOLON) {
						goto errorExit
					}
					p.SetState(625)
					p.Operand()
				case PTXParserCOMMA, PTXParserRBRACE:
				default:
				}
			case PTXParserLPAREN:
				p.SetState(629)
				p.Paren()
			default:
				p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
				goto errorExit
			}
			if p.strays(636) {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}
	}
	if p.lacks(639, PTXParserRBRACE) {
		goto errorExit
	}
	goto errorExit

errorExit:
	return p.leave(localctx)
}
