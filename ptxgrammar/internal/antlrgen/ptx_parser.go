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
		"module", "item", "unknown", "file", "loc", "pragma", "section", "function",
		"params", "param", "attribute", "variables", "space", "typing", "declarator",
		"block", "stmt", "operand", "paren", "braces",
	}
	staticData.PredictionContextCache = antlr.NewPredictionContextCache()
	staticData.serializedATN = []int32{
		4, 1, 61, 637, 2, 0, 7, 0, 2, 1, 7, 1, 2, 2, 7, 2, 2, 3, 7, 3, 2, 4, 7,
		4, 2, 5, 7, 5, 2, 6, 7, 6, 2, 7, 7, 7, 2, 8, 7, 8, 2, 9, 7, 9, 2, 10, 7,
		10, 2, 11, 7, 11, 2, 12, 7, 12, 2, 13, 7, 13, 2, 14, 7, 14, 2, 15, 7, 15,
		2, 16, 7, 16, 2, 17, 7, 17, 2, 18, 7, 18, 2, 19, 7, 19, 1, 0, 5, 0, 42,
		8, 0, 10, 0, 12, 0, 45, 9, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
		1, 1, 5, 1, 55, 8, 1, 10, 1, 12, 1, 58, 9, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
		1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 5, 1, 73, 8, 1, 10,
		1, 12, 1, 76, 9, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 1, 82, 8, 1, 3, 1, 84, 8,
		1, 1, 2, 1, 2, 5, 2, 88, 8, 2, 10, 2, 12, 2, 91, 9, 2, 1, 2, 1, 2, 1, 3,
		1, 3, 1, 3, 1, 3, 1, 3, 5, 3, 100, 8, 3, 10, 3, 12, 3, 103, 9, 3, 1, 4,
		1, 4, 1, 4, 1, 4, 1, 4, 1, 4, 1, 4, 1, 4, 1, 4, 3, 4, 114, 8, 4, 1, 4,
		1, 4, 1, 4, 1, 4, 1, 4, 3, 4, 121, 8, 4, 1, 5, 1, 5, 1, 5, 1, 5, 5, 5,
		127, 8, 5, 10, 5, 12, 5, 130, 9, 5, 1, 5, 1, 5, 1, 6, 1, 6, 1, 6, 1, 6,
		5, 6, 138, 8, 6, 10, 6, 12, 6, 141, 9, 6, 1, 6, 1, 6, 1, 6, 3, 6, 146,
		8, 6, 1, 6, 1, 6, 1, 6, 1, 6, 1, 6, 1, 6, 1, 6, 3, 6, 155, 8, 6, 3, 6,
		157, 8, 6, 1, 6, 1, 6, 3, 6, 161, 8, 6, 1, 6, 1, 6, 1, 6, 1, 6, 1, 6, 1,
		6, 1, 6, 3, 6, 170, 8, 6, 3, 6, 172, 8, 6, 5, 6, 174, 8, 6, 10, 6, 12,
		6, 177, 9, 6, 1, 6, 1, 6, 5, 6, 181, 8, 6, 10, 6, 12, 6, 184, 9, 6, 1,
		6, 1, 6, 1, 7, 1, 7, 3, 7, 190, 8, 7, 1, 7, 3, 7, 193, 8, 7, 1, 7, 3, 7,
		196, 8, 7, 1, 7, 1, 7, 3, 7, 200, 8, 7, 1, 7, 1, 7, 1, 7, 1, 7, 5, 7, 206,
		8, 7, 10, 7, 12, 7, 209, 9, 7, 3, 7, 211, 8, 7, 1, 7, 5, 7, 214, 8, 7,
		10, 7, 12, 7, 217, 9, 7, 1, 7, 1, 7, 3, 7, 221, 8, 7, 1, 8, 1, 8, 1, 8,
		1, 8, 5, 8, 227, 8, 8, 10, 8, 12, 8, 230, 9, 8, 3, 8, 232, 8, 8, 1, 8,
		1, 8, 1, 9, 3, 9, 237, 8, 9, 1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 3, 9, 244, 8,
		9, 1, 9, 5, 9, 247, 8, 9, 10, 9, 12, 9, 250, 9, 9, 3, 9, 252, 8, 9, 1,
		10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 5, 10, 261, 8, 10, 10, 10,
		12, 10, 264, 9, 10, 1, 10, 3, 10, 267, 8, 10, 1, 10, 1, 10, 1, 10, 1, 10,
		1, 10, 1, 10, 5, 10, 275, 8, 10, 10, 10, 12, 10, 278, 9, 10, 1, 10, 3,
		10, 281, 8, 10, 5, 10, 283, 8, 10, 10, 10, 12, 10, 286, 9, 10, 1, 10, 1,
		10, 1, 11, 1, 11, 1, 11, 1, 11, 1, 11, 5, 11, 295, 8, 11, 10, 11, 12, 11,
		298, 9, 11, 1, 12, 1, 12, 1, 13, 1, 13, 1, 13, 1, 13, 1, 13, 1, 13, 1,
		13, 1, 13, 1, 13, 5, 13, 311, 8, 13, 10, 13, 12, 13, 314, 9, 13, 1, 14,
		1, 14, 1, 14, 1, 14, 3, 14, 320, 8, 14, 1, 14, 1, 14, 3, 14, 324, 8, 14,
		1, 14, 5, 14, 327, 8, 14, 10, 14, 12, 14, 330, 9, 14, 1, 14, 1, 14, 3,
		14, 334, 8, 14, 1, 15, 1, 15, 5, 15, 338, 8, 15, 10, 15, 12, 15, 341, 9,
		15, 1, 15, 1, 15, 1, 16, 1, 16, 1, 16, 1, 16, 1, 16, 1, 16, 5, 16, 351,
		8, 16, 10, 16, 12, 16, 354, 9, 16, 1, 16, 1, 16, 1, 16, 1, 16, 1, 16, 5,
		16, 361, 8, 16, 10, 16, 12, 16, 364, 9, 16, 1, 16, 1, 16, 1, 16, 3, 16,
		369, 8, 16, 1, 16, 1, 16, 3, 16, 373, 8, 16, 1, 16, 1, 16, 1, 16, 1, 16,
		5, 16, 379, 8, 16, 10, 16, 12, 16, 382, 9, 16, 3, 16, 384, 8, 16, 5, 16,
		386, 8, 16, 10, 16, 12, 16, 389, 9, 16, 1, 16, 3, 16, 392, 8, 16, 1, 16,
		5, 16, 395, 8, 16, 10, 16, 12, 16, 398, 9, 16, 1, 16, 1, 16, 1, 16, 5,
		16, 403, 8, 16, 10, 16, 12, 16, 406, 9, 16, 3, 16, 408, 8, 16, 1, 16, 3,
		16, 411, 8, 16, 1, 16, 1, 16, 3, 16, 415, 8, 16, 1, 16, 1, 16, 1, 16, 5,
		16, 420, 8, 16, 10, 16, 12, 16, 423, 9, 16, 1, 16, 1, 16, 1, 16, 5, 16,
		428, 8, 16, 10, 16, 12, 16, 431, 9, 16, 3, 16, 433, 8, 16, 1, 16, 1, 16,
		3, 16, 437, 8, 16, 1, 16, 1, 16, 1, 16, 1, 16, 1, 16, 1, 16, 1, 16, 1,
		16, 1, 16, 1, 16, 3, 16, 449, 8, 16, 1, 17, 5, 17, 452, 8, 17, 10, 17,
		12, 17, 455, 9, 17, 1, 17, 1, 17, 5, 17, 459, 8, 17, 10, 17, 12, 17, 462,
		9, 17, 1, 17, 1, 17, 1, 17, 1, 17, 1, 17, 1, 17, 1, 17, 1, 17, 3, 17, 472,
		8, 17, 1, 17, 1, 17, 1, 17, 1, 17, 1, 17, 3, 17, 479, 8, 17, 1, 17, 1,
		17, 1, 17, 1, 17, 1, 17, 1, 17, 1, 17, 1, 17, 5, 17, 489, 8, 17, 10, 17,
		12, 17, 492, 9, 17, 1, 17, 1, 17, 3, 17, 496, 8, 17, 3, 17, 498, 8, 17,
		1, 17, 1, 17, 1, 17, 1, 17, 1, 17, 1, 17, 1, 17, 3, 17, 507, 8, 17, 1,
		17, 3, 17, 510, 8, 17, 1, 18, 1, 18, 1, 18, 1, 18, 1, 18, 1, 18, 1, 18,
		5, 18, 519, 8, 18, 10, 18, 12, 18, 522, 9, 18, 3, 18, 524, 8, 18, 1, 18,
		1, 18, 1, 18, 1, 18, 1, 18, 1, 18, 1, 18, 1, 18, 3, 18, 534, 8, 18, 3,
		18, 536, 8, 18, 1, 19, 1, 19, 5, 19, 540, 8, 19, 10, 19, 12, 19, 543, 9,
		19, 1, 19, 1, 19, 5, 19, 547, 8, 19, 10, 19, 12, 19, 550, 9, 19, 1, 19,
		1, 19, 1, 19, 1, 19, 3, 19, 556, 8, 19, 1, 19, 1, 19, 1, 19, 1, 19, 1,
		19, 3, 19, 563, 8, 19, 1, 19, 1, 19, 1, 19, 1, 19, 3, 19, 569, 8, 19, 1,
		19, 1, 19, 1, 19, 1, 19, 1, 19, 1, 19, 1, 19, 3, 19, 578, 8, 19, 1, 19,
		3, 19, 581, 8, 19, 1, 19, 1, 19, 5, 19, 585, 8, 19, 10, 19, 12, 19, 588,
		9, 19, 1, 19, 1, 19, 5, 19, 592, 8, 19, 10, 19, 12, 19, 595, 9, 19, 1,
		19, 1, 19, 1, 19, 1, 19, 3, 19, 601, 8, 19, 1, 19, 1, 19, 1, 19, 1, 19,
		1, 19, 3, 19, 608, 8, 19, 1, 19, 1, 19, 1, 19, 1, 19, 3, 19, 614, 8, 19,
		1, 19, 1, 19, 1, 19, 1, 19, 1, 19, 1, 19, 1, 19, 3, 19, 623, 8, 19, 1,
		19, 3, 19, 626, 8, 19, 5, 19, 628, 8, 19, 10, 19, 12, 19, 631, 9, 19, 3,
		19, 633, 8, 19, 1, 19, 1, 19, 1, 19, 0, 0, 20, 0, 2, 4, 6, 8, 10, 12, 14,
		16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 0, 11, 1, 0, 9, 12, 3,
		0, 28, 33, 35, 35, 47, 47, 1, 0, 31, 33, 1, 0, 32, 33, 1, 0, 47, 48, 2,
		0, 30, 30, 32, 33, 1, 0, 13, 20, 2, 0, 1, 27, 33, 33, 2, 0, 47, 48, 50,
		51, 2, 0, 45, 49, 53, 53, 3, 0, 38, 38, 45, 49, 53, 53, 760, 0, 43, 1,
		0, 0, 0, 2, 83, 1, 0, 0, 0, 4, 85, 1, 0, 0, 0, 6, 94, 1, 0, 0, 0, 8, 104,
		1, 0, 0, 0, 10, 122, 1, 0, 0, 0, 12, 133, 1, 0, 0, 0, 14, 195, 1, 0, 0,
		0, 16, 222, 1, 0, 0, 0, 18, 236, 1, 0, 0, 0, 20, 253, 1, 0, 0, 0, 22, 289,
		1, 0, 0, 0, 24, 299, 1, 0, 0, 0, 26, 312, 1, 0, 0, 0, 28, 315, 1, 0, 0,
		0, 30, 335, 1, 0, 0, 0, 32, 448, 1, 0, 0, 0, 34, 453, 1, 0, 0, 0, 36, 511,
		1, 0, 0, 0, 38, 537, 1, 0, 0, 0, 40, 42, 3, 2, 1, 0, 41, 40, 1, 0, 0, 0,
		42, 45, 1, 0, 0, 0, 43, 41, 1, 0, 0, 0, 43, 44, 1, 0, 0, 0, 44, 46, 1,
		0, 0, 0, 45, 43, 1, 0, 0, 0, 46, 47, 5, 0, 0, 1, 47, 1, 1, 0, 0, 0, 48,
		49, 5, 1, 0, 0, 49, 84, 5, 28, 0, 0, 50, 51, 5, 2, 0, 0, 51, 56, 5, 32,
		0, 0, 52, 53, 5, 35, 0, 0, 53, 55, 5, 32, 0, 0, 54, 52, 1, 0, 0, 0, 55,
		58, 1, 0, 0, 0, 56, 54, 1, 0, 0, 0, 56, 57, 1, 0, 0, 0, 57, 84, 1, 0, 0,
		0, 58, 56, 1, 0, 0, 0, 59, 60, 5, 3, 0, 0, 60, 84, 5, 30, 0, 0, 61, 62,
		5, 24, 0, 0, 62, 63, 5, 32, 0, 0, 63, 64, 5, 35, 0, 0, 64, 65, 5, 32, 0,
		0, 65, 84, 5, 34, 0, 0, 66, 84, 3, 6, 3, 0, 67, 84, 3, 8, 4, 0, 68, 84,
		3, 12, 6, 0, 69, 84, 3, 10, 5, 0, 70, 84, 3, 4, 2, 0, 71, 73, 7, 0, 0,
		0, 72, 71, 1, 0, 0, 0, 73, 76, 1, 0, 0, 0, 74, 72, 1, 0, 0, 0, 74, 75,
		1, 0, 0, 0, 75, 81, 1, 0, 0, 0, 76, 74, 1, 0, 0, 0, 77, 82, 3, 14, 7, 0,
		78, 79, 3, 22, 11, 0, 79, 80, 5, 34, 0, 0, 80, 82, 1, 0, 0, 0, 81, 77,
		1, 0, 0, 0, 81, 78, 1, 0, 0, 0, 82, 84, 1, 0, 0, 0, 83, 48, 1, 0, 0, 0,
		83, 50, 1, 0, 0, 0, 83, 59, 1, 0, 0, 0, 83, 61, 1, 0, 0, 0, 83, 66, 1,
		0, 0, 0, 83, 67, 1, 0, 0, 0, 83, 68, 1, 0, 0, 0, 83, 69, 1, 0, 0, 0, 83,
		70, 1, 0, 0, 0, 83, 74, 1, 0, 0, 0, 84, 3, 1, 0, 0, 0, 85, 89, 5, 33, 0,
		0, 86, 88, 7, 1, 0, 0, 87, 86, 1, 0, 0, 0, 88, 91, 1, 0, 0, 0, 89, 87,
		1, 0, 0, 0, 89, 90, 1, 0, 0, 0, 90, 92, 1, 0, 0, 0, 91, 89, 1, 0, 0, 0,
		92, 93, 5, 34, 0, 0, 93, 5, 1, 0, 0, 0, 94, 95, 5, 4, 0, 0, 95, 96, 5,
		30, 0, 0, 96, 101, 5, 31, 0, 0, 97, 98, 5, 35, 0, 0, 98, 100, 5, 30, 0,
		0, 99, 97, 1, 0, 0, 0, 100, 103, 1, 0, 0, 0, 101, 99, 1, 0, 0, 0, 101,
		102, 1, 0, 0, 0, 102, 7, 1, 0, 0, 0, 103, 101, 1, 0, 0, 0, 104, 105, 5,
		5, 0, 0, 105, 106, 5, 30, 0, 0, 106, 107, 5, 30, 0, 0, 107, 120, 5, 30,
		0, 0, 108, 109, 5, 35, 0, 0, 109, 110, 5, 32, 0, 0, 110, 113, 5, 32, 0,
		0, 111, 112, 5, 48, 0, 0, 112, 114, 5, 30, 0, 0, 113, 111, 1, 0, 0, 0,
		113, 114, 1, 0, 0, 0, 114, 115, 1, 0, 0, 0, 115, 116, 5, 35, 0, 0, 116,
		117, 5, 32, 0, 0, 117, 118, 5, 30, 0, 0, 118, 119, 5, 30, 0, 0, 119, 121,
		5, 30, 0, 0, 120, 108, 1, 0, 0, 0, 120, 121, 1, 0, 0, 0, 121, 9, 1, 0,
		0, 0, 122, 123, 5, 23, 0, 0, 123, 128, 5, 31, 0, 0, 124, 125, 5, 35, 0,
		0, 125, 127, 5, 31, 0, 0, 126, 124, 1, 0, 0, 0, 127, 130, 1, 0, 0, 0, 128,
		126, 1, 0, 0, 0, 128, 129, 1, 0, 0, 0, 129, 131, 1, 0, 0, 0, 130, 128,
		1, 0, 0, 0, 131, 132, 5, 34, 0, 0, 132, 11, 1, 0, 0, 0, 133, 134, 5, 6,
		0, 0, 134, 139, 7, 2, 0, 0, 135, 136, 5, 35, 0, 0, 136, 138, 5, 31, 0,
		0, 137, 135, 1, 0, 0, 0, 138, 141, 1, 0, 0, 0, 139, 137, 1, 0, 0, 0, 139,
		140, 1, 0, 0, 0, 140, 142, 1, 0, 0, 0, 141, 139, 1, 0, 0, 0, 142, 182,
		5, 41, 0, 0, 143, 156, 5, 33, 0, 0, 144, 146, 5, 47, 0, 0, 145, 144, 1,
		0, 0, 0, 145, 146, 1, 0, 0, 0, 146, 147, 1, 0, 0, 0, 147, 157, 5, 30, 0,
		0, 148, 157, 5, 28, 0, 0, 149, 157, 5, 29, 0, 0, 150, 157, 5, 31, 0, 0,
		151, 154, 7, 3, 0, 0, 152, 153, 7, 4, 0, 0, 153, 155, 7, 5, 0, 0, 154,
		152, 1, 0, 0, 0, 154, 155, 1, 0, 0, 0, 155, 157, 1, 0, 0, 0, 156, 145,
		1, 0, 0, 0, 156, 148, 1, 0, 0, 0, 156, 149, 1, 0, 0, 0, 156, 150, 1, 0,
		0, 0, 156, 151, 1, 0, 0, 0, 157, 175, 1, 0, 0, 0, 158, 171, 5, 35, 0, 0,
		159, 161, 5, 47, 0, 0, 160, 159, 1, 0, 0, 0, 160, 161, 1, 0, 0, 0, 161,
		162, 1, 0, 0, 0, 162, 172, 5, 30, 0, 0, 163, 172, 5, 28, 0, 0, 164, 172,
		5, 29, 0, 0, 165, 172, 5, 31, 0, 0, 166, 169, 7, 3, 0, 0, 167, 168, 7,
		4, 0, 0, 168, 170, 7, 5, 0, 0, 169, 167, 1, 0, 0, 0, 169, 170, 1, 0, 0,
		0, 170, 172, 1, 0, 0, 0, 171, 160, 1, 0, 0, 0, 171, 163, 1, 0, 0, 0, 171,
		164, 1, 0, 0, 0, 171, 165, 1, 0, 0, 0, 171, 166, 1, 0, 0, 0, 172, 174,
		1, 0, 0, 0, 173, 158, 1, 0, 0, 0, 174, 177, 1, 0, 0, 0, 175, 173, 1, 0,
		0, 0, 175, 176, 1, 0, 0, 0, 176, 181, 1, 0, 0, 0, 177, 175, 1, 0, 0, 0,
		178, 179, 5, 32, 0, 0, 179, 181, 5, 36, 0, 0, 180, 143, 1, 0, 0, 0, 180,
		178, 1, 0, 0, 0, 181, 184, 1, 0, 0, 0, 182, 180, 1, 0, 0, 0, 182, 183,
		1, 0, 0, 0, 183, 185, 1, 0, 0, 0, 184, 182, 1, 0, 0, 0, 185, 186, 5, 42,
		0, 0, 186, 13, 1, 0, 0, 0, 187, 189, 5, 7, 0, 0, 188, 190, 3, 20, 10, 0,
		189, 188, 1, 0, 0, 0, 189, 190, 1, 0, 0, 0, 190, 192, 1, 0, 0, 0, 191,
		193, 3, 16, 8, 0, 192, 191, 1, 0, 0, 0, 192, 193, 1, 0, 0, 0, 193, 196,
		1, 0, 0, 0, 194, 196, 5, 8, 0, 0, 195, 187, 1, 0, 0, 0, 195, 194, 1, 0,
		0, 0, 196, 197, 1, 0, 0, 0, 197, 199, 5, 32, 0, 0, 198, 200, 3, 16, 8,
		0, 199, 198, 1, 0, 0, 0, 199, 200, 1, 0, 0, 0, 200, 215, 1, 0, 0, 0, 201,
		210, 5, 33, 0, 0, 202, 207, 5, 30, 0, 0, 203, 204, 5, 35, 0, 0, 204, 206,
		5, 30, 0, 0, 205, 203, 1, 0, 0, 0, 206, 209, 1, 0, 0, 0, 207, 205, 1, 0,
		0, 0, 207, 208, 1, 0, 0, 0, 208, 211, 1, 0, 0, 0, 209, 207, 1, 0, 0, 0,
		210, 202, 1, 0, 0, 0, 210, 211, 1, 0, 0, 0, 211, 214, 1, 0, 0, 0, 212,
		214, 3, 10, 5, 0, 213, 201, 1, 0, 0, 0, 213, 212, 1, 0, 0, 0, 214, 217,
		1, 0, 0, 0, 215, 213, 1, 0, 0, 0, 215, 216, 1, 0, 0, 0, 216, 220, 1, 0,
		0, 0, 217, 215, 1, 0, 0, 0, 218, 221, 3, 30, 15, 0, 219, 221, 5, 34, 0,
		0, 220, 218, 1, 0, 0, 0, 220, 219, 1, 0, 0, 0, 220, 221, 1, 0, 0, 0, 221,
		15, 1, 0, 0, 0, 222, 231, 5, 39, 0, 0, 223, 228, 3, 18, 9, 0, 224, 225,
		5, 35, 0, 0, 225, 227, 3, 18, 9, 0, 226, 224, 1, 0, 0, 0, 227, 230, 1,
		0, 0, 0, 228, 226, 1, 0, 0, 0, 228, 229, 1, 0, 0, 0, 229, 232, 1, 0, 0,
		0, 230, 228, 1, 0, 0, 0, 231, 223, 1, 0, 0, 0, 231, 232, 1, 0, 0, 0, 232,
		233, 1, 0, 0, 0, 233, 234, 5, 40, 0, 0, 234, 17, 1, 0, 0, 0, 235, 237,
		5, 33, 0, 0, 236, 235, 1, 0, 0, 0, 236, 237, 1, 0, 0, 0, 237, 238, 1, 0,
		0, 0, 238, 239, 3, 24, 12, 0, 239, 251, 3, 26, 13, 0, 240, 248, 5, 32,
		0, 0, 241, 243, 5, 43, 0, 0, 242, 244, 3, 34, 17, 0, 243, 242, 1, 0, 0,
		0, 243, 244, 1, 0, 0, 0, 244, 245, 1, 0, 0, 0, 245, 247, 5, 44, 0, 0, 246,
		241, 1, 0, 0, 0, 247, 250, 1, 0, 0, 0, 248, 246, 1, 0, 0, 0, 248, 249,
		1, 0, 0, 0, 249, 252, 1, 0, 0, 0, 250, 248, 1, 0, 0, 0, 251, 240, 1, 0,
		0, 0, 251, 252, 1, 0, 0, 0, 252, 19, 1, 0, 0, 0, 253, 254, 5, 22, 0, 0,
		254, 255, 5, 39, 0, 0, 255, 266, 5, 33, 0, 0, 256, 257, 5, 39, 0, 0, 257,
		262, 5, 30, 0, 0, 258, 259, 5, 35, 0, 0, 259, 261, 5, 30, 0, 0, 260, 258,
		1, 0, 0, 0, 261, 264, 1, 0, 0, 0, 262, 260, 1, 0, 0, 0, 262, 263, 1, 0,
		0, 0, 263, 265, 1, 0, 0, 0, 264, 262, 1, 0, 0, 0, 265, 267, 5, 40, 0, 0,
		266, 256, 1, 0, 0, 0, 266, 267, 1, 0, 0, 0, 267, 284, 1, 0, 0, 0, 268,
		269, 5, 35, 0, 0, 269, 280, 5, 33, 0, 0, 270, 271, 5, 39, 0, 0, 271, 276,
		5, 30, 0, 0, 272, 273, 5, 35, 0, 0, 273, 275, 5, 30, 0, 0, 274, 272, 1,
		0, 0, 0, 275, 278, 1, 0, 0, 0, 276, 274, 1, 0, 0, 0, 276, 277, 1, 0, 0,
		0, 277, 279, 1, 0, 0, 0, 278, 276, 1, 0, 0, 0, 279, 281, 5, 40, 0, 0, 280,
		270, 1, 0, 0, 0, 280, 281, 1, 0, 0, 0, 281, 283, 1, 0, 0, 0, 282, 268,
		1, 0, 0, 0, 283, 286, 1, 0, 0, 0, 284, 282, 1, 0, 0, 0, 284, 285, 1, 0,
		0, 0, 285, 287, 1, 0, 0, 0, 286, 284, 1, 0, 0, 0, 287, 288, 5, 40, 0, 0,
		288, 21, 1, 0, 0, 0, 289, 290, 3, 24, 12, 0, 290, 291, 3, 26, 13, 0, 291,
		296, 3, 28, 14, 0, 292, 293, 5, 35, 0, 0, 293, 295, 3, 28, 14, 0, 294,
		292, 1, 0, 0, 0, 295, 298, 1, 0, 0, 0, 296, 294, 1, 0, 0, 0, 296, 297,
		1, 0, 0, 0, 297, 23, 1, 0, 0, 0, 298, 296, 1, 0, 0, 0, 299, 300, 7, 6,
		0, 0, 300, 25, 1, 0, 0, 0, 301, 302, 5, 21, 0, 0, 302, 311, 5, 30, 0, 0,
		303, 311, 3, 20, 10, 0, 304, 311, 5, 33, 0, 0, 305, 311, 5, 15, 0, 0, 306,
		311, 5, 16, 0, 0, 307, 311, 5, 17, 0, 0, 308, 311, 5, 18, 0, 0, 309, 311,
		5, 19, 0, 0, 310, 301, 1, 0, 0, 0, 310, 303, 1, 0, 0, 0, 310, 304, 1, 0,
		0, 0, 310, 305, 1, 0, 0, 0, 310, 306, 1, 0, 0, 0, 310, 307, 1, 0, 0, 0,
		310, 308, 1, 0, 0, 0, 310, 309, 1, 0, 0, 0, 311, 314, 1, 0, 0, 0, 312,
		310, 1, 0, 0, 0, 312, 313, 1, 0, 0, 0, 313, 27, 1, 0, 0, 0, 314, 312, 1,
		0, 0, 0, 315, 319, 5, 32, 0, 0, 316, 317, 5, 45, 0, 0, 317, 318, 5, 30,
		0, 0, 318, 320, 5, 46, 0, 0, 319, 316, 1, 0, 0, 0, 319, 320, 1, 0, 0, 0,
		320, 328, 1, 0, 0, 0, 321, 323, 5, 43, 0, 0, 322, 324, 3, 34, 17, 0, 323,
		322, 1, 0, 0, 0, 323, 324, 1, 0, 0, 0, 324, 325, 1, 0, 0, 0, 325, 327,
		5, 44, 0, 0, 326, 321, 1, 0, 0, 0, 327, 330, 1, 0, 0, 0, 328, 326, 1, 0,
		0, 0, 328, 329, 1, 0, 0, 0, 329, 333, 1, 0, 0, 0, 330, 328, 1, 0, 0, 0,
		331, 332, 5, 38, 0, 0, 332, 334, 3, 34, 17, 0, 333, 331, 1, 0, 0, 0, 333,
		334, 1, 0, 0, 0, 334, 29, 1, 0, 0, 0, 335, 339, 5, 41, 0, 0, 336, 338,
		3, 32, 16, 0, 337, 336, 1, 0, 0, 0, 338, 341, 1, 0, 0, 0, 339, 337, 1,
		0, 0, 0, 339, 340, 1, 0, 0, 0, 340, 342, 1, 0, 0, 0, 341, 339, 1, 0, 0,
		0, 342, 343, 5, 42, 0, 0, 343, 31, 1, 0, 0, 0, 344, 410, 5, 32, 0, 0, 345,
		391, 5, 36, 0, 0, 346, 347, 5, 25, 0, 0, 347, 352, 5, 32, 0, 0, 348, 349,
		5, 35, 0, 0, 349, 351, 5, 32, 0, 0, 350, 348, 1, 0, 0, 0, 351, 354, 1,
		0, 0, 0, 352, 350, 1, 0, 0, 0, 352, 353, 1, 0, 0, 0, 353, 355, 1, 0, 0,
		0, 354, 352, 1, 0, 0, 0, 355, 392, 5, 34, 0, 0, 356, 357, 5, 26, 0, 0,
		357, 362, 5, 32, 0, 0, 358, 359, 5, 35, 0, 0, 359, 361, 5, 32, 0, 0, 360,
		358, 1, 0, 0, 0, 361, 364, 1, 0, 0, 0, 362, 360, 1, 0, 0, 0, 362, 363,
		1, 0, 0, 0, 363, 365, 1, 0, 0, 0, 364, 362, 1, 0, 0, 0, 365, 392, 5, 34,
		0, 0, 366, 368, 5, 27, 0, 0, 367, 369, 3, 16, 8, 0, 368, 367, 1, 0, 0,
		0, 368, 369, 1, 0, 0, 0, 369, 370, 1, 0, 0, 0, 370, 372, 5, 32, 0, 0, 371,
		373, 3, 16, 8, 0, 372, 371, 1, 0, 0, 0, 372, 373, 1, 0, 0, 0, 373, 387,
		1, 0, 0, 0, 374, 383, 5, 33, 0, 0, 375, 380, 5, 30, 0, 0, 376, 377, 5,
		35, 0, 0, 377, 379, 5, 30, 0, 0, 378, 376, 1, 0, 0, 0, 379, 382, 1, 0,
		0, 0, 380, 378, 1, 0, 0, 0, 380, 381, 1, 0, 0, 0, 381, 384, 1, 0, 0, 0,
		382, 380, 1, 0, 0, 0, 383, 375, 1, 0, 0, 0, 383, 384, 1, 0, 0, 0, 384,
		386, 1, 0, 0, 0, 385, 374, 1, 0, 0, 0, 386, 389, 1, 0, 0, 0, 387, 385,
		1, 0, 0, 0, 387, 388, 1, 0, 0, 0, 388, 390, 1, 0, 0, 0, 389, 387, 1, 0,
		0, 0, 390, 392, 5, 34, 0, 0, 391, 346, 1, 0, 0, 0, 391, 356, 1, 0, 0, 0,
		391, 366, 1, 0, 0, 0, 391, 392, 1, 0, 0, 0, 392, 411, 1, 0, 0, 0, 393,
		395, 7, 7, 0, 0, 394, 393, 1, 0, 0, 0, 395, 398, 1, 0, 0, 0, 396, 394,
		1, 0, 0, 0, 396, 397, 1, 0, 0, 0, 397, 407, 1, 0, 0, 0, 398, 396, 1, 0,
		0, 0, 399, 404, 3, 34, 17, 0, 400, 401, 5, 35, 0, 0, 401, 403, 3, 34, 17,
		0, 402, 400, 1, 0, 0, 0, 403, 406, 1, 0, 0, 0, 404, 402, 1, 0, 0, 0, 404,
		405, 1, 0, 0, 0, 405, 408, 1, 0, 0, 0, 406, 404, 1, 0, 0, 0, 407, 399,
		1, 0, 0, 0, 407, 408, 1, 0, 0, 0, 408, 409, 1, 0, 0, 0, 409, 411, 5, 34,
		0, 0, 410, 345, 1, 0, 0, 0, 410, 396, 1, 0, 0, 0, 411, 449, 1, 0, 0, 0,
		412, 414, 5, 37, 0, 0, 413, 415, 5, 50, 0, 0, 414, 413, 1, 0, 0, 0, 414,
		415, 1, 0, 0, 0, 415, 416, 1, 0, 0, 0, 416, 417, 5, 32, 0, 0, 417, 421,
		5, 32, 0, 0, 418, 420, 7, 7, 0, 0, 419, 418, 1, 0, 0, 0, 420, 423, 1, 0,
		0, 0, 421, 419, 1, 0, 0, 0, 421, 422, 1, 0, 0, 0, 422, 432, 1, 0, 0, 0,
		423, 421, 1, 0, 0, 0, 424, 429, 3, 34, 17, 0, 425, 426, 5, 35, 0, 0, 426,
		428, 3, 34, 17, 0, 427, 425, 1, 0, 0, 0, 428, 431, 1, 0, 0, 0, 429, 427,
		1, 0, 0, 0, 429, 430, 1, 0, 0, 0, 430, 433, 1, 0, 0, 0, 431, 429, 1, 0,
		0, 0, 432, 424, 1, 0, 0, 0, 432, 433, 1, 0, 0, 0, 433, 434, 1, 0, 0, 0,
		434, 449, 5, 34, 0, 0, 435, 437, 5, 9, 0, 0, 436, 435, 1, 0, 0, 0, 436,
		437, 1, 0, 0, 0, 437, 438, 1, 0, 0, 0, 438, 439, 3, 22, 11, 0, 439, 440,
		5, 34, 0, 0, 440, 449, 1, 0, 0, 0, 441, 449, 3, 30, 15, 0, 442, 449, 3,
		8, 4, 0, 443, 449, 3, 6, 3, 0, 444, 449, 3, 10, 5, 0, 445, 449, 3, 12,
		6, 0, 446, 449, 3, 4, 2, 0, 447, 449, 5, 34, 0, 0, 448, 344, 1, 0, 0, 0,
		448, 412, 1, 0, 0, 0, 448, 436, 1, 0, 0, 0, 448, 441, 1, 0, 0, 0, 448,
		442, 1, 0, 0, 0, 448, 443, 1, 0, 0, 0, 448, 444, 1, 0, 0, 0, 448, 445,
		1, 0, 0, 0, 448, 446, 1, 0, 0, 0, 448, 447, 1, 0, 0, 0, 449, 33, 1, 0,
		0, 0, 450, 452, 7, 8, 0, 0, 451, 450, 1, 0, 0, 0, 452, 455, 1, 0, 0, 0,
		453, 451, 1, 0, 0, 0, 453, 454, 1, 0, 0, 0, 454, 509, 1, 0, 0, 0, 455,
		453, 1, 0, 0, 0, 456, 460, 5, 32, 0, 0, 457, 459, 5, 33, 0, 0, 458, 457,
		1, 0, 0, 0, 459, 462, 1, 0, 0, 0, 460, 458, 1, 0, 0, 0, 460, 461, 1, 0,
		0, 0, 461, 471, 1, 0, 0, 0, 462, 460, 1, 0, 0, 0, 463, 464, 5, 39, 0, 0,
		464, 465, 3, 34, 17, 0, 465, 466, 5, 40, 0, 0, 466, 472, 1, 0, 0, 0, 467,
		468, 5, 43, 0, 0, 468, 469, 3, 34, 17, 0, 469, 470, 5, 44, 0, 0, 470, 472,
		1, 0, 0, 0, 471, 463, 1, 0, 0, 0, 471, 467, 1, 0, 0, 0, 471, 472, 1, 0,
		0, 0, 472, 498, 1, 0, 0, 0, 473, 478, 5, 30, 0, 0, 474, 475, 5, 39, 0,
		0, 475, 476, 3, 34, 17, 0, 476, 477, 5, 40, 0, 0, 477, 479, 1, 0, 0, 0,
		478, 474, 1, 0, 0, 0, 478, 479, 1, 0, 0, 0, 479, 498, 1, 0, 0, 0, 480,
		498, 5, 28, 0, 0, 481, 498, 5, 29, 0, 0, 482, 498, 5, 31, 0, 0, 483, 498,
		3, 38, 19, 0, 484, 485, 5, 43, 0, 0, 485, 490, 3, 34, 17, 0, 486, 487,
		5, 35, 0, 0, 487, 489, 3, 34, 17, 0, 488, 486, 1, 0, 0, 0, 489, 492, 1,
		0, 0, 0, 490, 488, 1, 0, 0, 0, 490, 491, 1, 0, 0, 0, 491, 493, 1, 0, 0,
		0, 492, 490, 1, 0, 0, 0, 493, 495, 5, 44, 0, 0, 494, 496, 5, 33, 0, 0,
		495, 494, 1, 0, 0, 0, 495, 496, 1, 0, 0, 0, 496, 498, 1, 0, 0, 0, 497,
		456, 1, 0, 0, 0, 497, 473, 1, 0, 0, 0, 497, 480, 1, 0, 0, 0, 497, 481,
		1, 0, 0, 0, 497, 482, 1, 0, 0, 0, 497, 483, 1, 0, 0, 0, 497, 484, 1, 0,
		0, 0, 498, 506, 1, 0, 0, 0, 499, 500, 7, 9, 0, 0, 500, 507, 3, 34, 17,
		0, 501, 502, 5, 52, 0, 0, 502, 503, 3, 34, 17, 0, 503, 504, 5, 36, 0, 0,
		504, 505, 3, 34, 17, 0, 505, 507, 1, 0, 0, 0, 506, 499, 1, 0, 0, 0, 506,
		501, 1, 0, 0, 0, 506, 507, 1, 0, 0, 0, 507, 510, 1, 0, 0, 0, 508, 510,
		3, 36, 18, 0, 509, 497, 1, 0, 0, 0, 509, 508, 1, 0, 0, 0, 510, 35, 1, 0,
		0, 0, 511, 535, 5, 39, 0, 0, 512, 513, 5, 33, 0, 0, 513, 514, 5, 40, 0,
		0, 514, 536, 3, 34, 17, 0, 515, 520, 3, 34, 17, 0, 516, 517, 5, 35, 0,
		0, 517, 519, 3, 34, 17, 0, 518, 516, 1, 0, 0, 0, 519, 522, 1, 0, 0, 0,
		520, 518, 1, 0, 0, 0, 520, 521, 1, 0, 0, 0, 521, 524, 1, 0, 0, 0, 522,
		520, 1, 0, 0, 0, 523, 515, 1, 0, 0, 0, 523, 524, 1, 0, 0, 0, 524, 525,
		1, 0, 0, 0, 525, 533, 5, 40, 0, 0, 526, 527, 7, 9, 0, 0, 527, 534, 3, 34,
		17, 0, 528, 529, 5, 52, 0, 0, 529, 530, 3, 34, 17, 0, 530, 531, 5, 36,
		0, 0, 531, 532, 3, 34, 17, 0, 532, 534, 1, 0, 0, 0, 533, 526, 1, 0, 0,
		0, 533, 528, 1, 0, 0, 0, 533, 534, 1, 0, 0, 0, 534, 536, 1, 0, 0, 0, 535,
		512, 1, 0, 0, 0, 535, 523, 1, 0, 0, 0, 536, 37, 1, 0, 0, 0, 537, 632, 5,
		41, 0, 0, 538, 540, 7, 8, 0, 0, 539, 538, 1, 0, 0, 0, 540, 543, 1, 0, 0,
		0, 541, 539, 1, 0, 0, 0, 541, 542, 1, 0, 0, 0, 542, 580, 1, 0, 0, 0, 543,
		541, 1, 0, 0, 0, 544, 548, 5, 32, 0, 0, 545, 547, 5, 33, 0, 0, 546, 545,
		1, 0, 0, 0, 547, 550, 1, 0, 0, 0, 548, 546, 1, 0, 0, 0, 548, 549, 1, 0,
		0, 0, 549, 555, 1, 0, 0, 0, 550, 548, 1, 0, 0, 0, 551, 552, 5, 39, 0, 0,
		552, 553, 3, 34, 17, 0, 553, 554, 5, 40, 0, 0, 554, 556, 1, 0, 0, 0, 555,
		551, 1, 0, 0, 0, 555, 556, 1, 0, 0, 0, 556, 569, 1, 0, 0, 0, 557, 562,
		5, 30, 0, 0, 558, 559, 5, 39, 0, 0, 559, 560, 3, 34, 17, 0, 560, 561, 5,
		40, 0, 0, 561, 563, 1, 0, 0, 0, 562, 558, 1, 0, 0, 0, 562, 563, 1, 0, 0,
		0, 563, 569, 1, 0, 0, 0, 564, 569, 5, 28, 0, 0, 565, 569, 5, 29, 0, 0,
		566, 569, 5, 31, 0, 0, 567, 569, 3, 38, 19, 0, 568, 544, 1, 0, 0, 0, 568,
		557, 1, 0, 0, 0, 568, 564, 1, 0, 0, 0, 568, 565, 1, 0, 0, 0, 568, 566,
		1, 0, 0, 0, 568, 567, 1, 0, 0, 0, 569, 577, 1, 0, 0, 0, 570, 571, 7, 10,
		0, 0, 571, 578, 3, 34, 17, 0, 572, 573, 5, 52, 0, 0, 573, 574, 3, 34, 17,
		0, 574, 575, 5, 36, 0, 0, 575, 576, 3, 34, 17, 0, 576, 578, 1, 0, 0, 0,
		577, 570, 1, 0, 0, 0, 577, 572, 1, 0, 0, 0, 577, 578, 1, 0, 0, 0, 578,
		581, 1, 0, 0, 0, 579, 581, 3, 36, 18, 0, 580, 568, 1, 0, 0, 0, 580, 579,
		1, 0, 0, 0, 581, 629, 1, 0, 0, 0, 582, 586, 5, 35, 0, 0, 583, 585, 7, 8,
		0, 0, 584, 583, 1, 0, 0, 0, 585, 588, 1, 0, 0, 0, 586, 584, 1, 0, 0, 0,
		586, 587, 1, 0, 0, 0, 587, 625, 1, 0, 0, 0, 588, 586, 1, 0, 0, 0, 589,
		593, 5, 32, 0, 0, 590, 592, 5, 33, 0, 0, 591, 590, 1, 0, 0, 0, 592, 595,
		1, 0, 0, 0, 593, 591, 1, 0, 0, 0, 593, 594, 1, 0, 0, 0, 594, 600, 1, 0,
		0, 0, 595, 593, 1, 0, 0, 0, 596, 597, 5, 39, 0, 0, 597, 598, 3, 34, 17,
		0, 598, 599, 5, 40, 0, 0, 599, 601, 1, 0, 0, 0, 600, 596, 1, 0, 0, 0, 600,
		601, 1, 0, 0, 0, 601, 614, 1, 0, 0, 0, 602, 607, 5, 30, 0, 0, 603, 604,
		5, 39, 0, 0, 604, 605, 3, 34, 17, 0, 605, 606, 5, 40, 0, 0, 606, 608, 1,
		0, 0, 0, 607, 603, 1, 0, 0, 0, 607, 608, 1, 0, 0, 0, 608, 614, 1, 0, 0,
		0, 609, 614, 5, 28, 0, 0, 610, 614, 5, 29, 0, 0, 611, 614, 5, 31, 0, 0,
		612, 614, 3, 38, 19, 0, 613, 589, 1, 0, 0, 0, 613, 602, 1, 0, 0, 0, 613,
		609, 1, 0, 0, 0, 613, 610, 1, 0, 0, 0, 613, 611, 1, 0, 0, 0, 613, 612,
		1, 0, 0, 0, 614, 622, 1, 0, 0, 0, 615, 616, 7, 10, 0, 0, 616, 623, 3, 34,
		17, 0, 617, 618, 5, 52, 0, 0, 618, 619, 3, 34, 17, 0, 619, 620, 5, 36,
		0, 0, 620, 621, 3, 34, 17, 0, 621, 623, 1, 0, 0, 0, 622, 615, 1, 0, 0,
		0, 622, 617, 1, 0, 0, 0, 622, 623, 1, 0, 0, 0, 623, 626, 1, 0, 0, 0, 624,
		626, 3, 36, 18, 0, 625, 613, 1, 0, 0, 0, 625, 624, 1, 0, 0, 0, 626, 628,
		1, 0, 0, 0, 627, 582, 1, 0, 0, 0, 628, 631, 1, 0, 0, 0, 629, 627, 1, 0,
		0, 0, 629, 630, 1, 0, 0, 0, 630, 633, 1, 0, 0, 0, 631, 629, 1, 0, 0, 0,
		632, 541, 1, 0, 0, 0, 632, 633, 1, 0, 0, 0, 633, 634, 1, 0, 0, 0, 634,
		635, 5, 42, 0, 0, 635, 39, 1, 0, 0, 0, 95, 43, 56, 74, 81, 83, 89, 101,
		113, 120, 128, 139, 145, 154, 156, 160, 169, 171, 175, 180, 182, 189, 192,
		195, 199, 207, 210, 213, 215, 220, 228, 231, 236, 243, 248, 251, 262, 266,
		276, 280, 284, 296, 310, 312, 319, 323, 328, 333, 339, 352, 362, 368, 372,
		380, 383, 387, 391, 396, 404, 407, 410, 414, 421, 429, 432, 436, 448, 453,
		460, 471, 478, 490, 495, 497, 506, 509, 520, 523, 533, 535, 541, 548, 555,
		562, 568, 577, 580, 586, 593, 600, 607, 613, 622, 625, 629, 632,
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
	p.SetState(43)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&8617197566) != 0 {
		{
			p.SetState(40)
			p.Item()
		}

		p.SetState(45)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}
	{
		p.SetState(46)
		p.Match(PTXParserEOF)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}

	goto errorExit

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
	Unknown() IUnknownContext
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

func (s *ItemContext) Unknown() IUnknownContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IUnknownContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(IUnknownContext)
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

	p.SetState(83)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}

	switch p.GetTokenStream().LA(1) {
	case PTXParserVERSION:
		p.EnterOuterAlt(localctx, 1)
		{
			p.SetState(48)
			p.Match(PTXParserVERSION)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(49)
			p.Match(PTXParserFLOAT)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PTXParserTARGET:
		p.EnterOuterAlt(localctx, 2)
		{
			p.SetState(50)
			p.Match(PTXParserTARGET)
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

		for _la == PTXParserCOMMA {
			{
				p.SetState(52)
				p.Match(PTXParserCOMMA)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			{
				p.SetState(53)
				p.Match(PTXParserID)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}

			p.SetState(58)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}

	case PTXParserADDRESS_SIZE:
		p.EnterOuterAlt(localctx, 3)
		{
			p.SetState(59)
			p.Match(PTXParserADDRESS_SIZE)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(60)
			p.Match(PTXParserINT)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PTXParserALIAS:
		p.EnterOuterAlt(localctx, 4)
		{
			p.SetState(61)
			p.Match(PTXParserALIAS)
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
			p.Match(PTXParserCOMMA)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(64)
			p.Match(PTXParserID)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(65)
			p.Match(PTXParserSEMI)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PTXParserFILE:
		p.EnterOuterAlt(localctx, 5)
		{
			p.SetState(66)
			p.File()
		}

	case PTXParserLOC:
		p.EnterOuterAlt(localctx, 6)
		{
			p.SetState(67)
			p.Loc()
		}

	case PTXParserSECTION:
		p.EnterOuterAlt(localctx, 7)
		{
			p.SetState(68)
			p.Section()
		}

	case PTXParserPRAGMA:
		p.EnterOuterAlt(localctx, 8)
		{
			p.SetState(69)
			p.Pragma()
		}

	case PTXParserDOTID:
		p.EnterOuterAlt(localctx, 9)
		{
			p.SetState(70)
			p.Unknown()
		}

	case PTXParserFUNC, PTXParserENTRY, PTXParserEXTERN, PTXParserVISIBLE, PTXParserWEAK, PTXParserCOMMON, PTXParserREG, PTXParserSREG, PTXParserGLOBAL, PTXParserCONST, PTXParserSHARED, PTXParserLOCAL, PTXParserPARAM, PTXParserTEX:
		p.EnterOuterAlt(localctx, 10)
		p.SetState(74)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&7680) != 0 {
			{
				p.SetState(71)
				_la = p.GetTokenStream().LA(1)

				if !((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&7680) != 0) {
					p.GetErrorHandler().RecoverInline(p)
				} else {
					p.GetErrorHandler().ReportMatch(p)
					p.Consume()
				}
			}

			p.SetState(76)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}
		p.SetState(81)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}

		switch p.GetTokenStream().LA(1) {
		case PTXParserFUNC, PTXParserENTRY:
			{
				p.SetState(77)
				p.Function()
			}

		case PTXParserREG, PTXParserSREG, PTXParserGLOBAL, PTXParserCONST, PTXParserSHARED, PTXParserLOCAL, PTXParserPARAM, PTXParserTEX:
			{
				p.SetState(78)
				p.Variables()
			}
			{
				p.SetState(79)
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

	goto errorExit

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
}

// IUnknownContext is an interface to support dynamic dispatch.
type IUnknownContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	AllDOTID() []antlr.TerminalNode
	DOTID(i int) antlr.TerminalNode
	SEMI() antlr.TerminalNode
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
	AllCOMMA() []antlr.TerminalNode
	COMMA(i int) antlr.TerminalNode
	AllMINUS() []antlr.TerminalNode
	MINUS(i int) antlr.TerminalNode

	// IsUnknownContext differentiates from other interfaces.
	IsUnknownContext()
}

type UnknownContext struct {
	antlr.BaseParserRuleContext
	parser antlr.Parser
}

func NewEmptyUnknownContext() *UnknownContext {
	var p = new(UnknownContext)
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PTXParserRULE_unknown
	return p
}

func InitEmptyUnknownContext(p *UnknownContext) {
	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, nil, -1)
	p.RuleIndex = PTXParserRULE_unknown
}

func (*UnknownContext) IsUnknownContext() {}

func NewUnknownContext(parser antlr.Parser, parent antlr.ParserRuleContext, invokingState int) *UnknownContext {
	var p = new(UnknownContext)

	antlr.InitBaseParserRuleContext(&p.BaseParserRuleContext, parent, invokingState)

	p.parser = parser
	p.RuleIndex = PTXParserRULE_unknown

	return p
}

func (s *UnknownContext) GetParser() antlr.Parser { return s.parser }

func (s *UnknownContext) AllDOTID() []antlr.TerminalNode {
	return s.GetTokens(PTXParserDOTID)
}

func (s *UnknownContext) DOTID(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserDOTID, i)
}

func (s *UnknownContext) SEMI() antlr.TerminalNode {
	return s.GetToken(PTXParserSEMI, 0)
}

func (s *UnknownContext) AllID() []antlr.TerminalNode {
	return s.GetTokens(PTXParserID)
}

func (s *UnknownContext) ID(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserID, i)
}

func (s *UnknownContext) AllINT() []antlr.TerminalNode {
	return s.GetTokens(PTXParserINT)
}

func (s *UnknownContext) INT(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserINT, i)
}

func (s *UnknownContext) AllFLOAT() []antlr.TerminalNode {
	return s.GetTokens(PTXParserFLOAT)
}

func (s *UnknownContext) FLOAT(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserFLOAT, i)
}

func (s *UnknownContext) AllHEXFLOAT() []antlr.TerminalNode {
	return s.GetTokens(PTXParserHEXFLOAT)
}

func (s *UnknownContext) HEXFLOAT(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserHEXFLOAT, i)
}

func (s *UnknownContext) AllSTRING() []antlr.TerminalNode {
	return s.GetTokens(PTXParserSTRING)
}

func (s *UnknownContext) STRING(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserSTRING, i)
}

func (s *UnknownContext) AllCOMMA() []antlr.TerminalNode {
	return s.GetTokens(PTXParserCOMMA)
}

func (s *UnknownContext) COMMA(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserCOMMA, i)
}

func (s *UnknownContext) AllMINUS() []antlr.TerminalNode {
	return s.GetTokens(PTXParserMINUS)
}

func (s *UnknownContext) MINUS(i int) antlr.TerminalNode {
	return s.GetToken(PTXParserMINUS, i)
}

func (s *UnknownContext) GetRuleContext() antlr.RuleContext {
	return s
}

func (s *UnknownContext) ToStringTree(ruleNames []string, recog antlr.Recognizer) string {
	return antlr.TreesStringTree(s, ruleNames, recog)
}

func (p *PTXParser) Unknown() (localctx IUnknownContext) {
	if !p.fast {
		localctx = NewUnknownContext(p, p.GetParserRuleContext(), p.GetState())
	}
	p.EnterRule(localctx, 4, PTXParserRULE_unknown)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(85)
		p.Match(PTXParserDOTID)
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

	for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&140788759527424) != 0 {
		{
			p.SetState(86)
			_la = p.GetTokenStream().LA(1)

			if !((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&140788759527424) != 0) {
				p.GetErrorHandler().RecoverInline(p)
			} else {
				p.GetErrorHandler().ReportMatch(p)
				p.Consume()
			}
		}

		p.SetState(91)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}
	{
		p.SetState(92)
		p.Match(PTXParserSEMI)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}

	goto errorExit

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
	p.EnterRule(localctx, 6, PTXParserRULE_file)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(94)
		p.Match(PTXParserFILE)
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
	{
		p.SetState(96)
		p.Match(PTXParserSTRING)
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

	for _la == PTXParserCOMMA {
		{
			p.SetState(97)
			p.Match(PTXParserCOMMA)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(98)
			p.Match(PTXParserINT)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

		p.SetState(103)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}

	goto errorExit

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
	p.EnterRule(localctx, 8, PTXParserRULE_loc)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(104)
		p.Match(PTXParserLOC)
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
	p.SetState(120)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	if _la == PTXParserCOMMA {
		{
			p.SetState(108)
			p.Match(PTXParserCOMMA)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(109)
			p.Match(PTXParserID)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(110)
			p.Match(PTXParserID)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		p.SetState(113)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		if _la == PTXParserPLUS {
			{
				p.SetState(111)
				p.Match(PTXParserPLUS)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			{
				p.SetState(112)
				p.Match(PTXParserINT)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}

		}
		{
			p.SetState(115)
			p.Match(PTXParserCOMMA)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(116)
			p.Match(PTXParserID)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(117)
			p.Match(PTXParserINT)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(118)
			p.Match(PTXParserINT)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(119)
			p.Match(PTXParserINT)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	}

	goto errorExit

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
	p.EnterRule(localctx, 10, PTXParserRULE_pragma)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(122)
		p.Match(PTXParserPRAGMA)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	{
		p.SetState(123)
		p.Match(PTXParserSTRING)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	p.SetState(128)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	for _la == PTXParserCOMMA {
		{
			p.SetState(124)
			p.Match(PTXParserCOMMA)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(125)
			p.Match(PTXParserSTRING)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

		p.SetState(130)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}
	{
		p.SetState(131)
		p.Match(PTXParserSEMI)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}

	goto errorExit

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
	p.EnterRule(localctx, 12, PTXParserRULE_section)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(133)
		p.Match(PTXParserSECTION)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	{
		p.SetState(134)
		_la = p.GetTokenStream().LA(1)

		if !((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&15032385536) != 0) {
			p.GetErrorHandler().RecoverInline(p)
		} else {
			p.GetErrorHandler().ReportMatch(p)
			p.Consume()
		}
	}
	p.SetState(139)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	for _la == PTXParserCOMMA {
		{
			p.SetState(135)
			p.Match(PTXParserCOMMA)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(136)
			p.Match(PTXParserSTRING)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

		p.SetState(141)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}
	{
		p.SetState(142)
		p.Match(PTXParserLBRACE)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	p.SetState(182)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	for _la == PTXParserID || _la == PTXParserDOTID {
		p.SetState(180)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}

		switch p.GetTokenStream().LA(1) {
		case PTXParserDOTID:
			{
				p.SetState(143)
				p.Match(PTXParserDOTID)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			p.SetState(156)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}

			switch p.GetTokenStream().LA(1) {
			case PTXParserINT, PTXParserMINUS:
				p.SetState(145)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)

				if _la == PTXParserMINUS {
					{
						p.SetState(144)
						p.Match(PTXParserMINUS)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}

				}
				{
					p.SetState(147)
					p.Match(PTXParserINT)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}

			case PTXParserFLOAT:
				{
					p.SetState(148)
					p.Match(PTXParserFLOAT)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}

			case PTXParserHEXFLOAT:
				{
					p.SetState(149)
					p.Match(PTXParserHEXFLOAT)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}

			case PTXParserSTRING:
				{
					p.SetState(150)
					p.Match(PTXParserSTRING)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}

			case PTXParserID, PTXParserDOTID:
				{
					p.SetState(151)
					_la = p.GetTokenStream().LA(1)

					if !(_la == PTXParserID || _la == PTXParserDOTID) {
						p.GetErrorHandler().RecoverInline(p)
					} else {
						p.GetErrorHandler().ReportMatch(p)
						p.Consume()
					}
				}
				p.SetState(154)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)

				if _la == PTXParserMINUS || _la == PTXParserPLUS {
					{
						p.SetState(152)
						_la = p.GetTokenStream().LA(1)

						if !(_la == PTXParserMINUS || _la == PTXParserPLUS) {
							p.GetErrorHandler().RecoverInline(p)
						} else {
							p.GetErrorHandler().ReportMatch(p)
							p.Consume()
						}
					}
					{
						p.SetState(153)
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
			p.SetState(175)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)

			for _la == PTXParserCOMMA {
				{
					p.SetState(158)
					p.Match(PTXParserCOMMA)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}
				p.SetState(171)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}

				switch p.GetTokenStream().LA(1) {
				case PTXParserINT, PTXParserMINUS:
					p.SetState(160)
					p.GetErrorHandler().Sync(p)
					if p.HasError() {
						goto errorExit
					}
					_la = p.GetTokenStream().LA(1)

					if _la == PTXParserMINUS {
						{
							p.SetState(159)
							p.Match(PTXParserMINUS)
							if p.HasError() {
								// Recognition error - abort rule
								goto errorExit
							}
						}

					}
					{
						p.SetState(162)
						p.Match(PTXParserINT)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}

				case PTXParserFLOAT:
					{
						p.SetState(163)
						p.Match(PTXParserFLOAT)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}

				case PTXParserHEXFLOAT:
					{
						p.SetState(164)
						p.Match(PTXParserHEXFLOAT)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}

				case PTXParserSTRING:
					{
						p.SetState(165)
						p.Match(PTXParserSTRING)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}

				case PTXParserID, PTXParserDOTID:
					{
						p.SetState(166)
						_la = p.GetTokenStream().LA(1)

						if !(_la == PTXParserID || _la == PTXParserDOTID) {
							p.GetErrorHandler().RecoverInline(p)
						} else {
							p.GetErrorHandler().ReportMatch(p)
							p.Consume()
						}
					}
					p.SetState(169)
					p.GetErrorHandler().Sync(p)
					if p.HasError() {
						goto errorExit
					}
					_la = p.GetTokenStream().LA(1)

					if _la == PTXParserMINUS || _la == PTXParserPLUS {
						{
							p.SetState(167)
							_la = p.GetTokenStream().LA(1)

							if !(_la == PTXParserMINUS || _la == PTXParserPLUS) {
								p.GetErrorHandler().RecoverInline(p)
							} else {
								p.GetErrorHandler().ReportMatch(p)
								p.Consume()
							}
						}
						{
							p.SetState(168)
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

				p.SetState(177)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)
			}

		case PTXParserID:
			{
				p.SetState(178)
				p.Match(PTXParserID)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			{
				p.SetState(179)
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

		p.SetState(184)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}
	{
		p.SetState(185)
		p.Match(PTXParserRBRACE)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}

	goto errorExit

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
	p.EnterRule(localctx, 14, PTXParserRULE_function)
	var _la int

	var _alt int

	p.EnterOuterAlt(localctx, 1)
	p.SetState(195)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}

	switch p.GetTokenStream().LA(1) {
	case PTXParserFUNC:
		{
			p.SetState(187)
			p.Match(PTXParserFUNC)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		p.SetState(189)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		if _la == PTXParserATTRIBUTE {
			{
				p.SetState(188)
				p.Attribute()
			}

		}
		p.SetState(192)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		if _la == PTXParserLPAREN {
			{
				p.SetState(191)
				p.Params()
			}

		}

	case PTXParserENTRY:
		{
			p.SetState(194)
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
		p.SetState(197)
		p.Match(PTXParserID)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	p.SetState(199)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	if _la == PTXParserLPAREN {
		{
			p.SetState(198)
			p.Params()
		}

	}
	p.SetState(215)
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
			p.SetState(213)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}

			switch p.GetTokenStream().LA(1) {
			case PTXParserDOTID:
				{
					p.SetState(201)
					p.Match(PTXParserDOTID)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}
				p.SetState(210)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)

				if _la == PTXParserINT {
					{
						p.SetState(202)
						p.Match(PTXParserINT)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}
					p.SetState(207)
					p.GetErrorHandler().Sync(p)
					if p.HasError() {
						goto errorExit
					}
					_la = p.GetTokenStream().LA(1)

					for _la == PTXParserCOMMA {
						{
							p.SetState(203)
							p.Match(PTXParserCOMMA)
							if p.HasError() {
								// Recognition error - abort rule
								goto errorExit
							}
						}
						{
							p.SetState(204)
							p.Match(PTXParserINT)
							if p.HasError() {
								// Recognition error - abort rule
								goto errorExit
							}
						}

						p.SetState(209)
						p.GetErrorHandler().Sync(p)
						if p.HasError() {
							goto errorExit
						}
						_la = p.GetTokenStream().LA(1)
					}

				}

			case PTXParserPRAGMA:
				{
					p.SetState(212)
					p.Pragma()
				}

			default:
				p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
				goto errorExit
			}

		}
		p.SetState(217)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_alt = p.takesPragma()
		if p.HasError() {
			goto errorExit
		}
	}
	p.SetState(220)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	switch p.GetTokenStream().LA(1) {
	case PTXParserLBRACE:
		{
			p.SetState(218)
			p.Block()
		}

	case PTXParserSEMI:
		{
			p.SetState(219)
			p.Match(PTXParserSEMI)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PTXParserEOF, PTXParserVERSION, PTXParserTARGET, PTXParserADDRESS_SIZE, PTXParserFILE, PTXParserLOC, PTXParserSECTION, PTXParserFUNC, PTXParserENTRY, PTXParserEXTERN, PTXParserVISIBLE, PTXParserWEAK, PTXParserCOMMON, PTXParserREG, PTXParserSREG, PTXParserGLOBAL, PTXParserCONST, PTXParserSHARED, PTXParserLOCAL, PTXParserPARAM, PTXParserTEX, PTXParserPRAGMA, PTXParserALIAS, PTXParserDOTID:

	default:
	}

	goto errorExit

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
	p.EnterRule(localctx, 16, PTXParserRULE_params)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(222)
		p.Match(PTXParserLPAREN)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	p.SetState(231)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	if (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&8592023552) != 0 {
		{
			p.SetState(223)
			p.Param()
		}
		p.SetState(228)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		for _la == PTXParserCOMMA {
			{
				p.SetState(224)
				p.Match(PTXParserCOMMA)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			{
				p.SetState(225)
				p.Param()
			}

			p.SetState(230)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}

	}
	{
		p.SetState(233)
		p.Match(PTXParserRPAREN)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}

	goto errorExit

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
}

// IParamContext is an interface to support dynamic dispatch.
type IParamContext interface {
	antlr.ParserRuleContext

	// GetParser returns the parser.
	GetParser() antlr.Parser

	// Getter signatures
	Space() ISpaceContext
	Typing() ITypingContext
	DOTID() antlr.TerminalNode
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

func (s *ParamContext) DOTID() antlr.TerminalNode {
	return s.GetToken(PTXParserDOTID, 0)
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
	p.EnterRule(localctx, 18, PTXParserRULE_param)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	p.SetState(236)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	if _la == PTXParserDOTID {
		{
			p.SetState(235)
			p.Match(PTXParserDOTID)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	}
	{
		p.SetState(238)
		p.Space()
	}
	{
		p.SetState(239)
		p.Typing()
	}
	p.SetState(251)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	if _la == PTXParserID {
		{
			p.SetState(240)
			p.Match(PTXParserID)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		p.SetState(248)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		for _la == PTXParserLBRACK {
			{
				p.SetState(241)
				p.Match(PTXParserLBRACK)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			p.SetState(243)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)

			if (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&3811465379184640) != 0 {
				{
					p.SetState(242)
					p.Operand()
				}

			}
			{
				p.SetState(245)
				p.Match(PTXParserRBRACK)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}

			p.SetState(250)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}

	}

	goto errorExit

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
	p.EnterRule(localctx, 20, PTXParserRULE_attribute)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(253)
		p.Match(PTXParserATTRIBUTE)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	{
		p.SetState(254)
		p.Match(PTXParserLPAREN)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	{
		p.SetState(255)
		p.Match(PTXParserDOTID)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	p.SetState(266)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	if _la == PTXParserLPAREN {
		{
			p.SetState(256)
			p.Match(PTXParserLPAREN)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(257)
			p.Match(PTXParserINT)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		p.SetState(262)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		for _la == PTXParserCOMMA {
			{
				p.SetState(258)
				p.Match(PTXParserCOMMA)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			{
				p.SetState(259)
				p.Match(PTXParserINT)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}

			p.SetState(264)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}
		{
			p.SetState(265)
			p.Match(PTXParserRPAREN)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	}
	p.SetState(284)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	for _la == PTXParserCOMMA {
		{
			p.SetState(268)
			p.Match(PTXParserCOMMA)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(269)
			p.Match(PTXParserDOTID)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		p.SetState(280)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		if _la == PTXParserLPAREN {
			{
				p.SetState(270)
				p.Match(PTXParserLPAREN)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			{
				p.SetState(271)
				p.Match(PTXParserINT)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			p.SetState(276)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)

			for _la == PTXParserCOMMA {
				{
					p.SetState(272)
					p.Match(PTXParserCOMMA)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}
				{
					p.SetState(273)
					p.Match(PTXParserINT)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}

				p.SetState(278)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)
			}
			{
				p.SetState(279)
				p.Match(PTXParserRPAREN)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}

		}

		p.SetState(286)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}
	{
		p.SetState(287)
		p.Match(PTXParserRPAREN)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}

	goto errorExit

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
	p.EnterRule(localctx, 22, PTXParserRULE_variables)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(289)
		p.Space()
	}
	{
		p.SetState(290)
		p.Typing()
	}
	{
		p.SetState(291)
		p.Declarator()
	}
	p.SetState(296)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	for _la == PTXParserCOMMA {
		{
			p.SetState(292)
			p.Match(PTXParserCOMMA)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(293)
			p.Declarator()
		}

		p.SetState(298)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}

	goto errorExit

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
	p.EnterRule(localctx, 24, PTXParserRULE_space)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(299)
		_la = p.GetTokenStream().LA(1)

		if !((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&2088960) != 0) {
			p.GetErrorHandler().RecoverInline(p)
		} else {
			p.GetErrorHandler().ReportMatch(p)
			p.Consume()
		}
	}

	goto errorExit

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
	p.EnterRule(localctx, 26, PTXParserRULE_typing)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	p.SetState(312)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&8597241856) != 0 {
		p.SetState(310)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}

		switch p.GetTokenStream().LA(1) {
		case PTXParserALIGN:
			{
				p.SetState(301)
				p.Match(PTXParserALIGN)
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

		case PTXParserATTRIBUTE:
			{
				p.SetState(303)
				p.Attribute()
			}

		case PTXParserDOTID:
			{
				p.SetState(304)
				p.Match(PTXParserDOTID)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}

		case PTXParserGLOBAL:
			{
				p.SetState(305)
				p.Match(PTXParserGLOBAL)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}

		case PTXParserCONST:
			{
				p.SetState(306)
				p.Match(PTXParserCONST)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}

		case PTXParserSHARED:
			{
				p.SetState(307)
				p.Match(PTXParserSHARED)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}

		case PTXParserLOCAL:
			{
				p.SetState(308)
				p.Match(PTXParserLOCAL)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}

		case PTXParserPARAM:
			{
				p.SetState(309)
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

		p.SetState(314)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}

	goto errorExit

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
	p.EnterRule(localctx, 28, PTXParserRULE_declarator)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(315)
		p.Match(PTXParserID)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	p.SetState(319)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	if _la == PTXParserLT {
		{
			p.SetState(316)
			p.Match(PTXParserLT)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(317)
			p.Match(PTXParserINT)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(318)
			p.Match(PTXParserGT)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	}
	p.SetState(328)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	for _la == PTXParserLBRACK {
		{
			p.SetState(321)
			p.Match(PTXParserLBRACK)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		p.SetState(323)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		if (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&3811465379184640) != 0 {
			{
				p.SetState(322)
				p.Operand()
			}

		}
		{
			p.SetState(325)
			p.Match(PTXParserRBRACK)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

		p.SetState(330)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}
	p.SetState(333)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	if _la == PTXParserASSIGN {
		{
			p.SetState(331)
			p.Match(PTXParserASSIGN)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(332)
			p.Operand()
		}

	}

	goto errorExit

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
	p.EnterRule(localctx, 30, PTXParserRULE_block)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(335)
		p.Match(PTXParserLBRACE)
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

	for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&2366537458288) != 0 {
		{
			p.SetState(336)
			p.Stmt()
		}

		p.SetState(341)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}
	{
		p.SetState(342)
		p.Match(PTXParserRBRACE)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}

	goto errorExit

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
	Unknown() IUnknownContext

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

func (s *StmtContext) Unknown() IUnknownContext {
	var t antlr.RuleContext
	for _, ctx := range s.GetChildren() {
		if _, ok := ctx.(IUnknownContext); ok {
			t = ctx.(antlr.RuleContext)
			break
		}
	}

	if t == nil {
		return nil
	}

	return t.(IUnknownContext)
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
	p.EnterRule(localctx, 32, PTXParserRULE_stmt)
	var _la int

	p.SetState(448)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}

	switch p.GetTokenStream().LA(1) {
	case PTXParserID:
		p.EnterOuterAlt(localctx, 1)
		{
			p.SetState(344)
			p.Match(PTXParserID)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		p.SetState(410)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}

		switch p.GetTokenStream().LA(1) {
		case PTXParserCOLON:
			{
				p.SetState(345)
				p.Match(PTXParserCOLON)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			p.SetState(391)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			switch p.GetTokenStream().LA(1) {
			case PTXParserBRANCHTARGETS:
				{
					p.SetState(346)
					p.Match(PTXParserBRANCHTARGETS)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}
				{
					p.SetState(347)
					p.Match(PTXParserID)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}
				p.SetState(352)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)

				for _la == PTXParserCOMMA {
					{
						p.SetState(348)
						p.Match(PTXParserCOMMA)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}
					{
						p.SetState(349)
						p.Match(PTXParserID)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}

					p.SetState(354)
					p.GetErrorHandler().Sync(p)
					if p.HasError() {
						goto errorExit
					}
					_la = p.GetTokenStream().LA(1)
				}
				{
					p.SetState(355)
					p.Match(PTXParserSEMI)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}

			case PTXParserCALLTARGETS:
				{
					p.SetState(356)
					p.Match(PTXParserCALLTARGETS)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}
				{
					p.SetState(357)
					p.Match(PTXParserID)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}
				p.SetState(362)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)

				for _la == PTXParserCOMMA {
					{
						p.SetState(358)
						p.Match(PTXParserCOMMA)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}
					{
						p.SetState(359)
						p.Match(PTXParserID)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}

					p.SetState(364)
					p.GetErrorHandler().Sync(p)
					if p.HasError() {
						goto errorExit
					}
					_la = p.GetTokenStream().LA(1)
				}
				{
					p.SetState(365)
					p.Match(PTXParserSEMI)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}

			case PTXParserCALLPROTOTYPE:
				{
					p.SetState(366)
					p.Match(PTXParserCALLPROTOTYPE)
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

				if _la == PTXParserLPAREN {
					{
						p.SetState(367)
						p.Params()
					}

				}
				{
					p.SetState(370)
					p.Match(PTXParserID)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}
				p.SetState(372)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)

				if _la == PTXParserLPAREN {
					{
						p.SetState(371)
						p.Params()
					}

				}
				p.SetState(387)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)

				for _la == PTXParserDOTID {
					{
						p.SetState(374)
						p.Match(PTXParserDOTID)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}
					p.SetState(383)
					p.GetErrorHandler().Sync(p)
					if p.HasError() {
						goto errorExit
					}
					_la = p.GetTokenStream().LA(1)

					if _la == PTXParserINT {
						{
							p.SetState(375)
							p.Match(PTXParserINT)
							if p.HasError() {
								// Recognition error - abort rule
								goto errorExit
							}
						}
						p.SetState(380)
						p.GetErrorHandler().Sync(p)
						if p.HasError() {
							goto errorExit
						}
						_la = p.GetTokenStream().LA(1)

						for _la == PTXParserCOMMA {
							{
								p.SetState(376)
								p.Match(PTXParserCOMMA)
								if p.HasError() {
									// Recognition error - abort rule
									goto errorExit
								}
							}
							{
								p.SetState(377)
								p.Match(PTXParserINT)
								if p.HasError() {
									// Recognition error - abort rule
									goto errorExit
								}
							}

							p.SetState(382)
							p.GetErrorHandler().Sync(p)
							if p.HasError() {
								goto errorExit
							}
							_la = p.GetTokenStream().LA(1)
						}

					}

					p.SetState(389)
					p.GetErrorHandler().Sync(p)
					if p.HasError() {
						goto errorExit
					}
					_la = p.GetTokenStream().LA(1)
				}
				{
					p.SetState(390)
					p.Match(PTXParserSEMI)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}

			case PTXParserFILE, PTXParserLOC, PTXParserSECTION, PTXParserEXTERN, PTXParserREG, PTXParserSREG, PTXParserGLOBAL, PTXParserCONST, PTXParserSHARED, PTXParserLOCAL, PTXParserPARAM, PTXParserTEX, PTXParserPRAGMA, PTXParserID, PTXParserDOTID, PTXParserSEMI, PTXParserAT, PTXParserLBRACE, PTXParserRBRACE:

			default:
			}

		case PTXParserVERSION, PTXParserTARGET, PTXParserADDRESS_SIZE, PTXParserFILE, PTXParserLOC, PTXParserSECTION, PTXParserFUNC, PTXParserENTRY, PTXParserEXTERN, PTXParserVISIBLE, PTXParserWEAK, PTXParserCOMMON, PTXParserREG, PTXParserSREG, PTXParserGLOBAL, PTXParserCONST, PTXParserSHARED, PTXParserLOCAL, PTXParserPARAM, PTXParserTEX, PTXParserALIGN, PTXParserATTRIBUTE, PTXParserPRAGMA, PTXParserALIAS, PTXParserBRANCHTARGETS, PTXParserCALLTARGETS, PTXParserCALLPROTOTYPE, PTXParserFLOAT, PTXParserHEXFLOAT, PTXParserINT, PTXParserSTRING, PTXParserID, PTXParserDOTID, PTXParserSEMI, PTXParserLPAREN, PTXParserLBRACE, PTXParserLBRACK, PTXParserMINUS, PTXParserPLUS, PTXParserBANG, PTXParserTILDE:
			p.SetState(396)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)

			for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&8858370046) != 0 {
				{
					p.SetState(393)
					_la = p.GetTokenStream().LA(1)

					if !((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&8858370046) != 0) {
						p.GetErrorHandler().RecoverInline(p)
					} else {
						p.GetErrorHandler().ReportMatch(p)
						p.Consume()
					}
				}

				p.SetState(398)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)
			}
			p.SetState(407)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)

			if (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&3811465379184640) != 0 {
				{
					p.SetState(399)
					p.Operand()
				}
				p.SetState(404)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)

				for _la == PTXParserCOMMA {
					{
						p.SetState(400)
						p.Match(PTXParserCOMMA)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}
					{
						p.SetState(401)
						p.Operand()
					}

					p.SetState(406)
					p.GetErrorHandler().Sync(p)
					if p.HasError() {
						goto errorExit
					}
					_la = p.GetTokenStream().LA(1)
				}

			}
			{
				p.SetState(409)
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
			p.SetState(412)
			p.Match(PTXParserAT)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		p.SetState(414)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		if _la == PTXParserBANG {
			{
				p.SetState(413)
				p.Match(PTXParserBANG)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}

		}
		{
			p.SetState(416)
			p.Match(PTXParserID)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(417)
			p.Match(PTXParserID)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		p.SetState(421)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&8858370046) != 0 {
			{
				p.SetState(418)
				_la = p.GetTokenStream().LA(1)

				if !((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&8858370046) != 0) {
					p.GetErrorHandler().RecoverInline(p)
				} else {
					p.GetErrorHandler().ReportMatch(p)
					p.Consume()
				}
			}

			p.SetState(423)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}
		p.SetState(432)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		if (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&3811465379184640) != 0 {
			{
				p.SetState(424)
				p.Operand()
			}
			p.SetState(429)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)

			for _la == PTXParserCOMMA {
				{
					p.SetState(425)
					p.Match(PTXParserCOMMA)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}
				{
					p.SetState(426)
					p.Operand()
				}

				p.SetState(431)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)
			}

		}
		{
			p.SetState(434)
			p.Match(PTXParserSEMI)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PTXParserEXTERN, PTXParserREG, PTXParserSREG, PTXParserGLOBAL, PTXParserCONST, PTXParserSHARED, PTXParserLOCAL, PTXParserPARAM, PTXParserTEX:
		p.EnterOuterAlt(localctx, 3)
		p.SetState(436)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		if _la == PTXParserEXTERN {
			{
				p.SetState(435)
				p.Match(PTXParserEXTERN)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}

		}
		{
			p.SetState(438)
			p.Variables()
		}
		{
			p.SetState(439)
			p.Match(PTXParserSEMI)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}

	case PTXParserLBRACE:
		p.EnterOuterAlt(localctx, 4)
		{
			p.SetState(441)
			p.Block()
		}

	case PTXParserLOC:
		p.EnterOuterAlt(localctx, 5)
		{
			p.SetState(442)
			p.Loc()
		}

	case PTXParserFILE:
		p.EnterOuterAlt(localctx, 6)
		{
			p.SetState(443)
			p.File()
		}

	case PTXParserPRAGMA:
		p.EnterOuterAlt(localctx, 7)
		{
			p.SetState(444)
			p.Pragma()
		}

	case PTXParserSECTION:
		p.EnterOuterAlt(localctx, 8)
		{
			p.SetState(445)
			p.Section()
		}

	case PTXParserDOTID:
		p.EnterOuterAlt(localctx, 9)
		{
			p.SetState(446)
			p.Unknown()
		}

	case PTXParserSEMI:
		p.EnterOuterAlt(localctx, 10)
		{
			p.SetState(447)
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

	goto errorExit

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
	p.EnterRule(localctx, 34, PTXParserRULE_operand)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	p.SetState(453)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&3799912185593856) != 0 {
		{
			p.SetState(450)
			_la = p.GetTokenStream().LA(1)

			if !((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&3799912185593856) != 0) {
				p.GetErrorHandler().RecoverInline(p)
			} else {
				p.GetErrorHandler().ReportMatch(p)
				p.Consume()
			}
		}

		p.SetState(455)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)
	}
	p.SetState(509)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}

	switch p.GetTokenStream().LA(1) {
	case PTXParserFLOAT, PTXParserHEXFLOAT, PTXParserINT, PTXParserSTRING, PTXParserID, PTXParserLBRACE, PTXParserLBRACK:
		p.SetState(497)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}

		switch p.GetTokenStream().LA(1) {
		case PTXParserID:
			{
				p.SetState(456)
				p.Match(PTXParserID)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			p.SetState(460)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)

			for _la == PTXParserDOTID {
				{
					p.SetState(457)
					p.Match(PTXParserDOTID)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}

				p.SetState(462)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)
			}
			p.SetState(471)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			switch p.GetTokenStream().LA(1) {
			case PTXParserLPAREN:
				{
					p.SetState(463)
					p.Match(PTXParserLPAREN)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}
				{
					p.SetState(464)
					p.Operand()
				}
				{
					p.SetState(465)
					p.Match(PTXParserRPAREN)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}

			case PTXParserLBRACK:
				{
					p.SetState(467)
					p.Match(PTXParserLBRACK)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}
				{
					p.SetState(468)
					p.Operand()
				}
				{
					p.SetState(469)
					p.Match(PTXParserRBRACK)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}

			case PTXParserSEMI, PTXParserCOMMA, PTXParserCOLON, PTXParserRPAREN, PTXParserRBRACE, PTXParserRBRACK, PTXParserLT, PTXParserGT, PTXParserMINUS, PTXParserPLUS, PTXParserPIPE, PTXParserQUESTION, PTXParserOP:

			default:
			}

		case PTXParserINT:
			{
				p.SetState(473)
				p.Match(PTXParserINT)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			p.SetState(478)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)

			if _la == PTXParserLPAREN {
				{
					p.SetState(474)
					p.Match(PTXParserLPAREN)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}
				{
					p.SetState(475)
					p.Operand()
				}
				{
					p.SetState(476)
					p.Match(PTXParserRPAREN)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}

			}

		case PTXParserFLOAT:
			{
				p.SetState(480)
				p.Match(PTXParserFLOAT)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}

		case PTXParserHEXFLOAT:
			{
				p.SetState(481)
				p.Match(PTXParserHEXFLOAT)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}

		case PTXParserSTRING:
			{
				p.SetState(482)
				p.Match(PTXParserSTRING)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}

		case PTXParserLBRACE:
			{
				p.SetState(483)
				p.Braces()
			}

		case PTXParserLBRACK:
			{
				p.SetState(484)
				p.Match(PTXParserLBRACK)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			{
				p.SetState(485)
				p.Operand()
			}
			p.SetState(490)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)

			for _la == PTXParserCOMMA {
				{
					p.SetState(486)
					p.Match(PTXParserCOMMA)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}
				{
					p.SetState(487)
					p.Operand()
				}

				p.SetState(492)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)
			}
			{
				p.SetState(493)
				p.Match(PTXParserRBRACK)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			p.SetState(495)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)

			if _la == PTXParserDOTID {
				{
					p.SetState(494)
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
		p.SetState(506)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		switch p.GetTokenStream().LA(1) {
		case PTXParserLT, PTXParserGT, PTXParserMINUS, PTXParserPLUS, PTXParserPIPE, PTXParserOP:
			{
				p.SetState(499)
				_la = p.GetTokenStream().LA(1)

				if !((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&10097914789494784) != 0) {
					p.GetErrorHandler().RecoverInline(p)
				} else {
					p.GetErrorHandler().ReportMatch(p)
					p.Consume()
				}
			}
			{
				p.SetState(500)
				p.Operand()
			}

		case PTXParserQUESTION:
			{
				p.SetState(501)
				p.Match(PTXParserQUESTION)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			{
				p.SetState(502)
				p.Operand()
			}
			{
				p.SetState(503)
				p.Match(PTXParserCOLON)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			{
				p.SetState(504)
				p.Operand()
			}

		case PTXParserSEMI, PTXParserCOMMA, PTXParserCOLON, PTXParserRPAREN, PTXParserRBRACE, PTXParserRBRACK:

		default:
		}

	case PTXParserLPAREN:
		{
			p.SetState(508)
			p.Paren()
		}

	default:
		p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
		goto errorExit
	}

	goto errorExit

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
	p.EnterRule(localctx, 36, PTXParserRULE_paren)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(511)
		p.Match(PTXParserLPAREN)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	p.SetState(535)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}

	switch p.GetTokenStream().LA(1) {
	case PTXParserDOTID:
		{
			p.SetState(512)
			p.Match(PTXParserDOTID)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(513)
			p.Match(PTXParserRPAREN)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		{
			p.SetState(514)
			p.Operand()
		}

	case PTXParserFLOAT, PTXParserHEXFLOAT, PTXParserINT, PTXParserSTRING, PTXParserID, PTXParserLPAREN, PTXParserRPAREN, PTXParserLBRACE, PTXParserLBRACK, PTXParserMINUS, PTXParserPLUS, PTXParserBANG, PTXParserTILDE:
		p.SetState(523)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		if (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&3811465379184640) != 0 {
			{
				p.SetState(515)
				p.Operand()
			}
			p.SetState(520)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)

			for _la == PTXParserCOMMA {
				{
					p.SetState(516)
					p.Match(PTXParserCOMMA)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}
				{
					p.SetState(517)
					p.Operand()
				}

				p.SetState(522)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)
			}

		}
		{
			p.SetState(525)
			p.Match(PTXParserRPAREN)
			if p.HasError() {
				// Recognition error - abort rule
				goto errorExit
			}
		}
		p.SetState(533)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		switch p.GetTokenStream().LA(1) {
		case PTXParserLT, PTXParserGT, PTXParserMINUS, PTXParserPLUS, PTXParserPIPE, PTXParserOP:
			{
				p.SetState(526)
				_la = p.GetTokenStream().LA(1)

				if !((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&10097914789494784) != 0) {
					p.GetErrorHandler().RecoverInline(p)
				} else {
					p.GetErrorHandler().ReportMatch(p)
					p.Consume()
				}
			}
			{
				p.SetState(527)
				p.Operand()
			}

		case PTXParserQUESTION:
			{
				p.SetState(528)
				p.Match(PTXParserQUESTION)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			{
				p.SetState(529)
				p.Operand()
			}
			{
				p.SetState(530)
				p.Match(PTXParserCOLON)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			{
				p.SetState(531)
				p.Operand()
			}

		case PTXParserSEMI, PTXParserCOMMA, PTXParserCOLON, PTXParserRPAREN, PTXParserRBRACE, PTXParserRBRACK:

		default:
		}

	default:
		p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
		goto errorExit
	}

	goto errorExit

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
	p.EnterRule(localctx, 38, PTXParserRULE_braces)
	var _la int

	p.EnterOuterAlt(localctx, 1)
	{
		p.SetState(537)
		p.Match(PTXParserLBRACE)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}
	p.SetState(632)
	p.GetErrorHandler().Sync(p)
	if p.HasError() {
		goto errorExit
	}
	_la = p.GetTokenStream().LA(1)

	if (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&3802669286162432) != 0 {
		p.SetState(541)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&3799912185593856) != 0 {
			{
				p.SetState(538)
				_la = p.GetTokenStream().LA(1)

				if !((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&3799912185593856) != 0) {
					p.GetErrorHandler().RecoverInline(p)
				} else {
					p.GetErrorHandler().ReportMatch(p)
					p.Consume()
				}
			}

			p.SetState(543)
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

		switch p.GetTokenStream().LA(1) {
		case PTXParserFLOAT, PTXParserHEXFLOAT, PTXParserINT, PTXParserSTRING, PTXParserID, PTXParserLBRACE:
			p.SetState(568)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}

			switch p.GetTokenStream().LA(1) {
			case PTXParserID:
				{
					p.SetState(544)
					p.Match(PTXParserID)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}
				p.SetState(548)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)

				for _la == PTXParserDOTID {
					{
						p.SetState(545)
						p.Match(PTXParserDOTID)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}

					p.SetState(550)
					p.GetErrorHandler().Sync(p)
					if p.HasError() {
						goto errorExit
					}
					_la = p.GetTokenStream().LA(1)
				}
				p.SetState(555)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)

				if _la == PTXParserLPAREN {
					{
						p.SetState(551)
						p.Match(PTXParserLPAREN)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}
					{
						p.SetState(552)
						p.Operand()
					}
					{
						p.SetState(553)
						p.Match(PTXParserRPAREN)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}

				}

			case PTXParserINT:
				{
					p.SetState(557)
					p.Match(PTXParserINT)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}
				p.SetState(562)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)

				if _la == PTXParserLPAREN {
					{
						p.SetState(558)
						p.Match(PTXParserLPAREN)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}
					{
						p.SetState(559)
						p.Operand()
					}
					{
						p.SetState(560)
						p.Match(PTXParserRPAREN)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}

				}

			case PTXParserFLOAT:
				{
					p.SetState(564)
					p.Match(PTXParserFLOAT)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}

			case PTXParserHEXFLOAT:
				{
					p.SetState(565)
					p.Match(PTXParserHEXFLOAT)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}

			case PTXParserSTRING:
				{
					p.SetState(566)
					p.Match(PTXParserSTRING)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}

			case PTXParserLBRACE:
				{
					p.SetState(567)
					p.Braces()
				}

			default:
				p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
				goto errorExit
			}
			p.SetState(577)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			switch p.GetTokenStream().LA(1) {
			case PTXParserASSIGN, PTXParserLT, PTXParserGT, PTXParserMINUS, PTXParserPLUS, PTXParserPIPE, PTXParserOP:
				{
					p.SetState(570)
					_la = p.GetTokenStream().LA(1)

					if !((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&10098189667401728) != 0) {
						p.GetErrorHandler().RecoverInline(p)
					} else {
						p.GetErrorHandler().ReportMatch(p)
						p.Consume()
					}
				}
				{
					p.SetState(571)
					p.Operand()
				}

			case PTXParserQUESTION:
				{
					p.SetState(572)
					p.Match(PTXParserQUESTION)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}
				{
					p.SetState(573)
					p.Operand()
				}
				{
					p.SetState(574)
					p.Match(PTXParserCOLON)
					if p.HasError() {
						// Recognition error - abort rule
						goto errorExit
					}
				}
				{
					p.SetState(575)
					p.Operand()
				}

			case PTXParserCOMMA, PTXParserRBRACE:

			default:
			}

		case PTXParserLPAREN:
			{
				p.SetState(579)
				p.Paren()
			}

		default:
			p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
			goto errorExit
		}
		p.SetState(629)
		p.GetErrorHandler().Sync(p)
		if p.HasError() {
			goto errorExit
		}
		_la = p.GetTokenStream().LA(1)

		for _la == PTXParserCOMMA {
			{
				p.SetState(582)
				p.Match(PTXParserCOMMA)
				if p.HasError() {
					// Recognition error - abort rule
					goto errorExit
				}
			}
			p.SetState(586)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)

			for (int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&3799912185593856) != 0 {
				{
					p.SetState(583)
					_la = p.GetTokenStream().LA(1)

					if !((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&3799912185593856) != 0) {
						p.GetErrorHandler().RecoverInline(p)
					} else {
						p.GetErrorHandler().ReportMatch(p)
						p.Consume()
					}
				}

				p.SetState(588)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				_la = p.GetTokenStream().LA(1)
			}
			p.SetState(625)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}

			switch p.GetTokenStream().LA(1) {
			case PTXParserFLOAT, PTXParserHEXFLOAT, PTXParserINT, PTXParserSTRING, PTXParserID, PTXParserLBRACE:
				p.SetState(613)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}

				switch p.GetTokenStream().LA(1) {
				case PTXParserID:
					{
						p.SetState(589)
						p.Match(PTXParserID)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}
					p.SetState(593)
					p.GetErrorHandler().Sync(p)
					if p.HasError() {
						goto errorExit
					}
					_la = p.GetTokenStream().LA(1)

					for _la == PTXParserDOTID {
						{
							p.SetState(590)
							p.Match(PTXParserDOTID)
							if p.HasError() {
								// Recognition error - abort rule
								goto errorExit
							}
						}

						p.SetState(595)
						p.GetErrorHandler().Sync(p)
						if p.HasError() {
							goto errorExit
						}
						_la = p.GetTokenStream().LA(1)
					}
					p.SetState(600)
					p.GetErrorHandler().Sync(p)
					if p.HasError() {
						goto errorExit
					}
					_la = p.GetTokenStream().LA(1)

					if _la == PTXParserLPAREN {
						{
							p.SetState(596)
							p.Match(PTXParserLPAREN)
							if p.HasError() {
								// Recognition error - abort rule
								goto errorExit
							}
						}
						{
							p.SetState(597)
							p.Operand()
						}
						{
							p.SetState(598)
							p.Match(PTXParserRPAREN)
							if p.HasError() {
								// Recognition error - abort rule
								goto errorExit
							}
						}

					}

				case PTXParserINT:
					{
						p.SetState(602)
						p.Match(PTXParserINT)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}
					p.SetState(607)
					p.GetErrorHandler().Sync(p)
					if p.HasError() {
						goto errorExit
					}
					_la = p.GetTokenStream().LA(1)

					if _la == PTXParserLPAREN {
						{
							p.SetState(603)
							p.Match(PTXParserLPAREN)
							if p.HasError() {
								// Recognition error - abort rule
								goto errorExit
							}
						}
						{
							p.SetState(604)
							p.Operand()
						}
						{
							p.SetState(605)
							p.Match(PTXParserRPAREN)
							if p.HasError() {
								// Recognition error - abort rule
								goto errorExit
							}
						}

					}

				case PTXParserFLOAT:
					{
						p.SetState(609)
						p.Match(PTXParserFLOAT)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}

				case PTXParserHEXFLOAT:
					{
						p.SetState(610)
						p.Match(PTXParserHEXFLOAT)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}

				case PTXParserSTRING:
					{
						p.SetState(611)
						p.Match(PTXParserSTRING)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}

				case PTXParserLBRACE:
					{
						p.SetState(612)
						p.Braces()
					}

				default:
					p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
					goto errorExit
				}
				p.SetState(622)
				p.GetErrorHandler().Sync(p)
				if p.HasError() {
					goto errorExit
				}
				switch p.GetTokenStream().LA(1) {
				case PTXParserASSIGN, PTXParserLT, PTXParserGT, PTXParserMINUS, PTXParserPLUS, PTXParserPIPE, PTXParserOP:
					{
						p.SetState(615)
						_la = p.GetTokenStream().LA(1)

						if !((int64(_la) & ^0x3f) == 0 && ((int64(1)<<_la)&10098189667401728) != 0) {
							p.GetErrorHandler().RecoverInline(p)
						} else {
							p.GetErrorHandler().ReportMatch(p)
							p.Consume()
						}
					}
					{
						p.SetState(616)
						p.Operand()
					}

				case PTXParserQUESTION:
					{
						p.SetState(617)
						p.Match(PTXParserQUESTION)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}
					{
						p.SetState(618)
						p.Operand()
					}
					{
						p.SetState(619)
						p.Match(PTXParserCOLON)
						if p.HasError() {
							// Recognition error - abort rule
							goto errorExit
						}
					}
					{
						p.SetState(620)
						p.Operand()
					}

				case PTXParserCOMMA, PTXParserRBRACE:

				default:
				}

			case PTXParserLPAREN:
				{
					p.SetState(624)
					p.Paren()
				}

			default:
				p.SetError(antlr.NewNoViableAltException(p, nil, nil, nil, nil, nil))
				goto errorExit
			}

			p.SetState(631)
			p.GetErrorHandler().Sync(p)
			if p.HasError() {
				goto errorExit
			}
			_la = p.GetTokenStream().LA(1)
		}

	}
	{
		p.SetState(634)
		p.Match(PTXParserRBRACE)
		if p.HasError() {
			// Recognition error - abort rule
			goto errorExit
		}
	}

	goto errorExit

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
}
