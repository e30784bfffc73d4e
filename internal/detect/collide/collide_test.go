package collide

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// device is a device of one allocation, one in memory of the host, and the state variable.
type device struct {
	state, memory, host []byte
	lost                bool // only the host's memory is left
}

const stateAt, memoryAt, hostAt = 1 << 20, 1 << 30, 1 << 40

func (d *device) at(addr uint64) []byte {
	switch {
	case addr >= hostAt:
		return d.host[addr-hostAt:]
	case addr >= memoryAt:
		return d.memory[addr-memoryAt:]
	}
	return d.state[addr-stateAt:]
}

func (d *device) Symbol(name string) (uint64, uint64, bool) {
	return stateAt, uint64(len(d.state)), name == abi.CollideState && d.state != nil
}

func (d *device) Read(addr uint64, p []byte) error {
	if d.lost && addr < hostAt {
		return errors.New("the device is lost")
	}
	copy(p, d.at(addr))
	return nil
}
func (d *device) Write(addr uint64, p []byte) error { copy(d.at(addr), p); return nil }
func (d *device) Alloc(_ string, size uint64) (uint64, error) {
	d.memory = make([]byte, size)
	return memoryAt, nil
}

func (d *device) AllocHost(_ string, size uint64) (uint64, error) {
	d.host = make([]byte, size)
	return hostAt, nil
}

// write writes a race with the record's index.
func (d *device) write(i int, met, kind, first, second, count uint64) {
	r := d.host[i*abi.CollideRaceBytes:]
	binary.LittleEndian.PutUint64(r, 1<<63|met<<62|kind<<40|first<<20|second)
	r[16], r[24], r[32], r[36], r[40], r[44], r[48], r[52] = 1, 2, 3, 1, 40, 2, byte(count), 4
}

// TestDetector: what the library writes becomes races, the pairs of sites once, and what is known before what is not.
func TestDetector(t *testing.T) {
	dev, d := &device{}, New(Options{Period: 7, Warm: 12, Sites: 9})
	shape := detect.LaunchShape{Grid: [3]uint32{4, 1, 1}, Block: [3]uint32{64, 1, 1}}
	if err := d.Prepare(dev, shape); err == nil {
		t.Fatal("a module without the library is prepared")
	}
	dev.state = (&abi.CollideStateVar{Version: abi.CollideVersion}).Encode()
	for range 2 { // the tables are empty in each launch
		if err := d.Prepare(dev, shape); err != nil {
			t.Fatal(err)
		}
		if races, err := d.Collect(dev); err != nil || races != nil {
			t.Fatalf("%v, %v", races, err)
		}
		dev.write(5, 1, 2, 3, 4, 2)
		dev.write(6, 1, 2, 4, 3, 5) // the same in the other order
		dev.write(7, 0, 2, 0, 4, 1) // says nothing new
		dev.write(8, 0, 1, 0, 6, 1)
		dev.state[44], dev.state[48], dev.state[52] = 5, 4, 3 // calls, found, dropped
		races, err := d.Collect(dev)
		if err != nil || len(races) != 2 {
			t.Fatalf("%+v, %v", races, err)
		}
		met, changed := races[0], races[1]
		if met.Kind != detect.InterBlock || met.Count != 7 || met.First.Site != 3 || met.Second.Site != 4 || met.Second.Thread != [3]uint32{40, 0, 0} || met.Second.Block != [3]uint32{2, 0, 0} {
			t.Errorf("%+v", met)
		}
		if changed.Kind != detect.IntraBlock || changed.First.Site != 0 || changed.Second.Site != 6 || !strings.Contains(changed.Detail, "from 0x1 to 0x2") {
			t.Errorf("%+v", changed)
		}
	}
	if d.warm != 2 {
		t.Errorf("%d accesses of 12 are left to sample after 10", d.warm)
	}
	if d.Dropped() != 6 {
		t.Errorf("dropped %d", d.Dropped())
	}
	dev.host[0] = 1
	if _, err := d.Collect(dev); err == nil {
		t.Error("a damaged record is a race")
	}
	shape.Grid = [3]uint32{1 << 30, 1, 1}
	if err := d.Prepare(dev, shape); fmt.Sprint(err) != "collide: 1073741824 blocks; fewer than 1073741824 are supported" {
		t.Error(err)
	}
}

// TestSurvived: after a fault, when the device's memory is lost, the races found before it are there. One that was
// being written is counted.
func TestSurvived(t *testing.T) {
	dev, d := &device{state: (&abi.CollideStateVar{Version: abi.CollideVersion}).Encode()}, New(Options{Period: 7, Sites: 9})
	if err := d.Prepare(dev, detect.LaunchShape{Grid: [3]uint32{4, 1, 1}, Block: [3]uint32{64, 1, 1}}); err != nil {
		t.Fatal(err)
	}
	dev.write(5, 1, 2, 3, 4, 2)
	dev.write(6, 1, 1, 7, 8, 1)
	dev.host[6*abi.CollideRaceBytes+52] = 0 // the size, which comes last
	dev.lost = true
	races, err := d.Survived(dev)
	if err != nil || len(races) != 1 || races[0].First.Site != 3 || races[0].Second.Site != 4 || d.Dropped() != 1 {
		t.Errorf("%+v, %d dropped, %v", races, d.Dropped(), err)
	}
	if _, err := d.Collect(dev); err == nil {
		t.Error("a device that is lost is read")
	}
}
