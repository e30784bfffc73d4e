// The memory of a Linux system and its control group.

package gc

import (
	"bytes"
	"os"
	"strconv"
)

// systemMemory returns the memory in bytes that processes may use, on this machine and in this control group; 0 if
// unknown.
func systemMemory() uint64 {
	info, _ := os.ReadFile("/proc/meminfo")
	total := totalOf(info)
	for _, limit := range [...]string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		text, err := os.ReadFile(limit)
		if err != nil {
			continue
		}
		if n, err := strconv.ParseUint(string(bytes.TrimSpace(text)), 10, 64); err == nil { // not if it is "max"
			total = min(total, n)
		}
	}
	return total
}

// totalOf returns the value of MemTotal in the text of /proc/meminfo, in bytes; 0 if it is missing.
func totalOf(info []byte) uint64 {
	_, rest, _ := bytes.Cut(info, []byte("MemTotal:"))
	fields := bytes.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	kilobytes, _ := strconv.ParseUint(string(fields[0]), 10, 64)
	return kilobytes << 10
}
