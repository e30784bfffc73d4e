// Requests: a kernel and its launches, as text or as files.

package serve

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/input"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Kernel is the part of their inputs that check, explore, fix, sync and analyze share.
type Kernel struct {
	PTX            string  `json:"ptx" jsonschema:"the PTX, or in one line the path of a file of it below the root of the server"`
	Launch         string  `json:"launch,omitempty" jsonschema:"the launch file (YAML: buffers, and launches with kernel, grid, block, args), or its path below the root of the server; without it launches are guessed"`
	TimeoutSeconds float64 `json:"timeout_seconds,omitempty" jsonschema:"time limit, if smaller than that of the server"`
	MemoryBytes    uint64  `json:"memory_bytes,omitempty" jsonschema:"limit of device memory, if smaller than that of the server"`
}

// CheckInput is the input of check.
type CheckInput struct {
	Kernel
	Seed     uint64 `json:"seed,omitempty" jsonschema:"seed of the schedule"`
	SelfTest bool   `json:"self_test,omitempty" jsonschema:"a clean verdict needs that a race planted into the kernel is found"`
}

// ExploreInput is the input of explore.
type ExploreInput struct {
	Kernel
	Schedules int    `json:"schedules,omitempty" jsonschema:"the number of schedules; without it, the search ends when it shows nothing new"`
	Seed      uint64 `json:"seed,omitempty" jsonschema:"seed of random schedules"`
	SelfTest  bool   `json:"self_test,omitempty" jsonschema:"a clean verdict needs that a race planted into the kernel is found"`
}

// FixInput is the input of fix.
type FixInput struct {
	Kernel
	Schedules int `json:"schedules,omitempty" jsonschema:"the number of schedules under which a repair is verified"`
}

// AnalyzeInput is the input of analyze.
type AnalyzeInput struct{ Kernel }

// request is the input of one of the tools.
type request struct {
	Kernel
	Schedules int
	Seed      uint64
	SelfTest  bool
	Lines     []int
}

func (in CheckInput) request() request {
	return request{Kernel: in.Kernel, Seed: in.Seed, SelfTest: in.SelfTest}
}

func (in ExploreInput) request() request {
	return request{Kernel: in.Kernel, Schedules: in.Schedules, Seed: in.Seed, SelfTest: in.SelfTest}
}

func (in FixInput) request() request { return request{Kernel: in.Kernel, Schedules: in.Schedules} }

func (in AnalyzeInput) request() request { return request{Kernel: in.Kernel} }

// badRequest is an error that is the client's.
type badRequest struct{ error }

func (e *badRequest) Unwrap() error { return e.error }

// asked returns the error of a request, nil for nil.
func asked(err error) error {
	if err == nil {
		return nil
	}
	return &badRequest{err}
}

// call is one execution of a tool.
type call struct {
	*Server
	*request
	*Answer
	ctx     context.Context
	program *session.Program
	file    *launch.File // nil without launches
	folder  string       // of the launch file below the root, if it is one
}

// read reads the kernel and its launches, and puts their hashes into the answer.
func (c *call) read() error {
	text, name, err := c.text(c.Kernel.PTX, "ptx", "kernel.ptx", MaxFile)
	if err != nil {
		return asked(err)
	}
	c.PTX = hash(text)
	if c.program, err = session.Parse(name, text); err != nil {
		return asked(err)
	}
	if c.Kernel.Launch == "" {
		return nil
	}
	if text, name, err = c.text(c.Kernel.Launch, "launch", "launch.yaml", launch.MaxFileBytes); err != nil {
		return asked(err)
	}
	if c.folder = c.Root; name == c.Kernel.Launch {
		c.folder = filepath.Dir(c.below(name))
	}
	return asked(c.parseLaunch(name, text))
}

// parseLaunch parses a launch file. The files that it names are below the root: beside the launch file, or, for a text,
// in the root.
func (c *call) parseLaunch(name string, text []byte) (err error) {
	c.Launch = hash(text)
	if c.file, err = launch.Parse(name, text, launch.Options{MaxBytes: c.memory()}); err != nil {
		return err
	}
	if len(c.file.DataFiles()) == 0 {
		return nil
	}
	if c.Root == "" {
		return fmt.Errorf("%s: it names the file %s, and the server was started without a root for files", name,
			c.file.DataFiles()[0])
	}
	return c.file.Locate(c.folder, launch.Options{MaxBytes: c.memory(), Root: c.Root})
}

// text returns a text that is given as such, in several lines, or by the path of a file below the root, and its name
// for messages.
func (c *call) text(given, field, name string, limit int64) ([]byte, string, error) {
	switch {
	case strings.TrimSpace(given) == "":
		return nil, "", fmt.Errorf("%s: expected a text, or the path of a file", field)
	case strings.Contains(given, "\n"):
		return []byte(given), name, nil
	case c.Root == "":
		return nil, "", fmt.Errorf("%s: %q is one line, and so the path of a file, but the server was started without a root for files; give the text", field, shortened(given, 80))
	}
	data, err := input.ReadIn(c.Root, c.below(given), limit)
	return data, given, err
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
	return session.Options{Detectors: dets, Emulator: cfg, ErrorLevel: report.Error, Claims: true}, err
}

// plan returns the launches. Without a launch file they are guesses, which the answer says.
func (c *call) plan() (*session.Plan, error) {
	if len(c.program.Module.Kernels()) == 0 {
		return nil, asked(fmt.Errorf("%s has no kernel", c.program.Module.AST.File.Name))
	}
	if c.file == nil {
		text, err := session.Template(c.ctx, c.program, c.program.Module.Kernels())
		if err != nil {
			return nil, err
		}
		if c.Guessed = c.documents.keep("launch", []byte(text)); c.ctx.Err() != nil {
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
		return nil, asked(err)
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
		return asked(errors.New("there is no launch"))
	}
	return nil
}
