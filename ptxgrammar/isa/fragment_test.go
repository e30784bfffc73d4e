package isa_test

import "testing"

// TestMatrixRows wants the lanes whose addresses are those of rows (PTX ISA, "ldmatrix", table "threads and rows": 8
// threads for .x1, 16 for .x2, all for .x4; "stmatrix").
func TestMatrixRows(t *testing.T) {
	for _, c := range []struct {
		spelling     string
		lanes, bytes int
	}{
		{"ldmatrix.sync.aligned.m8n8.x1.shared.b16", 8, 16},
		{"ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16", 16, 16},
		{"ldmatrix.sync.aligned.m8n8.x4.shared.b16", 32, 16},
		{"ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8", 16, 16},
		{"stmatrix.sync.aligned.m8n8.x2.shared.b16", 16, 16},
		{"ld.shared.u32", 0, 0},
	} {
		if lanes, bytes := mustDecode(t, c.spelling, 2).MatrixRows(); lanes != c.lanes || bytes != c.bytes {
			t.Errorf("%s: %d lanes, %d bytes, expected %d and %d", c.spelling, lanes, bytes, c.lanes, c.bytes)
		}
	}
}
