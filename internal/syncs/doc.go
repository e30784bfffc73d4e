// Package syncs says of each synchronising instruction of a program's launches what it is for: what goes wrong without
// it, whether a weaker one will do, or that nothing shows that it is needed, and for which launches, schedules and
// contents. It leaves the instruction out, or weakens it, and runs the launches on the edited module.
//
// The package must not know command lines, nor how edited modules are run.
package syncs
