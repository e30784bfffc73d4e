package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

// maxInputBytes is the largest PTX file that is read.
const maxInputBytes = 1 << 30

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

// readInput reads a file, or standard input for "-".
func readInput(c *cli.Context, name string) ([]byte, error) {
	r := c.App.Reader
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, badInput(err)
		}
		defer f.Close()
		r = f
	}
	src, err := io.ReadAll(io.LimitReader(r, maxInputBytes+1))
	switch {
	case err != nil:
		return nil, badInput(err)
	case len(src) > maxInputBytes:
		return nil, usagef("%s: larger than %d bytes", name, maxInputBytes)
	}
	return src, nil
}

// readModule reads, parses and loads a PTX file, with the rules of the manual unless
// --no-check is given.
func readModule(c *cli.Context, name string) (*rewrite.Module, error) {
	src, err := readInput(c, name)
	if err != nil {
		return nil, err
	}
	tree, err := ptxgrammar.Parse(displayName(name), src)
	if err != nil {
		return nil, badInput(err)
	}
	mod, err := loadTree(c, tree)
	return mod, badInput(err)
}

// loadTree resolves a syntax tree and, unless --no-check is given, checks it.
func loadTree(c *cli.Context, tree *ptxgrammar.Module) (*rewrite.Module, error) {
	if c.Bool("no-check") {
		return rewrite.Load(tree)
	}
	return rewrite.Check(tree)
}

func displayName(name string) string {
	if name == "-" {
		return "<stdin>"
	}
	return name
}

// loadText parses and loads a text of our own making.
func loadText(name string, src []byte) (*rewrite.Module, error) {
	tree, err := ptxgrammar.Parse(name, src)
	if err != nil {
		return nil, err
	}
	return rewrite.Load(tree)
}

// text is the source of a module.
func text(m *rewrite.Module) []byte { return m.AST.File.Src }

// writeOutput writes data to the named file, or to standard output for "" and
// "-". A file is written whole under a temporary name and then renamed, so that
// no reader ever finds half of it. Devices and pipes are written directly.
func writeOutput(c *cli.Context, name string, write func(w io.Writer) error) error {
	if name == "" || name == "-" {
		return write(c.App.Writer)
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		if info.IsDir() {
			return usagef("%s is a directory; expected a file to write", name)
		}
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		defer f.Close()
		return write(f)
	}
	return replaceFile(name, write)
}

func replaceFile(name string, write func(w io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		var path *fs.PathError
		if errors.As(err, &path) { // names the temporary file
			err = path.Err
		}
		return fmt.Errorf("%s cannot be written: %w", name, err)
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
			err = fmt.Errorf("%s: %w", name, err)
		}
	}()
	if err = write(f); err != nil {
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

// outputMode keeps the permissions of a file that is replaced.
func outputMode(name string) fs.FileMode {
	if info, err := os.Stat(name); err == nil {
		return info.Mode().Perm()
	}
	return 0o644
}
