package address

import (
	"fmt"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// TestSharedOverlap: the places of two arrays by hand: 64 threads store words, from byte 0 and from another one on.
func TestSharedOverlap(t *testing.T) {
	for _, c := range []struct {
		second string // offset of the second array in bytes
		words  int    // size of the variable, 0 for one that the launch decides
		from   int64
		want   bool
	}{
		{"%ntid.x", 0, 64, true},
		{"252", 0, 252, true},
		{"256", 0, 256, false},
		{"0", 0, 0, false},
		{"%laneid", 0, 0, false},
		{"64", 128, 64, false},
		{"200;\nshr.s32 %r4, %r4, 1;\nand.b32 %r4, %r4, -16;\nor.b32 %r4, %r4, 4", 0, 100, true}, // 200/2 = 100, 96, 100
		{"-1;\nshr.u32 %r4, %r4, 26", 0, 63, true},
		{"-128;\nshr.s32 %r4, %r4, 40;\nand.b32 %r4, %r4, 252", 0, 252, true}, // all bits of the sign
	} {
		size := ""
		if c.words > 0 {
			size = fmt.Sprint(c.words)
		}
		head := ".version 7.0\n.target sm_70\n.address_size 64\n"
		if size == "" {
			head += ".extern .shared .align 4 .b32 s[];\n"
		} else {
			head += ".shared .align 4 .b32 s[" + size + "];\n"
		}
		m, err := loadText("k.ptx", []byte(head+`.visible .entry k() {
.reg .b32 %r<9>;
mov.u32 %r1, %tid.x;
mov.u32 %r2, s;
mad.lo.u32 %r3, %r1, 4, %r2;
st.shared.u32 [%r3], %r1;
mov.u32 %r4, `+c.second+`;
add.u32 %r5, %r3, %r4;
st.shared.u32 [%r5], 0;
ret;
}
`))
		if err != nil {
			t.Fatal(err)
		}
		var stores []*rewrite.Inst
		for _, in := range m.Func("k").Insts {
			if in.Access.Kind == isa.AccessStore {
				stores = append(stores, in)
			}
		}
		launch := KernelLaunch{Kernel: "k", Block: [3]uint32{64, 1, 1}, Grid: [3]uint32{2, 1, 1}}
		o, ok := SharedOverlap(launch, stores[0], stores[1])
		if want := (Overlap{[2]int64{0, 256}, [2]int64{c.from, c.from + 256}}); ok != c.want || ok && o != want {
			t.Errorf("%s: %t, %v", c.second, ok, o)
		}
	}
}
