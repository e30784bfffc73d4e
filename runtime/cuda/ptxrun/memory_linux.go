// The memory of the process, as Linux describes it.

package ptxrun

import (
	"bufio"
	"fmt"
	"os"
	"sort"
	"unsafe"

	"github.com/ptxsan/ptxsan/runtime/cuda"
)

// mapped is a writable part of the address space.
type mapped struct {
	start, end uint64 // no pointers: some parts are memory that Go has freed
	device     uint64 // its address on the device, 0 for none
}

// hostMemory returns the writable parts of the address space, in order.
func hostMemory() (list []*mapped, err error) {
	f, err := os.Open("/proc/self/maps")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var start, end uint64
		var mode string
		if n, _ := fmt.Sscanf(lines.Text(), "%x-%x %s", &start, &end, &mode); n == 3 && mode[:2] == "rw" {
			list = append(list, &mapped{start: start, end: end})
		}
	}
	return list, lines.Err()
}

// pointer returns the pointer to memory that is not Go's.
func pointer(address uint64) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&address)) }

// mappedAt returns the part that contains an address, nil if there is none.
func mappedAt(list []*mapped, address uint64) *mapped {
	i := sort.Search(len(list), func(i int) bool { return list[i].start > address }) - 1
	if i < 0 || address >= list[i].end {
		return nil
	}
	return list[i]
}

func (m *mapped) mapping(uint64) (cuda.Mapping, error) { return m, nil }

// Bytes is of cuda.Mapping.
func (m *mapped) Bytes() []byte { return unsafe.Slice((*byte)(pointer(m.start)), m.end-m.start) }

// Unmap is of cuda.Mapping: the memory remains the host's.
func (m *mapped) Unmap() {}
