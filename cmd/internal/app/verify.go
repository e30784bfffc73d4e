// ptxsan verify: the check of certificates that analyze --certificate writes.

package app

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/internal/analysis"
	"github.com/ptxsan/ptxsan/internal/certificate"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

func verifyCommand() *cli.Command {
	return &cli.Command{
		Name:      "verify",
		Category:  "Analysis",
		Usage:     "check a certificate of analyze again, without a search",
		ArgsUsage: "CERTIFICATE FILE.ptx",
		Description: `Checks what "ptxsan analyze --certificate" wrote: that it is for this PTX, that each pair
of accesses of the kernels is proved, under the facts that it says, and that each recorded
proof holds. With --host, --facts or --launch, also that these facts are its own. A proof by a
run of a launch file needs --launch, and the run is made once more.

The exit code is 0 if the certificate holds and proves a kernel, 1 if it does not hold, 2
if it is no certificate, 5 if it proves no kernel.

Examples:
   ptxsan analyze --host app.cu --certificate k.cert k.ptx
   ptxsan verify k.cert k.ptx
   ptxsan analyze --launch k.yaml --certificate k.cert k.ptx
   ptxsan verify --launch k.yaml k.cert k.ptx`,
		Flags: slices.Concat(command.SourceFlags(), factFlags(), []cli.Flag{
			command.LaunchFlag(), command.RootFlag(), command.NoCheckFlag(), command.TimeoutFlag(),
			command.OutputFlag(),
		}),
		Action: command.Timed(verifyAction),
	}
}

func verifyAction(c *cli.Context) error {
	if c.NArg() != 2 {
		return command.Usagef("expected a certificate and a PTX file, found %d arguments", c.NArg())
	}
	src, err := command.ReadInput(c, c.Args().First(), certificate.MaxBytes)
	if err != nil {
		return err
	}
	cert, err := certificate.Read(src)
	if err != nil {
		return command.BadInput(fmt.Errorf("%s: %w", command.DisplayName(c.Args().First()), err))
	}
	mod, err := command.ReadModule(c, c.Args().Get(1))
	if err != nil {
		return err
	}
	var given []*facts.File
	var file *launch.File
	named := ""
	if r := cert.Run; r != nil {
		if named = r.Launch.Name; c.String("launch") == "" {
			return command.Usagef("%s rests on a run of %s: expected that file, as --launch",
				command.DisplayName(c.Args().First()), command.DisplayName(named))
		}
	}
	if len(c.StringSlice("host"))+len(c.StringSlice("facts"))+len(c.String("launch")) > 0 {
		if given, file, err = launchFacts(c, session.NewProgram(mod), named); err != nil {
			return err
		}
	}
	command.Running(c.Context)
	var refused *certificate.Refusal
	switch err = cert.Verify(c.Context, session.NewProgram(mod), given, file); {
	case errors.As(err, &refused):
		fmt.Fprintf(c.App.ErrWriter, "ptxsan: %s: %v\n", command.DisplayName(c.Args().First()), err)
		return command.Exit(1)
	case c.Err() != nil:
		return &command.Error{Code: command.Failed, Err: fmt.Errorf("%s: not finished in the time allowed, %w",
			command.DisplayName(c.Args().First()), session.Ended(c.Context))}
	case err != nil:
		return err
	}
	clean, _ := cert.Proved()
	if err = command.WriteOutput(c, c.String("output"), cert.WriteText); err != nil {
		return err
	}
	if len(clean) == 0 {
		return command.Exit(5)
	}
	return nil
}

// writeCertificate writes the certificate of an analysis, if one is wanted, and notes in the report what it proves.
func writeCertificate(c *cli.Context, mod *rewrite.Module, o analysis.Options, rep *report.Report) error {
	name := c.String("certificate")
	if name == "" {
		return nil
	}
	p := session.NewProgram(mod)
	cert, err := certificate.Make(c.Context, p, o)
	if err == nil {
		err = cert.AddRun(c.Context, p, o.File, rep.Proofs)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		rep.Notes = append(rep.Notes, name+" is not written: the time is over")
		return nil
	}
	if err != nil {
		return err
	}
	clean, open := cert.Proved()
	if len(clean) == 0 {
		rep.Notes = append(rep.Notes, name+" is not written: no kernel is proved")
		return nil
	}
	if open > 0 {
		rep.Notes = append(rep.Notes, fmt.Sprintf("%s proves %d of %d kernels and places", name, len(clean),
			len(cert.Kernels)))
	}
	return command.WriteOutput(c, name, cert.Write)
}
