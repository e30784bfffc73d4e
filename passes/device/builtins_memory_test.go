// The builtins for memory: vector types, cache operators, address spaces, atomics, the heap.

package device_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"
)

func memory(t *testing.T, m *kernels) {
	for _, v := range vectorTypes {
		t.Run("vectors_"+v.name, func(t *testing.T) { v.check(t, m) })
	}
	for name, size := range copied {
		t.Run("copies_"+name, func(t *testing.T) { checkCopies(t, m, name, size) })
	}
	atomics(t, m)
	t.Run("spaces", func(t *testing.T) { checkSpaces(t, m) })
	t.Run("heap", func(t *testing.T) {
		for i, got := range m.column(t, "heap", 1, 3, []int32{0x305, 77, 0}) {
			if want := []uint64{0x05050505, 0x05050505, 77}[i]; got[0] != want {
				t.Errorf("result %d is %#x, want %#x", i, got[0], want)
			}
		}
	})
}

// vectorType is a name of vector types, with the size of an element and the alignments of the four types (CUDA C++
// Programming Guide, "Built-in Vector Types").
type vectorType struct {
	name  string
	size  uint64
	align [4]uint64
}

var vectorTypes = []vectorType{
	{"char", 1, [4]uint64{1, 2, 1, 4}},
	{"uchar", 1, [4]uint64{1, 2, 1, 4}},
	{"short", 2, [4]uint64{2, 4, 2, 8}},
	{"ushort", 2, [4]uint64{2, 4, 2, 8}},
	{"int", 4, [4]uint64{4, 8, 4, 16}},
	{"uint", 4, [4]uint64{4, 8, 4, 16}},
	{"long", 8, [4]uint64{8, 16, 8, 16}},
	{"ulong", 8, [4]uint64{8, 16, 8, 16}},
	{"longlong", 8, [4]uint64{8, 16, 8, 16}},
	{"ulonglong", 8, [4]uint64{8, 16, 8, 16}},
	{"float", 4, [4]uint64{4, 8, 4, 16}},
	{"double", 8, [4]uint64{8, 16, 8, 16}},
}

func (v vectorType) check(t *testing.T, m *kernels) {
	var want []uint64
	for i, align := range v.align {
		want = append(want, v.size*uint64(i+1), align)
	}
	want = append(want, 1, 1, 2, 1, 2, 3, 1, 2, 3, 4)
	var got []uint64
	for _, row := range m.column(t, "vectors_"+v.name, 1, len(want), []int32{1, 2, 3}) {
		got = append(got, row[0])
	}
	if !slices.Equal(got, want) {
		t.Errorf("sizes, alignments and members are %v, want %v", got, want)
	}
}

// copied are the types of loads and stores with cache operators, with their sizes.
var copied = map[string]int{
	"char": 1, "schar": 1, "uchar": 1, "short": 2, "ushort": 2, "int": 4, "uint": 4, "long": 8, "ulong": 8, "longlong": 8, "ulonglong": 8, "float": 4, "double": 8,
	"char2": 2, "uchar2": 2, "short2": 4, "ushort2": 4, "int2": 8, "uint2": 8, "longlong2": 16, "ulonglong2": 16, "float2": 8, "double2": 16,
	"char4": 4, "uchar4": 4, "short4": 8, "ushort4": 8, "int4": 16, "uint4": 16, "float4": 16,
}

func checkCopies(t *testing.T, m *kernels, name string, size int) {
	const copies = 10
	for _, first := range []byte{0x11, 0x91} { // with and without a sign
		in := make([]byte, size)
		for i := range in {
			in[i] = first + byte(3*i)
		}
		after, err := m.launch(t, "copies_"+name, 1, in, make([]byte, copies*size))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(after[1], bytes.Repeat(in, copies)) {
			t.Errorf("copies of % x are % x", in, after[1])
		}
	}
}

// atomicOperations are what atomic operations leave of an old value, by name, with operands v and c.
func atomicOperations[T int32 | uint32 | int64 | uint64 | uint16]() map[string]func(old, v, c T) T {
	return map[string]func(old, v, c T) T{
		"Add":  func(old, v, _ T) T { return old + v },
		"Sub":  func(old, v, _ T) T { return old - v },
		"Exch": func(_, v, _ T) T { return v },
		"Min":  func(old, v, _ T) T { return min(old, v) },
		"Max":  func(old, v, _ T) T { return max(old, v) },
		"And":  func(old, v, _ T) T { return old & v },
		"Or":   func(old, v, _ T) T { return old | v },
		"Xor":  func(old, v, _ T) T { return old ^ v },
		"CAS": func(old, v, c T) T {
			if old == c {
				return v
			}
			return old
		},
		"Inc": func(old, v, _ T) T {
			if old >= v {
				return 0
			}
			return old + 1
		},
		"Dec": func(old, v, _ T) T {
			if old == 0 || old > v {
				return v
			}
			return old - 1
		},
	}
}

func atomics(t *testing.T, m *kernels) {
	scopes := []string{"", "_block", "_system"}
	checkAtomics(t, m, "int", scopes, []int32{5, -3, 5, math.MinInt32, -1, 7, 9, 9, 8}, atomicOperations[int32]())
	checkAtomics(t, m, "unsigned", scopes, []uint32{5, 7, 5, 0, 9, 1, math.MaxUint32, 2, 3, 7, 7, 7}, atomicOperations[uint32]())
	checkAtomics(t, m, "ull", scopes, []uint64{5, 1 << 40, 5, math.MaxUint64, 2, 3, 0xff00ff00ff, 0xffff0000, 0}, atomicOperations[uint64]())
	checkAtomics(t, m, "longlong", scopes, []int64{5, -1 << 40, 5, math.MinInt64, -1, 7}, atomicOperations[int64]())
	checkAtomics(t, m, "ushort", scopes[:1], []uint16{5, 70, 5, 6, 70, 5, 0xffff, 1, 0xffff}, atomicOperations[uint16]())
	checkAtomics(t, m, "float", scopes, []float32{5, 0.25, 0, 1 << 24, 1, 0}, map[string]func(old, v, _ float32) float32{
		"Add":  func(old, v, _ float32) float32 { return old + v },
		"Exch": func(_, v, _ float32) float32 { return v },
	})
	checkAtomics(t, m, "double", scopes, []float64{5, 1e-9, 0, 1 << 53, 1, 0}, map[string]func(old, v, _ float64) float64{
		"Add": func(old, v, _ float64) float64 { return old + v },
	})
}

// checkAtomics runs the atomic operations on a type in some scopes: each gives the old value, and leaves the new one.
func checkAtomics[T any](t *testing.T, m *kernels, name string, scopes []string, in []T, operations map[string]func(old, v, c T) T) {
	for _, scope := range scopes {
		t.Run("atomic_"+name+scope, func(t *testing.T) {
			list := m.expressions(t, "ATOMICS("+name+", "+scope+",", "ATOMIC")
			n := len(in) / 3
			results := m.column(t, "atomic_"+name+scope, n, 2*len(list), in, make([]T, n))
			for row, expression := range list {
				call, _, _ := strings.Cut(strings.TrimPrefix(expression, "atomic"), "(")
				f := operations[strings.TrimSuffix(call, scope)]
				for i := range n {
					old, v, c := in[3*i], in[3*i+1], in[3*i+2]
					if got, want := results[2*row][i], word(t, old); got != want {
						t.Errorf("%s for %v, %v, %v gives %#x, want %#x", expression, old, v, c, got, want)
					}
					if got, want := results[2*row+1][i], word(t, f(old, v, c)); got != want {
						t.Errorf("%s for %v, %v, %v leaves %#x, want %#x", expression, old, v, c, got, want)
					}
				}
			}
		})
	}
}

// word is the bits of a value.
func word(t *testing.T, v any) uint64 {
	t.Helper()
	return binary.LittleEndian.Uint64(append(encoded(t, v), make([]byte, 8)...))
}

func checkSpaces(t *testing.T, m *kernels) {
	const second = 4321
	list := m.expressions(t, "KERNEL(spaces,", "PUT")
	in := map[string]string{"in": "Global", "tile": "Shared", "far": "Local", "fixed": "Constant"}
	for row, got := range m.column(t, "spaces", 1, len(list), []int32{1, second, 0}) {
		want := uint64(1) // conversions there and back
		if query, found := strings.CutPrefix(list[row], "__is"); found {
			space, pointer, _ := strings.Cut(strings.TrimSuffix(query, ")"), "(")
			if in[pointer] != space {
				want = 0
			}
		} else if list[row] == "second" {
			want = second
		}
		if got[0] != want {
			t.Errorf("%s is %d, want %d", list[row], got[0], want)
		}
	}
}
