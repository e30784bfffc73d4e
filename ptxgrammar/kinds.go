// Classes of tokens.

package ptxgrammar

import (
	"github.com/ptxsan/ptxsan/ptxgrammar/internal/antlrgen"
	"github.com/ptxsan/ptxsan/ptxgrammar/internal/lex"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// Tok is a token: byte offset, length and kind.
type Tok = lex.Tok

// Token kinds, under short names.
const (
	tokVERSION       = antlrgen.PTXLexerVERSION
	tokTARGET        = antlrgen.PTXLexerTARGET
	tokADDRESSSIZE   = antlrgen.PTXLexerADDRESS_SIZE
	tokFILE          = antlrgen.PTXLexerFILE
	tokLOC           = antlrgen.PTXLexerLOC
	tokSECTION       = antlrgen.PTXLexerSECTION
	tokFUNC          = antlrgen.PTXLexerFUNC
	tokENTRY         = antlrgen.PTXLexerENTRY
	tokEXTERN        = antlrgen.PTXLexerEXTERN
	tokVISIBLE       = antlrgen.PTXLexerVISIBLE
	tokWEAK          = antlrgen.PTXLexerWEAK
	tokCOMMON        = antlrgen.PTXLexerCOMMON
	tokREG           = antlrgen.PTXLexerREG
	tokSREG          = antlrgen.PTXLexerSREG
	tokGLOBAL        = antlrgen.PTXLexerGLOBAL
	tokCONST         = antlrgen.PTXLexerCONST
	tokSHARED        = antlrgen.PTXLexerSHARED
	tokLOCAL         = antlrgen.PTXLexerLOCAL
	tokPARAM         = antlrgen.PTXLexerPARAM
	tokTEX           = antlrgen.PTXLexerTEX
	tokALIGN         = antlrgen.PTXLexerALIGN
	tokATTRIBUTE     = antlrgen.PTXLexerATTRIBUTE
	tokPRAGMA        = antlrgen.PTXLexerPRAGMA
	tokALIAS         = antlrgen.PTXLexerALIAS
	tokBRANCHTARGETS = antlrgen.PTXLexerBRANCHTARGETS
	tokCALLTARGETS   = antlrgen.PTXLexerCALLTARGETS
	tokCALLPROTOTYPE = antlrgen.PTXLexerCALLPROTOTYPE
	tokFLOAT         = antlrgen.PTXLexerFLOAT
	tokHEXFLOAT      = antlrgen.PTXLexerHEXFLOAT
	tokINT           = antlrgen.PTXLexerINT
	tokSTRING        = antlrgen.PTXLexerSTRING
	tokID            = antlrgen.PTXLexerID
	tokDOTID         = antlrgen.PTXLexerDOTID
	tokSEMI          = antlrgen.PTXLexerSEMI
	tokCOMMA         = antlrgen.PTXLexerCOMMA
	tokCOLON         = antlrgen.PTXLexerCOLON
	tokAT            = antlrgen.PTXLexerAT
	tokASSIGN        = antlrgen.PTXLexerASSIGN
	tokLPAREN        = antlrgen.PTXLexerLPAREN
	tokRPAREN        = antlrgen.PTXLexerRPAREN
	tokLBRACE        = antlrgen.PTXLexerLBRACE
	tokRBRACE        = antlrgen.PTXLexerRBRACE
	tokLBRACK        = antlrgen.PTXLexerLBRACK
	tokRBRACK        = antlrgen.PTXLexerRBRACK
	tokLT            = antlrgen.PTXLexerLT
	tokGT            = antlrgen.PTXLexerGT
	tokMINUS         = antlrgen.PTXLexerMINUS
	tokPLUS          = antlrgen.PTXLexerPLUS
	tokPIPE          = antlrgen.PTXLexerPIPE
	tokBANG          = antlrgen.PTXLexerBANG
	tokTILDE         = antlrgen.PTXLexerTILDE
	tokQUESTION      = antlrgen.PTXLexerQUESTION
	tokOP            = antlrgen.PTXLexerOP
	tokOPENSTRING    = antlrgen.PTXLexerOPEN_STRING
	tokOPENCOMMENT   = antlrgen.PTXLexerOPEN_COMMENT
	tokPLACE         = antlrgen.PTXLexerPLACE
	tokSOURCE        = antlrgen.PTXLexerSOURCE
	tokOPENSOURCE    = antlrgen.PTXLexerOPEN_SOURCE
	tokERRCHAR       = antlrgen.PTXLexerERRCHAR
	tokEOF           = lex.EOF
)

// spaceOf returns the state space that a token kind names, SpaceNone for others.
func spaceOf(kind uint8) isa.Space {
	switch kind {
	case tokREG:
		return isa.SpaceReg
	case tokSREG:
		return isa.SpaceSreg
	case tokGLOBAL:
		return isa.SpaceGlobal
	case tokCONST:
		return isa.SpaceConst
	case tokSHARED:
		return isa.SpaceShared
	case tokLOCAL:
		return isa.SpaceLocal
	case tokPARAM:
		return isa.SpaceParam
	case tokTEX:
		return isa.SpaceTex
	}
	return isa.SpaceNone
}

// linkageOf returns the linking directive of a token kind, 0 for others.
func linkageOf(kind uint8) Linkage {
	switch kind {
	case tokEXTERN:
		return Extern
	case tokVISIBLE:
		return Visible
	case tokWEAK:
		return Weak
	case tokCOMMON:
		return Common
	}
	return 0
}

// isModifier reports whether a token of the kind can follow an opcode as a modifier.
func isModifier(kind uint8) bool {
	switch kind {
	case tokDOTID, tokVERSION, tokTARGET, tokADDRESSSIZE, tokFILE, tokLOC, tokSECTION, tokFUNC, tokENTRY, tokEXTERN,
		tokVISIBLE,
		tokWEAK, tokCOMMON, tokREG, tokSREG, tokGLOBAL, tokCONST, tokSHARED, tokLOCAL, tokPARAM, tokTEX, tokALIGN,
		tokATTRIBUTE,
		tokPRAGMA, tokALIAS, tokBRANCHTARGETS, tokCALLTARGETS, tokCALLPROTOTYPE:
		return true
	}
	return false
}
