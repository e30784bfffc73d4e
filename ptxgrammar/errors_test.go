package ptxgrammar_test

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/ptxsan/ptxsan/ptxgrammar"
)

// TestErrors compares the messages for bad inputs: the archive holds pairs of NAME.ptx
// and NAME.txt.
func TestErrors(t *testing.T) {
	const path = "testdata/errors.txtar"
	ar, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	out := &txtar.Archive{Comment: ar.Comment}
	for i := 0; i < len(ar.Files); i++ {
		f := ar.Files[i]
		name, ok := strings.CutSuffix(f.Name, ".ptx")
		if !ok {
			t.Fatalf("%s: stray file %s", path, f.Name)
		}
		got, want := messages(t, f.Name, f.Data), ""
		if i+1 < len(ar.Files) && ar.Files[i+1].Name == name+".txt" {
			i++
			want = string(ar.Files[i].Data)
		}
		out.Files = append(out.Files, f, txtar.File{Name: name + ".txt", Data: []byte(got)})
		if got != want && !*update {
			t.Errorf("%s:\n got: %swant: %s", f.Name, got, want)
		}
	}
	if *update {
		if err := os.WriteFile(path, txtar.Format(out), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// messages parses a bad text and returns one line per error.
func messages(t *testing.T, name string, src []byte) string {
	m, err := ptxgrammar.Parse(name, src)
	if err == nil {
		return "no error\n"
	}
	if m != nil {
		return "an error and a module\n"
	}
	var b strings.Builder
	for _, e := range errorList(t, err) {
		b.WriteString(e.Error() + "\n")
	}
	return b.String()
}

// TestOneMessagePerMistake damages the corpus in one place at a time: nearly always
// there must be exactly one message.
func TestOneMessagePerMistake(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	words := []string{";", ",", "{", "}", "(", ")", "[", "]", "foo", "%r1", "1", ".u32", "@", "-", `"x"`, ".reg", ".entry", "+"}
	invalid, single, total := 0, 0, 0
	for _, path := range corpus(t) {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(src) > 50_000 {
			continue
		}
		for range 300 {
			i := rnd.IntN(len(src))
			middle := [...]string{"", " " + words[rnd.IntN(len(words))] + " "}[rnd.IntN(2)]
			damaged := string(src[:i]) + middle + string(src[i+rnd.IntN(2):])
			if _, err := ptxgrammar.Parse("t.ptx", []byte(damaged)); err != nil {
				n := len(errorList(t, err))
				invalid++
				total += n
				if n == 1 {
					single++
				}
			}
		}
	}
	t.Logf("%d invalid texts, one message for %d, %d messages in all", invalid, single, total)
	if invalid < 1000 || single*100 < invalid*92 || total*100 > invalid*115 {
		t.Errorf("%d invalid texts, one message for %d, %d messages in all; want 92%% and at most 1.15 each", invalid, single, total)
	}
}
