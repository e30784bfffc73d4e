// Launches that can be repeated: in a folder, by check and explore, or here.

package cuda

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// savedLaunch is a launch as it can be repeated: a launch file, and the contents of the buffers that its pointers name
// and of the variables that its code names. Data reached through pointers in memory are not included.
type savedLaunch struct {
	p         *Process
	kernel    *Kernel
	most      uint64            // bytes of contents
	files     map[string][]byte // contents, by names in the launch file
	size      uint64            // of the files
	buffers   []string          // lines of the launch file
	variables []string
	args      []string
	names     map[uint64]string // names of allocations, by base address
	number    int               // of the launch, in the process
	launch    *Launch

	textures  []string        // lines of the launch file
	described map[string]bool // textures, by name
}

// errTooLarge is the reason not to save a launch with more than saved.most bytes.
var errTooLarge = errors.New("the memory of the launch is too large")

// errMulticast is the reason not to save a launch with an address of a multicast object.
var errMulticast = errors.New("launch files have no multicast objects")

// describe describes the launch that is about to begin.
func (p *Process) describe(k *Kernel, l *Launch, args []any, most uint64) (*savedLaunch, error) {
	s := &savedLaunch{
		p: p, kernel: k, most: most, files: make(map[string][]byte), names: make(map[uint64]string),
		described: make(map[string]bool),
	}
	s.number, s.launch = p.selector.launches, l
	params := k.described()
	for i, arg := range args {
		text, err := s.argument(&params[i], arg.([]byte))
		if err != nil {
			return nil, err
		}
		s.args = append(s.args, text)
	}
	if err := s.references(); err != nil {
		return nil, err
	}
	if err := s.globals(); err != nil {
		return nil, err
	}
	return s, nil
}

// write writes the launch to a folder of its own, for check and explore.
func (s *savedLaunch) write() error {
	dir := filepath.Join(s.p.opts.Save, fmt.Sprintf("process%d-launch%d", s.p.number, s.number))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	err := errors.Join(
		os.WriteFile(filepath.Join(dir, "kernel.ptx"), s.kernel.module.program.Module.Source(), 0o666),
		os.WriteFile(filepath.Join(dir, "launch.yaml"), []byte(s.text()), 0o666),
	)
	for _, name := range slices.Sorted(maps.Keys(s.files)) {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), s.files[name], 0o666))
	}
	return err
}

// room refuses contents that would be too large together with those before.
func (s *savedLaunch) room(size uint64) error {
	if size > s.most-s.size {
		return errTooLarge
	}
	s.size += size
	return nil
}

// text returns the launch file.
func (s *savedLaunch) text() string {
	l, b := s.launch, strings.Builder{}
	fmt.Fprintf(&b, "# Launch %d of process %d under ptxsan exec: ptxsan check --launch launch.yaml kernel.ptx\n",
		s.number, s.p.number)
	if s.p.memory.private() {
		b.WriteString("host: none\n")
	}
	if len(s.buffers) > 0 {
		b.WriteString("buffers:\n" + strings.Join(s.buffers, ""))
	}
	if len(s.textures) > 0 {
		b.WriteString("textures:\n" + strings.Join(s.textures, ""))
	}
	if len(s.variables) > 0 {
		b.WriteString("globals:\n" + strings.Join(s.variables, ""))
	}
	fmt.Fprintf(&b, "launches:\n  - kernel: %q\n    grid: %s\n    block: %s\n    shared: %d\n", s.kernel.Name,
		extent(l.Grid), extent(l.Block), l.Shared)
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

// argument returns an argument in the form of launch files: a pointer into a buffer, a texture, a number, or the fields
// of a struct.
func (s *savedLaunch) argument(p *launch.Param, bytes []byte) (string, error) {
	if p.Array {
		return s.fields(bytes)
	}
	if text, err := s.pointer(bytes, p.Elem); text != "" || err != nil {
		return text, err
	}
	return p.Type.Format(bytes), nil
}

// fields returns the fields of a struct: words, and those 8-byte words that are addresses of allocations as pointers.
func (s *savedLaunch) fields(bytes []byte) (string, error) {
	var out []string
	at, tensor := emu.TensorMapAddress(bytes) // the other words are not addresses, whatever their value
	for i := 0; i < len(bytes); {
		if len(bytes)%8 == 0 && i%8 == 0 && (!tensor || i == at) {
			text, err := s.pointer(bytes[i:i+8], launch.TypeNone)
			if err != nil {
				return "", err
			}
			if text != "" {
				out = append(out, text)
				i += 8
				continue
			}
		}
		if len(bytes)%4 == 0 {
			out = append(out, fmt.Sprintf("{u32: %d}", binary.LittleEndian.Uint32(bytes[i:])))
			i += 4
			continue
		}
		out = append(out, fmt.Sprintf("{u8: %d}", bytes[i]))
		i++
	}
	return "[" + strings.Join(out, ", ") + "]", nil
}

// pointer returns a pointer into an allocation, or a texture, "" for other bytes.
func (s *savedLaunch) pointer(bytes []byte, elem launch.Type) (string, error) {
	if text, err := s.object(bytes); text != "" || err != nil || len(bytes) != 8 {
		return text, err
	}
	address := binary.LittleEndian.Uint64(bytes)
	a := s.p.memory.at(address)
	if a == nil {
		return "", nil
	}
	name, err := s.buffer(a, elem)
	if err != nil || a.base == address {
		return name, err
	}
	return fmt.Sprintf("{buffer: %s, offset: %d}", name, address-a.base), nil
}

// buffer adds the contents of an allocation, once, and returns its name.
func (s *savedLaunch) buffer(a *allocation, elem launch.Type) (string, error) {
	if name := s.names[a.base]; name != "" {
		return name, nil
	}
	name := fmt.Sprintf("buffer%d", len(s.names)+1)
	if elem == launch.TypeNone || a.extent()%uint64(elem.Size()) != 0 {
		elem = bytesType
	}
	if err := s.room(a.extent()); err != nil {
		return "", err
	}
	data, err := a.contents()
	if err != nil {
		return "", err
	}
	s.files[name+".bin"] = data
	s.names[a.base] = name
	s.buffers = append(s.buffers, fmt.Sprintf("  %s: {type: %s, count: %d, init: {file: %s.bin}}\n", name, elem,
		uint64(len(data))/uint64(elem.Size()), name))
	return name, nil
}

// globals adds the contents of the variables of the module that the kernel's code names.
func (s *savedLaunch) globals() error {
	program := s.kernel.module.program
	for _, v := range session.Variables(s.kernel.function) {
		if _, ok := launch.TypeOf(v.Type.String()); !ok || v.Size == 0 ||
			v.Space != isa.SpaceGlobal && v.Space != isa.SpaceConst {
			continue
		}
		if err := s.room(v.Size); err != nil {
			return err
		}
		o, err := s.p.session.Global(program, v.Name)
		if err != nil {
			return err
		}
		data, file := make([]byte, v.Size), fmt.Sprintf("global%d.bin", len(s.variables)+1)
		if err := o.Read(0, data); err != nil {
			return err
		}
		s.files[file] = data
		s.variables = append(s.variables, fmt.Sprintf("  %q: {file: %s}\n", v.Name, file))
	}
	return nil
}
