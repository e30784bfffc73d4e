// Package trial runs the launches of a plan on edited modules, and says what an edited module shows that the original
// does not: races, faults, results. What searches for edits, to repair or to leave out, judges them by it.
//
// The package must not know which edits there are, nor why they are tried.
package trial
