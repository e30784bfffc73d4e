// Comparing the results of the emulator with those of the host.

package differential

import (
	"bytes"
	"context"
	"fmt"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/rewrite"
)

// A Way is a configuration in which the emulator runs programs.
type Way struct {
	Name   string
	Config emu.Config
}

// Ways returns all policies in both tiers (Go and assembly), and with several workers. The seed is that of schedules.
func Ways(seed uint64) []Way {
	policies := []Way{
		{"its", emu.Config{Policy: emu.ITS}},
		{"lockstep", emu.Config{Policy: emu.Lockstep}},
		{"random", emu.Config{Policy: emu.Random, Seed: seed}},
		{"pct", emu.Config{Policy: emu.PCT, Seed: seed}},
	}
	ways := policies
	for _, w := range policies {
		w.Name, w.Config.NoVector = w.Name+"-go", true
		ways = append(ways, w)
	}
	return append(ways, Way{"its-workers", emu.Config{Policy: emu.ITS, Workers: 2}})
}

// A Difference is a program with different results in the emulator and the reference.
type Difference struct {
	Program *Program
	Way     Way
	What    string
}

// String returns the difference in one line.
func (d Difference) String() string {
	return fmt.Sprintf("program %d, input %d, %s: %s", d.Program.Seed, d.Program.Data, d.Way.Name, d.What)
}

// Compare runs the programs of a batch in PTX: with the first input in all ways, with each further one in one of the
// ways. wanted are the results of the reference.
func Compare(ctx context.Context, b *Batch, ptx []byte, ways []Way, wanted [][]byte) ([]Difference, error) {
	mod, err := Load("batch.ptx", ptx)
	if err != nil {
		return nil, err
	}
	var list []Difference
	for i, w := range ways {
		found, err := compareWay(ctx, inTurn(b.Runs(), i, len(ways)), mod, w, wanted)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", w.Name, err)
		}
		list = append(list, found...)
	}
	return list, nil
}

// inTurn replaces by nil the runs that are not for way i of n.
func inTurn(runs []*Program, i, n int) []*Program {
	for k, p := range runs {
		if p.Data > 0 && (k+int(p.Data))%n != i {
			runs[k] = nil
		}
	}
	return runs
}

// compareWay executes the runs that are not nil.
func compareWay(ctx context.Context, runs []*Program, mod *rewrite.Module, w Way, wanted [][]byte) (list []Difference, err error) {
	r, err := NewRunner(mod, w.Config)
	if err != nil {
		return nil, err
	}
	for i, p := range runs {
		if p == nil {
			continue
		}
		got, err := r.Run(ctx, p)
		switch {
		case err != nil:
			list = append(list, Difference{p, w, err.Error()})
		case !bytes.Equal(got, wanted[i]):
			list = append(list, Difference{p, w, Describe(got, wanted[i])})
		}
	}
	return list, ctx.Err()
}

// Check compiles a batch for the device and the host, and compares the results.
func (t *Toolchain) Check(ctx context.Context, b *Batch, build Build, ways []Way) ([]Difference, error) {
	type compiled struct {
		ptx []byte
		err error
	}
	done := make(chan compiled, 1)
	go func() {
		ptx, err := t.PTX(ctx, b, build)
		done <- compiled{ptx, err}
	}()
	wanted, err := t.Reference(ctx, b)
	c := <-done
	if err != nil {
		return nil, err
	}
	if c.err != nil {
		return nil, c.err
	}
	return Compare(ctx, b, c.ptx, ways, wanted)
}
