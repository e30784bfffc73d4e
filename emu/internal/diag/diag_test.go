package diag

import "testing"

func TestPlural(t *testing.T) {
	for n, want := range map[int]string{0: "0 threads", 1: "1 thread", 2: "2 threads"} {
		if got := Plural(n, "thread"); got != want {
			t.Errorf("%d: %q, expected %q", n, got, want)
		}
	}
}

func TestViolationf(t *testing.T) {
	want := Violation{Class: "trap", Msg: "count of 7"}
	if v := Violationf("trap", "count of %d", 7); *v != want {
		t.Errorf("%+v, expected %+v", *v, want)
	}
}
