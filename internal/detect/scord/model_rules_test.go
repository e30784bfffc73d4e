package scord

import (
	"math/rand/v2"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// TestTableIII: the preliminary checks, row by row. The entry is that of a store by
// warp 3 of block 2 in barrier interval 7 unless said otherwise.
func TestTableIII(t *testing.T) {
	last := access{store: true, strong: true, block: 2, warp: 3, barrier: 7}
	last.identify()
	last.classify()
	md := fresh.update(&last)
	for _, c := range []struct {
		name string
		md   entry
		a    access
		rows string // of the table that hold
	}{
		{"fresh", fresh, last, "a"},
		{"fresh but for one flag", fresh &^ mdModified, access{block: 1}, ""},
		{"same warp", md, last, "b"},
		{"same warp number, other block", md, access{block: 1, warp: 3, barrier: 7}, ""},
		{"same warp, shared within the block", md | mdBlkShared, last, ""},
		{"same warp, shared by the device", md | mdDevShared, last, ""},
		{"other warp", md, access{block: 2, warp: 4, barrier: 7}, ""},
		{"other warp, barrier between", md, access{block: 2, warp: 4, barrier: 8}, "c"},
		{"same warp, barrier between", md, access{block: 2, warp: 3, barrier: 8}, "bc"},
		{"other warp, barrier between, shared within the block", md | mdBlkShared, access{block: 2, warp: 4, barrier: 8}, "c"},
		{"other warp, barrier between, shared by the device", md | mdDevShared, access{block: 2, warp: 4, barrier: 8}, ""},
		{"other block, other barrier", md, access{block: 1, warp: 4, barrier: 8}, ""},
	} {
		rows := ""
		for _, row := range []struct {
			name string
			ok   bool
		}{{"a", initialization(c.md)}, {"b", programOrder(c.md, &c.a)}, {"c", barrierSince(c.md, &c.a)}} {
			if row.ok {
				rows += row.name
			}
		}
		if rows != c.rows {
			t.Errorf("%s: rows %q hold, expected %q", c.name, rows, c.rows)
		}
	}
}

// TestTableIV: the conditions for races, row by row, each with the accesses that
// differ from it in one term.
func TestTableIV(t *testing.T) {
	const lockA, lockB = 0x0101, 0x0202
	first := access{store: true, strong: true, block: 2, warp: 3, barrier: 7, blkFence: 10, devFence: 20}
	same := fence{10, 20} // no fence since
	blk, dev := fence{11, 20}, fence{10, 21}
	second := access{strong: true, block: 2, warp: 4, barrier: 7}
	other := access{strong: true, block: 5, warp: 3, barrier: 7}
	with := func(a access, change func(*access)) access { change(&a); return a }
	store := func(a *access) { a.store = true }
	weak := func(a *access) { a.strong = false }
	atom := func(a *access) { a.store, a.atomic = true, true }
	atomDev := func(a *access) { a.store, a.atomic, a.device = true, true, true }
	locked := func(bits uint16) func(*access) { return func(a *access) { a.bloom = bits } }
	load := func(a *access) { a.store = false }
	for _, c := range []struct {
		name          string
		first, second access
		f             fence
		want          rule
	}{
		{"a: load, no fence", first, second, same, 'a'},
		{"a: store, no fence", first, with(second, store), same, 'a'},
		{"a: store after load", with(first, load), with(second, store), same, 'a'},
		{"a: load after load", with(first, load), second, same, 0},
		{"a: block fence", first, second, blk, 0},
		{"a: device fence", first, second, dev, 0},
		{"a: atomic after store", first, with(second, atomDev), same, 'a'},
		{"a: load after device atomic", with(first, atomDev), second, same, 'a'},

		{"b: load, no fence", first, other, same, 'b'},
		{"b: store, no fence", first, with(other, store), same, 'b'},
		{"b: store after load", with(first, load), with(other, store), same, 'b'},
		{"b: load after load", with(first, load), other, same, 0},
		{"b: block fence", first, other, blk, 'b'},
		{"b: device fence", first, other, dev, 0},
		{"b: atomic after store", first, with(other, atomDev), same, 'b'},

		{"c: weak load", first, with(second, weak), blk, 'c'},
		{"c: weak store before", with(first, weak), second, blk, 'c'},
		{"c: weak, other block", with(first, weak), with(other, weak), dev, 'c'},
		{"c: atomic after a weak store", with(first, weak), with(second, atomDev), blk, 'c'},
		{"c: weak load after load", with(first, load), with(second, weak), blk, 0},

		{"d: atomics of block scope", with(first, atom), with(other, atom), same, 'd'},
		{"d: then device scope", with(first, atom), with(other, atomDev), same, 'd'},
		{"d: load", with(first, atom), other, dev, 'd'},
		{"d: store", with(first, atom), with(other, store), dev, 'd'},
		{"d: same block", with(first, atom), with(second, atom), same, 0},
		{"d: device scope first", with(first, atomDev), with(other, atom), same, 0},
		{"d: device scope", with(first, atomDev), with(other, atomDev), same, 0},

		{"e: first locked", with(first, locked(lockA)), second, blk, 'e'},
		{"e: second locked", first, with(second, locked(lockA)), blk, 'e'},
		{"e: other locks", with(first, locked(lockA)), with(second, locked(lockB)), blk, 'e'},
		{"e: common lock", with(first, locked(lockA|lockB)), with(second, locked(lockB)), blk, 0},
		{"e: load after load", with(first, func(a *access) { load(a); a.bloom = lockA }), second, blk, 0},
		{"f: first locked", with(first, locked(lockA)), with(second, store), blk, 'f'},
		{"f: after load", with(first, func(a *access) { load(a); a.bloom = lockA }), with(second, store), blk, 'f'},
		{"f: common lock", with(first, locked(lockA)), with(second, func(a *access) { store(a); a.bloom = lockA }), blk, 0},
		{"f: no locks at all", first, with(second, store), blk, 0},
	} {
		c.first.identify()
		c.first.classify()
		md := fresh.update(&c.first)
		if harmless(md, &c.second) {
			t.Errorf("%s: taken for harmless", c.name)
		}
		if got := brokenRule(md, &c.second, c.f, false); got != c.want {
			t.Errorf("%s: rule %q, expected %q", c.name, got, c.want)
		}
	}
}

// TestFigure7: fields do not overlap, and lie where the figure has them.
func TestFigure7(t *testing.T) {
	for _, c := range []struct {
		name   string
		a      access
		hi, lo uint
		value  uint64
	}{
		{"BlockID", access{block: 1<<7 - 1}, 53, 47, 1<<7 - 1},
		{"WarpID", access{warp: 1<<5 - 1}, 46, 42, 1<<5 - 1},
		{"DevFenceID", access{devFence: 1<<6 - 1}, 41, 36, 1<<6 - 1},
		{"BlkFenceID", access{blkFence: 1<<6 - 1}, 35, 30, 1<<6 - 1},
		{"BarrierID", access{barrier: 1<<8 - 1}, 29, 22, 1<<8 - 1},
		{"Lock Bloom Filter", access{bloom: 1<<16 - 1}, 15, 0, 1<<16 - 1},
	} {
		c.a.identify()
		c.a.classify()
		if got, want := uint64(c.a.who), c.value<<c.lo; got != want || c.hi-c.lo+1 != uint(bitsOf(c.value)) {
			t.Errorf("%s is at %#x, expected %#x", c.name, got, want)
		}
	}
	if fresh|mdIsAtom|mdScope|mdStrong != 0x3f<<16 {
		t.Errorf("flags are not bits 21 to 16")
	}
	if e := entry(5) << 54; e.tag() != 5 {
		t.Errorf("tag %d, expected 5", e.tag())
	}
}

func bitsOf(v uint64) (n int) {
	for ; v != 0; v >>= 1 {
		n++
	}
	return n
}

// TestLockTable follows section IV.A: CAS inserts, a fence of at least the lock's scope
// activates, Exch of the same address and scope releases; four entries, circular.
func TestLockTable(t *testing.T) {
	const block, device = false, true
	var l locks
	held := func(step string, want bool) {
		t.Helper()
		if got := l.summary(0) != 0; got != want {
			t.Errorf("%s: held %v, expected %v", step, got, want)
		}
	}
	l.acquire(lockOf(0x100, device))
	held("CAS alone", false)
	l.fence(block)
	held("device lock, block fence", false)
	l.fence(device)
	held("device fence", true)
	l.release(lockOf(0x100, block))
	held("Exch of block scope", true)
	l.release(lockOf(0x104, device))
	held("Exch of another lock", true)
	l.release(lockOf(0x100, device))
	held("Exch", false)
	l.acquire(lockOf(0x100, block))
	l.fence(block)
	held("block lock, block fence", true)
	for range 3 {
		l.acquire(lockOf(0x200, device)) // spins
	}
	l.fence(device)
	l.release(lockOf(0x200, device))
	held("spinning took one entry", true)
	for i := range uint64(4) {
		l.acquire(lockOf(0x300+4*i, device))
	}
	held("four more locks displace the first", false)
}

// TestLockHash: the hash of an address is the exclusive or of its groups of six bits, without the offset in a word.
func TestLockHash(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 1000 {
		addr := r.Uint64() >> r.IntN(64)
		want := uint64(0)
		for w := addr >> 2; w != 0; w >>= 6 {
			want ^= w & 0x3f
		}
		if got := lockHash(addr); uint64(got) != want {
			t.Fatalf("hash of %#x is %d, expected %d", addr, got, want)
		}
	}
}

// TestLockScopes: which locks exclude which threads.
func TestLockScopes(t *testing.T) {
	hold := func(device bool, block uint32) uint16 {
		var l locks
		l.acquire(lockOf(0x40, device))
		l.fence(true)
		return l.summary(block)
	}
	for _, c := range []struct {
		name   string
		a, b   uint16
		common bool
	}{
		{"device scope, two blocks", hold(true, 0), hold(true, 1), true},
		{"block scope, one block", hold(false, 0), hold(false, 0), true},
		{"block scope, two blocks", hold(false, 0), hold(false, 1), false},
		{"device and block scope, one block", hold(true, 0), hold(false, 0), true},
		{"device and block scope, two blocks", hold(true, 0), hold(false, 1), false},
	} {
		if got := abi.CommonLock(c.a, c.b); got != c.common {
			t.Errorf("%s: common lock %v, expected %v", c.name, got, c.common)
		}
	}
}

// TestState: section IV.C.
func TestState(t *testing.T) {
	if sm, file, total := HardwareState(); sm != 152 || file != 720 || total != 3000 {
		t.Errorf("%d bytes for each SM, %d for the fence file, %d in all; the paper has 152, 720 and 2.9 KB", sm, file, total)
	}
}

// TestAgain: an access that a warp repeats is free of races the second time, and leaves the entry as it is.
func TestAgain(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200_000 {
		a, e := randomPair(r, false)
		first := e.update(&a)
		if !harmless(first, &a) && conflicting(first, &a) {
			t.Fatalf("%+v on %#x, which it left, seems to race", a, first)
		}
		if again := first.update(&a); again != first {
			t.Fatalf("%+v on %#x, which it left: %#x", a, first, again)
		}
	}
}

// randomPair is an access, and an entry that others have left.
func randomPair(r *rand.Rand, its bool) (access, entry) {
	a, e := randomSide(r, its), fresh
	for range r.IntN(4) {
		b := randomSide(r, its)
		b.identify()
		b.classify()
		e = e.update(&b)
	}
	a.identify()
	a.classify()
	return a, e
}

// randomSide is an access by one of few warps at one of few times.
func randomSide(r *rand.Rand, its bool) access {
	a := access{
		store: r.IntN(2) == 0, strong: r.IntN(2) == 0, device: r.IntN(2) == 0, its: its, diverged: r.IntN(2) == 0,
		block: r.Uint32N(2), warp: r.Uint32N(2), barrier: r.Uint32N(2), blkFence: r.Uint32N(2), devFence: r.Uint32N(2),
		bloom: uint16(r.Uint32N(2)),
	}
	a.atomic = r.IntN(3) == 0 && (a.store || r.IntN(2) == 0)
	a.diverged = a.diverged && a.its
	if a.its {
		a.thread = r.Uint32N(2)
	}
	return a
}
