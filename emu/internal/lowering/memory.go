// Loads, stores and atomic operations.

package lowering

import (
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// variant selects the operation for a state space. Local memory is separate for each lane and has handlers only for
// loads and stores of one value.
func variant(space isa.Space, op, local vector.Op) vector.Op {
	if space == isa.SpaceLocal {
		return local
	}
	return op
}

// loadKey selects the operation of a load or store: bits in memory, sign extension, 64-bit register.
type loadKey struct {
	bits         int
	signed, wide bool
}

var loads = map[loadKey][2]vector.Op{
	{32, false, false}: {vector.Load32, vector.LoadLocal32},
	{64, false, true}:  {vector.Load64, vector.LoadLocal64},
	{8, false, false}:  {vector.LoadU8, vector.LoadLocalU8},
	{8, true, false}:   {vector.LoadS8, vector.LoadLocalS8},
	{16, false, false}: {vector.LoadU16, vector.LoadLocalU16},
	{16, true, false}:  {vector.LoadS16, vector.LoadLocalS16},
	{32, false, true}:  {vector.LoadU32To64, vector.LoadLocalU32To64},
	{32, true, true}:   {vector.LoadS32To64, vector.LoadLocalS32To64},
	{8, false, true}:   {vector.LoadU8To64, vector.LoadLocalU8To64},
	{8, true, true}:    {vector.LoadS8To64, vector.LoadLocalS8To64},
	{16, false, true}:  {vector.LoadU16To64, vector.LoadLocalU16To64},
	{16, true, true}:   {vector.LoadS16To64, vector.LoadLocalS16To64},
}

// Uniform has the operations of loads from constant addresses, by that of the general load.
var Uniform = map[vector.Op]vector.Op{
	vector.Load32: vector.LoadUniform32, vector.Load64: vector.LoadUniform64, vector.LoadV4x32: vector.LoadUniformV4x32,
}

// Load returns the operation for a load of type t to a register.
func Load(t, reg isa.Type, space isa.Space) vector.Op {
	bits := reg.Bits()
	if t == isa.S8 && bits == 16 {
		return vector.Slow // the sign extension ends at 16 bits
	}
	signed := t.Signed() && t.Bits() < bits && bits >= 32
	op := loads[loadKey{t.Bits(), signed, bits == 64}]
	return variant(space, op[0], op[1])
}

var stores = map[loadKey][2]vector.Op{
	{bits: 32}:             {vector.Store32, vector.StoreLocal32},
	{bits: 64, wide: true}: {vector.Store64, vector.StoreLocal64},
	{bits: 8}:              {vector.Store8, vector.StoreLocal8},
	{bits: 16}:             {vector.Store16, vector.StoreLocal16},
	{bits: 8, wide: true}:  {vector.Store8From64, vector.StoreLocal8From64},
	{bits: 16, wide: true}: {vector.Store16From64, vector.StoreLocal16From64},
	{bits: 32, wide: true}: {vector.Store32From64, vector.StoreLocal32From64},
}

// Store returns the operation for a store of type t.
func Store(t isa.Type, wide bool, space isa.Space) vector.Op {
	op := stores[loadKey{bits: t.Bits(), wide: wide}]
	return variant(space, op[0], op[1])
}

// tupleKey selects the operation that loads or stores several values: how many, and their bits in memory.
type tupleKey struct{ n, bits int }

var tuples = map[tupleKey]struct{ load, store vector.Op }{
	{2, 8}:  {vector.LoadV2x8, vector.StoreV2x8},
	{4, 8}:  {vector.LoadV4x8, vector.StoreV4x8},
	{2, 16}: {vector.LoadV2x16, vector.StoreV2x16},
	{4, 16}: {vector.LoadV4x16, vector.StoreV4x16},
	{2, 32}: {vector.LoadV2x32, vector.StoreV2x32},
	{4, 32}: {vector.LoadV4x32, vector.StoreV4x32},
	{2, 64}: {vector.LoadV2x64, vector.StoreV2x64},
}

// LoadTuple returns the operation for a load of several values of type t, zero-extended to their registers.
func LoadTuple(t isa.Type, regs []isa.Type, space isa.Space) vector.Op {
	signed := func(r isa.Type) bool { return t.Signed() && t.Bits() < r.Bits() }
	if !alike(t, regs) || slices.ContainsFunc(regs, signed) {
		return vector.Slow
	}
	return variant(space, tuples[tupleKey{len(regs), t.Bits()}].load, vector.Slow)
}

// StoreTuple returns the operation for a store of several values.
func StoreTuple(t isa.Type, regs []isa.Type, space isa.Space) vector.Op {
	if !alike(t, regs) {
		return vector.Slow
	}
	return variant(space, tuples[tupleKey{len(regs), t.Bits()}].store, vector.Slow)
}

// alike reports whether all registers have the slot width that the handlers for type t expect: 64 bits for 64-bit
// values, else 32.
func alike(t isa.Type, regs []isa.Type) bool {
	return !slices.ContainsFunc(regs, func(r isa.Type) bool { return (r.Bits() == 64) != (t.Bits() == 64) })
}

var atomics32 = map[string]vector.Op{
	"add": vector.AtomAdd32, "and": vector.AtomAnd32, "or": vector.AtomOr32, "xor": vector.AtomXor32,
	"exch": vector.AtomExch32, "cas": vector.AtomCas32,
}

var atomics64 = map[string]vector.Op{
	"add": vector.AtomAdd64, "and": vector.AtomAnd64, "or": vector.AtomOr64, "xor": vector.AtomXor64,
	"exch": vector.AtomExch64, "cas": vector.AtomCas64,
}

// Unread has the operations for a result that nothing reads.
var Unread = map[vector.Op]vector.Op{
	vector.AtomAdd32: vector.AtomAddUnread32, vector.AtomAdd64: vector.AtomAddUnread64,
}

var extremes = map[isa.Type][2]vector.Op{
	isa.U32: {vector.AtomMinU32, vector.AtomMaxU32},
	isa.S32: {vector.AtomMinS32, vector.AtomMaxS32},
	isa.U64: {vector.AtomMinU64, vector.AtomMaxU64},
	isa.S64: {vector.AtomMinS64, vector.AtomMaxS64},
}

// Atomic returns the operation for atom and red.
func Atomic(op string, t isa.Type, space isa.Space) vector.Op {
	if space == isa.SpaceLocal {
		return vector.Slow
	}
	switch t {
	case isa.U32, isa.S32, isa.B32, isa.U64, isa.S64, isa.B64:
	default:
		return vector.Slow
	}
	switch {
	case op == "min":
		return extremes[t][0]
	case op == "max":
		return extremes[t][1]
	case t.Bits() == 64:
		return atomics64[op]
	}
	return atomics32[op]
}
