// Textures of launches that can be repeated.

package cuda

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/launch"
)

// addressNames gives the address modes of launch files by CUDA's numbers.
var addressNames = []string{"wrap", "clamp", "mirror", "border"}

// object returns the name of a texture or surface object in the launch file, "" if bytes are no such object. It adds
// the texels of the object.
func (s *savedLaunch) object(bytes []byte) (string, error) {
	if len(bytes) != 8 {
		return "", nil
	}
	number := binary.LittleEndian.Uint64(bytes)
	t := s.p.textures[number]
	if t == nil {
		return "", nil
	}
	name := fmt.Sprintf("texture%x", number)
	return name, s.texture(name, t)
}

// references adds the textures bound to references of the kernel's module.
func (s *savedLaunch) references() error {
	bound := s.kernel.module.bound
	for _, name := range slices.Sorted(maps.Keys(bound)) {
		if err := s.texture(name, bound[name]); err != nil {
			return err
		}
	}
	return nil
}

// texture adds a texture and its texels, once.
func (s *savedLaunch) texture(name string, t *Texture) error {
	if s.described[name] {
		return nil
	}
	s.described[name] = true
	format, _ := t.format()
	elem, ok := launch.TypeOf(format.String())
	a := s.p.memory.at(t.Address)
	if a == nil || !ok {
		return nil // the memory has been freed, or is in a variable: the launch cannot be repeated
	}
	if err := s.room(a.size - (t.Address - a.base)); err != nil {
		return err
	}
	data := make([]byte, a.size-(t.Address-a.base))
	if err := a.object.Read(t.Address-a.base, data); err != nil {
		return err
	}
	file := "texels-" + name
	s.files[file+".bin"] = data
	count := uint64(len(data) / elem.Size())
	s.buffers = append(s.buffers, fmt.Sprintf("  %q: {type: %s, count: %d, init: {file: %q}}\n", file, elem, count,
		file+".bin"))
	s.textures = append(s.textures, fmt.Sprintf("  %q: {buffer: %q, %s}\n", name, file, strings.Join(t.keys(), ", ")))
	return nil
}

// keys returns the keys of a launch file that describe a texture. Properties without a key are omitted: border colour,
// limits of the level of detail, and address modes that differ between dimensions.
func (t *Texture) keys() []string {
	size := fmt.Sprint([]uint32{t.Width, t.Height, t.Depth}[:max(1, t.Dims)])
	out := []string{"size: " + strings.ReplaceAll(size, " ", ", "), fmt.Sprintf("channels: %d", t.Channels)}
	add := func(when bool, format string, args ...any) {
		if when {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	add(t.Pitch > 0, "pitch: %d", t.Pitch)
	add(t.Layers > 0, "layers: %d", t.Layers)
	add(t.Cube, "cube: true")
	add(int(t.Modes[0]) < len(addressNames), "address: %s", addressNames[t.Modes[0]%AddressMode(len(addressNames))])
	add(t.Linear, "filter: linear")
	add(t.Normalized, "coordinates: normalized")
	add(t.Fraction && !t.SRGB, "read: normalized")
	add(t.SRGB, "read: srgb")
	add(t.Levels > 1, "levels: %d", t.Levels)
	add(t.MipLinear, "mip: linear")
	add(t.Buffer, "memory: linear")
	return out
}
