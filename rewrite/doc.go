// Package rewrite is the program between the syntax tree and the tools: names
// resolved, control flow known, and one way to change it.
//
// Load makes a Module from a syntax tree. A Module is a view: its nodes point at
// syntax nodes and the text stays where it is. Analyses (Func.CFG, Func.Liveness)
// are computed from the view and never change it.
//
// An Editor queues insertions, replacements and hook calls and performs them
// together: Apply writes the edited text, parses and loads it again, verifies it,
// and records for every line whether the user or a pass wrote it (Module.Origin).
// There is no second printing of the program: bytes that no edit touches are the
// user's bytes. Link adds the functions of a library module the same way.
//
// The package knows nothing of particular passes, of execution or of reports. What
// an instruction does is written in ptxgrammar/isa and read from there.
package rewrite
