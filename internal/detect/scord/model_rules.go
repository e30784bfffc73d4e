// The conditions of the paper's Tables III and IV: which accesses are ordered, and which race.

package scord

import "github.com/ptxsan/ptxsan/runtime/abi"

// The conditions of Tables III and IV of the paper, under their names there. md is the metadata entry, a the access, f
// the fence file's entry of the warp of md.

// fence is an entry of the fence file: 6-bit counters.
type fence struct{ blk, dev uint32 }

// initialization is Table III (a): the first access to the location.
func initialization(md entry) bool { return md&fresh == fresh }

// programOrder is Table III (b): only this warp has accessed the location.
func programOrder(md entry, a *access) bool {
	return md.sameThread(a) && !md.has(mdBlkShared) && !md.has(mdDevShared)
}

// barrierSince is Table III (c): there is a barrier of the block between the accesses.
func barrierSince(md entry, a *access) bool {
	return a.block == md.block() && a.barrier != md.barrier(a.its) && !md.has(mdDevShared)
}

// missingBlockFence is Table IV (a). The text adds that the warps differ.
func missingBlockFence(md entry, a *access, f fence) bool {
	return md.block() == a.block && !md.sameThread(a) && md.blkFence() == f.blk && md.devFence() == f.dev
}

// missingDeviceFence is Table IV (b).
func missingDeviceFence(md entry, a *access, f fence) bool {
	return md.block() != a.block && md.devFence() == f.dev
}

// notStrong is Table IV (c): fences order strong operations only. The text adds
// that the accesses conflict.
func notStrong(md entry, a *access) bool {
	return !md.sameThread(a) && (!md.has(mdStrong) || !a.strong)
}

// scopedAtomic is Table IV (d).
func scopedAtomic(md entry, a *access) bool {
	return md.has(mdIsAtom) && !md.has(mdScope) && md.block() != a.block
}

// missingCommonLock is Table IV (e) and (f): the warp of one of the two accesses held a lock.
func missingCommonLock(md entry, a *access) bool {
	return (md.bloom() != 0 || a.bloom != 0) && !abi.CommonLock(md.bloom(), a.bloom)
}

// rule is a condition of Table IV, 'a' to 'f', or 0 for no race.
type rule byte

// harmless is the preliminary check of Table III.
func harmless(md entry, a *access) bool {
	return initialization(md) || programOrder(md, a) || barrierSince(md, a)
}

// conflicting is a quick check that excludes most pairs that no rule forbids: loads after loads, and atomic operations
// whose scopes include each other.
func conflicting(md entry, a *access) bool {
	if a.atomic && md.has(mdIsAtom) {
		return scopedAtomic(md, a)
	}
	return a.store || md.has(mdModified|mdIsAtom)
}

// brokenRule is the detection logic: it returns the rule that an access breaks if it is not harmless. synced says that
// a release and an acquire order the two accesses (section VI).
func brokenRule(md entry, a *access, f fence, synced bool) rule {
	if a.atomic && md.has(mdIsAtom) {
		if scopedAtomic(md, a) {
			return 'd'
		}
		return 0
	}
	if scopedAtomic(md, a) {
		return 'd'
	}
	if !a.store && !md.has(mdModified) {
		return 0
	}
	if synced {
		return 0
	}
	switch {
	case missingBlockFence(md, a, f):
		return 'a'
	case missingDeviceFence(md, a, f):
		return 'b'
	case notStrong(md, a):
		return 'c'
	case a.atomic || !missingCommonLock(md, a):
		return 0
	case a.store:
		return 'f'
	}
	return 'e'
}
