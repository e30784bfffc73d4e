// Descriptions of opcodes as text.

package opcodes

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/passes/all"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// List writes one line for each opcode: name, PTX version, targets, what it does.
func List(w io.Writer) {
	for _, in := range isa.All() {
		fmt.Fprintf(w, "%-22s PTX %-4s %-7s %s\n", in.Name, in.Since, in.Targets(), in.Doc)
	}
}

// Describe writes all forms of an opcode in the manual's notation, what they need, and which of
// them the emulator executes and the passes instrument.
func Describe(w io.Writer, in *isa.Instr) {
	fmt.Fprintf(w, "%s: %s\n", in.Name, in.Doc)
	fmt.Fprintf(w, "  chapter       %s (PTX ISA %s)\n", in.Class, in.Ref)
	fmt.Fprintf(w, "  needs         %s\n", in.Words())
	support := supportOf(in)
	fmt.Fprintf(w, "  emulated      %s\n", support.opcode(in))
	fmt.Fprintf(w, "  instrumented  %s\n", instrumentedBy(in))
	fmt.Fprintln(w, "  forms")
	shown := make(map[string]string)
	for _, f := range in.Forms {
		fmt.Fprintf(w, "    %s%s\n", f.Syntax(), formRemarks(in, f, support))
		for _, m := range f.Mods {
			values := "." + strings.Join(m.Values, " .")
			if m.Set != "" && shown[m.Set] != values {
				fmt.Fprintf(w, "      .%s = %s\n", m.Set, values)
				shown[m.Set] = values
			}
		}
	}
}

// formRemarks returns the comments on a form: what it needs beyond its opcode, how far it is
// emulated, and its note in the table.
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

// instrumentedBy lists the passes that instrument an opcode, or says "no".
func instrumentedBy(in *isa.Instr) string {
	var names []string
	for _, p := range all.Passes {
		if p.Instruments != nil && slices.ContainsFunc(in.Forms,
			func(f *isa.Form) bool { return p.Instruments(in, f) }) {
			names = append(names, p.Name)
		}
	}
	if names == nil {
		return "no"
	}
	return strings.Join(names, ", ")
}
