// Sources in PTX, and their places in files of Python.

package cuda_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/cuda"
)

// compiled is PTX as NVRTC writes it for a source of three lines, the first of which is empty: a place at which a
// function was inlined, one of a header, and one without a line.
func compiled(file, call, inlined string) string {
	return "\t.loc\t1 " + call + "\n\t.loc\t1 " + inlined + ", function_name $L__info_string0, inlined_at 1 " + call +
		"\n\t.loc\t2 7 1\n\t.loc\t1 0 0\n\t.file\t1 \"" + file + "\"\n\t.file\t2 \"/usr/include/header.h\"\n" + `
// ptxsan source k.cu
//|
//|__device__ void put(int *a) { *a = 1; }
//|__global__ void k(int *a) { put(a); }
`
}

// write makes a file.
func write(t *testing.T, text string) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "k.py")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestPlaced: lines of a source become those of a file that has it once.
func TestPlaced(t *testing.T) {
	const inner = "__device__ void put(int *a) { *a = 1; }\n__global__ void k(int *a) { put(a); }"
	for _, c := range []struct {
		name, text    string
		call, inlined string // "" for those of the source
	}{
		{"a string of several lines", "import x\n\nCODE = '''\n" + inner + "'''\n", "5 29", "4 32"},
		{"other white space around", "import x\nCODE = (\n\n" + inner + "\n\n)", "5 29", "4 32"},
		{"a string that begins in a line", "CODE = '''" + inner + "'''\n", "2 29", "1 32"},
		{"another source", "CODE = '''__global__ void k(int *a)'''\n", "", ""},
		{"a source twice", inner + "\n" + inner, "", ""},
	} {
		file := write(t, c.text)
		ptx := compiled("/home/me/k.cu", "3 29", "2 32")
		want := ptx
		if c.call != "" {
			want = compiled(file, c.call, c.inlined)
		}
		if got := string(cuda.Placed([]byte(ptx), "/no/such/file.py", "<frozen importlib>", file)); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, want)
		}
	}
}

// TestPlacedColumn: a first line that begins within a line of the file has columns of the file; a module without a
// source, and one whose source no line names, stay.
func TestPlacedColumn(t *testing.T) {
	file := write(t, "import x\nCODE = '__global__ void k() {}'\n")
	ptx := ".loc 1 1 17\n.file 1 \"/home/me/k.cu\"\n\n// ptxsan source k.cu\n//|__global__ void k() {}\n"
	if got, want := string(cuda.Placed([]byte(ptx), file)), strings.NewReplacer("1 1 17", "1 2 25", "/home/me/k.cu", file).Replace(ptx); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	for _, same := range []string{".loc 1 1 17\n.file 1 \"k.cu\"\n", strings.ReplaceAll(ptx, "me/k.cu", "me/other.cu")} {
		if got := string(cuda.Placed([]byte(same), file)); got != same {
			t.Errorf("%s\nwant\n%s", got, same)
		}
	}
}

// TestSources: a source that no file has is quoted, also where modules have one name for two.
func TestSources(t *testing.T) {
	p := newProcess(t, &cuda.Options{})
	data, err := p.Alloc(4, cuda.OnDevice, waits, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, store := range []string{"a[0] = threadIdx.x;", "*a = threadIdx.x;"} {
		id, err := p.LoadModule([]byte(strings.Replace(racyStore, "SOURCE", store, 1)), cuda.In{})
		if err != nil {
			t.Fatal(err)
		}
		k, err := p.Kernel(id, "k")
		if err != nil {
			t.Fatal(err)
		}
		if err = launch(p, k, 64, binary.LittleEndian.AppendUint64(nil, data)); err != nil {
			t.Fatal(err)
		}
		file := "/home/me/<null>"
		if i > 0 {
			file = fmt.Sprintf("module%d.cu", id)
		}
		rep := p.Report()
		if text, ok := rep.Quoted(file, 2); len(rep.Races) != i+1 || !ok || text != store {
			t.Errorf("%d races; line 2 of %s is %q", len(rep.Races), file, text)
		}
	}
}

// racyStore is a module of NVRTC's whose threads store different values.
const racyStore = `.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 a)
{
	.reg .b32 %r<2>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [a];
	.loc	1 2 1
	mov.u32 %r1, %tid.x;
	st.global.u32 [%rd1], %r1;
	ret;
}
	.file	1 "/home/me/<null>"

// ptxsan source <null>
//|extern "C" __global__ void k(int *a) {
//|SOURCE
//|}
`
