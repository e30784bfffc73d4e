// Command lexgen writes the lexer table of package lex: the deterministic automaton of
// PTXLexer.g4, compiled from the serialized grammar that the ANTLR tool writes to package
// antlrgen. Usage: lexgen -o FILE.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	out := flag.String("o", "", "file to write")
	flag.Parse()
	src, err := Generate()
	if err == nil {
		err = os.WriteFile(*out, src, 0o666)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "lexgen:", err)
		os.Exit(1)
	}
}
