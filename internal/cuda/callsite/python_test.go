// Frames of Python programs, read while they wait.

package callsite_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/cuda/callsite"
)

const pythonProgram = `import ctypes, sys
state = ctypes.pythonapi.PyGILState_GetThisThreadState
state.restype = ctypes.c_void_p
def wait(n):
    if n > 0:
        x = [n,
             wait(n - 1)]  # line 7
        return x
    return (
        print(sys.version_info[1], state(), flush=True), sys.stdin.read())  # line 10
wait(2)
`

// TestInterpret: the files, functions and lines of a thread of CPython, also of a file whose name is not ASCII.
func TestInterpret(t *testing.T) {
	source := filepath.Join(t.TempDir(), "größe.py")
	if err := os.WriteFile(source, []byte(pythonProgram), 0o600); err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, name := range []string{"python3", "python3.11", "python3.12", "python3.13"} {
		python, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		cmd := exec.Command(python, source)
		line, end := started(t, cmd)
		minor, address, _ := strings.Cut(line, " ")
		state, err := strconv.ParseUint(address, 10, 64)
		if version, _ := strconv.Atoi(minor); err == nil && version >= 11 && version <= 13 {
			found++
			p := callsite.Of(cmd.Process.Pid)
			frames := p.Frames(p.Interpret([]uint64{12, callsite.PythonBit | state}))
			f := func(name string, line int) callsite.Frame {
				return callsite.Frame{Object: callsite.Python, Function: name, File: source, Line: line}
			}
			want := []callsite.Frame{{}, f("wait", 10), f("wait", 7), f("wait", 7), f("<module>", 11)}
			if !slices.Equal(frames, want) {
				t.Errorf("%s: %+v, want %+v", name, frames, want)
			}
			if left := p.Interpret([]uint64{12, callsite.PythonBit | 8}); len(p.Frames(left)) != 1 {
				t.Errorf("%s: what is no thread has frames: %+v", name, p.Frames(left))
			}
		}
		if err := end(); err != nil {
			t.Log(err) // a stand-in for a version that is not installed
		}
	}
	if found == 0 {
		t.Skip("no CPython 3.11 to 3.13")
	}
}
