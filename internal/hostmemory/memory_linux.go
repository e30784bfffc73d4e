// The memory of a Linux system, of its control groups, and of this process.

package hostmemory

import (
	"bytes"
	"math"
	"os"
	"path"
	"strconv"
)

// Total returns the memory in bytes that processes may use, on this machine and in this control group; 0 if unknown.
func Total() uint64 {
	total := field(read("/proc/meminfo"), "MemTotal:") << 10
	for _, g := range groups() {
		total = min(total, g.limit())
	}
	return total
}

// Available returns the memory in bytes that processes may use besides what is in use; 0 if unknown.
func Available() uint64 {
	free := field(read("/proc/meminfo"), "MemAvailable:") << 10
	for _, g := range groups() {
		free = min(free, g.free())
	}
	return free
}

// Used returns the memory in bytes that this process occupies; 0 if unknown.
func Used() uint64 {
	fields := bytes.Fields(read("/proc/self/statm"))
	if len(fields) < 2 {
		return 0
	}
	return number(fields[1]) * uint64(os.Getpagesize())
}

// group is a control group of this process: a folder, and its files with the limit, what is in use, and the part of it
// that is a cache of files, in bytes.
type group struct{ dir, most, used, cache string }

// groups returns the control groups for memory of this process, in both versions, and those around them. In a
// container, the folder of the process may be the root.
func groups() (list []group) {
	for _, line := range bytes.Split(read("/proc/self/cgroup"), []byte("\n")) {
		parts := bytes.SplitN(line, []byte(":"), 3)
		if len(parts) < 3 {
			continue
		}
		g := group{"/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"}
		if string(parts[1]) == "memory" {
			g = group{"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"}
		} else if len(parts[1]) > 0 {
			continue
		}
		root := g.dir
		for at := path.Clean("/" + string(parts[2])); ; at = path.Dir(at) {
			g.dir = root + at
			list = append(list, g)
			if at == "/" {
				break
			}
		}
	}
	return list
}

// limit returns the limit of the group, a large number if there is none.
func (g group) limit() uint64 {
	if n, err := strconv.ParseUint(string(bytes.TrimSpace(read(path.Join(g.dir, g.most)))), 10, 64); err == nil {
		return n
	}
	return math.MaxUint64 // "max", or no such file
}

// free returns how much the processes of the group may use besides what is in use.
func (g group) free() uint64 {
	most := g.limit()
	if most == math.MaxUint64 {
		return most
	}
	used := number(bytes.TrimSpace(read(path.Join(g.dir, g.used))))
	used -= min(used, field(read(path.Join(g.dir, "memory.stat")), g.cache+" "))
	return most - min(most, used)
}

// read returns the contents of a file, nothing if it cannot be read.
func read(name string) []byte {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	return text
}

// field returns the number behind a name at the beginning of a line, 0 if it is missing.
func field(text []byte, name string) uint64 {
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		if after, ok := bytes.CutPrefix(line, []byte(name)); ok {
			if fields := bytes.Fields(after); len(fields) > 0 {
				return number(fields[0])
			}
		}
		text = rest
	}
	return 0
}

func number(text []byte) uint64 {
	n, _ := strconv.ParseUint(string(text), 10, 64)
	return n
}
