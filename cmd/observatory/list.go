// Lists: the programs of a project, and the classification of the findings of their checks.

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"

	"github.com/ptxsan/ptxsan/internal/yamldoc"
)

// list is a file examples/observatory/lists/NAME.yaml. The shell runs its commands in the checkout (sh -e). Their
// environment has BUILD (a folder for what is built), LIST (examples/observatory), and ARCH, NAME and ARGS of the program.
type list struct {
	file     string
	project  string // owner and name
	commit   string // that the results are of
	about    string
	needs    []string // commands that must be on PATH
	packages string   // of Python that the first python on PATH must have
	setup    string   // run once
	common   program  // what programs have unless they have their own
	programs []program
	readings []reading
}

// program is one program, or one kernel with a launch file.
type program struct {
	name  string
	arch  string
	flags []string // of exec or check
	build string
	run   string // a command for ptxsan exec
	check string // arguments of ptxsan check
	args  string // what distinguishes its commands from those of other programs
	skip  string // why it is not run
}

// Classes of findings.
const (
	isBug    = "bug"    // the program is wrong, by a rule that the reading names
	isDesign = "design" // the source says that the race is meant
	isRule   = "rule"   // GPUs order what the letter of the PTX manual leaves without order
	isTest   = "test"   // the program provokes the finding to test its own checks
)

// reading is the class of some findings, assigned by a person who has read the program's source. It applies to each
// finding whose text matches a regular expression.
type reading struct {
	at    *regexp.Regexp
	is    string // the class
	text  string // what is wrong, by which rule, and what repairs it
	since string // the release, commit or date that a bug has been there since
	bug   string // the folder of examples/bugs that has the smallest kernel with the bug, if there is one
}

// listReader reads a list.
type listReader struct {
	yamldoc.Reader
}

// readList reads a list. The error has the position of what is wrong.
func readList(path string) (*list, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r := &listReader{yamldoc.Reader{File: path, Kind: "list of programs"}}
	root, err := r.Document(text, "a project and its programs")
	if err != nil {
		return nil, err
	}
	l := &list{file: path, common: program{arch: "sm_80"}}
	fields := append(r.programFields(&l.common),
		r.text("project", &l.project), r.text("commit", &l.commit), r.text("about", &l.about),
		r.texts("needs", &l.needs), r.text("packages", &l.packages), r.text("setup", &l.setup),
		yamldoc.Key("programs", func(n *yaml.Node) error {
			return r.Each(n, "a list of programs", func(n *yaml.Node) error { return r.program(l, n) })
		}),
		yamldoc.Key("findings", func(n *yaml.Node) error {
			return r.Each(n, "a list of findings", func(n *yaml.Node) error { return r.reading(l, n) })
		}))
	if err := r.Fields(root, "the list", fields...); err != nil {
		return nil, err
	}
	if l.project == "" || l.commit == "" || len(l.programs) == 0 {
		return nil, r.Pos(root).Errorf("expected project, commit and programs")
	}
	return l, nil
}

// text is the field of a text.
func (r *listReader) text(key string, to *string) yamldoc.Field {
	return yamldoc.Key(key, func(n *yaml.Node) (err error) {
		*to, err = r.Text(n, "a text")
		return err
	})
}

// texts is the field of a list of texts.
func (r *listReader) texts(key string, to *[]string) yamldoc.Field {
	return yamldoc.Key(key, func(n *yaml.Node) error {
		return r.Each(n, "a list of texts", func(n *yaml.Node) error {
			s, err := r.Text(n, "a text")
			*to = append(*to, s)
			return err
		})
	})
}

// programFields are the fields that a list has for all programs, and each program for itself.
func (r *listReader) programFields(p *program) []yamldoc.Field {
	return []yamldoc.Field{
		r.text("arch", &p.arch), r.text("build", &p.build), r.text("run", &p.run), r.text("check", &p.check),
		r.text("args", &p.args), r.texts("flags", &p.flags),
	}
}

// separates reports whether a character separates names of folders, words, or cells of a table.
func separates(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune("/|`", r)
}

// program reads a program.
func (r *listReader) program(l *list, n *yaml.Node) error {
	p := l.common
	p.flags = slices.Clone(p.flags)
	fields := append(r.programFields(&p), r.text("name", &p.name), r.text("skip", &p.skip))
	if err := r.Fields(n, "a program", fields...); err != nil {
		return err
	}
	same := func(q program) bool { return q.name == p.name }
	switch {
	case p.name == "" || strings.ContainsFunc(p.name, separates):
		return r.Pos(n).Errorf("expected a program with a name that can be the name of a file, found %q", p.name)
	case slices.ContainsFunc(l.programs, same):
		return r.Pos(n).Errorf("%s: there is a program of that name before", p.name)
	case (p.run == "") == (p.check == "") && p.skip == "":
		return r.Pos(n).Errorf("%s: expected one of run, check and skip", p.name)
	}
	l.programs = append(l.programs, p)
	return nil
}

// reading reads an entry of findings.
func (r *listReader) reading(l *list, n *yaml.Node) error {
	var x reading
	var at string
	if err := r.Fields(n, "a finding",
		r.text("at", &at), r.text("is", &x.is), r.text("text", &x.text), r.text("since", &x.since),
		r.text("case", &x.bug)); err != nil {
		return err
	}
	var err error
	switch x.at, err = regexp.Compile(at); {
	case err != nil:
		return r.Pos(n).Because(err)
	case at == "" || x.text == "":
		return r.Pos(n).Errorf("expected at and text")
	case x.is == isBug && (x.since == "" || x.bug == ""):
		return r.Pos(n).Errorf("expected since and case of a bug")
	case !slices.Contains([]string{isBug, isDesign, isRule, isTest}, x.is):
		return r.Pos(n).Errorf("expected is: bug, design, rule or test, found %q", x.is)
	}
	l.readings = append(l.readings, x)
	return nil
}

// ready says what is missing on the machine before programs can be built.
func (l *list) ready(checkout string) error {
	if checkout == "" {
		return fmt.Errorf("expected the folder of a checkout of %s", l.project)
	}
	if info, err := os.Stat(checkout); err != nil {
		return err
	} else if !info.IsDir() {
		return fmt.Errorf("%s: expected a folder with a checkout of %s", checkout, l.project)
	}
	for _, command := range l.needs {
		if _, err := exec.LookPath(command); err != nil {
			return fmt.Errorf("%s: %w", l.file, err)
		}
	}
	if l.packages != "" {
		if _, err := exec.LookPath("python"); err != nil {
			return fmt.Errorf("%s: expected a python with %s: %w", l.file, l.packages, err)
		}
	}
	return nil
}

// read returns the entry that classifies a finding, nil if there is none.
func (l *list) read(finding string) *reading {
	for i := range l.readings {
		if l.readings[i].at.MatchString(finding) {
			return &l.readings[i]
		}
	}
	return nil
}

// unread returns an error that names the findings that no entry classifies, nil if there are none.
func (l *list) unread(all *outcomes) error {
	var unread []error
	for _, p := range all.Programs {
		for _, f := range p.Findings {
			if l.read(f) == nil {
				unread = append(unread, fmt.Errorf("%s: %s: not in the findings of %s", p.Name, f, l.file))
			}
		}
	}
	return errors.Join(unread...)
}
