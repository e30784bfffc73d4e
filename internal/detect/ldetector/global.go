// Global arrays (section 4.4): each block executes the whole kernel twice on its own copy of small objects, as a warp
// executes a region on a copy of shared memory. The copies are compared here.

package ldetector

import (
	"fmt"
	"math"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// Global is the host half of the detector with option expand.
type Global struct {
	program *abi.LDetectorProgram
	kernel  string
	launch  detect.LaunchShape
	objects []detect.Region // of the launch
	arrays  []array         // objects with copies
	others  [][]byte        // initial contents of the objects without copies
	left    [][]byte        // their contents after the first pass
	pass    globalPass
	found   []*globalRace
	skipped int // number of objects that are too large
	methods []place
}

// array is an object with copies.
type array struct {
	detect.Region
	copies   uint64
	ownersAt uint64 // address of owners on the device, 0 if they are not there
	original []byte
	union    []byte
	owners   []uint32 // for each byte, 1 + the block that has changed it
}

// maxCopies is the largest total size of all copies in bytes.
const maxCopies = 1 << 30

// For makes the host half for the result of the pass.
func For(program *abi.LDetectorProgram) (detect.InKernel, error) {
	if program != nil && program.Options.Expand > 0 {
		return &Global{program: program}, nil
	}
	return New(program)
}

var (
	_ detect.Launching = (*Global)(nil)
	_ detect.Expanding = (*Global)(nil)
	_ detect.Repeating = (*Global)(nil)
	_ detect.Noting    = (*Global)(nil)
)

// Launching implements detect.Launching.
func (g *Global) Launching(kernel string, dynamic uint64) error {
	g.kernel, g.launch.Shared = kernel, dynamic
	if k := g.program.Kernels[kernel]; k == nil || k.Refused != "" {
		reason := "it is not instrumented"
		if k != nil {
			reason = k.Refused
		}
		return fmt.Errorf("ldetector cannot check the kernel %s: %s", kernel, reason)
	}
	return nil
}

// DynamicShared implements detect.Launching.
func (g *Global) DynamicShared() uint64 { return g.launch.Shared }

// Objects implements detect.Expanding.
func (g *Global) Objects(list []detect.Region) { g.objects = list }

// Prepare implements detect.InKernel: it copies the objects that are small enough.
func (g *Global) Prepare(dev abi.Device, l detect.LaunchShape) error {
	dynamic := g.launch.Shared
	g.launch = l
	g.launch.Shared = dynamic
	g.arrays, g.others, g.left, g.found, g.skipped, g.pass = nil, nil, nil, nil, 0, firstPass
	room := uint64(maxCopies)
	for _, o := range g.objects {
		fits := o.Size <= g.program.Options.Expand && o.Size > 0 && len(g.arrays) < abi.LDetectorMaxGlobals
		if fits = fits && o.Size <= room/l.Blocks(); !fits {
			g.skipped++
			continue
		}
		room -= o.Size * l.Blocks()
		a := array{Region: o, original: make([]byte, o.Size)}
		if err := dev.Read(o.Base, a.original); err != nil {
			return fmt.Errorf("ldetector: %s: %w", o.Name, err)
		}
		var err error
		if a.copies, err = dev.Alloc("ldetector.copies", o.Size*l.Blocks()); err != nil {
			return fmt.Errorf("ldetector: %s: %w", o.Name, err)
		}
		if err := dev.Write(a.copies, slices.Repeat(a.original, int(l.Blocks()))); err != nil {
			return err
		}
		g.arrays = append(g.arrays, a)
	}
	var err error
	if g.others, err = g.readOthers(dev); err != nil {
		return err
	}
	g.keepMethod()
	return g.writeTable(dev, g.arrays, 0)
}

// keepMethod records how the launch is checked.
func (g *Global) keepMethod() {
	size := uint64(0)
	for _, a := range g.arrays {
		size += a.Size
	}
	text := fmt.Sprintf("each of %d blocks on a copy of the small objects of global memory, %d bytes",
		g.launch.Blocks(), size)
	if p := (place{g.kernel, text}); !slices.Contains(g.methods, p) {
		g.methods = append(g.methods, p)
	}
}

// Method implements detect.Explaining.
func (g *Global) Method(kernel string) (list []string) {
	for _, p := range g.methods {
		if p.kernel == kernel {
			list = append(list, p.text)
		}
	}
	if list != nil {
		list = append(list, "races within a block cannot be seen, nor writes of the value that was there before")
	}
	return list
}

// writeTable gives the device library the arrays with copies and the mode.
func (g *Global) writeTable(dev abi.Device, arrays []array, mode abi.LDetectorMode) error {
	addr, err := globals(dev)
	if err != nil {
		return err
	}
	v := &abi.LDetectorGlobalsVar{Mode: mode, Met: math.MaxUint64}
	for i := range arrays {
		a := &arrays[i]
		v.Arrays = append(v.Arrays, abi.LDetectorGlobal{
			Base: a.Base, Size: a.Size, Copies: a.copies, Stride: a.Size,
			Owners: a.ownersAt,
		})
	}
	if mode == abi.LDetectorNote {
		for _, r := range g.watched() {
			v.Watches = append(v.Watches, abi.LDetectorWatchVar{
				Address: r.a.Base + uint64(r.off), Bytes: uint64(r.size), First: r.first, Second: r.second,
				Writes: r.kind == abi.LDetectorWriteWrite,
			})
		}
	}
	return dev.Write(addr, v.Encode())
}

// globals returns the address of the library's variable.
func globals(dev abi.Device) (uint64, error) {
	addr, size, ok := dev.Symbol(abi.LDetectorGlobals)
	if !ok || size != abi.LDetectorGlobalsBytes {
		return 0, fmt.Errorf("ldetector: the module has no %s of %d bytes: it is not instrumented by this version of the pass", abi.LDetectorGlobals, abi.LDetectorGlobalsBytes)
	}
	return addr, nil
}

// readOthers reads the objects without copies.
func (g *Global) readOthers(dev abi.Device) (list [][]byte, err error) {
	for _, o := range g.objects {
		if g.expanded(o.Base) {
			continue
		}
		p := make([]byte, o.Size)
		if err = dev.Read(o.Base, p); err != nil {
			return nil, fmt.Errorf("ldetector: %s: %w", o.Name, err)
		}
		list = append(list, p)
	}
	return list, nil
}

// restoreOthers restores the objects without copies.
func (g *Global) restoreOthers(dev abi.Device) error {
	n := 0
	for _, o := range g.objects {
		if g.expanded(o.Base) {
			continue
		}
		if err := dev.Write(o.Base, g.others[n]); err != nil {
			return err
		}
		n++
	}
	return nil
}

func (g *Global) expanded(base uint64) bool {
	return slices.ContainsFunc(g.arrays, func(a array) bool { return a.Base == base })
}

// globalPass is one of the executions of the launch.
type globalPass int

const (
	firstPass  globalPass = 1 + iota
	secondPass            // blocks see what others have written (4.2)
	probePass             // as firstPass: finds reads of what another block has changed
	notePass              // as firstPass: finds accesses that touch the bytes of races
)

// Repeat implements detect.Repeating. After the first pass it finds write-write races or, if there are none, starts the
// second pass; after that it finds read-write races. If there are races, it then starts passes that find their
// accesses.
func (g *Global) Repeat(dev abi.Device) (again bool, err error) {
	switch g.pass {
	case firstPass:
		for i := range g.arrays {
			if err = g.unite(dev, &g.arrays[i]); err != nil {
				return false, err
			}
		}
		if len(g.found) == 0 || g.program.Options.Continue {
			g.pass = secondPass
			return true, g.second(dev)
		}
	case secondPass:
		err = g.compare(dev)
	case probePass:
		err = g.probed(dev)
	case notePass:
		err = g.noted(dev)
	}
	if err == nil {
		again, err = g.look(dev)
	}
	if again || err != nil {
		return again, err
	}
	return false, g.finish(dev)
}

// blocks calls f with the copy of each block.
func (g *Global) blocks(dev abi.Device, a *array, f func(block uint32, copied []byte) error) error {
	p := make([]byte, a.Size)
	for b := range g.launch.Blocks() {
		if err := dev.Read(a.copies+b*a.Size, p); err != nil {
			return err
		}
		if err := f(uint32(b), p); err != nil {
			return err
		}
	}
	return nil
}

// unite makes the union of an array's copies (4.1). Ranges of bytes that two blocks have changed are races.
func (g *Global) unite(dev abi.Device, a *array) error {
	a.union, a.owners = slices.Clone(a.original), make([]uint32, a.Size)
	return g.blocks(dev, a, func(block uint32, copied []byte) error {
		for i := 0; i < len(copied); i++ {
			if copied[i] == a.original[i] {
				continue
			}
			if owner := a.owners[i]; owner != 0 {
				from := i
				for ; i+1 < len(copied) && copied[i+1] != a.original[i+1] && a.owners[i+1] == owner; i++ {
					a.union[i] = copied[i]
				}
				g.race(abi.LDetectorWriteWrite, a, owner-1, block, from, i+1-from)
			}
			a.union[i], a.owners[i] = copied[i], block+1
		}
		return nil
	})
}

// second prepares the second pass (4.2). In a block's copy, bytes that the block itself has changed get their original
// values, and bytes that others have changed get the others' values. Objects without copies are restored.
func (g *Global) second(dev abi.Device) (err error) {
	if g.left, err = g.readOthers(dev); err != nil {
		return err
	}
	if err := g.restoreOthers(dev); err != nil {
		return err
	}
	for i := range g.arrays {
		a := &g.arrays[i]
		err := g.blocks(dev, a, func(block uint32, copied []byte) error {
			for i := range copied {
				copied[i] = a.union[i]
				if a.owners[i] == block+1 {
					copied[i] = a.original[i]
				}
			}
			return dev.Write(a.copies+uint64(block)*a.Size, copied)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// compare compares the results of the second pass with those of the first (4.2).
func (g *Global) compare(dev abi.Device) error {
	for i := range g.arrays {
		a := &g.arrays[i]
		err := g.blocks(dev, a, func(block uint32, copied []byte) error {
			for i := range copied {
				if copied[i] != a.union[i] {
					g.race(abi.LDetectorReadWrite, a, abi.LDetectorNone, block, i, 1)
					break
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	now, err := g.readOthers(dev)
	if err != nil || !g.program.Options.Outputs {
		return err
	}
	n := 0
	for _, o := range g.objects {
		if g.expanded(o.Base) {
			continue
		}
		for i := range now[n] {
			if now[n][i] != g.left[n][i] {
				g.race(abi.LDetectorReadWrite, &array{Region: o}, abi.LDetectorNone, abi.LDetectorNone, i, 1)
				break
			}
		}
		n++
	}
	return nil
}

// finish writes the unions to the original objects, and frees the copies.
func (g *Global) finish(dev abi.Device) error {
	for i := range g.arrays {
		a := &g.arrays[i]
		if err := dev.Write(a.Base, a.union); err != nil {
			return err
		}
		for _, addr := range []uint64{a.copies, a.ownersAt} {
			if freer, ok := dev.(abi.Freer); ok && addr != 0 {
				if err := freer.Free(addr); err != nil {
					return err
				}
			}
		}
	}
	return g.writeTable(dev, nil, 0)
}

// race adds a race on bytes of an object; without option continue, only the first.
func (g *Global) race(kind abi.LDetectorKind, a *array, first, second uint32, off, size int) {
	if len(g.found) == 0 || g.program.Options.Continue {
		g.found = append(g.found, &globalRace{kind: kind, a: a, first: first, second: second, off: off, size: size})
	}
}

// Dropped implements detect.InKernel.
func (g *Global) Dropped() uint64 { return 0 }

// Notes implements detect.Noting.
func (g *Global) Notes() []string {
	if g.skipped == 0 {
		return nil
	}
	return []string{fmt.Sprintf("ldetector: %d objects of global memory are larger than the option expand allows, or there is no room for their copies: races there are not looked for", g.skipped)}
}
