package query

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

// TestOlder: code for a target without asynchronous copies is noted where its source may have some.
func TestOlder(t *testing.T) {
	const body = `.version 8.6
.target TARGET
.address_size 64
.shared .b32 tile[32];
.visible .entry k(.param .u64 p) {
	.reg .u64 %a; .reg .b32 %v; .reg .pred %more;
	ld.param.u64 %a, [p];
BEFORE
	ld.global.b32 %v, [%a];
	st.shared.b32 [tile], %v;
AFTER
	ret;
}
FILE`
	loop := strings.NewReplacer("BEFORE", "top:", "AFTER", "\tsetp.ne.u32 %more, %v, 0;\n\t@%more bra top;")
	straight := strings.NewReplacer("BEFORE", "", "AFTER", "")
	for _, c := range []struct {
		name, target, file string
		code               *strings.Replacer
		want               bool
	}{
		{"a loop", "sm_52", "", loop, true},
		{"a loop for a newer target", "sm_80", "", loop, false},
		{"a loop for the newest targets", "sm_100", "", loop, false},
		{"without a loop", "sm_70", "", straight, false},
		{"of a header", "sm_70", `.file 1 "/usr/include/cuda_pipeline_helpers.h"`, straight, true},
		{"of other sources", "sm_70", `.file 1 "/barrier/k.cu"`, straight, false},
	} {
		text := strings.NewReplacer("TARGET", c.target, "FILE", c.file).Replace(c.code.Replace(body))
		tree, err := ptxgrammar.Parse("k.ptx", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		m, err := rewrite.Check(tree)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		got := Older(m)
		if (got != "") != c.want || c.want && !strings.Contains(got, "k.ptx is compiled for "+c.target+": ") {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}
