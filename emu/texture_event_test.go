package emu

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// texelLog notes accesses of 4 bytes, those by ld and st left out, by their offset in the
// texture.
type texelLog struct {
	NopListener
	log []string
}

func (l *texelLog) Access(ev *AccessEvent) {
	if name := ev.Inst.Instr.Name; name == "ld" || name == "st" {
		return
	}
	for i, a := range ev.Addrs {
		if ev.Mask>>i&1 != 0 {
			l.log = append(l.log, fmt.Sprintf("%s %d of %d by %d", ev.Kind, a%512, ev.Size, i))
		}
	}
	if ev.Space != isa.SpaceGlobal {
		l.log = append(l.log, "not global")
	}
}

// TestTexelEvents: listeners hear of the texels that fetches read, and of surface
// accesses. A texture begins at an address divisible by 512.
func TestTexelEvents(t *testing.T) {
	linear := plane()
	linear.tex.Linear = true
	border := plane()
	border.tex.Address = [3]AddressMode{AddressBorder, AddressBorder}
	words := sampler{tex: Texture{Dims: 1, Width: 8, Format: isa.U32, Channels: 1}, texels: make([]byte, 32)}
	for _, c := range []struct {
		s    sampler
		body string
		in   [][]uint32
		want []string
	}{
		{plane(), "tex.2d.v4.f32.s32 {%r20,%r21,%r22,%r23}, [%rd2, {%r10,%r11}];", [][]uint32{{1, 0}, {3, 1}}, []string{"load 4 of 4 by 0", "load 28 of 4 by 1"}},
		{border, "tex.2d.v4.f32.s32 {%r20,%r21,%r22,%r23}, [%rd2, {%r10,%r11}];", [][]uint32{{9, 0}}, nil},
		{linear, fetch2D, [][]uint32{{0x40000000, 0x3f800000}}, []string{"load 4 of 4 by 0", "load 8 of 4 by 0", "load 20 of 4 by 0", "load 24 of 4 by 0"}}, // at 2, 1: between texels 1 and 2 of rows 0 and 1
		{words, "suld.b.1d.v2.b32.trap {%r20,%r21}, [%rd2, {%r10}];", [][]uint32{{8}}, []string{"load 8 of 8 by 0"}},
		{words, "sust.b.1d.b32.trap [%rd2, {%r10}], %r10;", [][]uint32{{8}, {12}}, []string{"store 8 of 4 by 0", "store 12 of 4 by 1"}},
		{words, "sust.b.1d.b32.zero [%rd2, {%r10}], %r10;", [][]uint32{{32}}, nil},
		{words, "sured.b.add.1d.u32.trap [%rd2, {%r10}], %r10;", [][]uint32{{4}}, []string{"reduce 4 of 4 by 0"}},
	} {
		l := &texelLog{}
		c.s.listener = l
		if _, fault, _ := c.s.run(t, c.body, c.in); fault != nil {
			t.Errorf("%s: %v", c.body, fault)
		}
		if !reflect.DeepEqual(l.log, c.want) {
			t.Errorf("%s: %q, want %q", c.body, l.log, c.want)
		}
	}
}
