// Launches written to a folder, for check and explore to repeat.

package cuda

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// saved is a launch that is written to a folder: the module's PTX, a launch file, and what the
// buffers hold that its pointers name, so that check and explore can repeat it. What kernels
// find through pointers in memory, and what other launches have left in variables, is not there.
type saved struct {
	p       *Process
	kernel  *Kernel
	dir     string
	buffers []string // lines of the launch file
	args    []string
	names   map[uint64]string // of allocations, by their base
}

// save writes the launch that is about to begin.
func (p *Process) save(k *Kernel, l *Launch, args []any) error {
	s := &saved{p: p, kernel: k, names: make(map[uint64]string)}
	s.dir = filepath.Join(p.opts.Save, fmt.Sprintf("process%d-launch%d", p.number, p.launches))
	if err := os.MkdirAll(s.dir, 0o777); err != nil {
		return err
	}
	params := session.KernelParams(k.function)
	for i, arg := range args {
		text, err := s.argument(&params[i], arg.([]byte))
		if err != nil {
			return err
		}
		s.args = append(s.args, text)
	}
	return errors.Join(
		os.WriteFile(filepath.Join(s.dir, "kernel.ptx"), k.module.program.Module.Source(), 0o666),
		os.WriteFile(filepath.Join(s.dir, "launch.yaml"), []byte(s.launchFile(l)), 0o666),
	)
}

func (s *saved) launchFile(l *Launch) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Launch %d of process %d under ptxsan exec: ptxsan check --launch launch.yaml kernel.ptx\n", s.p.launches, s.p.number)
	if len(s.buffers) > 0 {
		b.WriteString("buffers:\n" + strings.Join(s.buffers, ""))
	}
	fmt.Fprintf(&b, "launches:\n  - kernel: %q\n    grid: %s\n    block: %s\n    shared: %d\n", s.kernel.Name, extent(l.Grid), extent(l.Block), l.Shared)
	if l.Cluster != (emu.Dim3{}) {
		fmt.Fprintf(&b, "    cluster: %s\n", extent(l.Cluster))
	}
	if l.Cooperative {
		b.WriteString("    cooperative: true\n")
	}
	fmt.Fprintf(&b, "    args: [%s]\n", strings.Join(s.args, ", "))
	return b.String()
}

func extent(d emu.Dim3) string { return fmt.Sprintf("[%d, %d, %d]", d.X, d.Y, d.Z) }

// argument is an argument as launch files write it: the name of the buffer that a pointer is
// of, a number, or the bytes of a struct.
func (s *saved) argument(p *launch.Param, bytes []byte) (string, error) {
	if len(bytes) == 8 && !p.Array {
		address := binary.LittleEndian.Uint64(bytes)
		if a := s.p.memory.at(address); a != nil && a.base == address {
			return s.buffer(p, a)
		} else if a != nil {
			s.p.note("launch %d: an argument points into the middle of a buffer, which a launch file cannot say: its number is saved", s.p.launches)
		}
	}
	if !p.Array {
		return p.Type.Format(bytes), nil
	}
	fields := make([]string, len(bytes))
	for i, v := range bytes {
		fields[i] = fmt.Sprintf("{u8: %d}", v)
	}
	return "[" + strings.Join(fields, ", ") + "]", nil
}

// buffer writes what an allocation holds, once, and returns its name.
func (s *saved) buffer(p *launch.Param, a *allocation) (string, error) {
	if name := s.names[a.base]; name != "" {
		return name, nil
	}
	name := fmt.Sprintf("buffer%d", len(s.names)+1)
	elem := p.Elem
	if elem == launch.TypeNone || a.size%uint64(elem.Size()) != 0 {
		elem = bytesType
	}
	data := make([]byte, a.size)
	if err := a.object.Read(0, data); err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(s.dir, name+".bin"), data, 0o666); err != nil {
		return "", err
	}
	s.names[a.base] = name
	s.buffers = append(s.buffers, fmt.Sprintf("  %s: {type: %s, count: %d, init: {file: %s.bin}}\n", name, elem, a.size/uint64(elem.Size()), name))
	return name, nil
}
