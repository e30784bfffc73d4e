// Stable identifiers of findings, and addresses as text.

package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Hex is an address. In JSON it is "0x…".
type Hex uint64

// String returns the address as 0x and hexadecimal digits.
func (h Hex) String() string { return "0x" + strconv.FormatUint(uint64(h), 16) }

// MarshalText implements encoding.TextMarshaler.
func (h Hex) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (h *Hex) UnmarshalText(p []byte) error {
	digits, ok := strings.CutPrefix(string(p), "0x")
	v, err := strconv.ParseUint(digits, 16, 64)
	if !ok || err != nil {
		return fmt.Errorf("address %q: expected 0x and hexadecimal digits", p)
	}
	*h = Hex(v)
	return nil
}

// stableID identifies the race across runs by the kernel, the cause, and the kind and place of both accesses, in the
// source or, if unknown, in the PTX. It does not depend on addresses, thread ids, counts, seeds and directories, nor on
// which access came first.
func (x *Race) stableID() string {
	sides := []string{x.First.identity(), x.Second.identity()}
	slices.Sort(sides)
	sum := sha256.Sum256([]byte(strings.Join(append([]string{x.First.Kernel, string(x.Kind), string(x.Cause), x.Space},
		sides...), "\x00")))
	return hex.EncodeToString(sum[:8])
}

func (a *Access) identity() string {
	if a.Source == nil {
		return fmt.Sprintf("%s %s %s:%d", a.Access, a.Instruction, base(a.PTX.File), a.PTX.Line)
	}
	s := a.Access
	for _, f := range a.Source.frames() {
		s += fmt.Sprintf(" %s:%d:%d", base(f.File), f.Line, f.Column)
	}
	return s
}
