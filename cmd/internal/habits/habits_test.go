package habits

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestOrder(t *testing.T) {
	takes := func(flag string) (value, known bool) {
		return flag == "launch" || flag == "l", slices.Contains([]string{"launch", "l", "stats"}, flag)
	}
	for in, want := range map[string]string{
		"":                             "",
		"k.ptx --launch k.yaml":        "--launch k.yaml k.ptx",
		"k.ptx --launch=k.yaml":        "--launch=k.yaml k.ptx",
		"-l k.yaml k.ptx --stats":      "-l k.yaml --stats k.ptx",
		"a.ptx --stats b.ptx -l":       "--stats -l a.ptx b.ptx",
		"- --stats":                    "--stats -",
		"k.ptx --stats -- --launch -l": "--stats -- k.ptx --launch -l",
		"k.ptx --nope x":               "--nope k.ptx x",
	} {
		if got := strings.Join(Order(strings.Fields(in), takes), " "); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}

func TestShorthand(t *testing.T) {
	for in, want := range map[string]string{
		"":                            "ptxsan",
		"k.cu --sweep":                "ptxsan check k.cu --sweep",
		"check k.cu":                  "ptxsan check k.cu",
		"-DX k.cu":                    "ptxsan check -DX k.cu",
		"--launch l.yaml a.ptx":       "ptxsan check --launch l.yaml a.ptx",
		"--version":                   "ptxsan --version",
		"-DX":                         "ptxsan -DX",
		"check --stats k.py --sweep":  "ptxsan exec --stats -- python3 k.py --sweep",
		"k.py 1 2.py":                 "ptxsan exec -- python3 k.py 1 2.py",
		"exec -- python3 k.py":        "ptxsan exec -- python3 k.py",
		"explore k.cu":                "ptxsan explore k.cu",
		"check --format json=r.py.js": "ptxsan check --format json=r.py.js",
	} {
		if got := strings.Join(Shorthand(append([]string{"ptxsan"}, strings.Fields(in)...)), " "); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}

// TestPrograms takes this test for the program.
func TestPrograms(t *testing.T) {
	app, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	plain := filepath.Join(t.TempDir(), "app")
	if text, err := os.ReadFile(app); err != nil || os.WriteFile(plain, text, 0o644) != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "linux" {
		t.Skip("needs Linux: exec runs ELF executables, and this test program is none on ", runtime.GOOS)
	}
	for in, want := range map[string]string{
		"APP":                          "ptxsan exec -- APP",
		"APP -x k.ptx":                 "ptxsan exec -- APP -x k.ptx",
		"--tool racecheck APP a b":     "ptxsan exec --tool racecheck -- APP a b",
		"--tool racecheck -- APP k.cu": "ptxsan exec --tool racecheck -- APP k.cu",
		"exec -- APP":                  "ptxsan exec -- APP",
		"extract APP":                  "ptxsan extract APP",
		"PLAIN":                        "ptxsan PLAIN",
		filepath.Base(app):             "ptxsan " + filepath.Base(app),
		filepath.Dir(app):              "ptxsan " + filepath.Dir(app),
	} {
		name := strings.NewReplacer("APP", app, "PLAIN", plain)
		if got := strings.Join(Shorthand(append([]string{"ptxsan"}, strings.Fields(name.Replace(in))...)), " "); got != name.Replace(want) {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}

func TestNearest(t *testing.T) {
	known := []string{"check", "analyze", "explore", "emulate"}
	for in, want := range map[string]string{"chekc": "check", "analyse": "analyze", "exlpore": "explore", "frobnicate": ""} {
		if got := Nearest(in, known); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

func TestNotPTX(t *testing.T) {
	plain := errors.New("k.ptx:1:1: unexpected")
	for _, c := range []struct{ name, src, want string }{
		{"app.exe", "MZ\x90\x00", "app.exe:1:1: this is a program for Windows or macOS"},
		{"k.cu", "__global__ void k() {}", "nvcc -ptx -lineinfo -arch=sm_80 k.cu"},
		{"k.ptx", "Fatbin elf code:", "cuobjdump"},
		{"k.ptx", "nonsense", "k.ptx:1:1: unexpected"},
	} {
		if got := NotPTX(c.name, []byte(c.src), plain); !strings.Contains(got.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, got, c.want)
		}
	}
}

// TestAttached: values of flags of one capital letter are separated, as compilers take them; other words, and those after --, stay.
func TestAttached(t *testing.T) {
	known := func(name string) bool { return name == "D" || name == "I" }
	for line, want := range map[string]string{
		"-DN=3 -Idir -I dir k.cu": "-D N=3 -I dir -I dir k.cu", "-DN": "-D N", "-I=dir": "-I dir", "-Oxy --D --Dx -d -j3": "-Oxy --D --Dx -d -j3", "-DA -- -DB": "-D A -- -DB",
	} {
		if got := strings.Join(Attached(strings.Fields(line), known), " "); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}
