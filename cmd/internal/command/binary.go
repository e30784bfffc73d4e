// Programs and machine code in place of PTX.

package command

import (
	"bytes"
	"cmp"
	"debug/elf"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/limits"
	"github.com/ptxsan/ptxsan/internal/cubin"
	"github.com/ptxsan/ptxsan/internal/fatbin"
	"github.com/ptxsan/ptxsan/internal/input"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session/source"
)

// isBinary reports whether the beginning of a file is that of one which may hold PTX: an ELF file, an archive or a fat
// binary.
func isBinary(begin []byte) bool {
	return slices.ContainsFunc([]string{elf.ELFMAG, "!<arch>\n", "\x50\xed\x55\xba"}, func(magic string) bool {
		return bytes.HasPrefix(begin, []byte(magic))
	})
}

// programLimit returns the limit on the size of a file of PTX: a larger one for a file that holds it among other data.
func programLimit(name string) int64 {
	if name == "-" || input.IsOpenDescriptor(name) {
		return limits.ProgramBytes
	}
	if at, err := os.Stat(name); err != nil || !at.Mode().IsRegular() { // a pipe would not end
		return limits.ProgramBytes
	}
	f, err := os.Open(name)
	if err != nil {
		return limits.ProgramBytes
	}
	defer f.Close()
	begin := make([]byte, 8)
	if n, _ := io.ReadFull(f, begin); isBinary(begin[:n]) {
		return limits.BinaryBytes
	}
	return limits.ProgramBytes
}

// extracted returns the PTX in a program, an archive or machine code, and prints a note that names the architecture. The
// file must have exactly one module with PTX; of its architectures, --arch chooses one, by default the highest.
func extracted(c *cli.Context, name string, data []byte) (*ptxgrammar.Module, error) {
	f, err := fatbin.Open(name, data)
	if err != nil {
		return nil, BadInput(fmt.Errorf("expected PTX: %w", err))
	}
	e, err := onlyModule(c, f)
	if err != nil {
		return nil, err
	}
	p, err := cubin.Of(e.Entry)
	if err == nil && len(p.PTX) > limits.ProgramBytes {
		err = fmt.Errorf("%s: %d bytes of PTX; the limit is %d", name, len(p.PTX), limits.ProgramBytes)
	}
	if err != nil {
		return nil, BadInput(err)
	}
	fmt.Fprintf(c.App.ErrWriter, "ptxsan: note: %s is the PTX of %s for %s\n", source.PTXName(name), name, e.Target())
	if len(p.Without) > 0 {
		fmt.Fprintf(c.App.ErrWriter, "ptxsan: note: without PTX, from objects that were compiled without -lineinfo: %s\n",
			report.Functions(p.Without))
	}
	if c.Bool(keepFlag) {
		if err = WriteBytes(c, source.PTXName(name), p.PTX); err != nil {
			return nil, err
		}
	}
	tree, err := ptxgrammar.Parse(source.PTXName(name), p.PTX)
	return tree, BadInput(err)
}

// onlyModule chooses the entry of a file with one module.
func onlyModule(c *cli.Context, f *fatbin.File) (*fatbin.PTXEntry, error) {
	list, err := cubin.Entries(f)
	if err != nil {
		return nil, BadInput(err)
	}
	if slices.ContainsFunc(list, func(e fatbin.PTXEntry) bool { return f.Modules[e.Module].Linked }) {
		list = slices.DeleteFunc(list, func(e fatbin.PTXEntry) bool { return f.Modules[e.Module].Relocatable })
	}
	if arch := c.String(archFlag); arch != "" {
		list = slices.DeleteFunc(list, func(e fatbin.PTXEntry) bool { return e.Target() != arch })
	}
	switch modules := slices.CompactFunc(slices.Clone(list), func(a, b fatbin.PTXEntry) bool {
		return a.Module == b.Module
	}); {
	case len(list) == 0:
		return nil, BadInput(fmt.Errorf("%s: expected PTX; its machine code for %s has none: compile with -lineinfo",
			f.Name, strings.Join(f.Targets(), ", ")))
	case len(modules) > 1:
		return nil, BadInput(fmt.Errorf("%s: expected one module with PTX, found %s: `ptxsan extract --module N -o k.ptx "+
			"%[1]s` takes one out, `ptxsan exec` runs a program as it is", f.Name, fatbin.DescribePTX(list)))
	}
	best := slices.MaxFunc(list, func(a, b fatbin.PTXEntry) int { return cmp.Compare(a.Arch, b.Arch) })
	return &best, nil
}
