package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"github.com/ptxsan/ptxsan/cmd/internal/limits"
	"github.com/ptxsan/ptxsan/runtime/input"
	"github.com/ptxsan/ptxsan/runtime/output"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f := output.FileOf(w)
	return f != nil && term.IsTerminal(int(f.Fd()))
}

// useColor decides on colour for standard output: the flag, then NO_COLOR, then
// CLICOLOR_FORCE and FORCE_COLOR, then whether it is a terminal.
func useColor(c *cli.Context) bool {
	if out := c.String("output"); out != "" && out != "-" {
		return c.String("color") == "always"
	}
	switch c.String("color") {
	case "always":
		return true
	case "never":
		return false
	}
	if os.Getenv("NO_COLOR") != "" {
		return false
	}
	for _, name := range []string{"CLICOLOR_FORCE", "FORCE_COLOR"} {
		if v := os.Getenv(name); v != "" && v != "0" {
			return true
		}
	}
	return isTerminal(c.App.Writer)
}

// textOptions are the options of the text report: with colour comes an excerpt of
// the source.
func textOptions(c *cli.Context) report.TextOptions {
	o := report.TextOptions{Color: useColor(c)}
	if o.Color {
		o.Excerpt = session.Excerpts(filepath.Dir(c.Args().First()), func(name string) ([]byte, error) { return readSource(c.String("root"), name) })
	}
	return o
}

// readSource reads a source file that the program names: with a root folder, it must lie in
// it.
func readSource(root, name string) ([]byte, error) {
	if root == "" {
		return input.Read(name, limits.SourceBytes)
	}
	f, err := input.OpenIn(root, "", name, limits.SourceBytes)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limits.SourceBytes))
}

// progress shows what is going on, in one line of a terminal on standard error,
// and nothing elsewhere.
type progress struct{ w io.Writer }

func newProgress(c *cli.Context) *progress {
	if isTerminal(c.App.ErrWriter) {
		return &progress{c.App.ErrWriter}
	}
	return &progress{io.Discard}
}

func (p *progress) step(what string) { fmt.Fprintf(p.w, "\r\x1b[Kptxsan: %s ...", what) }

func (p *progress) done() { fmt.Fprint(p.w, "\r\x1b[K") }

// replayCommand is the command line that repeats a check, quoted for a shell.
func replayCommand(c *cli.Context) string { return replayOf(c, "check", nil) }

// replayOf is the command line that runs a command on the same program, with some flags
// set to other values than those of c; "" leaves a flag out.
func replayOf(c *cli.Context, command string, set map[string]string) string {
	words := []string{"ptxsan", command}
	if command == "check" {
		for _, glob := range c.StringSlice("kernel-exclude") {
			words = append(words, "--kernel-exclude", quote(glob))
		}
	}
	flags := []string{"launch", "root", "kernel"}
	if command == "check" {
		flags = append(flags, "detector", "trace")
	}
	for _, name := range append(flags, replayed...) {
		value, changed := set[name]
		switch {
		case changed && value != "":
			words = append(words, "--"+name, quote(value))
		case !changed && c.IsSet(name):
			words = append(words, "--"+name, quote(fmt.Sprint(c.Value(name))))
		}
	}
	for _, name := range append([]string{"no-check"}, switches...) {
		if c.Bool(name) {
			words = append(words, "--"+name)
		}
	}
	if c.NArg() > 0 { // a trace stands in for the program
		words = append(words, quote(c.Args().First()))
	}
	return strings.Join(words, " ")
}

// quote protects a word from the shell when that is needed.
func quote(s string) string {
	plain := func(r rune) bool {
		return strings.ContainsRune("_-./=:,+@", r) || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
	}
	if s != "" && strings.TrimFunc(s, plain) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
