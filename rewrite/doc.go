// Package rewrite resolves a syntax tree to a program: names, control flow and data flow. It also
// has the Editor, the one way to change a program.
//
// # The view
//
// Load makes a Module from a syntax tree. A Module is a view: its nodes point at
// syntax nodes and the text stays where it is. It never changes.
//
// # Analyses
//
// Analyses are methods of Func, computed on first use and kept with the function:
//
//	CFG          blocks, edges, dominators, post-dominators, loops
//	Liveness     which registers may still be read
//	DefUse       reaching definitions and uses
//	Demand       (of Inst) speculative loads: which threads use the loaded value
//	Uniformity   what is the same in all lanes of a warp; divergent branches
//	SSA          the value of each register at each instruction
//	Invariant, ConvergencePoints: derived from these
//
// Package internal/address has the analyses of addresses.
//
// Edits make a new Module, so results for the old one are never stale and nothing has to be
// invalidated: analyses live as long as their Module. Several goroutines may use them (Func.Memo).
//
// # Edits
//
// An Editor queues edits and performs them together:
//
//	at an instruction      InsertBefore, InsertBeforeGuarded, InsertAfter, Replace, Delete
//	at a place             InsertAtEntry, InsertAtExits, InsertOnEdge
//	calls of hooks         CallBefore, CallAfter, CallAtEntry, CallAtExits, CallAtConvergence
//	of functions           AddParam, CloneFunc, Outline
//	of names               Rename, RenameRange
//	new things             AddVar, AddGlobal, FreshReg, FreshLabel, FreshSymbol
//
// Apply writes the edited text, parses, loads and verifies it, and records for every line whether
// the user or a pass wrote it (Module.Origin). All edits are made, or none: two that contradict
// each other are an error that names both. Bytes that no edit touches are copied, so that .loc
// directives and the labels of debug information stay where they are.
//
// Link adds functions of a library the same way, LinkAll makes one module of several.
//
// The package must not know particular passes, execution or reports. It reads what an instruction
// does from ptxgrammar/isa.
package rewrite
