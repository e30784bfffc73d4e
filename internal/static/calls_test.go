package static

import (
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/facts"
)

// callText is a module with kernelText's kernel, and functions f, g, sync and apart of an address and a number, of
// which the kernel calls one.
func callText(f, g, body string) string {
	function := func(name, body string) string {
		return ".func " + name + `(.param .b64 at, .param .b32 i)
{
	.reg .pred %p<4>;
	.reg .b32 %r<9>;
	.reg .b64 %rd<9>;
	ld.param.u64 %rd1, [at];
	ld.param.u32 %r1, [i];
	mul.wide.u32 %rd2, %r1, 4;
	add.s64 %rd3, %rd1, %rd2;
` + strings.ReplaceAll(body, ";", ";\n") + "\n\tret;\n}\n"
	}
	outside := ".extern .func (.param .b32 result) outside(.param .b32 i);\n.extern .func leads(.param .b64 at);\n"
	text := kernelText(body)
	head := text[:strings.Index(text, ".visible")]
	return head + outside + function("f", f) + function("g", g) + text[len(head):]
}

// callThrough passes %rd1 and %r5 to the function in %rd9.
const callThrough = `{ .param .b64 a0; .param .b32 a1; st.param.b64 [a0], %rd1; st.param.b32 [a1], %r5;
	proto: .callprototype _ (.param .b64 _, .param .b32 _); call %rd9, (a0, a1), proto; }`

// TestCallsThroughRegisters: what a function does that is called through a register counts as what the kernel does,
// under the condition of the call.
func TestCallsThroughRegisters(t *testing.T) {
	const (
		own      = "st.global.u32 [%rd3], %r1;"
		next     = "ld.global.u32 %r2, [%rd3+4]; st.global.u32 [%rd3], %r2;"
		first    = "st.global.u32 [%rd1], %r1;"
		nothing  = "add.u32 %r2, %r1, 1;"
		choose   = "mov.u64 %rd5, f; mov.u64 %rd6, g; setp.eq.u32 %p1, %r1, 3; selp.b64 %rd9, %rd5, %rd6, %p1;"
		leader   = "mov.u64 %rd5, f; mov.u64 %rd6, g; setp.eq.u32 %p1, %r5, 0; selp.b64 %rd9, %rd5, %rd6, %p1;"
		some     = "mov.u64 %rd5, f; mov.u64 %rd6, g; setp.lt.u32 %p1, %r5, 2; selp.b64 %rd9, %rd5, %rd6, %p1;"
		given    = "mov.u64 %rd5, f; st.local.u64 [mine], %rd5; mov.u64 %rd9, %rd2;"
		local    = ".local .align 8 .b8 mine[8];"
		one      = "mov.u64 %rd9, f;"
		waits    = "bar.sync 0;"
		exchange = "mul.wide.u32 %rd5, %r2, 4; mov.u64 %rd6, tile; add.s64 %rd7, %rd6, %rd5; st.shared.u32 [%rd7], %r2;"
		reads    = "ld.shared.u32 %r7, [%rd7+4];"
	)
	tests := []struct {
		name, f, g, body string
		want             Verdict
	}{
		{"both store their own", own, own, choose + callThrough, Clean},
		{"one reads its neighbour's", own, next, choose + callThrough, Racy},
		{"the leader stores to the first", first, nothing, leader + callThrough, Clean},
		{"two store to the first", first, nothing, some + callThrough, Racy},
		{"the address is passed", own, nothing, local + given + callThrough, Clean},
		{"the address is passed, of a racy one", next, nothing, local + given + callThrough, Possible},
		{"a barrier in the only one", waits, nothing, one + exchange + callThrough + reads, Clean},
		{"no barrier in the only one", nothing, nothing, one + exchange + callThrough + reads, Racy},
		{"a barrier in one of two", waits, nothing, choose + exchange + callThrough + reads, Possible},
		{"a number to a function outside", own, own, "{ .param .b32 a0; .param .b32 r0; st.param.b32 [a0], %r5; call (r0), outside, (a0); ld.param.b32 %r9, [r0]; }" + index + "st.global.u32 [%rd3], %r9;", Clean},
		{"a race behind a function outside", own, own, "{ .param .b32 a0; .param .b32 r0; st.param.b32 [a0], %r5; call (r0), outside, (a0); ld.param.b32 %r9, [r0]; } st.global.u32 [%rd1], %r9;", Possible},
		{"a number to a function that is passed", own, own, "{ .param .b32 a0; .param .b32 r0; st.param.b32 [a0], %r5; other: .callprototype (.param .b32 _) _ (.param .b32 _); call (r0), %rd2, (a0), other; ld.param.b32 %r9, [r0]; }" + index + "st.global.u32 [%rd3], %r9;", Clean},
		{"an address to a function that is passed", own, own, "{ .param .b64 a0; st.param.b64 [a0], %rd1; other: .callprototype _ (.param .b64 _); call %rd2, (a0), other; }" + index + "st.global.u32 [%rd3], %r5;", Possible},
		{"the address of none is taken, both store their own", own, own, "mov.u64 %rd9, %rd2;" + callThrough, Clean},
		{"the address of none is taken, one is racy", own, next, "mov.u64 %rd9, %rd2;" + callThrough, Possible},
		{"the address of none is taken, one waits", own, waits, "mov.u64 %rd9, %rd2;" + callThrough, Possible},
		{"a table of one function, both store their own", own, next, "mul.wide.u32 %rd5, %r2, 8; mov.u64 %rd6, table; add.s64 %rd6, %rd6, %rd5; ld.global.u64 %rd9, [%rd6];" + callThrough, Clean},
		{"a table of both functions, one is racy", own, next, "ld.global.u64 %rd9, [pair+8];" + callThrough, Possible},
		{"a table of one function, a thread puts another one into it", own, first, "mov.u64 %rd6, table; mov.u64 %rd5, g; setp.eq.u32 %p1, %r5, 0; @%p1 st.global.u64 [%rd6], %rd5; bar.sync 0; ld.global.u64 %rd9, [%rd6];" + callThrough, Racy},
		{"a table of one function, another one is put into another table", own, first, "mov.u64 %rd6, pair; mov.u64 %rd5, g; setp.eq.u32 %p1, %r5, 0; @%p1 st.global.u64 [%rd6], %rd5; ld.global.u64 %rd9, [table];" + callThrough, Clean},
		{"a table in constant memory", own, next, "ld.const.u64 %rd7, [fixed]; mov.u64 %rd9, %rd7;" + callThrough, Clean},
		{"a table that a branch chooses", own, next, "ld.const.u64 %rd7, [fixed]; selp.b64 %rd9, %rd7, %rd2, %p1;" + callThrough, Possible},
		{"an address to a function outside", own, own, "{ .param .b64 a0; st.param.b64 [a0], %rd1; call leads, (a0); }" + index + "st.global.u32 [%rd3], %r5;", Possible},
	}
	for _, test := range tests {
		block := &facts.Given{Disjoint: true}
		text := callText(test.f, test.g, test.body)
		if strings.Contains(test.name, "a table") {
			text = strings.Replace(text, ".visible", ".global .u64 table[2] = {f};\n.global .u64 pair[2] = {f, g};\n.const .u64 fixed = f;\n.visible", 1)
		}
		r := analyzeText(t, text, block, Options{NoWrap: true})
		got := r.Verdict
		if got != test.want && (test.want != Racy || got != Possible) {
			t.Errorf("%s: %s, want %s: %v", test.name, got, test.want, r.Notes)
			for _, p := range r.Pairs {
				t.Logf("%s | %s: %s %v %s", p.First.Inst.Text(), p.Second.Inst.Text(), p.Verdict, p.Kinds, p.Reason)
			}
		}
		assumes := slices.ContainsFunc(r.Needed, func(n string) bool { return strings.HasPrefix(n, "calls: ") })
		if want := strings.Contains(test.name, "passed") || strings.Contains(test.name, "a number") || strings.Contains(test.name, "none is taken") || strings.Contains(test.name, "a table"); got == Clean && assumes != want {
			t.Errorf("%s: needs %v", test.name, r.Needed)
		}
	}
}

// TestEndsOutside: a thread may end in a function outside of the module that has no result, not in one with a result.
func TestEndsOutside(t *testing.T) {
	const (
		store   = smem + "st.shared.u32 [%rd4], %r2;"
		load    = "bar.sync 0; ld.shared.u32 %r7, [tile];"
		without = "{ .param .b32 a0; st.param.b32 [a0], %r2; call ends, (a0); }"
		with    = "{ .param .b32 a0; .param .b32 r0; st.param.b32 [a0], %r2; call (r0), outside, (a0); ld.param.b32 %r9, [r0]; }"
	)
	for _, test := range []struct {
		name, body string
		want       Verdict
	}{
		{"with a result", store + with + load, Clean},
		{"without one", store + without + load, Possible},
		{"before the store", without + store + load, Clean},
		{"a counter", without + whole, Possible},
	} {
		body := strings.NewReplacer("R:", "R:\n", "E:", "E:\n", "L:", "L:\n", "S:", "S:\n").Replace(test.body)
		text := strings.Replace(kernelText(body), ".visible", ".extern .func ends(.param .b32 i);\n.extern .func (.param .b32 r) outside(.param .b32 i);\n.visible", 1)
		if r := analyzeText(t, text, oneLaunch(), Options{}); r.Verdict != test.want {
			t.Errorf("%s: %s, want %s: %v", test.name, r.Verdict, test.want, r.Notes)
		}
	}
}

// TestEndsInCall: a thread that ends in a function reaches no barrier and no store behind the call: the barrier does
// not order what it has done before, no value is told by it, and it does not add to a counter.
func TestEndsInCall(t *testing.T) {
	const (
		call  = "mov.u64 %rd9, f;" + callThrough
		plain = smem + "st.shared.u32 [%rd4], %r2;" + call + "bar.sync 0; ld.shared.u32 %r7, [tile];"
		some  = "setp.eq.u32 %p1, %r1, 0; @%p1 exit;"
	)
	told := call + strings.ReplaceAll(persistent, "bra L;", "")
	counter := call + whole
	for _, test := range []struct {
		name, f, body string
		want          bool
	}{
		{"a barrier", "add.u32 %r2, %r1, 1;", plain, true},
		{"a barrier that some do not come to", some, plain, false},
		{"told tickets", "add.u32 %r2, %r1, 1;", told, true},
		{"told tickets that nobody tells", some, told, false},
		{"a counter", "add.u32 %r2, %r1, 1;", counter, true},
		{"a counter to which some do not add", some, counter, false},
	} {
		body := strings.NewReplacer("[a1], %r5", "[a1], %r2", "R:", "R:\n", "E:", "E:\n", "L:", "L:\n", "S:", "S:\n").Replace(test.body)
		given, options := oneLaunch(), Options{}
		if strings.HasPrefix(test.name, "told") {
			given, options = &facts.Given{Disjoint: true}, Options{NoWrap: true}
		}
		if r := analyzeText(t, callText(test.f, "", body), given, options); (r.Verdict == Clean) != test.want {
			t.Errorf("%s: %s, proved is to be %t", test.name, r.Verdict, test.want)
		}
	}
}
