package main

import (
	"cmp"
	"fmt"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
)

// planned is a launch with its kernel found.
type planned struct {
	*launch.Launch
	kernel  *rewrite.Func
	checked bool // selected by --kernel: its races are reported
}

// cluster is the extent of the launch's clusters; ones or zeros without clusters.
func (p planned) cluster() [3]uint32 {
	if required := emu.RequiredCluster(p.kernel); required != (emu.Dim3{}) {
		return array3(required)
	}
	return p.Cluster
}

// planLaunches finds the kernels of all launches and checks their arguments and
// size, so that mistakes show before anything runs. With a glob, at least one launch
// must match.
func planLaunches(mod *rewrite.Module, file *launch.File, glob string, exec execution) ([]planned, error) {
	if _, err := kernelsMatching(mod, glob); err != nil {
		return nil, err
	}
	var plan []planned
	selected := false
	for i := range file.Launches {
		l := &file.Launches[i]
		k, err := kernelOf(mod, l)
		if err != nil {
			return nil, err
		}
		if err := checkArgs(l, k.Params); err != nil {
			return nil, badInput(err)
		}
		if err := checkSize(l, cmp.Or(exec.config.MaxSteps, emu.DefaultMaxSteps)); err != nil {
			return nil, badInput(err)
		}
		p := planned{l, k, matchKernel(glob, k.Name)}
		selected = selected || p.checked
		plan = append(plan, p)
	}
	if !selected {
		return nil, usagef("--kernel %q matches no launch of %s", glob, file.Name)
	}
	return plan, nil
}

// checkSize refuses a launch that cannot end within the limit of steps: each warp
// takes one at least.
func checkSize(l *launch.Launch, steps uint64) error {
	blocks := uint64(l.Grid[0]) * uint64(l.Grid[1]) * uint64(l.Grid[2]) // below 2^63
	warps := (uint64(l.Block[0])*uint64(l.Block[1])*uint64(l.Block[2]) + 31) / 32
	if blocks > steps/warps {
		return l.Errorf("grid %v has %d blocks of %d warps: more than the limit of %d warp instructions (--max-steps) lets run", l.Grid, blocks, warps, steps)
	}
	return nil
}

// checkArgs converts the arguments once, with addresses that do not matter.
func checkArgs(l *launch.Launch, params []*rewrite.Var) error {
	if err := checkArgCount(l, params); err != nil {
		return err
	}
	for i, v := range params {
		if l.Args[i].TensorMapByValue(paramOf(v)) {
			continue
		}
		if _, err := l.Args[i].Bytes(paramOf(v), func(string) uint64 { return 0 }); err != nil {
			return err
		}
	}
	return nil
}

func checkArgCount(l *launch.Launch, params []*rewrite.Var) error {
	if len(l.Args) == len(params) {
		return nil
	}
	want := ""
	for i, v := range params {
		if i > 0 {
			want += ", "
		}
		want += describeParam(paramOf(v))
	}
	if want == "" {
		want = "none"
	}
	return l.ArgsPos.Errorf("kernel %s takes %d arguments, found %d; expected: %s", l.Kernel, len(params), len(l.Args), want)
}

func describeParam(p launch.Param) string {
	if p.Array {
		return fmt.Sprintf("%s (%d bytes by value)", p.Name, p.Size)
	}
	return fmt.Sprintf("%s (.%s)", p.Name, p.Type)
}
