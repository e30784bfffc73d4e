// What a kernel needs, printed when there is no launch file.

package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// explainLaunch says on standard error what the kernels need and prints a launch
// file for the first one on standard output. It always returns an error: nothing
// was checked.
func explainLaunch(c *cli.Context, mod *rewrite.Module) error {
	kernels, err := kernelsMatching(mod, c.String("kernel"))
	if err != nil {
		return err
	}
	if len(kernels) == 0 {
		return usagef("%s: the module has no kernels", mod.AST.File.Name)
	}
	for _, k := range kernels {
		fmt.Fprintf(c.App.ErrWriter, "kernel %s needs:\n", report.Demangle(k.Name))
		for i, p := range session.KernelParams(k) {
			fmt.Fprintf(c.App.ErrWriter, "  argument %d: %s%s%s\n", i, session.DescribeParam(p), session.PointerNote(p), argumentNote(p))
		}
		if len(k.Params) == 0 {
			fmt.Fprintf(c.App.ErrWriter, "  no arguments\n")
		}
		if session.UsesDynamicShared(k) {
			fmt.Fprintf(c.App.ErrWriter, "  shared: bytes of dynamic shared memory\n")
		}
	}
	k := kernels[0]
	fmt.Fprint(c.App.Writer, launch.Template(k.Name, session.KernelParams(k), session.BlocksFor(k), session.RequiredBlock(k), session.UsesDynamicShared(k)))
	return usagef("check needs --launch FILE; a launch file to start from is on standard output")
}

func argumentNote(p launch.Param) string {
	switch {
	case p.Pointer:
		return ": the name of a buffer"
	case p.Array:
		return ": a list of its fields"
	}
	return ": a number"
}

// plainList joins words with commas, or says "none".
func plainList(words []string) string {
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, ", ")
}
