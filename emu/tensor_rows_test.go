package emu_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// The modes tile::gather4 and tile::scatter4 (PTX ISA 5.5.3.4): one coordinate in the rows, then four rows.

// rowMap is a tensor of 12 rows of 16 words and boxes of 8 words of one row.
func rowMap() emu.TensorMap {
	return emu.TensorMap{Type: isa.U32, Dims: []uint32{16, 12}, Box: []uint32{8, 1}}
}

// TestGatherRows loads rows 2, 7, -1 and 11 from word 12 on: the last four words of each are outside, as
// is a whole row; into the block itself and, by pairs of blocks, into both.
func TestGatherRows(t *testing.T) {
	for _, mods := range []string{"shared::cluster.global.tile::gather4", "shared::cta.global.tile::gather4", "shared::cta.global.tile::gather4.cta_group::1"} {
		plain := "shared::cluster.global.tile.mbarrier::complete_tx::bytes"
		kind, group, _ := strings.Cut(mods, ".cta_group")
		if group != "" {
			group = ".cta_group" + group
		}
		text := strings.Replace(tileLoad("12, 2", 128), "tensor.2d."+plain+" [%r5], [%rd1, {12, 2}]", "tensor.2d."+kind+".mbarrier::complete_tx::bytes"+group+" [%r5], [%rd1, {12, 2, 7, -1, 11}]", 1)
		b := tensorBox{m: rowMap(), size: 128}
		m := loadWith(t, header100+text, emu.Config{})
		buf, _ := b.put(t, m, 192)
		clean(t, launch(t, m, 1, 32, buf))
		for i, v := range words(t, m, buf, 2+32)[2:] {
			row, col, want := []int{2, 7, -1, 11}[i/8], 12+i%8, uint32(0)
			if row >= 0 && col < 16 {
				want = uint32(row*16+col) + 1
			}
			if v != want {
				t.Fatalf("%s, word %d: got %d, want %d", mods, i, v, want)
			}
		}
	}
}

// TestScatterRows stores a tile of 32 words to four rows.
func TestScatterRows(t *testing.T) {
	m := loadWith(t, header100+".shared .align 128 .b8 tile[128];\n"+kernel(`
	mov.u32 %r5, tile; mad.lo.u32 %r6, %r1, 4, %r5; add.u32 %r7, %r1, 1000; st.shared.u32 [%r6], %r7;
	fence.proxy.async.shared::cta; bar.sync 0;
	setp.ne.u32 %p1, %r1, 0; @%p1 ret;
	ld.global.u64 %rd1, [%base];
	cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group [%rd1, {4, 9, 0, 12, 3}], [%r5];
	cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ret;`), emu.Config{})
	b := tensorBox{m: rowMap(), size: 128}
	buf, tensor := b.put(t, m, 192)
	clean(t, launch(t, m, 1, 32, buf))
	for i, v := range words(t, m, tensor, 192) {
		want := uint32(i) + 1
		for k, row := range []int{9, 0, 12, 3} { // there is no row 12
			if i/16 == row && i%16 >= 4 && i%16 < 12 {
				want = uint32(1000 + k*8 + i%16 - 4)
			}
		}
		if v != want {
			t.Fatalf("word %d: got %d, want %d", i, v, want)
		}
	}
}

// TestRowFaults: boxes of more than one row, and tensors of other than two dimensions.
func TestRowFaults(t *testing.T) {
	text := strings.Replace(tileLoad("0, 0", 128), "global.tile.mbarrier::complete_tx::bytes [%r5], [%rd1, {0, 0}]", "global.tile::gather4.mbarrier::complete_tx::bytes [%r5], [%rd1, {0, 0, 0, 0, 0}]", 1)
	b := tensorBox{m: rows16(), size: 128}
	m := loadWith(t, header100+text, emu.Config{})
	buf, _ := b.put(t, m, 192)
	r := launch(t, m, 1, 32, buf)
	if len(r.Faults) != 1 || !strings.Contains(r.Faults[0].Message, "rows of boxes with 4 of them") {
		t.Errorf("got %v", r.Faults)
	}
}

// TestPairSignals: a tile for two blocks, of which both copies complete on the mbarrier of the block that the
// address names, with .cta_group::2; each on its own block's with .cta_group::1.
func TestPairSignals(t *testing.T) {
	for group, bytes := range map[string][2]uint32{"1": {32, 32}, "2": {64, 0}} {
		m := loadWith(t, header100+".shared .align 8 .b64 bar; .shared .align 128 .b8 tile[128];\n"+kernel(`
	.reg .b16 %h1; mov.b16 %h1, 3;
	mov.u32 %r5, tile; mov.u32 %r8, %cluster_ctarank; ld.global.u64 %rd1, [%base];
	mbarrier.init.shared::cta.b64 [bar], 1;
	setp.eq.u32 %p1, %r8, 0; mov.u32 %r9, 64; @!%p1 mov.u32 %r9, 0;
	setp.eq.u32 %p2, 1, `+group+`; @%p2 mov.u32 %r9, 32;
	mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], %r9;
	barrier.cluster.arrive; barrier.cluster.wait;
	@!%p1 bra WAIT;
	cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster.cta_group::`+group+` [%r5], [%rd1, {0, 5}], [bar], %h1;
WAIT:	mbarrier.try_wait.parity.shared::cta.b64 %p3, [bar], 0; @!%p3 bra WAIT;
	barrier.cluster.arrive; barrier.cluster.wait;
	ld.shared.u32 %r7, [%r5]; mad.wide.u32 %rd2, %r8, 4, %base; st.global.u32 [%rd2+8], %r7; ret;`), emu.Config{})
		b := tensorBox{m: rowMap(), size: 128}
		buf, _ := b.put(t, m, 192)
		clean(t, launchCluster(t, m, 2, 1, 2, buf))
		for i, v := range words(t, m, buf, 4)[2:] {
			if v != 5*16+1 {
				t.Errorf("cta_group::%s, block %d (%v bytes): got %d", group, i, bytes, v)
			}
		}
	}
}
