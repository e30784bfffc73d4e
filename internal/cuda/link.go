// Modules of several images: relocatable device code, and links by the driver API.

package cuda

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/fatbin"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// A linked image is a header and the images, each preceded by its size (wire.h, wire_link).
const (
	linkedMagic  = 0x4b4c5850
	builtMagic   = 0x424c5850 // the first image is what the others were linked to when the program was built
	linkedHeader = 16         // the number, the number of images, and the bytes after the header
)

func isLinked(image []byte) bool {
	return len(image) >= linkedHeader && (binary.LittleEndian.Uint32(image) == linkedMagic || isBuilt(image))
}

func isBuilt(linked []byte) bool { return binary.LittleEndian.Uint32(linked) == builtMagic }

// images returns the images of a linked image.
func images(linked []byte) (list [][]byte, err error) {
	count, rest := binary.LittleEndian.Uint32(linked[4:]), linked[linkedHeader:]
	for range count {
		if len(rest) < 8 || binary.LittleEndian.Uint64(rest) > uint64(len(rest)-8) {
			return nil, errorf(InvalidImage, "a linked image that is cut short")
		}
		size := binary.LittleEndian.Uint64(rest)
		list, rest = append(list, rest[8:8+size]), rest[8+size:]
	}
	return list, nil
}

// cooperative has the functions of the device runtime that are not part of the emulator.
//
//go:embed cooperative.ptx
var cooperative []byte

// link makes one program of the PTX of several images. It omits NVIDIA's device runtime, which an executable of
// relocatable code always contains.
func (t *reader) link(name string, linked []byte) (*session.Program, error) {
	list, err := images(linked)
	if err != nil {
		return nil, err
	}
	if isBuilt(linked) && len(list) > 0 {
		built := list[0]
		if list = list[1:]; slices.ContainsFunc(list, t.isIR) { // is linked to machine code only
			if found, wrong := t.ptx(built); wrong == nil && found.text != nil {
				return session.Parse(name, found.text)
			}
		}
	}
	var modules []*rewrite.Module
	groups := false // a module calls functions for cooperative groups
	only := &contents{}
	for i, image := range list {
		own := name
		if i > 0 {
			own = fmt.Sprintf("%s.%d.ptx", strings.TrimSuffix(name, ".ptx"), i+1)
		}
		found, wrong := t.ptx(image)
		if wrong != nil {
			return nil, wrong
		}
		if found.text == nil {
			only.targets = append(only.targets, found.targets...)
			only.functions = append(only.functions, found.functions...)
			continue
		}
		program, wrong := session.Parse(own, found.text)
		if wrong != nil {
			return nil, wrong
		}
		if !isDeviceRuntime(program.Module) {
			modules = append(modules, program.Module)
			groups = groups || bytes.Contains(found.text, []byte("cudaCG"))
		}
	}
	if groups {
		program, wrong := session.Parse("cooperative.ptx", cooperative)
		if wrong != nil {
			return nil, wrong
		}
		modules = append(modules, program.Module)
	}
	if len(modules) == 0 && len(list) > 0 {
		return nil, only.refusal()
	}
	t.without = append(t.without, only.functions...)
	module, _, err := rewrite.LinkAll(modules...) // the notes are about debug sections
	if err != nil {
		return nil, err
	}
	if len(modules) > 1 { // the linker has edited the text: see NewProgram
		return session.Parse(name, module.AST.File.Src)
	}
	return session.NewProgram(module), nil
}

// isIR reports whether an image has neither PTX nor machine code: NVVM IR, for optimisation at link time.
func (t Target) isIR(image []byte) bool {
	file, err := fatbin.Open("module", image)
	return err == nil && len(t.preferred(file)) == 0
}

// isDeviceRuntime reports whether a module is NVIDIA's device runtime.
func isDeviceRuntime(m *rewrite.Module) bool {
	for _, f := range m.Funcs {
		if strings.Contains(f.Name, "_cuda_device_runtime_cu_") {
			return true
		}
	}
	return false
}
