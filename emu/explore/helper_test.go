package explore_test

import (
	"encoding/binary"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

// header begins every test module.
const header = ".version 8.3\n.target sm_90\n.address_size 64\n"

// load makes a machine of PTX text, with the header in front.
func load(t testing.TB, text string, cfg emu.Config) *emu.Machine {
	t.Helper()
	ast, err := ptxgrammar.Parse("test.ptx", []byte(header+text))
	if err != nil {
		t.Fatal(err)
	}
	mod, err := rewrite.Load(ast)
	if err != nil {
		t.Fatal(err)
	}
	m, err := emu.New(mod, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// dim is a one-dimensional extent.
func dim(x uint32) emu.Dim3 { return emu.Dim3{X: x, Y: 1, Z: 1} }

// args lays out 8-byte parameters.
func args(vals ...uint64) []byte {
	var b []byte
	for _, v := range vals {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return b
}

// kernel is a kernel whose parameter is the address of a buffer of words; %out is the address of the thread's own word.
func kernel(body string) string {
	return `.visible .entry k(.param .u64 p) {
	.reg .pred %p<10>; .reg .b32 %r<30>; .reg .b64 %rd<10>; .reg .b64 %out, %base;
	ld.param.u64 %base, [p];
	mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;
	mad.lo.s32 %r4, %r2, %r3, %r1;
	mad.wide.u32 %out, %r4, 4, %base;
` + body + `
}
`
}

// lostUpdate counts without atomics: updates are lost only when a thread is preempted
// between its load and its store.
const lostUpdate = `
	ld.volatile.global.u32 %r5, [%base]; add.u32 %r5, %r5, 1; st.volatile.global.u32 [%base], %r5; ret;`

// lock increments base[1] under a lock in base[0].
const lock = `
	SPIN:	atom.global.cas.b32 %r5, [%base], 0, 1;
	setp.ne.u32 %p1, %r5, 0; @%p1 bra SPIN;
	ld.volatile.global.u32 %r6, [%base+4]; add.u32 %r6, %r6, 1; st.volatile.global.u32 [%base+4], %r6;
	membar.gl; atom.global.exch.b32 %r7, [%base], 0;
	ret;`

func check(err error) {
	if err != nil {
		panic(err)
	}
}
