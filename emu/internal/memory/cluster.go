// Addresses in shared memory of a block and of other blocks of its cluster.

package memory

import (
	"fmt"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/mbar"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// ToRank returns the address of the same variable in the block of the given rank.
func ToRank(addr uint64, rank uint32) uint64 {
	return addr&^state.RankMask | uint64(rank)<<state.RankShift
}

// CTAMask is the operand that names the blocks of a multicast by rank, 16 or 32 bits wide. Without one its slot is 0.
type CTAMask struct {
	Slot state.Slot
	bits uint32
}

// DecodeCTAMask resolves the mask of blocks of an instruction, if it has one.
func DecodeCTAMask(d *state.Decoder, in *rewrite.Inst) (CTAMask, error) {
	for i := range in.Operands {
		spec := &in.Decoded.Operands[i]
		if spec.Spec.Name != "ctaMask" {
			continue
		}
		o, err := decode.Value(d, in, &in.Operands[i], spec.Type)
		if err != nil {
			return CTAMask{}, err
		}
		return CTAMask{o.Slot, 1<<spec.Type.Bits() - 1}, decode.FitsType(d, in, &in.Operands[i], spec.Type, o)
	}
	return CTAMask{}, nil
}

// Of returns the ranks that lane i names.
func (c CTAMask) Of(x *state.Engine, i int) state.Lanes {
	return state.Lanes(x.Frame.R32(c.Slot)[i] & c.bits)
}

// ForEach calls f with each rank that lanes of m name, and with these lanes, until it returns false.
func (c CTAMask) ForEach(x *state.Engine, m state.Lanes, f func(rank uint32, m state.Lanes) bool) {
	for rank := range uint32(state.WarpSize) {
		var named state.Lanes
		for r := m; r != 0; r &= r - 1 {
			if c.Of(x, r.First()).Has(int(rank)) {
				named |= 1 << r.First()
			}
		}
		if named != 0 && !f(rank, named) {
			return
		}
	}
}

// SharedOf returns the n bytes at a shared address, in the shared memory of any block of the cluster. With own, only
// that of the block itself is valid. The bytes must not be those of a valid mbarrier.
func SharedOf(x *state.Engine, addr, n uint64, own bool) ([]byte, *diag.Violation) {
	c, b, bad := sharedAt(x, addr, n, own)
	if bad == nil {
		bad = inObject(x, c, addr-c.SharedBase(), n)
	}
	if bad != nil {
		return nil, bad
	}
	return b, nil
}

// sharedAt is SharedOf for any bytes. It also returns their block.
func sharedAt(x *state.Engine, addr, n uint64, own bool) (*state.CTA, []byte, *diag.Violation) {
	c, rank := x.CTA, state.RankOf(addr)
	if rank != c.Rank {
		switch blocks := c.Cluster.Blocks; {
		case addr>>gmem.SlotBits != 0 || len(blocks) == 1 || own && rank >= uint32(len(blocks)):
			return nil, nil, beyondShared(x, addr, n)
		case rank >= uint32(len(blocks)):
			return nil, nil, diag.Violationf("out-of-bounds", "is in the shared memory of block %d of a cluster of %d",
				rank, len(blocks))
		case blocks[rank] == nil:
			return nil, nil, diag.Violationf("use-after-free",
				"is in the shared memory of block %d of the cluster, which has ended", rank)
		case own:
			return nil, nil, diag.Violationf("out-of-bounds",
				"is in the shared memory of block %d of the cluster, block %d can only access it as .shared::cluster",
				rank, c.Rank)
		default:
			c = blocks[rank]
		}
	}
	off := addr - c.SharedBase()
	if size := uint64(len(c.Shared)); off > size || n > size-off {
		return nil, nil, beyondShared(x, addr, n)
	}
	return c, c.Shared[off : off+n], nil
}

// beyondShared returns a violation that describes an address outside of shared memory.
func beyondShared(x *state.Engine, addr, n uint64) *diag.Violation {
	if state.RankOf(addr) == x.CTA.Rank {
		addr -= x.CTA.SharedBase()
	}
	return diag.Violationf("out-of-bounds", "%s", beyond(addr, n, uint64(len(x.CTA.Shared)),
		"shared memory of the block"))
}

// usable returns the range of the block's shared memory in which the access is expected: for an operation on an
// mbarrier, all.
func usable(ac *state.Access, x *state.Engine) (from, to uint64) {
	if ac.Object {
		return 0, uint64(len(x.CTA.Shared))
	}
	return PlainShared(x, x.CTA)
}

// otherShared locates an access to shared memory outside of the range w, nil if there is none or after raising a fault.
// It may set the range to memory of the block that contains the address. A generic address is base higher.
func otherShared(ac *state.Access, x *state.Engine, in *state.Inst, w *cachedRange, base, addr uint64,
	i int,
) unsafe.Pointer {
	c := x.CTA
	if off, size := addr-c.SharedBase(), uint64(len(c.Shared)); off < size {
		from, to := c.Objects.Around(off, size)
		around := cachedRange{AllocCache: bytes(ac, c.Shared[from:to], base+c.SharedBase()+from)}
		if p := around.At(base+addr, ac.Size, i); p != nil {
			*w = around
			return p
		}
	}
	if x.L.Clustered() || c.Objects.Overlaps(addr-c.SharedBase(), ac.Size) != nil {
		return Peer(ac, x, in, addr, i)
	}
	return nil
}

// Peer returns the memory of an access to shared memory of any block of the cluster, nil after raising a fault.
func Peer(ac *state.Access, x *state.Engine, in *state.Inst, addr uint64, i int) unsafe.Pointer {
	if addr&(ac.Size-1) != 0 {
		faults.Raise(x, in, i, "misaligned", gmem.SharedWindow+addr, "misaligned %s of %d bytes at shared address 0x%x",
			ac.Kind.Word(), ac.Size, addr)
		return nil
	}
	b, bad := bytesAt(ac, x, addr)
	if bad != nil {
		faults.Raise(x, in, i, bad.Class, gmem.SharedWindow+addr, "%s of %d bytes at shared address 0x%x, which %s",
			ac.Kind.Word(), ac.Size, addr, bad.Msg)
		return nil
	}
	return unsafe.Pointer(unsafe.SliceData(b))
}

func bytesAt(ac *state.Access, x *state.Engine, addr uint64) (b []byte, bad *diag.Violation) {
	if ac.Object {
		_, b, bad = sharedAt(x, addr, ac.Size, !ac.Cluster)
		return b, bad
	}
	return SharedOf(x, addr, ac.Size, !ac.Cluster)
}

// ObjectAt returns the place for lane i at an instruction.
func ObjectAt(x *state.Engine, in *state.Inst, i int) state.ObjectAt {
	return state.ObjectAt{Inst: faults.Blame(x, x.Frame, in.Src), Thread: x.Warp.Index*state.WarpSize + i}
}

// EntryOf returns what is known of the mbarriers at p in a block of a cluster, nil if there never was one.
func EntryOf(cl *state.Cluster, p *uint64) *mbar.Entry[state.ObjectAt] {
	for _, c := range cl.Blocks {
		if c != nil && c.OffsetOf(p) < uint64(len(c.Shared)) {
			return c.Objects.At(c.OffsetOf(p))
		}
	}
	return nil
}

// PlainShared returns the largest part of a block's shared memory that has no valid mbarrier. Accesses elsewhere are
// checked one by one.
func PlainShared(x *state.Engine, c *state.CTA) (from, to uint64) {
	if x.M.Cfg.NoMemcheck {
		return 0, uint64(len(c.Shared))
	}
	return c.Objects.Largest(uint64(len(c.Shared)))
}

// inObject returns a violation if some of the n bytes at an offset of a block's shared memory belong to a valid
// mbarrier, which has to be invalidated before the memory is used for anything else (PTX ISA, "Lifecycle of the
// mbarrier object").
func inObject(x *state.Engine, c *state.CTA, off, n uint64) *diag.Violation {
	e := c.Objects.Overlaps(off, n)
	if e == nil || x.M.Cfg.NoMemcheck {
		return nil
	}
	return diag.Violationf("mbarrier",
		"is in the mbarrier initialised at %s: mbarrier.inval has to end it before its memory is used otherwise",
		faults.PlaceText(e.Init.Inst))
}

// NoObject describes that there is no mbarrier at p.
func NoObject(cl *state.Cluster, p *uint64) *diag.Violation {
	why := "it has not been initialised"
	switch e := EntryOf(cl, p); {
	case e == nil:
	case e.Valid:
		why = fmt.Sprintf("the one initialised at %s has been overwritten", faults.PlaceText(e.Init.Inst))
	default:
		why = fmt.Sprintf("it was invalidated at %s", faults.PlaceText(e.Inval.Inst))
	}
	return diag.Violationf("uninitialised", "there is no mbarrier here: %s", why)
}

// SemCluster is the semantics of addresses in distributed shared memory (PTX ISA,
// "Data Movement and Conversion Instructions: mapa, getctarank").
var SemCluster = map[string]state.DecodeFunc{
	"mapa":       decodeMapa,
	"getctarank": decodeGetctarank,
}

// decodeMapa decodes mapa: the address of the same variable in another block.
func decodeMapa(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	a, rank, err := sharedAndRank(d, in, 1, 2)
	if err != nil {
		return state.Inst{}, err
	}
	dst, err := decode.Dst(d, in)
	if err != nil {
		return state.Inst{}, err
	}
	if err := decode.FitsType(d, in, &in.Operands[0], in.Type(0), dst); err != nil {
		return state.Inst{}, err
	}
	generic := in.Space == isa.SpaceNone
	return state.Inst{
		D: dst.Slot, A: a.Slot, B: rank.Slot, Flags: state.FlagFaults,
		Body: func(x *state.Engine, in *state.Inst, m state.Lanes) {
			ranks, blocks := x.Frame.R32(in.B), uint32(len(x.CTA.Cluster.Blocks))
			for ; m != 0; m &= m - 1 {
				i := m.First()
				addr := x.Frame.Word(in.A, a.Wide(), i)
				if !CheckShared(x, in, addr, generic, i) {
					return
				}
				if ranks[i] >= blocks {
					faults.Raise(x, in, i, "out-of-bounds", 0, "block %d of a cluster of %d", ranks[i], blocks)
					return
				}
				x.Frame.SetLane(in.D, events.SlotBits(dst.Typ), i, [2]uint64{ToRank(addr, ranks[i])})
			}
		},
	}, nil
}

// decodeGetctarank decodes getctarank: the rank of the block that owns a shared address.
func decodeGetctarank(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	a, _, err := sharedAndRank(d, in, 1, -1)
	if err != nil {
		return state.Inst{}, err
	}
	dst, err := decode.Dst(d, in)
	if err != nil {
		return state.Inst{}, err
	}
	if err := decode.FitsType(d, in, &in.Operands[0], isa.U32, dst); err != nil {
		return state.Inst{}, err
	}
	generic := in.Space == isa.SpaceNone
	return state.Inst{
		D: dst.Slot, A: a.Slot, Flags: state.FlagFaults,
		Body: func(x *state.Engine, in *state.Inst, m state.Lanes) {
			for ; m != 0; m &= m - 1 {
				i := m.First()
				addr := x.Frame.Word(in.A, a.Wide(), i)
				if !CheckShared(x, in, addr, generic, i) {
					return
				}
				x.Frame.R32(in.D)[i] = state.RankOf(addr)
			}
		},
	}, nil
}

// sharedAndRank resolves an address operand of the instruction's type and, unless its index is negative, a rank.
func sharedAndRank(d *state.Decoder, in *rewrite.Inst, addr, rank int) (a, r state.Operand, err error) {
	if a, err = decode.Value(d, in, &in.Operands[addr], in.Type(0)); err != nil {
		return a, r, err
	}
	if err = decode.FitsType(d, in, &in.Operands[addr], in.Type(0), a); err != nil || rank < 0 {
		return a, r, err
	}
	if r, err = decode.Value(d, in, &in.Operands[rank], isa.U32); err != nil {
		return a, r, err
	}
	return a, r, decode.FitsType(d, in, &in.Operands[rank], isa.U32, r)
}

// CheckShared raises a fault unless a generic address is in shared memory.
func CheckShared(x *state.Engine, in *state.Inst, addr uint64, generic bool, lane int) bool {
	if generic && addr>>gmem.SlotBits != gmem.SharedWindow>>gmem.SlotBits {
		faults.Raise(x, in, lane, "out-of-bounds", addr, "address 0x%x, which is not in shared memory", addr)
		return false
	}
	return true
}
