// Package fix repairs data races and, under weak memory, weak outcomes. It finds those of the
// launches of a program, searches the edits that internal/fix/repair proposes for the cheapest ones
// that together leave none, and verifies them by running the edited module under many schedules.
// The package must not know command lines.
package fix
