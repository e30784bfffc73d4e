// CUDA source in place of PTX.

package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/limits"
	"github.com/ptxsan/ptxsan/internal/static/hostcode"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session"
	"github.com/ptxsan/ptxsan/runtime/session/source"
)

// keepFlag is the flag that keeps the PTX of CUDA source.
const keepFlag = "keep"

// archFlag is the flag of commands that read CUDA source.
const archFlag = "arch"

// SourceFlags returns the flags of commands that read CUDA source, too: how it is compiled.
func SourceFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: archFlag, Usage: "compile CUDA source for `ARCHITECTURE`", DefaultText: source.DefaultArch + ", or what the source needs", Category: CatInput},
		&cli.StringSliceFlag{Name: "define", Aliases: []string{"D"}, Usage: "define the macro `NAME[=TEXT]` in CUDA source; repeatable", Category: CatInput},
		&cli.StringSliceFlag{Name: "include", Aliases: []string{"I"}, Usage: "also look for headers of CUDA source in `DIR`; repeatable", Category: CatInput},
		&cli.BoolFlag{
			Name:  keepFlag,
			Usage: "write the PTX of CUDA source k.cu, or of a program, to the file that reports name, k.cu.ptx", Category: CatOutput,
		},
	}
}

// SourceOptions returns the values of SourceFlags.
func SourceOptions(c *cli.Context) source.Options {
	return source.Options{
		Arch: c.String(archFlag), Defines: c.StringSlice("define"),
		Includes: c.StringSlice("include"), Depends: c.Bool("watch"),
	}
}

// readKey is the key of the files that the last compilation has read among the application's metadata.
const readKey = "read"

// hostKey is the key of the host code of the source that was compiled last, among the application's metadata.
const hostKey = "host"

// withoutTemplate are the commands that compile a source and launch nothing.
var withoutTemplate = []string{"analyze", "verify"}

// FilesRead returns the files that the last compilation has read with --watch, none before the first that succeeded.
func FilesRead(c *cli.Context) []string {
	list, _ := c.App.Metadata[readKey].([]string)
	return list
}

// compiles reports whether a command compiles a file instead of reading it.
func compiles(c *cli.Context, name string) bool {
	return source.Is(name) && slices.ContainsFunc(c.Command.Flags,
		func(f cli.Flag) bool { return f.Names()[0] == archFlag })
}

// compile compiles CUDA source, and says by what. An error in it is what the compiler prints.
func compile(c *cli.Context, name string) (*ptxgrammar.Module, error) {
	if _, err := ReadInput(c, name, limits.SourceBytes); err != nil {
		return nil, err
	}
	ctx := c.Context
	if d := c.Duration("timeout"); d > 0 { // ends the compiler, which the command's own limit does not know
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, d, TimeoutCause(d))
		defer cancel()
	}
	if c.String("launch") == "" && !slices.Contains(withoutTemplate, c.Command.Name) { // meanwhile
		c.App.Metadata[hostKey] = hostOf(c, name)
	}
	u, err := source.Compile(ctx, name, SourceOptions(c))
	var refused *hostcode.CompileError
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("the compilation was not finished: %w", session.Ended(ctx))
	case errors.As(err, &refused):
		return nil, BadInput(fmt.Errorf("%s is not compiled: %s\n%s", name, refused.Command,
			strings.TrimRight(refused.Text, "\n")))
	case err != nil:
		return nil, BadInput(err)
	}
	c.App.Metadata[readKey] = u.Read
	fmt.Fprintf(c.App.ErrWriter, "ptxsan: compiled with %s\n", u.Command)
	if u.Refused != nil {
		fmt.Fprintf(c.App.ErrWriter, "ptxsan: note: another compiler was tried first: %v\n", u.Refused)
	}
	if u.Why != "" {
		fmt.Fprintf(c.App.ErrWriter, "ptxsan: note: for %s, since %s\n", u.Arch, u.Why)
	}
	if c.Bool(keepFlag) {
		err = WriteData(c, source.PTXName(name), func(w io.Writer) error {
			_, wrong := w.Write(u.PTX)
			return wrong
		})
	}
	return u.Tree, err
}

// HostFlag returns the flag that names the host code of a file.
func HostFlag() cli.Flag {
	return &cli.StringFlag{Name: hostKey, Usage: "take the launches that the host code in `FILE` makes with constants, which clang reads", DefaultText: "the file itself, of CUDA source", Category: CatInput}
}

// hostOf begins to read the host code that launches the kernels of a file: that of --host, or of the file itself; nil
// without any.
func hostOf(c *cli.Context, name string) *source.HostCode {
	host := name
	if slices.ContainsFunc(c.Command.Flags, func(f cli.Flag) bool { return f.Names()[0] == hostKey }) &&
		c.String(hostKey) != "" {
		host = c.String(hostKey)
	} else if !source.Is(name) {
		return nil
	}
	return source.ReadHost(c.Context, host, SourceOptions(c))
}

// SourceLaunches returns the launches that host code makes of the chosen kernels of a file, or a template for them.
func SourceLaunches(c *cli.Context, name string, mod *rewrite.Module, kernels []*rewrite.Func) (*launch.File, error) {
	host, _ := c.App.Metadata[hostKey].(*source.HostCode)
	if host == nil {
		host = hostOf(c, name)
	}
	delete(c.App.Metadata, hostKey)
	f, err := source.Launches(c.Context, name, session.NewProgram(mod), kernels, host)
	return f, BadInput(err)
}
