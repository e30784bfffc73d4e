package main

import (
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/emu/support"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

// What a module uses that the emulator approximates or does not have.

func strictFlag() cli.Flag {
	return &cli.BoolFlag{Name: "strict", Usage: "refuse a program that uses anything that the emulator only approximates; ptxsan inspect lists it", Category: catExecution}
}

// checkStrict is the error of a module whose ledger is not empty, under --strict.
func checkStrict(c *cli.Context, mod *rewrite.Module) error {
	if !c.Bool("strict") {
		return nil
	}
	list := support.Differences(mod)
	if len(list) == 0 {
		return nil
	}
	msg := "--strict refuses " + describeEntry(&list[0])
	if n := len(list) - 1; n > 0 {
		msg += fmt.Sprintf("; ptxsan inspect lists this and %d more", n)
	}
	return badInput(&ptxgrammar.Error{Pos: list[0].At[0], Msg: msg})
}

// describeEntry is an entry of the ledger in words, without its first place.
func describeEntry(e *support.Difference) string {
	s := e.Why
	if e.What != "" {
		s = e.What + ": " + s
	}
	if n := len(e.At) - 1; n > 0 {
		s += fmt.Sprintf(" (and %d more)", n)
	}
	return s
}

// inspectLedger lists a module's ledger.
func inspectLedger(w io.Writer, mod *rewrite.Module) {
	for _, e := range support.Differences(mod) {
		kind := "approximate"
		if e.Unsupported {
			kind = "unsupported"
		}
		fmt.Fprintf(w, "  %s, line %d: %s\n", kind, e.At[0].Line, describeEntry(&e))
	}
}
