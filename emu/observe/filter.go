// Filters: the part of a run that a trace shows.

package observe

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Filter selects a part of a run. The zero value and nil select all of it.
type Filter struct {
	kernels []string // patterns of path.Match
	blocks  []blockSet
	warps   []span
	lines   []lineSet
}

// span is the numbers from lo to hi.
type span struct{ lo, hi uint64 }

func (s span) has(n uint64) bool { return s.lo <= n && n <= s.hi }

// blockSet is a range of linear block indices, or one block.
type blockSet struct {
	span
	index *emu.Dim3
}

// lineSet is a range of lines of a source file, or of the PTX if file is "".
type lineSet struct {
	span
	file string
}

// FilterSyntax describes the syntax of ParseFilter.
const FilterSyntax = "kernel=GLOB, block=N, N-M or (x,y,z), warp=N or N-M, line=N or N-M of the PTX or FILE:N of the source"

// ParseFilter parses KEY=VALUE,...: a part of the run is selected if, for each given key, one of the key's values
// matches.
func ParseFilter(text string) (*Filter, error) {
	f := &Filter{}
	for _, term := range splitTerms(text) {
		key, value, ok := strings.Cut(strings.TrimSpace(term), "=")
		if !ok || value == "" {
			return nil, fmt.Errorf("expected %s; found %q", FilterSyntax, term)
		}
		if err := f.add(key, value); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// splitTerms splits at commas that are not in parentheses.
func splitTerms(text string) []string {
	var terms []string
	depth, start := 0, 0
	for i, r := range text {
		switch {
		case r == '(':
			depth++
		case r == ')':
			depth--
		case r == ',' && depth == 0:
			terms = append(terms, text[start:i])
			start = i + 1
		}
	}
	return append(terms, text[start:])
}

func (f *Filter) add(key, value string) error {
	switch key {
	case "kernel":
		if _, err := path.Match(value, ""); err != nil {
			return fmt.Errorf("kernel=%s: not a pattern", value)
		}
		f.kernels = append(f.kernels, value)
		return nil
	case "block":
		b, err := parseBlocks(value)
		f.blocks = append(f.blocks, b)
		return err
	case "warp":
		s, err := parseSpan(key, value)
		f.warps = append(f.warps, s)
		return err
	case "line":
		file, lines := "", value
		if i := strings.LastIndexByte(value, ':'); i >= 0 {
			file, lines = value[:i], value[i+1:]
		}
		s, err := parseSpan(key, lines)
		if err != nil {
			return fmt.Errorf("line=%s: expected N or N-M, of the PTX, or FILE:N", value)
		}
		f.lines = append(f.lines, lineSet{s, file})
		return nil
	}
	return fmt.Errorf("unknown key %q; expected %s", key, FilterSyntax)
}

func parseBlocks(value string) (blockSet, error) {
	inner, ok := strings.CutPrefix(value, "(")
	if !ok {
		s, err := parseSpan("block", value)
		return blockSet{span: s}, err
	}
	parts := strings.Split(strings.TrimSuffix(inner, ")"), ",")
	var xyz [3]uint32
	bad := len(parts) > len(xyz) || !strings.HasSuffix(inner, ")")
	for i := 0; i < len(parts) && !bad; i++ {
		n, err := strconv.ParseUint(strings.TrimSpace(parts[i]), 10, 32)
		xyz[i], bad = uint32(n), err != nil
	}
	if bad {
		return blockSet{}, fmt.Errorf("block=%s: expected (x,y,z)", value)
	}
	return blockSet{index: &emu.Dim3{X: xyz[0], Y: xyz[1], Z: xyz[2]}}, nil
}

func parseSpan(key, value string) (span, error) {
	first, last, isRange := strings.Cut(value, "-")
	if !isRange {
		last = first
	}
	lo, err1 := strconv.ParseUint(first, 10, 64)
	hi, err2 := strconv.ParseUint(last, 10, 64)
	if err1 != nil || err2 != nil || hi < lo {
		return span{}, fmt.Errorf("%s=%s: expected a number or a range such as 2-5", key, value)
	}
	return span{lo, hi}, nil
}

func (f *Filter) matchKernel(name, display string) bool {
	return f == nil || anyOf(f.kernels, func(pattern string) bool {
		raw, _ := path.Match(pattern, name)
		shown, _ := path.Match(pattern, display)
		return raw || shown
	})
}

func (f *Filter) matchBlock(block uint64, grid emu.Dim3) bool {
	return f == nil || anyOf(f.blocks, func(b blockSet) bool {
		if b.index != nil {
			return *b.index == grid.At(block)
		}
		return b.has(block)
	})
}

func (f *Filter) matchWarp(warp uint32) bool {
	return f == nil || anyOf(f.warps, func(s span) bool { return s.has(uint64(warp)) })
}

func (f *Filter) matchLine(in *rewrite.Inst, names *Names) bool {
	return f == nil || anyOf(f.lines, func(l lineSet) bool {
		if l.file == "" {
			return l.has(uint64(in.Line))
		}
		file, line := names.source(in)
		return l.has(uint64(line)) && (file == l.file || strings.HasSuffix(file, "/"+l.file))
	})
}

// anyOf reports whether one of the values matches, or there are none.
func anyOf[T any](values []T, fits func(T) bool) bool {
	for _, v := range values {
		if fits(v) {
			return true
		}
	}
	return len(values) == 0
}
