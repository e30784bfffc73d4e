package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/support"
	"github.com/ptxsan/ptxsan/passes/all"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

func isaCommand() *cli.Command {
	return &cli.Command{
		Name:      "isa",
		Category:  "Inspection",
		Usage:     "list the instructions of PTX, or describe some of them",
		ArgsUsage: "[OPCODE...]",
		Description: `Without opcodes, one line for each: PTX version and target that have it, and what it
does. With opcodes, all forms in the manual's notation, with the values of each set of
modifiers where it is first used or changes, and what ptxsan does with them.

Examples:
   ptxsan isa
   ptxsan isa ld atom.global.cas`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "markdown", Usage: "print the whole table as a document, with what ptxsan does with each opcode", Category: catOutput},
			outputFlag(),
		},
		Action: isaAction,
	}
}

func isaAction(c *cli.Context) error {
	var b strings.Builder
	switch {
	case c.Bool("markdown") && c.NArg() > 0:
		return usagef("isa: --markdown is about all opcodes, found %q", c.Args().Slice())
	case c.Bool("markdown"):
		b.WriteString(isaCoverage())
	case c.NArg() == 0:
		listOpcodes(&b)
	}
	for i, name := range c.Args().Slice() {
		opcode, _, _ := strings.Cut(name, ".")
		in, ok := isa.Lookup(opcode)
		if !ok {
			return unknownOpcode(opcode)
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		describeOpcode(&b, in)
	}
	return writeText(c, b.String())
}

func unknownOpcode(name string) error {
	if near := isa.Suggest(name); near != "" {
		return usagef("isa: no opcode %q, did you mean %q?", name, near)
	}
	return usagef("isa: no opcode %q; ptxsan isa lists them", name)
}

// listOpcodes prints one line for each opcode.
func listOpcodes(w io.Writer) {
	for _, in := range isa.All() {
		fmt.Fprintf(w, "%-22s PTX %-4s %-7s %s\n", in.Name, in.Since, in.Targets(), in.Doc)
	}
}

// describeOpcode prints what the table knows about an opcode.
func describeOpcode(w io.Writer, in *isa.Instr) {
	fmt.Fprintf(w, "%s: %s\n", in.Name, in.Doc)
	fmt.Fprintf(w, "  chapter       %s (PTX ISA %s)\n", in.Class, in.Ref)
	fmt.Fprintf(w, "  needs         %s\n", in.Words())
	support := supportOf(in)
	fmt.Fprintf(w, "  emulated      %s\n", support.opcode(in))
	fmt.Fprintf(w, "  instrumented  %s\n", instrumentedBy(in))
	fmt.Fprintln(w, "  forms")
	shown := make(map[string]string)
	for _, f := range in.Forms {
		fmt.Fprintf(w, "    %s%s\n", f.Syntax, formRemarks(in, f, support))
		for _, m := range f.Mods {
			values := "." + strings.Join(m.Values, " .")
			if m.Set != "" && shown[m.Set] != values {
				fmt.Fprintf(w, "      .%s = %s\n", m.Set, values)
				shown[m.Set] = values
			}
		}
	}
}

// formRemarks is what a form needs beyond its opcode, how far it is emulated, and its
// note.
func formRemarks(in *isa.Instr, f *isa.Form, support formSupport) string {
	var remarks string
	if needs := f.Words(); needs != in.Words() {
		remarks = "  // needs " + needs
	}
	if s := support.form(in, f); s != "" {
		remarks += "  // " + s
	}
	if f.Note != "" {
		remarks += "  // " + f.Note
	}
	return remarks
}

// instrumentedBy lists the passes that put code around an opcode.
func instrumentedBy(in *isa.Instr) string {
	var names []string
	for _, p := range all.Passes {
		if p.Instruments != nil && slices.ContainsFunc(in.Forms, func(f *isa.Form) bool { return p.Instruments(in, f) }) {
			names = append(names, p.Name)
		}
	}
	if names == nil {
		return "no"
	}
	return strings.Join(names, ", ")
}

// formSupport is how far forms are emulated.
type formSupport map[*isa.Form]support.FormSupport

// supportOf is the support of an opcode's forms.
func supportOf(in *isa.Instr) formSupport {
	s := formSupport{}
	for i, f := range support.Forms(in) {
		s[in.Forms[i]] = f
	}
	return s
}

// emulatedForms is the support of all forms.
func emulatedForms() formSupport {
	s := formSupport{}
	for _, in := range isa.All() {
		maps.Copy(s, supportOf(in))
	}
	return s
}

// opcode says whether an opcode is emulated: in all forms, in some, or not.
func (s formSupport) opcode(in *isa.Instr) string {
	whole, some := true, false
	for _, f := range in.Forms {
		whole = whole && s[f].Emulated > 0 && s[f].Emulated == s[f].Spellings
		some = some || s[f].Emulated > 0
	}
	switch {
	case whole:
		return "yes"
	case some:
		return "in part"
	}
	return "no"
}

// form says what is not emulated of a form, "" when all of it is.
func (s formSupport) form(_ *isa.Instr, f *isa.Form) string {
	switch f := s[f]; {
	case f.Emulated == 0:
		return "not emulated"
	case f.Emulated == f.Spellings:
		return ""
	case len(f.Without) == 0:
		return "emulated in part"
	default:
		return "not emulated with ." + strings.Join(f.Without, " .")
	}
}

// isaCoverage is the text of docs/isa-coverage.md.
func isaCoverage() string {
	always := func(*isa.Instr) string { return "yes" }
	emulated, cases := emulatedForms(), formCases(emu.ConformanceCases())
	return isa.Markdown(
		isa.Column{Title: "parses", Cell: always},
		isa.Column{Title: "checked", Cell: always},
		isa.Column{Title: "emulated", Cell: emulated.opcode, Form: emulated.form},
		isa.Column{Title: "cases", Cell: cases.opcode, Form: cases.form},
		isa.Column{Title: "instrumented", Cell: instrumentedBy},
	)
}

// formCases is the numbers of conformance cases of forms.
type formCases map[*isa.Form]int

// opcode is the number of all forms of an opcode.
func (n formCases) opcode(in *isa.Instr) string {
	sum := 0
	for _, f := range in.Forms {
		sum += n[f]
	}
	return fmt.Sprint(sum)
}

// form is the number of a form, "" for none of one that could have some.
func (n formCases) form(in *isa.Instr, f *isa.Form) string {
	switch {
	case n[f] > 0:
		return fmt.Sprintf("%d cases", n[f])
	case emu.Emulates(in.Op) && !emu.HasResult(in, f):
		return "no result to compare"
	}
	return ""
}
