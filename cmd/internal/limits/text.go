// Limits as text: defaults of flags and docs/generated/limits.md.

package limits

import (
	"fmt"
	"strings"
	"time"
)

// DefaultOf returns the default of a flag that sets a limit.
func DefaultOf(flag string) string {
	for _, l := range All {
		if l.Flag == flag {
			return l.Value
		}
	}
	panic("BUG: --" + flag + " sets no limit")
}

// count returns a number with commas between thousands.
func count(n uint64) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// bytesText formats a number of bytes in the form that flags take.
func bytesText(n uint64) string {
	units := "KMG"
	for i := len(units); i > 0; i-- {
		if size := uint64(1) << (10 * i); n >= size && n%size == 0 {
			return fmt.Sprintf("%d%c", n/size, units[i-1])
		}
	}
	return count(n)
}

// TimeText formats a time without units that are 0.
func TimeText(d time.Duration) string {
	s := strings.Replace(d.String(), "m0s", "m", 1)
	return strings.Replace(s, "h0m", "h", 1)
}

// Markdown returns the text of docs/generated/limits.md.
func Markdown() string {
	var b strings.Builder
	b.WriteString(`# Limits

Generated from the program: do not edit. ` + "`make generate`" + ` rewrites it.

What inputs may hold and what runs may use, so that a file from elsewhere cannot take all memory or
run for ever. For each limit there is a test that meets it and one that exceeds it by one. Bytes are
in units of 1024. Exit codes: 2 the input is refused, 3 the kernel is stopped with a fault. Limits on what is in fat
binaries are in [binaries.md](../binaries.md#limits).

| limit on | default | option | what happens beyond | exit code |
|---|---|---|---|---|
`)
	for _, l := range All {
		flag := ""
		if l.Flag != "" {
			flag = "`--" + l.Flag + "`"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %d |\n", l.Of, l.Value, flag, l.Beyond, l.Exit)
	}
	return b.String()
}
