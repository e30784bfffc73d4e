// What PTX 9.3 and 9.4 add to mbarriers and bulk copies: reports, masks of 32 blocks, strong copies, overridden
// properties of tensors.

package emu_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// header107 begins modules with what sm_107f has.
const header107 = ".version 9.5\n.target sm_107f\n.address_size 64\n"

// reporting copies 16 bytes with a NaN in phase 0 and 16 bytes without in phase 1, on one mbarrier. The bits of the
// result are those of predicates, from the highest one on: see TestReports.
func reporting(copies, wait, hint string) string {
	const report = ".mbarrier::report::validity::per_element::ff"
	bit := func(p string) string { return "shl.b32 %r5, %r5, 1; @" + p + " or.b32 %r5, %r5, 1;\n" }
	return header107 + ".shared .align 8 .b64 bar; .shared .align 128 .b8 tile[16];\n" + kernel(`
	.reg .b8 %b<3>; mov.u32 %r5, 0; mov.u32 %r6, tile; mov.u64 %rd3, bar; cvta.shared.u64 %rd3, %rd3;
	mbarrier.init.layout::v1.shared::cta.b64 [bar], 1;
	mbarrier.check_layout.layout::v0.shared::cta.b64 %p1, [bar]; `+bit("%p1")+`
	mbarrier.check_layout.layout::v1.b64 %p1, [%rd3]; `+bit("%p1")+`
	mbarrier.arrive.expect_tx.shared::cta.b64 %rd1, [bar], 16;
	`+strings.NewReplacer("REPORT", report, "FROM", "%base", "COORD", "0").Replace(copies)+`
W0:	mbarrier.`+wait+`.phase_type::primary.shared::cta.b64 %p1|%p2, %b1, [bar], %rd1`+hint+`; @!%p1 bra W0; `+bit("%p2")+`
	mbarrier.`+wait+`.phase_type::primary.shared::cta.b64 %p1|%p2, [bar], %rd1`+hint+`; `+bit("%p2")+`
	mbarrier.`+wait+`.phase_type::primary.shared::cta.b64 %p1, [bar], %rd1`+hint+`; `+bit("%p1")+`
	mbarrier.`+wait+`.parity.phase_type::primary.shared::cta.b64 %p1|%p2, %b2, [bar], 0`+hint+`; `+bit("%p2")+`
	mbarrier.`+wait+`.parity.phase_type::primary.shared::cta.b64 %p1|%p2, [bar], 0`+hint+`; `+bit("%p2")+`
	mbarrier.`+wait+`.parity.phase_type::primary.shared::cta.b64 %p1|_, [bar], 1`+hint+`; `+bit("%p1")+`
	mbarrier.`+wait+`.parity.phase_type::conditional.shared::cta.b64 %p1, [bar], 0`+hint+`; `+bit("%p1")+`
	fence.proxy.async.shared::cta;
	mbarrier.arrive.expect_tx.shared::cta.b64 %rd1, [bar], 16; add.u64 %rd2, %base, 16;
	`+strings.NewReplacer("REPORT", report, "FROM", "%rd2", "COORD", "4").Replace(copies)+`
W1:	mbarrier.`+wait+`.parity.phase_type::conditional.shared::cta.b64 %p1, [bar], 0`+hint+`; @!%p1 bra W1; `+bit("%p1")+`
	mbarrier.`+wait+`.phase_type::primary.shared::cta.b64 %p1|%p2, %b2, [bar], %rd1`+hint+`; `+bit("%p2")+`
	cvt.u32.u8 %r7, %b1; cvt.u32.u8 %r8, %b2; or.b32 %r7, %r7, %r8;
	st.global.u32 [%base+32], %r5; st.global.u32 [%base+36], %r7; ret;`)
}

// TestReports: a copy that finds a NaN sets the report predicate of the primary phase, and keeps the conditional phase
// from advancing; the report value stays 0. The next copy finds none (PTX ISA 9.4, "Report Mechanisms for Asynchronous
// Copy Operations", "mbarrier.test_wait").
func TestReports(t *testing.T) {
	const bulk = "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytesREPORT [%r6], [FROM], 16, [bar];"
	for name, copies := range map[string]string{
		"bulk":    bulk,
		"cluster": strings.Replace(bulk, "::cta.global", "::cluster.global", 1),
		"strong":  strings.NewReplacer("bulk.shared", "bulk.relaxed.gpu.shared", "REPORT", "REPORT.b128").Replace(bulk),
		"tensor":  "ld.global.u64 %rd4, [%base+64]; cp.async.bulk.tensor.1d.shared::cta.global.tile.mbarrier::complete_tx::bytesREPORT [%r6], [%rd4, {COORD}], [bar];",
	} {
		for wait, hint := range map[string]string{"test_wait": "", "try_wait": ", 20"} {
			for _, late := range []bool{false, true} {
				m := loadWith(t, reporting(copies, wait, hint), emu.Config{LateAsync: late})
				buf := alloc(t, m, "buf", 20)
				fillWords(t, m, buf, 16, func(i int) uint32 { return []uint32{1, 2, 0xff00, 4}[i%4] * uint32(1-i/4%2) })
				putMap(t, m, buf+64, emu.TensorMap{Type: isa.U32, Addr: buf, Dims: []uint32{8}, Box: []uint32{4}})
				clean(t, launch(t, m, 1, 1, buf))
				if got := words(t, m, buf, 10)[8:]; got[0] != 0b01_11111_00_10 || got[1] != 0 {
					t.Errorf("%s, %s, late %v: got %011b, value %d", name, wait, late, got[0], got[1])
				}
			}
		}
	}
}

// TestSignalBlocks: one thread operates on the mbarriers of the blocks in a mask, which go through their first phase;
// three arrivals have been dropped by then, so that the second phase expects four (PTX ISA 9.4, "mbarrier.arrive",
// ".multicast::cluster::32b").
func TestSignalBlocks(t *testing.T) {
	const to = ".shared::cluster.multicast::cluster::32b.b64"
	text := header107 + ".shared .align 8 .b64 bar;\n" + kernel(`
	mbarrier.init.shared::cta.b64 [bar], 7; fence.mbarrier_init.release.cluster; mov.u32 %r5, 0; mov.u32 %r7, 0x80000005;
	barrier.cluster.arrive; barrier.cluster.wait;
	setp.ne.u32 %p1, %r2, 1; @%p1 bra NEXT;
	mov.u32 %r6, bar; mapa.shared::cluster.u32 %r6, %r6, 2; and.b32 %r7, %r7, 7;
	mbarrier.expect_tx.relaxed.cluster`+to+` [%r6], 32, %r7;
	mbarrier.arrive.release.cluster`+to+` _, [%r6], 2, %r7;
	mbarrier.arrive.release.cluster`+to+` _, [%r6], 5;
	mbarrier.arrive.expect_tx.release.cluster`+to+` _, [%r6], 16, %r7;
	mbarrier.arrive_drop.release.cluster`+to+` _, [%r6], %r7;
	mbarrier.arrive_drop.release.cluster`+to+` _, [%r6], 1, %r7;
	mbarrier.arrive_drop.expect_tx.release.cluster`+to+` _, [%r6], 16, %r7;
	mbarrier.complete_tx.relaxed.cluster`+to+` [%r6], 64, %r7;
NEXT:	barrier.cluster.arrive; barrier.cluster.wait;
	mbarrier.test_wait.parity.shared::cta.b64 %p2, [bar], 0; @!%p2 bra END;
	mbarrier.arrive.shared::cta.b64 _, [bar], 3;
	mbarrier.test_wait.parity.shared::cta.b64 %p3, [bar], 1; @%p3 or.b32 %r5, %r5, 1;
	mbarrier.arrive.shared::cta.b64 _, [bar];
	mbarrier.test_wait.parity.shared::cta.b64 %p3, [bar], 1; @%p3 or.b32 %r5, %r5, 2;
	or.b32 %r5, %r5, 4;
END:	st.global.u32 [%out], %r5; barrier.cluster.arrive; barrier.cluster.wait; ret;`)
	eachPolicy(t, func(t *testing.T, cfg emu.Config) {
		m := loadWith(t, text, cfg)
		out := alloc(t, m, "out", 3)
		clean(t, launchCluster(t, m, 3, 1, 3, out))
		for i, v := range words(t, m, out, 3) {
			if want := []uint32{6, 0, 6}[i]; v != want {
				t.Fatalf("block %d: got %b, want %b", i, v, want)
			}
		}
	})
	m := loadWith(t, strings.Replace(text, "and.b32 %r7, %r7, 7", "and.b32 %r7, %r7, -1", 1), emu.Config{})
	if r := launchCluster(t, m, 3, 1, 3, alloc(t, m, "out", 3)); len(r.Faults) == 0 || r.Faults[0].Class != "out-of-bounds" {
		t.Errorf("a mask with block 31 of a cluster of 3: %v", r.Faults)
	}
}

// TestWideMulticast copies 64 bytes to two of three blocks of a cluster, with masks of 16 and 32 bits, weak and strong.
func TestWideMulticast(t *testing.T) {
	for _, op := range []string{
		"bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster::32b",
		"bulk.weak.shared::cluster.global.mbarrier::complete_tx::bytes.mbarrier::report::disabled.multicast::cluster::32b",
		"bulk.relaxed.gpu.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster::32b.b128",
		"bulk.relaxed.gpu.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster.b128",
		"bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster::16b",
	} {
		mask := "%r9"
		if !strings.Contains(op, "::32b") {
			mask = "%h1"
		}
		for _, late := range []bool{false, true} {
			m := loadWith(t, header107+".shared .align 8 .b64 bar; .shared .align 16 .b8 tile[64];\n"+kernel(`
	.reg .b16 %h1; mov.u32 %r5, tile; mad.lo.u32 %r6, %r1, 4, %r5; st.shared.u32 [%r6], 7; setp.ne.u32 %p1, %r1, 0;
	@!%p1 mbarrier.init.shared::cta.b64 [bar], 1; @!%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 64;
	fence.proxy.async.shared::cta; barrier.cluster.arrive; barrier.cluster.wait;
	setp.ne.u32 %p2, %r2, 1; or.pred %p2, %p1, %p2; mov.u32 %r9, 6; mov.u16 %h1, 6;
	@!%p2 cp.async.`+op+` [%r5], [%base], 64, [bar], `+mask+`;
	setp.eq.u32 %p3, %r2, 0; @%p3 bra END;
WAIT:	mbarrier.try_wait.parity.shared::cta.b64 %p4, [bar], 0; @!%p4 bra WAIT;
END:	ld.shared.u32 %r7, [%r6]; st.global.u32 [%out+64], %r7; barrier.cluster.arrive; barrier.cluster.wait; ret;`), emu.Config{LateAsync: late})
			buf := alloc(t, m, "buf", 64)
			fillWords(t, m, buf, 16, func(i int) uint32 { return uint32(100 + i) })
			clean(t, launchCluster(t, m, 3, 16, 3, buf))
			for i, v := range words(t, m, buf, 64)[16:] {
				if want := []uint32{7, uint32(100 + i%16), uint32(100 + i%16)}[i/16]; v != want {
					t.Fatalf("%s, late %v, block %d, word %d: got %d, want %d", op, late, i/16, i%16, v, want)
				}
			}
		}
	}
}

// TestWideCommit: a tcgen05.commit arrives at the mbarriers of the blocks in a mask of 16 or 32 bits.
func TestWideCommit(t *testing.T) {
	for width, mask := range map[string]string{"": "%h1", "::16b": "%h1", "::32b": "%r9"} {
		m := loadWith(t, header107+".shared .align 8 .b64 bar;\n"+kernel(`
	.reg .b16 %h1; mov.u16 %h1, 5; mov.u32 %r9, 5; mov.u32 %r5, 0; mov.u32 %r6, bar;
	mbarrier.init.shared::cta.b64 [bar], 1; fence.mbarrier_init.release.cluster; barrier.cluster.arrive; barrier.cluster.wait;
	setp.ne.u32 %p1, %r2, 1;
	@!%p1 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.multicast::cluster`+width+`.b64 [%r6], `+mask+`;
	@!%p1 bra END;
WAIT:	mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p2, [bar], 0; @!%p2 bra WAIT;
END:	mbarrier.test_wait.parity.shared::cta.b64 %p2, [bar], 0; @%p2 mov.u32 %r5, 1;
	st.global.u32 [%out], %r5; barrier.cluster.arrive; barrier.cluster.wait; ret;`), emu.Config{})
		out := alloc(t, m, "out", 3)
		clean(t, launchCluster(t, m, 3, 1, 3, out))
		for i, v := range words(t, m, out, 3) {
			if want := []uint32{1, 0, 1}[i]; v != want {
				t.Errorf("multicast%s, block %d: got %d, want %d", width, i, v, want)
			}
		}
	}
}

// TestStrongBulk: strong copies move the bytes that weak ones do (PTX ISA 9.3, "cp.async.bulk", ".relaxed").
func TestStrongBulk(t *testing.T) {
	strong := strings.NewReplacer(
		"cp.async.bulk.shared", "cp.async.bulk.relaxed.gpu.shared", "cp.async.bulk.global", "cp.async.bulk.relaxed.sys.global",
		"complete_tx::bytes [", "complete_tx::bytes.b128 [", "bulk_group [", "bulk_group.b128 [", ".ignore_oob [", ".ignore_oob.b128 [", header100, header107)
	for _, to := range []string{"shared::cluster", "shared::cta"} {
		m := loadWith(t, header107+strong.Replace(strings.ReplaceAll(bulkRoundTrip, "bulk.shared::cluster", "bulk."+to)), emu.Config{})
		buf := alloc(t, m, "buf", 512)
		fillWords(t, m, buf, 256, func(i int) uint32 { return uint32(i * 3) })
		clean(t, launch(t, m, 1, 256, buf))
		for i, v := range words(t, m, buf, 512)[256:] {
			if v != uint32(6*i) {
				t.Fatalf("to %s, word %d: got %d, want %d", to, i, v, 6*i)
			}
		}
	}
	m := loadWith(t, strong.Replace(ignoringBulk(0, 0, 0)), emu.Config{})
	buf := alloc(t, m, "buf", 16)
	fillWords(t, m, buf, 16, func(i int) uint32 { return uint32(i * 5) })
	clean(t, launch(t, m, 1, 16, buf))
	for i, v := range words(t, m, buf, 16) {
		if v != uint32(i*5) {
			t.Fatalf(".ignore_oob, word %d: got %d", i, v)
		}
	}
	for op, want := range map[string]uint32{
		"cp.async.bulk.relaxed.cluster.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.b128":           3,
		"cp.reduce.async.bulk.relaxed.cluster.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32": 8,
	} {
		m := loadWith(t, strings.Replace(bulkToNeighbour(op), header86, header107, 1), emu.Config{})
		buf := alloc(t, m, "buf", 32)
		fillWords(t, m, buf, 32, func(i int) uint32 { return uint32(3 + 2*(i/16)) })
		clean(t, launchCluster(t, m, 2, 16, 2, buf))
		for i, v := range words(t, m, buf, 32)[16:] {
			if v != want {
				t.Fatalf("%s, word %d: got %d, want %d", op, i, v, want)
			}
		}
	}
}

// overriding: thread 0 of block 0 executes the copy of a tile of 128 bytes of a tensor at the address in the buffer's
// third and fourth word, which the map does not have. Loads are waited for by all blocks, which store the tile behind
// the first 16 bytes of the buffer; before stores, the tile has the words from 1000 on.
func overriding(op, wait string) string {
	return header107 + ".shared .align 8 .b64 bar; .shared .align 128 .b8 tile[128];\n" + kernel(`
	.reg .b16 %h<4>; .reg .b8 %b<3>; mov.u32 %r5, tile; mad.lo.u32 %r6, %r1, 4, %r5; add.u32 %r7, %r1, 1000; st.shared.u32 [%r6], %r7;
	ld.global.u64 %rd1, [%base]; ld.global.u64 %rd2, [%base+8]; mov.u32 %r9, 8; mov.u32 %r10, 0; mov.u32 %r11, 3;
	mov.u16 %h0, 3; mov.u16 %h1, 12; mov.u16 %h2, 0xff03; mov.u16 %h3, 0; cvt.u8.u32 %b1, 12; cvt.u8.u32 %b2, 3;
	setp.ne.u32 %p1, %r1, 0;
	@!%p1 mbarrier.init.shared::cta.b64 [bar], 1; @!%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 128;
	fence.proxy.async.shared::cta; barrier.cluster.arrive; barrier.cluster.wait;
	setp.ne.u32 %p2, %r2, 0; or.pred %p2, %p1, %p2;
	@%p2 bra NEXT;
	`+op+`
	cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
NEXT:	`+wait+`
	ld.shared.u32 %r7, [%r6]; st.global.u32 [%out+16], %r7;
	barrier.cluster.arrive; barrier.cluster.wait; ret;`)
}

// TestOverriddenTensor: addresses, sizes and strides of tensors that are not those of the map (PTX ISA 9.4, "Overriding
// tensor property value"). With them, rows have 12 elements, of which the box has 8, or the box of 32 in one dimension;
// there are 3 rows, of 32 words each.
func TestOverriddenTensor(t *testing.T) {
	const wait = "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p4, [bar], 0; @!%p4 bra WAIT;"
	const size1, size2 = "[%rd1, %rd2, {%h1}, {%r10}]", "[%rd1, %rd2, {%b1, %h2}, {%r9}, %h3, {%r10, %r10}]"
	const over, dim, stride = ".override::global_address", ".override::global_address.override::global_dim", ".override::global_address.override::global_dim_stride"
	load := func(rank, to, over, tensor, mask string) string {
		multicast := ""
		if mask != "" {
			multicast, mask = ".multicast::cluster"+map[string]string{"%r11": "::32b", "%h0": ""}[mask], ", "+mask
		}
		return "cp.async.bulk.tensor." + rank + "." + to + ".global.tile.mbarrier::complete_tx::bytes" + multicast + over + " [%r5], " + tensor + ", [bar]" + mask + ";"
	}
	at := func(tile int, rank string, sized bool) uint32 { // the word of the tensor in a word of the tile, 0 outside
		switch row, col := tile/8, tile%8; {
		case rank == "1d" && sized && tile >= 12, rank == "2d" && sized && row >= 3:
			return 0
		case rank == "1d":
			return uint32(tile)
		case sized:
			return uint32(row*32 + col)
		default:
			return uint32(row*16 + col)
		}
	}
	for _, rank := range []string{"1d", "2d"} {
		plain, sized, size := "[%rd1, %rd2, {%r10}]", size1, dim
		b := emu.TensorMap{Type: isa.U32, Dims: []uint32{64}, Box: []uint32{32}}
		if rank == "2d" {
			plain, sized, size = "[%rd1, %rd2, {%r10, %r10}]", size2, stride
			b = emu.TensorMap{Type: isa.U32, Dims: []uint32{16, 12}, Box: []uint32{8, 4}}
		}
		for _, c := range []struct {
			op     string
			blocks uint32
			sized  bool
			stores func(old, v uint32) uint32
		}{
			{load(rank, "shared::cta", over, plain, ""), 1, false, nil},
			{load(rank, "shared::cta", size, sized, ""), 1, true, nil},
			{load(rank, "shared::cluster", over, plain, ""), 1, false, nil},
			{load(rank, "shared::cluster", size, sized, ""), 1, true, nil},
			{load(rank, "shared::cluster", over, plain, "%h0"), 2, false, nil},
			{load(rank, "shared::cluster", "", strings.Replace(plain, ", %rd2", "", 1), "%r11"), 2, false, nil},
			{load(rank, "shared::cluster", over, plain, "%r11"), 2, false, nil},
			{load(rank, "shared::cluster", size, sized, "%r11"), 2, true, nil},
			{"cp.async.bulk.tensor." + rank + ".global.shared::cta.tile.bulk_group" + over + " " + plain + ", [%r5];", 1, false, func(_, v uint32) uint32 { return v }},
			{"cp.async.bulk.tensor." + rank + ".global.shared::cta.tile.bulk_group" + size + " " + sized + ", [%r5];", 1, true, func(_, v uint32) uint32 { return v }},
			{"cp.reduce.async.bulk.tensor." + rank + ".global.shared::cta.add.tile.bulk_group" + over + " " + plain + ", [%r5];", 1, false, func(old, v uint32) uint32 { return old + v }},
			{"cp.reduce.async.bulk.tensor." + rank + ".global.shared::cta.max.tile.bulk_group" + size + " " + sized + ", [%r5];", 1, true, func(old, v uint32) uint32 { return max(old, v) }},
		} {
			t.Run(c.op, func(t *testing.T) {
				overridden(t, c.op, wait, b, c.blocks, c.stores, func(k int) uint32 { return at(k, rank, c.sized) })
			})
		}
	}
}

// overridden runs a copy of TestOverriddenTensor. word gives the number of the tensor's word in a word of the tile, 0
// for none but in the first one.
func overridden(t *testing.T, op, wait string, b emu.TensorMap, blocks uint32, stores func(old, v uint32) uint32, word func(k int) uint32) {
	const all = 32768 // words: 128 KiB
	if stores != nil {
		wait = ""
	}
	for _, late := range []bool{false, true} {
		m := loadWith(t, overriding(op, wait), emu.Config{LateAsync: late})
		buf, other, real := alloc(t, m, "buf", 4+64), alloc(t, m, "other", 256), alloc(t, m, "real", all)
		fillWords(t, m, real, all, func(i int) uint32 { return uint32(i + 1) })
		fillWords(t, m, other, 256, func(i int) uint32 { return uint32(i + 1) })
		b.Addr = other
		putMap(t, m, buf, b)
		if err := m.Write(buf+8, args(real)); err != nil {
			t.Fatal(err)
		}
		clean(t, launchCluster(t, m, blocks, 32, blocks, buf))
		tiles, tensor := words(t, m, buf, 4+64)[4:], words(t, m, real, all)
		for k := range 32 {
			w := word(k)
			switch inside := w > 0 || k == 0; {
			case stores == nil:
				want := uint32(0)
				if inside {
					want = w + 1
				}
				for block := range int(blocks) {
					if got := tiles[block*32+k]; got != want {
						t.Fatalf("late %v, block %d, word %d: got %d, want %d", late, block, k, got, want)
					}
				}
			case inside:
				if got, want := tensor[w], stores(w+1, uint32(1000+k)); got != want {
					t.Fatalf("late %v, word %d: got %d, want %d", late, w, got, want)
				}
				tensor[w] = w + 1
			}
		}
		for i, v := range tensor {
			if v != uint32(i+1) {
				t.Fatalf("late %v: word %d of the tensor has become %d", late, i, v)
			}
		}
	}
}

// TestOverrideFaults: overriding properties that the manual leaves undefined or says are errors.
func TestOverrideFaults(t *testing.T) {
	const load = "cp.async.bulk.tensor.1d.shared::cta.global.tile.mbarrier::complete_tx::bytes.override::global_address"
	for _, c := range []struct {
		op    string
		words int
		class string
		want  string
	}{
		{load + " [%r5], [%rd1, %rd2, {%r10}], [bar];", 32767, "out-of-bounds", "from which 131072 bytes must be allocated"},
		{"add.u64 %rd2, %rd2, 8; " + load + " [%r5], [%rd1, %rd2, {%r10}], [bar];", 32770, "misaligned", "expected a multiple of 16"},
		{load + ".override::global_dim [%r5], [%rd1, %rd2, {%h1}, {%r9}], [bar];", 32768, "out-of-bounds", "coordinate 8 of a tensor whose size is overridden"},
		{load + ".override::global_dim [%r5], [%rd1, %rd2, {%h3}, {%r10}], [bar];", 32768, "unsupported", "no elements"},
	} {
		m := loadWith(t, overriding(c.op, ""), emu.Config{})
		buf, real := alloc(t, m, "buf", 36), alloc(t, m, "real", c.words)
		putMap(t, m, buf, emu.TensorMap{Type: isa.U32, Addr: real, Dims: []uint32{64}, Box: []uint32{32}})
		if err := m.Write(buf+8, args(real)); err != nil {
			t.Fatal(err)
		}
		if r := launchCluster(t, m, 1, 32, 1, buf); len(r.Faults) == 0 || r.Faults[0].Class != c.class || !strings.Contains(r.Faults[0].Message, c.want) {
			t.Errorf("%s: %v, want %s: %s", c.op, r.Faults, c.class, c.want)
		}
	}
}

// TestReportFaults: layouts that the manual leaves undefined.
func TestReportFaults(t *testing.T) {
	for body, want := range map[string]string{
		"mbarrier.init.layout::v0.shared::cta.b64 [bar], 1; cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.mbarrier::report::validity::per_16bytes::80 [%r5], [%base], 16, [bar];": "expected layout::v1",
		"mbarrier.init.layout::v1.shared::cta.b64 [bar], 512;": "a count of 512, expected 1 to 511",
		"mbarrier.init.layout::v1.shared::cta.b64 [bar], 2; mbarrier.arrive.noComplete.shared::cta.b64 %rd1, [bar], 1; mbarrier.pending_count.b64 %r6, %rd1;": "expected layout::v0",
		"mbarrier.check_layout.layout::v0.shared::cta.b64 %p1, [bar];":                                                                                        "there is no mbarrier here",
		"tensormap.query.alloc_class_large.global.b1024 %p1, [%base];":                                                                                        "no tensor map",
	} {
		m := loadWith(t, header107+".shared .align 8 .b64 bar; .shared .align 16 .b8 tile[16];\n"+kernel("mov.u32 %r5, tile; "+body+" ret;"), emu.Config{})
		if r := launch(t, m, 1, 1, alloc(t, m, "buf", 32)); len(r.Faults) == 0 || !strings.Contains(r.Faults[0].Message, want) {
			t.Errorf("%s: %v, want %s", body, r.Faults, want)
		}
	}
}

// TestQueries: the class of a tensor map, and the locality domain, of a device that has one.
func TestQueries(t *testing.T) {
	m := loadWith(t, header107+kernel(`
	ld.global.u64 %rd1, [%base]; mov.u32 %r7, 0;
	tensormap.query.alloc_class_large.b1024 %p1, [%rd1]; @%p1 or.b32 %r7, %r7, 1;
	mov.u32 %r5, %locality_domain_id; mov.u32 %r6, %locality_domain_supplemental_sm;
	fence.proxy.alias.release.sys; fence.proxy.alias.acquire.sys; fence.proxy.async::generic.release.sync_restrict::shared::cluster::read.cluster;
	or.b32 %r5, %r5, %r6; or.b32 %r5, %r5, %r7; st.global.u32 [%base+8], %r5; ret;`), emu.Config{})
	buf, of := alloc(t, m, "buf", 3), alloc(t, m, "tensor", 64)
	fillWords(t, m, buf, 3, func(int) uint32 { return 9 })
	putMap(t, m, buf, emu.TensorMap{Type: isa.U32, Addr: of, Dims: []uint32{64}, Box: []uint32{32}})
	clean(t, launch(t, m, 1, 1, buf))
	if got := words(t, m, buf, 3)[2]; got != 0 {
		t.Errorf("got %d, want 0", got)
	}
}
