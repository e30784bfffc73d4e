package all_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
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
	every  = flag.Bool("every-target", false, "ask the assembler about each of its targets that takes the original, not only about that of the module")
)

// assembleTime bounds one run of the assembler.
const assembleTime = time.Minute

// tally counts what became of the modules of a folder.
type tally struct {
	files, distinct, parsed, checked, identical int
	assembled, rewritten, refused               int            // modules that the assembler takes, texts made of them, and those it refuses
	narrow                                      int            // texts that cannot be made because addresses have 32 bits
	perTarget                                   map[string]int // texts that the assembler was asked to assemble for a target, and did
	scratch                                     string         // the file that the assembler reads
}

// TestFolder reports, for all distinct PTX in a folder and below, how much parses, passes the
// checker, is printed byte for byte and can be rewritten by every pipeline, and what the
// assembler says to the result where it takes the original. What parses must be printed
// byte for byte, and what passes make must be correct.
func TestFolder(t *testing.T) {
	if *folder == "" {
		t.Skip("there is no folder to read: -folder names a folder of PTX files")
	}
	n := tally{scratch: filepath.Join(t.TempDir(), "k.ptx"), perTarget: map[string]int{}}
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
	for _, target := range slices.Sorted(maps.Keys(n.perTarget)) {
		t.Logf("%s: %d texts assembled", target, n.perTarget[target])
	}
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
	targets := n.targets(t, src)
	if *ptxas != "" && len(targets) == 0 {
		t.Logf("%s: the assembler refuses the original", path)
		return
	}
	n.assembled++
	t.Logf("%s %s", path, strings.Join(targets, " "))
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
		case !n.assembles(t, out.Module.Source(), targets):
			n.refused++
			t.Errorf("%s: %s: refused by the assembler", path, pipeline)
		default:
			n.rewritten++
		}
	}
}

var (
	architecture = regexp.MustCompile(`\.target\s+(sm_\w+)`)
	plainTarget  = regexp.MustCompile(`'(sm_\d+)'`)
)

// targets are those for which the assembler takes a module as it is: of its own and, with -every-target, of all without
// a suffix.
func (n *tally) targets(t *testing.T, src []byte) []string {
	own := architecture.FindSubmatch(src)
	if *ptxas == "" || own == nil {
		return nil
	}
	ask := []string{string(own[1])}
	if *every {
		help, err := exec.Command(*ptxas, "--help").Output()
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range plainTarget.FindAllStringSubmatch(string(help), -1) {
			ask = append(ask, m[1])
		}
	}
	slices.Sort(ask)
	ask = slices.Compact(ask)
	refusals := n.refusals(t, src, ask)
	var takes []string
	for i, target := range ask {
		if refusals[i] == "" {
			takes = append(takes, target)
		}
	}
	return takes
}

// assembles says whether the assembler takes what a pass made for all the targets for which it takes the original.
func (n *tally) assembles(t *testing.T, src []byte, targets []string) bool {
	all := true
	for i, message := range n.refusals(t, src, targets) {
		if message != "" {
			t.Logf("%s: %s", targets[i], message)
			all = false
			continue
		}
		n.perTarget[targets[i]]++
	}
	return all
}

// refusals asks the assembler about each target, and returns what it objects to: the first line, or nothing.
func (n *tally) refusals(t *testing.T, src []byte, targets []string) []string {
	if err := os.WriteFile(n.scratch, src, 0o600); err != nil {
		t.Fatal(err)
	}
	messages := make([]string, len(targets))
	var running sync.WaitGroup
	free := make(chan bool, runtime.GOMAXPROCS(0))
	for i, target := range targets {
		running.Go(func() {
			free <- true
			messages[i] = n.assemble(t.Context(), target)
			<-free
		})
	}
	running.Wait()
	return messages
}

// assemble runs the assembler once.
func (n *tally) assemble(ctx context.Context, target string) string {
	ctx, stop := context.WithTimeout(ctx, assembleTime)
	defer stop()
	message, err := exec.CommandContext(ctx, *ptxas, "-O0", "-arch", target, "-c", "-o", os.DevNull, n.scratch).CombinedOutput()
	if err == nil {
		return ""
	}
	line, _, _ := strings.Cut(string(message), "\n")
	return fmt.Sprint(err, ": ", line)
}
