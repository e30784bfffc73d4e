package detect

import "github.com/ptxsan/ptxsan/runtime/abi"

// scordReleases is the support for acquire and release instructions that section VI
// sketches: a global counter of releases, each warp's last one being the release file,
// and for each warp the warps that it has synchronised with. It is not transitive.
type scordReleases struct {
	counter uint32
	synced  map[[2]uint32]uint32 // by acquiring and releasing warp: number of the release
}

// ordered reports whether the access comes after a release that follows the access
// which the cell describes.
func (r *scordReleases) ordered(c *scordCell, a *scordAccess) bool {
	return r.synced[[2]uint32{warpIndex(a.block, a.warp), warpIndex(c.md.block(), c.md.warp())}] > c.counter
}

// access notes a release in the cell, and finds one there that an acquire reads.
func (r *scordReleases) access(ev *abi.Event, c *scordCell, a *scordAccess) {
	w := warpIndex(a.block, a.warp)
	if ev.Sem.Acquires() && c.released > 0 && (c.releaser>>5 == a.block || c.device && a.device) {
		if r.synced == nil {
			r.synced = make(map[[2]uint32]uint32)
		}
		r.synced[[2]uint32{w, c.releaser}] = c.released
	}
	switch {
	case !a.store:
	case ev.Sem.Releases():
		r.counter++
		c.released, c.releaser, c.device = r.counter, w, a.device
	case ev.Access != abi.AccessRMW: // which would go on with a release sequence
		c.released = 0
	}
	if !c.md.keeps(a) {
		c.counter = r.counter
	}
}
