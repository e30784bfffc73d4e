// Tokens of PTX. Opcodes, types and modifiers are not keywords: a new PTX release adds
// rows to package isa and leaves this file alone. Only the directives that the parser
// must recognise to decide with one token of lookahead have a token of their own.
//
// This file is compiled twice: by the ANTLR tool to internal/antlrgen, and from there by
// internal/lexgen to the table in lextable.go, which is what Parse runs. So: no modes, no
// predicates, no non-greedy loops; every rule is a regular expression over bytes.
lexer grammar PTXLexer;

VERSION       : '.version';
TARGET        : '.target';
ADDRESS_SIZE  : '.address_size';
FILE          : '.file';
LOC           : '.loc';
SECTION       : '.section';
PLACE         : '.loc_intermediate';
// A text between braces (PTX ISA 9.4 "Debugging Directives").
SOURCE        : '.nv_intermediate_source_section' Blank* '{' (Blank | SourceText Dots 'source_end' Blank* '}')* '}';
FUNC          : '.func';
ENTRY         : '.entry';
EXTERN        : '.extern';
VISIBLE       : '.visible';
WEAK          : '.weak';
COMMON        : '.common';
REG           : '.reg';
SREG          : '.sreg';
GLOBAL        : '.global';
// Banks are PTX before 2.2 (PTX ISA "Banked Constant State Space").
CONST         : '.const' ('[' Digit+ ']')?;
SHARED        : '.shared';
LOCAL         : '.local';
PARAM         : '.param';
TEX           : '.tex';
ALIGN         : '.align';
ATTRIBUTE     : '.attribute';
PRAGMA        : '.pragma';
ALIAS         : '.alias';
BRANCHTARGETS : '.branchtargets';
CALLTARGETS   : '.calltargets';
CALLPROTOTYPE : '.callprototype';

// Longest match tells .5 from .2d and 1.0 from a member access.
FLOAT    : Digit+ '.' Digit* Exp? | '.' Digit+ Exp? | Digit+ Exp;
HEXFLOAT : '0' [fFdD] Hex+;
INT      : ('0' [xX] Hex+ | '0' [bB] [01]+ | Digit+) 'U'?;
STRING   : '"' (~["\\\r\n] | '\\' ~[\r\n])* '"';
ID       : ([a-zA-Z_$] | '%' Follow) Follow*;
// A ratio is a part of a name: .sp::2:4.
DOTID    : '.' Follow+ ('::' Follow+ (':' Digit+)?)*;

SEMI     : ';';
COMMA    : ',';
COLON    : ':';
AT       : '@';
ASSIGN   : '=';
LPAREN   : '(';
RPAREN   : ')';
LBRACE   : '{';
RBRACE   : '}';
LBRACK   : '[';
RBRACK   : ']';
LT       : '<';
GT       : '>';
MINUS    : '-';
PLUS     : '+';
PIPE     : '|';
BANG     : '!';
TILDE    : '~';
QUESTION : '?';
OP       : '*' | '/' | '%' | '<<' | '>>' | '<=' | '>=' | '==' | '!=' | '&' | '^' | '&&' | '||';

WS           : [ \t\r\n\f]+ -> skip;
LINE_COMMENT : '//' ~[\r\n]* -> skip;
COMMENT      : '/*' (~'*' | '*'+ ~[*/])* '*'+ '/' -> skip;
// Preprocessor line markers, and the DWARF lines of PTX before 3.0.
HASH         : '#' ~[\r\n]* -> skip;
DWARF        : '@@' ~[\r\n]* -> skip;

// What follows is never right; these tokens make the lexer total and its time linear.
OPEN_STRING  : '"' (~["\\\r\n] | '\\' ~[\r\n])* '\\'?;
OPEN_COMMENT : '/*' (~'*' | '*'+ ~[*/])* '*'*;
OPEN_SOURCE  : '.nv_intermediate_source_section' Blank* '{' (Blank | SourceText Dots 'source_end' Blank* '}')* SourceText;
ERRCHAR      : .;

fragment Digit  : [0-9];
fragment Hex    : [0-9a-fA-F];
fragment Follow : [a-zA-Z0-9_$];
fragment Exp    : [eE] [+-]? Digit+;

fragment Blank  : [ \t\r\n\f];
fragment SourceText : '.code_block' Blank* '{' Blank* '.ir_name:' Blank* '"' ~["\r\n]* '"'
                      Blank* '.sourceFileName:' Blank* Digit+ Blank* '.source_begin' (~'.' | Dots Other)*;
// What follows a dot and is not source_end.
fragment Dots   : '.' (Start? '.')*;
fragment Start  : 's' | 'so' | 'sou' | 'sour' | 'sourc' | 'source' | 'source_' | 'source_e' | 'source_en';
fragment Other  : ~[.s] | 's' ~[.o] | 'so' ~[.u] | 'sou' ~[.r] | 'sour' ~[.c] | 'sourc' ~[.e]
                | 'source' ~[._] | 'source_' ~[.e] | 'source_e' ~[.n] | 'source_en' ~[.d];
