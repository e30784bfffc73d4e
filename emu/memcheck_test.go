package emu_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// TestMaxFaults: threads whose access faults stop, the others continue; equal faults are counted.
func TestMaxFaults(t *testing.T) {
	// Threads 3, 7, 11... write beyond the buffer, thread 5 reads a wild address, the
	// others write their index after a barrier.
	body := `
		and.b32 %r5, %r1, 3; setp.eq.u32 %p1, %r5, 3; @%p1 add.u64 %out, %out, 1024;
		st.global.u32 [%out], 7;
		setp.eq.u32 %p2, %r1, 5; mov.u64 %rd1, 8; @%p2 ld.global.u64 %rd1, [%rd1];
		bar.sync 0; st.global.u32 [%out], %r1; ret;`
	eachPolicy(t, func(t *testing.T, cfg emu.Config) {
		cfg.MaxFaults = 3
		m := load(t, kernel(body), cfg)
		out := alloc(t, m, "out", 64)
		r := launch(t, m, 1, 64, out)
		if len(r.Faults) != 2 {
			t.Fatal(r.Faults)
		}
		store, wild := r.Faults[0], r.Faults[1]
		if wild.Inst.Instr.Name == "st" {
			store, wild = wild, store
		}
		if store.Count != 16 || store.Inst.Line != 12 || wild.Count != 1 || wild.Thread.X != 5 || wild.Inst.Line != 13 {
			t.Fatal(store, wild)
		}
		for i, v := range words(t, m, out, 64) {
			want := uint32(i)
			if i%4 == 3 {
				want = 0
			} else if i == 5 {
				want = 7
			}
			if v != want {
				t.Fatalf("word %d is %d, want %d", i, v, want)
			}
		}
	})
	m := load(t, kernel(body), emu.Config{MaxFaults: 1})
	if r := launch(t, m, 1, 64, alloc(t, m, "out", 64)); len(r.Faults) != 1 || r.Faults[0].Thread.X != 3 || r.Faults[0].Count != 1 {
		t.Fatal(r.Faults)
	}
}

// TestConsequences: threads that wait forever for stopped threads are not a separate fault.
func TestConsequences(t *testing.T) {
	body := `
		setp.ne.u32 %p1, %r1, 0; @%p1 bra W; add.u64 %out, %out, -64; atom.global.add.u32 %r5, [%out], 1; st.global.u32 [%base], 1; ret;
	W:	ld.volatile.global.u32 %r5, [%base]; setp.eq.u32 %p2, %r5, 0; @%p2 bra W; ret;`
	m := load(t, kernel(body), emu.Config{MaxFaults: 10})
	if r := launch(t, m, 1, 64, alloc(t, m, "out", 64)); len(r.Faults) != 1 || r.Faults[0].Class != "out-of-bounds" {
		t.Fatal(r.Faults)
	}
}

// TestNoMemcheck: refused accesses read zeros and write nothing.
func TestNoMemcheck(t *testing.T) {
	body := `
		mov.u32 %r5, 9; add.u64 %rd1, %out, 4096; ld.global.u32 %r5, [%rd1]; st.global.u32 [%rd1], 5;
		mov.u32 %r6, 9; ld.global.u32 %r6, [%out+1]; add.u32 %r5, %r5, %r6;
		atom.global.add.u32 %r6, [%rd1], 3; add.u32 %r5, %r5, %r6;
		mov.u64 %rd2, 0; ld.u32 %r6, [%rd2]; add.u32 %r5, %r5, %r6;
		mov.u32 %r8, 65536; st.shared.u32 [%r8], 5; ld.shared.u32 %r6, [%r8]; add.u32 %r5, %r5, %r6;
		add.u32 %r5, %r5, 1; st.global.u32 [%out], %r5; ret;`
	for i, v := range run(t, kernel(body), emu.Config{NoMemcheck: true}, 1, 64, 64) {
		if v != 1 {
			t.Fatalf("thread %d: %d", i, v)
		}
	}
}

// TestUninitialised reads: of device, shared and local memory that was never
// written.
func TestUninitialised(t *testing.T) {
	const lib = `
.shared .align 4 .b8 sh[512];
.global .align 4 .u32 zero[2];
.func (.param .b32 r) second(.param .align 4 .b8 a[8]) {
	.reg .b32 %a; .local .align 4 .b8 junk[16];
	ld.param.u32 %a, [a+4]; st.param.b32 [r], %a; st.local.u32 [junk+4], %a; ret;
}
.func (.param .b32 r) reads() {
	.reg .b32 %a; .local .align 4 .b8 junk[16];
	ld.local.u32 %a, [junk+4]; st.param.b32 [r], %a; ret;
}
`
	local := "\n.local .align 8 .b8 buf[16];\n"
	for _, c := range []struct{ name, body, want string }{
		{"device", "ld.global.u32 %r5, [%base+128];", "read of 4 bytes, 4 of them never written, at address 0x%out+128, which is 128 bytes into the allocation out of size 1024"},
		{"device by the host", "ld.global.u32 %r5, [%base];", ""},
		{"generic, half", "st.global.u16 [%base+64], 1; ld.u32 %r5, [%base+64];", "of 4 bytes, 2 of them never written"},
		{"written before", "st.global.u32 [%out+64], 1; ld.u32 %r5, [%out+64];", ""},
		{"vector", "st.global.v2.u32 [%base+64], {%r1, %r1}; ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%base+64];", "of 16 bytes, 8 of them"},
		{"atomic", "atom.global.add.u32 %r5, [%base+64], 1;", "atomic of 4 bytes, 4 of them"},
		{"variable of the module", "ld.global.u32 %r5, [zero];", ""},
		{"parameter", "ld.param.u64 %rd1, [p];", ""},
		{"shared", "ld.shared.u32 %r5, [sh+8];", "4 of them never written, at shared address 0x8"},
		{"shared, written by another warp", "setp.eq.u32 %p1, %r1, 0; @%p1 st.shared.u32 [sh], 1; bar.sync 0; ld.shared.u32 %r5, [sh];", ""},
		{"local", local + "ld.local.u32 %r5, [buf+4];", "4 of them never written, at local address 0x4"},
		{"local, written", local + "st.local.u64 [buf+8], %base; ld.local.u32 %r5, [buf+12];", ""},
		{"argument", "{ .param .align 4 .b8 q[8]; .param .b32 v; st.param.b32 [q], 1; st.param.b32 [q+4], 2; call (v), second, (q); ld.param.b32 %r5, [v]; }", ""},
		{"local of an earlier call", `{ .param .align 4 .b8 q[8]; .param .b32 v; st.param.b32 [q], 1; st.param.b32 [q+4], 2; call (v), second, (q); }
			{ .param .b32 u; call (u), reads, (); ld.param.b32 %r5, [u]; }`, "never written, at local address"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, cfg := range []emu.Config{{Uninitialised: true}, {}} {
				m := load(t, lib+kernel(c.body+" or.b32 %r5, %r5, %r6; or.b32 %r7, %r7, %r8; or.b32 %r5, %r5, %r7; setp.eq.u32 %p2, %r5, 9; @%p2 bra END; END: ret;"), cfg)
				out := alloc(t, m, "out", 256)
				if err := m.Write(out, make([]byte, 8)); err != nil {
					t.Fatal(err)
				}
				r := launch(t, m, 1, 4, out)
				if !cfg.Uninitialised || c.want == "" {
					clean(t, r)
					continue
				}
				want := strings.ReplaceAll(c.want, "0x%out+128", fmt.Sprintf("0x%x", out+128))
				if len(r.Faults) != 1 || r.Faults[0].Class != "uninitialised" || !strings.Contains(r.Faults[0].Message, want) {
					t.Fatalf("got %v, want %q", r.Faults, want)
				}
			}
		})
	}
	// The threads go on.
	m := load(t, kernel("ld.global.u32 %r5, [%out]; add.u32 %r5, %r5, 3; st.global.u32 [%out], %r5; ret;"), emu.Config{Uninitialised: true})
	out := alloc(t, m, "out", 64)
	r := launch(t, m, 1, 64, out)
	if len(r.Faults) != 1 || r.Faults[0].Count != 64 || !r.Faults[0].Continued || !slices.Equal(words(t, m, out, 64), slices.Repeat([]uint32{3}, 64)) {
		t.Fatal(r.Faults)
	}
	if f := r.Faults[0]; !strings.Contains(f.Message, "; used in line 10 (st.global.u32 [%out], %r5)") || f.Inst.Instr.Name != "ld" {
		t.Error(f)
	}
}

// TestUninitialisedParts: of an allocation with many bytes that have been written, and of shared memory that a block
// writes in parts, each word that was never written is found, and no other: by instructions that access what has been
// written before and after it, in assembly and in Go.
func TestUninitialisedParts(t *testing.T) {
	const count = 10000 // words; no whole number of pages
	text := ".shared .align 4 .b8 sh[512];\n" + kernel(`
	mul.lo.u32 %r2, %r1, 4; mov.u64 %rd2, %out; mov.u32 %r3, sh; add.u32 %r3, %r3, %r2;
	mov.u32 %r4, %r1;
	LOOP:
	ld.global.u32 %r5, [%rd2]; setp.eq.u32 %p2, %r5, 77; @%p2 bra NEXT; NEXT: st.shared.u32 [%r3], %r5; ld.u32 %r6, [%rd2]; ld.shared.u32 %r7, [%r3];
	add.u64 %rd2, %rd2, 512; add.u32 %r4, %r4, 128;
	setp.lt.u32 %p1, %r4, 10000; @%p1 bra LOOP;
	bar.sync 0; xor.b32 %r2, %r2, 4; mov.u32 %r3, sh; add.u32 %r3, %r3, %r2; ld.shared.u32 %r5, [%r3]; ret;`)
	r := rand.New(rand.NewPCG(5, 6))
	for range 5 {
		missing := make(map[int]bool)
		for range r.IntN(20) {
			missing[r.IntN(count)] = true
		}
		for _, scalar := range []bool{false, true} {
			m := load(t, text, emu.Config{Uninitialised: true, MaxFaults: 5, NoVector: scalar})
			out := alloc(t, m, "out", count)
			for i := range count {
				if !missing[i] {
					if err := m.Write(out+4*uint64(i), []byte{1, 2, 3, 4}); err != nil {
						t.Fatal(err)
					}
				}
			}
			found := 0
			for _, f := range launch(t, m, 1, 128, out).Faults {
				if f.Class != "uninitialised" || !strings.Contains(f.Message, "4 of them never written") {
					t.Fatal(f)
				}
				found += f.Count
			}
			if found != len(missing) {
				t.Errorf("%d of %d words that were never written found (scalar: %t)", found, len(missing), scalar)
			}
		}
	}
}

// BenchmarkUninitialised runs a loop over rows of 255 words, 1024 bytes apart, without the check of uninitialised reads
// and with it: with all of the buffer written, and with the last word of each 1024 bytes unwritten, so that each access
// is checked by lane.
func BenchmarkUninitialised(b *testing.B) {
	const rows, pitch = 4096, 1024
	text := kernel(`mov.u32 %r5, 0;
	LOOP:
	ld.global.u32 %r6, [%out]; add.u32 %r7, %r7, %r6; st.global.u32 [%out], %r7;
	add.u64 %out, %out, 1024; add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 4096; @%p1 bra LOOP; ret;`)
	for _, c := range []struct {
		name    string
		checks  bool
		written int // bytes of each row
	}{{"unchecked", false, pitch}, {"written", true, pitch}, {"holes", true, pitch - 4}} {
		b.Run(c.name, func(b *testing.B) {
			m := load(b, text, emu.Config{Uninitialised: c.checks})
			out := alloc(b, m, "out", rows*pitch/4)
			for row := range uint64(rows) {
				if err := m.Write(out+row*pitch, make([]byte, c.written)); err != nil {
					b.Fatal(err)
				}
			}
			for b.Loop() {
				clean(b, launch(b, m, 1, 255, out))
			}
		})
	}
}

// TestOverrun: local memory ends with the variables of the innermost function; an
// access that names a variable must be within it.
func TestOverrun(t *testing.T) {
	const variables = ".local .align 4 .b8 buf[16];\n.local .align 4 .b8 more[16];\n.shared .align 4 .b8 sh[16];\n.shared .align 4 .b8 last[16];\n"
	for _, c := range []struct{ body, want string }{
		{"mov.u64 %rd1, buf; st.local.u32 [%rd1+32], 1;", "is 0 bytes after the local memory of the thread (32 bytes)"},
		{"st.local.u32 [buf+16], 1;", "write of 4 bytes at offset 16 of the variable buf, which has 16 bytes"},
		{"ld.local.u64 %rd1, [buf+-8];", "read of 8 bytes at offset -8 of the variable buf"},
		{"ld.shared.u32 %r5, [sh+16];", "read of 4 bytes at offset 16 of the variable sh, which has 16 bytes"},
		{"ld.shared.u32 %r5, [sh+12]; st.local.u32 [more+12], %r5;", ""},
	} {
		m := load(t, kernel(variables+c.body+" ret;"), emu.Config{})
		r := launch(t, m, 1, 1, alloc(t, m, "out", 1))
		switch {
		case c.want == "":
			clean(t, r)
		case len(r.Faults) != 1 || r.Faults[0].Class != "out-of-bounds" || !strings.Contains(r.Faults[0].Message, c.want):
			t.Errorf("got %v, want %q", r.Faults, c.want)
		}
	}
}

// TestLimits: each limit has a message of its own.
func TestLimits(t *testing.T) {
	lib := ".func deep() { .local .align 8 .b8 big[64]; call deep; ret; }\n"
	for _, c := range []struct {
		name   string
		limits emu.Limits
		want   string
	}{
		{"depth", emu.Limits{CallDepth: 10}, "deep is called 10 deep with 640 bytes of local memory per thread; the limits are 10 deep"},
		{"stack", emu.Limits{Stack: 256}, "deep is called 5 deep with 320 bytes of local memory per thread; the limits are 1024 deep and 256 bytes"},
		{"registers", emu.Limits{ThreadState: 4096}, "resident threads need more than 4096 bytes of"},
	} {
		m := load(t, lib+kernel("call deep; ret;"), emu.Config{Limits: c.limits})
		r := launch(t, m, 1, 32, alloc(t, m, "out", 1))
		if len(r.Faults) != 1 || !strings.Contains(r.Faults[0].Message, c.want) {
			t.Errorf("%s: got %v, want %q", c.name, r.Faults, c.want)
		}
	}
	if _, err := tryLoad(kernel(".local .b8 big[512]; ret;"), emu.Config{Limits: emu.Limits{Stack: 256}}); err == nil || !strings.Contains(err.Error(), "the limit is 256") {
		t.Error(err)
	}
	// 128 resident threads are four blocks of 32: the rest never starts.
	m := load(t, kernel("atom.global.add.u32 %r5, [%base], 1; W: ld.volatile.global.u32 %r5, [%base]; setp.lt.u32 %p1, %r5, 256; @%p1 bra W; ret;"), emu.Config{Limits: emu.Limits{Threads: 128}})
	r := launch(t, m, 8, 32, alloc(t, m, "out", 256))
	if len(r.Faults) != 1 || !strings.Contains(r.Faults[0].Message, "4 blocks have not started because only 4 may be resident") {
		t.Error(r.Faults)
	}
}

// TestPrintfLimit: output beyond the limit is lost, and it says so once.
func TestPrintfLimit(t *testing.T) {
	text := `.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.global .align 1 .b8 fmt[5] = {97, 98, 99, 100, 0};
` + kernel("{ .param .b64 f; .param .b64 a; .param .b32 r; mov.u64 %rd1, fmt; cvta.global.u64 %rd1, %rd1; st.param.b64 [f], %rd1; st.param.b64 [a], 0; call (r), vprintf, (f, a); } ret;")
	var out strings.Builder
	m := load(t, text, emu.Config{Stdout: io.Writer(&out), Limits: emu.Limits{Printf: 10}})
	clean(t, launch(t, m, 1, 32, alloc(t, m, "out", 1)))
	if want := "abcdabcdab\n[more than 10 bytes of printf output: the rest is lost]\n"; out.String() != want {
		t.Fatalf("got %q, want %q", out.String(), want)
	}
}

// TestEndless: loops that change only registers are suspected of livelock if other threads wait.
func TestEndless(t *testing.T) {
	loop := "mov.u32 %r5, 0; L: add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 2000000; @%p2 bra L; bar.sync 0; ret;"
	for _, c := range []struct{ body, class, text string }{
		{loop, "", ""}, // all compute
		{"setp.lt.u32 %p1, %r1, 32; @%p1 bra W; bar.sync 0; ret; W: " + loop, "livelock", "suspected, as no thread has changed anything for 1"},
	} {
		m := load(t, kernel(c.body), emu.Config{Limits: emu.Limits{Stall: 1_000_000}})
		r, err := m.Launch(context.Background(), emu.LaunchConfig{Kernel: "k", Grid: dim(1), Block: dim(64), Params: args(0)})
		switch {
		case err != nil:
			t.Fatal(err)
		case c.class == "":
			clean(t, r)
		case len(r.Faults) != 1 || r.Faults[0].Class != c.class || !strings.Contains(r.Faults[0].Message, c.text):
			t.Fatal(r.Faults)
		}
	}
}

// TestSynccheck: usage that works on hardware and is reported on request.
func TestSynccheck(t *testing.T) {
	for _, c := range []struct {
		name, body string
		block      uint32
		want       string
	}{
		{"exited lanes in a membermask", "setp.lt.u32 %p1, %r1, 4; @%p1 exit; bar.warp.sync -1; ret;", 32, "membermask 0xffffffff names lanes 0x0000000f, which have exited"},
		{"lanes that do not exist", "vote.sync.ballot.b32 %r5, %p1, -1; ret;", 8, "names lanes 0xffffff00, which do not exist in a block of this size"},
		{"shuffle from a lane that does not take part", "setp.lt.u32 %p1, %r1, 4; @%p1 shfl.sync.idx.b32 %r5, %r1, 6, 31, 0xf; ret;", 32, "shuffle from lane 6, which does not take part: the lanes 0x0000000f do"},
		{"barrier after the exit of lanes", "setp.lt.u32 %p1, %r1, 4; @%p1 exit; bar.sync 0; ret;", 64, "lanes 0x0000000f of the warp have exited and cannot arrive at the aligned barrier 0"},
		{"all well", "shfl.sync.idx.b32 %r5, %r1, 6, 31, -1; bar.sync 0; ret;", 64, ""},
		{"a warp that exits as a whole", "setp.lt.u32 %p1, %r1, 32; @%p1 exit; bar.sync 0; ret;", 64, ""},
	} {
		for _, strict := range []bool{false, true} {
			m := load(t, kernel(c.body), emu.Config{Synccheck: strict})
			r := launch(t, m, 1, c.block, alloc(t, m, "out", 64))
			switch {
			case !strict || c.want == "":
				clean(t, r)
			case len(r.Faults) != 1 || r.Faults[0].Class != "barrier-divergence" || !strings.Contains(r.Faults[0].Message, c.want):
				t.Errorf("%s: got %v, want %q", c.name, r.Faults, c.want)
			}
		}
	}
}

// TestLastFault: the launch ends with the last allowed kind of fault, whatever its class, and lists no more than
// allowed. Uses of uninitialised memory stop nothing and do not count.
func TestLastFault(t *testing.T) {
	body := `
		st.global.u32 [%base+4096], 1; ret;`
	kinds := `
		setp.eq.u32 %p1, %r1, 1; @%p1 ld.global.u32 %r5, [%base+4096];
		setp.eq.u32 %p2, %r1, 2; @%p2 ld.global.u32 %r5, [%base+8]; setp.eq.u32 %p4, %r5, 7; @%p4 bra NEXT; NEXT:
		setp.eq.u32 %p3, %r1, 3; @%p3 ld.global.u32 %r5, [%base+2];` + body
	for limit, want := range map[int][]string{
		1: {"out-of-bounds"},
		2: {"out-of-bounds", "uninitialised", "misaligned"},
		3: {"out-of-bounds", "uninitialised", "misaligned", "out-of-bounds"},
		9: {"out-of-bounds", "uninitialised", "misaligned", "out-of-bounds"},
	} {
		m := load(t, kernel(kinds), emu.Config{MaxFaults: limit, Uninitialised: true})
		r := launch(t, m, 1, 32, alloc(t, m, "out", 64))
		var got []string
		for _, f := range r.Faults {
			got = append(got, f.Class)
		}
		if !slices.Equal(got, want) {
			t.Errorf("up to %d faults: got %v, want %v", limit, got, want)
		}
		if limit == 9 && r.Faults[3].Count != 30 { // lanes 1 and 3 have stopped
			t.Errorf("%d threads wrote out of bounds", r.Faults[3].Count)
		}
	}
}

// TestUnusedElements: elements of a vector load that nothing reads may be out of bounds, others not.
func TestUnusedElements(t *testing.T) {
	const shared = "mov.u32 %r5, D; st.shared.u32 [%r5+20], 5; st.shared.u32 [%r5+24], 6; ld.shared.v4.u32 {%r6, %r7, %r8, %r9}, [%r5+16]; "
	for _, c := range []struct {
		name, body string
		want       string // of the fault, or the number written
	}{
		{"shared", shared + "add.u32 %r7, %r7, %r8; st.global.u32 [%out], %r7;", "11"},
		{"global", "ld.global.v4.u32 {%r6, %r7, %r8, %r9}, [%base+16]; add.u32 %r7, %r7, %r8; st.global.u32 [%out], %r7;", "203"},
		{"generic, halves", "ld.v4.u16 {%rs6, %rs7, %rs8, %rs9}, [%base+24]; cvt.u32.u16 %r7, %rs6; st.global.u32 [%out], %r7;", "102"},
		{"used", shared + "add.u32 %r7, %r7, %r9; st.global.u32 [%out], %r7;", "reaches 4 bytes beyond the end of the shared memory"},
		{"all beyond", "mov.u32 %r5, D; ld.shared.v4.u32 {%r6, %r7, %r8, %r9}, [%r5+32];", "which is 4 bytes after the shared memory"},
		{"a variable", "st.shared.u32 [S+4], 47; ld.shared.v4.u32 {%r6, %r7, %r8, %r9}, [S]; st.global.u32 [%out], %r7;", "47"},
		{"an address of a variable", "st.shared.u32 [S+4], 47; mov.u32 %r5, S; ld.shared.v4.u32 {%r6, %r7, %r8, _}, [%r5]; st.global.u32 [%out], %r7;", "47"},
		{"used of a variable", "ld.shared.v4.u32 {%r6, %r7, %r8, %r9}, [S]; st.global.u32 [%out], %r9;", "of the variable S, which has 12 bytes"},
		{"local", "st.local.u32 [L+8], 49; ld.local.v4.u32 {%r6, %r7, %r8, %r9}, [L]; st.global.u32 [%out], %r8;", "49"},
		{"misaligned", "ld.shared.v2.u32 {%r6, %r7}, [S+12]; st.global.u32 [%out], %r6;", "variable S"},
		{"misaligned in part", "ld.local.v4.u32 {%r6, %r7, %r8, %r9}, [L+4]; st.global.u32 [%out], %r6;", "variable L"},
		{"below", "ld.shared.v2.u32 {%r6, %r7}, [S-4]; st.global.u32 [%out], %r7;", "variable S"},
		{"a predicate", "mov.u32 %r9, 48; setp.eq.u32 %p1, %r9, 1; @%p1 ld.shared.v4.u32 {%r6, %r7, %r8, %r9}, [D+16]; st.global.u32 [%out], %r9;", "48"},
		{"kept by a predicate", "setp.eq.u32 %p1, %r9, 0; @%p1 ld.shared.v4.u32 {%r6, %r7, %r8, %r9}, [D+16]; st.global.u32 [%out], %r9;", "reaches 4 bytes beyond"},
		{"a matrix", "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r6, %r7, %r8, %r9}, [D+16]; st.global.u32 [%out], %r6;", "reaches 4 bytes beyond"},
		{"a store", "mov.u32 %r5, D; st.shared.v4.u32 [%r5+16], {%r6, %r7, %r8, %r9};", "reaches 4 bytes beyond"},
	} {
		t.Run(c.name, func(t *testing.T) {
			body := ".reg .b16 %rs<10>; .local .align 16 .b8 L[12]; mov.u32 %r9, 0; " + c.body + " ret;"
			m := load(t, ".extern .shared .align 16 .b8 D[]; .shared .align 16 .b8 S[12];\n"+kernel(body), emu.Config{})
			out := alloc(t, m, "out", 28)
			if err := m.Write(out+20, []byte{101, 0, 0, 0, 102, 0, 0, 0}); err != nil {
				t.Fatal(err)
			}
			r, err := m.Launch(t.Context(), emu.LaunchConfig{Kernel: "k", Grid: dim(1), Block: dim(1), Shared: 28, Params: args(out)})
			if err != nil {
				t.Fatal(err)
			}
			got := fmt.Sprint(words(t, m, out, 1)[0])
			for _, f := range r.Faults {
				got = f.Message
			}
			if !strings.Contains(got, c.want) {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// TestUnwrittenElements: of a vector load with elements out of bounds that nothing reads, the others are checked.
func TestUnwrittenElements(t *testing.T) {
	for used, faults := range map[string]int{"%r6": 0, "%r8": 1} {
		body := "st.shared.u32 [D+16], 1; ld.shared.v4.u32 {%r6, %r7, %r8, %r9}, [D+16]; st.global.u32 [%out], " + used + "; ret;"
		m := load(t, ".extern .shared .align 16 .b8 D[];\n"+kernel(body), emu.Config{Uninitialised: true})
		r, err := m.Launch(t.Context(), emu.LaunchConfig{
			Kernel: "k", Grid: dim(1), Block: dim(1), Shared: 28, Params: args(alloc(t, m, "out", 4)),
		})
		if err != nil || len(r.Faults) != faults {
			t.Errorf("%s: %v, %v, want %d faults", used, err, r.Faults, faults)
		}
	}
}
