// Package repair proposes edits that mend data races of a module, and applies them.
//
// A Race says which two instructions race and what a detector knows of it; Candidates lists
// the edits that can order or strengthen the two, cheapest first. An Edit only adds order: it
// inserts a barrier, a fence or a wait, widens a scope, makes an access stronger, or makes three
// instructions one atomic operation. It takes nothing away, so that executions of the
// edited module are executions of the original one, fewer of them. Which edits together mend
// a race is for the caller to find out, by running the module that Apply makes.
//
// The package knows no emulator and no detector.
package repair
