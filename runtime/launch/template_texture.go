// Textures of a launch file template.

package launch

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// textureList holds the textures of a template, with their buffers.
type textureList struct {
	buffers, text strings.Builder
	count         int
	named         map[string]bool // textures that are variables
}

// variables adds the textures of a kernel that are variables: all kernels share them.
func (l *textureList) variables(k Skeleton) {
	for _, name := range slices.Sorted(maps.Keys(k.Textures)) {
		isParam := slices.ContainsFunc(k.Params, func(p Param) bool { return p.Name == name })
		if isParam || l.named[name] {
			continue
		}
		if l.named == nil {
			l.named = make(map[string]bool)
		}
		l.named[name] = true
		l.add(name, "a variable", k.Textures[name])
	}
}

// add adds a texture and returns its name.
func (l *textureList) add(name, of string, s TextureShape) string {
	buffer, texture := s.Text(name, fmt.Sprintf("texels%d", l.count))
	l.count++
	fmt.Fprintf(&l.buffers, "%s\n", buffer)
	fmt.Fprintf(&l.text, "%s   # %s\n", texture, of)
	return name
}

// Text returns the lines of a launch file for a texture of zeros, and for the buffer of its texels. The texture has
// about as many texels as the buffers of pointers in a template have elements.
func (s TextureShape) Text(name, of string) (buffer, texture string) {
	sizes := map[int][]int{1: {16384}, 2: {128, 128}, 3: {32, 32, 16}}
	size, layers, texels := sizes[s.Dims], 0, 16384
	switch {
	case s.Cube:
		layers, texels = 6, 6*texels
	case s.Array:
		layers, texels = 4, 4*texels
	}
	if s.Cube && s.Array {
		layers, texels = 2*layers, 2*texels
	}
	more := ""
	if layers > 0 {
		more += fmt.Sprintf(", layers: %d", layers)
	}
	if s.Cube {
		more += ", cube: true"
	}
	if s.Channels > 1 {
		more += fmt.Sprintf(", channels: %d", s.Channels)
	}
	if s.Samples {
		more, texels = more+", samples: 2", 2*texels
	}
	if s.Linear {
		more += ", memory: linear"
	}
	return fmt.Sprintf("  %s: {type: %s, count: %d, init: 0}", of, s.Type, texels*s.Channels),
		fmt.Sprintf("  %s: {buffer: %s, size: %s%s}", name, of, strings.ReplaceAll(fmt.Sprint(size), " ", ", "), more)
}
