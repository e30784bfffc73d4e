// The flag --strict.

package command

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/internal/support"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

// StrictFlag returns the flag --strict.
func StrictFlag() cli.Flag {
	return &cli.BoolFlag{
		Name:  "strict",
		Usage: "report what a compiler does on purpose as errors, and, except under exec, refuse a program that uses instructions which the emulator only approximates; ptxsan inspect lists them", Category: CatExecution,
	}
}

// CheckStrict returns a bad-input error, under --strict, for a module with features that the emulator approximates.
func CheckStrict(c *cli.Context, mod *rewrite.Module) error {
	if !c.Bool("strict") {
		return nil
	}
	list := support.Differences(mod)
	if len(list) == 0 {
		return nil
	}
	msg := "--strict refuses " + list[0].String()
	if n := len(list) - 1; n > 0 {
		msg += fmt.Sprintf("; ptxsan inspect lists this and %d more", n)
	}
	return BadInput(&ptxgrammar.Error{Pos: list[0].At[0], Msg: msg})
}
