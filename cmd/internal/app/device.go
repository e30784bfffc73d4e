// The flag --device, and the command devices.

package app

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/internal/gpu"
)

func deviceFlag(more string) cli.Flag {
	return &cli.StringFlag{Name: "device", Value: "emu", Usage: "run on `DEVICE`: emu (the emulator), gpu (the first NVIDIA GPU), gpu:N" + more, Category: command.CatExecution}
}

// onBoth is the value of --device that compares a GPU with the emulator.
const onBoth = "both"

// deviceOf opens the GPU that --device names, nil for the emulator.
func deviceOf(c *cli.Context) (gpu.Runner, error) {
	name := c.String("device")
	if name == "emu" || name == "" { // explore has no such flag
		return nil, nil
	}
	if c.IsSet("schedules") {
		return nil, command.Usagef("--schedules: only the emulator runs schedules of one's choice; expected --device emu")
	}
	if name == onBoth {
		name = "gpu"
	}
	dev, err := gpu.Named(name)
	if err != nil {
		return nil, command.BadInput(err)
	}
	return dev, nil
}

// detectorOnGPU selects iguard if no detector is named: the default one needs the emulator.
func detectorOnGPU(c *cli.Context) error {
	if c.IsSet("detector") {
		return nil
	}
	return c.Set("detector", "iguard")
}

// devicesName is the name of the command devices.
const devicesName = "devices"

func devicesCommand() *cli.Command {
	return &cli.Command{
		Name:     devicesName,
		Category: "Execution",
		Usage:    "list the GPUs that --device can name",
		Description: `Loads the CUDA driver, if there is one, and lists its GPUs: number, name, compute
capability, memory, CUDA version of the driver. Nothing else of ptxsan needs a driver.

Example:
   ptxsan devices`,
		Action: devicesAction,
	}
}

func devicesAction(c *cli.Context) error {
	n, err := gpu.Count()
	if err != nil {
		return command.BadInput(err)
	}
	for i := range n {
		d, err := gpu.Open(i)
		if err != nil {
			return command.BadInput(err)
		}
		fmt.Fprintf(c.App.Writer, "gpu:%d  %s\n", i, d)
	}
	return nil
}
