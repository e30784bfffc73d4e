// Source lines from debug information, and inlined functions.

package callsite

import (
	"debug/dwarf"
	"slices"
)

// withLines returns the frames of an address in a function, those of inlined functions first.
func (o *object) withLines(function Frame, address uint64) []Frame {
	list := []Frame{function}
	unit, err := o.lines.Reader().SeekPC(address)
	if err != nil {
		return list
	}
	table, err := o.lines.LineReader(unit)
	if err != nil || table == nil {
		return list
	}
	var e dwarf.LineEntry
	if err = table.SeekPC(address, &e); err != nil || e.File == nil {
		return list
	}
	files := table.Files()
	list[0].File, list[0].Line = e.File.Name, e.Line
	for _, in := range o.inlined(unit, address) { // outermost first
		// The line so far is that inside the call, which has a line of its own.
		inner := Frame{Object: function.Object, Function: o.name(in), File: list[0].File, Line: list[0].Line}
		if i, ok := in.Val(dwarf.AttrCallFile).(int64); ok && i >= 0 && int(i) < len(files) && files[i] != nil {
			list[0].File = files[i].Name
		}
		if line, ok := in.Val(dwarf.AttrCallLine).(int64); ok {
			list[0].Line = int(line)
		}
		list = slices.Insert(list, 0, inner)
	}
	return list
}

// inlined returns the inlined calls at an address, the outermost first.
func (o *object) inlined(unit *dwarf.Entry, address uint64) (list []*dwarf.Entry) {
	r := o.lines.Reader()
	r.Seek(unit.Offset)
	if _, err := r.Next(); err != nil {
		return nil
	}
	for {
		e, err := r.Next()
		if err != nil || e == nil || e.Tag == dwarf.TagCompileUnit {
			return list
		}
		ranges, _ := o.lines.Ranges(e)
		holds := slices.ContainsFunc(ranges, func(r [2]uint64) bool { return address >= r[0] && address < r[1] })
		switch {
		case e.Tag == dwarf.TagInlinedSubroutine && holds:
			list = append(list, e)
		case len(ranges) > 0 && !holds, len(ranges) == 0 && e.Tag != dwarf.TagNamespace &&
			e.Tag != dwarf.TagLexDwarfBlock:
			r.SkipChildren()
		}
	}
}

// name returns the name of an inlined function, mangled if available.
func (o *object) name(e *dwarf.Entry) string {
	for range 4 { // an inlined call, its function, that function's declaration
		for _, attr := range []dwarf.Attr{dwarf.AttrLinkageName, dwarf.AttrName} {
			if name, ok := e.Val(attr).(string); ok {
				return name
			}
		}
		at, ok := e.Val(dwarf.AttrAbstractOrigin).(dwarf.Offset)
		if !ok {
			at, ok = e.Val(dwarf.AttrSpecification).(dwarf.Offset)
		}
		if !ok {
			return ""
		}
		r := o.lines.Reader()
		r.Seek(at)
		next, err := r.Next()
		if err != nil || next == nil {
			return ""
		}
		e = next
	}
	return ""
}
