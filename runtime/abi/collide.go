// The formats of the collide library.

package abi

import (
	"encoding/binary"
	"fmt"
)

// The data formats of the collide library. passes/device/include/collide_abi.h states the same facts for the device
// code; a test compares the two.
const (
	CollideVersion = 2
	CollideState   = "__ptxsan_collide_state"
	CollideBegin   = "__ptxsan_collide_begin" // (), returns u32: the number of units of code until one is sampled
	CollidePlace   = "__ptxsan_collide_place" // (u64 address), returns u64: the place in another block's shared memory, or 0
	// CollideAccess is (u64 address, u32 info, u32 site, u32 held, u64 place), and returns u64: below what begin
	// returns, above the watch that the thread holds, one more than its index, 0 for none; held is the one so far.
	CollideAccess     = "__ptxsan_collide_access"
	CollideRelease    = "__ptxsan_collide_release" // (u32 held): ends a watch
	CollideStateBytes = 64
	CollideWatches    = 4096 // watches in the table
	CollideWatchBytes = 16
	CollideRaces      = 1024 // pairs of sites
	CollideRaceBytes  = 64
	CollideNever      = 1<<31 - 1
	CollideYoung      = 256 // accesses of a site that are armed before it is armed less
	CollideRarest     = 6   // binary logarithm of the least share of its accesses

	// Info of an access: the bytes accessed (1 to 255), and bits.
	CollideInfoWrites  = 1 << 8
	CollideInfoNarrow  = 1 << 9  // strong within its block
	CollideInfoWide    = 2 << 9  // strong within a wider scope
	CollideInfoPassing = 1 << 11 // its watch ends before it: it may end later than its instruction

	// CollideMaxSites is the maximum number of sites, CollideMaxBlocks of blocks of a launch.
	CollideMaxSites  = 1<<20 - 1
	CollideMaxBlocks = 1 << 30
)

// CollideStateVar is the variable CollideState, which the host writes before a launch.
type CollideStateVar struct {
	Watches, Races, Arms             uint64 // addresses
	Period, Seed, Wait, Rounds, Warm uint32
	Calls, Found, Dropped            uint32 // written by the library
	Sites, Version                   uint32
}

// Encode returns the state in the layout of the device code.
func (s *CollideStateVar) Encode() []byte {
	var b words
	b.u64(s.Watches, s.Races, s.Arms)
	b.u32(s.Period, s.Seed, s.Wait, s.Rounds, s.Warm, s.Calls, s.Found, s.Dropped, s.Sites, s.Version)
	return b
}

// CollideCounts returns what the library counts in an encoded state: sampled accesses, races in use, and races that
// found no room.
func CollideCounts(state []byte) (calls, found, dropped uint32) {
	return binary.LittleEndian.Uint32(state[44:]), binary.LittleEndian.Uint32(state[48:]),
		binary.LittleEndian.Uint32(state[52:])
}

// CollideKind is the relation of the threads of a race.
type CollideKind uint8

// Kinds.
const (
	CollideWarp CollideKind = iota
	CollideBlock
	CollideGrid
)

// CollideRace is a pair of sites with its first occurrence.
type CollideRace struct {
	Met                       bool // the first side is known: the second has met its watch
	Shared                    bool
	Kind                      CollideKind
	FirstSite, SecondSite     uint32
	Address                   uint64
	Before, After             uint64 // the values, unless Met
	FirstThread, FirstBlock   uint32 // linear indices
	SecondThread, SecondBlock uint32
	Count, Size               uint32
}

// DecodeCollideRaces decodes the races in use, in table order.
func DecodeCollideRaces(table []byte) (list []CollideRace, err error) {
	le := binary.LittleEndian
	const site = CollideMaxSites
	for ; len(table) >= CollideRaceBytes; table = table[CollideRaceBytes:] {
		key := le.Uint64(table)
		if key == 0 {
			continue
		}
		r := CollideRace{
			Met: key>>62&1 != 0, Shared: key>>61&1 != 0, Kind: CollideKind(key >> 40 & 3),
			FirstSite: uint32(key >> 20 & site), SecondSite: uint32(key & site), Address: le.Uint64(table[8:]),
			Before: le.Uint64(table[16:]), After: le.Uint64(table[24:]),
			FirstThread: le.Uint32(table[32:]), FirstBlock: le.Uint32(table[36:]), SecondThread: le.Uint32(table[40:]),
			SecondBlock: le.Uint32(table[44:]),
			Count:       le.Uint32(table[48:]), Size: le.Uint32(table[52:]),
		}
		if key>>63 == 0 || r.Kind > CollideGrid || r.SecondSite == 0 || r.Met == (r.FirstSite == 0) {
			return nil, fmt.Errorf("collide: race with key %#x is damaged", key)
		}
		list = append(list, r)
	}
	return list, nil
}
