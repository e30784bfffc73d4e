package emu_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// bulkToNeighbour: block 0 of a cluster of two executes op, on 64 bytes of its tile and those
// of block 1, which waits for the bytes and stores its tile. Tiles are read from the buffer.
func bulkToNeighbour(op string) string {
	return header86 + ".shared .align 8 .b64 bar; .shared .align 16 .b8 tile[64];\n" + kernel(`
	mov.u32 %r5, tile; mad.lo.u32 %r6, %r1, 4, %r5; ld.global.u32 %r7, [%out]; st.shared.u32 [%r6], %r7;
	mov.u32 %r8, %cluster_ctarank; setp.eq.u32 %p1, %r1, 0; setp.eq.u32 %p2, %r8, 0;
	@%p1 mbarrier.init.shared.b64 [bar], 1;
	@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 64;
	fence.proxy.async.shared::cta;
	barrier.cluster.arrive; barrier.cluster.wait;
	@!%p2 bra WAIT;
	mapa.shared::cluster.u32 %r9, tile, 1; mapa.shared::cluster.u32 %r10, bar, 1;
	@%p1 `+op+` [%r9], [%r5], 64, [%r10];
	bra END;
WAIT:	mbarrier.try_wait.parity.shared.b64 %p3, [bar], 0; @!%p3 bra WAIT;
	ld.shared.u32 %r11, [%r6]; st.global.u32 [%out], %r11;
END:	barrier.cluster.arrive; barrier.cluster.wait; ret;`)
}

// header86 begins modules that copy within a block, which PTX 8.6 has.
const header86 = ".version 8.6\n.target sm_90\n.address_size 64\n"

// TestBulkWithinCluster copies shared memory to that of another block and reduces into it.
func TestBulkWithinCluster(t *testing.T) {
	const reduce = "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes."
	for op, combine := range map[string]func(old, v uint32) uint32{
		"cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes": func(_, v uint32) uint32 { return v },
		reduce + "and.b32": func(old, v uint32) uint32 { return old & v },
		reduce + "or.b32":  func(old, v uint32) uint32 { return old | v },
		reduce + "xor.b32": func(old, v uint32) uint32 { return old ^ v },
		reduce + "min.u32": func(old, v uint32) uint32 { return min(old, v) },
		reduce + "max.u32": func(old, v uint32) uint32 { return max(old, v) },
		reduce + "min.s32": func(old, v uint32) uint32 { return uint32(min(int32(old), int32(v))) },
		reduce + "max.s32": func(old, v uint32) uint32 { return uint32(max(int32(old), int32(v))) },
		reduce + "add.s32": func(old, v uint32) uint32 { return old + v },
		reduce + "inc.u32": func(old, v uint32) uint32 { // ((old >= v) ? 0 : old + 1)
			if old >= v {
				return 0
			}
			return old + 1
		},
		reduce + "dec.u32": func(old, v uint32) uint32 { // ((old == 0) || (old > v)) ? v : old - 1
			if old == 0 || old > v {
				return v
			}
			return old - 1
		},
	} {
		edges := []uint32{0, 1, 5, 0x7fffffff, 0x80000000, 0xffffffff}
		value := func(i int) uint32 { // words 0 to 15 are the sender's, the others the receiver's
			if i < 16 {
				return edges[i%len(edges)]
			}
			return edges[i*5/6%len(edges)]
		}
		for _, late := range []bool{false, true} {
			m := loadWith(t, bulkToNeighbour(op), emu.Config{LateAsync: late})
			buf := alloc(t, m, "buf", 32)
			fillWords(t, m, buf, 32, value)
			clean(t, launchCluster(t, m, 2, 16, 2, buf))
			for i, v := range words(t, m, buf, 32)[16:] {
				if want := combine(value(16+i), value(i)); v != want {
					t.Errorf("%s, late %v, word %d of %#x and %#x: got %#x, want %#x", op, late, i, value(16+i), value(i), v, want)
				}
			}
		}
	}
}

// TestBulkToBlock copies global memory, and a tile of a tensor, to shared memory with
// .shared::cta for the destination.
func TestBulkToBlock(t *testing.T) {
	for _, late := range []bool{false, true} {
		m := loadWith(t, header86+strings.ReplaceAll(bulkRoundTrip, "bulk.shared::cluster.global", "bulk.shared::cta.global"), emu.Config{LateAsync: late})
		buf := alloc(t, m, "buf", 512)
		fillWords(t, m, buf, 256, func(i int) uint32 { return uint32(i * 3) })
		clean(t, launch(t, m, 1, 256, buf))
		for i, v := range words(t, m, buf, 512)[256:] {
			if v != uint32(6*i) {
				t.Fatalf("late %v, word %d: got %d, want %d", late, i, v, 6*i)
			}
		}
		b := tensorBox{"2d", emu.TensorMap{Type: isa.U32, Dims: []uint32{16, 12}, Box: []uint32{8, 4}}, []int{11, -2}, 128}
		text := strings.ReplaceAll(tileLoad(b.coordText(), b.size), "tensor.2d.shared::cluster.global", "tensor.2d.shared::cta.global")
		m = loadWith(t, header86+text, emu.Config{LateAsync: late})
		buf, _ = b.put(t, m, 512)
		clean(t, launch(t, m, 1, 32, buf))
		for k, v := range words(t, m, buf, 2+b.size/4)[2:] {
			if want := b.word(k); v != want {
				t.Fatalf("tensor, late %v, word %d: got %#x, want %#x", late, k, v, want)
			}
		}
	}
}
