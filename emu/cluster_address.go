// Addresses of shared memory in a cluster: mapa, getctarank, and access to the memory of other blocks.

package emu

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Distributed shared memory. The bits of a shared address from bit 24 on hold the rank in the cluster of the block that owns it,
// so that .shared::cta addresses are valid .shared::cluster addresses and may be passed to other blocks. The same applies to the
// low 32 bits of generic addresses. The rank of a block without an explicit cluster is 0.

const (
	rankShift = 24
	rankBits  = gmem.SlotBits - rankShift
	rankMask  = (1<<rankBits - 1) << rankShift
)

// rankOf returns the rank in a shared address, or in a generic address in the shared window.
func rankOf(addr uint64) uint32 { return uint32(addr&rankMask) >> rankShift }

// toRank returns the address of the same variable in the block of the given rank.
func toRank(addr uint64, rank uint32) uint64 { return addr&^rankMask | uint64(rank)<<rankShift }

// sharedBase returns the address of the block's shared memory in the shared space.
func (c *cta) sharedBase() uint64 { return uint64(c.rank) << rankShift }

// sharedOf returns the n bytes at a shared address, in the shared memory of any block of the cluster. With own, only that of the
// block itself is valid.
func (x *engine) sharedOf(addr, n uint64, own bool) ([]byte, *diag.Violation) {
	c, rank := x.cta, rankOf(addr)
	if rank != c.rank {
		switch blocks := c.cluster.blocks; {
		case addr>>gmem.SlotBits != 0 || len(blocks) == 1 || own && rank >= uint32(len(blocks)):
			return nil, x.beyondShared(addr, n)
		case rank >= uint32(len(blocks)):
			return nil, diag.Violationf("out-of-bounds", "is in the shared memory of block %d of a cluster of %d", rank, len(blocks))
		case blocks[rank] == nil:
			return nil, diag.Violationf("use-after-free", "is in the shared memory of block %d of the cluster, which has ended", rank)
		case own:
			return nil, diag.Violationf("out-of-bounds", "is in the shared memory of block %d of the cluster, block %d can only access it as .shared::cluster", rank, c.rank)
		default:
			c = blocks[rank]
		}
	}
	off := addr - c.sharedBase()
	if size := uint64(len(c.shared)); off > size || n > size-off {
		return nil, x.beyondShared(addr, n)
	}
	return c.shared[off : off+n], nil
}

// beyondShared returns a violation that describes an address outside of shared memory.
func (x *engine) beyondShared(addr, n uint64) *diag.Violation {
	if rankOf(addr) == x.cta.rank {
		addr -= x.cta.sharedBase()
	}
	return diag.Violationf("out-of-bounds", "%s", beyond(addr, n, uint64(len(x.cta.shared)), "shared memory of the block"))
}

// peer returns the memory of an access to shared memory outside of the block's own: of another block of the cluster. It returns
// nil after raising a fault.
func (ac *access) peer(x *engine, in *inst, addr uint64, i int) unsafe.Pointer {
	if addr&(ac.size-1) != 0 {
		x.raise(in, i, "misaligned", gmem.SharedWindow+addr, "misaligned %s of %d bytes at shared address 0x%x", ac.kind.Word(), ac.size, addr)
		return nil
	}
	b, bad := x.sharedOf(addr, ac.size, !ac.cluster)
	if bad != nil {
		x.raise(in, i, bad.Class, gmem.SharedWindow+addr, "%s of %d bytes at shared address 0x%x, which %s", ac.kind.Word(), ac.size, addr, bad.Msg)
		return nil
	}
	return unsafe.Pointer(unsafe.SliceData(b))
}

// semCluster is the semantics of addresses in distributed shared memory (PTX ISA,
// "Data Movement and Conversion Instructions: mapa, getctarank").
var semCluster = map[string]decodeFunc{
	"mapa":       decodeMapa,
	"getctarank": decodeGetctarank,
}

// decodeMapa decodes mapa: the address of the same variable in another block.
func decodeMapa(d *decoder, in *rewrite.Inst) (inst, error) {
	a, rank, err := d.sharedAndRank(in, 1, 2)
	if err != nil {
		return inst{}, err
	}
	dst, err := d.dst(in)
	if err != nil {
		return inst{}, err
	}
	if err := d.fitsType(in, &in.Operands[0], in.Type(0), dst); err != nil {
		return inst{}, err
	}
	generic := in.Space == isa.SpaceNone
	return inst{d: dst.slot, a: a.slot, b: rank.slot, flags: flagFaults, body: func(x *engine, in *inst, m lanes) {
		ranks, blocks := x.frame.r32(in.b), uint32(len(x.cta.cluster.blocks))
		for ; m != 0; m &= m - 1 {
			i := m.first()
			addr := x.frame.word(in.a, a.wide(), i)
			if !x.checkShared(in, addr, generic, i) {
				return
			}
			if ranks[i] >= blocks {
				x.raise(in, i, "out-of-bounds", 0, "block %d of a cluster of %d", ranks[i], blocks)
				return
			}
			x.frame.setLane(in.d, slotBits(dst.typ), i, [2]uint64{toRank(addr, ranks[i])})
		}
	}}, nil
}

// decodeGetctarank decodes getctarank: the rank of the block that owns a shared address.
func decodeGetctarank(d *decoder, in *rewrite.Inst) (inst, error) {
	a, _, err := d.sharedAndRank(in, 1, -1)
	if err != nil {
		return inst{}, err
	}
	dst, err := d.dst(in)
	if err != nil {
		return inst{}, err
	}
	if err := d.fitsType(in, &in.Operands[0], isa.U32, dst); err != nil {
		return inst{}, err
	}
	generic := in.Space == isa.SpaceNone
	return inst{d: dst.slot, a: a.slot, flags: flagFaults, body: func(x *engine, in *inst, m lanes) {
		for ; m != 0; m &= m - 1 {
			i := m.first()
			addr := x.frame.word(in.a, a.wide(), i)
			if !x.checkShared(in, addr, generic, i) {
				return
			}
			x.frame.r32(in.d)[i] = rankOf(addr)
		}
	}}, nil
}

// sharedAndRank resolves an address operand of the instruction's type and, unless its index is negative, a rank.
func (d *decoder) sharedAndRank(in *rewrite.Inst, addr, rank int) (a, r operand, err error) {
	if a, err = d.value(in, &in.Operands[addr], in.Type(0)); err != nil {
		return a, r, err
	}
	if err = d.fitsType(in, &in.Operands[addr], in.Type(0), a); err != nil || rank < 0 {
		return a, r, err
	}
	if r, err = d.value(in, &in.Operands[rank], isa.U32); err != nil {
		return a, r, err
	}
	return a, r, d.fitsType(in, &in.Operands[rank], isa.U32, r)
}

// checkShared raises a fault unless a generic address is in shared memory.
func (x *engine) checkShared(in *inst, addr uint64, generic bool, lane int) bool {
	if generic && addr>>gmem.SlotBits != gmem.SharedWindow>>gmem.SlotBits {
		x.raise(in, lane, "out-of-bounds", addr, "address 0x%x, which is not in shared memory", addr)
		return false
	}
	return true
}
