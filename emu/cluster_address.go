// Addresses of shared memory in a cluster: mapa, getctarank, access to the memory of other blocks, and to that of
// mbarriers.

package emu

import (
	"fmt"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/mbar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Distributed shared memory. The bits of a shared address from bit 24 on hold the rank in the cluster of the block that
// owns it, so that .shared::cta addresses are valid .shared::cluster addresses and may be passed to other blocks. The
// same applies to the low 32 bits of generic addresses. The rank of a block without an explicit cluster is 0.

const (
	rankShift = 24
	rankBits  = gmem.SlotBits - rankShift
	rankMask  = (1<<rankBits - 1) << rankShift
)

// rankOf returns the rank in a shared address, or in a generic address in the shared window.
func rankOf(addr uint64) uint32 { return uint32(addr&rankMask) >> rankShift }

// toRank returns the address of the same variable in the block of the given rank.
func toRank(addr uint64, rank uint32) uint64 { return addr&^rankMask | uint64(rank)<<rankShift }

// ctaMask is the operand that names the blocks of a multicast by rank, 16 or 32 bits wide. Without one its slot is 0.
type ctaMask struct {
	slot slot
	bits uint32
}

// ctaMask resolves the mask of blocks of an instruction, if it has one.
func (d *decoder) ctaMask(in *rewrite.Inst) (ctaMask, error) {
	for i := range in.Operands {
		spec := &in.Decoded.Operands[i]
		if spec.Spec.Name != "ctaMask" {
			continue
		}
		o, err := d.value(in, &in.Operands[i], spec.Type)
		if err != nil {
			return ctaMask{}, err
		}
		return ctaMask{o.slot, 1<<spec.Type.Bits() - 1}, d.fitsType(in, &in.Operands[i], spec.Type, o)
	}
	return ctaMask{}, nil
}

// of returns the ranks that lane i names.
func (c ctaMask) of(x *engine, i int) lanes { return lanes(x.frame.r32(c.slot)[i] & c.bits) }

// forEach calls f with each rank that lanes of m name, and with these lanes, until it returns false.
func (c ctaMask) forEach(x *engine, m lanes, f func(rank uint32, m lanes) bool) {
	for rank := range uint32(warpSize) {
		var named lanes
		for r := m; r != 0; r &= r - 1 {
			if c.of(x, r.first()).has(int(rank)) {
				named |= 1 << r.first()
			}
		}
		if named != 0 && !f(rank, named) {
			return
		}
	}
}

// sharedBase returns the address of the block's shared memory in the shared space.
func (c *cta) sharedBase() uint64 { return uint64(c.rank) << rankShift }

// sharedOf returns the n bytes at a shared address, in the shared memory of any block of the cluster. With own, only
// that of the block itself is valid. The bytes must not be those of a valid mbarrier.
func (x *engine) sharedOf(addr, n uint64, own bool) ([]byte, *diag.Violation) {
	c, b, bad := x.sharedAt(addr, n, own)
	if bad == nil {
		bad = x.inObject(c, addr-c.sharedBase(), n)
	}
	if bad != nil {
		return nil, bad
	}
	return b, nil
}

// sharedAt is sharedOf for any bytes. It also returns their block.
func (x *engine) sharedAt(addr, n uint64, own bool) (*cta, []byte, *diag.Violation) {
	c, rank := x.cta, rankOf(addr)
	if rank != c.rank {
		switch blocks := c.cluster.blocks; {
		case addr>>gmem.SlotBits != 0 || len(blocks) == 1 || own && rank >= uint32(len(blocks)):
			return nil, nil, x.beyondShared(addr, n)
		case rank >= uint32(len(blocks)):
			return nil, nil, diag.Violationf("out-of-bounds", "is in the shared memory of block %d of a cluster of %d",
				rank, len(blocks))
		case blocks[rank] == nil:
			return nil, nil, diag.Violationf("use-after-free",
				"is in the shared memory of block %d of the cluster, which has ended", rank)
		case own:
			return nil, nil, diag.Violationf("out-of-bounds",
				"is in the shared memory of block %d of the cluster, block %d can only access it as .shared::cluster",
				rank, c.rank)
		default:
			c = blocks[rank]
		}
	}
	off := addr - c.sharedBase()
	if size := uint64(len(c.shared)); off > size || n > size-off {
		return nil, nil, x.beyondShared(addr, n)
	}
	return c, c.shared[off : off+n], nil
}

// beyondShared returns a violation that describes an address outside of shared memory.
func (x *engine) beyondShared(addr, n uint64) *diag.Violation {
	if rankOf(addr) == x.cta.rank {
		addr -= x.cta.sharedBase()
	}
	return diag.Violationf("out-of-bounds", "%s", beyond(addr, n, uint64(len(x.cta.shared)),
		"shared memory of the block"))
}

// usable returns the range of the block's shared memory in which the access is expected: for an operation on an
// mbarrier, all.
func (ac *access) usable(x *engine) (from, to uint64) {
	if ac.object {
		return 0, uint64(len(x.cta.shared))
	}
	return x.plainShared(x.cta)
}

// otherShared locates an access to shared memory outside of the range w, nil if there is none or after raising a fault.
// It may set the range to memory of the block that contains the address. A generic address is base higher.
func (ac *access) otherShared(x *engine, in *inst, w *cachedRange, base, addr uint64, i int) unsafe.Pointer {
	c := x.cta
	if off, size := addr-c.sharedBase(), uint64(len(c.shared)); off < size {
		from, to := c.objects.Around(off, size)
		around := cachedRange{AllocCache: ac.bytes(c.shared[from:to], base+c.sharedBase()+from)}
		if p := around.at(base+addr, ac.size, i); p != nil {
			*w = around
			return p
		}
	}
	if x.l.clustered() || c.objects.Overlaps(addr-c.sharedBase(), ac.size) != nil {
		return ac.peer(x, in, addr, i)
	}
	return nil
}

// peer returns the memory of an access to shared memory of any block of the cluster, nil after raising a fault.
func (ac *access) peer(x *engine, in *inst, addr uint64, i int) unsafe.Pointer {
	if addr&(ac.size-1) != 0 {
		x.raise(in, i, "misaligned", gmem.SharedWindow+addr, "misaligned %s of %d bytes at shared address 0x%x",
			ac.kind.Word(), ac.size, addr)
		return nil
	}
	b, bad := ac.bytesAt(x, addr)
	if bad != nil {
		x.raise(in, i, bad.Class, gmem.SharedWindow+addr, "%s of %d bytes at shared address 0x%x, which %s",
			ac.kind.Word(), ac.size, addr, bad.Msg)
		return nil
	}
	return unsafe.Pointer(unsafe.SliceData(b))
}

func (ac *access) bytesAt(x *engine, addr uint64) (b []byte, bad *diag.Violation) {
	if ac.object {
		_, b, bad = x.sharedAt(addr, ac.size, !ac.cluster)
		return b, bad
	}
	return x.sharedOf(addr, ac.size, !ac.cluster)
}

// Valid mbarriers in shared memory: ordinary accesses to them are faults.

// objectAt is a place at which a thread of a block has initialised or invalidated an mbarrier.
type objectAt struct {
	inst   *rewrite.Inst
	thread int // within the block
}

// objectAt returns the place for lane i at an instruction.
func (x *engine) objectAt(in *inst, i int) objectAt {
	return objectAt{x.blame(x.frame, in.src), x.warp.index*warpSize + i}
}

// entryOf returns what is known of the mbarriers at p in a block of a cluster, nil if there never was one.
func (cl *cluster) entryOf(p *uint64) *mbar.Entry[objectAt] {
	for _, c := range cl.blocks {
		if c != nil && c.offsetOf(p) < uint64(len(c.shared)) {
			return c.objects.At(c.offsetOf(p))
		}
	}
	return nil
}

// offsetOf returns the offset of p in the shared memory of c, a larger number if p is not in it.
func (c *cta) offsetOf(p *uint64) uint64 {
	return uint64(uintptr(unsafe.Pointer(p)) - uintptr(unsafe.Pointer(unsafe.SliceData(c.shared))))
}

// plainShared returns the largest part of a block's shared memory that has no valid mbarrier. Accesses elsewhere are
// checked one by one.
func (x *engine) plainShared(c *cta) (from, to uint64) {
	if x.m.cfg.NoMemcheck {
		return 0, uint64(len(c.shared))
	}
	return c.objects.Largest(uint64(len(c.shared)))
}

// inObject returns a violation if some of the n bytes at an offset of a block's shared memory belong to a valid
// mbarrier, which has to be invalidated before the memory is used for anything else (PTX ISA, "Lifecycle of the
// mbarrier object").
func (x *engine) inObject(c *cta, off, n uint64) *diag.Violation {
	e := c.objects.Overlaps(off, n)
	if e == nil || x.m.cfg.NoMemcheck {
		return nil
	}
	return diag.Violationf("mbarrier",
		"is in the mbarrier initialised at %s: mbarrier.inval has to end it before its memory is used otherwise",
		placeText(e.Init.inst))
}

// noObject describes that there is no mbarrier at p.
func (cl *cluster) noObject(p *uint64) *diag.Violation {
	why := "it has not been initialised"
	switch e := cl.entryOf(p); {
	case e == nil:
	case e.Valid:
		why = fmt.Sprintf("the one initialised at %s has been overwritten", placeText(e.Init.inst))
	default:
		why = fmt.Sprintf("it was invalidated at %s", placeText(e.Inval.inst))
	}
	return diag.Violationf("uninitialised", "there is no mbarrier here: %s", why)
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
