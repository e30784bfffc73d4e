package barracuda

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

var testSites = []abi.Site{
	{ID: 1, Access: "read", Instruction: "ld.global.u32", Function: "k", Entry: true, Space: "global", Size: 4, PTX: abi.Place{File: "k.ptx", Line: 7}},
	{ID: 2, Access: "write", PTX: abi.Place{File: "k.ptx", Line: 9}, Source: &abi.Source{
		File: "k.cu", Line: 3, Column: 5, InlinedAt: &abi.Source{File: "k.cu", Line: 12, InlinedAt: &abi.Source{File: "m.cu", Line: 1}},
	}},
}

// writeTrace is a file with the launches' operations.
func writeTrace(t testing.TB, sites []abi.Site, launches ...[]Op) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := NewWriter(&b, sites)
	if err != nil {
		t.Fatal(err)
	}
	for _, ops := range launches {
		w.Begin(&testLaunch)
		for i := range ops {
			w.Op(&ops[i])
		}
		w.End()
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// readTrace reads a file, with a function for each operation.
func readTrace(file []byte, begin func(detect.Launch), each func(*Op)) (sites []abi.Site, err error) {
	r, err := NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	for {
		l, err := r.Launch()
		if errors.Is(err, io.EOF) {
			return r.Sites(), nil
		}
		if err != nil {
			return nil, err
		}
		begin(l)
		var op Op
		for err = r.Op(&op); err == nil; err = r.Op(&op) {
			each(&op)
		}
		if !errors.Is(err, io.EOF) {
			return nil, err
		}
	}
}

// TestTrace: what is read is what was written, and gives the same races.
func TestTrace(t *testing.T) {
	for seed := range uint64(100) {
		a, b := newTrace(seed, 40).ops, newTrace(seed+1000, 40).ops
		for i := range a {
			a[i].Site %= 3
		}
		for i := range b {
			b[i].Site, b[i].Valued = b[i].Site%3, b[i].Kind == Write
			b[i].Value = b[i].Addr
		}
		var got []Op
		var races [][]detect.Race
		d := newTestDetector(t)
		end := func() {
			if got != nil {
				races = append(races, d.End())
			}
		}
		sites, err := readTrace(writeTrace(t, testSites, a, b), func(l detect.Launch) { end(); d.Begin(l) }, func(op *Op) { d.Op(op); got = append(got, *op) })
		if err != nil {
			t.Fatal(err)
		}
		end()
		if !reflect.DeepEqual(sites, testSites) {
			t.Fatalf("sites:\n%+v\nwant\n%+v", sites, testSites)
		}
		if want := [][]detect.Race{run(t, a), run(t, b)}; !reflect.DeepEqual(races, want) {
			t.Fatalf("seed %d: races %+v, want %+v", seed, races, want)
		}
		for i, want := range append(a, b...) {
			clearUnspecified(&got[i])
			clearUnspecified(&want)
			if got[i] != want {
				t.Fatalf("seed %d, operation %d: %+v, want %+v", seed, i, got[i], want)
			}
		}
	}
}

// TestTraceLaunch: launches are read as they were written.
func TestTraceLaunch(t *testing.T) {
	want := testLaunch
	want.Cluster = [3]uint32{3, 1, 1}
	want.Regions = []detect.Region{{Name: "a", Base: 1 << 40, Size: 1 << 20, Element: 4}, {Name: "n", Base: 7, Size: 2}}
	var file bytes.Buffer
	w, err := NewWriter(&file, nil)
	if err != nil {
		t.Fatal(err)
	}
	w.Begin(&want)
	w.End()
	if err = w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := NewReader(&file)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := r.Launch(); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
}

// clearUnspecified clears what does not belong to the kind.
func clearUnspecified(op *Op) {
	for i := range op.Addr {
		if op.Mask>>i&1 == 0 {
			op.Addr[i], op.Value[i] = 0, 0
		}
	}
	if !op.Valued {
		op.Value = [abi.WarpLanes]uint64{}
	}
}

// TestBadTrace: damage is an error that says where and what.
func TestBadTrace(t *testing.T) {
	op := Op{Kind: Read, Site: 1, Mask: 1, Space: abi.SpaceGlobal, Bytes: 4}
	good := writeTrace(t, testSites[:1], []Op{op})
	at := bytes.IndexByte(good, recordLaunch)
	first := at + 2 + len(testLaunch.Kernel) + 9 + 1 // the operation
	change := func(i int, b byte) []byte {
		bad := bytes.Clone(good)
		bad[i] = b
		return bad
	}
	for _, c := range []struct {
		name string
		file []byte
		want string
	}{
		{"empty", nil, "offset 0: the file ends in the middle"},
		{"something else", []byte("\x7fELF\x02\x01\x01\x00\x00"), `not a trace file: it begins with "\x7fELF\x02\x01\x01\x00", expected "PTXSANBT"`},
		{"version", change(8, 9), "trace file of version 9, expected 2 or 3"},
		{"sites", change(12, '#'), "table of sites: invalid character"},
		{"no launch", change(at, 1), "record 0x1, expected the beginning of a launch, 0x81"},
		{"kind", change(first, 0x7f), "record 0x7f, expected an operation or the end of the launch"},
		{"site", change(first+1, 2), "a site is 2, expected 1 at most"},
		{"warp", change(first+4, 32), "a warp is 32, expected 31 at most"},
		{"scope", change(first+7, 0x60), "access with the bits 0x60, which nothing has"},
		{"end", good[:len(good)-1], "the file ends in the middle"},
	} {
		_, err := readTrace(c.file, func(detect.Launch) {}, func(*Op) {})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// FuzzTrace feeds files to reader and detector: errors, but no panic and no more
// memory than the file accounts for.
func FuzzTrace(f *testing.F) {
	for seed := range uint64(4) {
		ops := newTrace(seed, 8).ops
		for i := range ops {
			ops[i].Site %= 3
		}
		f.Add(writeTrace(f, testSites, ops))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		d, err := New(Options{Equal: true})
		if err != nil {
			t.Fatal(err)
		}
		_, err = readTrace(file, func(l detect.Launch) { d.End(); d.Begin(l) }, d.Op)
		d.End()
		if err != nil && err.Error() == "" {
			t.Error("an error without words")
		}
	})
}

// TestGarbage: operations that make no sense do no harm.
func TestGarbage(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		d := newTestDetector(t)
		for range 200 {
			op := Op{
				Kind: Kind(rnd.IntN(int(kindEnd))), Block: rnd.Uint64N(testBlocks + 1), Cluster: rnd.Uint64N(2), Warp: rnd.Uint32N(testWarps + 2),
				Mask: rnd.Uint32() & rnd.Uint32(), Live: rnd.Uint32() | rnd.Uint32(), Then: rnd.Uint32(),
				Order: Order{rnd.IntN(4) == 0, rnd.IntN(4) == 0, Scope(rnd.IntN(3))}, Space: abi.Space(rnd.IntN(3)), Bytes: rnd.Uint32N(20),
				Barrier: rnd.Uint32N(2) * ClusterBarrier, Expected: rnd.Uint32N(80), Goes: rnd.IntN(2) == 0,
			}
			for i := range op.Addr {
				op.Addr[i] = -rnd.Uint64N(40) // the last bytes that there are, too
			}
			d.Op(&op)
		}
		d.End()
	}
}
