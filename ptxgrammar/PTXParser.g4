// Syntax of PTX, generic in the opcode: an instruction is a name with dotted modifiers
// and operands. What each opcode accepts is package isa's business.
//
// Rules of this file:
//   - pure grammar; the superclass turns rule entry and exit into syntax-tree events;
//   - every decision takes one token (a test counts the exceptions: one, a .pragma in a
//     function header against one after a prototype without ';'; the header takes it,
//     see takesPragma in internal/antlrgen);
//   - operator chains are flat, precedence belongs to the tree builder;
//   - what occurs by the million (modifiers, elements in braces, section data) is a token
//     loop, not a rule;
//   - every directive is a modifier too (fence.proxy.alias): the builder refuses one that
//     begins a line, since then a ';' is missing.
parser grammar PTXParser;

options { tokenVocab = PTXLexer; superClass = PTXBase; }

module : item* EOF;

item
  : VERSION FLOAT
  | TARGET ID (COMMA ID)*
  | ADDRESS_SIZE INT
  | ALIAS ID COMMA ID SEMI
  | file
  | loc
  | section
  | SOURCE
  | pragma
  | unknown
  | (EXTERN | VISIBLE | WEAK | COMMON)* (function | variables SEMI)
  ;

// A directive of a release newer than this file.
unknown : DOTID (ID | DOTID | INT | FLOAT | HEXFLOAT | STRING | COMMA | MINUS)* SEMI;

file : FILE INT STRING (COMMA INT)*;

// .loc file line column [, function_name label [+ offset], inlined_at file line column]
loc : LOC INT INT INT (COMMA ID ID (PLUS INT)? COMMA ID INT INT INT)?;

pragma : PRAGMA STRING (COMMA STRING)* SEMI;

// Data lines have no terminator: a value ends where no '+' or '-' follows.
section
  : SECTION (DOTID | STRING | ID) (COMMA STRING)* LBRACE
    ( DOTID (MINUS? INT | FLOAT | HEXFLOAT | STRING | (ID | DOTID) ((PLUS | MINUS) (INT | ID | DOTID))?)
      (COMMA (MINUS? INT | FLOAT | HEXFLOAT | STRING | (ID | DOTID) ((PLUS | MINUS) (INT | ID | DOTID))?))*
    | ID COLON
    )*
    RBRACE
  ;

// PTX 1.x prototypes end without ';'.
function
  : (FUNC attribute? params? | ENTRY) ID params?
    (DOTID ((INT | STRING) (COMMA (INT | STRING))*)? | pragma)*
    (block | SEMI)?
  ;

params    : LPAREN (param (COMMA param)*)? RPAREN;
// NVVM 13.1 writes .hidden before parameters that the host does not pass.
param     : DOTID? space typing (ID (LBRACK operand? RBRACK)*)?;
attribute : ATTRIBUTE LPAREN DOTID (LPAREN INT (COMMA INT)* RPAREN)? (COMMA DOTID (LPAREN INT (COMMA INT)* RPAREN)?)* RPAREN;

variables  : space typing declarator (COMMA declarator)*;
space      : REG | SREG | GLOBAL | CONST | SHARED | LOCAL | PARAM | TEX;
typing     : (ALIGN INT | attribute | DOTID | GLOBAL | CONST | SHARED | LOCAL | PARAM)*;
declarator : ID (LT INT GT)? (LBRACK operand? RBRACK)* (ASSIGN operand)?;

block : LBRACE stmt* RBRACE;

stmt
  : ID
    ( COLON
      ( BRANCHTARGETS ID (COMMA ID)* SEMI
      | CALLTARGETS ID (COMMA ID)* SEMI
      | CALLPROTOTYPE params? ID params? (DOTID (INT (COMMA INT)*)?)* SEMI
      )?
    | (DOTID | VERSION | TARGET | ADDRESS_SIZE | FILE | LOC | SECTION | FUNC | ENTRY
      | EXTERN | VISIBLE | WEAK | COMMON | REG | SREG | GLOBAL | CONST | SHARED | LOCAL
      | PARAM | TEX | ALIGN | ATTRIBUTE | PRAGMA | ALIAS | BRANCHTARGETS | CALLTARGETS
      | CALLPROTOTYPE)*
      (operand (COMMA operand)*)? SEMI
    )
  | AT BANG? ID ID
    (DOTID | VERSION | TARGET | ADDRESS_SIZE | FILE | LOC | SECTION | FUNC | ENTRY
    | EXTERN | VISIBLE | WEAK | COMMON | REG | SREG | GLOBAL | CONST | SHARED | LOCAL
    | PARAM | TEX | ALIGN | ATTRIBUTE | PRAGMA | ALIAS | BRANCHTARGETS | CALLTARGETS
    | CALLPROTOTYPE)*
    (operand (COMMA operand)*)? SEMI
  | EXTERN? variables SEMI
  | block
  | loc
  | PLACE INT INT INT
  | file
  | pragma
  | section
  | unknown
  | SEMI
  ;

operand
  : (MINUS | PLUS | BANG | TILDE)*
    ( ( ID DOTID* (LPAREN operand RPAREN | LBRACK operand RBRACK)?
      | INT (LPAREN operand RPAREN)?
      | FLOAT
      | HEXFLOAT
      | STRING
      | braces
      | LBRACK operand (COMMA operand)* RBRACK DOTID?
      )
      ((PLUS | MINUS | PIPE | LT | GT | OP) operand | QUESTION operand COLON operand)?
    | paren
    )
  ;

// A cast, a parenthesised expression, or the list of a call.
paren
  : LPAREN
    ( DOTID RPAREN operand
    | (operand (COMMA operand)*)? RPAREN
      ((PLUS | MINUS | PIPE | LT | GT | OP) operand | QUESTION operand COLON operand)?
    )
  ;

// Vectors and initialisers. An element is an operand, spelled out so that a million of
// numbers costs one rule and not a million.
braces
  : LBRACE
    ( (MINUS | PLUS | BANG | TILDE)*
      ( (ID DOTID* (LPAREN operand RPAREN)? | INT (LPAREN operand RPAREN)? | FLOAT | HEXFLOAT | STRING | braces)
        ((PLUS | MINUS | PIPE | LT | GT | OP | ASSIGN) operand | QUESTION operand COLON operand)?
      | paren
      )
      ( COMMA (MINUS | PLUS | BANG | TILDE)*
        ( (ID DOTID* (LPAREN operand RPAREN)? | INT (LPAREN operand RPAREN)? | FLOAT | HEXFLOAT | STRING | braces)
          ((PLUS | MINUS | PIPE | LT | GT | OP | ASSIGN) operand | QUESTION operand COLON operand)?
        | paren
        )
      )*
    )?
    RBRACE
  ;
