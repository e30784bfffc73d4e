// The instruction table as a document.

package isa

import (
	"fmt"
	"strings"
)

// Column is a column of Markdown. Cell describes an opcode in a few words. Form, which may be nil, returns what is particular
// to one of its forms, "" for nothing. The caller, which has the facts about the opcode's support elsewhere in the program,
// passes
//
//	isa.Column{Title: "emulated", Cell: func(in *isa.Instr) string { ... }}
type Column struct {
	Title string
	Cell  func(*Instr) string
	Form  func(*Instr, *Form) string
}

// Markdown renders the table as a document: a section for each group of the manual's chapters, with a line for each opcode and
// its forms below, then the special registers and the directives. The text depends only on the table and the columns.
func Markdown(columns ...Column) string {
	var b strings.Builder
	forms := 0
	for _, in := range All() {
		forms += len(in.Forms)
	}
	fmt.Fprintf(&b, `# PTX instruction coverage

The instruction table knows %d opcodes in %d forms, %d special registers and %d directives.
Sections are those of the PTX ISA manual, version 8.7; forms of later versions say which. "Since" and "target" are what the
opcode asks for; behind a form stands what it asks for beyond that, and modifiers may ask for
more. The table ends with PTX %s; what came with 9.3 and later is checked and rewritten, and emulated unless its form says not: a
thread that executes such a form stops with a fault of class unsupported. A target like sm_90a has what is specific to one architecture, sm_100f what a family
shares: sm_100a from the beginning, sm_100f and later members from PTX 8.8 on.

A case is a result that a test of the emulator compares with one computed independently: by
an instruction that computes registers from registers, of one thread; for others a word of
memory that a test kernel with the instruction leaves, at most 64 of one run. There are at
least so many. What only orders, hints, waits or stops has no result to compare.

"Emulated" is about forms. Values that an instruction finds when it runs may ask for what the emulator lacks, which is a
fault of class unsupported. Sparsity selectors 2 and 3 of tcgen05.mma.sp with .kind::f16 and .kind::tf32: the sub-columns that
they select are in figures 262 to 265 of the manual, without a sentence (for the other kinds, and for mma.sp and wgmma.mma_async.sp,
it says which selectors there are, and that others are undefined). tcgen05.mma with .ashift for two blocks with M = 128: rows move down "except for the last row in the
Tensor Memory", and a block has its 64 rows twice there, so that row 63 of the first copy is above row 0 of the second. Tensor maps with interleaved
layouts: the manual says how long a slice of channels is, and not which stride of the map leads from slice to slice, nor what a
coordinate and a box count there. A multicast object has the copy of one device; no form needs several.
All tensor maps are of the small allocation class, as on devices where the class has no effect. A copy that looks for a pattern in
one element of every 16 bytes takes the first one: the manual leaves open which.
`, len(All()), forms, len(specials), len(directives), NewestVersion)
	for _, c := range chapters() {
		fmt.Fprintf(&b, "\n## %s\n\n", c.class)
		var members []*Instr
		for _, in := range All() {
			if in.Class == c.class {
				members = append(members, in)
			}
		}
		writeOpcodes(&b, members, columns)
		writeForms(&b, members, columns)
	}
	writeSpecials(&b)
	writeDirectives(&b)
	return b.String()
}

func writeOpcodes(b *strings.Builder, members []*Instr, columns []Column) {
	titles := []string{"opcode", "what it does", "since", "target", "section"}
	for _, c := range columns {
		titles = append(titles, c.Title)
	}
	writeHead(b, titles)
	for _, in := range members {
		cells := []string{"`" + in.Name + "`", in.Doc, in.Since.String(), in.Targets(), in.Ref}
		for _, c := range columns {
			cells = append(cells, c.Cell(in))
		}
		writeCells(b, cells)
	}
}

// writeForms writes the syntax lines, with their requirements beyond the opcode's and the texts of the columns, and the notes
// below.
func writeForms(b *strings.Builder, members []*Instr, columns []Column) {
	b.WriteString("\n```\n")
	var notes []string
	for _, in := range members {
		for _, f := range in.Forms {
			b.WriteString(f.Syntax())
			if f.Words() != in.Words() {
				fmt.Fprintf(b, "    // %s, %s", f.Since, f.Targets())
			}
			if f.Gone != 0 {
				fmt.Fprintf(b, "    // until %s%s", f.Gone, f.goneTargets())
			}
			for _, c := range columns {
				if c.Form == nil {
					continue
				}
				if remark := c.Form(in, f); remark != "" {
					b.WriteString("    // " + remark)
				}
			}
			if f.Note != "" {
				notes = append(notes, f.Note)
				fmt.Fprintf(b, "    // note %d", len(notes))
			}
			b.WriteByte('\n')
		}
	}
	b.WriteString("```\n")
	for i, n := range notes {
		if i == 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(b, "%d. %s\n", i+1, n)
	}
}

func writeSpecials(b *strings.Builder) {
	b.WriteString("\n## Special registers\n\n")
	writeHead(b, []string{"register", "what it holds", "type", "since", "target"})
	for _, r := range specials {
		name, typ := r.Name, "."+r.Type.String()
		if r.Count > 0 {
			name = strings.Replace(name, "#", fmt.Sprintf("0..%d", r.Count-1), 1)
		}
		if r.Dim {
			name += ".x"
		}
		writeCells(b, []string{"`" + name + "`", r.Doc, typ, r.Since.String(), r.Requires().Targets()})
	}
}

func writeDirectives(b *strings.Builder) {
	b.WriteString("\n## Directives\n\n")
	writeHead(b, []string{"directive", "what it says", "since", "target", "section"})
	for _, d := range directives {
		writeCells(b, []string{"`." + d.Name + "`", d.Doc, d.Since.String(), d.Targets(), d.Ref})
	}
}

func writeHead(b *strings.Builder, titles []string) {
	writeCells(b, titles)
	b.WriteString(strings.Repeat("|---", len(titles)) + "|\n")
}

func writeCells(b *strings.Builder, cells []string) {
	b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}
