package hugepage

import (
	"bufio"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"unsafe"
)

// TestSlice: the operating system knows that huge pages are wanted from the beginning to the end of a slice, which
// keeps its contents.
func TestSlice(t *testing.T) {
	object := make([]byte, 9<<20)
	for i := range object {
		object[i] = byte(i)
	}
	if got := Slice(object); len(got) != len(object) || Slice([]int(nil)) != nil || Slice([]int{}) == nil {
		t.Error("Slice returns another slice")
	}
	if near(unsafe.Pointer(unsafe.SliceData(object)), uintptr(len(object))) {
		t.Error("the same memory is asked about again")
	}
	for i := range object {
		if object[i] != byte(i) {
			t.Fatalf("byte %d is %d", i, object[i])
		}
	}
	if runtime.GOOS != "linux" {
		t.Skip("pages are told of on Linux only")
	}
	for _, at := range []int{0, len(object) / 2, len(object) - 1} {
		flags, err := flagsOf(uintptr(unsafe.Pointer(&object[at])))
		if err != nil {
			t.Skip(err)
		}
		if !strings.Contains(flags, " hg") {
			t.Errorf("flags of the memory are%s, expected hg (MADV_HUGEPAGE)", flags)
		}
	}
}

// flagsOf are the flags that Linux tells of the memory at an address.
func flagsOf(at uintptr) (string, error) {
	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		return "", err
	}
	defer f.Close()
	found := false
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if first, rest, ok := strings.Cut(lines.Text(), "-"); ok {
			last, _, _ := strings.Cut(rest, " ")
			from, err1 := strconv.ParseUint(first, 16, 64)
			to, err2 := strconv.ParseUint(last, 16, 64)
			if err1 == nil && err2 == nil {
				found = uint64(at) >= from && uint64(at) < to
			}
		}
		if flags, ok := strings.CutPrefix(lines.Text(), "VmFlags:"); ok && found {
			return flags, nil
		}
	}
	return "", os.ErrNotExist
}

// BenchmarkObject asks for what has been asked for before.
func BenchmarkObject(b *testing.B) {
	object := new([1 << 10]byte)
	for b.Loop() {
		Object(object)
	}
}

// TestAppend: the elements are those that were appended, and few times as many are copied.
func TestAppend(t *testing.T) {
	var list []int
	room := 0
	for i := range 100_000 {
		if cap(list) != room {
			room = cap(list)
			if room < 2*(len(list)-1) {
				t.Errorf("room for %d after %d", room, len(list))
			}
		}
		list = Append(list, i)
	}
	for i, x := range list {
		if x != i {
			t.Fatalf("element %d is %d", i, x)
		}
	}
}
