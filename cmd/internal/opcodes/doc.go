// Package opcodes describes the opcodes of PTX and ptxsan's support for each: the text of `ptxsan isa` and of
// docs/generated/isa-coverage.md.
//
// The input is the instruction table (ptxgrammar/isa). The output is text: List, Describe, Markdown. The package joins
// three kinds of facts that no other package has together: the manual's facts about a form, its support in the emulator
// (internal/support), and the passes that instrument it. It must not know command lines.
package opcodes
