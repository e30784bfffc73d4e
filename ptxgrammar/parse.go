// Parsing a text.

package ptxgrammar

import (
	"runtime"
	"unsafe"

	"github.com/ptxsan/ptxsan/ptxgrammar/internal/antlrgen"
	"github.com/ptxsan/ptxsan/ptxgrammar/internal/lex"
)

// Parse parses PTX text. On failure the module is nil and the error is an ErrorList: one message per statement in
// error, with the offending token and the expected ones, or the one limit that the text exceeds (ErrTooLarge,
// ErrTooDeep, ErrTooLong). Parse never panics on any input. The module refers to src, which must not be changed
// afterwards.
//
// Large texts are parsed on as many processors as runtime.GOMAXPROCS allows; the result does not depend on their
// number.
func Parse(name string, src []byte) (*Module, error) {
	return parse(name, src, runtime.GOMAXPROCS(0), minSegment)
}

// parse is Parse with a number of workers and the minimum number of tokens for each.
func parse(name string, src []byte, workers, segment int) (*Module, error) {
	if err := checkSource(name, src); err != nil {
		return nil, ErrorList{err}
	}
	file, toks := scan(name, src, workers)
	if len(toks) == 1 {
		return nil, ErrorList{{Pos: file.Position(0), Msg: "the file is empty, expected PTX text"}}
	}
	cuts, err := survey(file, toks, segmentSize(len(toks), workers, segment))
	if err != nil {
		return nil, ErrorList{err}
	}
	m, errs, ok := parseSegments(file, toks, cuts, workers)
	if !ok {
		b := newBuilder(file, toks, 0, len(toks))
		if b.run(0, len(toks)) {
			panic("BUG: a text is correct as a whole and not in parts")
		}
		return nil, diagnose(file, toks, b.item)
	}
	if len(errs) > 0 {
		errs.Sort()
		return nil, errs
	}
	return m, nil
}

// scan returns lines and tokens.
func scan(name string, src []byte, workers int) (*File, []Tok) {
	if workers == 1 {
		return NewFile(name, src), lex.Scan(src, 1)
	}
	file := make(chan *File)
	go func() { file <- NewFile(name, src) }()
	toks := lex.Scan(src, workers)
	return <-file, toks
}

// run parses the tokens [from, to) in fast mode and builds the tree. It reports whether the syntax is correct; if not,
// b.item is the first token of the item in error.
func (b *builder) run(from, to int) (ok bool) {
	defer func() {
		if e := recover(); e != nil {
			if _, syntax := e.(antlrgen.SyntaxError); !syntax {
				panic(e)
			}
		}
	}()
	antlrgen.NewFastParser(b.toks, from, to, b).Module()
	return true
}

// view returns src as a string without a copy, so that names need no allocation.
func view(src []byte) string { return unsafe.String(unsafe.SliceData(src), len(src)) }
