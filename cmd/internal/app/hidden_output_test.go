// Tests that no name of an input controls the terminal that the output of a command is shown on.

package app

import (
	"bytes"
	"context"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/output"
)

// hidden has a character of each kind that controls a terminal, or the direction of text: C0, C1, DEL and
// bidirectional controls.
const hidden = "\x1b[31m\u009b\u202e\x7f"

// ofData has parts of command lines whose standard output other programs read as it is: PTX and buffers.
var ofData = []string{"rewrite ", "extract k.fatbin", "embed ", "fmt k.ptx", "--dump out=-", "--apply "}

// ofReports has command lines of the command report, beside those of printing.
var ofReports = []string{
	"check --launch racy.yaml --format json=racy.json,html=racy.html racy.ptx",
	"report convert racy.json", "report --format json convert racy.json", "report --format sarif convert racy.json",
	"report --format html convert racy.json", "report merge racy.json racy.json", "report diff racy.json racy.json",
}

// TestHiddenOutput runs every command with input whose names of files, sources, buffers and litmus tests have such
// characters.
func TestHiddenOutput(t *testing.T) {
	long(t)
	if runtime.GOOS == "windows" {
		t.Skip("names of files cannot have control characters on Windows")
	}
	t.Chdir(t.TempDir())
	files, words := hiddenProgram()
	writeProgram(t, files, words)
	for _, cmd := range newApp(nil, nil, nil).Commands {
		for _, line := range printing[cmd.Name] {
			for _, line := range append(formatsOf(cmd.Name, line), line) {
				checkHidden(t, line, words)
			}
		}
	}
	for _, line := range ofReports {
		checkHidden(t, line, words)
	}
}

// hiddenProgram returns smallProgram with such names, and the words of command lines that name them.
func hiddenProgram() (files, words map[string]string) {
	files, words = map[string]string{}, map[string]string{
		"out": hidden + "out", "out=-": hidden + "out=-", "trace": hidden + "trace", "k.cert": hidden + "k.cert",
		"racy.json":                     hidden + "racy.json",
		"json=racy.json,html=racy.html": "json=" + hidden + "racy.json,html=" + hidden + "racy.html",
	}
	quoted := strconv.QuoteToASCII
	for name, text := range smallProgram() {
		words[name] = hidden + name
		text = strings.ReplaceAll(text, ".address_size 64\n", ".address_size 64\n.file 1 \""+hidden+".cu\"\n")
		text = strings.ReplaceAll(text, "st.global", ".loc 1 1 1\nst.global")
		text = strings.NewReplacer(
			"{out:", "{"+quoted(hidden+"out")+":", "args: [out]", "args: ["+quoted(hidden+"out")+"]",
			"ptx: racy.ptx", "ptx: "+quoted(hidden+"racy.ptx"), "PTX SB\n", "PTX "+hidden+"SB\n",
		).Replace(text)
		files[hidden+name] = text
	}
	clean := files[hidden+"k.ptx"]
	files[hidden+"k.fatbin"] = string(smallContainer(clean))
	return files, words
}

// checkHidden runs a command line, and looks for such characters in what it prints.
func checkHidden(t *testing.T, line string, words map[string]string) {
	t.Helper()
	var out, errw bytes.Buffer
	run(context.Background(), wordsOf(line, words), strings.NewReader(""), &out, &errw)
	if text := errw.String(); output.VisibleLines(text) != text {
		t.Errorf("%s: messages have hidden characters: %q", line, text)
	}
	isData := slices.ContainsFunc(ofData, func(part string) bool { return strings.Contains(line, part) })
	if text := out.String(); !isData && output.VisibleLines(text) != text {
		t.Errorf("%s: the output has hidden characters: %q", line, text)
	}
	if out.Len()+errw.Len() == 0 && !strings.Contains(line, ".html ") {
		t.Errorf("%s: no output", line)
	}
}
