package all_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/all"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

var (
	folder = flag.String("folder", "", "a folder of PTX for TestFolder")
	ptxas  = flag.String("ptxas", "", "the assembler that TestFolder asks about what passes make")
)

// assembleTime bounds one run of the assembler.
const assembleTime = time.Minute

// tally counts what became of the modules of a folder.
type tally struct {
	files, distinct, parsed, checked, identical int
	assembled, rewritten, refused               int // modules that the assembler takes, texts made of them, and those it refuses
	narrow                                      int // texts that cannot be made because addresses have 32 bits
}

// TestFolder reports, for all distinct PTX in a folder and below, how much parses, passes the
// checker, is printed byte for byte and can be rewritten by every pipeline, and what the
// assembler says to the result where it takes the original. What parses must be printed
// byte for byte, and what passes make must be correct.
func TestFolder(t *testing.T) {
	if *folder == "" {
		t.Skip("there is no folder to read: -folder names a folder of PTX files")
	}
	var n tally
	seen := map[[sha256.Size]byte]bool{}
	err := filepath.WalkDir(*folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".ptx" {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		n.files++
		if sum := sha256.Sum256(src); !seen[sum] {
			seen[sum] = true
			n.distinct++
			n.module(t, path, src)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d files, %d distinct: %d parse, %d identical, %d pass the checker; %d assemble; %d texts made of those, %d refused, %d left out for 32-bit addresses",
		n.files, n.distinct, n.parsed, n.identical, n.checked, n.assembled, n.rewritten, n.refused, n.narrow)
}

// module tries one text.
func (n *tally) module(t *testing.T, path string, src []byte) {
	ast, err := ptxgrammar.Parse(path, src)
	if err != nil {
		t.Logf("does not parse: %v", err)
		return
	}
	n.parsed++
	if _, err = rewrite.Check(ast); err != nil {
		t.Logf("refused by the checker: %v", err)
	} else {
		n.checked++
	}
	m, err := rewrite.LoadNewer(ast)
	if err != nil {
		return
	}
	out, err := rewrite.NewEditor(m, "identity").Apply()
	if err != nil || !bytes.Equal(out.Source(), src) {
		t.Errorf("%s: the identity differs: %v", path, err)
		return
	}
	n.identical++
	if !assembles(t, src, false) {
		return
	}
	n.assembled++
	for _, pipeline := range pipelines() {
		p, err := passes.ParsePipeline(pipeline, all.Passes)
		if err != nil {
			t.Fatal(err)
		}
		out, err := p.Run(m)
		switch {
		case err != nil && ast.AddressSize != 64: // the device libraries have 64-bit addresses
			n.narrow++
		case err != nil:
			n.refused++
			t.Errorf("%s: %s: %v", path, pipeline, err)
		case !assembles(t, out.Module.Source(), true):
			n.refused++
			t.Errorf("%s: %s: refused by the assembler", path, pipeline)
		default:
			n.rewritten++
		}
	}
}

var architecture = regexp.MustCompile(`\.target\s+(sm_\w+)`)

// assembles asks the assembler, if there is one; without, everything assembles.
func assembles(t *testing.T, src []byte, say bool) bool {
	if *ptxas == "" {
		return true
	}
	arch := architecture.FindSubmatch(src)
	if arch == nil {
		return false
	}
	name := filepath.Join(t.TempDir(), "k.ptx")
	if err := os.WriteFile(name, src, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), assembleTime)
	defer stop()
	message, err := exec.CommandContext(ctx, *ptxas, "-O0", "-arch", string(arch[1]), "-c", "-o", os.DevNull, name).CombinedOutput()
	if err != nil && say {
		line, _, _ := strings.Cut(string(message), "\n")
		t.Log(fmt.Sprint(err, ": ", line))
	}
	return err == nil
}
