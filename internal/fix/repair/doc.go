// Package repair proposes edits that remove data races of a module, and applies them.
//
// A Race says which two instructions race and what a detector knows about it. Candidates lists the
// edits that can order or strengthen the two, cheapest first. An Edit only adds order: it inserts
// a barrier, a fence or a wait, widens a scope, makes an access stronger, or makes three
// instructions one atomic operation. It removes nothing, so the executions of the edited module
// are a subset of those of the original one. The caller finds out which edits together remove a
// race, by running the module that Apply returns.
//
// The package must know neither the emulator nor any detector.
package repair
