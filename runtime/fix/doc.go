// Package fix repairs data races. It finds the races of the launches of a program, searches the
// edits that passes/repair proposes for the cheapest ones that together leave no race, and
// verifies them by running the edited module under many schedules. The package must not know
// command lines.
package fix
