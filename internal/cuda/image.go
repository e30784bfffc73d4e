// Images of modules: PTX text, fat binaries, machine code with its PTX.

package cuda

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/cubin"
	"github.com/ptxsan/ptxsan/internal/fatbin"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// reader reads the images of a module for a device. It edits their PTX.
type reader struct {
	Target
	edit func(ptx []byte) []byte

	targets []string // of the machine code that PTX was taken out of
	without []string // functions of which there is machine code only
	instead []string // what PTX for other architectures is in place of
}

func (t *reader) program(id uint64, image []byte) (*session.Program, error) {
	name := moduleName(id)
	if isLinked(image) {
		return t.link(name, image)
	}
	found, err := t.ptx(image)
	if err == nil && found.text == nil {
		err = found.refusal()
	}
	if err != nil {
		return nil, err
	}
	return session.Parse(name, found.text)
}

// moduleName returns the name that reports have for the PTX of a module.
func moduleName(id uint64) string { return fmt.Sprintf("module%d.ptx", id) }

// contents is what a device uses of an image.
type contents struct {
	text      []byte   // the edited PTX; nil if there is machine code only
	targets   []string // of that machine code
	functions []string // of that machine code
}

// ptx returns the PTX in an image. A fat binary has several entries, of which a device uses that for the highest
// architecture that it supports, or else for the lowest one: a text, or what machine code has of it.
func (t *reader) ptx(image []byte) (*contents, error) {
	if !bytes.HasPrefix(image, []byte("\x7fELF")) && !isFatbin(image) {
		return &contents{text: t.edit(bytes.TrimRight(image, "\x00"))}, nil
	}
	file, err := fatbin.Open("module", image)
	if err != nil {
		return nil, errorf(InvalidImage, "%v", err)
	}
	found, device, preferred := &contents{}, t.Major*10+t.Minor, ""
	for _, e := range t.preferred(file) {
		p, err := cubin.Of(e)
		switch {
		case err != nil:
			return nil, errorf(InvalidImage, "%v", err)
		case p.PTX == nil:
			found.targets = append(found.targets, cmp.Or(p.Target, e.Target()))
			found.functions = append(found.functions, p.Without...)
			if preferred == "" && e.Arch <= device && e.Arch/10 == device/10 { // as the driver does
				preferred = e.Target()
			}
			continue
		case cubin.IsCode(e):
			t.targets, t.without = append(t.targets, e.Target()), append(t.without, p.Without...)
		}
		if preferred != "" {
			t.instead = append(t.instead, fmt.Sprintf("machine code for %s, which has no PTX, by PTX for %s", preferred, e.Target()))
		}
		return &contents{text: t.edit(p.PTX)}, nil
	}
	return found, nil
}

// preferred returns the entries of a file that may have PTX, the best one for the device first. A text is better than
// machine code of the same architecture, whose lines have no columns.
func (t Target) preferred(file *fatbin.File) (list []*fatbin.Entry) {
	for _, m := range file.Modules {
		for _, e := range m.Entries {
			if e.Kind == fatbin.KindPTX || cubin.IsCode(e) {
				list = append(list, e)
			}
		}
	}
	device := t.Major*10 + t.Minor
	rank := func(e *fatbin.Entry) uint64 { // smaller is better
		r := uint64(e.Arch)<<1 | 1<<40
		if e.Arch <= device {
			r = uint64(device-e.Arch) << 1
		}
		if cubin.IsCode(e) {
			r |= 1
		}
		return r
	}
	slices.SortStableFunc(list, func(a, b *fatbin.Entry) int { return cmp.Compare(rank(a), rank(b)) })
	return list
}

// refusal returns the error for machine code that has no PTX.
func (c *contents) refusal() error {
	targets := distinct(c.targets)
	if len(targets) == 0 {
		return errorf(NoImageForDevice, "neither PTX nor machine code: NVVM IR for optimisation at link time needs -lineinfo")
	}
	n := strings.TrimPrefix(targets[len(targets)-1], "sm_")
	return errorf(NoImageForDevice, "machine code for %s without its PTX, which nvcc -lineinfo adds "+
		"(NVCC_APPEND_FLAGS=\"-lineinfo\"), or else -gencode arch=compute_%s,code=compute_%[2]s "+
		"(NVCC_APPEND_FLAGS=\"-gencode arch=compute_%[2]s,code=compute_%[2]s\")", strings.Join(targets, ", "), n)
}

// The magic number of fat binaries.
const fatbinMagic = 0xba55ed50

func isFatbin(image []byte) bool {
	return len(image) >= 4 && binary.LittleEndian.Uint32(image) == fatbinMagic
}
