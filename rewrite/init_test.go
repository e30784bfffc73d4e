package rewrite

import (
	"encoding/hex"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar"
)

func TestInit(t *testing.T) {
	tests := []struct{ decl, data, relocs string }{
		{".global .u32 v;", "", ""},
		{".global .u32 v = 7;", "07000000", ""},
		{".global .s16 v[3] = {-1, 2};", "ffff02000000", ""},
		{".global .b8 v[2][3] = {{1, 2, 3}, {4}};", "010203040000", ""},
		{".global .b8 v[] = {0xff, 0b11, 017};", "ff030f", ""},
		{".global .v2 .u16 v[2] = {{1, 2}, {3, 4}};", "0100020003000400", ""},
		{".global .v2 .u16 v = {1, 2};", "01000200", ""},
		{".global .f32 v[4] = {1.5, 0f3FC00000, -2, -0f00000000};", "0000c03f" + "0000c03f" + "000000c0" + "00000080", ""},
		{".global .f64 v[3] = {1.5, 0f3FC00000, 0d7FF0000000000000};", "000000000000f83f" + "000000000000f83f" + "000000000000f07f", ""},
		{".global .b32 v = 0f3FC00000;", "0000c03f", ""},
		{".global .u32 v = WARP_SZ;", "20000000", ""},
		{".global .u32 v = 5 > 3 ? 10 / 3 : 0;", "03000000", ""},
		{".global .u32 v[1] = {x};", "00000000", "0:4 x+0"},
		{".global .u64 v[3] = {x, x+8, x-4};", strings.Repeat("00", 24), "0:8 x+0, 8:8 x+8, 16:8 x-4"},
		{".global .u64 v[2] = {generic(x)+8, generic(x+4)};", strings.Repeat("00", 16), "0:8 generic x+8, 8:8 generic x+4"},
		{".global .u8 v[2] = {0xff(x), 0xff00(x+1)};", "0000", "0:1 x+0 mask ff, 1:1 x+1 mask ff00"},
		{".global .u64 v = f;", "0000000000000000", "0:8 f+0"},
		{".global .u64 v[2] = {1, x};", "01000000000000000000000000000000", "8:8 x+0"},
	}
	for _, tt := range tests {
		m := load(t, "k.ptx", header+".global .b8 x[64];\n.func f() { ret; }\n"+tt.decl+"\n")
		data, relocs, err := m.symbols["v"].(*Var).Init(m)
		if err != nil {
			t.Errorf("%s: %v", tt.decl, err)
			continue
		}
		var rs []string
		for _, r := range relocs {
			s := fmt.Sprintf("%d:%d ", r.Offset, r.Size)
			if r.Generic {
				s += "generic "
			}
			s += fmt.Sprintf("%s%+d", r.Sym.SymbolName(), r.Addend)
			if r.Mask != math.MaxUint64 {
				s += fmt.Sprintf(" mask %x", r.Mask)
			}
			rs = append(rs, s)
		}
		if got := hex.EncodeToString(data); got != tt.data || strings.Join(rs, ", ") != tt.relocs {
			t.Errorf("%s: got %s and %q, want %s and %q", tt.decl, got, rs, tt.data, tt.relocs)
		}
	}
}

func TestInitErrors(t *testing.T) {
	tests := []struct{ decl, want string }{
		{".global .u32 v[2] = {1, 2, 3};", `k.ptx:4:28: "v" has 2 elements, the initialiser 3`},
		{".global .u32 v = {1};", `k.ptx:4:18: too many braces in the initialiser of "v"`},
		{".global .u32 v[2] = 1;", `k.ptx:4:21: expected braces in the initialiser of array "v", got "1"`},
		{".global .u32 v = nothing;", `k.ptx:4:18: undefined name "nothing" in the initialiser of "v"`},
		{".global .u32 v = 1.5;", `k.ptx:4:18: a floating-point constant cannot initialise a .u32 variable`},
		{".global .u16 v = 1.5;", `k.ptx:4:18: a floating-point constant cannot initialise a .u16 variable`},
		{".global .u32 v = 2 * nothing;", `k.ptx:4:18: "2 * nothing" is neither a constant nor an address`},
		{".global .u32 v = strange(v);", `k.ptx:4:18: "strange(v)" is neither a constant nor an address`},
	}
	for _, tt := range tests {
		ast, err := ptxgrammar.Parse("k.ptx", []byte(header+tt.decl+"\n"))
		if err != nil {
			t.Errorf("%s: %v", tt.decl, err)
			continue
		}
		m, err := Load(ast)
		if err == nil {
			_, _, err = m.symbols["v"].(*Var).Init(m)
		}
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.decl, got, tt.want)
		}
	}
}
