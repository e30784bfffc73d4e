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
	staticData.serializedATN = numbers(parserATN)
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
