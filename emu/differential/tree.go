// The tree of a random program, and printing it as CUDA C++.

package differential

import (
	"fmt"
	"slices"
	"strings"
)

// A function is a device function or the kernel of a program.
type function struct {
	name     string
	kind     functionKind
	inline   bool
	result   value
	params   []value
	recurses bool // takes how deep it may go on as its first parameter
	head     []string
	body     []*stmt
	tail     string
	cost     int // statements that a call executes, at most
}

// A functionKind says from where a function may be called.
type functionKind uint8

const (
	pure    functionKind = iota // from everywhere
	warped                      // where the lanes that run are known: its first parameter is their mask
	uniform                     // where all threads of the block run; its first parameter is a mask, too
	pointed                     // from everywhere, through a table
)

// A value is what functions take and give: a scalar, a struct, or a pointer to one.
type value struct {
	typ     scalar
	record  *structType // nil for scalars
	pointer bool
}

func (v value) c() string {
	name := v.typ.c
	if v.record != nil {
		name = v.record.name
	}
	if v.pointer {
		return name + " *"
	}
	return name
}

// A stmt is a statement: text with blocks in between, one more text than blocks. Any
// statement can be left out of its block.
type stmt struct {
	text   []string
	blocks [][]*stmt
}

func leaf(format string, args ...any) *stmt {
	return &stmt{text: []string{fmt.Sprintf(format, args...)}}
}

// print writes a block's statements that are not left out.
func printBlock(b *strings.Builder, block []*stmt, indent string, without map[*stmt]bool) {
	for _, s := range block {
		if without[s] {
			continue
		}
		for i, text := range s.text {
			for line := range strings.Lines(text) {
				b.WriteString(indent + strings.TrimSuffix(line, "\n") + "\n")
			}
			if i < len(s.blocks) {
				printBlock(b, s.blocks[i], indent+"  ", without)
			}
		}
	}
}

// signature is how the function is declared.
func (f *function) signature() string {
	var params []string
	switch {
	case f.kind == warped || f.kind == uniform:
		params = append(params, "u32 m")
	case f.recurses:
		params = append(params, "u32 depth")
	}
	for i, v := range f.params {
		params = append(params, fmt.Sprintf("%s p%d", v.c(), i))
	}
	attribute := "NOINLINE "
	if f.inline {
		attribute = "inline "
	}
	return fmt.Sprintf("DEVICE %s%s %s(%s)", attribute, f.result.c(), f.name, strings.Join(params, ", "))
}

// print writes the definition.
func (f *function) print(b *strings.Builder, without map[*stmt]bool) {
	fmt.Fprintf(b, "%s {\n", f.signature())
	for _, line := range f.head {
		fmt.Fprintf(b, "  %s\n", line)
	}
	printBlock(b, f.body, "  ", without)
	fmt.Fprintf(b, "%s}\n\n", f.tail)
}

// Source is the text of the program, in a namespace of its own. Functions that are not
// called are left out.
func (p *Program) Source() string { return p.source(nil) }

func (p *Program) source(without map[*stmt]bool) string {
	var kernel strings.Builder
	fmt.Fprintf(&kernel, "KERNEL void %s(const Input *__restrict__ in, Memory *mem, Params p) {\n", p.Kernel())
	for _, line := range p.kernel.head {
		fmt.Fprintf(&kernel, "  %s\n", line)
	}
	printBlock(&kernel, p.kernel.body, "  ", without)
	kernel.WriteString(p.kernel.tail + "}\n")
	text := kernel.String()
	if strings.Contains(text, "pointers[") {
		text = p.pointerTable() + text
	}
	text = p.withFunctions(text, without)

	var b strings.Builder
	fmt.Fprintf(&b, "namespace n%d {\n", p.Seed)
	for _, t := range p.types {
		b.WriteString(t.declaration())
	}
	for _, t := range p.tables {
		b.WriteString(t + "\n")
	}
	b.WriteString(text + "}\n")
	return b.String()
}

// withFunctions puts the functions that the text, or one of them, mentions in front of it.
func (p *Program) withFunctions(text string, without map[*stmt]bool) string {
	for _, f := range slices.Backward(p.functions) {
		if strings.Contains(text, f.name+"(") || strings.Contains(text, f.name+",") {
			var b strings.Builder
			f.print(&b, without)
			text = b.String() + text
		}
	}
	return text
}
