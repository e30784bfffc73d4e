// Package diag holds what the packages of the emulator say when they refuse something: the class
// of the fault and its message. The emulator adds the thread and the instruction.
package diag

import "fmt"

// Violation is an operation that is refused.
type Violation struct {
	Class string // as in Fault
	Msg   string
}

// Violationf makes a violation.
func Violationf(class, format string, args ...any) *Violation {
	return &Violation{class, fmt.Sprintf(format, args...)}
}

// Plural is "1 thread", "2 threads".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
