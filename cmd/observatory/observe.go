// Building programs, and checking them.

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/ptxsan/ptxsan/runtime/report"
)

// observer builds and checks the programs of a list.
type observer struct {
	*settings
	list   *list
	inputs string // absolute, examples/observatory
	build  string // absolute, the folder for what is built, with the outputs of commands
}

// observer returns an observer for a list.
func (s *settings) observer(l *list, name string) (*observer, error) {
	inputs, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	build, err := filepath.Abs(filepath.Join("build/observatory", name))
	if err == nil {
		err = os.MkdirAll(build, 0o755)
	}
	return &observer{s, l, inputs, build}, err
}

// setUp runs the list's own command, once. Its name is none that a program can have.
func (o *observer) setUp(ctx context.Context) error {
	p := &program{name: "setup of all", arch: o.list.common.arch, build: o.list.setup}
	if err := o.buildOnce(ctx, p); err != nil {
		return fmt.Errorf("setup of %s: %w; see %s", o.list.file, err, o.output(p, "build"))
	}
	return nil
}

// output is the file with the output of one of a program's commands.
func (o *observer) output(p *program, kind string) string {
	return filepath.Join(o.build, p.name+"."+kind)
}

// grace is how long a command may take to end when it is interrupted.
const grace = 10 * time.Second

// command runs a command in the checkout and returns its processor time.
func (o *observer) command(ctx context.Context, p *program, kind, name string, args ...string) (time.Duration, error) {
	out, err := os.Create(o.output(p, kind))
	if err != nil {
		return 0, err
	}
	defer out.Close()
	c := exec.CommandContext(ctx, name, args...)
	c.Dir, c.Stdout, c.Stderr = o.checkout, out, out
	c.Env = append(os.Environ(), "BUILD="+o.build, "LIST="+o.inputs, "NAME="+p.name, "ARCH="+p.arch, "ARGS="+p.args)
	c.Cancel = func() error { // ptxsan passes the first interruption on, and ends all processes at the second
		time.AfterFunc(grace/2, func() { _ = c.Process.Signal(os.Interrupt) })
		return c.Process.Signal(os.Interrupt)
	}
	c.WaitDelay = grace
	err = c.Run()
	if c.ProcessState == nil {
		return 0, err
	}
	return c.ProcessState.UserTime() + c.ProcessState.SystemTime(), err
}

// checking returns the command that checks a program and writes its reports, of which saved is the one in JSON.
func (o *observer) checking(p *program, saved string) (command string, args []string) {
	formats := fmt.Sprintf("--format=json=%s,text=%s", saved, o.output(p, "report"))
	if p.check != "" {
		words := strings.Join(append(p.flags, p.check), " ")
		return "sh", []string{"-ec", `exec "$0" check "$1" ` + words, o.ptxsan, formats}
	}
	args = []string{"exec", "--arch", p.arch, "--time-budget=" + o.budget.String(), formats}
	return o.ptxsan, append(append(args, p.flags...), "--", "sh", "-ec", p.run)
}

// check builds a program, checks it, and says what became of it.
func (o *observer) check(ctx context.Context, p *program) *outcome {
	r := &outcome{Name: p.name}
	if err := o.buildOnce(ctx, p); err != nil {
		r.Reason = "not built: " + last(o.output(p, "build"), "error")
		return r
	}
	saved := o.output(p, "json")
	os.Remove(saved)
	command, args := o.checking(p, saved)
	used, err := o.command(ctx, p, "out", command, args...)
	r.Seconds = used.Round(100 * time.Millisecond).Seconds()
	text, missing := os.ReadFile(saved)
	if missing != nil {
		r.Reason = "no report: " + last(o.output(p, "out"), "ptxsan")
		return r
	}
	rep, wrong := report.Read(saved, text)
	if wrong != nil {
		r.Reason = wrong.Error()
		return r
	}
	r.fill(rep)
	r.Reason = o.failed(p, r, err)
	return r
}

// buildOnce builds a program, unless the same command has built it before.
func (o *observer) buildOnce(ctx context.Context, p *program) error {
	built := o.output(p, "built")
	if text, err := os.ReadFile(built); p.build == "" || err == nil && string(text) == p.build {
		return nil
	}
	if _, err := o.command(ctx, p, "build", "sh", "-ec", p.build); err != nil {
		return err
	}
	return os.WriteFile(built, []byte(p.build), 0o644)
}

// failed is why a program did not run to its end, "" if it did: an exit code that its findings do not explain.
func (o *observer) failed(p *program, r *outcome, err error) string {
	var code *exec.ExitError
	switch {
	case err == nil, len(r.Findings) > 0:
		return ""
	case !errors.As(err, &code):
		return err.Error()
	}
	for _, why := range slices.Sorted(maps.Keys(r.NotChecked)) {
		if strings.HasPrefix(why, "the application was ended") {
			return why
		}
	}
	return fmt.Sprintf("the program ended with %d: %s", code.ExitCode(), last(o.output(p, "out"), ""))
}

// last is the last line of a file that has a word, or the last line.
func last(file, word string) string {
	text, err := tail(file)
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	line := lines[len(lines)-1]
	for _, l := range lines {
		if word != "" && strings.Contains(l, word) {
			line = l
		}
	}
	line = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ReplaceAll(strings.TrimSpace(line), "|", "/"))
	return strings.ToValidUTF8(line[:min(len(line), 160)], "")
}

// tail returns the end of a file: of what a program prints, the rest does not matter.
func tail(file string) (string, error) {
	const most = 1 << 20
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	end, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(io.NewSectionReader(f, max(0, end-most), most))
	return string(text), err
}
