// Releases: atomic operations that publish what a thread has written.

package scord

import "github.com/ptxsan/ptxsan/runtime/abi"

// releases is the support for acquire and release instructions that section VI
// sketches: a global counter of releases, each warp's last one being the release file,
// and for each warp the warps that it has synchronised with. It is not transitive.
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

// ordered reports whether the access comes after a release that follows the access
// which the entry describes, made when there had been so many.
func (r *releases) ordered(md entry, counter uint32, a *access) bool {
	return r.synced[[2]uint32{warpIndex(a.block, a.warp), warpIndex(md.block(), md.warp())}] > counter
}

// access notes a release, and finds the one that an acquire reads. It returns the
// number of releases when the entry describes this access from now on.
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
	case a.of.Access != abi.AccessRMW: // which would go on with a release sequence
		delete(r.at, granule)
	}
	return r.counter, !md.keeps(a)
}
