package app

import (
	"bytes"
	"context"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/cmd/internal/replay"
)

var (
	statementsSeed = flag.Uint64("statements.seed", 1, "seed that picks the statements of documents for TestStatements")
	statementsAll  = flag.Bool("statements.all", false, "TestStatements tries all statements, not 30")
)

// statement is a statement of a document, with the commands that test it.
type statement struct {
	doc, says string
	steps     [][2]string
}

// readStatements reads testdata/statements.txt, which explains its form.
func readStatements(t *testing.T) (list []*statement) {
	t.Helper()
	text, err := os.ReadFile("testdata/statements.txt")
	if err != nil {
		t.Fatal(err)
	}
	for block := range strings.SplitSeq(string(text), "\n\n") {
		s := &statement{}
		for line := range strings.Lines(block) {
			key, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
			switch key {
			case "", "#":
			case "doc":
				s.doc = rest
			case "says":
				s.says = rest
			default:
				s.steps = append(s.steps, [2]string{key, rest})
			}
		}
		if s.doc != "" {
			list = append(list, s)
		}
	}
	return list
}

// TestStatements tries 30 statements of README and docs, picked by a seed: the document must say
// it, and the commands must show it.
func TestStatements(t *testing.T) {
	long(t)
	list := readStatements(t)
	if len(list) < 40 {
		t.Fatalf("%d statements to pick from", len(list))
	}
	t.Chdir("../../..")
	if !*statementsAll {
		random := rand.New(rand.NewPCG(*statementsSeed, 0))
		random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		list = list[:30]
	}
	for _, s := range list {
		t.Run(filepath.Base(s.doc)+"/"+s.says, func(t *testing.T) { s.try(t) })
	}
}

// try checks one statement.
func (s *statement) try(t *testing.T) {
	doc, err := os.ReadFile(s.doc)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(strings.Join(strings.Fields(string(doc)), " "), strings.Join(strings.Fields(s.says), " ")) {
		t.Fatalf("%s does not say: %s", s.doc, s.says)
	}
	dir := t.TempDir()
	var out, errw bytes.Buffer
	code, before, ran := 0, "", 0
	matches := func(text, pattern string) bool { return regexp.MustCompile("(?m)" + pattern).MatchString(text) }
	for _, step := range s.steps {
		what, arg := step[0], strings.ReplaceAll(step[1], "$TMP", dir)
		ok := true
		switch what {
		case "run":
			before = out.String()
			out.Reset()
			errw.Reset()
			code = run(context.Background(), append([]string{"ptxsan"}, commandWords(arg)...), strings.NewReader(""), &out, &errw)
			ran++
		case "code":
			ok = strconv.Itoa(code) == arg
		case "out":
			ok = matches(out.String(), arg)
		case "err":
			ok = matches(errw.String(), arg)
		case "noout":
			ok = !matches(out.String(), arg)
		case "same":
			ok = out.String() == before && before != ""
		case "file":
			name, pattern, _ := strings.Cut(arg, " ")
			text, err := os.ReadFile(name)
			ok = err == nil && matches(string(text), pattern)
		default:
			t.Fatalf("testdata/statements.txt: unknown step %q", what)
		}
		if !ok {
			t.Fatalf("%s: %s %s: exit code %d\n%s%s", s.says, what, arg, code, out.String(), errw.String())
		}
	}
	if ran == 0 {
		t.Fatalf("%s: no command", s.says)
	}
}

// commandWords returns those of a command line, of which '...' may have spaces.
func commandWords(line string) (list []string) {
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			list = append(list, part)
		} else {
			list = append(list, strings.Fields(part)...)
		}
	}
	return list
}

// TestWords: what replay quotes is one word again.
func TestWords(t *testing.T) {
	if got := commandWords("check --kernel " + replay.Quote("a b*") + " k.ptx"); len(got) != 4 || got[2] != "a b*" {
		t.Errorf("%q", got)
	}
}
