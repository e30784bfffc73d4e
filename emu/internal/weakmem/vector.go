// Vectors: numbers by key, immutable, in parts that vectors share.

package weakmem

import "sort"

// partSize is the number of successive keys of a part.
const partSize = 32

// vector has a number for each key, zero for those without a part. Its parts are in the order of their keys. Neither a
// vector nor a part is changed once it is made, so that copies share them, and parts that are the same object need no
// comparison.
type vector []part

type part struct {
	key    uint64 // of the first number, divided by partSize
	values *[partSize]uint32
}

// find returns the index of the part with a key, or that of the first part after it.
func (v vector) find(key uint64) (i int, ok bool) {
	if key < uint64(len(v)) && v[key].key == key {
		return int(key), true
	}
	i = sort.Search(len(v), func(i int) bool { return v[i].key >= key })
	return i, i < len(v) && v[i].key == key
}

// at returns the number of a key.
func (v vector) at(key uint64) uint32 {
	if i, ok := v.find(key / partSize); ok {
		return v[i].values[key%partSize]
	}
	return 0
}

// raise returns a vector in which a key has at least a value.
func (v vector) raise(key uint64, value uint32) vector {
	i, ok := v.find(key / partSize)
	if ok && v[i].values[key%partSize] >= value || value == 0 {
		return v
	}
	values := new([partSize]uint32)
	out := make(vector, 0, len(v)+1)
	out = append(out, v[:i]...)
	out = append(out, part{key / partSize, values})
	if ok {
		*values = *v[i].values
		i++
	}
	values[key%partSize] = value
	return append(out, v[i:]...)
}

// same reports whether two vectors are one object.
func (v vector) same(w vector) bool {
	return len(v) == len(w) && (len(v) == 0 || &v[0] == &w[0])
}

// covers reports whether no number of w is greater than that of v.
func (v vector) covers(w vector) bool {
	if v.same(w) {
		return true
	}
	i := 0
	for _, p := range w {
		for i < len(v) && v[i].key < p.key {
			i++
		}
		if i == len(v) || v[i].key != p.key || !coversPart(v[i].values, p.values) {
			return false
		}
	}
	return true
}

func coversPart(a, b *[partSize]uint32) bool {
	if a == b {
		return true
	}
	for i := range a {
		if a[i] < b[i] {
			return false
		}
	}
	return true
}

// join returns the greater number of each key: v or w itself if that has them all.
func (v vector) join(w vector) vector {
	switch {
	case v.covers(w):
		return v
	case w.covers(v):
		return w
	}
	out := make(vector, 0, max(len(v), len(w)))
	for len(v) > 0 && len(w) > 0 {
		switch {
		case v[0].key < w[0].key:
			out, v = append(out, v[0]), v[1:]
		case v[0].key > w[0].key:
			out, w = append(out, w[0]), w[1:]
		default:
			out = append(out, part{v[0].key, joinPart(v[0].values, w[0].values)})
			v, w = v[1:], w[1:]
		}
	}
	return append(append(out, v...), w...)
}

func joinPart(a, b *[partSize]uint32) *[partSize]uint32 {
	switch {
	case coversPart(a, b):
		return a
	case coversPart(b, a):
		return b
	}
	out := *a
	for i := range out {
		out[i] = max(out[i], b[i])
	}
	return &out
}
