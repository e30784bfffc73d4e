// Finding opcodes in the table.

package isa

import "sync"

// table has the rows of the whole table. A row is parsed on the first lookup of its opcode: a program uses a few dozen
// of hundreds, and parsing all took a sixth of the time of a short check.
var table = sync.OnceValue(func() *instrTable {
	t := &instrTable{byName: map[string]*entry{}}
	for _, c := range chapters() {
		for i := range c.rows {
			e := &entry{op: Op(len(t.rows)), class: c.class, row: &c.rows[i]}
			if t.byName[e.row.name] != nil {
				panic("BUG: isa: two rows for " + e.row.name)
			}
			t.rows = append(t.rows, e)
			t.byName[e.row.name] = e
		}
	}
	return t
})

type instrTable struct {
	rows   []*entry
	byName map[string]*entry
}

// entry is a row of the table with its parsed form, once looked up.
type entry struct {
	op     Op
	class  Class
	row    *row
	parsed sync.Once
	in     *Instr
}

// instr returns the parsed row.
func (e *entry) instr() *Instr {
	e.parsed.Do(func() {
		e.in = e.row.instr(e.class)
		e.in.Op = e.op
	})
	return e.in
}

// all contains all rows, parsed.
var all = sync.OnceValue(func() []*Instr {
	rows := table().rows
	list := make([]*Instr, len(rows))
	for i, e := range rows {
		list[i] = e.instr()
	}
	return list
})

// chapters lists the tables in the order of the manual.
func chapters() []chapter {
	return []chapter{
		{ClassInteger, integerRows},
		{ClassExtended, extendedRows},
		{ClassFloat, floatRows},
		{ClassCompare, compareRows},
		{ClassLogic, logicRows},
		{ClassMove, moveRows},
		{ClassMemory, memoryRows},
		{ClassAsync, asyncRows},
		{ClassTexture, textureRows},
		{ClassControl, controlRows},
		{ClassBarrier, barrierRows},
		{ClassFence, fenceRows},
		{ClassAtomic, atomicRows},
		{ClassWarp, warpRows},
		{ClassMatrix, matrixRows},
		{ClassStack, stackRows},
		{ClassVideo, videoRows()},
		{ClassMisc, miscRows},
	}
}

// chapter is the rows of one class.
type chapter struct {
	class Class
	rows  []row
}

// Lookup returns the row of a base opcode.
func Lookup(name string) (*Instr, bool) {
	e, ok := table().byName[name]
	if !ok {
		return nil, false
	}
	return e.instr(), true
}

// All returns the rows in table order. Do not modify.
func All() []*Instr { return all() }

// String returns the opcode's name.
func (op Op) String() string {
	if rows := table().rows; int(op) < len(rows) {
		return rows[op].row.name
	}
	return ""
}
