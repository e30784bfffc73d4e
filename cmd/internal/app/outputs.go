// The flags --print and --dump.

package app

import (
	"io"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// outputFlags returns the flags that select buffers to show after the run.
func outputFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "print", Usage: "print buffer `NAME[:n|:a-b][:hex]`: all of it, the first n elements, or a to b; repeatable", Category: command.CatOutput},
		dumpFlag(),
	}
}

func dumpFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "dump", Usage: "write buffer NAME to a file, as `NAME=FILE`: a NumPy array when FILE ends in .npy, else the bytes; repeatable", Category: command.CatOutput}
}

// outputs holds the buffers to print and to write.
type outputs struct {
	print []session.Selection
	dump  []bufferDump
}

// bufferDump is a buffer to write to a file.
type bufferDump struct {
	buffer *launch.Buffer
	file   string
}

func outputsOf(c *cli.Context, file *launch.File) (outputs, error) {
	var o outputs
	for _, arg := range c.StringSlice("print") {
		p, err := session.ParseSelection(arg, file)
		if err != nil {
			return o, command.Usagef("--print %w", err)
		}
		o.print = append(o.print, p)
	}
	for _, arg := range c.StringSlice("dump") {
		name, path, ok := strings.Cut(arg, "=")
		b := file.Buffer(name)
		if !ok || path == "" {
			return o, command.Usagef("--dump %s: expected NAME=FILE", arg)
		}
		if b == nil {
			return o, command.Usagef("--dump %s: %s has no buffer %q", arg, file.Name, name)
		}
		o.dump = append(o.dump, bufferDump{b, path})
	}
	return o, nil
}

// show prints and writes buffers.
func (o *outputs) show(c *cli.Context, run *session.Session) error {
	for _, p := range o.print {
		if err := run.WriteSelection(c.App.Writer, p); err != nil {
			return err
		}
	}
	for _, d := range o.dump {
		if err := command.WriteData(c, d.file, func(w io.Writer) error {
			return run.WriteBuffer(w, d.buffer,
				filepath.Ext(d.file) == ".npy")
		}); err != nil {
			return err
		}
	}
	return nil
}
