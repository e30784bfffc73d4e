package ptxgrammar_test

import "testing"

// Expected values: C semantics on 64-bit integers, as the manual's chapter "Constant
// Expressions" prescribes.
func TestEval(t *testing.T) {
	tests := []struct {
		expr string
		want int64
		ok   bool
	}{
		{"1 + 2 * 3", 7, true},
		{"(1 + 2) * 3", 9, true},
		{"10 - 4 - 3", 3, true},
		{"1 << 4 + 1", 32, true},
		{"7 / 2 % 2", 1, true},
		{"-7 / 2", -3, true},
		{"-7 % 2", -1, true},
		{"-1 >> 1", -1, true},
		{"-1U >> 1", 1<<63 - 1, true},
		{"0xFFFFFFFFFFFFFFFF >> 63", 1, true},
		{"-1 < 0", 1, true},
		{"-1 < 0U", 0, true},
		{"(.u64) -1 > 0", 1, true},
		{"(.s64) 0xFFFFFFFFFFFFFFFF < 0", 1, true},
		{"3 & 6 | 8 ^ 1", 11, true},
		{"1 == 1 && 2 != 2 || 0", 0, true},
		{"!0 + ~0", 0, true},
		{"1 <= 1", 1, true},
		{"2 >= 3", 0, true},
		{"1 ? 2 : 3", 2, true},
		{"0 ? 2 : 0 ? 3 : 4", 4, true},
		{"1 << 64", 0, true},
		{"0xFFFFFFFFFFFFFFFF / 2", 1<<63 - 1, true},
		{"0xFFFFFFFFFFFFFFFF % 10", 5, true},
		{"+3 > 2", 1, true},
		{"2 != 2 ^ 1", 1, true},
		{"WARP_SZ * 2", 64, true},
		{"0b101 + 010 + 0x10", 29, true},
		{"(.s64) 0x8000000000000000 / -1", -9223372036854775808, true},
		{"-9223372036854775808 / -1", 0, true},
		{"1 / 0", 0, false},
		{"1 % 0", 0, false},
		{"n + 1", 0, false},
		{"1.5", 0, false},
		{"(.f32) 1", 0, false},
		{"{1}", 0, false},
	}
	for _, tt := range tests {
		m := parseBody(t, "mov.b64 r, "+tt.expr+";")
		got, ok := m.Eval(&m.InstOperands(&m.Insts[0])[1])
		if ok != tt.ok || ok && int64(got) != tt.want {
			t.Errorf("%s = %d, %v; want %d, %v", tt.expr, int64(got), ok, tt.want, tt.ok)
		}
	}
}
