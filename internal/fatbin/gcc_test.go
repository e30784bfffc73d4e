package fatbin

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// hostProgram prints the PTX of its containers, found as the CUDA runtime finds
// it: through the wrappers. The rest of it would notice a damaged image: data,
// zero-initialised and thread-local data, a constructor and the heap.
const hostProgram = `
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
struct wrapper { uint32_t magic, version; const uint64_t *data; void *more; };
extern struct wrapper w0, w1;
static char zeros[200000];
static __thread int local = 7, local_zero;
static int built;
static const char *text = "initialised";
__attribute__((constructor)) static void build(void) { built = 1; }
static void show(const struct wrapper *w)
{
	const char *c = (const char *)w->data, *e;
	uint64_t size = *(const uint64_t *)(c + 8);
	for (e = c + 16; e < c + 16 + size; e += *(const uint32_t *)(e + 4) + *(const uint64_t *)(e + 8))
		printf("kind %d arch %d: %.40s\n", *(const uint16_t *)e, *(const uint32_t *)(e + 28), e + *(const uint32_t *)(e + 4));
}
int main(void)
{
	char *heap = malloc(1 << 20);
	for (size_t i = 0; i < sizeof zeros; i++)
		if (zeros[i]) { printf("zeros[%zu] is %d\n", i, zeros[i]); return 1; }
	memset(zeros, 1, sizeof zeros);
	memset(heap, 1, 1 << 20);
	printf("%s %d %d %d %d\n", text, built, local, local_zero, w0.magic == 0x466243b1);
	show(&w0);
	show(&w1);
	return 0;
}
`

// dataSource is assembly with the containers and their wrappers, as nvcc and clang
// emit them.
func dataSource(containers ...[]byte) string {
	var b strings.Builder
	b.WriteString(".section .nv_fatbin,\"a\"\n.align 8\n")
	for i, c := range containers {
		fmt.Fprintf(&b, ".align 8\nfatbinData%d:\n", i)
		for _, v := range c {
			fmt.Fprintf(&b, ".byte %d\n", v)
		}
	}
	b.WriteString(".section .nvFatBinSegment,\"aw\"\n.align 8\n")
	for i := range containers {
		fmt.Fprintf(&b, ".globl w%d\n.type w%d, @object\n.size w%d, 24\nw%d: .long 0x466243b1, 1\n.quad fatbinData%d\n.quad 0\n", i, i, i, i, i)
	}
	b.WriteString(".section .note.GNU-stack,\"\"\n")
	return b.String()
}

type gcc struct {
	t   *testing.T
	dir string
}

func (g gcc) path(name string) string { return filepath.Join(g.dir, name) }

func (g gcc) run(program string, args ...string) string {
	g.t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = g.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		g.t.Fatalf("%s %v: %v\n%s", program, args, err, out)
	}
	return string(out)
}

// embed replaces the PTX of both modules in a file.
func (g gcc) embed(name string, texts ...string) {
	g.t.Helper()
	data, err := os.ReadFile(g.path(name))
	if err != nil {
		g.t.Fatal(err)
	}
	f := mustOpen(g.t, name, data)
	var repl []Replacement
	for i, text := range texts {
		repl = append(repl, Replacement{Module: i, Entry: f.Modules[i].PTX()[0], PTX: []byte(text), Arch: 75, Major: 8})
	}
	out, err := f.Embed(repl, EmbedOptions{Compression: new(Compression)})
	if err != nil {
		g.t.Fatal(err)
	}
	if err = os.WriteFile(g.path(name), out, 0o755); err != nil {
		g.t.Fatal(err)
	}
	if got := ptxOf(g.t, mustOpen(g.t, name, out)); strings.Join(got, "|") != strings.Join(texts, "|") {
		g.t.Fatalf("%s: PTX %.40q", name, got)
	}
}

// TestPrograms links programs with the host's gcc, replaces their PTX and runs
// them, and does the same with objects, archives and shared objects that are linked
// after the replacement.
func TestPrograms(t *testing.T) {
	machine, err := exec.Command("gcc", "-dumpmachine").Output()
	if err != nil || !bytes.HasPrefix(machine, []byte("x86_64")) {
		t.Skip("needs a gcc for x86-64, to link and run programs; TestEmbed covers files made without it")
	}
	g := gcc{t, t.TempDir()}
	source := dataSource(container(t, sass70, text70), container(t, text70))
	for name, text := range map[string]string{"main.c": hostProgram, "data.s": source} {
		if err := os.WriteFile(g.path(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	g.run("gcc", "-c", "-O1", "-fPIC", "main.c")
	g.run("gcc", "-c", "data.s")
	pie := []string{"-pie", "main.o", "data.o"}
	modes := map[string][]string{
		"pie": pie, "no-pie": {"-no-pie", "main.o", "data.o"}, "static": {"-static", "main.o", "data.o"},
		"packed relocations": append([]string{"-Wl,-z,pack-relative-relocs"}, pie...),
		"stripped":           append([]string{"-s"}, pie...),
		"debug":              append([]string{"-g", "-Wl,-z,noseparate-code"}, pie...),
		"lazy":               append([]string{"-Wl,-z,norelro"}, pie...),
	}
	short, long := "// short 0", "// long 1"+strings.Repeat(" and longer", 5000)
	want := func(a, b string) string {
		return fmt.Sprintf("initialised 1 7 0 1\nkind 1 arch 75: %.40s\nkind 1 arch 75: %.40s\n", a, b)
	}
	for name, args := range modes {
		g.run("gcc", append([]string{"-o", "app"}, args...)...)
		for _, texts := range [][]string{{short, short}, {short, long}, {long, long + long}, {short, short}} {
			g.embed("app", texts...)
			if got := g.run("./app"); got != want(texts[0], texts[1]) {
				t.Errorf("%s: %s\nwant %s", name, got, want(texts[0], texts[1]))
			}
		}
		if name == "pie" { // other tools can still read and change it
			g.run("objdump", "-h", "app")
			g.run("strip", "app")
			if got := g.run("./app"); got != want(short, short) {
				t.Errorf("stripped after it: %s", got)
			}
		}
	}
	g.run("gcc", "-shared", "-o", "libdata.so", "data.o")
	g.embed("libdata.so", long, short)
	g.run("gcc", "-o", "app", "main.o", "libdata.so", "-Wl,-rpath,"+g.dir)
	if got := g.run("./app"); got != want(long, short) {
		t.Errorf("shared object: %s", got)
	}
	g.run("ar", "rcs", "libdata.a", "main.o", "data.o")
	g.embed("libdata.a", long, short)
	g.run("gcc", "-o", "app", "-Wl,--whole-archive", "libdata.a", "-Wl,--no-whole-archive")
	if got := g.run("./app"); got != want(long, short) {
		t.Errorf("archive: %s", got)
	}
	g.embed("data.o", short, long)
	g.run("gcc", "-o", "app", "main.o", "data.o")
	if got := g.run("./app"); got != want(short, long) {
		t.Errorf("object: %s", got)
	}
}
