package abi

import (
	"encoding/binary"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// TestLibraryHeaders compares the constants of the small libraries with their
// headers, every enumerator.
func TestLibraryHeaders(t *testing.T) {
	for file, want := range map[string]map[string]uint64{
		"memtrace_abi.h": {
			"MEMTRACE_ABI_VERSION": MemTraceVersion, "MEMTRACE_STATE_BYTES": MemTraceStateBytes,
			"MEMTRACE_RECORD_BYTES": MemTraceRecordBytes, "MEMTRACE_LANES": WarpLanes,
		},
		"ldetector_abi.h": {
			"LDETECTOR_ABI_VERSION": LDetectorVersion, "LDETECTOR_STATE_BYTES": LDetectorStateBytes, "LDETECTOR_BLOCK_BYTES": LDetectorBlockBytes,
			"LDETECTOR_DIGEST_BYTES": LDetectorDigestBytes, "LDETECTOR_RACE_BYTES": LDetectorRaceBytes,
			"LDETECTOR_LOG_ROW_BYTES": LDetectorLogRowBytes, "LDETECTOR_LOG_VALUE_BYTES": LDetectorLogValueBytes, "LDETECTOR_PAD": LDetectorPad,
			"LDETECTOR_LANES": WarpLanes, "LDETECTOR_NONE": LDetectorNone,
			"LDETECTOR_OPTION_CONTINUE": LDetectorOptionContinue, "LDETECTOR_OPTION_STOP": LDetectorOptionStop,
			"LDETECTOR_OPTION_OUTPUTS": LDetectorOptionOutputs, "LDETECTOR_OPTION_LOCATE": LDetectorOptionLocate,
			"LDETECTOR_OPTION_SITES": LDetectorOptionSites, "LDETECTOR_RACE_SITES": LDetectorRaceSites, "LDETECTOR_WATCH": LDetectorWatch,
			"LDETECTOR_TOUCH_BYTES_BITS": 8, "LDETECTOR_TOUCH_WRITE_BIT": 8,
			"LDETECTOR_BEGIN_CHECKED": LDetectorBeginChecked, "LDETECTOR_BEGIN_IDLE": LDetectorBeginIdle, "LDETECTOR_END_EXIT": LDetectorEndExit,
			"LDETECTOR_END_SPECULATIVE": LDetectorEndSpeculative, "LDETECTOR_LAUNCH": LDetectorLaunch,
			"LDETECTOR_GO": LDetectorGo, "LDETECTOR_AGAIN": LDetectorAgain, "LDETECTOR_LEAVE": LDetectorLeave,
			"LDETECTOR_KIND_WRITE_WRITE": uint64(LDetectorWriteWrite), "LDETECTOR_KIND_READ_WRITE": uint64(LDetectorReadWrite),
			"LDETECTOR_LEFT_SHARED": LDetectorLeftShared, "LDETECTOR_LEFT_REGISTERS": LDetectorLeftRegisters, "LDETECTOR_LEFT_STORES": LDetectorLeftStores,
		},
		"ldetector_global_abi.h": {
			"LDETECTOR_GLOBALS": LDetectorMaxGlobals, "LDETECTOR_GLOBAL_BYTES": LDetectorGlobalBytes, "LDETECTOR_GLOBALS_BYTES": LDetectorGlobalsBytes,
			"LDETECTOR_WATCHES": LDetectorWatches, "LDETECTOR_WATCH_SITES": LDetectorWatchSites, "LDETECTOR_WATCH_BYTES": LDetectorWatchBytes,
			"LDETECTOR_PROBE": uint64(LDetectorProbe), "LDETECTOR_NOTE": uint64(LDetectorNote),
			"LDETECTOR_MET_OFFSET_BIT": LDetectorMetOffsetBit, "LDETECTOR_MET_ARRAY_BIT": LDetectorMetArrayBit,
		},
		"boundscheck_abi.h": {
			"BOUNDS_ABI_VERSION": BoundsVersion, "BOUNDS_STATE_BYTES": BoundsStateBytes, "BOUNDS_ENTRY_BYTES": BoundsEntryBytes,
			"BOUNDS_RECORD_BYTES": BoundsRecordBytes, "BOUNDS_INFO_SIZE_BITS": 8, "BOUNDS_INFO_WRITE_BIT": 8,
		},
		"collide_abi.h": {
			"COLLIDE_ABI_VERSION": CollideVersion, "COLLIDE_STATE_BYTES": CollideStateBytes, "COLLIDE_WATCHES": CollideWatches, "COLLIDE_WATCH_BYTES": CollideWatchBytes,
			"COLLIDE_RACES": CollideRaces, "COLLIDE_RACE_BYTES": CollideRaceBytes, "COLLIDE_NEVER": CollideNever, "COLLIDE_YOUNG": CollideYoung, "COLLIDE_RAREST": CollideRarest,
			"COLLIDE_INFO_SIZE_BITS": 8, "COLLIDE_INFO_WRITES_BIT": 8, "COLLIDE_INFO_STRENGTH_SHIFT": 9, "COLLIDE_INFO_PASSING_BIT": 11,
			"COLLIDE_NARROW": CollideInfoNarrow >> 9, "COLLIDE_WIDE": CollideInfoWide >> 9, "COLLIDE_WATCH_ARMED": 1, "COLLIDE_WATCH_WRITES": 2, "COLLIDE_WATCH_STRENGTH_SHIFT": 60,
			"COLLIDE_WHO_BLOCK_SHIFT": 34, "COLLIDE_WHO_SITE_SHIFT": 14, "COLLIDE_WHO_SITE_BITS": 20, "COLLIDE_WHO_BYTES_SHIFT": 10,
			"COLLIDE_KEY_USED_BIT": 63, "COLLIDE_KEY_MET_BIT": 62, "COLLIDE_KEY_SHARED_BIT": 61, "COLLIDE_KEY_KIND_SHIFT": 40, "COLLIDE_KEY_FIRST_SHIFT": 20,
			"COLLIDE_KIND_WARP": uint64(CollideWarp), "COLLIDE_KIND_BLOCK": uint64(CollideBlock), "COLLIDE_KIND_GRID": uint64(CollideGrid),
		},
		"barracuda_abi.h": {
			"BARRACUDA_ABI_VERSION": BarracudaVersion, "BARRACUDA_STATE_BYTES": BarracudaStateBytes,
			"BARRACUDA_QUEUE_BYTES": BarracudaQueueBytes, "BARRACUDA_RECORD_BYTES": BarracudaRecordBytes, "BARRACUDA_LANES": WarpLanes,
			"BARRACUDA_QUEUE_HEAD": BarracudaQueueHead, "BARRACUDA_QUEUE_READ": BarracudaQueueRead, "BARRACUDA_QUEUE_LAST": BarracudaQueueLast,
			"BARRACUDA_RECORD_TICKET": BarracudaRecordTicket, "BARRACUDA_RECORD_ADDRESSES": BarracudaRecordAddresses,
			"BARRACUDA_KIND_BITS": barracudaKindBits, "BARRACUDA_BYTES_SHIFT": barracudaBytesShift, "BARRACUDA_BYTES_BITS": barracudaBytesBits,
			"BARRACUDA_SCOPE_SHIFT": barracudaScopeShift, "BARRACUDA_SCOPE_BITS": barracudaScopeBits,
			"BARRACUDA_SPACE_SHIFT": barracudaSpaceShift, "BARRACUDA_SPACE_BITS": barracudaSpaceBits,
			"BARRACUDA_ACQUIRE_BIT": barracudaAcquireBit, "BARRACUDA_RELEASE_BIT": barracudaReleaseBit, "BARRACUDA_VALUED_BIT": barracudaValuedBit,
			"BARRACUDA_STRONG_BIT": barracudaStrongBit, "BARRACUDA_REACH_SHIFT": barracudaReachShift, "BARRACUDA_REACH_BITS": barracudaReachBits,
			"BARRACUDA_SPACE_OTHER": spaceCode(isa.SpaceNone), "BARRACUDA_SPACE_GLOBAL": spaceCode(SpaceGlobal), "BARRACUDA_SPACE_SHARED": spaceCode(SpaceShared),
			"BARRACUDA_CLUSTER": BarracudaCluster,
			"BARRACUDA_READ":    uint64(BarracudaRead), "BARRACUDA_WRITE": uint64(BarracudaWrite), "BARRACUDA_ATOMIC": uint64(BarracudaAtomic),
			"BARRACUDA_ATOMIC_READ": uint64(BarracudaAtomicRead),
			"BARRACUDA_SYNC":        uint64(BarracudaSync), "BARRACUDA_IF": uint64(BarracudaIf), "BARRACUDA_FI": uint64(BarracudaFi),
			"BARRACUDA_WARP_LANES": uint64(BarracudaLanes), "BARRACUDA_ARRIVE": uint64(BarracudaArrive), "BARRACUDA_GO": uint64(BarracudaGo),
			"BARRACUDA_PASS": uint64(BarracudaPass), "BARRACUDA_FENCED": uint64(BarracudaFenced),
			"BARRACUDA_STARTED": uint64(BarracudaStarted), "BARRACUDA_EXITED": uint64(BarracudaExited),
		},
	} {
		text, err := os.ReadFile("../../passes/device/include/" + file)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, m := range regexp.MustCompile(`(?m)^  ([A-Z_]+) = (\d+),`).FindAllStringSubmatch(string(text), -1) {
			found++
			if v, err := strconv.ParseUint(m[2], 10, 64); err != nil || v != want[m[1]] {
				t.Errorf("%s: %s is %s, %d here", file, m[1], m[2], want[m[1]])
			}
		}
		if found != len(want) {
			t.Errorf("%s: %d enumerators, compared %d", file, found, len(want))
		}
	}
	if BoundsInfoWrite != 1<<8 {
		t.Errorf("BoundsInfoWrite is %#x", BoundsInfoWrite)
	}
}

func TestMemTraceFormats(t *testing.T) {
	s := MemTraceStateVar{Records: 1 << 40, Capacity: 7, Next: 9, Version: MemTraceVersion}
	if got, err := DecodeMemTraceState(s.Encode()); err != nil || got != s {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := DecodeMemTraceState(make([]byte, 31)); err == nil {
		t.Error("a short state decodes")
	}
	b := make([]byte, 2*MemTraceRecordBytes)
	copy(b, []byte{1, 0, 0, 0, 2, 0, 0, 0x80, 3, 0, 0, 0, 4})
	b[16] = 99 // lane 0, which is not set
	b[16+8] = 5
	b[16+8*31+7] = 6
	want := MemTraceRecord{Site: 1, Lanes: 0x80000002, Block: 3, Warp: 4}
	want.Addresses[1], want.Addresses[31] = 5, 6<<56
	if got, err := DecodeMemTraceRecords(b); err != nil || !slices.Equal(got, []MemTraceRecord{want, {}}) {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := DecodeMemTraceRecords(b[1:]); err == nil {
		t.Error("a torn record decodes")
	}
}

func TestBoundsFormats(t *testing.T) {
	s := BoundsStateVar{Table: 1, Entries: 2, Records: 3, Sites: 4, Version: 5}
	if b := s.Encode(); len(b) != BoundsStateBytes || BoundsLibrary.VersionOf(b) != 5 {
		t.Errorf("state % x", b)
	}
	b := make([]byte, BoundsRecordBytes)
	b[0], b[4], b[8], b[16+7] = 1, 2, 3, 4
	if got, err := DecodeBoundsRecords(b); err != nil || !slices.Equal(got, []BoundsRecord{{Count: 1, Thread: 2, Block: 3, Address: 4 << 56}}) {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := DecodeBoundsRecords(b[1:]); err == nil {
		t.Error("a torn record decodes")
	}
}

func TestCollideFormats(t *testing.T) {
	s := CollideStateVar{Watches: 1, Calls: 6, Found: 7, Dropped: 8, Version: 5}
	b := s.Encode()
	if calls, found, dropped := CollideCounts(b); calls != 6 || len(b) != CollideStateBytes || CollideLibrary.VersionOf(b) != 5 || found != 7 || dropped != 8 {
		t.Errorf("state % x", b)
	}
	table := make([]byte, 2*CollideRaceBytes)
	binary.LittleEndian.PutUint64(table[CollideRaceBytes:], 7<<61|2<<40|3<<20|4)
	for i, at := range []int{8, 16, 24, 32, 36, 40, 44, 48, 52} {
		table[CollideRaceBytes+at] = byte(i + 5)
	}
	want := CollideRace{true, true, CollideGrid, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}
	if got, err := DecodeCollideRaces(table); err != nil || !slices.Equal(got, []CollideRace{want}) {
		t.Errorf("%+v, %v", got, err)
	}
	table[CollideRaceBytes+2] = 0 // a met access without a site
	if _, err := DecodeCollideRaces(table); err == nil {
		t.Error("a damaged race decodes")
	}
}

func TestBarracudaFormats(t *testing.T) {
	s := BarracudaStateVar{Queues: 1, Stride: 2, Ticket: 3, Count: 4, Version: 6}
	if b := s.Encode(); len(b) != BarracudaStateBytes || BarracudaTicket(b) != 3 || BarracudaLibrary.VersionOf(b) != 6 {
		t.Errorf("state % x", b)
	}
	b := make([]byte, BarracudaRecordBytes)
	var r BarracudaRecord
	if err := r.Decode(b); err == nil {
		t.Error("zeros decode")
	}
	info := BarracudaInfo{Kind: BarracudaAtomic, Bytes: 255, Scope: ScopeSys, Space: SpaceShared, Acquire: true, Valued: true, Strong: true, Reach: ScopeCTA}
	if got := info.Encode(); got != 3|255<<8|4<<16|2<<19|1<<21|1<<23|1<<24|1<<25 || DecodeBarracudaInfo(got) != info {
		t.Errorf("info %#x", got)
	}
	want := BarracudaRecord{BarracudaInfo: info, Thread: 1 << 40, Mask: 0x80000002, Site: 7, Extra: 8, Ticket: 9}
	want.Addresses[1], want.Addresses[31] = 5, 6<<56
	copy(b, []byte{3, 255, 4 | 2<<3 | 1<<5 | 1<<7, 1 | 1<<1, 7, 0, 0, 0, 2, 0, 0, 0x80, 8})
	b[16], b[16+5], b[24] = 1, 1, 9 // the thread of lane 1
	b[32] = 99                      // lane 0, which is not set
	b[32+8], b[32+8*31+7] = 5, 6
	if err := r.Decode(b); err != nil || r != want {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestLDetectorFormats(t *testing.T) {
	counts := LDetectorCounts{Found: 1, Stopped: 2, Checked: 3, Skipped: 4, Unlogged: 5, Unstable: 6, TooLarge: 7, Speculated: 8}
	s := LDetectorStateVar{Options: 9, Log: 1 << 40, Races: 2 << 40, MaxRaces: 8, Regions: 3 << 40, LDetectorCounts: counts}
	b := s.Encode()
	if got, err := DecodeLDetectorCounts(b); err != nil || got != counts || LDetectorLibrary.VersionOf(b) != LDetectorVersion || len(b) != LDetectorStateBytes {
		t.Errorf("%+v, %v of % x", got, err, b)
	}
	if b[4] != 9 || b[72+5] != 1 || b[80+5] != 2 || b[88] != 8 || b[120+5] != 3 {
		t.Errorf("state % x", b)
	}
	if _, err := DecodeLDetectorCounts(b[1:]); err == nil {
		t.Error("a short state decodes")
	}
	table := make([]byte, 2*LDetectorRaceBytes)
	for i := range 14 {
		table[LDetectorRaceBytes+4*i] = byte(i + 2)
	}
	copy(table[LDetectorRaceBytes+64:], []byte{9, 0, 0, 0, 4, 0, 0, 0, 9})
	table[LDetectorRaceBytes+96] = 7
	want := LDetectorRace{2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, []uint32{4, 9}, []uint32{7}}
	if got, err := DecodeLDetectorRaces(table); err != nil || !reflect.DeepEqual(got, []LDetectorRace{want}) {
		t.Errorf("%+v, %v", got, err)
	}
	table[0] = 3
	if _, err := DecodeLDetectorRaces(table); err == nil {
		t.Error("a damaged record decodes")
	}
	if _, err := DecodeLDetectorRaces(table[1:]); err == nil {
		t.Error("a torn record decodes")
	}
}

// FuzzRecords: whatever device memory holds, records decode or are refused, and as
// many as there are bytes for.
func FuzzRecords(f *testing.F) {
	f.Add([]byte{})
	f.Add(make([]byte, MemTraceRecordBytes))
	f.Add(make([]byte, BoundsRecordBytes*3))
	f.Add([]byte{1, 2, 3})
	f.Fuzz(func(t *testing.T, b []byte) {
		if list, err := DecodeMemTraceRecords(b); (err == nil) != (len(b)%MemTraceRecordBytes == 0) || err == nil && len(list)*MemTraceRecordBytes != len(b) {
			t.Errorf("memtrace: %d records, %v", len(list), err)
		}
		if list, err := DecodeBoundsRecords(b); (err == nil) != (len(b)%BoundsRecordBytes == 0) || err == nil && len(list)*BoundsRecordBytes != len(b) {
			t.Errorf("boundscheck: %d records, %v", len(list), err)
		}
		if _, err := DecodeMemTraceState(b); (err == nil) != (len(b) == MemTraceStateBytes) {
			t.Errorf("state of %d bytes: %v", len(b), err)
		}
	})
}

// spaceCode returns the number of a space in the words of records.
func spaceCode(s Space) uint64 {
	return uint64(BarracudaInfo{Space: s}.Encode() >> barracudaSpaceShift)
}
