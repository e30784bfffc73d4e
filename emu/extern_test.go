package emu_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// stringVar declares a .global string.
func stringVar(name, s string) string {
	var b []string
	for i := range len(s) {
		b = append(b, fmt.Sprint(s[i]))
	}
	return fmt.Sprintf(".global .align 1 .b8 %s[%d] = {%s, 0};\n", name, len(s)+1, strings.Join(b, ", "))
}

// printfKernel calls vprintf(format, buffer) in thread 0 with 8-byte argument
// words as clang lays them out.
func printfKernel(format string, words ...uint64) string {
	body := "setp.ne.u32 %p1, %r1, 0; @%p1 ret;\n"
	for i, w := range words {
		body += fmt.Sprintf("st.local.u64 [depot+%d], 0x%x;\n", 8*i, w)
	}
	return ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n" +
		stringVar("fmt", format) + stringVar("name", "world") +
		strings.Replace(kernel(body+`
	mov.u64 %rd1, fmt; cvta.global.u64 %rd1, %rd1;
	add.u64 %rd2, %SP, 0;
	{ .param .b64 p0; .param .b64 p1; .param .b32 q;
	st.param.b64 [p0], %rd1; st.param.b64 [p1], %rd2;
	call (q), vprintf, (p0, p1);
	ld.param.b32 %r5, [q]; }
	st.global.u32 [%out], %r5; ret;`), "{\n", "{\n.local .align 8 .b8 depot[128]; .reg .b64 %SP, %SPL; mov.u64 %SPL, depot; cvta.local.u64 %SP, %SPL;\n", 1)
}

func TestPrintf(t *testing.T) {
	const half, third = 0x3fe0000000000000, 0x3fd5555555555555
	two := func(lo, hi uint32) uint64 { return uint64(hi)<<32 | uint64(lo) }
	for _, c := range []struct {
		format string
		words  []uint64
		want   string
		n      uint32
	}{
		{"plain\n", nil, "plain\n", 0},
		{"%d %u %x", []uint64{two(0xffffffff, 7), two(0xbeef, 0)}, "-1 7 beef", 3},
		{"%5d|%-5d|%05d|%+d", []uint64{two(42, 42), two(42, 42)}, "   42|42   |00042|+42", 4},
		{"%ld %lld %llu %lx", []uint64{1 << 40, 0xffffffffffffffff, 0xffffffffffffffff, 0xabc}, "1099511627776 -1 18446744073709551615 abc", 4},
		{"%d %ld", []uint64{two(5, 99), 6}, "5 6", 2}, // the long is aligned to 8
		{"%f %5.2f %e %g", []uint64{half, third, half, third}, "0.500000  0.33 5.000000e-01 0.333333", 4},
		{"%g %g %G", []uint64{0x4059000000000000, 0x4341c37937e08000, 0x3eb0c6f7a0b5ed8d}, "100 1e+16 1E-06", 3},
		{"%a", []uint64{half}, "0x1p-1", 1},
		{"%c%c", []uint64{two('o', 'k')}, "ok", 2},
		{"%p", []uint64{0x1234}, "0x1234", 1},
		{"100%% %#x %#o %X", []uint64{two(255, 8), two(255, 0)}, "100% 0xff 010 FF", 3},
		{"%*d %.3d", []uint64{two(4, 7), two(5, 0)}, "   7 005", 3},
		{"%q %", nil, "%q %", 0},
		{"%f %F %.0f", []uint64{0x7ff0000000000000, 0xfff0000000000000, 0x4004000000000000}, "inf -INF 2", 3},
	} {
		var out bytes.Buffer
		m := load(t, printfKernel(c.format, c.words...), emu.Config{Stdout: &out})
		buf := alloc(t, m, "out", 32)
		clean(t, launch(t, m, 1, 32, buf))
		if out.String() != c.want {
			t.Errorf("%q: got %q, want %q", c.format, out.String(), c.want)
		}
		if n := words(t, m, buf, 1)[0]; n != c.n {
			t.Errorf("%q: %d arguments, want %d", c.format, n, c.n)
		}
	}
}

func TestPrintfString(t *testing.T) {
	text := printfKernel("hello %s|%8s|%.2s", 0, 0, 0)
	text = strings.Replace(text, "mov.u64 %rd1, fmt;", `mov.u64 %rd3, name; cvta.global.u64 %rd3, %rd3;
		st.local.u64 [depot], %rd3; st.local.u64 [depot+8], %rd3; st.local.u64 [depot+16], %rd3; mov.u64 %rd1, fmt;`, 1)
	var out bytes.Buffer
	m := load(t, text, emu.Config{Stdout: &out})
	clean(t, launch(t, m, 1, 1, alloc(t, m, "out", 1)))
	if want := "hello world|   world|wo"; out.String() != want {
		t.Fatalf("got %q, want %q", out.String(), want)
	}
}

func TestAssert(t *testing.T) {
	text := ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);\n" +
		stringVar("msg", "x > 0") + stringVar("file", "k.cu") + stringVar("fn", "void k(int)") + kernel(`
	setp.ne.u32 %p1, %r4, 70; @%p1 ret;
	mov.u64 %rd1, msg; mov.u64 %rd2, file; mov.u64 %rd3, fn;
	{ .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;
	st.param.b64 [a], %rd1; st.param.b64 [b], %rd2; st.param.b32 [c], 17; st.param.b64 [d], %rd3; st.param.b64 [e], 1;
	call __assertfail, (a, b, c, d, e); }
	ret;`)
	m := load(t, text, emu.Config{})
	r := launch(t, m, 2, 50, alloc(t, m, "out", 1))
	if len(r.Faults) != 1 || r.Faults[0].Class != "assert" || r.Faults[0].Thread.X != 20 || r.Faults[0].Block.X != 1 ||
		r.Faults[0].Message != "k.cu:17: void k(int): assertion `x > 0` failed" {
		t.Fatal(r.Faults)
	}
}

func TestDeviceMalloc(t *testing.T) {
	text := `.extern .func (.param .b64 r) malloc(.param .b64 n);
.extern .func free(.param .b64 p);
` + kernel(`
	{ .param .b64 n; .param .b64 q; st.param.b64 [n], 16; call (q), malloc, (n); ld.param.b64 %rd1, [q]; }
	st.u32 [%rd1+12], %r4; ld.u32 %r5, [%rd1+12]; st.global.u32 [%out], %r5;
	{ .param .b64 n; st.param.b64 [n], %rd1; call free, (n); }
	setp.eq.u32 %p1, %r4, 9; @%p1 ld.u32 %r5, [%rd1];
	ret;`)
	m := load(t, text, emu.Config{})
	buf := alloc(t, m, "out", 32)
	r := launch(t, m, 1, 32, buf)
	if len(r.Faults) != 1 || r.Faults[0].Class != "use-after-free" || r.Faults[0].Thread.X != 9 {
		t.Fatal(r.Faults)
	}
	for i, v := range words(t, m, buf, 32) {
		if v != uint32(i) {
			t.Fatal(i, v)
		}
	}
}

// heapEvents records allocations and frees.
type heapEvents struct {
	emu.NopListener
	list []abi.Event
}

// Event implements abi.Receiver.
func (h *heapEvents) Event(ev *abi.Event) {
	if ev.Kind == abi.EventAlloc || ev.Kind == abi.EventFree {
		h.list = append(h.list, *ev)
	}
}

// TestHeapEvents: allocations of no bytes and frees are told apart; a free has the size of the memory; the free of an
// address at which no allocation begins is none.
func TestHeapEvents(t *testing.T) {
	call := func(size, to string) string {
		return "{ .param .b64 n; .param .b64 q; st.param.b64 [n], " + size + "; call (q), malloc, (n); ld.param.b64 " + to + ", [q]; }\n"
	}
	free := func(p string) string {
		return "{ .param .b64 n; st.param.b64 [n], " + p + "; call free, (n); }\n"
	}
	var events heapEvents
	m := load(t, ".extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 p);\n"+
		kernel(call("0", "%rd1")+call("16", "%rd2")+free("%rd1")+free("%rd2")+call("8", "%rd3")+"add.s64 %rd3, %rd3, 4;\n"+free("%rd3")+"ret;"),
		emu.Config{Listener: &events})
	if r := launch(t, m, 1, 1, alloc(t, m, "out", 1)); len(r.Faults) != 1 {
		t.Errorf("faults %v, expected one", r.Faults)
	}
	want := []abi.Event{
		{Kind: abi.EventAlloc},
		{Kind: abi.EventAlloc, Bytes: 16},
		{Kind: abi.EventFree},
		{Kind: abi.EventFree, Bytes: 16},
		{Kind: abi.EventAlloc, Bytes: 8},
	}
	if len(events.list) != len(want) {
		t.Fatalf("%d events, expected %d: %+v", len(events.list), len(want), events.list)
	}
	for i, ev := range events.list {
		if ev.Bytes != want[i].Bytes || ev.Kind != want[i].Kind {
			t.Errorf("event %d: %d bytes, kind %d, expected %d, %d", i, ev.Bytes, ev.Kind, want[i].Bytes, want[i].Kind)
		}
	}
	if l := events.list; l[0].Addr != l[2].Addr || l[1].Addr != l[3].Addr {
		t.Errorf("memory is freed at other addresses than it is allocated at: %+v", l)
	}
}
