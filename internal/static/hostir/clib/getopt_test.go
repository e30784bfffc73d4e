// getopt, compared with that of the C library, and what functions make of strings.

package clib_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/hostir/clib"
)

const shortOptions = "ab:c::d"

// longTable is the table of options in theirs.
var longTable = []clib.LongOption{{Name: "size", Arg: 1, Val: 's'}, {Name: "file", Arg: 2, Val: 300}, {Name: "quiet", Val: 'q'}, {}}

// theirs prints what the C library does with each line of its input.
const theirs = `
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <string.h>
int main(void) {
	static char line[4096];
	opterr = 0;
	while (fgets(line, sizeof line, stdin)) {
		struct option table[] = {{"size", 1, 0, 's'}, {"file", 2, 0, 300}, {"quiet", 0, 0, 'q'}, {0, 0, 0, 0}};
		char *argv[64] = {"prog"}, *rest = line, *word;
		int argc = 1, c, at = -1, kind = *strsep(&rest, " \n") - '0';
		while ((word = strsep(&rest, " \n")) && *word) argv[argc++] = word;
		optind = 0;
		for (;;) {
			at = -1;
			optarg = 0;
			c = kind == 0 ? getopt(argc, argv, "ab:c::d") : kind == 1 ? getopt_long(argc, argv, "ab:c::d", table, &at)
				: getopt_long_only(argc, argv, "ab:c::d", table, &at);
			printf("%d %s %d %d;", c, optarg ? optarg : "-", optind, at);
			if (c == -1) break;
		}
		for (int i = 1; i < argc; i++) printf(" %s", argv[i]);
		printf("\n");
	}
}
`

// TestGetopt compares random command lines. What this package leaves open, abbreviations and what is wrong with long
// options, ends a line.
func TestGetopt(t *testing.T) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("cc is not installed: there is no C library to compare with")
	}
	dir := t.TempDir()
	source, program := filepath.Join(dir, "a.c"), filepath.Join(dir, "a")
	if err = os.WriteFile(source, []byte(theirs), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, wrong := exec.Command(cc, "-w", "-o", program, source).CombinedOutput(); wrong != nil {
		t.Skipf("cc cannot compile with getopt.h: %s", out)
	}
	r := rand.New(rand.NewPCG(3, 4))
	words := strings.Fields("-a -b -c -d -ab -cx -bx -da 1 2 x - -- --size --size=7 --file --file=f --quiet --quie -size -quiet -size=8 -file -z")
	var lines [][]string
	for range 2000 {
		line := []string{fmt.Sprint(r.IntN(3))}
		for range r.IntN(7) {
			line = append(line, words[r.IntN(len(words))])
		}
		lines = append(lines, line)
	}
	var input strings.Builder
	for _, l := range lines {
		fmt.Fprintln(&input, strings.Join(l, " "))
	}
	cmd := exec.Command(program)
	cmd.Stdin = strings.NewReader(input.String())
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	whole := 0
	for i, want := range strings.Split(strings.TrimSuffix(string(out), "\n"), "\n") {
		got, known := ours(lines[i])
		if !strings.HasPrefix(want, got) || known && got != want {
			t.Errorf("%q: %q, of the C library %q", lines[i], got, want)
		}
		if known {
			whole++
		}
	}
	if whole < 500 {
		t.Errorf("only %d of %d lines are known to the end", whole, len(lines))
	}
}

// ours is what this package says of a line, in the form of theirs.
func ours(line []string) (text string, known bool) {
	g := &clib.Getopt{Words: clib.WordsOf(append([]string{"prog"}, line[1:]...)), Index: 1}
	table := longTable
	if line[0] == "0" {
		table = nil
	}
	for {
		next, o := g.Next(shortOptions, table, line[0] == "2")
		if !o.Known {
			return text, false
		}
		arg := "-"
		if o.From != 0 {
			arg = o.Arg
		}
		text += fmt.Sprintf("%d %s %d %d;", o.Code, arg, next.Index, o.Long)
		g = next
		if o.Code == -1 {
			break
		}
	}
	for _, w := range g.Words[1:] {
		text += " " + w.Text
	}
	return text, true
}

// TestStrings: what functions of the C library return.
func TestStrings(t *testing.T) {
	for _, c := range []struct {
		function, text string
		base           int
		want           string
	}{
		{"atoi", " -12x", 10, "-12 s32 4 true"},
		{"atoi", "x", 10, "0 s32 0 true"},
		{"atoi", "2147483648", 10, "2147483648 s32 10 false"},
		{"atoi", "0x10", 10, "0 s32 1 true"},
		{"strtol", "0x10", 0, "16 s64 4 true"},
		{"strtol", "017", 0, "15 s64 3 true"},
		{"strtol", "0x", 16, "0 s64 1 true"},
		{"strtol", "zz", 36, "1295 s64 2 true"},
		{"strtoul", "-1", 10, "-1 u64 2 false"},
		{"strtoul", "18446744073709551615", 10, "18446744073709551615 u64 20 true"},
		{"strtol", "7", 99, "<nil>  0 false"},
		{"strlen", "7", 10, "<nil>  0 false"},
	} {
		k, typ, size, ok := clib.ParseInteger(c.function, c.text, c.base)
		if got := fmt.Sprint(k, " ", typ, " ", size, " ", ok); got != c.want {
			t.Errorf("%s(%q, %d): %s, want %s", c.function, c.text, c.base, got, c.want)
		}
	}
	for text, want := range map[string]string{"2.5e1x": "25 true", " -1.": "-1 true", "1e400": "0 false", "0x1p3": "0 false", "nan": "0 false", "": "0 true", "1e": "1 true", "1_0": "1 true"} {
		f, ok := clib.ParseReal("atof", text)
		if got := fmt.Sprint(f, " ", ok); got != want {
			t.Errorf("atof(%q): %s, want %s", text, got, want)
		}
	}
}
