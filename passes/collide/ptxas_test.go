package collide_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/passtest"
	"github.com/ptxsan/ptxsan/passes/collide"
)

// TestAssembles: NVIDIA's assembler (PTXAS, or ptxas in the path) takes what the pass makes, for each of its targets
// that takes the original.
func TestAssembles(t *testing.T) {
	name := os.Getenv("PTXAS")
	if name == "" {
		name = "ptxas"
	}
	ptxas, err := exec.LookPath(name)
	if err != nil {
		t.Skip("needs NVIDIA's ptxas: ", err)
	}
	help, err := exec.Command(ptxas, "--help").Output()
	if err != nil {
		t.Fatal(err)
	}
	targets := regexp.MustCompile(`'(sm_\d+)'`).FindAllStringSubmatch(string(help), -1)
	file, took := filepath.Join(t.TempDir(), "k.ptx"), map[string]int{}
	assembles := func(target string, text []byte) string {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		message, err := exec.Command(ptxas, "-O0", "-arch", target, "-c", "-o", os.DevNull, file).CombinedOutput()
		if err != nil {
			return err.Error() + string(message)
		}
		return ""
	}
	for name, src := range map[string]string{
		"weak and strong": text(loop("\t@%odd ld.global.u32 %w, [%a];\n\t@!%odd atom.global.add.u32 %w, [%a], 1;\n\tbar.sync 0;\n\tst.global.v4.u32 [%a], {%t, %t, %t, %t};")),
		"generic":         text(loop("\tst.u8 [%a], %t;\n\tmembar.gl;\n\tatom.cta.cas.b64 %d, [%a], 1, 2;")),
		"cp.async":        strings.NewReplacer("version 7.0", "version 7.4", "sm_70", "sm_80").Replace(text("\tmov.u32 %w, words;\n\tcp.async.ca.shared.global [%w], [%own], 4;\n\tcp.async.wait_all;\n\tld.shared.u32 %v, [%w];")),
		"cluster":         clustered(""),
		"older":           strings.NewReplacer("version 7.0", "version 6.0", "sm_70", "sm_60").Replace(text("\tst.global.u32 [%a], %t;")),
	} {
		out := passtest.RunVerified(t, passtest.Load(t, "k.ptx", []byte(src)), "collide", collide.Pass).Module.Source()
		for _, m := range targets {
			target := m[1]
			if assembles(target, []byte(src)) != "" {
				continue
			}
			if message := assembles(target, out); message != "" {
				t.Errorf("%s, %s: %s", name, target, message)
			}
			took[target]++
		}
	}
	if len(took) == 0 {
		t.Errorf("no target of %s takes any of the programs", ptxas)
	}
	var list []string
	for target := range took {
		list = append(list, target)
	}
	slices.Sort(list)
	t.Log(list)
}
