package ptxgrammar

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// Bytes of memory for each byte of text, as SECURITY.md has them: of a tree, and of all that parsing allocates.
const (
	mostTree      = 40
	mostVariables = 82 // of a tree in which most of the text is names that are declared
	mostAllocated = 300
)

// TestMemory parses texts that consist of one construct in as few bytes as possible.
func TestMemory(t *testing.T) {
	const size = 1 << 20
	body := func(s string) string { return ".entry k()\n{\n" + s + "\n}\n" }
	long := func(unit string) string { return strings.Repeat(unit, size/len(unit)) }
	for name, text := range map[string]string{
		"semicolons": body(long(";")), "blocks": body(long("{}")), "labels": body(long("a:")), "lines": body(long("\n")),
		"instructions": body(long("a;")), "names": body(long("a b,c;")), "guards": body(long("@a b;")), "addresses": body(long("a[b];")),
		"modifiers": body(long("a.b;")), "signs": body(long("a -1;")), "vectors": body(long("a{b};")), "pairs": body(long("a b|c;")),
		"sums": ".global .u8 t[] = {" + long("1+2,") + "0};", "lists": body("call " + long("(a),") + "a;"),
		"table": ".global .u8 t[] = {" + long("0,") + "0};", "tables": ".global .u8 t[][1] = {" + long("{0},") + "{0}};",
		"strings": ".global .u8 t[] = {" + long(`"",`) + "0};", "dimensions": ".global .u8 t" + long("[1]") + ";",
		"targets": body("L: .branchtargets " + long("L,") + "L;"), "lists of targets": body(long("L:.branchtargets L;")),
		"prototypes": body(long("a:.callprototype _();")), "parameters": ".func f(" + long(".reg.b8 p,") + ".reg.b8 p);",
		"declarations": long(".tex.b8 a;"), "variables": body(".reg.b8 " + long("a,") + "a;"), "ranges": body(".reg.b8 " + long("a<1>,") + "a;"),
		"functions": long(".func f "), "bodies": long(".func f(){}"), "directives of functions": ".entry f()" + long(".x ") + "{}",
		"numbers of directives": ".entry f() .maxntid 1" + long(",1") + "{}", "unknown directives": long(".x;"), "pragmas": body(long(`.pragma "";`)),
		"locations": long(".loc 1 1 1 "), "files": long(`.file 1 "" `), "aliases": long(".alias a,b;"), "words of the target": ".target sm_80" + long(",a"),
		"sections": ".section .x {\n" + long(".b8 1\n") + "}", "compilers' code": body(long("add.u32 \t%r1, %r2, 1;\n")),
	} {
		most := float64(mostTree)
		if name == "variables" {
			most = mostVariables
		}
		tree, allocated := memoryOf(t, text)
		if tree > most || allocated > mostAllocated {
			t.Errorf("%s: %.1f bytes of tree and %.1f allocated for each byte of text", name, tree, allocated)
		}
	}
}

// memoryOf returns the bytes of a text's tree, and those that parsing allocates, for each byte of the text.
func memoryOf(t *testing.T, text string) (tree, allocated float64) {
	var before, parsed, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	m, err := parse("t.ptx", []byte(text), 1, minSegment)
	runtime.ReadMemStats(&parsed)
	runtime.GC()
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(fmt.Errorf("%.200w", err))
	}
	runtime.KeepAlive(m)
	size := float64(len(text))
	return (float64(after.HeapAlloc) - float64(before.HeapAlloc) - size) / size, float64(parsed.TotalAlloc-before.TotalAlloc) / size
}
