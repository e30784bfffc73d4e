// The Python package.

package app

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// TestWheel builds the Python package, installs it into an environment of its own and uses the command and the API
// there.
func TestWheel(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the Python package is for Linux")
	}
	if !*wholeReleases {
		t.Skip("compiles the drop-in libraries and fetches Python packages, which takes a minute; run by make releases")
	}
	need(t, "python3")
	work := t.TempDir()
	if out, err := exec.Command("python3", "-m", "venv", filepath.Join(work, "venv")).CombinedOutput(); err != nil {
		t.Skipf("needs Python's venv and pip: %v\n%.300s", err, out)
	}
	python, pip := filepath.Join(work, "venv/bin/python"), filepath.Join(work, "venv/bin/pip")
	if out, err := exec.Command(pip, "download", "-q", "--no-deps", "-d", filepath.Join(work, "tried"), "hatchling").CombinedOutput(); err != nil {
		t.Skipf("needs hatchling, which pip cannot fetch: %v\n%.300s", err, out)
	}
	wheel := buildWheel(t, work)
	if !regexp.MustCompile(`/ptxsan-[0-9.]+-py3-none-manylinux_2_\d+_(x86_64|aarch64)\.whl$`).MatchString(wheel) {
		t.Errorf("the wheel is %s", wheel)
	}
	publish(t, work)
	runIn(t, work, nil, pip, "-q", "install", "--no-index", wheel)
	prebuiltIn(t, filepath.Join(work, "venv/bin/ptxsan"), filepath.Join(work, "venv/lib/ptxsan"))
	for _, name := range []string{"libcuda.so", "gpu/libcuda.so"} {
		if to, err := os.Readlink(filepath.Join(work, "venv/lib/ptxsan", name)); err != nil || to != "libcuda.so.1" {
			t.Errorf("%s is a link to %q: %v", name, to, err)
		}
	}
	examples, err := filepath.Abs("../../../examples/message-passing")
	if err != nil {
		t.Fatal(err)
	}
	if out := runIn(t, examples, []string{"PATH="}, python, "-c", wheelProgram); out != wheelPrints {
		t.Errorf("the API prints\n%s\nwant\n%s", out, wheelPrints)
	}
	if out, err := exec.Command(pip, "-q", "install", "pytest", "pytest-xdist", "ipython").CombinedOutput(); err != nil {
		t.Skipf("needs pytest, pytest-xdist and ipython, which pip cannot fetch: %v\n%.300s", err, out)
	}
	runPlugin(t, work, python)
}

// publish builds the package from archives as of a release, of which one is for another machine than this, and uploads
// nothing.
func publish(t *testing.T, work string) {
	t.Helper()
	if out, err := exec.Command(filepath.Join(work, "venv/bin/pip"), "download", "-q", "--no-deps", "-d", filepath.Join(work, "tried"), "twine").CombinedOutput(); err != nil {
		t.Logf("needs twine, which pip cannot fetch: %v\n%.300s", err, out)
		return
	}
	archive, dist := filepath.Join(work, "archive"), filepath.Join(work, "published")
	if err := os.MkdirAll(filepath.Join(archive, "lib/ptxsan"), 0o777); err != nil {
		t.Fatal(err)
	}
	for arch, machine := range map[string]string{"amd64": "x86_64", "arm64": "aarch64"} {
		for name, text := range map[string]string{"lib/ptxsan/version": "digest-" + arch, "ptxsan": "\x7fELF", "ptxsan-full": "\x7fELF"} {
			if err := os.WriteFile(filepath.Join(archive, name), []byte(text), 0o777); err != nil {
				t.Fatal(err)
			}
		}
		file := filepath.Join(work, "ptxsan_linux_"+arch+".tar.gz")
		runIn(t, archive, nil, "tar", "-czf", file, ".")
		runIn(t, "../../../python", []string{"PTXSAN_PYPI=0"}, "./publish.sh", file, "1.2.3", dist)
		if found, _ := filepath.Glob(filepath.Join(dist, "ptxsan-1.2.3-py3-none-manylinux_2_*_"+machine+".whl")); len(found) != 1 {
			t.Errorf("%d wheels for %s", len(found), machine)
		}
	}
	runIn(t, "../../../python", nil, "./publish.sh", filepath.Join(work, "ptxsan_darwin_arm64.tar.gz"), "1.2.3", dist)
}

// runPlugin runs the example of the plugin for pytest: findings fail the test that shows them, unless it expects them.
func runPlugin(t *testing.T, work, python string) {
	t.Helper()
	example, err := filepath.Abs("../../../examples/python/pytest")
	if err == nil {
		err = os.WriteFile(filepath.Join(work, "test_checked.py"), []byte(checkedTests), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	all := []string{"3 failed, 5 passed", "FAILED", "::test_racy - ", "write at ./racy.cu:10 in", "write at ./racy.cu:10, inlined at ./racy.cu:14 in", "Program: test ", "::test_race_is_known"}
	for _, c := range []struct {
		args []string
		code int
		want []string
	}{
		{[]string{"-m", "pytest", "--ptxsan", example, "test_checked.py"}, 1, all},
		{[]string{"-m", "pytest", "--ptxsan", example, "-k", "fixed or known"}, 0, []string{"3 passed"}},
		{[]string{"-m", "pytest", "--ptxsan", "-n", "2", example}, 1, []string{"2 workers", "1 failed, 3 passed", "write at ./racy.cu:10"}},
		{[]string{"-c", notebookProgram}, 0, []string{"1 ptxsan: racy insufficient-fence-scope 42", "1 ptxsan: unknown"}},
		{[]string{"-m", "ptxsan", "--error-exitcode=0", "-c", notebookProgram}, 0, []string{"1 ptxsan: racy insufficient-fence-scope 42", "whose flags hold"}},
		{[]string{"-m", "pytest", "--ptxsan", "test_checked.py", "-k", "misses"}, 1, []string{"1 failed", "expected a race in kernel *, found none"}},
		{[]string{"-m", "ptxsan", "--format=json", "-m", "pytest", example, "-k", "test_racy"}, 1, []string{"1 passed", `"insufficient-fence-scope"`}},
	} {
		cmd := exec.Command(python, c.args...)
		cmd.Dir, cmd.Env = work, append(os.Environ(), "PATH=", "CC=", "COLUMNS=400", "PYTHONDONTWRITEBYTECODE=1", "PYTEST_ADDOPTS=-p no:cacheprovider", "PYTHONPATH="+example)
		out, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != c.code {
			t.Errorf("%q: exit code %d, want %d\n%s", c.args, code, c.code, out)
		}
		for _, want := range c.want {
			if !strings.Contains(string(out), want) {
				t.Errorf("%q: the output lacks %q\n%s", c.args, want, out)
			}
		}
	}
}

// checkedTests are tests that judge findings themselves, one of code that is inlined, and one whose mark expects a race
// that is not there.
const checkedTests = `
import ptxsan, pytest
from test_message import KERNELS, cuda, pass_message

def test_checked(cuda):
    with ptxsan.checked() as racy:
        pass_message(cuda, "racy.ptx")
    with ptxsan.checked() as fixed:
        pass_message(cuda, "fixed.ptx")
    assert [race.cause for race in racy.report.races] == ["insufficient-fence-scope"]
    assert racy.report.verdict == "racy" and fixed.report.clean and not fixed.report.races

def test_checked_without_exec(monkeypatch):
    monkeypatch.delenv("PTXSAN_EXEC_SOCKET")
    with pytest.raises(ptxsan.PtxsanError, match="python -m ptxsan"):
        with ptxsan.checked():
            pass

def test_inlined(cuda, tmp_path):
    text = (KERNELS / "racy.ptx").read_text().replace(".loc\t1 10 14", ".loc 1 10 14, function_name $L__info_string0, inlined_at 1 14 12")
    (tmp_path / "k.ptx").write_text(text + "\n.section .debug_str\n{\n$L__info_string0:\n.b8 102\n.b8 0\n}\n")
    pass_message(cuda, tmp_path / "k.ptx")

@pytest.mark.ptxsan(expect="race")
def test_misses(cuda):
    pass_message(cuda, "fixed.ptx")
`

// notebookProgram runs cells of a notebook: one that races, and one with a flag.
const notebookProgram = `
import sys
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
shell = InteractiveShell.instance()
shell.run_cell("%load_ext ptxsan")
def run(line, cell):
    with capture_output() as shown:
        shell.run_cell(f"%%ptxsan {line}\n{cell}")
    for shows in shown.outputs:
        text = shows.data["text/html"]
        print(text.count("<iframe"), shows.data["text/plain"], "insufficient-fence-scope" * ("insufficient-fence-scope" in text), shown.stdout)
    if not shown.outputs:
        print(shown.stdout)
run("", "import test_message\nprint(test_message.pass_message(test_message.cuda.__wrapped__(), 'racy.ptx'))")
run("--arch=sm_70", "1 + 1")
`

// buildWheel builds the package from the command and the libraries that the tests use, and returns its path.
func buildWheel(t *testing.T, work string) string {
	t.Helper()
	built := filepath.Join(work, "built")
	program, err := os.ReadFile(buildCommand(t))
	if err == nil {
		err = os.MkdirAll(filepath.Join(built, "bin"), 0o777)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(built, "bin/ptxsan"), program, 0o777)
	}
	if err != nil {
		t.Fatal(err)
	}
	need(t, "cc")
	runIn(t, work, nil, filepath.Join(built, "bin/ptxsan"), "exec", "--libraries", "-o", filepath.Join(built, "lib/ptxsan"))
	runIn(t, "../../../python", []string{"PTXSAN_BUILT=" + built}, "./wheel.sh", filepath.Join(work, "dist"))
	found, _ := filepath.Glob(filepath.Join(work, "dist/*.whl"))
	if len(found) != 1 {
		t.Fatalf("%d wheels", len(found))
	}
	return found[0]
}

// wheelProgram uses the API: files, text with a launch that is a mapping, and input that is refused.
const wheelProgram = `
import pathlib, ptxsan
for name in "racy", "fixed":
    report = ptxsan.check(f"{name}.ptx", f"{name}.yaml")
    print(report.verdict, report.clean, *(f"{r.cause} {r.first.source} {r.second.source} {r.second.block}" for r in report.races))
launch = {
    "buffers": {name: {"type": "u32", "count": 1} for name in ("value", "flag", "got")},
    "launches": [{"kernel": "pass", "grid": [2, 1, 1], "block": [32, 1, 1], "args": ["value", "flag", "got"]}],
}
report = ptxsan.check(pathlib.Path("racy.ptx").read_text(), launch, ["--detector", "barracuda"])
print(report.verdict, report.detector, len(report.races))
try:
    ptxsan.check("racy.ptx", {"buffer": {}})
except ptxsan.PtxsanError as error:
    print("buffer" in str(error))
`

const wheelPrints = `racy False insufficient-fence-scope ./racy.cu:10 ./racy.cu:17 (1, 0, 0)
clean True
racy barracuda 1
True
`
