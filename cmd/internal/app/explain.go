// The command new, and the requirements of a kernel, which are printed when there is no launch file.

package app

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session"
	"github.com/ptxsan/ptxsan/runtime/session/source"
)

func newCommand() *cli.Command {
	return &cli.Command{
		Name:      "new",
		Category:  "Execution",
		Usage:     "write a launch file to start from",
		ArgsUsage: "FILE.ptx|FILE.cu",
		Description: `Prints a launch file with one launch for each kernel: buffers for the parameters that
are pointers, textures, surfaces and tensor maps, numbers and structs for the others,
grid and block with the dimensions that the kernel uses. Sizes are guesses: ptxsan runs a
few on the emulator, and writes those with which the kernel has no fault, reads no shared
memory that nothing has written, and executes most of its instructions. check says so as
long as the file has the key guessed. If such a file shows nothing, check tries other
guesses; check --sweep does so for every file.

Of CUDA source, and with --host, the file has the launches that host code makes with
constants in place of guesses: grid, block, shared memory, numbers, and the buffers that
it allocates. Clang reads host code, as of a program that is started without arguments.

Examples:
   ptxsan new k.ptx
   ptxsan new k.cu -o k.yaml
   ptxsan new --host k.cu k.ptx`,
		Flags: append([]cli.Flag{command.KernelFlag(), command.NoCheckFlag(), command.HostFlag(), command.OutputFlag()},
			command.SourceFlags()...),
		Action: func(c *cli.Context) error {
			name, err := c.String("host"), error(nil)
			if c.NArg() > 0 || name == "" {
				name, err = command.OneFile(c)
			}
			if err != nil {
				return err
			}
			mod, err := command.ReadModule(c, name)
			if err != nil {
				return err
			}
			command.NoteOlder(c, mod)
			kernels, err := someKernels(c, mod)
			if err != nil {
				return err
			}
			file, err := command.SourceLaunches(c, name, mod, kernels)
			if err != nil {
				return err
			}
			for _, note := range file.Notes {
				fmt.Fprintf(c.App.ErrWriter, "ptxsan: note: %s\n", note)
			}
			return command.WriteText(c, string(file.Text))
		},
	}
}

// someKernels returns the kernels that --kernel selects, or an error if there are none.
func someKernels(c *cli.Context, mod *rewrite.Module) ([]*rewrite.Func, error) {
	kernels, err := session.KernelsMatching(mod, c.StringSlice("kernel"), "--kernel")
	if err == nil && len(kernels) == 0 {
		err = command.Usagef("%s: the module has no kernels", mod.AST.File.Name)
		if name := c.Args().First(); source.Is(name) {
			err = command.Usagef("%s:1:1: the compiler makes no kernel of it: expected a __global__ function; one that is a template needs an instantiation, such as template __global__ void k<float>(float *);", name)
		}
	}
	return kernels, err
}

// guessLaunch returns a template for CUDA source. For PTX it prints the requirements of the kernels on standard error,
// and returns an error, since nothing is checked.
func guessLaunch(c *cli.Context, name string, mod *rewrite.Module) (*launch.File, error) {
	kernels, err := someKernels(c, mod)
	switch {
	case err != nil:
		return nil, err
	case source.Is(name):
		return command.SourceLaunches(c, name, mod, kernels)
	}
	for _, k := range kernels {
		session.DescribeNeeds(c.App.ErrWriter, k)
	}
	return nil, command.Usagef("%s needs --launch FILE; `ptxsan new` writes one to start from: ptxsan new %s > k.yaml", c.Command.Name, name)
}
