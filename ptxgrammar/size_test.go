package ptxgrammar

import (
	"testing"
	"unsafe"
)

// TestSizes pins the nodes of which there are millions.
func TestSizes(t *testing.T) {
	for name, sizes := range map[string][2]uintptr{
		"Tok":     {unsafe.Sizeof(Tok{}), 8},
		"Stmt":    {unsafe.Sizeof(Stmt{}), 8},
		"Inst":    {unsafe.Sizeof(Inst{}), 24},
		"Operand": {unsafe.Sizeof(Operand{}), 32},
	} {
		if sizes[0] != sizes[1] {
			t.Errorf("%s has %d bytes, want %d", name, sizes[0], sizes[1])
		}
	}
}
