package cubin

import (
	"bytes"
	"compress/zlib"
	"debug/elf"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/cubin/cubintest"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

const head = ".version 8.0\n.target sm_80\n.address_size 64\n\n"

// plain is PTX as a cubin has it: lines of directives are empty, and debug sections have no data.
const plain = "\n\n" + head + `.visible .entry k(
.param .u64 k_param_0
)
{
.reg .b32 %r<4>;
.reg .b64 %rd<2>;

ld.param.u64 %rd1, [k_param_0];

mov.u32 %r1, %tid.x;


add.u32 %r2, %r1, 1;
st.global.u32 [%rd1], %r2;

add.u32 %r3, %r2, 1;

st.global.u32 [%rd1+4], %r3;
ret;

}
.section .debug_str
{
$L__info_string0:

}
`

// lineTables are the line tables of plain: from 0x10 on, line 10 of the text and what follows up to an empty line.
func lineTables(version uint16) (ptx, source cubintest.Table) {
	ptx.Unit(version, "")
	ptx.Function("k")
	for i, line := range []int{14, 16, 19, 20, 24} {
		ptx.Row(uint64(16*i), 0, line)
	}
	ptx.End(0x60)
	source.Unit(version, "/src", "k.cu", "k.h")
	source.Function("k")
	source.Row(0, 1, 3)
	source.Row(0x10, 1, 5)
	source.Row(0x20, 1, 6) // the call
	source.Inlined(3, 1)
	source.Row(0x20, 2, 9)
	source.Inlined(0, 0)
	source.Row(0x40, 1, 7)
	source.End(0x60)
	return ptx, source
}

func cubinOf(version uint16, rel bool, text cubintest.Section) []byte {
	ptx, source := lineTables(version)
	return cubintest.Build([]string{"k"}, []cubintest.Section{
		text, ptx.Section(sectionPTX), source.Section(sectionLines), {Name: sectionString, Data: []byte("\x00twice\x00")},
	}, rel)
}

// places returns the instructions of a text with their places.
func places(t *testing.T, text []byte) (list []string) {
	t.Helper()
	tree, err := ptxgrammar.Parse("k.ptx", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	m, err := rewrite.Load(tree)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, f := range m.Funcs {
		for _, in := range f.Insts {
			place := fmt.Sprintf("%s %d", m.AST.Text(m.AST.OpcodeRange(in.AST)), in.Line)
			for l := in.Loc; l != nil && l.Line > 0; l = l.InlinedAt {
				place += fmt.Sprintf(" %s:%d", l.File, l.Line)
			}
			list = append(list, place)
		}
	}
	return list
}

// TestRead: each instruction keeps its line of the text, and has the line of the source that machine code has; so have
// those beside it, of which there is none. Where there is none at all the line is unknown.
func TestRead(t *testing.T) {
	want := []string{
		"ld.param.u64 14 /src/k.cu:3", "mov.u32 16 /src/k.cu:5", "add.u32 19 /src/k.h:9 /src/k.cu:6",
		"st.global.u32 20 /src/k.h:9 /src/k.cu:6", "add.u32 22", "st.global.u32 24 /src/k.cu:7", "ret 25 /src/k.cu:7",
	}
	var zip bytes.Buffer
	zip.Write(append([]byte{1, 0, 0, 0, 0, 0, 0, 0}, le.AppendUint64(le.AppendUint64(nil, uint64(len(plain))), 1)...))
	w := zlib.NewWriter(&zip)
	_, err := w.Write(cubintest.Text("", plain).Data)
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"DWARF 2":    cubinOf(2, false, cubintest.Text(sectionText, plain)),
		"DWARF 3":    cubinOf(3, false, cubintest.Text(sectionText, plain)),
		"DWARF 4":    cubinOf(4, false, cubintest.Text(sectionText, plain)),
		"CUDA 11":    cubinOf(2, true, cubintest.Text(sectionText, plain)),
		"compressed": cubinOf(2, false, cubintest.Section{Name: sectionText, Data: zip.Bytes(), Flags: elf.SHF_COMPRESSED}),
	} {
		t.Run(name, func(t *testing.T) {
			p, err := Read("k.cubin", data)
			if err != nil {
				t.Fatal(err)
			}
			if got := places(t, p.PTX); fmt.Sprint(got) != fmt.Sprint(want) || len(p.Without) > 0 {
				t.Errorf("got %q, without %q; want %q\n%s", got, p.Without, want, p.PTX)
			}
		})
	}
}

// TestReadWithout: without line tables that can be read, lines of the source are unknown; without line information
// there is no PTX, and what the machine code is of is named.
func TestReadWithout(t *testing.T) {
	newer, err := Read("k.cubin", cubinOf(5, false, cubintest.Text(sectionText, plain)))
	if err != nil {
		t.Fatal(err)
	}
	if got := places(t, newer.PTX); got[0] != "ld.param.u64 14" {
		t.Errorf("line tables of DWARF 5: %q", got)
	}
	none, err := Read("k.cubin", cubintest.Build([]string{"k", "f"}, nil, false))
	if err != nil || none.PTX != nil || fmt.Sprint(none.Without) != "[k f]" {
		t.Errorf("%+v, %v; want the functions k and f", none, err)
	}
	options := cubintest.Section{Name: sectionOptions, Data: []byte("ptxas\x00-arch sm_90a -m 64 \x00")}
	if p, err := Read("k.cubin", cubintest.Build([]string{"k"}, []cubintest.Section{options}, false)); err != nil || p.Target != "sm_90a" {
		t.Errorf("%+v, %v; want sm_90a", p, err)
	}
}

// TestReadLinked: the texts of several translation units, each with lines of its own, make one program. A function of
// an object without line information is named.
func TestReadLinked(t *testing.T) {
	user := head + `.extern .func (.param .b32 out) twice(.param .b32 in);
.visible .entry k()
{
.reg .b32 %r<2>;
.param .b32 in;
.param .b32 out;

st.param.b32 [in], 21;
call.uni (out), twice, (in);
ret;
}
`
	library := head + `.visible .func (.param .b32 out) twice(.param .b32 in)
{
.reg .b32 %r<2>;

ld.param.b32 %r1, [in];
st.param.b32 [out], %r1;
ret;
}
`
	var ptx, source cubintest.Table
	for i, f := range []string{"k", "twice"} {
		ptx.Unit(2, "", fmt.Sprintf("%s.%d", sectionText, i))
		ptx.Function(f)
		ptx.Row(0, 1, []int{12, 9}[i])
		ptx.End(0x40)
		source.Unit(2, "/src", f+".cu")
		source.Function(f)
		source.Row(0, 1, 7)
		source.End(0x40)
	}
	p, err := Read("k.cubin", cubintest.Build([]string{"k", "twice", "other"}, []cubintest.Section{
		cubintest.Text(sectionText+".0", user), cubintest.Text(sectionText+".1", library), ptx.Section(sectionPTX), source.Section(sectionLines),
	}, false))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, place := range places(t, p.PTX) {
		f := strings.Fields(place)
		got = append(got, f[0]+" "+f[2])
	}
	want := []string{
		"st.param.b32 /src/k.cu:7", "call.uni /src/k.cu:7", "ret /src/k.cu:7", "ld.param.b32 /src/twice.cu:7",
		"st.param.b32 /src/twice.cu:7", "ret /src/twice.cu:7",
	}
	if fmt.Sprint(got) != fmt.Sprint(want) || fmt.Sprint(p.Without) != "[other]" {
		t.Errorf("got %q, without %q; want %q, without other\n%s", got, p.Without, want, p.PTX)
	}
}
