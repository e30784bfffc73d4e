package isa

import (
	"fmt"
	"strings"
)

// Markdown renders the table as a document. The function supported says in a few
// words what the caller does with an opcode; it fills a column of its own.
func Markdown(supported func(Op) string) string {
	var b strings.Builder
	forms := 0
	for _, in := range All() {
		forms += len(in.Forms)
	}
	fmt.Fprintf(&b, "# PTX instruction coverage\n\nThe instruction table knows %d opcodes in %d forms. Sections are those of the PTX ISA manual, version 8.7.\n", len(All()), forms)
	for _, c := range chapters {
		fmt.Fprintf(&b, "\n## %s\n\n| opcode | what it does | since | target | section | supported |\n|---|---|---|---|---|---|\n", c.class)
		var members []*Instr
		for _, in := range All() {
			if in.Class == c.class {
				members = append(members, in)
			}
		}
		for _, in := range members {
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s |\n", in.Name, in.Doc, in.Since, target(in.MinSM), in.Ref, supported(in.Op))
		}
		b.WriteString("\n```\n")
		for _, in := range members {
			for _, f := range in.Forms {
				b.WriteString(f.Syntax)
				if f.Since > in.Since || f.MinSM > in.MinSM {
					fmt.Fprintf(&b, "    // %s, %s", f.Since, target(f.MinSM))
				}
				b.WriteByte('\n')
			}
		}
		b.WriteString("```\n")
	}
	return b.String()
}

func target(sm int) string {
	if sm == 0 {
		return "all"
	}
	return fmt.Sprintf("sm_%d", sm)
}
