// Input and output files of commands.

package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/habits"
	"github.com/ptxsan/ptxsan/cmd/internal/limits"
	"github.com/ptxsan/ptxsan/cmd/internal/terminal"
	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/input"
	"github.com/ptxsan/ptxsan/internal/output"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/query"
)

// OneFile returns the single file argument of a command.
func OneFile(c *cli.Context) (string, error) {
	switch c.NArg() {
	case 1:
		return c.Args().First(), nil
	case 0:
		return "", Usagef("%s: expected a PTX file (or - for standard input)", c.Command.Name)
	}
	return "", Usagef("%s: expected one file, found %d arguments: %q", c.Command.Name, c.NArg(), c.Args().Slice())
}

// ReadInput reads a regular file, or a stream: standard input for "-", or a file
// descriptor that the shell opened, such as /dev/fd/63 for <(command).
func ReadInput(c *cli.Context, name string, limit int64) ([]byte, error) {
	var src []byte
	var err error
	switch {
	case name == "-":
		src, err = input.ReadStream(c.Context, c.App.Reader, DisplayName(name), limit)
	case input.IsOpenDescriptor(name):
		f, failed := os.Open(name)
		if failed != nil {
			return nil, BadInput(failed)
		}
		defer f.Close()
		src, err = input.ReadStream(c.Context, f, name, limit)
	default:
		src, err = input.Read(name, limit)
	}
	if c.Err() != nil && errors.Is(err, c.Err()) {
		return nil, Interrupted()
	}
	return src, BadInput(err)
}

// ReadModule reads, parses and loads a PTX file, with the rules of the manual unless
// --no-check is given.
func ReadModule(c *cli.Context, name string) (*rewrite.Module, error) {
	tree, err := ReadTree(c, name)
	if err != nil {
		return nil, err
	}
	mod, err := LoadTree(c, tree)
	return mod, BadInput(err)
}

// ReadTree reads and parses a PTX file or the PTX in a program, or compiles CUDA source if the command has the flags for
// that.
func ReadTree(c *cli.Context, name string) (*ptxgrammar.Module, error) {
	if compiles(c, name) {
		return compile(c, name)
	}
	src, err := ReadInput(c, name, programLimit(name))
	if err != nil {
		return nil, err
	}
	if isBinary(src) {
		return extracted(c, DisplayName(name), src)
	}
	src = bytes.TrimRight(src, "\x00") // the end of a text of C, which some programs write to files
	tree, err := ptxgrammar.Parse(DisplayName(name), src)
	if err != nil {
		return nil, BadInput(habits.NotPTX(name, src, err))
	}
	return tree, nil
}

// LoadTree resolves a syntax tree and checks it, unless --no-check is given. It prints a note about what a newer PTX
// release has.
func LoadTree(c *cli.Context, tree *ptxgrammar.Module) (*rewrite.Module, error) {
	if c.Bool("no-check") {
		return rewrite.LoadNewer(tree)
	}
	mod, err := rewrite.Check(tree)
	if err == nil {
		NoteNewer(c, mod)
	}
	return mod, explainNewer(err)
}

// NoteNewer prints what a module has of a PTX release newer than the instruction table.
func NoteNewer(c *cli.Context, mod *rewrite.Module) {
	for _, note := range mod.Newer() {
		fmt.Fprintf(c.App.ErrWriter, "ptxsan: note: %s\n", note)
	}
}

// NoteOlder prints that a module's target lacks what its source may use on newer ones.
func NoteOlder(c *cli.Context, mod *rewrite.Module) {
	if note := query.Older(mod); note != "" {
		fmt.Fprintf(c.App.ErrWriter, "ptxsan: note: %s\n", note)
	}
}

// explainNewer adds a hint to --no-check to errors that a newer PTX release may cause.
func explainNewer(err error) error {
	var list ptxgrammar.ErrorList
	if !errors.As(err, &list) || !slices.ContainsFunc(list,
		func(e *ptxgrammar.Error) bool { return errors.Is(e, rewrite.ErrNewer) }) {
		return err
	}
	return fmt.Errorf("%w; --no-check keeps what a newer PTX release has, and refuses only to execute it", err)
}

// DisplayName returns the name of a file for messages.
func DisplayName(name string) string {
	if name == "-" {
		return "<stdin>"
	}
	return name
}

// Text returns the source of a module.
func Text(m *rewrite.Module) []byte { return m.AST.File.Src }

// outputFiles tracks the files that commands write.
var outputFiles output.Files

// WriteOutput writes text to the named file, whole or not at all, or to standard output for "" and "-". Characters that
// would control a terminal are escaped; for JSON, write uses output.JSON.
func WriteOutput(c *cli.Context, name string, write func(w io.Writer) error) error {
	return WriteData(c, name, func(w io.Writer) error { return output.TextTo(w, write) })
}

// Data returns a writer to standard output of what other programs read: its bytes stay as they are, except on a
// terminal.
func Data(c *cli.Context) io.Writer {
	if terminal.Is(c.App.Writer) {
		return c.App.Writer
	}
	return output.Raw(c.App.Writer)
}

// WriteData writes the named file, or standard output, as WriteOutput does, but without escapes.
func WriteData(c *cli.Context, name string, write func(w io.Writer) error) error {
	if name == "" || name == "-" {
		return output.To(Data(c), write)
	}
	if err := CheckReplaces(c, name); err != nil {
		return err
	}
	err := outputFiles.Write(name, write)
	if errors.Is(err, output.ErrDirectory) {
		return BadInput(err)
	}
	return err
}

// Replace writes data to a file atomically, if the file still contains old. A symbolic link stays: the file that it
// points to is replaced.
func Replace(c *cli.Context, name string, old, data []byte) error {
	now, err := ReadInput(c, name, int64(len(old))+1)
	if err != nil || !bytes.Equal(now, old) {
		return fmt.Errorf("%s is not written: it has changed since it was read", name)
	}
	file, err := filepath.EvalSymlinks(name)
	if err != nil {
		return err
	}
	return outputFiles.Write(file, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// CheckReplaces returns an error if an output would replace an input of the command.
func CheckReplaces(c *cli.Context, name string) error {
	if given := overwrites(c, name); given != "" {
		return Usagef("%s: the output would replace the input %s", name, given)
	}
	return nil
}

// inPlace lists the commands that may write their output over the input file: both are of the same kind, PTX or a
// report.
var inPlace = []string{"fmt", "rewrite", "embed", "report", "convert", "merge"}

// overwrites returns the input of a command that is the same file as an output, "" for none.
func overwrites(c *cli.Context, name string) string {
	out, err := os.Stat(name)
	if err != nil || slices.Contains(inPlace, c.Command.Name) {
		return ""
	}
	for _, given := range []string{c.Args().First(), c.String("launch")} {
		if in, failed := os.Stat(given); failed == nil && os.SameFile(in, out) {
			return given
		}
	}
	return ""
}

// stop is the context key of the function that cancels the command.
type stop struct{}

// WriteDuring is WriteData around body, which does more than write and is cancelled when its output cannot be written.
// The file appears when body and then finish, unless it is nil, have returned without an error. An error of body is
// returned as it is; an error of writing gets the name of the file.
func WriteDuring(c *cli.Context, name string, body func(w io.Writer) error, finish func() error) error {
	end, _ := c.Context.Value(stop{}).(context.CancelFunc)
	var failed error
	err := WriteData(c, name, func(w io.Writer) error {
		s := output.NewStream(w, end)
		failed = body(s)
		switch lost := s.Err(); {
		case lost != nil:
			failed = nil
			return lost
		case failed != nil || finish == nil:
			return failed
		}
		return finish()
	})
	if failed != nil {
		return failed
	}
	return err
}

// WriteText writes a text to the file of --output.
func WriteText(c *cli.Context, text string) error {
	return WriteOutput(c, c.String("output"), func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// WriteBytes is WriteData for existing data.
func WriteBytes(c *cli.Context, name string, data []byte) error {
	return WriteData(c, name, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// ReadSchedule returns the schedule in the value of a flag: the text of a schedule, or the name of a file.
func ReadSchedule(c *cli.Context, flag string) (*emu.Schedule, error) {
	name := c.String(flag)
	text := []byte(name)
	if !emu.IsSchedule(name) {
		var err error
		if text, err = ReadInput(c, name, limits.ScheduleBytes); err != nil {
			return nil, err
		}
	}
	s := new(emu.Schedule)
	if err := s.UnmarshalText(text); err != nil {
		return nil, Usagef("--%s %s: %w", flag, name, err)
	}
	return s, nil
}
