package analysis_test

// Programs of labelled suites: what the comments and folders of a file say of it, and of its launch.

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Labels of programs.
const (
	labelClean  = "pass"  // no fault
	labelRacy   = "race"  // a data race
	labelFaulty = "fault" // a fault that may be another one, as of an assertion or of bounds
	labelRight  = "right" // no assertion fails; nothing is said of races
	labelNone   = "none"  // the suite does not say
)

// suiteProgram is a file of a labelled suite.
type suiteProgram struct {
	suite, name string // folder below that of all suites; file below it
	label       string
	text        string
	grid, block string   // as a list of extents, "" if the options do not say
	defines     []string // of the options
	folder      string
}

var (
	optionOf   = regexp.MustCompile(`--(blockDim|gridDim|local_size|num_groups)=(\[[0-9, ]*\]|\d+)`)
	defineOf   = regexp.MustCompile(`-D\s*(\w+(?:=\S+)?)`)
	verifying  = regexp.MustCompile(`ESBMC_verify_kernel\w*\s*\(\s*([\w<>: ]+?)\s*,\s*([^,;]+?)\s*,\s*([^,;]+?)\s*(?:,|(\)))`)
	requiring  = regexp.MustCompile(`(?m)^\s*__requires\((.*)\);`)
	kernelOf   = regexp.MustCompile(`__global__[^;{(]*?(\w+)\s*\(([^{;]*?)\)\s*\{`)
	constant   = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+\(?(\d+)\)?[ \t\r]*(?:$|/)`)
	aboutRaces = regexp.MustCompile(`(?m)^//.*\b(?:race|data-racer)\b`)
	directive  = regexp.MustCompile(`(?m)^[ \t]*#.*$`)
	commented  = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)
)

// readProgram reads a file; the path is below the folder of all suites.
func readProgram(root, path string) (*suiteProgram, error) {
	text, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		return nil, err
	}
	suite, name, _ := strings.Cut(filepath.ToSlash(path), "/")
	p := &suiteProgram{suite: suite, name: name, text: strings.ReplaceAll(string(text), "\r", ""), folder: filepath.Dir(filepath.Join(root, path))}
	verified := verifying.MatchString(p.text)
	p.text = verifying.ReplaceAllStringFunc(p.text, func(call string) string {
		m := verifying.FindStringSubmatch(call)
		return fmt.Sprintf("%s<<<%s, %s>>>(%s", m[1], m[2], m[3], m[4])
	})
	head := p.text[:min(len(p.text), 1500)]
	for _, m := range optionOf.FindAllStringSubmatch(head, -1) {
		if verified {
			break // the options are those of the program that it was made of
		}
		extents := strings.Trim(m[2], "[] ")
		switch m[1] {
		case "blockDim", "local_size":
			p.block = possible(extents)
		default:
			p.grid = extents
		}
	}
	for _, m := range defineOf.FindAllStringSubmatch(strings.SplitN(head, "\n", 3)[min(1, strings.Count(head, "\n"))], -1) {
		p.defines = append(p.defines, m[1])
	}
	if strings.HasPrefix(base(p.name), "racy-") || strings.HasPrefix(base(p.name), "drf-") { // what Faial assumes where nothing is said
		p.block, p.grid = cmp.Or(p.block, "1024"), cmp.Or(p.grid, "1")
	}
	p.label = p.labelOf(head)
	return p, nil
}

func base(name string) string { return name[strings.LastIndex(name, "/")+1:] }

// labelOf finds the label in the first comment of the file, else in its test.desc, else in its name.
func (p *suiteProgram) labelOf(head string) string {
	first := strings.ToLower(strings.ReplaceAll(strings.SplitN(head, "\n", 2)[0], " ", ""))
	desc, _ := os.ReadFile(filepath.Join(p.folder, "test.desc"))
	switch {
	case strings.Contains(p.name, "/Bugged"):
		if strings.Contains(p.name, "race") || strings.Contains(p.name, "Bugged/") && strings.Contains(p.name, "simple_loop") {
			return labelRacy
		}
		return labelNone
	case strings.Contains(p.suite, "gpurepair"):
		return labelNone // to be repaired, which is what its labels are about
	case strings.Contains(p.name, "/bc/"), strings.Contains(p.name, "/approx/"):
		return labelNone // Faial's on conflicts of banks
	case strings.HasPrefix(base(p.name), "racy-"):
		return labelRacy
	case strings.HasPrefix(base(p.name), "drf-"):
		return labelClean
	case strings.Contains(string(desc), "array bounds"):
		return labelFaulty
	case strings.HasPrefix(first, "//data-racer"):
		return labelRacy
	case strings.HasPrefix(first, "//pass"):
		return labelClean
	case strings.HasPrefix(first, "//xfail"), strings.HasPrefix(first, "//fail"):
		if aboutRaces.MatchString(head) {
			return labelRacy
		}
		return labelFaulty
	case strings.Contains(string(desc), "data race"):
		return labelRacy
	case strings.Contains(string(desc), "FAILED"):
		return labelFaulty
	case strings.Contains(string(desc), "SUCCESSFUL") && strings.Contains(string(desc), "--data-races-check"):
		return labelClean
	case strings.Contains(string(desc), "SUCCESSFUL"):
		return labelRight
	}
	return labelNone
}

// kept reports whether the program belongs to the fifth that nobody looks at while the analysis is changed.
func (p *suiteProgram) kept() bool {
	h := fnv.New32a()
	_, _ = h.Write([]byte(p.suite + "/" + p.name))
	return h.Sum32()%5 == 0
}

// key is equal for programs that differ in white space and comments only.
func (p *suiteProgram) key() string {
	return p.block + "|" + p.grid + "|" + strings.Join(strings.Fields(commented.ReplaceAllString(p.text, "")), "")
}

// facts returns a facts file for the launch that the options name, of kernels by their names in the PTX, with the
// preconditions of a single kernel that mention nothing but its parameters and extents.
func (p *suiteProgram) facts(kernels []string) string {
	var b strings.Builder
	b.WriteString("launches:\n")
	for _, name := range kernels {
		fmt.Fprintf(&b, "  - kernel: %q\n    grid: [%s]\n    block: [%s]\n", name, three(p.grid), three(p.block))
		if len(kernels) == 1 {
			b.WriteString(p.preconditions())
		}
	}
	return b.String()
}

// three completes a list of extents.
func three(list string) string {
	for n := strings.Count(list, ","); n < 2; n++ {
		list += ", 1"
	}
	return list
}

// possible halves the greatest extent of a block until CUDA can launch it: some programs ask for 2,048 threads.
func possible(list string) string {
	var extents [3]int
	if _, err := fmt.Sscanf(strings.ReplaceAll(three(list), " ", ""), "%d,%d,%d", &extents[0], &extents[1], &extents[2]); err != nil {
		return list
	}
	for extents[0]*extents[1]*extents[2] > 1024 {
		i := slices.Index(extents[:], max(extents[0], extents[1], extents[2]))
		extents[i] /= 2
	}
	return fmt.Sprintf("%d, %d, %d", extents[0], extents[1], extents[2])
}

// preconditions returns the variables, arguments and requirements of the file's kernel.
func (p *suiteProgram) preconditions() string {
	text := commented.ReplaceAllString(p.text, "")
	m := kernelOf.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	numbers := make(map[string]string)
	for _, c := range constant.FindAllStringSubmatch(text, -1) {
		numbers[c[1]] = c[2]
	}
	enums := enumerations(text)
	requires := ""
	var args, variables []string
	names := make(map[string]bool)
	for _, param := range strings.Split(directive.ReplaceAllString(m[2], ""), ",") {
		words := strings.Fields(param)
		if len(words) == 0 {
			continue
		}
		name, kind := words[len(words)-1], ""
		last, isEnum := enums[strings.TrimPrefix(strings.Join(words[:len(words)-1], " "), "enum ")]
		kind = numberKinds[strings.ReplaceAll(strings.Join(words[:len(words)-1], " "), "const ", "")]
		if isEnum {
			kind, requires = "s32", requires+fmt.Sprintf("      - {that: \"%[1]s >= 0 && %[1]s <= %[2]d\"}\n", name, last)
		}
		if kind == "" || strings.ContainsAny(name, "*&[]") {
			args = append(args, "unknown")
			continue
		}
		names[name] = true
		args, variables = append(args, name), append(variables, name+": "+kind)
	}
	out := fmt.Sprintf("    variables: {%s}\n    args: [%s]\n", strings.Join(variables, ", "), strings.Join(args, ", "))
	for _, r := range requiring.FindAllStringSubmatch(text, -1) {
		if c, ok := p.condition(r[1], names, numbers); ok {
			requires += fmt.Sprintf("      - {that: %q}\n", c)
		}
	}
	if requires != "" {
		out += "    requires:\n" + requires
	}
	return out
}

// numberKinds has the types of numbers in facts files by their names in CUDA.
var numberKinds = map[string]string{
	"int": "s32", "unsigned": "u32", "unsigned int": "u32", "uint": "u32", "short": "s16", "unsigned short": "u16", "ushort": "u16",
	"long": "s64", "long long": "s64", "unsigned long": "u64", "unsigned long long": "u64", "size_t": "u64",
}

// enumerations returns the greatest value of each enumeration that counts from 0.
func enumerations(text string) map[string]int {
	out := make(map[string]int)
	for _, m := range enumOf.FindAllStringSubmatch(text, -1) {
		out[m[1]] = strings.Count(strings.TrimSuffix(strings.TrimSpace(m[2]), ","), ",")
	}
	return out
}

var enumOf = regexp.MustCompile(`enum\s+(\w+)\s*\{\s*(\w+\s*(?:=\s*0)?\s*(?:,\s*\w+\s*)*,?)\s*\}`)

var wordOf = regexp.MustCompile(`(?:blockDim|gridDim)\.[xyz]|[A-Za-z_]\w*|.`)

// condition rewrites a precondition as a formula of facts, if it speaks of nothing but numbers that are known.
func (p *suiteProgram) condition(text string, names map[string]bool, numbers map[string]string) (string, bool) {
	if strings.Contains(text, `"`) {
		return "", false
	}
	out := ""
	for _, w := range wordOf.FindAllString(text, -1) {
		switch {
		case strings.HasPrefix(w, "blockDim.") || strings.HasPrefix(w, "gridDim."):
			list := three(p.block)
			if w[0] == 'g' {
				list = three(p.grid)
			}
			out += strings.TrimSpace(strings.Split(list, ",")[w[len(w)-1]-'x'])
		case numbers[w] != "":
			out += numbers[w]
		case names[w] || !regexp.MustCompile(`^[A-Za-z_]`).MatchString(w):
			out += w
		default:
			return "", false
		}
	}
	return out, true
}
