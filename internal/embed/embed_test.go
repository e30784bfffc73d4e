package embed

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/fatbin"
)

// module is PTX for a target with kernels of these names.
func module(target string, kernels ...string) string {
	s := ".version 7.0\n.target " + target + "\n.address_size 64\n"
	for _, k := range kernels {
		s += ".visible .entry " + k + "()\n{\n\tret;\n}\n"
	}
	return s
}

// entries are the PTX entries of a fat binary of the texts, all of sm_70 (docs/binaries.md has
// the layout).
func entries(t *testing.T, texts ...string) []fatbin.PTXEntry {
	t.Helper()
	var body []byte
	for _, text := range texts {
		data := append([]byte(text), 0)
		for len(data)%8 != 0 {
			data = append(data, 0)
		}
		head := make([]byte, 64)
		binary.LittleEndian.PutUint16(head, 1) // PTX
		binary.LittleEndian.PutUint16(head[2:], 0x101)
		binary.LittleEndian.PutUint32(head[4:], 64)
		binary.LittleEndian.PutUint64(head[8:], uint64(len(data)))
		binary.LittleEndian.PutUint16(head[26:], 7)
		binary.LittleEndian.PutUint32(head[28:], 70)
		binary.LittleEndian.PutUint64(head[40:], 0x11)
		body = append(append(body, head...), data...)
	}
	file := binary.LittleEndian.AppendUint32(nil, 0xba55ed50)
	file = binary.LittleEndian.AppendUint16(file, 1)
	file = binary.LittleEndian.AppendUint16(file, 16)
	file = binary.LittleEndian.AppendUint64(file, uint64(len(body)))
	f, err := fatbin.Open("app", append(file, body...))
	if err != nil {
		t.Fatal(err)
	}
	return f.PTX()
}

func TestReplacement(t *testing.T) {
	list := entries(t, module("sm_70", "a"), module("sm_70", "b", "c"), "not PTX", module("sm_70", "a", "b"), module("sm_70", "a", "b"))
	places, err := NewPlaces("app", list, false, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		src  string
		want int    // index of the entry, -1 for an error
		err  string // part of the message
	}{
		{module("sm_70", "a"), 0, ""},
		{module("sm_70", "c", "b"), 1, ""},
		{module("sm_70"), -1, "no PTX of app has its target sm_70 and its kernels (none)"},
		{module("sm_80", "a"), -1, "no PTX of app has its target sm_80 and its kernels (a)"},
		{module("sm_70", "b", "a"), -1, "its kernels and its target are those of module 0 sm_70, module 0 sm_70"},
		{".version 7.0\n.target debug\n", -1, "k.ptx: no target sm_NN"},
		{"ld.global", -1, "k.ptx:1:1"},
	} {
		r, err := places.Replacement("k.ptx", []byte(c.src))
		switch {
		case c.want < 0:
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%.40q: error %v, expected %q", c.src, err, c.err)
			}
		case err != nil || r.Entry != c.want || r.Major != 7 || r.Minor != 0 || string(r.PTX) != c.src:
			t.Errorf("%.40q: %+v, %v; expected entry %d", c.src, r, err, c.want)
		}
	}
}

// A chosen entry takes any file; a text beyond the limit is refused.
func TestChosen(t *testing.T) {
	list := entries(t, module("sm_70", "a"))
	places, err := NewPlaces("app", list, true, 1)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := places.Replacement("k.ptx", []byte(module("sm_90a", "other"))); err != nil || r.Arch != 90 || r.Entry != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	want := fmt.Sprintf("module 0 sm_70 has %d bytes of PTX, more than the limit of 10", len(module("sm_70", "a")))
	if _, err := NewPlaces("app", list, false, 10); err == nil || err.Error() != want {
		t.Errorf("%v, expected %s", err, want)
	}
}
