// Package embed finds out which PTX of a program a PTX file replaces.
//
// What enters are the PTX entries of a fat binary (internal/fatbin) and the text of PTX files. What
// leaves is, for each file, the entry with the same kernels and the same target
// (fatbin.Replacement). The package must not know instructions: it reads .target, .version and the
// names of kernels. internal/fatbin writes the program.
package embed

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ptxsan/ptxsan/internal/fatbin"
	"github.com/ptxsan/ptxsan/ptxgrammar"
)

// Places holds the entries of a program that PTX files may replace.
type Places struct {
	program string
	entries []fatbin.PTXEntry
	chosen  bool       // the user has chosen the single entry
	kernels [][]string // of each entry, sorted; nil if its text cannot be parsed
}

// NewPlaces returns the places of a program with at least one entry. The program's name is used in messages. If the
// user has chosen the single entry, each file replaces it. Otherwise the entries are decoded and parsed; one of more
// than limit bytes is an error.
func NewPlaces(program string, entries []fatbin.PTXEntry, chosen bool, limit int) (*Places, error) {
	p := &Places{program: program, entries: entries, chosen: chosen}
	if chosen {
		return p, nil
	}
	for _, e := range entries {
		data, err := e.Data()
		if err != nil {
			return nil, err
		}
		if len(data) > limit {
			return nil, fmt.Errorf("module %d %s has %d bytes of PTX, more than the limit of %d", e.Module, e.Target(),
				len(data), limit)
		}
		var kernels []string
		if tree, failed := ptxgrammar.Parse(fmt.Sprintf("module %d", e.Module), data); failed == nil {
			kernels = append([]string{}, kernelNames(tree)...)
		}
		p.kernels = append(p.kernels, kernels)
	}
	return p, nil
}

// Replacement parses a PTX file and returns the replacement of one entry by it. It is an error if no entry, or more
// than one, has the kernels and the target of the file.
func (p *Places) Replacement(name string, src []byte) (*fatbin.Replacement, error) {
	r, tree, err := parse(name, src)
	if err != nil {
		return nil, err
	}
	place, err := p.find(name, r.Arch, kernelNames(tree))
	if err != nil {
		return nil, err
	}
	r.Module, r.Entry = place.Module, place.Index
	return r, nil
}

// parse parses a PTX file to be embedded.
func parse(name string, src []byte) (*fatbin.Replacement, *ptxgrammar.Module, error) {
	tree, err := ptxgrammar.Parse(name, src)
	if err != nil {
		return nil, nil, err
	}
	r := &fatbin.Replacement{PTX: src, Major: uint16(tree.Version / 10), Minor: uint16(tree.Version % 10)}
	r.Arch, err = targetNumber(tree)
	return r, tree, err
}

// New returns a fat binary with the PTX of a file.
func New(name string, src []byte, how fatbin.Compression) ([]byte, error) {
	r, _, err := parse(name, src)
	if err != nil {
		return nil, err
	}
	return fatbin.New([]fatbin.Replacement{*r}, how)
}

// find returns the entry that a file with this target and these kernels replaces.
func (p *Places) find(name string, arch uint32, kernels []string) (*fatbin.PTXEntry, error) {
	if p.chosen {
		return &p.entries[0], nil
	}
	var found []fatbin.PTXEntry
	for i, e := range p.entries {
		if e.Arch == arch && p.kernels[i] != nil && slices.Equal(p.kernels[i], kernels) {
			found = append(found, e)
		}
	}
	switch len(found) {
	case 1:
		return &found[0], nil
	case 0:
		list := "none"
		if len(kernels) > 0 {
			list = strings.Join(kernels, ", ")
		}
		return nil, fmt.Errorf("%s: no PTX of %s has its target sm_%d and its kernels (%s); choose with --module and --arch from %s",
			name, p.program, arch, list, fatbin.DescribePTX(p.entries))
	}
	return nil, fmt.Errorf("%s: its kernels and its target are those of %s; choose with --module and --arch", name,
		fatbin.DescribePTX(found))
}

// targetNumber returns 70 for .target sm_70, without a letter after the number.
func targetNumber(tree *ptxgrammar.Module) (uint32, error) {
	for _, t := range tree.Target {
		digits, ok := strings.CutPrefix(t, "sm_")
		if n, err := strconv.ParseUint(strings.TrimRight(digits, "af"), 10, 32); ok && err == nil {
			return uint32(n), nil
		}
	}
	return 0, fmt.Errorf("%s: no target sm_NN", tree.File.Name)
}

// kernelNames returns the names of a module's kernels, sorted.
func kernelNames(tree *ptxgrammar.Module) (names []string) {
	for i := range tree.Funcs {
		if f := &tree.Funcs[i]; f.Entry {
			names = append(names, f.Name)
		}
	}
	slices.Sort(names)
	return names
}
