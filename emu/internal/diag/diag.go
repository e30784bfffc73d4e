// Package diag holds the refusals of the emulator's packages: the class of the fault and its message. The emulator adds
// the thread and the instruction.
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

// Plural returns text such as "1 thread" or "2 threads".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
