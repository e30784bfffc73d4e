// Finding opcodes in the table.

package isa

import "sync"

// table is the whole table, built on first use.
var table = sync.OnceValue(func() *instrTable {
	t := &instrTable{byName: map[string]*Instr{}}
	for _, c := range chapters {
		for i := range c.rows {
			in := c.rows[i].instr(c.class)
			in.Op = Op(len(t.rows))
			if t.byName[in.Name] != nil {
				panic("BUG: isa: two rows for " + in.Name)
			}
			t.rows = append(t.rows, in)
			t.byName[in.Name] = in
		}
	}
	return t
})

type instrTable struct {
	rows   []*Instr
	byName map[string]*Instr
}

// chapters lists the tables in the order of the manual.
var chapters = []struct {
	class Class
	rows  []row
}{
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

// Lookup returns the row of a base opcode.
func Lookup(name string) (*Instr, bool) {
	in, ok := table().byName[name]
	return in, ok
}

// All returns the rows in table order. Do not modify.
func All() []*Instr { return table().rows }

// String is the opcode's name.
func (op Op) String() string {
	if rows := table().rows; int(op) < len(rows) {
		return rows[op].Name
	}
	return ""
}

// SpellScope is how the opcode spells a scope, "" when it has none of this name: .gpu is
// membar's .gl.
func (in *Instr) SpellScope(scope Scope) string {
	for _, f := range in.Forms {
		for i := range f.Mods {
			for _, v := range f.Mods[i].Values {
				if s, ok := ScopeOf(v); ok && s == scope {
					return v
				}
			}
		}
	}
	return ""
}
