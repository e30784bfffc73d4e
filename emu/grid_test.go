package emu_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/support"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// deviceRuntime declares the functions of the device runtime as compilers do.
const deviceRuntime = `
.extern .func (.param .b64 r) cudaGetParameterBuffer(.param .b64 a, .param .b64 n);
.extern .func (.param .b64 r) cudaGetParameterBufferV2(.param .b64 f, .param .align 4 .b8 g[12], .param .align 4 .b8 b[12], .param .b32 s);
.extern .func (.param .b32 r) cudaLaunchDevice(.param .b64 f, .param .b64 p, .param .align 4 .b8 g[12], .param .align 4 .b8 b[12], .param .b32 s, .param .b64 q);
.extern .func (.param .b32 r) cudaLaunchDeviceV2(.param .b64 p, .param .b64 q);
.extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2(.param .b64 f, .param .align 4 .b8 g[12], .param .align 4 .b8 b[12], .param .b32 s);
.extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2_ptsz(.param .b64 p, .param .b64 q);
.extern .func (.param .b32 r) cudaDeviceSynchronize();
.extern .func (.param .b32 r) cudaGetLastError();
.extern .func (.param .b32 r) __cudaCDP2PeekAtLastError();
.extern .func (.param .b64 r) cudaGetErrorName(.param .b32 e);
.extern .func (.param .b32 r) cudaGetDevice(.param .b64 p);
.extern .func (.param .b32 r) cudaDeviceGetAttribute(.param .b64 p, .param .b32 a, .param .b32 d);
.extern .func (.param .b32 r) cudaMalloc(.param .b64 p, .param .b64 n);
.extern .func (.param .b32 r) cudaFree(.param .b64 p);
.extern .func (.param .b32 r) cudaMemsetAsync(.param .b64 p, .param .b32 v, .param .b64 n, .param .b64 q);
.extern .func (.param .b32 r) cudaMemcpyAsync(.param .b64 d, .param .b64 s, .param .b64 n, .param .b32 k, .param .b64 q);
.extern .func (.param .b32 r) cudaStreamCreateWithFlags(.param .b64 p, .param .b32 f);
`

// dims stores a dim3 into a parameter.
func dims(name, x string) string {
	return fmt.Sprintf(".param .align 4 .b8 %s[12]; st.param.b32 [%s], %s; st.param.b32 [%s+4], 1; st.param.b32 [%s+8], 1;\n", name, name, x, name, name)
}

// launchV2 launches kernel<<<grid, block, 0, stream>>>(args...) as nvcc writes it: the
// error is in %r20, 0 when the buffer is null.
func launchV2(prefix, suffix, kernel, grid, block, stream string, args ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "mov.b32 %%r20, 0;\n mov.u64 %%rd20, %s;\n { .param .b64 f; st.param.b64 [f], %%rd20;\n%s%s", kernel, dims("g", grid), dims("b", block))
	fmt.Fprintf(&b, ".param .b32 s; st.param.b32 [s], 0; .param .b64 q; call (q), %sGetParameterBufferV2, (f, g, b, s); ld.param.b64 %%rd21, [q]; }\n", prefix)
	b.WriteString("setp.eq.u64 %p3, %rd21, 0;\n")
	for i, a := range args {
		fmt.Fprintf(&b, "@!%%p3 st.b64 [%%rd21+%d], %s;\n", 8*i, a)
	}
	fmt.Fprintf(&b, "{ .param .b64 p; st.param.b64 [p], %%rd21; .param .b64 t; st.param.b64 [t], %s; .param .b32 q; @!%%p3 call (q), %sLaunchDeviceV2%s, (p, t); @!%%p3 ld.param.b32 %%r20, [q]; }\n", stream, prefix, suffix)
	return b.String()
}

// launchV1 is launchV2 through the older interface.
func launchV1(kernel, grid, block, stream string, args ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "{ .param .b64 a; st.param.b64 [a], 64; .param .b64 n; st.param.b64 [n], %d; .param .b64 q; call (q), cudaGetParameterBuffer, (a, n); ld.param.b64 %%rd21, [q]; }\n", 8*len(args))
	for i, a := range args {
		fmt.Fprintf(&b, "st.b64 [%%rd21+%d], %s;\n", 8*i, a)
	}
	fmt.Fprintf(&b, "mov.u64 %%rd20, %s;\n { .param .b64 f; st.param.b64 [f], %%rd20; .param .b64 p; st.param.b64 [p], %%rd21;\n%s%s", kernel, dims("g", grid), dims("b", block))
	fmt.Fprintf(&b, ".param .b32 s; st.param.b32 [s], 0; .param .b64 t; st.param.b64 [t], %s; .param .b32 q; call (q), cudaLaunchDevice, (f, p, g, b, s, t); ld.param.b32 %%r20, [q]; }\n", stream)
	return b.String()
}

// callRuntime calls a function that returns an error, which is in %r20.
func callRuntime(name string, args ...string) string {
	var b strings.Builder
	b.WriteString("{ .param .b32 q; ")
	var names []string
	for i, a := range args {
		bits := "64"
		if low, short := strings.CutPrefix(a, "32:"); short {
			bits, args[i] = "32", low
		}
		n := fmt.Sprintf("a%d", i)
		fmt.Fprintf(&b, ".param .b%s %s; st.param.b%s [%s], %s; ", bits, n, bits, n, args[i])
		names = append(names, n)
	}
	fmt.Fprintf(&b, "call (q), %s, (%s); ld.param.b32 %%r20, [q]; }\n", name, strings.Join(names, ", "))
	return b.String()
}

const syncGrids = "{ .param .b32 q; call (q), cudaDeviceSynchronize, (); ld.param.b32 %r20, [q]; }\n"

// entry is a kernel with a buffer in %rd0 and up to two more parameters in %rd1, %rd2.
// %r0 is %tid.x, %r1 %ctaid.x.
func entry(name string, params int, body string) string {
	var list, loads []string
	for i := range params {
		list = append(list, fmt.Sprintf(".param .u64 a%d", i))
		loads = append(loads, fmt.Sprintf("ld.param.u64 %%rd%d, [a%d];", i, i))
	}
	return fmt.Sprintf(`
.visible .entry %s(%s) {
	.reg .pred %%p<8>; .reg .b32 %%r<32>; .reg .b64 %%rd<32>;
	%s
	mov.u32 %%r0, %%tid.x; mov.u32 %%r1, %%ctaid.x;
	%s
	ret;
}
`, name, strings.Join(list, ", "), strings.Join(loads, "\n"), body)
}

// onlyThread0 lets the other threads of the block go.
const onlyThread0 = "setp.ne.u32 %p1, %r0, 0; @%p1 ret;\n"

// addChild adds 1 to the element of every thread.
var addChild = entry("child", 2, `
	mad.lo.u32 %r2, %r1, 32, %r0; mul.wide.u32 %rd3, %r2, 4; add.u64 %rd3, %rd0, %rd3;
	cvt.u32.u64 %r4, %rd1; ld.global.u32 %r3, [%rd3]; add.u32 %r3, %r3, %r4; st.global.u32 [%rd3], %r3;`)

// TestChildGrid: a child sees what its parent wrote before the launch, and the host
// sees what the child wrote, whichever spelling the launch has.
func TestChildGrid(t *testing.T) {
	fill := "mad.lo.u32 %r2, %r1, 64, %r0; mul.wide.u32 %rd3, %r2, 4; add.u64 %rd3, %rd0, %rd3; st.global.u32 [%rd3], %r2; bar.sync 0;\n" +
		onlyThread0 + "mul.wide.u32 %rd4, %r1, 256; add.u64 %rd4, %rd0, %rd4;\n"
	for name, call := range map[string]string{
		"v1":   launchV1("child", "2", "32", "0", "%rd4", "5"),
		"v2":   launchV2("cuda", "", "child", "2", "32", "0", "%rd4", "5"),
		"cdp2": launchV2("__cudaCDP2", "_ptsz", "child", "2", "32", "4", "%rd4", "5"),
	} {
		for policy, p := range policies {
			m := load(t, deviceRuntime+addChild+entry("k", 1, fill+call), emu.Config{Policy: p, Seed: 3})
			out := alloc(t, m, "out", 4*64)
			clean(t, launch(t, m, 4, 64, out))
			for i, v := range words(t, m, out, 4*64) {
				if v != uint32(i)+5 {
					t.Fatalf("%s under %s: out[%d] = %d", name, policy, i, v)
				}
			}
		}
	}
}

// TestDeviceSynchronize: after it the parent sees what the child wrote, and twice in
// the same stream is one after the other.
func TestDeviceSynchronize(t *testing.T) {
	body := onlyThread0 + "mul.wide.u32 %rd4, %r1, 128; add.u64 %rd4, %rd0, %rd4;\n" +
		launchV2("cuda", "", "child", "1", "32", "0", "%rd4", "5") + launchV2("cuda", "", "child", "1", "32", "0", "%rd4", "2") + syncGrids +
		"ld.global.u32 %r5, [%rd4+4]; mul.lo.u32 %r5, %r5, 10; st.global.u32 [%rd4], %r5;"
	for name, p := range policies {
		m := load(t, deviceRuntime+addChild+entry("k", 1, body), emu.Config{Policy: p})
		out := alloc(t, m, "out", 3*32)
		clean(t, launch(t, m, 3, 32, out))
		got := words(t, m, out, 3*32)
		if got[0] != 70 || got[32] != 70 || got[65] != 7 {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// quicksort sorts the elements from %rd1 up to %rd2: it partitions them around the
// last one (Lomuto) and launches itself for either side.
var quicksort = entry("k", 3, `
	setp.ge.u64 %p1, %rd1, %rd2; @%p1 ret;
	ld.global.u32 %r3, [%rd2]; // the pivot
	mov.u64 %rd4, %rd1; mov.u64 %rd5, %rd1;
LOOP:
	setp.ge.u64 %p1, %rd5, %rd2; @%p1 bra DONE;
	ld.global.u32 %r4, [%rd5];
	setp.gt.u32 %p1, %r4, %r3; @%p1 bra NEXT;
	ld.global.u32 %r5, [%rd4]; st.global.u32 [%rd4], %r4; st.global.u32 [%rd5], %r5;
	add.u64 %rd4, %rd4, 4;
NEXT:
	add.u64 %rd5, %rd5, 4; bra LOOP;
DONE:
	ld.global.u32 %r5, [%rd4]; st.global.u32 [%rd4], %r3; st.global.u32 [%rd2], %r5;
	sub.u64 %rd6, %rd4, 4; add.u64 %rd7, %rd4, 4;`+
	launchV2("cuda", "", "k", "1", "1", "0", "%rd0", "%rd1", "%rd6")+
	launchV2("cuda", "", "k", "1", "1", "0", "%rd0", "%rd7", "%rd2"))

func TestRecursiveQuicksort(t *testing.T) {
	const n = 200
	rng := rand.New(rand.NewPCG(1, 2))
	data := make([]uint32, n)
	var raw []byte
	for i := range data {
		data[i] = rng.Uint32N(1000)
		raw = binary.LittleEndian.AppendUint32(raw, data[i])
	}
	slices.Sort(data)
	for name, p := range policies {
		m := load(t, deviceRuntime+quicksort, emu.Config{Policy: p})
		buf := alloc(t, m, "data", n)
		if err := m.Write(buf, raw); err != nil {
			t.Fatal(err)
		}
		clean(t, launch(t, m, 1, 1, buf, buf, buf+4*(n-1)))
		if got := words(t, m, buf, n); !slices.Equal(got, data) {
			t.Errorf("%s: not sorted: %v", name, got)
		}
	}
}

// TestNestingDepth: grids may be nested 24 deep (CUDA C++ Programming Guide,
// "Implementation Restrictions and Limitations"); the next launch is an error, 65.
func TestNestingDepth(t *testing.T) {
	body := "cvt.u32.u64 %r2, %rd1; mul.wide.u32 %rd3, %r2, 4; add.u64 %rd3, %rd0, %rd3; st.global.u32 [%rd3], 1; add.u64 %rd4, %rd1, 1;\n" +
		launchV2("cuda", "", "k", "1", "1", "0", "%rd0", "%rd4") +
		"@!%p3 ret; " + callRuntime("cudaGetLastError") + "st.global.u32 [%rd3+4], %r20;"
	m := load(t, deviceRuntime+entry("k", 2, body), emu.Config{})
	out := alloc(t, m, "out", 64)
	clean(t, launch(t, m, 1, 1, out, 0))
	for i, v := range words(t, m, out, 64) {
		want := uint32(0)
		switch {
		case i <= 24:
			want = 1
		case i == 25:
			want = 65
		}
		if v != want {
			t.Errorf("depth %d: %d, want %d", i, v, want)
		}
	}
}

// TestDeviceLaunchErrors compares the codes of launches that cannot be with those of the
// CUDA runtime (CUDA Runtime API, cudaError).
func TestDeviceLaunchErrors(t *testing.T) {
	noKernel := strings.Replace(launchV1("child", "1", "32", "0", "%rd0", "5"), "mov.u64 %rd20, child;", "mov.u64 %rd20, 0x1234;", 1)
	for _, c := range []struct {
		name, body string
		want       uint32
	}{
		{"fine", launchV1("child", "1", "32", "0", "%rd0", "5"), 0},
		{"bad kernel", noKernel, 98},
		{"bad kernel, V2", strings.Replace(launchV2("cuda", "", "child", "1", "32", "0"), "mov.u64 %rd20, child;", "mov.u64 %rd20, %rd0;", 1) + callRuntime("__cudaCDP2PeekAtLastError"), 98},
		{"block too large", launchV1("child", "1", "2048", "0", "%rd0", "5"), 9},
		{"empty grid", launchV1("child", "0", "32", "0", "%rd0", "5"), 9},
		{"not a buffer", callRuntime("cudaLaunchDeviceV2", "%rd0", "0"), 1},
		{"graph", launchV1("child", "1", "32", "0x0100000000000000", "%rd0", "5"), 801},
		{"bad memory", callRuntime("cudaMemsetAsync", "64", "32:0", "4", "0"), 1},
		{"last error is kept", callRuntime("cudaLaunchDeviceV2", "%rd0", "0") + callRuntime("__cudaCDP2PeekAtLastError") + callRuntime("cudaGetLastError"), 1},
		{"last error is forgotten", callRuntime("cudaLaunchDeviceV2", "%rd0", "0") + callRuntime("cudaGetLastError") + callRuntime("cudaGetLastError"), 0},
	} {
		m := load(t, deviceRuntime+addChild+entry("k", 1, c.body+"st.global.u32 [%rd0+256], %r20;"), emu.Config{})
		out := alloc(t, m, "out", 65)
		clean(t, launch(t, m, 1, 1, out))
		if got := words(t, m, out, 65)[64]; got != c.want {
			t.Errorf("%s: error %d, want %d", c.name, got, c.want)
		}
	}
}

// TestTailLaunch: a tail launch begins when its grid and the others that it launched
// have ended, wherever the launch stands.
func TestTailLaunch(t *testing.T) {
	double := entry("double", 1, "ld.global.u32 %r2, [%rd0]; shl.b32 %r2, %r2, 1; st.global.u32 [%rd0], %r2;")
	body := launchV2("__cudaCDP2", "_ptsz", "double", "1", "1", "3", "%rd0") +
		launchV2("__cudaCDP2", "_ptsz", "child", "1", "1", "4", "%rd0", "5") + "st.global.u32 [%rd0], 1;"
	for name, p := range policies {
		m := load(t, deviceRuntime+addChild+double+entry("k", 1, body), emu.Config{Policy: p})
		out := alloc(t, m, "out", 1)
		clean(t, launch(t, m, 1, 1, out))
		// The store may come before or after the child, the tail comes last.
		if got := words(t, m, out, 1)[0]; got != 12 && got != 2 {
			t.Errorf("%s: %d", name, got)
		}
	}
}

// TestWaitForChild: a parent that spins until its child has written goes on.
func TestWaitForChild(t *testing.T) {
	body := launchV2("cuda", "", "child", "1", "1", "0", "%rd0", "5") + "WAIT: ld.volatile.global.u32 %r2, [%rd0]; setp.eq.u32 %p1, %r2, 0; @%p1 bra WAIT;"
	for name, p := range policies {
		m := load(t, deviceRuntime+addChild+entry("k", 1, body), emu.Config{Policy: p})
		out := alloc(t, m, "out", 1)
		if r := launch(t, m, 1, 1, out); len(r.Faults) > 0 {
			t.Errorf("%s: %v", name, r.Faults[0])
		}
	}
}

// TestChildFault: a fault in a child ends the launch and names the child.
func TestChildFault(t *testing.T) {
	bad := entry("child", 2, "st.global.u32 [%rd1], 1;")
	for name, p := range policies {
		m := load(t, deviceRuntime+bad+entry("k", 1, launchV2("cuda", "", "child", "1", "1", "0", "%rd0", "64")), emu.Config{Policy: p})
		r := launch(t, m, 1, 1, alloc(t, m, "out", 1))
		if len(r.Faults) != 1 || r.Faults[0].Class != "out-of-bounds" || r.Faults[0].Kernel != "child" {
			t.Errorf("%s: %v", name, r.Faults)
		}
	}
}

// TestRuntimeFunctions calls the small functions.
func TestRuntimeFunctions(t *testing.T) {
	body := callRuntime("cudaGetDevice", "%rd0") + // out[0] = 0
		"add.u64 %rd3, %rd0, 4;" + callRuntime("cudaDeviceGetAttribute", "%rd3", "32:10", "32:0") + // out[1] = the warp size
		"add.u64 %rd3, %rd0, 8;" + callRuntime("cudaMalloc", "%rd3", "64") +
		"ld.global.u64 %rd4, [%rd3]; st.u32 [%rd4+60], 7; ld.u32 %r5, [%rd4+60]; st.global.u32 [%rd0+16], %r5;" + callRuntime("cudaFree", "%rd4") +
		"add.u64 %rd3, %rd0, 24;" + callRuntime("cudaMemsetAsync", "%rd3", "32:171", "4", "0") + // out[6]
		"add.u64 %rd5, %rd0, 32;" + callRuntime("cudaMemcpyAsync", "%rd5", "%rd3", "4", "32:3", "0") + // out[8] = out[6]
		`{ .param .b32 e; st.param.b32 [e], 98; .param .b64 q; call (q), cudaGetErrorName, (e); ld.param.b64 %rd6, [q]; }
		ld.b8 %r6, [%rd6+9]; st.global.u32 [%rd0+20], %r6;` // out[5] = 'I' of cudaErrorInvalidDeviceFunction
	m := load(t, deviceRuntime+entry("k", 1, strings.ReplaceAll(body, "ld.b8", "ld.u8")), emu.Config{})
	out := alloc(t, m, "out", 16)
	clean(t, launch(t, m, 1, 1, out))
	got := words(t, m, out, 16)
	for i, want := range map[int]uint32{0: 0, 1: 32, 4: 7, 5: 'I', 6: 0xabababab, 8: 0xabababab} {
		if got[i] != want {
			t.Errorf("out[%d] = %d, want %d", i, got[i], want)
		}
	}
}

// TestReplayChildren: a recorded run with grids launched by threads is replayed.
func TestReplayChildren(t *testing.T) {
	body := launchV2("cuda", "", "child", "2", "32", "0", "%rd0", "1") // children of all threads race
	module := deviceRuntime + addChild + entry("k", 1, body)
	rec := new(emu.Schedule)
	m := load(t, module, emu.Config{Policy: emu.Random, Seed: 5, Record: rec})
	out := alloc(t, m, "out", 64)
	first := launch(t, m, 4, 32, out)
	clean(t, first)
	want := words(t, m, out, 64)
	m = load(t, module, emu.Config{Replay: rec})
	out = alloc(t, m, "out", 64)
	second := launch(t, m, 4, 32, out)
	clean(t, second)
	if got := words(t, m, out, 64); !slices.Equal(got, want) || first.Stats != second.Stats {
		t.Errorf("%v %v, recorded %v %v", got, second.Stats, want, first.Stats)
	}
}

// gridLog notes how kernels and launches follow each other.
type gridLog struct {
	emu.Follower
	log     []string
	running []string
}

func (l *gridLog) add(format string, args ...any) {
	l.log = append(l.log, fmt.Sprintf(format, args...))
}

func (l *gridLog) Event(ev *abi.Event) {
	last := l.Kernels[len(l.Kernels)-1]
	switch ev.Kind {
	case abi.EventKernelBegin:
		l.running = append(l.running, last.Name)
		l.add("begin %s, grid %d", last.Name, ev.Op)
	case abi.EventKernelEnd:
		n := len(l.running) - 1
		l.add("end %s", l.running[n])
		l.running = l.running[:n]
	case abi.EventLaunch:
		l.add("launch %d of %s by %x into %d", ev.Op, last.Module.Funcs[ev.Addr[1]].Name, ev.Mask, ev.Addr[0])
	case abi.EventJoin:
		l.add("join %x", ev.Mask)
	}
}

func TestGridEvents(t *testing.T) {
	body := "setp.ne.u32 %p1, %r0, 2; @%p1 ret;\n" + launchV2("cuda", "", "child", "1", "1", "3", "%rd0", "1") +
		launchV2("cuda", "", "child", "1", "1", "0", "%rd0", "1") + syncGrids + launchV2("cuda", "", "child", "1", "1", "4", "%rd0", "1")
	l := &gridLog{}
	m := load(t, deviceRuntime+addChild+entry("k", 1, body), emu.Config{Listener: l})
	clean(t, launch(t, m, 1, 32, alloc(t, m, "out", 1)))
	want := []string{
		"begin k, grid 0", "launch 1 of child by 4 into 3", "launch 2 of child by 4 into 0",
		"begin child, grid 2", "end child", "join 4", "launch 3 of child by 4 into 4",
		"begin child, grid 3", "end child", "begin child, grid 1", "end child", "end k",
	}
	if !reflect.DeepEqual(l.log, want) {
		t.Errorf("got %q", l.log)
	}
}

// TestChildLimits: limits and cancellation reach grids that threads launch.
func TestChildLimits(t *testing.T) {
	forever := entry("child", 2, "LOOP: atom.global.add.u32 %r2, [%rd0], 1; bra LOOP;")
	module := deviceRuntime + forever + entry("k", 1, launchV2("cuda", "", "child", "1", "1", "0", "%rd0", "1"))
	m := load(t, module, emu.Config{MaxSteps: 10_000})
	if r := launch(t, m, 1, 1, alloc(t, m, "out", 1)); len(r.Faults) != 1 || r.Faults[0].Class != "timeout" || r.Faults[0].Kernel != "child" {
		t.Error(r.Faults)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m = load(t, module, emu.Config{})
	if _, err := m.Launch(ctx, emu.LaunchConfig{Kernel: "k", Grid: dim(1), Block: dim(1), Params: args(alloc(t, m, "out", 1))}); err == nil {
		t.Error("a cancelled launch has no error")
	}
}

// TestLaunchDifferences: support.Differences lists what launches by kernels approximate.
func TestLaunchDifferences(t *testing.T) {
	ast, err := ptxgrammar.Parse("test.ptx", []byte(header+deviceRuntime+addChild+entry("k", 1, launchV2("cuda", "", "child", "1", "1", "0", "%rd0", "1"))))
	if err != nil {
		t.Fatal(err)
	}
	mod, err := rewrite.Load(ast)
	if err != nil {
		t.Fatal(err)
	}
	if entries := support.Differences(mod); len(entries) != 1 || !strings.Contains(entries[0].Why, "in one piece") {
		t.Errorf("%+v", entries)
	}
}
