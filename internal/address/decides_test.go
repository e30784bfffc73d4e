package address

import (
	"strings"
	"testing"
)

// TestDeciding: which loads do nothing but choose a way.
func TestDeciding(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       bool
	}{
		{"poll", "W: ld.volatile.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 0; @%p1 bra W;", true},
		{"poll of a bit", "W: ld.volatile.u32 %r1, [%rd1]; and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 0; @%p1 bra W;", true},
		{"one look", "ld.volatile.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 0; @%p1 ret;", true},
		{"predicates", "ld.volatile.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 0; not.pred %p2, %p1; @%p2 st.u32 [%rd2], 1;", true},
		{"table of branches", "ld.volatile.u32 %r1, [%rd1]; T: .branchtargets A, B; brx.idx %r1, T; A: ret; B: ret;", true},
		{"through a vote", "ld.volatile.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 0; vote.sync.any.pred %p2, %p1, -1; @%p2 ret;", true},
		{"through local memory", ".local .b32 v; W: ld.volatile.u32 %r1, [%rd1]; st.local.u32 [v], %r1; ld.local.u32 %r2, [v]; setp.eq.u32 %p1, %r2, 0; @%p1 bra W;", true},
		{"data through local memory", ".local .b32 v; ld.volatile.u32 %r1, [%rd1]; st.local.u32 [v], %r1; ld.local.u32 %r2, [v]; st.u32 [%rd2], %r2;", false},
		{"somewhere in local memory", ".local .b32 v[9]; ld.volatile.u32 %r1, [%rd1]; mul.wide.u32 %rd3, %r9, 4; mov.u64 %rd4, v; add.u64 %rd4, %rd4, %rd3; st.local.u32 [%rd4], %r1;", false},
		{"copied", "ld.volatile.u32 %r1, [%rd1]; st.u32 [%rd2], %r1;", false},
		{"looked at and copied", "ld.volatile.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 0; @%p1 ret; add.u32 %r2, %r1, 1; st.u32 [%rd2], %r2;", false},
		{"choice of data", "ld.volatile.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 0; selp.u32 %r2, 1, 2, %p1; st.u32 [%rd2], %r2;", false},
		{"address", "ld.volatile.u64 %rd3, [%rd1]; ld.u32 %r1, [%rd3];", false},
		{"operand of an atomic", "ld.volatile.u32 %r1, [%rd1]; red.global.add.u32 [%rd2], %r1;", false},
		{"lock", "W: atom.global.cas.b32 %r1, [%rd1], 0, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra W;", true},
		{"last one", "atom.global.add.u32 %r1, [%rd1], 1; setp.ne.u32 %p1, %r1, 63; @%p1 ret;", true},
		{"ticket", "atom.global.add.u32 %r1, [%rd1], 1; mul.wide.u32 %rd3, %r1, 4; st.u32 [%rd3], 1;", false},
		{"result unused", "atom.global.exch.b32 %r1, [%rd1], 1;", false},
		{"weak poll", "W: ld.global.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 0; @%p1 bra W;", true},
		{"weak look", "ld.global.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 0; @%p1 ret;", false},
		{"weak loop with barriers", "W: bar.sync 0; ld.global.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 0; @%p1 bra W;", false},
		{"weak look in each round", "W: ld.global.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 0; @%p1 bra N; st.u32 [%rd2], 1; N: add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 9; @%p2 bra W;", false},
		{"weak search", "W: ld.global.u32 %r1, [%rd1]; add.u64 %rd1, %rd1, 4; setp.eq.u32 %p1, %r1, 0; @%p1 bra W;", false},
		{"unused", "ld.volatile.u32 %r1, [%rd1];", false},
		{"read back", "st.volatile.u32 [%rd1], %r2; ld.volatile.u32 %r1, [%rd1]; setp.ne.u32 %p1, %r1, %r2; @%p1 ret;", false},
		{"read beside a store", "st.volatile.u32 [%rd1+4], %r2; ld.volatile.u32 %r1, [%rd1]; setp.ne.u32 %p1, %r1, %r2; @%p1 ret;", true},
		{"read back through another address", "st.volatile.u32 [%rd1], %r2; add.u64 %rd1, %rd1, 4; ld.volatile.u32 %r1, [%rd1]; setp.ne.u32 %p1, %r1, 0; @%p1 ret;", true},
		{"stored, then polled", "st.volatile.u32 [%rd1], 1; W: ld.volatile.u32 %r1, [%rd1]; setp.ne.u32 %p1, %r1, 0; @%p1 bra W;", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := kernel(t, ".reg .pred %p<9>; .reg .b32 %r<10>; .reg .b64 %rd<9>;\n"+c.body+"\nret;")
			for _, in := range f.Insts {
				if strings.HasPrefix(in.Text(), "ld.volatile") || strings.HasPrefix(in.Text(), "atom") || strings.HasPrefix(in.Text(), "ld.global") {
					if got := Deciding(f)[in]; got != c.want {
						t.Errorf("%s: %t", in.Text(), got)
					}
					return
				}
			}
		})
	}
}

// TestStored: which loads a thread passes on to memory.
func TestStored(t *testing.T) {
	for body, want := range map[string]bool{
		"ld.global.u32 %r1, [%rd1]; st.global.u32 [%rd2], %r1;":                                         true,
		"ld.global.u32 %r1, [%rd1]; add.u32 %r1, %r1, 1; mul.lo.u32 %r2, %r1, %r1; st.u32 [%rd2], %r2;": true,
		"ld.relaxed.gpu.global.u32 %r1, [%rd1]; st.global.u32 [%rd2], %r1;":                             true,
		"ld.global.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 0; @%p1 st.global.u32 [%rd2], 1;":             false,
		"ld.global.u64 %rd3, [%rd1]; st.global.u32 [%rd3], 1;":                                          false,
		"ld.global.u32 %r1, [%rd1]; red.global.add.u32 [%rd2], %r1;":                                    false,
		".local .b32 v; ld.global.u32 %r1, [%rd1]; st.local.u32 [v], %r1;":                              false,
		"ld.global.u32 %r1, [%rd1]; mov.u32 %r1, 7; st.global.u32 [%rd2], %r1;":                         false,
	} {
		f := kernel(t, ".reg .pred %p<9>; .reg .b32 %r<10>; .reg .b64 %rd<9>;\n"+body+"\nret;")
		if got := len(Stored(f)) > 0; got != want {
			t.Errorf("%s: %t", body, got)
		}
	}
}

// TestConsulted: which strong loads and atomic operations threads may wait for.
func TestConsulted(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want bool
	}{
		"poll":                 {"W: ld.volatile.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 0; @%p1 bra W;", true},
		"poll, and a sum":      {"W: atom.global.or.b32 %r1, [%rd1], 0; setp.eq.u32 %p1, %r1, 0; @%p1 bra W; add.u32 %r2, %r1, 1; st.u32 [%rd2], %r2;", true},
		"a sum, then one look": {"ld.relaxed.gpu.u32 %r1, [%rd1]; st.u32 [%rd2], %r1; setp.eq.u32 %p1, %r1, 0; @%p1 ret;", true},
		"data":                 {"ld.volatile.u32 %r1, [%rd1]; st.u32 [%rd2], %r1;", false},
		"choice of data":       {"ld.volatile.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 0; selp.u32 %r2, 1, 2, %p1; st.u32 [%rd2], %r2;", false},
		"ticket":               {"atom.global.add.u32 %r1, [%rd1], 1; mul.wide.u32 %rd3, %r1, 4; st.u32 [%rd3], 1;", false},
		"unused":               {"atom.global.add.u32 %r1, [%rd1], 1;", false},
		"no result":            {"red.global.add.u32 [%rd1], 1;", false},
		"weak":                 {"W: ld.global.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 0; @%p1 bra W;", false},
	} {
		t.Run(name, func(t *testing.T) {
			f := kernel(t, ".reg .pred %p<9>; .reg .b32 %r<10>; .reg .b64 %rd<9>;\n"+c.body+"\nret;")
			if got := len(Consulted(f)) == 1; got != c.want {
				t.Errorf("consulted: %t", got)
			}
		})
	}
}

// TestAwaited: which strong loads and atomic operations a loop repeats until their value is as wanted.
func TestAwaited(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want bool
	}{
		"poll":                 {"W: ld.volatile.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 0; @%p1 bra W;", true},
		"poll, and a sum":      {"W: ld.volatile.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 0; @%p1 bra W; add.u32 %r2, %r1, 1; st.u32 [%rd2], %r2;", true},
		"poll of a bit":        {"W: ld.volatile.u32 %r1, [%rd1]; shr.u32 %r2, %r1, 30; setp.eq.u32 %p1, %r2, 0; @!%p1 bra D; bra W; D: st.u32 [%rd2], %r1;", true},
		"by an atomic":         {"W: atom.global.or.b32 %r1, [%rd1], 0; setp.eq.u32 %p1, %r1, 0; @%p1 bra W; st.u32 [%rd2], %r1;", true},
		"one look":             {"ld.volatile.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 0; @%p1 ret; st.u32 [%rd2], %r1;", false},
		"a search":             {"W: ld.volatile.u32 %r1, [%rd1]; add.u64 %rd1, %rd1, 4; setp.eq.u32 %p1, %r1, 0; @%p1 bra W;", false},
		"a sum in a loop":      {"W: ld.volatile.u32 %r1, [%rd1]; add.u32 %r2, %r2, %r1; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 9; @%p1 bra W; st.u32 [%rd2], %r2;", false},
		"a choice in the loop": {"W: ld.volatile.u32 %r1, [%rd1]; setp.eq.u32 %p2, %r1, 0; @%p2 bra N; st.u32 [%rd2], %r1; N: add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 9; @%p1 bra W;", false},
		"a look-back in one loop": {"W: shl.b32 %r4, %r3, 8; mul.wide.u32 %rd3, %r4, 4; add.s64 %rd4, %rd1, %rd3; ld.volatile.u32 %r1, [%rd4]; and.b32 %r2, %r1, 3; setp.eq.u32 %p2, %r2, 1; " +
			"selp.b32 %r5, -1, 0, %p2; add.s32 %r3, %r3, %r5; add.u32 %r6, %r6, %r1; setp.ne.u32 %p1, %r2, 2; @%p1 bra W; st.u32 [%rd2], %r6;", true},
		"a look-back that branches": {"W: mul.wide.u32 %rd3, %r3, 4; add.s64 %rd4, %rd1, %rd3; ld.volatile.u32 %r1, [%rd4]; setp.eq.u32 %p1, %r1, 2; @%p1 bra D; setp.ne.u32 %p2, %r1, 1; @%p2 bra W; " +
			"add.s32 %r7, %r3, -1; mov.u32 %r3, %r7; add.u32 %r6, %r6, %r1; bra W; D: st.u32 [%rd2], %r6;", true},
		"a search by index":     {"W: mul.wide.u32 %rd3, %r3, 4; add.s64 %rd4, %rd1, %rd3; ld.volatile.u32 %r1, [%rd4]; add.s32 %r3, %r3, -1; setp.eq.u32 %p1, %r1, 0; @%p1 bra W; st.u32 [%rd2], %r1;", false},
		"a chain":               {"W: mul.wide.u32 %rd3, %r1, 4; add.s64 %rd4, %rd1, %rd3; ld.volatile.u32 %r1, [%rd4]; setp.ne.u32 %p1, %r1, 0; @%p1 bra W; st.u32 [%rd2], %r1;", false},
		"a step by other words": {"W: mul.wide.u32 %rd3, %r3, 4; add.s64 %rd4, %rd1, %rd3; ld.volatile.u32 %r1, [%rd4]; selp.b32 %r5, -1, 0, %p2; add.s32 %r3, %r3, %r5; setp.eq.u32 %p1, %r1, 0; @%p1 bra W; st.u32 [%rd2], %r1;", false},
		"a counter with a tag":  {"W: ld.volatile.u32 %r1, [%rd1]; add.u32 %r2, %r1, 1; st.volatile.u32 [%rd1], %r2; ld.volatile.u32 %r3, [%rd1]; setp.ne.u32 %p1, %r3, %r2; @%p1 bra W;", false},
		"an answer, elsewhere":  {"W: ld.volatile.u32 %r1, [%rd1]; st.volatile.u32 [%rd1+4], %r1; setp.eq.u32 %p1, %r1, 0; @%p1 bra W;", true},
		"weak":                  {"W: ld.global.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 0; @%p1 bra W; st.u32 [%rd2], %r1;", false},
	} {
		t.Run(name, func(t *testing.T) {
			f := kernel(t, ".reg .pred %p<9>; .reg .b32 %r<10>; .reg .b64 %rd<9>;\n"+c.body+"\nret;")
			if got := len(Awaited(f)) == 1; got != c.want {
				t.Errorf("awaited: %t", got)
			}
		})
	}
}

// TestAwaitedBefore: the round in front of a loop is awaited as the others are, and a load of something else is not.
func TestAwaitedBefore(t *testing.T) {
	f := kernel(t, `.reg .pred %p<9>; .reg .b32 %r<10>; .reg .b64 %rd<9>;
ld.volatile.u32 %r8, [%rd5];
add.u32 %r9, %r8, 1;
st.u32 [%rd2+4], %r9;
ld.volatile.u32 %r1, [%rd1];
and.b32 %r2, %r1, 3;
setp.eq.u32 %p1, %r2, 2;
@%p1 bra D;
W:
setp.eq.u32 %p2, %r2, 1;
selp.b32 %r5, 4, 0, %p2;
cvt.u64.u32 %rd3, %r5;
sub.s64 %rd1, %rd1, %rd3;
ld.volatile.u32 %r1, [%rd1];
and.b32 %r2, %r1, 3;
setp.ne.u32 %p1, %r2, 2;
@%p1 bra W;
D:
st.u32 [%rd2], %r1;
ret;`)
	var found []string
	awaited := Awaited(f)
	for _, in := range f.Insts {
		if awaited[in] {
			found = append(found, in.Text())
		}
	}
	if want := "ld.volatile.u32 %r1, [%rd1]; ld.volatile.u32 %r1, [%rd1]"; strings.Join(found, "; ") != want {
		t.Errorf("awaited: %q", found)
	}
}
