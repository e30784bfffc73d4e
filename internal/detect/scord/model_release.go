// Releases: atomic operations that publish what a thread has written.

package scord

import "github.com/ptxsan/ptxsan/runtime/abi"

// releases supports acquire and release instructions as section VI sketches it: a global counter of releases, the last
// release of each warp (the release file), and for each warp the warps that it has synchronised with. It is not
// transitive.
type releases struct {
	counter uint32
	synced  map[[2]uint32]uint32 // by acquiring and releasing warp: number of the release
	at      map[uint64]release   // by granule: the release that wrote it
}

// release is a release operation.
type release struct {
	number uint32
	warp   uint32
	device bool // scope
}

func (r *releases) reset() {
	*r = releases{synced: make(map[[2]uint32]uint32), at: make(map[uint64]release)}
}

// ordered reports whether the access follows a release after the access that the entry describes. counter is the number
// of releases at that access.
func (r *releases) ordered(md entry, counter uint32, a *access) bool {
	return r.synced[[2]uint32{warpIndex(a.block, a.warp), warpIndex(md.block(), md.warp())}] > counter
}

// access records a release, and finds the one that an acquire reads. It returns the number of releases so far; ok is
// true if the entry now describes this access.
func (r *releases) access(a *access, granule uint64, md entry) (counter uint32, ok bool) {
	w := warpIndex(a.block, a.warp)
	if from, ok := r.at[granule]; ok && a.of.Sem.Acquires() && (from.warp>>5 == a.block || from.device && a.device) {
		r.synced[[2]uint32{w, from.warp}] = from.number
	}
	switch {
	case !a.store:
	case a.of.Sem.Releases():
		r.counter++
		r.at[granule] = release{r.counter, w, a.device}
	case a.of.Access != abi.AccessRMW: // an atomic operation would continue a release sequence
		delete(r.at, granule)
	}
	return r.counter, !md.keeps(a)
}
