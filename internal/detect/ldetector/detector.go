// Package ldetector is the host half of LDetector: Li, Hu, Chen, Ding and Soyata, "LDetector: A
// Low Overhead Race Detector For GPU Programs", WoDet 2014. It allocates the memory of the device
// library before a launch, and converts its race records to races afterwards.
//
// Detection itself is in passes/device/lib/ldetector.cu. The package must not know PTX, nor who
// executes the kernel.
package ldetector

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// Detector is the host half of the detector for one program. Its state is per launch: the end of a kernel orders
// everything.
type Detector struct {
	program *abi.LDetectorProgram
	kernel  string // of the launch
	dynamic uint64 // dynamic shared memory of the launch in bytes
	launch  detect.LaunchShape
	layout  layout
	active  bool // the launched kernel is instrumented
	memory  [regionEnd]region
	counts  abi.LDetectorCounts // of all launches so far
	dropped uint64
	places  []place // location of the copies, in the order of the launches
}

// New makes a detector for the result of the pass.
func New(program *abi.LDetectorProgram) (*Detector, error) {
	if program == nil {
		return nil, fmt.Errorf("ldetector: the program was not instrumented")
	}
	return &Detector{program: program}, nil
}

var (
	_ detect.Launching = (*Detector)(nil)
	_ detect.Noting    = (*Detector)(nil)

	_ detect.Blaming    = (*Detector)(nil)
	_ detect.Explaining = (*Detector)(nil)
	_ detect.Explaining = (*Global)(nil)
)

// Launching implements detect.Launching. It returns an error for a kernel that the pass could not transform.
func (d *Detector) Launching(kernel string, dynamic uint64) error {
	d.kernel, d.dynamic = kernel, dynamic
	k := d.program.Kernels[kernel]
	if k != nil && k.Refused != "" {
		return fmt.Errorf("ldetector cannot check the kernel %s: %s", kernel, k.Refused)
	}
	d.active = k != nil
	return nil
}

// DynamicShared implements detect.Launching.
func (d *Detector) DynamicShared() uint64 {
	if !d.active {
		return d.dynamic
	}
	return d.dynamic + d.layout.shared
}

// Blame implements detect.Blaming. Threads of a region that wait for each other wait for ever, since each warp has its
// own copy. Lanes that exit wait for the region's end at another instruction than the others of their warp, which is
// possible only with independent thread scheduling.
func (d *Detector) Blame(class string) error {
	if !d.active || !slices.Contains([]string{"barrier-divergence", "deadlock", "livelock"}, class) {
		return nil
	}
	return fmt.Errorf("ldetector cannot check the kernel %s under this schedule: it ends with the fault %s, which the kernel as it is does not have: threads wait for each other in a region, or lanes leave the kernel before others of their warp reach a barrier, under a schedule in which lanes do not go on independently", d.kernel, class)
}

// Prepare implements detect.InKernel.
func (d *Detector) Prepare(dev abi.Device, l detect.LaunchShape) error {
	if !d.active {
		return d.rest(dev)
	}
	addr, _, err := abi.LDetectorLibrary.Find(dev)
	if err != nil {
		return err
	}
	if l.Threads() > abi.WarpLanes*abi.WarpLanes {
		return fmt.Errorf("ldetector: %d threads in a block; at most %d are supported", l.Threads(),
			abi.WarpLanes*abi.WarpLanes)
	}
	d.launch, d.layout = l, d.lay(&l)
	for i, want := range d.layout.sizes {
		if err := d.provide(dev, i, want); err != nil {
			return fmt.Errorf("ldetector: %s: %w", regionNames[i], err)
		}
	}
	s := d.layout.state
	s.Blocks, s.Log, s.Races, s.Regions = d.memory[regionBlocks].addr, d.memory[regionLog].addr,
		d.memory[regionRaces].addr, d.memory[regionFlags].addr
	if err := dev.Write(addr, s.Encode()); err != nil {
		return fmt.Errorf("ldetector: %s: %w", abi.LDetectorState, err)
	}
	if p := (place{d.kernel, d.layout.place()}); !slices.Contains(d.places, p) {
		d.places = append(d.places, p)
	}
	return nil
}

// rest switches the library off for a launch without checks: a kernel without shared memory may call functions that
// pass their stores to it.
func (d *Detector) rest(dev abi.Device) error {
	if d.memory[regionBlocks].size == 0 {
		return nil
	}
	addr, _, err := abi.LDetectorLibrary.Find(dev)
	if err != nil {
		return err
	}
	return dev.Write(addr, new(abi.LDetectorStateVar).Encode())
}

// Collect implements detect.InKernel. It returns one race for each pair of accesses, with the number of executions of
// regions that had it, sorted by region and address.
func (d *Detector) Collect(dev abi.Device) ([]detect.Race, error) {
	if !d.active {
		return nil, nil
	}
	counts, err := d.read(dev)
	if err != nil || counts.Found == 0 {
		return nil, err
	}
	table := make([]byte, d.memory[regionRaces].size)
	if err = dev.Read(d.memory[regionRaces].addr, table); err != nil {
		return nil, fmt.Errorf("ldetector: reading the race records: %w", err)
	}
	records, err := abi.DecodeLDetectorRaces(table)
	if err != nil {
		return nil, err
	}
	d.dropped += uint64(counts.Found) - min(uint64(counts.Found), uint64(len(records)))
	slices.SortFunc(records, func(a, b abi.LDetectorRace) int {
		return cmp.Or(cmp.Compare(a.Region, b.Region), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Address, b.Address),
			cmp.Compare(a.First, b.First), cmp.Compare(a.Second, b.Second))
	})
	return d.races(records), nil
}

// read reads the library's counts and adds them to the totals.
func (d *Detector) read(dev abi.Device) (abi.LDetectorCounts, error) {
	_, state, err := abi.LDetectorLibrary.Find(dev)
	if err != nil {
		return abi.LDetectorCounts{}, err
	}
	counts, err := abi.DecodeLDetectorCounts(state)
	d.counts.Checked += counts.Checked
	d.counts.Skipped += counts.Skipped
	d.counts.Unlogged += counts.Unlogged
	d.counts.Unstable += counts.Unstable
	d.counts.TooLarge += counts.TooLarge
	d.counts.Speculated += counts.Speculated
	return counts, err
}

// Dropped implements detect.InKernel.
func (d *Detector) Dropped() uint64 { return d.dropped }

// Statistics returns lines of text about all launches so far.
func (d *Detector) Statistics() []string {
	c := &d.counts
	lines := []string{fmt.Sprintf("%d regions executed on copies, %d on the original", c.Checked, c.Skipped)}
	if c.Speculated > 0 {
		lines = append(lines, fmt.Sprintf("%d of them a second time by child grids", c.Speculated))
	}
	for _, p := range d.places {
		lines = append(lines, p.kernel+": "+p.text)
	}
	return lines
}

// place is where the copies of a kernel were in some launch, as text.
type place struct{ kernel, text string }

// Method implements detect.Explaining.
func (d *Detector) Method(kernel string) (list []string) {
	for _, p := range d.places {
		if p.kernel == kernel {
			list = append(list, p.text)
		}
	}
	if list != nil {
		list = append(list,
			"races between lanes of a warp cannot be seen, nor writes of the value that was there before")
	}
	return list
}

// Notes implements detect.Noting: what was executed but not checked.
func (d *Detector) Notes() []string {
	var list []string
	add := func(n uint32, text string) {
		if n > 0 {
			list = append(list, fmt.Sprintf("ldetector: "+text, n))
		}
	}
	add(d.counts.Unlogged,
		"%d executions of regions were checked for write-write races only: their warps made more stores than can be undone (option log)")
	add(d.counts.Unstable,
		"%d executions of regions left something else the second time whatever other warps wrote to shared memory, which is not reported")
	add(d.counts.TooLarge, "%d executions of regions were not checked: there was no room for the copies")
	return list
}
