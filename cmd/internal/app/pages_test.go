package app

import (
	"bytes"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// pages are the Markdown files of the repository, with what they may name.
type pages struct {
	*testing.T
	text     map[string]string // by path from the root
	files    map[string]bool   // all tracked files, and their folders
	names    map[string]bool   // the last parts of tracked files
	declared map[string]bool   // functions of Go, those of tests too
	packages map[string]string // source by the name of the package
}

// index is the page from which all others can be reached.
const index = "docs/README.md"

// madeBy names the folder that a page shows how to make, by the page.
var madeBy = map[string]string{"docs/write-a-pass.md": "passes/silentstores"}

func readPages(t *testing.T) *pages {
	out, err := exec.Command("git", "-C", "../../..", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		t.Skipf("git does not list the files: %v", err)
	}
	p := &pages{t, map[string]string{}, map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]string{}}
	function := regexp.MustCompile(`(?m)^func (?:\([^)]*\) )?(\w+)`)
	clause := regexp.MustCompile(`(?m)^package (\w+)`)
	for name := range strings.SplitSeq(string(bytes.TrimSuffix(out, []byte{0})), "\x00") {
		text, err := os.ReadFile(filepath.Join("../../..", name))
		if err != nil {
			continue // deleted, and not committed yet
		}
		p.names[path.Base(name)] = true
		for dir := name; dir != "."; dir = path.Dir(dir) {
			p.files[dir] = true
		}
		switch {
		case path.Ext(name) == ".go":
			for _, m := range function.FindAllSubmatch(text, -1) {
				p.declared[string(m[1])] = true
			}
			if m := clause.FindSubmatch(text); m != nil {
				p.packages[string(m[1])] += string(text)
			}
		case path.Ext(name) == ".md" && !strings.Contains(name, "/testdata/"):
			p.text[name] = string(text)
		}
	}
	return p
}

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	code    = regexp.MustCompile("`([^`\n]+)`")
	block   = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
)

// TestDocsPages: every link leads to a page and a heading, every page but forms for issues can be reached from the index, files and functions that pages
// name exist.
func TestDocsPages(t *testing.T) {
	p := readPages(t)
	reached := map[string]bool{}
	p.follow(index, reached)
	for name, text := range p.text {
		if !reached[name] && !strings.HasPrefix(name, ".github/") {
			t.Errorf("%s: no link leads there from %s", name, index)
		}
		for _, m := range code.FindAllStringSubmatch(block.ReplaceAllString(text, ""), -1) {
			if why := p.missing(m[1]); why != "" && (madeBy[name] == "" || !strings.HasPrefix(m[1], madeBy[name]+"/")) {
				t.Errorf("%s: `%s`: %s", name, m[1], why)
			}
		}
	}
}

// follow marks the pages that can be reached from one, and reports links that lead nowhere.
func (p *pages) follow(name string, reached map[string]bool) {
	if reached[name] {
		return
	}
	reached[name] = true
	for _, m := range link.FindAllStringSubmatch(block.ReplaceAllString(p.text[name], ""), -1) {
		file, fragment, _ := strings.Cut(m[1], "#")
		if strings.Contains(m[1], "://") {
			continue
		}
		target := name
		if file != "" {
			target = path.Join(path.Dir(name), file)
		}
		switch text, page := p.text[target]; {
		case !p.files[target]:
			p.Errorf("%s: no file %s", name, m[1])
		case page && fragment != "" && !slices.Contains(anchors(text), fragment):
			p.Errorf("%s: no heading %s", name, m[1])
		case page:
			p.follow(target, reached)
		}
	}
}

// anchors returns what links to the headings of a page end in, as GitHub makes it.
func anchors(text string) (list []string) {
	for _, m := range heading.FindAllStringSubmatch(block.ReplaceAllString(text, ""), -1) {
		keep := func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
				return r
			}
			return -1
		}
		list = append(list, strings.Map(keep, strings.ToLower(m[1])))
	}
	return list
}

var (
	sourceFile = regexp.MustCompile(`^[\w.\-]+(/[\w.\-]+)*\.(go|s|h|g4|md|sh|tsv)$`)
	folder     = regexp.MustCompile(`^(cmd|docs|emu|examples|passes|ptxgrammar|rewrite|runtime)(/[\w.\-]+)+/?$`)
	testName   = regexp.MustCompile(`^(Test|Benchmark|Fuzz|Example)[A-Z]\w*$`)
	qualified  = regexp.MustCompile(`^([a-z]\w*)\.([A-Z]\w*)((?:\.\w+)*)(?:\(.*\))?$`)
)

// missing says why what a page has between backticks does not exist; "" for all that names no file or function of the project.
func (p *pages) missing(name string) string {
	switch {
	case sourceFile.MatchString(name):
		if !p.names[path.Base(name)] || strings.Contains(name, "/") && !p.isPath(name) {
			return "no such file"
		}
	case folder.MatchString(name):
		if !p.files[strings.TrimSuffix(name, "/")] {
			return "no such file or folder"
		}
	case testName.MatchString(name):
		if !p.declared[name] {
			return "no such function"
		}
	default:
		m := qualified.FindStringSubmatch(name)
		if m == nil || p.packages[m[1]] == "" {
			return ""
		}
		for _, word := range strings.Split(m[2]+m[3], ".") {
			if !regexp.MustCompile(`\b` + word + `\b`).MatchString(p.packages[m[1]]) {
				return "package " + m[1] + " has no " + word
			}
		}
	}
	return ""
}

// isPath reports whether a name is the end of a path in the repository.
func (p *pages) isPath(name string) bool {
	if p.files[name] {
		return true
	}
	for file := range p.files {
		if strings.HasSuffix(file, "/"+name) {
			return true
		}
	}
	return false
}

// TestMissingNames: names that exist are found, others are not, and other words are left alone.
func TestMissingNames(t *testing.T) {
	long(t)
	p := readPages(t)
	for name, missing := range map[string]bool{
		"pages_test.go": false, "cmd/internal/app/pages_test.go": false, "app/pages_test.go": false, "no_such.go": true, "emu/pages_test.go": true,
		"docs/README.md": false, "docs/nothing.md": true, "runtime/session": false, "runtime/nothing": true,
		"TestMissingNames": false, "TestNothingAtAll": true, "FuzzNothingAtAll": true,
		"session.Parse": false, "session.ParseNothing": true, "abi.Batch.Each": false, "emu.Machine.ReloadNothing": true,
		"bar.sync": false, "k.ptx": false, "cudaMalloc": false, "cg.NoPackage": false,
	} {
		if got := p.missing(name); (got != "") != missing {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := anchors("# A `word`, and more\n\n```\n# no heading\n```\n"); !slices.Equal(got, []string{"a-word-and-more"}) {
		t.Errorf("%q", got)
	}
}
