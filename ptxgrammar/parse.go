package ptxgrammar

import (
	"bytes"
	"fmt"
	"unsafe"

	"github.com/ptxsan/ptxsan/ptxgrammar/internal/antlrgen"
	"github.com/ptxsan/ptxsan/ptxgrammar/internal/lex"
)

// Limits of Parse. Larger inputs are refused with a message.
const (
	maxSource  = 1<<31 - 1 // bytes; offsets are 32 bits wide
	maxNesting = 1000      // brackets of all kinds open at one place
	maxChain   = 10000     // operators between two separators
	maxErrors  = 50        // messages of one ErrorList
)

// Parse reads PTX text. On failure the module is nil and the error is an
// ErrorList: one message per statement in error, naming the offending token and
// what was expected. Parse never panics on any input. The module refers to src,
// which must not be changed afterwards.
func Parse(name string, src []byte) (*Module, error) {
	if err := checkSource(name, src); err != nil {
		return nil, ErrorList{err}
	}
	file := NewFile(name, src)
	toks := lex.Scan(src)
	if len(toks) == 1 {
		return nil, ErrorList{{file.Position(0), "the file is empty, expected PTX text"}}
	}
	if err := checkNesting(file, toks); err != nil {
		return nil, ErrorList{err}
	}
	b := newBuilder(file, toks)
	if !b.run() {
		return nil, diagnose(file, toks, b.item)
	}
	if len(b.errs) > 0 {
		b.errs.Sort()
		return nil, b.errs
	}
	return b.m, nil
}

// run parses in fast mode and builds the tree. It reports whether the text has the
// syntax of PTX; b.item is then the token where the item in error begins.
func (b *builder) run() (ok bool) {
	defer func() {
		if e := recover(); e != nil {
			if _, syntax := e.(antlrgen.SyntaxError); !syntax {
				panic(e)
			}
		}
	}()
	antlrgen.NewFastParser(b.toks, b).Module()
	return true
}

// checkSource refuses texts that are too large or no text at all.
func checkSource(name string, src []byte) *Error {
	at := Position{File: name, Line: 1, Col: 1}
	switch {
	case len(src) > maxSource:
		return &Error{at, fmt.Sprintf("file of %d bytes is too large: at most %d", len(src), maxSource)}
	case bytes.HasPrefix(src, []byte("\x7fELF")):
		return &Error{at, "this is an ELF file, not PTX text"}
	case bytes.HasPrefix(src, []byte{0x50, 0xed, 0x55, 0xba}):
		return &Error{at, "this is a fat binary, not PTX text"}
	}
	return nil
}

// checkNesting bounds the depth of recursion of the parser.
func checkNesting(f *File, toks []lex.Tok) *Error {
	depth, chain := 0, 0
	for _, t := range toks {
		switch t.Kind() {
		case tokLBRACE, tokLPAREN, tokLBRACK:
			depth++
			chain = 0
		case tokRBRACE, tokRPAREN, tokRBRACK:
			depth--
		case tokSEMI, tokCOMMA:
			chain = 0
		case tokMINUS, tokPLUS, tokPIPE, tokBANG, tokTILDE, tokLT, tokGT, tokOP, tokASSIGN, tokQUESTION:
			chain++
		}
		if depth > maxNesting {
			return &Error{f.Position(t.Off), fmt.Sprintf("brackets are nested more than %d deep", maxNesting)}
		}
		if chain > maxChain {
			return &Error{f.Position(t.Off), fmt.Sprintf("expression of more than %d operators", maxChain)}
		}
	}
	return nil
}

// view is src as a string without a copy, so that names cost nothing.
func view(src []byte) string { return unsafe.String(unsafe.SliceData(src), len(src)) }
