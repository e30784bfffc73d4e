// Races made from records.

package ldetector

import (
	"fmt"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// races returns the races of records, in order. Records with the same pair of accesses are one race, with the threads
// and address of the first.
func (d *Detector) races(records []abi.LDetectorRace) []detect.Race {
	type pair struct{ region, low, high uint32 }
	at := map[pair]int{}
	var list []detect.Race
	for i := range records {
		r := &records[i]
		first, second := d.sides(r)
		for _, x := range first {
			for _, y := range second {
				key := pair{r.Region, min(x, y), max(x, y)}
				if j, ok := at[key]; ok {
					list[j].Count += uint64(r.Count)
					continue
				}
				at[key] = len(list)
				list = append(list, d.race(r, x, y))
			}
		}
	}
	return list
}

// sides returns the accesses of the two warps: those found, else all of the region that are possible.
func (d *Detector) sides(r *abi.LDetectorRace) (first, second []uint32) {
	first, second = r.FirstSites, r.SecondSites
	if len(first) == 0 {
		first = d.candidates(r.Region, true)
		first = first[:min(len(first), 1)]
	}
	if len(second) == 0 {
		second = d.candidates(r.Region, r.Kind == abi.LDetectorWriteWrite)
		second = second[:min(len(second), 1)]
	}
	if len(first) == 0 {
		first = []uint32{0}
	}
	if len(second) == 0 {
		second = []uint32{0}
	}
	return first, second
}

// candidates returns the accesses of a region that write, or those that read.
func (d *Detector) candidates(number uint32, writes bool) (list []uint32) {
	if r := d.region(number); r != nil {
		for _, a := range r.Accesses {
			if a.Writes == writes {
				list = append(list, a.Site)
			}
		}
	}
	return list
}

// region returns a region by its number, nil for none.
func (d *Detector) region(number uint32) *abi.LDetectorRegion {
	if number == 0 || uint64(number) > uint64(len(d.program.Regions)) {
		return nil
	}
	return &d.program.Regions[number-1]
}

func (d *Detector) race(r *abi.LDetectorRace, first, second uint32) detect.Race {
	return detect.Race{
		Kind: detect.IntraBlock, Cause: detect.MissingBarrier, Space: abi.SpaceShared,
		Address: uint64(r.Address), Size: int(r.Bytes), Count: uint64(r.Count),
		First:  d.side(r, first, r.First, r.FirstThread, len(r.FirstSites) > 0, "write"),
		Second: d.side(r, second, r.Second, r.SecondThread, len(r.SecondSites) > 0, secondAccess(r.Kind)),
		Detail: d.detail(r),
	}
}

func secondAccess(k abi.LDetectorKind) string {
	if k == abi.LDetectorWriteWrite {
		return "write"
	}
	return "read"
}

// side returns one access of a race: by its thread if that is known, else by the first thread of its warp.
func (d *Detector) side(r *abi.LDetectorRace, site, warp, thread uint32, known bool, access string) detect.Side {
	if warp == abi.LDetectorNone {
		warp = 0
	}
	if !known {
		thread = warp * abi.WarpLanes
	}
	return detect.Side{
		Site: site, Access: access, Block: d.launch.BlockAt(uint64(r.Block)),
		Thread: d.launch.ThreadAt(thread),
	}
}

// detail returns what is known of a race besides its accesses.
func (d *Detector) detail(r *abi.LDetectorRace) string {
	var b strings.Builder
	b.WriteString("LDetector ")
	if r.Kind == abi.LDetectorWriteWrite {
		fmt.Fprintf(&b, "write-write, warps %d and %d", r.First, r.Second)
	} else {
		fmt.Fprintf(&b, "read-write, warp %d reads", r.Second)
		if r.First != abi.LDetectorNone {
			fmt.Fprintf(&b, " what warp %d writes", r.First)
		}
		if words := leftWords(r.Left); words != "" {
			fmt.Fprintf(&b, "; it leaves other %s", words)
		}
	}
	if region := d.region(r.Region); region != nil {
		fmt.Fprintf(&b, "; region %s", region.Where)
	}
	if r.Bytes > 0 {
		fmt.Fprintf(&b, ", bytes 0x%x to 0x%x of shared memory", r.Address, r.Address+r.Bytes-1)
	} else {
		b.WriteString(", bytes not known")
	}
	if len(r.FirstSites) == 0 || len(r.SecondSites) == 0 {
		b.WriteString("; the accesses are the first of the region that may be meant")
	}
	return b.String()
}

// leftWords says what differed after the second pass.
func leftWords(left uint32) string {
	var words []string
	for _, x := range []struct {
		bit  uint32
		word string
	}{
		{abi.LDetectorLeftShared, "shared memory"},
		{abi.LDetectorLeftRegisters, "registers"},
		{abi.LDetectorLeftStores, "stores"},
	} {
		if left&x.bit != 0 {
			words = append(words, x.word)
		}
	}
	return strings.Join(words, " and ")
}
