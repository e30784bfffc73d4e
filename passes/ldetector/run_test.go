// This file executes kernels under the detector, and compares races and results.

package ldetector_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	hosthalf "github.com/ptxsan/ptxsan/internal/detect/ldetector"
	"github.com/ptxsan/ptxsan/internal/passtest"
	"github.com/ptxsan/ptxsan/passes/ldetector"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

var policies = []struct {
	policy emu.Policy
	seed   uint64
}{{emu.ITS, 0}, {emu.Lockstep, 0}, {emu.Random, 1}}

const threads = 128

// execute runs a module's kernel, with the host half unless result is nil, and returns the
// buffer and the races.
func execute(t *testing.T, m *rewrite.Module, result any, dynamic uint64, p emu.Policy, seed uint64) ([]byte, []detect.Race) {
	t.Helper()
	data, races, _ := launch(t, m, result, dynamic, p, seed)
	return data, races
}

// launch is execute that also returns the number of thread instructions.
func launch(t *testing.T, m *rewrite.Module, result any, dynamic uint64, p emu.Policy, seed uint64) ([]byte, []detect.Race, uint64) {
	t.Helper()
	k := passtest.Kernel{
		Name: "k", Grid: emu.Dim3{X: 2, Y: 1, Z: 1}, Block: emu.Dim3{X: threads, Y: 1, Z: 1},
		Buffers: [][]byte{make([]byte, 8*threads)}, Policy: p, Seed: seed,
	}
	dev := k.NewDevice(t, m)
	var host *hosthalf.Detector
	lc := emu.LaunchConfig{Kernel: "k", Grid: k.Grid, Block: k.Block, Shared: dynamic, Params: binary.LittleEndian.AppendUint64(nil, dev.Addresses[0])}
	if result != nil {
		var err error
		if host, err = hosthalf.New(result.(*ldetector.Result)); err != nil {
			t.Fatal(err)
		}
		size, err := dev.SharedSize("k", dynamic)
		if err == nil {
			err = host.Launching("k", dynamic)
		}
		if err == nil {
			err = host.Prepare(dev.Machine, detect.LaunchShape{Grid: [3]uint32{2, 1, 1}, Block: [3]uint32{threads, 1, 1}, Shared: size})
		}
		if err != nil {
			t.Fatal(err)
		}
		lc.Shared = host.DynamicShared()
	}
	res, err := dev.Machine.Launch(context.Background(), lc)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range res.Faults {
		t.Fatal(f)
	}
	if host == nil {
		return dev.Buffer(t, 0), nil, res.Stats.ThreadInstructions
	}
	races, err := host.Collect(dev.Machine)
	if err != nil {
		t.Fatal(err)
	}
	if notes := host.Notes(); notes != nil {
		t.Error(notes)
	}
	return dev.Buffer(t, 0), races, res.Stats.ThreadInstructions
}

// TestManyRegions: the work of a kernel with many regions is proportional to their number, and a race in one of them is
// found.
func TestManyRegions(t *testing.T) {
	for _, pipeline := range []string{"ldetector", "ldetector<spec>"} {
		var work [2]uint64
		for i, regions := range []int{32, 512} {
			one := "mov.u32 %r4, sm; mad.lo.u32 %r4, %tid.x, 4, %r4; st.shared.u32 [%r4], %tid.x; bar.sync 0;\n"
			race := "st.shared.u32 [sm], %tid.x; bar.sync 0;\n"
			text := ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<5>;\n.shared .align 4 .b8 sm[512];\n" +
				strings.Repeat(one, regions-regions/4) + race + strings.Repeat(one, regions/4) + "ret;\n}\n"
			out := passtest.Run(t, passtest.Load(t, "k.ptx", []byte(text)), pipeline, ldetector.Pass)
			_, races, steps := launch(t, out.Module, out.Results["ldetector"], 0, emu.ITS, 0)
			if work[i] = steps / uint64(regions); len(races) == 0 {
				t.Errorf("%s, %d regions: no race", pipeline, regions)
			}
		}
		if work[1] > work[0]+work[0]/10 {
			t.Errorf("%s: %d instructions for each of 512 regions, %d for each of 32", pipeline, work[1], work[0])
		}
	}
}

// TestKernels: the races of kernels are found, with their accesses and bytes, and nothing
// else is; without races the results are those of the kernel as it is; under all schedules,
// with the copies in shared memory and in global memory, and without a host half.
func TestKernels(t *testing.T) {
	for _, k := range kernels {
		t.Run(k.name, func(t *testing.T) {
			in := passtest.Load(t, "k.ptx", []byte(program(k.before, k.body)))
			for _, pipeline := range []string{"ldetector", "ldetector<global>", "ldetector<spec>"} {
				out := passtest.Run(t, in, pipeline, ldetector.Pass)
				for i, p := range policies {
					if i > 0 && pipeline == "ldetector<global>" || p.policy != emu.Random && pipeline == "ldetector<spec>" || p.policy == emu.Lockstep && k.its {
						continue
					}
					at := fmt.Sprintf("%s, policy %v, seed %d", pipeline, p.policy, p.seed)
					want, _ := execute(t, in, nil, k.dynamic, p.policy, p.seed)
					got, races := execute(t, out.Module, out.Results["ldetector"], k.dynamic, p.policy, p.seed)
					if list := describe(races, out.Sites); !slices.Equal(list, k.want) {
						t.Errorf("%s:\n%s\nexpected\n%s", at, strings.Join(list, "\n"), strings.Join(k.want, "\n"))
					}
					if k.want != nil {
						continue
					}
					if !bytes.Equal(got, want) {
						t.Errorf("%s: results differ:\n%x\n%x", at, got, want)
					}
					if i > 0 {
						continue
					}
					if alone, _ := execute(t, out.Module, nil, k.dynamic, p.policy, p.seed); !bytes.Equal(alone, want) {
						t.Errorf("%s: without a host half results differ:\n%x\n%x", at, alone, want)
					}
				}
			}
		})
	}
}

// describe words races by their accesses, warps and bytes.
func describe(races []detect.Race, sites []abi.Site) (list []string) {
	for _, r := range races {
		list = append(list, fmt.Sprintf("%s %s by %d, %s %s by %d: bytes %#x to %#x", r.First.Access, sites[r.First.Site-1].Instruction, r.First.Thread[0]/32,
			r.Second.Access, sites[r.Second.Site-1].Instruction, r.Second.Thread[0]/32, r.Address, r.Address+uint64(r.Size)-1))
	}
	return list
}
