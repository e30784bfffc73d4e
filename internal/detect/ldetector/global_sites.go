// The accesses of races on global arrays: reads of what another block has changed, and accesses that touch the bytes of
// a race. Both are found by executions like the first pass, after a race only.

package ldetector

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// globalRace is a race between two blocks. The first one writes; it is abi.LDetectorNone if unknown.
type globalRace struct {
	kind          abi.LDetectorKind
	a             *array
	first, second uint32
	off, size     int
	noted         abi.LDetectorWatchVar
}

// known reports whether both blocks are known.
func (r *globalRace) known() bool {
	return r.first != abi.LDetectorNone && r.second != abi.LDetectorNone
}

// watched returns the races whose accesses are to be found.
func (g *Global) watched() (list []*globalRace) {
	for _, r := range g.found {
		if r.known() && len(list) < abi.LDetectorWatches {
			list = append(list, r)
		}
	}
	return list
}

// look starts an execution that finds more about the races, if there is more to find, and reports whether it did.
func (g *Global) look(dev abi.Device) (again bool, err error) {
	few := g.launch.Blocks() < 1<<abi.LDetectorMetOffsetBit
	unread := slices.ContainsFunc(g.found, func(r *globalRace) bool { return !r.known() })
	switch {
	case !g.program.Options.Sites || g.pass == notePass:
		return false, nil
	case g.pass < probePass && unread && few:
		g.pass = probePass
		if err = g.writeOwners(dev); err == nil {
			err = g.restart(dev, abi.LDetectorProbe)
		}
	case len(g.watched()) > 0:
		g.pass = notePass
		err = g.restart(dev, abi.LDetectorNote)
	default:
		return false, nil
	}
	return err == nil, err
}

// restart prepares an execution like the first pass.
func (g *Global) restart(dev abi.Device, mode abi.LDetectorMode) error {
	if err := g.restoreOthers(dev); err != nil {
		return err
	}
	for i := range g.arrays {
		a := &g.arrays[i]
		if err := dev.Write(a.copies, slices.Repeat(a.original, int(g.launch.Blocks()))); err != nil {
			return err
		}
	}
	return g.writeTable(dev, g.arrays, mode)
}

// writeOwners writes to the device which block has changed which byte.
func (g *Global) writeOwners(dev abi.Device) (err error) {
	for i := range g.arrays {
		a := &g.arrays[i]
		var p []byte
		for _, owner := range a.owners {
			p = append(p, byte(owner), byte(owner>>8), byte(owner>>16), byte(owner>>24))
		}
		if a.ownersAt, err = dev.Alloc("ldetector.owners", uint64(len(p))); err != nil {
			return fmt.Errorf("ldetector: %s: %w", a.Name, err)
		}
		if err = dev.Write(a.ownersAt, p); err != nil {
			return err
		}
	}
	return nil
}

// read reads the result of an execution.
func (g *Global) read(dev abi.Device) (*abi.LDetectorGlobalsVar, error) {
	addr, err := globals(dev)
	if err != nil {
		return nil, err
	}
	p := make([]byte, abi.LDetectorGlobalsBytes)
	if err = dev.Read(addr, p); err != nil {
		return nil, err
	}
	return abi.DecodeLDetectorGlobals(p)
}

// probed completes the first race whose writer is unknown with the read found. The race covers the bytes around the
// read, within four, that the same block has changed.
func (g *Global) probed(dev abi.Device) error {
	v, err := g.read(dev)
	if err != nil || v.Met == math.MaxUint64 {
		return err
	}
	a := &g.arrays[v.Met>>abi.LDetectorMetArrayBit]
	first := int(v.Met >> abi.LDetectorMetOffsetBit & (1<<(abi.LDetectorMetArrayBit-abi.LDetectorMetOffsetBit) - 1))
	end, owner := first+1, a.owners[first]
	for first%4 != 0 && a.owners[first-1] == owner {
		first--
	}
	for end%4 != 0 && end < len(a.owners) && a.owners[end] == owner {
		end++
	}
	r := g.found[slices.IndexFunc(g.found, func(r *globalRace) bool { return !r.known() })]
	r.a, r.off, r.size = a, first, end-first
	r.first, r.second = owner-1, uint32(v.Met&(1<<abi.LDetectorMetOffsetBit-1))
	return nil
}

// noted completes races with the accesses found.
func (g *Global) noted(dev abi.Device) error {
	v, err := g.read(dev)
	if err != nil {
		return err
	}
	for i, r := range g.watched() {
		r.noted = v.Watches[i]
	}
	return nil
}

// Collect implements detect.InKernel. It returns one race for each pair of accesses.
func (g *Global) Collect(abi.Device) (list []detect.Race, err error) {
	for _, r := range g.found {
		first, second := g.sides(r)
		for i, x := range first {
			for j, y := range second {
				if slices.Contains(first[:i], y) && slices.Contains(second[:j], x) {
					continue // the same pair in the other order
				}
				list = append(list, g.named(r, x, y))
			}
		}
	}
	return list, nil
}

// sides returns the accesses of the two blocks: those found, else all of the kernel that are possible.
func (g *Global) sides(r *globalRace) (first, second []uint32) {
	d := Detector{program: g.program}
	region := uint32(1 + slices.IndexFunc(g.program.Regions,
		func(r abi.LDetectorRegion) bool { return r.Kernel == g.kernel }))
	of := func(noted []uint32, writes bool) []uint32 {
		if len(noted) > 0 {
			return noted
		}
		return append(d.candidates(region, writes), 0)[:1]
	}
	return of(r.noted.FirstSites, true), of(r.noted.SecondSites, r.kind == abi.LDetectorWriteWrite)
}

// named returns a race between two accesses.
func (g *Global) named(r *globalRace, first, second uint32) detect.Race {
	var b strings.Builder
	b.WriteString("LDetector ")
	switch {
	case r.kind == abi.LDetectorWriteWrite:
		fmt.Fprintf(&b, "write-write, blocks %d and %d", r.first, r.second)
	case r.known():
		fmt.Fprintf(&b, "read-write, block %d reads what block %d writes", r.second, r.first)
	case r.second != abi.LDetectorNone:
		fmt.Fprintf(&b, "read-write, found where it leaves the kernel, block %d reads", r.second)
	default:
		b.WriteString("read-write, found where it leaves the kernel")
	}
	fmt.Fprintf(&b, "; bytes %d to %d of %s", r.off, r.off+r.size-1, r.a.Name)
	if len(r.noted.FirstSites) == 0 || len(r.noted.SecondSites) == 0 {
		b.WriteString("; the accesses are the first of the kernel that may be meant")
	}
	side := func(site, block, thread uint32, access string) detect.Side {
		if block == abi.LDetectorNone {
			block = 0
		}
		return detect.Side{
			Site: site, Access: access, Block: g.launch.BlockAt(uint64(block)),
			Thread: g.launch.ThreadAt(thread),
		}
	}
	return detect.Race{
		Kind: detect.InterBlock, Cause: detect.MissingFence, Space: abi.SpaceGlobal, Address: r.a.Base + uint64(r.off),
		Size: r.size, Count: 1,
		First:  side(first, r.first, r.noted.FirstThread, "write"),
		Second: side(second, r.second, r.noted.SecondThread, secondAccess(r.kind)),
		Detail: b.String(),
	}
}
