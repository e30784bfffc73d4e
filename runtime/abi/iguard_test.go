package abi

import (
	"encoding/binary"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// header reads the enumerators of iguard_abi.h.
func header(t *testing.T) map[string]uint64 {
	t.Helper()
	text, err := os.ReadFile("../../passes/device/include/iguard_abi.h")
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]uint64{}
	for _, m := range regexp.MustCompile(`(?m)^  (IGUARD_\w+) = (\d+),`).FindAllStringSubmatch(string(text), -1) {
		v, err := strconv.ParseUint(m[2], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		values[m[1]] = v
	}
	if n := len(regexp.MustCompile(`(?m)^  IGUARD_\w+`).FindAllString(string(text), -1)); len(values) != n || n < 50 {
		t.Fatalf("read %d enumerators of %d", len(values), n)
	}
	return values
}

// TestHeader compares this package with the header of the device code: constants
// by value, packed fields by decoding words that are built with the header's
// shifts.
func TestHeader(t *testing.T) {
	h := header(t)
	used := map[string]bool{}
	c := func(name string) uint64 {
		v, ok := h[name]
		if !ok {
			t.Fatalf("the header has no %s", name)
		}
		used[name] = true
		return v
	}
	for name, want := range map[string]uint64{
		"IGUARD_ABI_VERSION":       IGuardVersion,
		"IGUARD_ENTRY_BYTES":       IGuardEntryBytes,
		"IGUARD_SIDE_BYTES":        IGuardSideBytes,
		"IGUARD_USES_TAGS":         IGuardUsesTags,
		"IGUARD_RACE_BYTES":        IGuardRaceBytes,
		"IGUARD_OPTION_LOCKS":      IGuardOptionLocks,
		"IGUARD_OPTION_ITS":        IGuardOptionITS,
		"IGUARD_OPTION_SCOPE":      IGuardOptionScope,
		"IGUARD_OPTION_LOCKSCOPE":  IGuardOptionLockScope,
		"IGUARD_OPTION_STOP":       IGuardOptionStop,
		"IGUARD_OPTION_CUMULATIVE": IGuardOptionCumulative,
		"IGUARD_WARPFENCES":        IGuardWarpFences,
		"IGUARD_LOCK_BYTES":        IGuardLockBytes,
		"IGUARD_BACKOFF_NS":        IGuardBackoff,
		"IGUARD_KIND_INTRA_WARP":   uint64(IGuardIntraWarp),
		"IGUARD_KIND_INTRA_BLOCK":  uint64(IGuardIntraBlock),
		"IGUARD_KIND_INTER_BLOCK":  uint64(IGuardInterBlock),
		"IGUARD_INFO_SIZE_BITS":    8,
		"IGUARD_SYNC_TAG_BITS":     9,
		"IGUARD_SYNC_THREAD_SHIFT": 0,
	} {
		if c(name) != want {
			t.Errorf("%s is %d here", name, want)
		}
	}
	for name, want := range map[string]uint64{
		"IGUARD_INFO_ATOMIC_BIT": IGuardInfoAtomic, "IGUARD_INFO_BLOCKSCOPE_BIT": IGuardInfoBlockScope,
		"IGUARD_INFO_CAS_BIT": IGuardInfoCAS, "IGUARD_INFO_EXCH_BIT": IGuardInfoExch, "IGUARD_INFO_GENERIC_BIT": IGuardInfoGeneric,
		"IGUARD_INFO_WIDE_BIT": IGuardInfoWide, "IGUARD_INFO_ALONE_BIT": IGuardInfoAlone,
	} {
		if 1<<c(name) != want {
			t.Errorf("%s is %#x here", name, want)
		}
	}
	if 1<<c("IGUARD_RUN_LOG2") != IGuardRun {
		t.Errorf("runs have %d entries here", IGuardRun)
	}
	if 1<<c("IGUARD_RACE_COUNT_LOG2") != IGuardRaces || IGuardRaces*IGuardRaceBytes != 1<<20 {
		t.Errorf("the race table does not have 1 MB")
	}
	if c("IGUARD_ID_BLOCK_BITS") != c("IGUARD_ID_SITE_SHIFT") {
		t.Errorf("the site does not follow the block")
	}
	if c("IGUARD_ID_SITE_BITS") != 24 || IGuardMaxSites != 1<<24-1 {
		t.Errorf("IGuardMaxSites")
	}

	sync := uint64(1023)<<c("IGUARD_SYNC_THREAD_SHIFT") | 33<<c("IGUARD_SYNC_DEVFENCE_SHIFT") | 34<<c("IGUARD_SYNC_BLKFENCE_SHIFT") |
		129<<c("IGUARD_SYNC_BLKBAR_SHIFT") | 35<<c("IGUARD_SYNC_WARPBAR_SHIFT") | 0x8421<<c("IGUARD_SYNC_LOCKS_SHIFT") |
		1<<c("IGUARD_SYNC_ATOMIC_BIT") | 1<<c("IGUARD_SYNC_BLOCKSCOPE_BIT") |
		1<<c("IGUARD_SYNC_BLOCKLOCKS_BIT") | 0x1ff<<c("IGUARD_SYNC_TAG_SHIFT")
	want := IGuardSync{Thread: 1023, DevFences: 33, BlkFences: 34, BlkBars: 129, WarpBars: 35, Locks: 0x8421, BlockLocks: true, Atomic: true, BlockScope: true}
	if got := DecodeIGuardSync(sync); got != want {
		t.Errorf("sync word: got %+v, want %+v", got, want)
	}
	for _, field := range [][2]string{
		{"IGUARD_SYNC_THREAD_BITS", "IGUARD_SYNC_BLKBAR_SHIFT"},
		{"IGUARD_SYNC_BLKBAR_BITS", "IGUARD_SYNC_WARPBAR_SHIFT"},
		{"IGUARD_SYNC_WARPBAR_BITS", "IGUARD_SYNC_DEVFENCE_SHIFT"},
		{"IGUARD_SYNC_DEVFENCE_BITS", "IGUARD_SYNC_ATOMIC_BIT"},
		{"IGUARD_SYNC_BLKFENCE_BITS", "IGUARD_SYNC_LOCKS_SHIFT"},
		{"IGUARD_SYNC_LOCKS_BITS", "IGUARD_SYNC_BLOCKLOCKS_BIT"},
		{"IGUARD_KEY_KIND_BITS", "IGUARD_KEY_RULE_SHIFT"},
	} {
		shift := h[strings.TrimSuffix(field[0], "_BITS")+"_SHIFT"]
		if shift+c(field[0]) != c(field[1]) {
			t.Errorf("%s: the field does not end where %s begins", field[0], field[1])
		}
	}

	record := make([]byte, IGuardRaceBytes)
	le := binary.LittleEndian
	le.PutUint64(record, 1<<c("IGUARD_KEY_VALID_BIT")|5<<c("IGUARD_KEY_RULE_SHIFT")|2<<c("IGUARD_KEY_KIND_SHIFT")|
		0x123456<<c("IGUARD_KEY_FIRST_SHIFT")|0x654321<<c("IGUARD_KEY_SECOND_SHIFT"))
	le.PutUint32(record[44:], uint32(c("IGUARD_DETAIL_BLKBAR_CHANGED")))
	races, err := DecodeIGuardRaces(append(make([]byte, IGuardRaceBytes), record...))
	if err != nil || len(races) != 1 {
		t.Fatalf("decoded %v, %v", races, err)
	}
	r := races[0]
	if r.Rule != 5 || r.Kind != IGuardInterBlock || r.FirstSite != 0x123456 || r.SecondSite != 0x654321 || r.BlkFenceSince || !r.BlkBarSince {
		t.Errorf("record: got %+v", r)
	}
	if c("IGUARD_DETAIL_BLKFENCE_CHANGED") != 1 {
		t.Errorf("IGUARD_DETAIL_BLKFENCE_CHANGED")
	}
	deviceOnly := regexp.MustCompile(`^IGUARD_(ACCESSOR|WRITER|SHARER|FLAG_|USES_|BLOCKFENCE_|WARPFENCE_VALID|LOCK_|RACE_PROBES)`)
	for name := range h {
		if !used[name] && !deviceOnly.MatchString(name) {
			t.Errorf("%s of the header is not compared with this package", name)
		}
	}
}

// TestState compares the layout of the state variable with the fields of the
// header's struct: offsets follow from order and size, as all fields are aligned.
func TestState(t *testing.T) {
	text, err := os.ReadFile("../../passes/device/include/iguard_abi.h")
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(string(text), "State {")
	body, _, _ = strings.Cut(body, "};")
	s := IGuardStateVar{
		Entries: 1, Counters: 2, BlockBars: 3, WarpBars: 4, WarpLocks: 5, ThreadLocks: 6, Races: 7, IndexMask: 8,
		SlotGranules: 9, BlockBytes: 10, SlotShift: 11, GranuleBits: 12, IndexBits: 13, Options: 14, Dropped: 15, Version: 16, Backoff: 17, BlockThreads: 18, BlockWarps: 19, Uses: 20, BlockFences: 21, WarpFences: 22,
		CounterBits: 26, Found: 34,
	}
	want := map[string]uint64{
		"entries": 1, "counters": 2, "blockbars": 3, "warpbars": 4, "warplocks": 5, "threadlocks": 6, "races": 7, "index_mask": 8,
		"slot_granules": 9, "block_bytes": 10, "slot_shift": 11, "granule_shift": 12, "index_bits": 13, "options": 14, "dropped": 15, "version": 16, "backoff_limit": 17, "block_threads": 18, "block_warps": 19, "uses": 20, "blockfences": 21, "warpfences": 22,
		"counter_bits": 26, "found": 34,
	}
	b := s.Encode()
	if len(b) != IGuardStateBytes || IGuardDropped(b) != 15 || IGuardLibrary.VersionOf(b) != 16 || IGuardFound(b) != 34 {
		t.Errorf("encoded %d bytes, dropped %d, version %d, found %d", len(b), IGuardDropped(b), IGuardLibrary.VersionOf(b), IGuardFound(b))
	}
	off, fields := 0, 0
	for _, m := range regexp.MustCompile(`(?m)^  uint(32|64)_t (\w+);`).FindAllStringSubmatch(body, -1) {
		var got uint64
		if m[1] == "64" {
			got, off = binary.LittleEndian.Uint64(b[off:]), off+8
		} else {
			got, off = uint64(binary.LittleEndian.Uint32(b[off:])), off+4
		}
		if v, ok := want[m[2]]; !ok || got != v {
			t.Errorf("field %s: got %d", m[2], got)
		}
		fields++
	}
	if fields != len(want) || (off+15)/16*16 != IGuardStateBytes {
		t.Errorf("%d fields, %d bytes", fields, off)
	}
}

func TestDamagedRecords(t *testing.T) {
	for _, key := range []uint64{1, 1<<63 | 6<<50, 1<<63 | 1<<50 | 3<<48, 1 << 63} {
		record := binary.LittleEndian.AppendUint64(nil, key)
		record = append(record, make([]byte, IGuardRaceBytes-8)...)
		if races, err := DecodeIGuardRaces(record); err == nil {
			t.Errorf("key %#x: decoded %v", key, races)
		}
	}
	if races, err := DecodeIGuardRaces(make([]byte, IGuardRaceBytes-1)); races != nil || err != nil {
		t.Errorf("short table: %v, %v", races, err)
	}
}

func TestOptions(t *testing.T) {
	if err := DefaultIGuardOptions().Validate(); err != nil {
		t.Error(err)
	}
	for _, n := range []int{-1, 0, 2, 3, 32} {
		if err := (IGuardOptions{Granularity: n, Counters: PaperIGuardCounters}).Validate(); err == nil {
			t.Errorf("granularity %d is accepted", n)
		}
	}
	for _, c := range []IGuardCounters{{}, {0, 8, 6}, {7, 8, 6}, {6, 9, 6}, {6, -1, 6}, {6, 8, 7}} {
		if err := c.Validate(); err == nil {
			t.Errorf("counters %+v are accepted", c)
		}
	}
	if got := PaperIGuardCounters.Mask(); got != 1<<30-1<<10|63<<32 {
		t.Errorf("the paper's counters are bits %#x of a sync word", got)
	}
	if got := (IGuardCounters{1, 2, 3}).Mask(); got != 3<<10|7<<18|1<<24|1<<32 {
		t.Errorf("narrow counters are bits %#x of a sync word", got)
	}
}
