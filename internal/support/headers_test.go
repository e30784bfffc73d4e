// Comparison of the checker with the instructions in the headers of the CUDA C++ core libraries (make current).

package support

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var headers = flag.String("headers", "", "`folder` cuda/__ptx/instructions/generated of the CUDA C++ core libraries")

// headerForm is one asm statement of the headers.
type headerForm struct {
	text    string   // on one line, with a register for each operand
	targets []string // those that the comment names come first
}

// headerTargets are the targets on which a form is tried.
var headerTargets = []string{"sm_100a", "sm_90a", "sm_103a", "sm_107a", "sm_110a", "sm_120a", "sm_121a"}

var (
	commentBlock = regexp.MustCompile(`(?s)/\*.*?\*/`)
	targetInText = regexp.MustCompile(`SM_(\d+)[af]?`)
	asmStatement = regexp.MustCompile(`(?s)\basm\s*(?:volatile)?\s*\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+)(:[^;]*?)?\)\s*;`)
	stringInText = regexp.MustCompile(`"((?:[^"\\]|\\.)*)"`)
	constraint   = regexp.MustCompile(`"[=+]?&?([a-z])"\s*\(`)
	asmComment   = regexp.MustCompile(`//.*?(\\n|$)`)
	operandInAsm = regexp.MustCompile(`%(%|\d+)`)
)

// formsOf returns the forms of a header.
func formsOf(text string) []headerForm {
	comments := commentBlock.FindAllStringIndex(text, -1)
	var forms []headerForm
	for _, at := range asmStatement.FindAllStringSubmatchIndex(text, -1) {
		code := ""
		for _, s := range stringInText.FindAllStringSubmatch(text[at[2]:at[3]], -1) {
			code += s[1]
		}
		code = strings.NewReplacer(`\n`, " ", `\t`, " ").Replace(asmComment.ReplaceAllString(code, ""))
		operands := ""
		if at[4] >= 0 {
			operands = text[at[4]:at[5]]
		}
		f := headerForm{text: withRegisters(code, operands)}
		for _, c := range comments {
			if c[1] < at[0] {
				f.targets = targetsIn(text[c[0]:c[1]])
			}
		}
		forms = append(forms, f)
	}
	return forms
}

// targetsIn returns the targets in the order in which they are tried: those of a comment first.
func targetsIn(comment string) []string {
	var out []string
	for _, m := range targetInText.FindAllStringSubmatch(comment, -1) {
		if t := "sm_" + m[1] + "a"; slices.Contains(headerTargets, t) && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	for _, t := range headerTargets {
		if !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// withRegisters replaces the operands of an asm statement by registers, and those that must be constants by constants.
func withRegisters(code, operands string) string {
	names, declarations := map[string]string{}, ""
	for i, m := range constraint.FindAllStringSubmatch(operands, -1) {
		n := strconv.Itoa(i)
		switch t := map[string]string{"r": "b32", "l": "b64", "h": "b16", "f": "f32", "d": "f64", "q": "b128"}[m[1]]; {
		case t != "":
			names[n] = "%o" + n
			declarations += ".reg ." + t + " %o" + n + "; "
		case strings.Contains(code, "setmaxnreg"):
			names[n] = "32"
		case strings.Contains(code, "tensormap::generic"), strings.HasPrefix(code, "discard"), strings.HasPrefix(code, "applypriority"):
			names[n] = "128"
		case strings.HasPrefix(code, "st.bulk"):
			names[n] = "0"
		default:
			names[n] = "1"
		}
	}
	code = operandInAsm.ReplaceAllStringFunc(code, func(s string) string {
		if s == "%%" {
			return "%"
		}
		return names[s[1:]]
	})
	if !strings.HasSuffix(strings.TrimSpace(code), ";") && !strings.HasSuffix(strings.TrimSpace(code), "}") {
		code += ";"
	}
	return "{ " + declarations + code + " }"
}

// TestHeaders compares the checker with the assembler on each form of the headers: what the assembler takes on one of
// the targets, the checker takes on the first of them; what it refuses on all, the checker refuses on all.
func TestHeaders(t *testing.T) {
	if *headers == "" || *ptxas == "" {
		t.Skip("needs -headers and -ptxas")
	}
	files, err := filepath.Glob(filepath.Join(*headers, "*.h"))
	if err != nil || len(files) == 0 {
		t.Fatal(*headers, err)
	}
	var forms []headerForm
	seen := map[string]bool{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range formsOf(string(text)) {
			if !seen[f.text] {
				seen[f.text] = true
				forms = append(forms, f)
			}
		}
	}
	theirs, ours := verdicts(t, forms)
	accepted := 0
	for i, f := range forms {
		first := slices.IndexFunc(f.targets, func(target string) bool { return theirs[target][i] == "" })
		if first >= 0 {
			accepted++
			if message := ours[f.targets[first]][i]; message != "" {
				t.Errorf("refused, ptxas accepts: %s on %s: %s", f.text, f.targets[first], message)
			}
			continue
		}
		for _, target := range f.targets {
			if ours[target][i] == "" {
				t.Errorf("accepted, ptxas refuses: %s on %s: %s", f.text, target, theirs[target][i])
				break
			}
		}
	}
	t.Logf("%d forms in the headers, of which ptxas takes %d", len(forms), accepted)
}

// verdicts returns the messages of the assembler and of the checker on the forms, by target.
func verdicts(t *testing.T, forms []headerForm) (theirs, ours map[string][]string) {
	theirs, ours = map[string][]string{}, map[string][]string{}
	for _, target := range headerTargets {
		for part := range slices.Chunk(forms, 200) {
			samples := make([]*sample, len(part))
			for i, f := range part {
				samples[i] = &sample{text: f.text}
			}
			text := sampleModule(target, samples)
			a, c := assemble(t, target, text), checked(t, text)
			for i := range part {
				theirs[target] = append(theirs[target], strings.Join(append(a.lines[sampleLine+i], a.rest...), "; "))
				ours[target] = append(ours[target], c[sampleLine+i])
			}
		}
	}
	return theirs, ours
}
