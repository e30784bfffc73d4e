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
	recurses bool // the first parameter is the remaining recursion depth
	head     []string
	body     []*stmt
	tail     string
	cost     int // upper bound for the statements that a call executes
}

// A functionKind says where a function may be called.
type functionKind uint8

const (
	pure    functionKind = iota // everywhere
	warped                      // where the executing lanes are known: the first parameter is their mask
	uniform                     // where all threads of the block execute the call; the first parameter is a mask, too
	pointed                     // everywhere, through a table
)

// A value is the type of a parameter or result: a scalar, a struct, or a pointer to one.
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

// A stmt is a statement: texts with blocks in between, one text more than blocks. Any statement can be removed from its
// block.
type stmt struct {
	text   []string
	blocks [][]*stmt
}

func leaf(format string, args ...any) *stmt {
	return &stmt{text: []string{fmt.Sprintf(format, args...)}}
}

// printBlock writes the statements of a block, except those in without.
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

// signature returns the function's declaration.
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

// Source returns the text of the program, in its own namespace. Functions that are not called are omitted.
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

// withFunctions puts before the text the functions that the text, or one of these functions, mentions.
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
