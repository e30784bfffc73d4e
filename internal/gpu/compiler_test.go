package gpu

import (
	"strings"
	"testing"
)

// TestForDriver: only comparisons of lop3's results with 0 are written in another way.
func TestForDriver(t *testing.T) {
	const before, after = "lop3.b32 %r1, %r2, %r3, %r4, 234; and.b32 %r5, %r1, 1;\n", "\n@%p1 bra L; st.global.u32 [%rd1], 0;\n"
	for _, c := range [][2]string{
		{"setp.eq.s32 %p1, %r1, 0;", "setp.lt.u32 %p1, %r1, 1;"},
		{"setp.eq.b32 \t%p1, %r1,0 ;", "setp.lt.u32 \t%p1, %r1,1 ;"},
		{"@!%p3 setp.eq.u32 %p1|%p2, %r1, 0;", "@!%p3 setp.lt.u32 %p1|%p2, %r1, 1;"},
		{"setp.eq.and.s32 %p1, %r1, 0, %p2;", "setp.lt.and.u32 %p1, %r1, 1, %p2;"},
		{"setp.eq.s32 %p1, %r5, 0;", ""},
		{".func f() { setp.eq.s32 %p1, %r1, 0; }", ""}, // the register of another function
		{"setp.eq.s32 %p1, %r11, 0;", ""},
		{"setp.ne.s32 %p1, %r1, 0;", ""},
		{"setp.eq.s32 %p1, %r1, 0x10;", ""},
		{"setp.eq.s32 %p1, %r2, %r1;", ""},
		{"setp.eq.s64 %p1, %r1, 0;", ""},
	} {
		want := c[1]
		if want == "" {
			want = c[0]
		}
		if got := string(ForDriver([]byte(before + c[0] + after))); got != before+want+after {
			t.Errorf("%s: %s", c[0], strings.TrimSuffix(strings.TrimPrefix(got, before), after))
		}
	}
}
