// Requests: a kernel and its launches, as text or as files.

package serve

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/input"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Kernel is the input of check, explore, fix and analyze.
type Kernel struct {
	PTX        string `json:"ptx,omitempty" jsonschema:"the PTX"`
	File       string `json:"file,omitempty" jsonschema:"the file of the PTX below the root of the server, in place of ptx"`
	Launch     string `json:"launch,omitempty" jsonschema:"the launch file (YAML): buffers, and launches with kernel, grid, block, args"`
	LaunchFile string `json:"launch_file,omitempty" jsonschema:"the launch file below the root of the server, in place of launch"`

	Schedules      int     `json:"schedules,omitempty" jsonschema:"explore and fix: the number of schedules"`
	Seed           uint64  `json:"seed,omitempty" jsonschema:"seed of random schedules"`
	SelfTest       bool    `json:"self_test,omitempty" jsonschema:"check and explore: a clean verdict needs that a race planted into the kernel is found"`
	TimeoutSeconds float64 `json:"timeout_seconds,omitempty" jsonschema:"time limit, if smaller than that of the server"`
	MemoryBytes    uint64  `json:"memory_bytes,omitempty" jsonschema:"limit of device memory, if smaller than that of the server"`
}

// call is one execution of a tool.
type call struct {
	*Server
	*Kernel
	*Answer
	ctx     context.Context
	program *session.Program
	file    *launch.File // nil without launches
}

// read reads the kernel and its launches, and puts their hashes into the answer.
func (c *call) read() error {
	text, name, err := c.text("ptx", c.Kernel.PTX, "file", c.File, "kernel.ptx", MaxFile)
	if err != nil {
		return err
	}
	c.Answer.PTX = hash(text)
	if c.program, err = session.Parse(name, text); err != nil {
		return err
	}
	if c.Kernel.Launch == "" && c.LaunchFile == "" {
		return nil
	}
	if text, name, err = c.text("launch", c.Kernel.Launch, "launch_file", c.LaunchFile, "launch.yaml", launch.MaxFileBytes); err != nil {
		return err
	}
	return c.parseLaunch(name, text)
}

// parseLaunch parses a launch file. The files that it names are below the root: beside the launch file, or, for a text, in the root.
func (c *call) parseLaunch(name string, text []byte) (err error) {
	c.Answer.Launch = hash(text)
	if c.file, err = launch.Parse(name, text, launch.Options{MaxBytes: c.memory()}); err != nil {
		return err
	}
	if len(c.file.DataFiles()) == 0 {
		return nil
	}
	if c.Root == "" {
		return fmt.Errorf("%s: it names the file %s, and the server was started without a root for files", name, c.file.DataFiles()[0])
	}
	return c.file.Locate(c.beside(), launch.Options{MaxBytes: c.memory(), Root: c.Root})
}

// text returns a text that is given as such, or in a file below the root, and its name for messages.
func (c *call) text(ofText, text, ofFile, file, name string, limit int64) ([]byte, string, error) {
	switch {
	case text != "" && file != "":
		return nil, "", fmt.Errorf("expected one of %s and %s, found both", ofText, ofFile)
	case text != "":
		return []byte(text), name, nil
	case file == "":
		return nil, "", fmt.Errorf("expected %s or %s", ofText, ofFile)
	case c.Root == "":
		return nil, "", fmt.Errorf("%s: the server was started without a root for files; give the text as %s", ofFile, ofText)
	}
	data, err := input.ReadIn(c.Root, c.below(file), limit)
	return data, file, err
}

// beside returns the folder of the launch file, and for a text the root.
func (c *call) beside() string {
	if c.LaunchFile == "" {
		return c.Root
	}
	return filepath.Dir(c.below(c.LaunchFile))
}

// below returns the path of a file that a call names relative to the root.
func (c *call) below(file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(c.Root, file)
}

// memory returns the limit of device memory in bytes.
func (c *call) memory() uint64 {
	if own := c.MemoryBytes; own > 0 && (c.MemoryLimit == 0 || own < c.MemoryLimit) {
		return own
	}
	return c.MemoryLimit
}

// options returns the options of sessions: the detector precise, within the limits of the call.
func (c *call) options() (session.Options, error) {
	dets, err := session.ParseDetectors("precise")
	cfg := emu.Config{Seed: c.Seed, MemoryLimit: c.memory(), Workers: 1}
	return session.Options{Detectors: dets, Emulator: cfg, ErrorLevel: report.Error}, err
}

// plan returns the launches. Without a launch file they are guesses, which the answer says.
func (c *call) plan() (*session.Plan, error) {
	if c.file == nil {
		text, err := session.Template(c.ctx, c.program, c.program.Module.Kernels(), nil)
		if err != nil {
			return nil, err
		}
		if c.Guessed = text; c.ctx.Err() != nil {
			return nil, session.Ended(c.ctx)
		}
		if err = c.parseLaunch("launch.yaml", []byte(text)); err != nil {
			return nil, err
		}
	}
	if c.file.Guessed {
		c.leave("the launches are guesses: sizes, numbers and contents of others may show more")
	}
	plan, err := session.NewPlan(c.program, c.file, 0)
	if err != nil {
		return nil, err
	}
	return plan, c.unlaunched(plan)
}

// unlaunched names the kernels that no launch executes.
func (c *call) unlaunched(plan *session.Plan) error {
	launched := make(map[string]bool)
	for i := range plan.Launches {
		launched[plan.KernelName(i)] = true
	}
	for _, k := range c.program.Module.Kernels() {
		if k.Defined() && !launched[k.Name] {
			c.leave("%s: no launch executes it", report.Demangle(k.Name))
		}
	}
	if len(launched) == 0 {
		return errors.New("there is no launch")
	}
	return nil
}
