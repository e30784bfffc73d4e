package ptxgrammar_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar"
)

// large lists texts that a parser with quadratic time would not finish, or whose depth would overflow the stack. limit
// is the error that rejects them, message a syntax error in them; neither means that they are PTX.
var large = []struct {
	name, text string
	limit      error
	message    string
}{
	{"braces", repeat("{", 1_000_000), ptxgrammar.ErrTooDeep, "brackets are nested more than 1000 deep"},
	{"blocks", inBody(repeat("{", 1_000_000)), ptxgrammar.ErrTooDeep, "brackets are nested more than 1000 deep"},
	{"parentheses", inBody("mov.u32 a, " + repeat("(", 1_000_000)), ptxgrammar.ErrTooDeep, "brackets are nested more than 1000 deep"},
	{"closing braces", repeat("}", 1_000_000), nil, `unexpected "}"`},
	{"side by side", inBody(repeat("{}", 300_000)), nil, ""},
	{"semicolons", inBody(repeat(";", 300_000)), nil, ""},
	{"one line", inBody(repeat("add.u32 a, a, 1; ", 60_000)), nil, ""},
	{"one line, errors", inBody(repeat("add.u32 a a, 1; ", 60_000)), nil, `unexpected "a"`},
	{"one line, error at the end", inBody(repeat("add.u32 a, a, 1; ", 60_000) + "add 1 2;"), nil, `unexpected "2"`},
	{"names", inBody(repeat("a ", 500_000)), nil, `unexpected "a"`},
	{"labels", inBody(repeat("L: ", 1_000_000)), nil, ""},
	{"label list", inBody("L: .branchtargets " + repeat("L, ", 300_000) + "L;"), nil, ""},
	{"vector", inBody("mov.b32 {" + repeat("a, ", 100_000) + "a}, b;"), nil, ""},
	{"signs", inBody("mov.u32 a, " + repeat("-", 1_000_000) + "1;"), ptxgrammar.ErrTooLong, "expression of more than 10000 operators"},
	{"sum", inBody("mov.u32 a, 1" + repeat("+1", 1_000_000) + ";"), ptxgrammar.ErrTooLong, "expression of more than 10000 operators"},
	{"sums in parentheses", inBody("mov.u32 a, " + repeat(repeat("1+", 9_000)+"(", 100)), ptxgrammar.ErrTooLong, "expression of more than 10000 operators"},
	{"sums in braces", inBody("mov.u32 a, " + repeat(repeat("1?1:", 900)+"{", 900)), ptxgrammar.ErrTooLong, "expression of more than 10000 operators"},
	{"sums side by side", inBody(repeat("mov.u32 a, {1+1, 1+1+1}; ", 30_000)), nil, ""},
	{"section", ".section .x {\n" + repeat(".b32 a-b\n.b8 1\n.b32 .y+4\n", 20_000) + "}", nil, ""},
	{"table", ".global .u8 t[] = {" + repeat("0,", 2_000_000) + "0};", nil, ""},
	{"table of sums", ".global .u8 t[] = {" + repeat("1+2,", 200_000) + "0};", nil, ""},
	{"table of tables", ".global .u8 t[][2] = {" + repeat("{0,1},", 200_000) + "{0,1}};", nil, ""},
	{"string", `.global .u8 t[] = "` + repeat("a", 10_000_000) + `";`, nil, ""},
	{"name", ".global .u8 " + repeat("a", 17_000_000) + ";", ptxgrammar.ErrTooLong, "token of more than 16777214 bytes"},
	{"number", ".global .u8 a = " + repeat("1", 1_000_000) + ";", nil, "does not fit 64 bits"},
	{"modifiers", inBody("mov" + repeat(".x", 300_000) + " a;"), ptxgrammar.ErrTooLong, "instruction of more than 255 modifiers"},
	{"directives as modifiers", inBody("mov" + repeat("\n.loc", 300_000) + " a;"), nil, `missing ';' after "mov"`},
	{"header pragmas", ".func f() " + repeat(`.pragma "x"; `, 50_000), nil, ""},
	{"header directives", ".func f() " + repeat(".maxntid 1, 1, 1 ", 50_000), nil, ""},
	{"prototypes", repeat(".func f()\n", 100_000), nil, ""},
	{"parameters", ".func f(" + repeat(".param .b32 p, ", 50_000) + ".param .b32 p);", nil, ""},
	{"comment", "/*" + repeat("*", 1_000_000), nil, "the comment is not closed"},
	{"source texts", repeat(`.nv_intermediate_source_section {.code_block{.ir_name:"x" .sourceFileName:1 .source_begin `, 20_000) + ".source_end }", nil, "the source text is not closed"},
	{"quotes", repeat("\"\n", 500_000), nil, "the string is not closed"},
	{"zeros", repeat("\x00", 1_000_000), nil, "unexpected byte 0x00"},
}

func repeat(s string, n int) string { return strings.Repeat(s, n) }
func inBody(s string) string        { return ".entry k()\n{\n" + s + "\n}\n" }

// TestLargeTexts measures no time: parsing in more than linear time would exceed the time limit of the test.
func TestLargeTexts(t *testing.T) {
	for _, tt := range large {
		m, err := ptxgrammar.Parse("t.ptx", []byte(tt.text))
		switch {
		case tt.message == "" && err != nil:
			t.Errorf("%s: %.200v", tt.name, err)
		case tt.message == "":
			if m == nil {
				t.Errorf("%s: no module", tt.name)
			}
		case err == nil || !strings.Contains(err.Error(), tt.message) || len(err.Error()) > 300:
			t.Errorf("%s: %.400v, want %s", tt.name, err, tt.message)
		}
		for _, limit := range []error{ptxgrammar.ErrTooDeep, ptxgrammar.ErrTooLong, ptxgrammar.ErrTooLarge} {
			if got := errors.Is(err, limit); got != errors.Is(tt.limit, limit) {
				t.Errorf("%s: %v is %v, want %v", tt.name, limit, got, !got)
			}
		}
	}
}

// TestTablesTakeLittle checks that the tree of a table has one node for each number.
func TestTablesTakeLittle(t *testing.T) {
	for _, n := range []int{1000, 50_000} {
		m, err := ptxgrammar.Parse("t.ptx", fmt.Appendf(nil, ".global .u8 t[] = {%s0};", repeat("0,", n-1)))
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Operands) != n+1 {
			t.Errorf("%d operands for %d numbers", len(m.Operands), n)
		}
	}
}

func TestTooLarge(t *testing.T) {
	_, err := ptxgrammar.Parse("t.ptx", make([]byte, 1<<31))
	if want := "t.ptx:1:1: file of 2147483648 bytes is too large: at most 2147483647"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if !errors.Is(err, ptxgrammar.ErrTooLarge) {
		t.Error("the error is not ErrTooLarge")
	}
	var e *ptxgrammar.Error
	if !errors.As(err, &e) || e.Pos.Line != 1 {
		t.Errorf("error %v in the list", e)
	}
}
