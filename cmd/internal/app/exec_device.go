// exec --device gpu: applications on their own GPU.

package app

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/internal/cuda"
	"github.com/ptxsan/ptxsan/internal/cuda/application"
	"github.com/ptxsan/ptxsan/internal/cuda/attached"
	"github.com/ptxsan/ptxsan/internal/cuda/shim"
	"github.com/ptxsan/ptxsan/internal/gpu"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// attachedAction runs an application with its own driver. A library in front of the driver instruments the modules that
// the application loads.
func attachedAction(c *cli.Context) error {
	ordinal, err := gpu.Number(c.String("device"))
	if err != nil {
		return command.Usagef("--device: %w", err)
	}
	o, err := attachedOptions(c)
	if err != nil {
		return err
	}
	capability, err := gpu.Capability(ordinal)
	if err != nil {
		return command.BadInput(err)
	}
	o.Target = cuda.Target{Major: uint32(capability) / 10, Minor: uint32(capability) % 10}
	driver, err := gpu.File()
	if err != nil {
		return command.BadInput(err)
	}
	dir, err := libraries(c)
	if err != nil {
		return err
	}
	front := shim.Front(dir)
	if front == "" {
		return command.Usagef("--device: applications run on a GPU where the processor is amd64 or arm64")
	}
	app, err := application.Prepare(c.Args().First(), front)
	if err != nil {
		return command.BadInput(err)
	}
	// The library in front of the driver must not be replaced by the drop-in, where an exec on the emulator is the
	// driver.
	cmd := &application.Command{
		Libraries: front, Variables: append(standIns(dir), toolsFirst(dir)...),
		Preload: []string{filepath.Join(front, shim.Register)}, NoAudit: shim.RedirectName,
		Always: []string{attached.DriverVariable + "=" + driver},
	}
	if c.String("device") != "gpu" {
		cmd.Always = append(cmd.Always, visible+"="+visibleDevice(os.Getenv(visible), ordinal, c.String("device")))
	}
	return serving(c, cmd, func(cmd *application.Command, socket string) (int, *report.Report, error) {
		cmd.Always = append(cmd.Always, attached.SocketVariable+"="+socket)
		return attach(c, cmd, app, o, socket)
	})
}

// visible is the environment variable by which CUDA selects the GPUs that an application can use.
const visible = "CUDA_VISIBLE_DEVICES"

// visibleDevice returns the name of the GPU with a given number among the visible ones.
func visibleDevice(list string, ordinal int, name string) string {
	if words := strings.Split(list, ","); list != "" && ordinal < len(words) {
		return words[ordinal]
	}
	return strings.TrimPrefix(name, "gpu:")
}

// attachedOptions returns the options for launches on a GPU from the flags.
func attachedOptions(c *cli.Context) (*cuda.Options, error) {
	for _, name := range []string{
		"arch", "multiprocessors", "devices", "torch-host", "sample", "time-budget", "host-memory", "leak-check",
		"no-api-errors", "save", "schedule", "seed",
	} {
		if c.IsSet(name) {
			return nil, command.Usagef("--%s: only the emulator has it; expected --device emu", name)
		}
	}
	if err := detectorOnGPU(c); err != nil {
		return nil, err
	}
	o, err := deviceOptions(c)
	if err != nil {
		return nil, err
	}
	if err = (&session.Options{Detectors: o.Detectors, Emulator: o.Emulator}).CheckGPU(); err != nil {
		return nil, command.BadInput(err)
	}
	_, _, err = knownOf(c) // before anything runs
	return o, err
}

// attach runs the application on its GPU.
func attach(c *cli.Context, cmd *application.Command, app *application.Prepared, o *cuda.Options,
	socket string,
) (int, *report.Report, error) {
	server, err := attached.Listen(socket, o)
	if err != nil {
		return 0, nil, err
	}
	return runServed(c, cmd, app, o, server, func(rep *report.Report) {
		for _, other := range server.Reports() {
			rep.Merge(other)
			if rep.Device == "" {
				rep.Device = other.Device
			}
		}
	})
}
