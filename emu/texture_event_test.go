package emu

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// texelLog notes the accesses of each event, those by ld and st left out, by their offset in the
// texture.
type texelLog struct {
	Follower
	log []string
}

func (l *texelLog) Accesses(b *abi.Batch) {
	for a := range b.All() {
		l.access(a)
	}
}

func (l *texelLog) access(a *abi.Access) {
	if name := l.Inst(a.Site).Instr.Name; name == "ld" || name == "st" {
		return
	}
	text := fmt.Sprintf("%s of %d", a.Access, a.Bytes)
	for i := range 32 {
		if a.Mask>>i&1 != 0 {
			text += fmt.Sprintf(", %d by %d", a.At(i)%512, i)
		}
	}
	l.log = append(l.log, text)
	if a.Space != isa.SpaceGlobal {
		l.log = append(l.log, "not global")
	}
}

// TestTexelEvents: listeners hear of the texels that fetches read, the n-th ones of all lanes at once, and of surface
// accesses, lane by lane. A texture begins at an address divisible by 512.
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
		{plane(), "tex.2d.v4.f32.s32 {%r20,%r21,%r22,%r23}, [%rd2, {%r10,%r11}];", [][]uint32{{1, 0}, {3, 1}}, []string{"read of 4, 4 by 0, 28 by 1"}},
		{border, "tex.2d.v4.f32.s32 {%r20,%r21,%r22,%r23}, [%rd2, {%r10,%r11}];", [][]uint32{{9, 0}}, nil},
		// At 2, 1 and 3, 1: between texels 1 and 2, and 2 and 3, of rows 0 and 1.
		{linear, fetch2D, [][]uint32{{0x40000000, 0x3f800000}, {0x40400000, 0x3f800000}}, []string{"read of 4, 4 by 0, 8 by 1", "read of 4, 8 by 0, 12 by 1", "read of 4, 20 by 0, 24 by 1", "read of 4, 24 by 0, 28 by 1"}},
		{words, "suld.b.1d.v2.b32.trap {%r20,%r21}, [%rd2, {%r10}];", [][]uint32{{8}}, []string{"read of 8, 8 by 0"}},
		{words, "sust.b.1d.b32.trap [%rd2, {%r10}], %r10;", [][]uint32{{8}, {12}}, []string{"write of 4, 8 by 0", "write of 4, 12 by 1"}},
		{words, "sust.b.1d.b32.zero [%rd2, {%r10}], %r10;", [][]uint32{{32}}, nil},
		{words, "sured.b.add.1d.u32.trap [%rd2, {%r10}], %r10;", [][]uint32{{4}}, []string{"atomic of 4, 4 by 0"}},
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
