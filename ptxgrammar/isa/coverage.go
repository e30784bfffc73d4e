// The instruction table as a document.

package isa

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Column is a column of Markdown. Cell describes an opcode in a few words. Form, which may be nil, returns what is
// particular to one of its forms, "" for nothing. The caller, which has the facts about the opcode's support elsewhere
// in the program, passes
//
//	isa.Column{Title: "emulated", Cell: func(in *isa.Instr) string { ... }}
type Column struct {
	Title string
	Cell  func(*Instr) string
	Form  func(*Instr, *Form) string
}

// Markdown renders the table as a document: a section for each group of the manual's chapters, with a table of its
// opcodes and their forms below, then the special registers and the directives. The text depends only on the table and
// the columns.
func Markdown(columns ...Column) string {
	var b strings.Builder
	forms := 0
	for _, in := range All() {
		forms += len(in.Forms)
	}
	fmt.Fprintf(&b, `# PTX instruction coverage

The instruction table knows %d opcodes in %d forms, %d special registers and %d directives.
ptxsan parses and checks all of them. "Since" and "target" are what the opcode asks for; `+"`ptxsan isa OPCODE`"+` prints its forms and what
each asks for beyond that. The table ends with PTX %s; what came with 9.3 and later is emulated in part: a thread that executes
another form stops with a fault of class unsupported.
Below each table stand the other forms that are not emulated, in whole or in part, or have a note: their modifiers, on one line with
"|" between what differs, and what they ask for behind "//". A target like sm_90a has what is specific to one architecture, sm_100f what a family shares: sm_100a from
the beginning, sm_100f and later members from PTX 8.8 on.

A test of the emulator compares results of each form that is emulated with results that are computed independently; those of which it
compares none say "no case". emu/conformance.txt counts the results by form. What only orders, hints, waits or stops has none.

"Emulated" is about forms. Values that an instruction finds when it runs may ask for what the emulator lacks, which is a
fault of class unsupported:

- Sparsity selectors 2 and 3 of tcgen05.mma.sp with .kind::f16 and .kind::tf32. The manual shows the sub-columns that they select only
  in figures 262 to 265.
- tcgen05.mma with .ashift for two blocks with M = 128. Rows move down "except for the last row in the Tensor Memory", and a block has its
  64 rows twice there, so that row 63 of the first copy is above row 0 of the second.
- Tensor maps with interleaved layouts. The manual says how long a slice of channels is, and not which stride of the map leads from
  slice to slice, nor what a coordinate and a box count there.

A multicast object has the copy of one device; no form needs several. All tensor maps are of the small allocation class, as on
devices where the class has no effect. A copy that looks for a pattern in one element of every 16 bytes takes the first one, since the
manual leaves open which.
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

// writeOpcodes writes a table with a row for the opcodes that agree in all but their names.
func writeOpcodes(b *strings.Builder, members []*Instr, columns []Column) {
	titles := []string{"opcode", "since", "target"}
	for _, c := range columns {
		titles = append(titles, c.Title)
	}
	writeHead(b, titles)
	var rows [][]string
	for _, in := range members {
		cells := []string{"`" + in.Name + "`", in.Since.String(), in.Targets()}
		for _, c := range columns {
			cells = append(cells, c.Cell(in))
		}
		if i := slices.IndexFunc(rows, func(row []string) bool { return slices.Equal(row[1:], cells[1:]) }); i >= 0 {
			rows[i][0] += ", " + cells[0]
		} else {
			rows = append(rows, cells)
		}
	}
	for _, cells := range rows {
		writeCells(b, cells)
	}
}

// formGroup is a line of the document: forms of one opcode that have the same requirements and remarks.
type formGroup struct {
	modifiers []string // what stands behind the opcode, form by form
	remarks   string   // requirements and remarks, behind "//"
}

// writeForms writes the modifiers of the forms of which the columns remark something, or that have a note or are gone:
// those with the same remarks on one line, and the notes below.
func writeForms(b *strings.Builder, members []*Instr, columns []Column) {
	var lines, notes []string
	for _, in := range members {
		for _, g := range formGroups(in, columns, &notes) {
			lines = append(lines, in.Name+" "+alternatives(g.modifiers)+g.remarks+"\n")
		}
	}
	if len(lines) > 0 {
		b.WriteString("\n```\n" + strings.Join(lines, "") + "```\n")
	}
	for i, n := range notes {
		if i == 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(b, "%d. %s\n", i+1, n)
	}
}

// formGroups returns the lines of an opcode, in the order of their first forms, and appends the notes on its forms.
func formGroups(in *Instr, columns []Column, notes *[]string) (groups []*formGroup) {
	lines := make(map[string]*formGroup)
	for _, f := range in.Forms {
		modifiers, _, _ := strings.Cut(strings.TrimPrefix(f.Syntax(), in.Name), " ")
		remarks := remarksOf(in, f, columns, notes)
		if remarks == "" {
			continue
		}
		g := lines[remarks]
		if g == nil {
			g = &formGroup{remarks: remarks}
			lines[remarks], groups = g, append(groups, g)
		}
		if !slices.Contains(g.modifiers, modifiers) {
			g.modifiers = append(g.modifiers, modifiers)
		}
	}
	return groups
}

// modifier is one modifier of a form, or an optional one.
var modifier = regexp.MustCompile(`\{[^}]*\}|\.[^.{]+`)

// alternatives joins the modifiers of several forms: what all begin and end with stands once, around parentheses.
func alternatives(forms []string) string {
	if len(forms) == 1 {
		return forms[0]
	}
	parts := make([][]string, len(forms))
	for i, form := range forms {
		parts[i] = modifier.FindAllString(form, -1)
	}
	first := commonModifiers(parts, func(list []string, i int) string { return list[i] })
	for i := range parts {
		parts[i] = parts[i][first:]
	}
	last := commonModifiers(parts, func(list []string, i int) string { return list[len(list)-1-i] })
	begin, tail := modifier.FindAllString(forms[0], first), parts[0][len(parts[0])-last:]
	for i := range parts {
		forms[i] = strings.Join(parts[i][:len(parts[i])-last], "")
	}
	return strings.Join(begin, "") + "(" + strings.Join(forms, " | ") + ")" + strings.Join(tail, "")
}

// commonModifiers counts the modifiers that all lists share, taken in the order of at.
func commonModifiers(lists [][]string, at func(list []string, i int) string) int {
	for n := 0; ; n++ {
		for _, list := range lists {
			if n == len(list) || at(list, n) != at(lists[0], n) {
				return n
			}
		}
	}
}

// remarksOf returns what the columns and the table remark of a form, and before that what it asks for beyond its
// opcode, behind "//"; "" when nothing is remarked.
func remarksOf(in *Instr, f *Form, columns []Column, notes *[]string) string {
	var remarks []string
	if f.Gone != 0 {
		remarks = append(remarks, "until "+f.Gone.String()+f.goneTargets())
	}
	for _, c := range columns {
		if c.Form == nil {
			continue
		}
		if remark := c.Form(in, f); remark != "" {
			remarks = append(remarks, remark)
		}
	}
	if f.Note != "" {
		*notes = append(*notes, f.Note)
		remarks = append(remarks, fmt.Sprintf("note %d", len(*notes)))
	}
	if len(remarks) == 0 {
		return ""
	}
	if f.Words() != in.Words() {
		remarks = slices.Insert(remarks, 0, f.Since.String()+" "+f.Targets())
	}
	return " // " + strings.Join(remarks, "; ")
}

func writeSpecials(b *strings.Builder) {
	rows := requirementRows{}
	for _, r := range specials {
		name := r.Name
		if r.Count > 0 {
			name = strings.Replace(name, "#", fmt.Sprintf("0..%d", r.Count-1), 1)
		}
		if r.Dim {
			name += ".x"
		}
		rows.add(r.Since.String(), r.Requires().Targets(), fmt.Sprintf("`%s` %s (.%s)", name, r.Doc, r.Type))
	}
	rows.write(b, "Special registers")
}

func writeDirectives(b *strings.Builder) {
	rows := requirementRows{}
	for _, d := range directives {
		rows.add(d.Since.String(), d.Targets(), fmt.Sprintf("`.%s` %s (%s)", d.Name, d.Doc, d.Ref))
	}
	rows.write(b, "Directives, with their sections of the manual")
}

// requirementRows are the rows of a table: since, target, and what asks for them.
type requirementRows [][]string

// add adds an entry to the row of its requirements.
func (r *requirementRows) add(since, target, entry string) {
	i := slices.IndexFunc(*r, func(row []string) bool { return row[0] == since && row[1] == target })
	if i < 0 {
		*r = append(*r, []string{since, target, entry})
		return
	}
	(*r)[i][2] += "; " + entry
}

func (r requirementRows) write(b *strings.Builder, title string) {
	b.WriteString("\n## " + title + "\n\n")
	writeHead(b, []string{"since", "target", "what"})
	for _, row := range r {
		writeCells(b, row)
	}
}

func writeHead(b *strings.Builder, titles []string) {
	writeCells(b, titles)
	b.WriteString(strings.Repeat("|---", len(titles)) + "|\n")
}

func writeCells(b *strings.Builder, cells []string) {
	b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}
