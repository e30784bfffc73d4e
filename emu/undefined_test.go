package emu_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// padded stores an int and, eight bytes behind, a long: four bytes of padding between them.
const padded = "st.global.u32 [%base], %r1; st.global.u64 [%base+8], %base; "

// TestUndefined: what counts as a use of unwritten memory. The buffer out has 1 KiB, of which nothing is written; one
// thread runs.
func TestUndefined(t *testing.T) {
	const lib = ".shared .align 16 .b8 sh[64];\n" +
		".func (.param .b64 r) same(.param .b64 a) { .reg .b64 %a; ld.param.b64 %a, [a]; st.param.b64 [r], %a; ret; }\n" +
		".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n.global .align 1 .b8 text[4] = {37, 100, 10, 0};\n"
	local := ".local .align 16 .b8 buf[16];\n"
	branch := "setp.eq.u32 %p1, %r5, 7; @%p1 bra END; END: "
	print := func(store string) string {
		return local + store + `{ .param .b64 f; .param .b64 a; .param .b32 r; mov.u64 %rd1, text; cvta.global.u64 %rd1, %rd1; st.param.b64 [f], %rd1;
			mov.u64 %rd2, buf; cvta.local.u64 %rd2, %rd2; st.param.b64 [a], %rd2; call (r), vprintf, (f, a); }`
	}
	for _, c := range []struct{ name, body, want string }{
		{"nothing uses the value", "ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%base];", ""},
		{"branch", "ld.global.u32 %r5, [%base]; " + branch, "used in line 15 (bra END)"},
		{"guard", "ld.global.u32 %r5, [%base]; setp.eq.u32 %p1, %r5, 7; @%p1 mov.u32 %r6, 1;", "used in line 15 (mov.u32 %r6, 1)"},
		{"address", "ld.global.u64 %rd1, [%base+8]; add.u64 %rd2, %base, %rd1; ld.global.u32 %r5, [%rd2];", "used in line 15 (ld.global.u32 %r5, [%rd2])"},
		{"atomic operand", "ld.global.u32 %r5, [%base]; st.global.u32 [%base+64], 0; red.global.add.u32 [%base+64], %r5;", "used in line 15 (red.global.add.u32 [%base+64], %r5)"},
		{"atomic", "atom.global.add.u32 %r5, [%base], 1;", "atomic of 4 bytes, 4 of them never written"},
		{"exchange as a store", "atom.global.exch.b32 %r5, [%base], 1; ld.global.u32 %r5, [%base]; " + branch, ""},
		{"exchange whose result is used", "atom.global.exch.b32 %r5, [%base], 1; " + branch, "atomic of 4 bytes"},
		{"ballot", "ld.global.u32 %r5, [%base]; setp.eq.u32 %p1, %r5, 7; vote.sync.ballot.b32 %r6, %p1, 1;", "used in line 15 (vote.sync"},
		{"copy of an element", "ld.global.u32 %r5, [%base]; st.global.u32 [%base+64], %r5;", "used in line 15 (st.global.u32 [%base+64], %r5)"},
		{"copy at the end of a block", "setp.eq.u32 %p1, %r1, 9; @%p1 bra END; ld.global.v2.u32 {%r5, %r6}, [%base]; st.global.v2.u32 [%base+64], {%r5, %r6}; END:", "used in line 15 (st.global.v2.u32"},
		{"stored computation", padded + "ld.global.u64 %rd1, [%base]; add.u64 %rd1, %rd1, 1; st.global.u64 [%base+64], %rd1;", "8 bytes, 4 of them never written"},
		{"copy of padding", padded + "ld.global.v2.u64 {%rd1, %rd2}, [%base]; st.global.v2.u64 [%base+64], {%rd1, %rd2};", ""},
		{"copy of padding by words", padded + `ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%base]; mov.b64 %rd1, {%r5, %r6}; mov.b64 %rd2, {%r7, %r8};
			st.global.v2.u64 [%base+64], {%rd1, %rd2};`, ""},
		{"copied padding is unwritten", padded + "ld.global.v2.u64 {%rd1, %rd2}, [%base]; st.global.v2.u64 [%base+64], {%rd1, %rd2}; ld.global.u32 %r5, [%base+68]; " + branch, "4 of them never written"},
		{"copied members are written", padded + "ld.global.v2.u64 {%rd1, %rd2}, [%base]; st.global.v2.u64 [%base+64], {%rd1, %rd2}; ld.global.u32 %r5, [%base+64]; " + branch, ""},
		{"copied padding, copied again", padded + `ld.global.v2.u64 {%rd1, %rd2}, [%base]; st.global.v2.u64 [%base+64], {%rd1, %rd2};
			ld.global.v2.u64 {%rd1, %rd2}, [%base+64]; st.global.v2.u64 [%base+128], {%rd1, %rd2};`, ""},
		{"copy of a missing member", "st.global.u32 [%base], %r1; ld.global.v2.u64 {%rd1, %rd2}, [%base]; st.global.v2.u64 [%base+64], {%rd1, %rd2};", "16 bytes, 12 of them never written"},
		{"extracted member", padded + "ld.global.u64 %rd1, [%base]; cvt.u32.u64 %r5, %rd1; " + branch, ""},
		{"masked padding", padded + "ld.global.u64 %rd1, [%base]; and.b64 %rd1, %rd1, 65535; cvt.u32.u64 %r5, %rd1; " + branch, ""},
		{"extracted padding", padded + "ld.global.u64 %rd1, [%base]; shr.u64 %rd1, %rd1, 32; cvt.u32.u64 %r5, %rd1; " + branch, "4 of them never written"},
		{"selected", "ld.global.u32 %r5, [%base]; setp.eq.u32 %p2, %r1, 0; selp.b32 %r5, 1, %r5, %p2; " + branch, ""},
		{"not selected", "ld.global.u32 %r5, [%base]; setp.ne.u32 %p2, %r1, 0; selp.b32 %r5, 1, %r5, %p2; " + branch, "4 of them never written"},
		{"condition that decides", "ld.global.u32 %r5, [%base]; setp.ne.u32 %p2, %r1, 0; setp.eq.and.u32 %p1, %r5, 7, %p2; @%p1 bra END; END:", ""},
		{"overwritten register", "ld.global.u32 %r5, [%base]; mov.u32 %r5, 1; " + branch, ""},
		{"register of another lane", "ld.global.u32 %r5, [%base]; shfl.sync.idx.b32 %r5, %r5, 0, 31, 1; " + branch, "4 of them never written"},
		{"through shared memory", "ld.global.u32 %r6, [%base]; st.shared.u32 [sh], %r6; ld.shared.u32 %r5, [sh]; " + branch, "at shared address 0x0"},
		{"into shared memory alone", "ld.global.u32 %r6, [%base]; st.shared.u32 [sh], %r6; ld.shared.u32 %r5, [sh];", ""},
		{"through local memory", local + "ld.global.u32 %r6, [%base]; st.local.u32 [buf], %r6; ld.local.u32 %r5, [buf]; " + branch, "at local address"},
		{"argument and result", padded + `{ .param .b64 a; .param .b64 r; ld.global.u64 %rd1, [%base]; st.param.b64 [a], %rd1; call (r), same, (a); ld.param.b64 %rd2, [r]; }
			st.global.u64 [%base+64], %rd2; cvt.u32.u64 %r5, %rd2; ` + branch, ""},
		{"result that is used", `{ .param .b64 a; .param .b64 r; ld.global.u64 %rd1, [%base]; st.param.b64 [a], %rd1; call (r), same, (a); ld.param.b64 %rd2, [r]; }
			cvt.u32.u64 %r5, %rd2; ` + branch, "never written"},
		{"asynchronous copy", "cp.async.ca.shared.global [sh], [%base], 16; cp.async.wait_all; ld.shared.u32 %r5, [sh+4];", ""},
		{"asynchronous copy that is used", "cp.async.ca.shared.global [sh], [%base], 16; cp.async.wait_all; ld.shared.u32 %r5, [sh+4]; " + branch, "at shared address 0x4"},
		{"bulk copy of unwritten memory", "mov.u32 %r5, sh; cp.async.bulk.global.shared::cta.bulk_group [%base], [%r5], 16;", "read of 16 bytes, 16 of them never written, at shared address 0x0"},
		{"printed", print("ld.global.u32 %r5, [%base]; st.local.u32 [buf], %r5; "), "at local address"},
		{"printed after a store", print("st.local.u32 [buf], %r1; "), ""},
	} {
		for _, cfg := range []emu.Config{{Uninitialised: true}, {Uninitialised: true, NoVector: true}, {}} {
			text := lib + strings.Replace(kernel("\n"+c.body+" ret;"), ".reg .pred", ".reg .b16 %h<4>; .reg .pred", 1)
			m := load(t, text, cfg)
			r := launch(t, m, 1, 1, alloc(t, m, "out", 256))
			switch {
			case c.want == "" || !cfg.Uninitialised:
				for _, f := range r.Faults {
					t.Errorf("%s, without assembly: %t: %v", c.name, cfg.NoVector, f)
				}
			case len(r.Faults) != 1 || r.Faults[0].Class != "uninitialised" || !strings.Contains(r.Faults[0].Message, c.want) || !r.Faults[0].Continued:
				t.Errorf("%s, without assembly: %t: got %v, expected %q", c.name, cfg.NoVector, r.Faults, c.want)
			}
		}
	}
}

// TestUnwrittenTexels: textures and surfaces use what they read, and a surface writes.
func TestUnwrittenTexels(t *testing.T) {
	for body, want := range map[string]string{
		"tex.1d.v4.u32.s32 {%r5, %r6, %r7, %r8}, [%rd1, {%r1}];":                          "",
		"tex.1d.v4.u32.s32 {%r5, %r6, %r7, %r8}, [%rd1, {%r20}];":                         "read of 4 bytes, 4 of them never written",
		"suld.b.1d.b32.trap %r5, [%rd1, {%r21}];":                                         "read of 4 bytes, 4 of them never written",
		"sust.b.1d.b32.trap [%rd1, {%r21}], %r1; suld.b.1d.b32.trap %r5, [%rd1, {%r21}];": "",
	} {
		m := load(t, kernel("ld.global.u64 %rd1, [%base]; mov.u32 %r20, 3; mov.u32 %r21, 12;\n"+body+" ret;"), emu.Config{Uninitialised: true})
		data, buf := alloc(t, m, "texels", 16), alloc(t, m, "buf", 2)
		must(t, m.Write(data, make([]byte, 8)))
		object, err := m.NewTexture(emu.Texture{Addr: data, Dims: 1, Width: 16, Format: isa.U32, Channels: 1})
		must(t, err)
		must(t, m.Write(buf, binary.LittleEndian.AppendUint64(nil, object)))
		r := launch(t, m, 1, 1, buf)
		if want == "" {
			clean(t, r)
		} else if len(r.Faults) != 1 || r.Faults[0].Class != "uninitialised" || !strings.Contains(r.Faults[0].Message, want) {
			t.Errorf("%s: got %v", body, r.Faults)
		}
	}
}

// TestUndefinedLanes: the lanes of a warp that load unwritten memory are counted, and no others; the results are those
// of a run without the check.
func TestUndefinedLanes(t *testing.T) {
	text := kernel(`
	ld.global.u32 %r5, [%out]; shfl.sync.bfly.b32 %r6, %r5, 1, 31, -1; add.u32 %r5, %r6, 3; setp.gt.u32 %p1, %r5, 20; @%p1 add.u32 %r5, %r5, 100;
	st.global.u32 [%out+256], %r5; ret;`)
	var results [2][]uint32
	for k, cfg := range []emu.Config{{}, {Uninitialised: true}} {
		m := load(t, text, cfg)
		buf := alloc(t, m, "buf", 128)
		for i := range uint64(64) {
			if i%3 != 0 {
				if err := m.Write(buf+4*i, []byte{byte(i), 0, 0, 0}); err != nil {
					t.Fatal(err)
				}
			}
		}
		r := launch(t, m, 1, 64, buf)
		results[k] = words(t, m, buf+256, 64)
		switch {
		case !cfg.Uninitialised:
			clean(t, r)
		case len(r.Faults) != 1 || r.Faults[0].Count != 22 || r.Faults[0].Inst.Instr.Name != "ld":
			t.Errorf("got %v, expected 22 loads", r.Faults)
		}
	}
	for i, v := range results[0] {
		if results[1][i] != v {
			t.Errorf("word %d is %d with the check, and %d without", i, results[1][i], v)
		}
	}
}

// TestDeviceTracks: what a device knows of its memory does not depend on when it is allocated, nor on what is loaded
// before.
func TestDeviceTracks(t *testing.T) {
	text := kernel("ld.global.u32 %r5, [%base]; setp.eq.u32 %p1, %r5, 7; @%p1 bra END; END: ret;")
	cfg := emu.Config{Uninitialised: true, Padding: 1 << 40}
	for name, order := range map[string]string{"before": "aml", "after": "mal", "between modules": "mam", "after another configuration": "nam"} {
		d := emu.NewDevice(cfg)
		var m *emu.Machine
		var buf uint64
		for _, step := range order {
			var err error
			switch step {
			case 'a':
				buf, err = d.Alloc("buf", 64)
			case 'm':
				m, err = d.Load(parsed(t, text), cfg)
			case 'n':
				_, err = d.Load(parsed(t, text), emu.Config{})
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		second, err := d.Alloc("second", 64)
		if err != nil || second-buf < cfg.Padding {
			t.Errorf("%s: allocations at 0x%x and 0x%x (%v)", name, buf, second, err)
		}
		if r := launch(t, m, 1, 1, buf); len(r.Faults) != 1 || r.Faults[0].Class != "uninitialised" {
			t.Errorf("%s: got %v", name, r.Faults)
		}
	}
}

// TestIsspacepOfOtherModules: the address of a constant is not a global one, also if the module that declares it is
// loaded after the one that asks.
func TestIsspacepOfOtherModules(t *testing.T) {
	d := emu.NewDevice(emu.Config{})
	m, err := d.Load(parsed(t, kernel("ld.global.u64 %rd1, [%base]; isspacep.global %p1, %rd1; isspacep.const %p2, %rd1; selp.u32 %r5, 1, 0, %p1; selp.u32 %r6, 2, 0, %p2; add.u32 %r5, %r5, %r6; st.global.u32 [%base+8], %r5; ret;")), emu.Config{})
	if err != nil {
		t.Fatal(err)
	}
	other, err := d.Load(parsed(t, ".const .align 4 .u32 c = 5;\n"), emu.Config{})
	if err != nil {
		t.Fatal(err)
	}
	buf := alloc(t, m, "buf", 4)
	addr, _, _ := other.Symbol("c")
	if err := m.Write(buf, []byte{byte(addr), byte(addr >> 8), byte(addr >> 16), byte(addr >> 24), byte(addr >> 32), byte(addr >> 40), byte(addr >> 48), byte(addr >> 56)}); err != nil {
		t.Fatal(err)
	}
	clean(t, launch(t, m, 1, 1, buf))
	if got := words(t, m, buf+8, 1)[0]; got != 2 {
		t.Errorf("global and constant: %b, expected constant alone", got)
	}
}

// undefinedProgram returns the instructions of a random kernel that loads, moves, computes, compares and stores.
func undefinedProgram(r *rand.Rand) string {
	w := func() string { return fmt.Sprintf("%%r%d", 5+r.IntN(5)) }
	d := func() string { return fmt.Sprintf("%%rd%d", 3+r.IntN(4)) }
	p := func() string { return fmt.Sprintf("%%p%d", 1+r.IntN(3)) }
	at := func(size int) string { return fmt.Sprintf("[%%rd1+%d]", r.IntN(1024/size)*size) } // of the lane
	kinds := []func() string{
		func() string { return "ld.global.u32 " + w() + ", " + at(4) },
		func() string { return "ld.global.s8 " + w() + ", " + at(1) },
		func() string { return "ld.global.u64 " + d() + ", " + at(8) },
		func() string { return "ld.global.v2.u32 {%r5, %r6}, " + at(8) },
		func() string { return "st.global.u32 " + at(4) + ", " + w() },
		func() string { return "st.global.u8 " + at(1) + ", " + w() },
		func() string { return "st.global.u64 " + at(8) + ", " + d() },
		func() string { return "st.global.v4.u32 " + at(16) + ", {%r5, %r6, %r7, %r8}" },
		func() string { return "st.shared.u64 [sh+" + fmt.Sprint(8*r.IntN(4)) + "], " + d() },
		func() string { return "ld.shared.u32 " + w() + ", [sh+" + fmt.Sprint(4*r.IntN(8)) + "]" },
		func() string { return "mov.b32 " + w() + ", " + fmt.Sprint(r.IntN(1000)) },
		func() string { return "mov.b64 " + d() + ", {" + w() + ", " + w() + "}" },
		func() string { return "mov.b64 {%r7, %r8}, " + d() },
		func() string { return "and.b32 " + w() + ", " + w() + ", " + fmt.Sprint(r.Uint32()) },
		func() string { return "or.b32 " + w() + ", " + w() + ", " + w() },
		func() string { return "xor.b32 " + w() + ", " + w() + ", " + w() },
		func() string { return fmt.Sprintf("shr.u64 %s, %s, %d", d(), d(), r.IntN(64)) },
		func() string { return fmt.Sprintf("shl.b32 %s, %s, %d", w(), w(), r.IntN(32)) },
		func() string { return fmt.Sprintf("bfe.s32 %s, %s, %d, %d", w(), w(), r.IntN(32), r.IntN(20)) },
		func() string { return fmt.Sprintf("bfi.b32 %s, %s, %s, %d, %d", w(), w(), w(), r.IntN(32), r.IntN(20)) },
		func() string { return fmt.Sprintf("prmt.b32 %s, %s, %s, %d", w(), w(), w(), r.IntN(1<<16)) },
		func() string { return fmt.Sprintf("lop3.b32 %s, %s, %s, %s, %d", w(), w(), w(), w(), r.IntN(256)) },
		func() string { return "cvt.u32.u64 " + w() + ", " + d() },
		func() string { return "cvt.s64.s32 " + d() + ", " + w() },
		func() string { return "add.u32 " + w() + ", " + w() + ", " + w() },
		func() string { return "mul.lo.u64 " + d() + ", " + d() + ", 3" },
		func() string { return "setp.lt.s32 " + p() + ", " + w() + ", " + w() },
		func() string { return "setp.ne.and.u32 " + p() + ", " + w() + ", 0, " + p() },
		func() string { return "selp.b32 " + w() + ", " + w() + ", " + w() + ", " + p() },
		func() string { return "@" + p() + " mov.b32 " + w() + ", " + w() },
		func() string { return fmt.Sprintf("shfl.sync.bfly.b32 %s, %s, %d, 31, -1", w(), w(), r.IntN(32)) },
		func() string { return "atom.global.exch.b32 " + w() + ", " + at(4) + ", " + w() },
	}
	var body strings.Builder
	for range 25 {
		body.WriteString(kinds[r.IntN(len(kinds))]() + ";\n")
	}
	return body.String()
}

// TestUndefinedDecidesNothing: where a run reports nothing, it does not depend on what unwritten memory contains.
// Random kernels run with two contents; the bytes that count as written at the end are equal.
func TestUndefinedDecidesNothing(t *testing.T) {
	const lanes, each = 32, 1024
	r := rand.New(rand.NewPCG(11, 12))
	silent := 0
	for n := range 600 {
		body := undefinedProgram(r)
		text := ".shared .align 16 .b8 sh[64];\n" + kernel("\nmul.lo.u32 %r20, %r1, 1024; cvt.u64.u32 %rd1, %r20; add.u64 %rd1, %rd1, %base;\n"+body+"ret;")
		var written [each / 16]uint64 // how many bytes of each group are
		for i := range written {
			if written[i] = 16; r.IntN(3) == 0 {
				written[i] = r.Uint64N(16)
			}
		}
		values := make([]byte, each)
		for i := range values {
			values[i] = byte(r.Uint32())
		}
		var contents, states [2][]byte
		reports := 0
		for k := range contents {
			m := load(t, text, emu.Config{Uninitialised: true, NoVector: n%2 == 0})
			buf := alloc(t, m, "buf", lanes*each/4)
			garbage := make([]byte, lanes*each)
			for i := range garbage {
				garbage[i] = byte(r.Uint32())
			}
			must(t, m.Write(buf, garbage))
			must(t, m.SetUninitialised(buf))
			for lane := range uint64(lanes) {
				for i, count := range written {
					at := 16 * uint64(i)
					must(t, m.Write(buf+lane*each+at, values[at:at+count]))
				}
			}
			reports += len(launch(t, m, 1, lanes, buf).Faults)
			contents[k], states[k] = make([]byte, lanes*each), make([]byte, lanes*each)
			must(t, m.Read(buf, contents[k]))
			for i := range states[k] {
				if m.Written(buf + uint64(i)) {
					states[k][i] = 1
				}
			}
		}
		if reports > 0 {
			continue
		}
		silent++
		for i, state := range states[0] {
			if state != states[1][i] || state == 1 && contents[0][i] != contents[1][i] {
				t.Fatalf("program %d: byte %d is %d and %d, written: %d and %d\n%s", n, i, contents[0][i], contents[1][i], state, states[1][i], body)
			}
		}
	}
	if silent < 100 {
		t.Errorf("only %d of the programs report nothing", silent)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
