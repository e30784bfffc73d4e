package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/input"
)

// The largest files that are read, in bytes. The syntax tree of PTX takes some 40
// times the size of the text.
const (
	maxProgramBytes     = 128 << 20 // PTX, as a file or as an entry of a fat binary
	maxBinaryBytes      = 1 << 30   // programs and other files with fat binaries
	maxScheduleBytes    = 64 << 20
	maxSuppressionBytes = 16 << 20
	maxPassesBytes      = 1 << 20
	maxSourceBytes      = 16 << 20 // sources that reports show lines of
)

// oneFile is the single file argument of a command.
func oneFile(c *cli.Context) (string, error) {
	switch c.NArg() {
	case 1:
		return c.Args().First(), nil
	case 0:
		return "", usagef("%s: expected a PTX file (or - for standard input)", c.Command.Name)
	}
	return "", usagef("%s: expected one file, found %d arguments: %q", c.Command.Name, c.NArg(), c.Args().Slice())
}

// readInput reads a regular file, or a stream: standard input for "-", or a file
// descriptor that the shell opened, such as /dev/fd/63 for <(command).
func readInput(c *cli.Context, name string, limit int64) ([]byte, error) {
	switch {
	case name == "-":
		return readStream(c, c.App.Reader, name, limit)
	case openDescriptor.MatchString(name):
		f, err := os.Open(name)
		if err != nil {
			return nil, badInput(err)
		}
		defer f.Close()
		return readStream(c, f, name, limit)
	}
	src, err := input.Read(name, limit)
	return src, badInput(err)
}

// openDescriptor matches the names of file descriptors that are open already, so that
// opening them does not wait for anything.
var openDescriptor = regexp.MustCompile(`^(/dev/stdin|/dev/fd/\d+|/proc/self/fd/\d+)$`)

// readStream reads a stream to its end, which need not come: the limit and an
// interrupt end it, too.
func readStream(c *cli.Context, r io.Reader, name string, limit int64) ([]byte, error) {
	type result struct {
		data []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		data, err := io.ReadAll(io.LimitReader(r, limit+1))
		done <- result{data, err}
	}()
	select {
	case <-c.Done():
		return nil, interrupted()
	case read := <-done:
		switch {
		case read.err != nil:
			return nil, badInput(fmt.Errorf("%s: %w", displayName(name), read.err))
		case int64(len(read.data)) > limit:
			return nil, usagef("%s is larger than the limit of %d bytes", displayName(name), limit)
		}
		return read.data, nil
	}
}

// readModule reads, parses and loads a PTX file, with the rules of the manual unless
// --no-check is given.
func readModule(c *cli.Context, name string) (*rewrite.Module, error) {
	src, err := readInput(c, name, maxProgramBytes)
	if err != nil {
		return nil, err
	}
	tree, err := ptxgrammar.Parse(displayName(name), src)
	if err != nil {
		return nil, badInput(explainListing(src, err))
	}
	mod, err := loadTree(c, tree)
	return mod, badInput(err)
}

// explainListing adds to a syntax error in what cuobjdump prints where the PTX is.
func explainListing(src []byte, err error) error {
	if !bytes.HasPrefix(bytes.TrimSpace(src), []byte("Fatbin ")) {
		return err
	}
	return fmt.Errorf("%w; this is what cuobjdump prints: ptxsan extract takes the PTX out of the program itself, cuobjdump -xptx all writes it to files", err)
}

// loadTree resolves a syntax tree and, unless --no-check is given, checks it.
func loadTree(c *cli.Context, tree *ptxgrammar.Module) (*rewrite.Module, error) {
	if c.Bool("no-check") {
		return rewrite.LoadNewer(tree)
	}
	mod, err := rewrite.Check(tree)
	return mod, explainNewer(err)
}

// explainNewer adds to errors about what a newer PTX release may have that --no-check
// accepts it.
func explainNewer(err error) error {
	var list ptxgrammar.ErrorList
	if !errors.As(err, &list) || !slices.ContainsFunc(list, func(e *ptxgrammar.Error) bool { return errors.Is(e, rewrite.ErrNewer) }) {
		return err
	}
	return fmt.Errorf("%w; --no-check keeps what a newer PTX release has, and refuses only to execute it", err)
}

func displayName(name string) string {
	if name == "-" {
		return "<stdin>"
	}
	return name
}

// text is the source of a module.
func text(m *rewrite.Module) []byte { return m.AST.File.Src }

// writeOutput writes data to the named file, or to standard output for "" and
// "-". A file is written whole under a temporary name and then renamed, so that
// no reader ever finds half of it. Devices and pipes are written directly.
func writeOutput(c *cli.Context, name string, write func(w io.Writer) error) error {
	if name == "" || name == "-" {
		return written(c.App.Writer, write)
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		if info.IsDir() {
			return usagef("%s is a directory; expected a file to write", name)
		}
		return writeDirectly(name, write)
	}
	return replaceFile(name, write)
}

func writeDirectly(name string, write func(w io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	err = written(f, write)
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

func replaceFile(name string, write func(w io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", name, reason(err))
	}
	unfinished.add(f.Name())
	defer func() {
		unfinished.forget(f.Name())
		if err != nil {
			f.Close()
			os.Remove(f.Name())
			err = fmt.Errorf("%s: %w", name, err)
		}
	}()
	if err = written(f, write); err != nil {
		return err
	}
	if err = f.Chmod(outputMode(name)); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// reason is what went wrong with a file, without the name of the file.
func reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// outputMode keeps the permissions of a file that is replaced.
func outputMode(name string) fs.FileMode {
	if info, err := os.Stat(name); err == nil {
		return info.Mode().Perm()
	}
	return 0o644
}
