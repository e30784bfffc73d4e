// Command observatory checks programs of public projects with ptxsan. A list, examples/observatory/lists/NAME.yaml, names
// the programs of a checkout, has the commands that build and run each, and classifies the findings. What enters is a list
// and the folder of a checkout that the user has made; nothing is downloaded. What leaves is
// examples/observatory/results/NAME.json, and two pages that are written from the results of all lists:
// docs/generated/observatory.md, and the table of docs/found.md.
//
// The command runs ptxsan as its users do and reads its JSON reports. It must not know how a kernel is checked.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout)
	var wrong *inputError
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return
	case errors.As(err, &wrong):
		fmt.Fprintln(os.Stderr, "observatory:", err)
		os.Exit(2)
	}
	fmt.Fprintln(os.Stderr, "observatory:", err)
	os.Exit(1)
}

// inputError is an error of the command line or of a list.
type inputError struct{ error }

// folder has what programs are driven by, lists the lists, results their results, and page is written from these, below
// the root of the project.
const (
	folder  = "examples/observatory"
	lists   = folder + "/lists"
	results = folder + "/results"
	page    = "docs/generated/observatory.md"
	found   = "docs/found.md" // has a table of the bugs between two lines

	tableBegin = "<!-- written by make observatory: begin -->\n"
	tableEnd   = "<!-- written by make observatory: end -->\n"
)

// settings holds the command line.
type settings struct {
	checkout string
	ptxsan   string // the command
	only     *regexp.Regexp
	budget   time.Duration // of wall time for a program; what takes longer is watched less, then ended
}

// run checks the programs of the list that the arguments name, if they name one, and writes the page.
func run(ctx context.Context, args []string, w io.Writer) error {
	var s settings
	f := flag.NewFlagSet("observatory", flag.ContinueOnError)
	f.Usage = func() {
		fmt.Fprintf(f.Output(), "usage: observatory [-checkout FOLDER [-only REGEXP] [-budget 2m] NAME]\n"+
			"checks the programs of %s/NAME.yaml and writes %s; without NAME it only writes the page\n", lists, page)
		f.PrintDefaults()
	}
	f.StringVar(&s.checkout, "checkout", "", "folder with a checkout of the project")
	f.StringVar(&s.ptxsan, "ptxsan", "ptxsan", "the ptxsan command")
	f.DurationVar(&s.budget, "budget", 2*time.Minute, "time for each program: what takes longer is watched less, then ended")
	only := f.String("only", "", "names of the programs to check; the others keep their results")
	err := f.Parse(args)
	if err == nil {
		s.only, err = regexp.Compile(*only)
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		return err
	case err != nil:
		return &inputError{err}
	case f.NArg() > 1:
		return &inputError{fmt.Errorf("expected the name of one list, found %q", f.Args())}
	case s.budget <= 0:
		return &inputError{fmt.Errorf("expected a -budget of more than no time, found %s", s.budget)}
	case f.NArg() == 1:
		if err = s.observe(ctx, f.Arg(0), w); errors.As(err, new(*inputError)) {
			return err
		}
	}
	return errors.Join(err, writePages("."))
}

// observe checks the programs of a list and writes their results: of those that have ended, if it is interrupted. The
// error says which findings nobody has read.
func (s *settings) observe(ctx context.Context, name string, w io.Writer) error {
	l, err := readList(filepath.Join(lists, name+".yaml"))
	if err == nil {
		err = l.ready(s.checkout)
	}
	matches := func(p program) bool { return s.only.MatchString(p.name) }
	if err == nil && !slices.ContainsFunc(l.programs, matches) {
		err = fmt.Errorf("%s: no program has a name that matches %s", l.file, s.only)
	}
	if err != nil {
		return &inputError{err}
	}
	path := filepath.Join(results, name+".json")
	all, err := readResults(path)
	if err != nil {
		return err
	}
	o, err := s.observer(l, name)
	if err != nil {
		return err
	}
	if err := o.setUp(ctx); err != nil {
		return err
	}
	for i := range l.programs {
		p := &l.programs[i]
		if !s.only.MatchString(p.name) {
			continue
		}
		r := &outcome{Name: p.name, Reason: p.skip}
		if p.skip == "" {
			if r = o.check(ctx, p); ctx.Err() != nil {
				break
			}
			all.set(r)
		}
		fmt.Fprintln(w, r.line())
	}
	if err := all.write(path, l); err != nil {
		return err
	}
	return errors.Join(ctx.Err(), l.unread(all))
}
