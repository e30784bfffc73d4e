package abi

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"
)

// TestLibraryHeaders compares the constants of the small libraries with their
// headers, every enumerator.
func TestLibraryHeaders(t *testing.T) {
	for file, want := range map[string]map[string]uint64{
		"memtrace_abi.h": {
			"MEMTRACE_ABI_VERSION": MemTraceVersion, "MEMTRACE_STATE_BYTES": MemTraceStateBytes,
			"MEMTRACE_RECORD_BYTES": MemTraceRecordBytes, "MEMTRACE_LANES": WarpLanes,
		},
		"boundscheck_abi.h": {
			"BOUNDS_ABI_VERSION": BoundsVersion, "BOUNDS_STATE_BYTES": BoundsStateBytes, "BOUNDS_ENTRY_BYTES": BoundsEntryBytes,
			"BOUNDS_RECORD_BYTES": BoundsRecordBytes, "BOUNDS_INFO_SIZE_BITS": 8, "BOUNDS_INFO_WRITE_BIT": 8,
		},
	} {
		text, err := os.ReadFile("../device/include/" + file)
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
	if b := s.Encode(); len(b) != BoundsStateBytes || BoundsStateVersion(b) != 5 {
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
