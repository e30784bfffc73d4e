// Addresses of a program that the test compiles, looked up while it runs.

package callsite_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/cuda/callsite"
)

const program = `#include <stdio.h>
__attribute__((noinline)) void *here(void) { // line 2
  return __builtin_return_address(0);
}
__attribute__((always_inline)) static inline unsigned long inlined(void) {
  return (unsigned long)here(); // line 6
}
int main(void) {
  printf("%lx\n", inlined() - 1); // line 9
  fflush(stdout);
  getchar();
}
`

// started starts a program that writes a line and waits until its input ends. It returns the line, and a function that
// ends the program.
func started(t *testing.T, cmd *exec.Cmd) (line string, end func() error) {
	t.Helper()
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line, _ = bufio.NewReader(stdout).ReadString('\n')
	return strings.TrimSpace(line), func() error {
		stdin.Close()
		return cmd.Wait()
	}
}

// TestFrames: the function and the line of an address, and nothing of one that is not code.
func TestFrames(t *testing.T) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("the program is compiled by a C compiler: ", err)
	}
	dir := t.TempDir()
	source, app := filepath.Join(dir, "app.c"), filepath.Join(dir, "app")
	if err = os.WriteFile(source, []byte(program), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(cc, "-g", "-o", app, source).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command(app)
	line, end := started(t, cmd)
	address, err := strconv.ParseUint(line, 16, 64)
	if err != nil {
		t.Fatal(err)
	}
	frames := callsite.Of(cmd.Process.Pid).Frames([]uint64{address, 12})
	want := []callsite.Frame{{app, "inlined", source, 6}, {app, "main", source, 9}, {}}
	if !slices.Equal(frames, want) {
		t.Errorf("the address in main, and one of nothing, are %+v, want %+v", frames, want)
	}
	if err := end(); err != nil {
		t.Fatal(err)
	}
	if frames := callsite.Of(cmd.Process.Pid).Frames([]uint64{address}); frames[0] != (callsite.Frame{}) {
		t.Errorf("an address of a process that has ended is %+v", frames[0])
	}
}

// TestCalls: code that may call a function of a library which is linked statically, dynamically, or not at all.
func TestCalls(t *testing.T) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("the program is compiled by a C compiler: ", err)
	}
	dir := t.TempDir()
	const linked = "int launch(int n) { return n + 1; }\nint launch_all(void);\n"
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	library := write("library.c", linked)
	shared := filepath.Join(dir, "liblaunch.so")
	build := func(out string, args ...string) string {
		if text, err := exec.Command(cc, append([]string{"-o", out}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		return out
	}
	build(shared, "-shared", "-fPIC", library)
	for _, c := range []struct {
		name, main string
		with       []string
		want       bool
	}{
		{"call", "int launch(int); int main(int n) { return launch(n); }", []string{library}, true},
		{"address", "int launch(int); int (*volatile f)(int); int main(int n) { f = launch; return f(n); }", []string{library}, true},
		{"unused", "int main(void) { return 0; }", []string{library}, false},
		{"a longer name", "int launch(int); int relaunch(int n) { return launch(n); } int main(int n) { return relaunch(n); }", []string{library}, true},
		{"import", "int launch(int); int main(int n) { return launch(n); }", []string{"-L" + dir, "-llaunch"}, true},
		{"other", "int main(void) { return 0; }", []string{"-L" + dir, "-llaunch"}, false},
		{"name", "#include <dlfcn.h>\nint main(void) { return dlsym(RTLD_DEFAULT, \"launch\") != 0; }", nil, true},
		{"part of a name", "#include <stdio.h>\nint main(void) { return puts(\"relaunch\") + puts(\"launcher\"); }", nil, false},
	} {
		for _, flags := range [][]string{{"-O0"}, {"-O2", "-fno-plt"}, {"-no-pie"}} {
			file := build(filepath.Join(dir, "app"), slices.Concat([]string{write("main.c", c.main)}, flags, c.with)...)
			if got := callsite.Calls(file, []string{"launch", "launch_all"}); got != c.want {
				t.Errorf("%s %v: %v, want %v", c.name, flags, got, c.want)
			}
		}
	}
	if callsite.Calls(library, []string{"launch"}) {
		t.Error("text that is no program")
	}
}
