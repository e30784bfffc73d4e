// Writing the table of the lexer.

package main

import (
	"bytes"
	"fmt"
	"go/format"

	"github.com/ptxsan/ptxsan/ptxgrammar/internal/antlrgen"
)

// Generate returns the source of the lexer table for the grammar in package antlrgen.
func Generate() ([]byte, error) {
	a, err := readATN(antlrgen.LexerATN())
	if err != nil {
		return nil, err
	}
	nfa, initial, err := buildNFA(a)
	if err != nil {
		return nil, err
	}
	return emit(minimise(determinise(nfa, initial)))
}

func emit(d *dfa) ([]byte, error) {
	class, classes := d.classes()
	if len(d.accept) > 1<<16 || classes > 1<<8 {
		return nil, fmt.Errorf("%d states and %d classes do not fit the table", len(d.accept), classes)
	}
	var b bytes.Buffer
	b.WriteString("// Code generated from PTXLexer.g4 by internal/lexgen. DO NOT EDIT.\n\npackage lex\n\n")
	fmt.Fprintf(&b, "const (\nnumStates = %d\nnumClasses = %d\nstartState = %d\n", len(d.accept), classes, d.start)
	fmt.Fprintf(&b, "firstSkipped = %d\nlastSkipped = %d\n)\n", antlrgen.PTXLexerWS, antlrgen.PTXLexerDWARF)
	b.WriteString("\n// class of each byte.\nvar class = [256]uint8{")
	numbers(&b, class[:], 64)
	b.WriteString("\n}\n\n// accept is the token kind that ends in a state, 0 for none.\nvar accept = [numStates]uint8{")
	numbers(&b, d.accept, 64)
	b.WriteString("\n}\n\n// trans is the next state by state and class; 0 is the dead state.\nvar trans = [numStates * numClasses]uint16{")
	for s := range d.next {
		row := make([]int, classes)
		for c, to := range d.next[s] {
			row[class[c]] = to
		}
		numbers(&b, row, classes) // a line for each state
	}
	b.WriteString("\n}\n")
	return format.Source(b.Bytes())
}

// numbers writes numbers in lines of n.
func numbers(b *bytes.Buffer, vs []int, n int) {
	for i, v := range vs {
		if i%n == 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(b, "%d, ", v)
	}
}
