// Package ptxgrammar parses PTX text to a lossless syntax tree, and applies edits of the tree to the text.
//
// The grammar is generic: an instruction is a name with dotted modifiers and operands. Package isa defines which
// instructions exist, and which modifiers and operands they accept; a new PTX release adds rows there and leaves the
// grammar unchanged. The package must not know name resolution, control flow or execution (package rewrite and above).
//
// # From text to tree
//
//	src ── internal/lex ──▶ []Tok ── internal/antlrgen ──▶ rule events ── builder ──▶ Module
//	                                   │ on a syntax error
//	                                   └─▶ again, in slow mode ── diagnoser ──▶ ErrorList
//
// PTXLexer.g4 and PTXParser.g4 are the single source of truth. The ANTLR tool generates package antlrgen from them. The
// lexer that Parse runs is a table compiled from the same lexer grammar (internal/lexgen); the generated ANTLR lexer is
// its test oracle. The generated parser runs without parse tree and error recovery, on a flat token array, and notifies
// the builder (build*.go) of the beginning and end of each rule. Only if that fails, it runs again with the runtime's
// contexts, to produce good messages (syntax.go, expected.go).
//
// To change the grammar: edit the .g4 files, run generate.sh, add a file to testdata/corpus, and go test -update.
//
// # The tree
//
// A Module stores instructions and operands in arrays without pointers, which are read through methods (node.go). Every
// node has its byte range. White space and comments belong to no node: they are the bytes in between. Therefore
// printing is copying (print.go), and a change of the program is a list of edits to its text (edit.go).
//
// # Limits
//
// Work and memory are linear in the text. Texts that are too large or too deep are rejected (limits.go). Large texts
// are lexed and parsed in parts, on all processors (internal/lex, segment.go); the tree is the same.
package ptxgrammar

//go:generate ./generate.sh
