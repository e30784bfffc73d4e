// Objects that are allocated in advance.

package causality

import (
	"github.com/ptxsan/ptxsan/internal/slab"
)

// Slabs holds objects allocated in advance.
type Slabs struct {
	madeFences slab.Of[madeFences]
	fences     slab.Of[Fences]
	releases   slab.Of[release]
	acquired   slab.Of[Acquired]
	patterns   slab.Of[patterns]
}

// madeFences is a fences and its latest release, allocated together.
type madeFences struct {
	Fences
	by release
}
