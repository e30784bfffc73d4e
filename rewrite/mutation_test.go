package rewrite

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar"
)

// TestMutation breaks one token of valid files at random. Where the result is
// refused, the first message must name the line of the token in at least 95 of 100
// cases. Other mutations leave valid PTX: another constant, another register.
func TestMutation(t *testing.T) {
	const perFile, atLeast = 60, 95.0
	var files []string
	for _, pattern := range []string{"testdata/corpus/*.ptx", "../examples/*/*.ptx", "../ptxgrammar/testdata/corpus/clang_*.ptx"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatal(pattern, err)
		}
		files = append(files, names...)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	total, refused, right := 0, 0, 0
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if errs := problems(src); len(errs) > 0 {
			t.Fatalf("%s: %v", name, errs)
		}
		toks := tokens(src)
		for range perFile {
			mutant, at := mutate(rng, src, toks)
			errs := problems(mutant)
			total++
			if len(errs) == 0 {
				continue
			}
			refused++
			line := 1 + strings.Count(string(mutant[:at]), "\n")
			if errs[0].Pos.Line == line {
				right++
			} else if testing.Verbose() {
				lines := strings.Split(string(mutant), "\n")
				t.Logf("line %d %q: %v", line, lines[line-1], errs[0])
			}
		}
	}
	percent := 100 * float64(right) / float64(refused)
	t.Logf("%d mutants, %d refused, the first message names the right line in %.1f %%", total, refused, percent)
	if percent < atLeast || refused < total/2 {
		t.Errorf("expected at least %g %% and half of the mutants refused", atLeast)
	}
}

// problems are the messages about a text.
func problems(src []byte) ptxgrammar.ErrorList {
	tree, err := ptxgrammar.Parse("m.ptx", src)
	if err == nil {
		_, err = Check(tree)
	}
	var list ptxgrammar.ErrorList
	errors.As(err, &list)
	return list
}

var tokenPattern = regexp.MustCompile(`(?m)//.*$|"[^"\n]*"|[%$\w]+|\.[\w:]+|[-+;,:@=(){}\[\]<>|!]`)

// tokens are the places of the tokens that mutate may break: those of declarations
// and instructions. Comments, and what is data to the compiler's back end (debug
// sections, .loc and .file), are left alone.
func tokens(src []byte) [][]int {
	text := string(src)
	section := strings.Index(text, "\t.section")
	if section < 0 {
		section = len(text)
	}
	body := strings.Index(text, ".address_size")
	var out [][]int
	for _, span := range tokenPattern.FindAllStringIndex(text[:section], -1) {
		line := text[strings.LastIndexByte(text[:span[0]], '\n')+1 : span[1]]
		if span[0] > body && !strings.HasPrefix(text[span[0]:], "//") && !strings.HasPrefix(strings.TrimSpace(line), ".loc") && !strings.HasPrefix(strings.TrimSpace(line), ".file") {
			out = append(out, span)
		}
	}
	return out
}

// mutate breaks one token and returns the new text and the place of the change.
func mutate(rng *rand.Rand, src []byte, toks [][]int) (mutant []byte, at int) {
	for {
		i := rng.IntN(len(toks))
		tok := string(src[toks[i][0]:toks[i][1]])
		other := toks[rng.IntN(len(toks))]
		var text string
		switch rng.IntN(5) {
		case 0: // delete
		case 1: // repeat
			text = tok + " " + tok
		case 2: // another token of the file
			text = string(src[other[0]:other[1]])
		case 3: // a misspelling
			text = misspell(rng, tok)
		case 4: // a stray character
			text = tok + string("@?;,)}]"[rng.IntN(7)])
		}
		if text != tok {
			return slices.Concat(src[:toks[i][0]], []byte(text), src[toks[i][1]:]), toks[i][0]
		}
	}
}

// misspell changes, drops or swaps a letter of a word.
func misspell(rng *rand.Rand, word string) string {
	b := []byte(word)
	i := rng.IntN(len(b))
	switch rng.IntN(3) {
	case 0:
		b[i] = "abcdefghijklmnopqrstuvwxyz0123456789"[rng.IntN(36)]
	case 1:
		b = slices.Delete(b, i, i+1)
	case 2:
		j := min(i+1, len(b)-1)
		b[i], b[j] = b[j], b[i]
	}
	return string(b)
}
