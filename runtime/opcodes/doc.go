// Package opcodes describes the opcodes of PTX and what ptxsan does with each: the text of
// `ptxsan isa` and of docs/isa-coverage.md.
//
// What enters is the instruction table (ptxgrammar/isa). What leaves is text: List, Describe,
// Markdown. The package joins three facts that no layer below knows together: what the manual
// says of a form, how much of it the emulator executes (emu/support), and which passes
// instrument it. It must not know command lines.
package opcodes
