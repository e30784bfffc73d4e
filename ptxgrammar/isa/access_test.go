package isa_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// TestAccesses checks all accesses of an instruction with their spaces, in the order
// of the operands, and which of them are Access and Copy.
func TestAccesses(t *testing.T) {
	for _, c := range []struct {
		opcode   string
		operands int
		want     string // kind, space, operand, bytes; * for Access, + for Copy, ~ for indirect
	}{
		{"ld.shared.v2.u32", 2, "*load shared @1 8"},
		{"cp.async.ca.shared.global", 3, "+store shared @0 0, *load global @1 0"},
		{"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes", 4, "+store shared @0 0, *load global @1 0, reduce shared @3 8"},
		{"cp.async.bulk.global.shared::cta.bulk_group", 3, "+store global @0 0, *load shared @1 0"},
		{"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32", 3, "+reduce global @0 0, *load shared @1 0"},
		{"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes", 3, "store shared @0 0, ~load global @1 0, reduce shared @2 8"},
		{"cp.async.bulk.tensor.2d.global.shared::cta.bulk_group", 2, "~store global @0 0, load shared @1 0"},
		{"cp.async.mbarrier.arrive.b64", 1, "*reduce generic @0 8"},
		{"cp.async.bulk.commit_group", 0, ""},
		{"st.async.mbarrier::complete_tx::bytes.u32", 3, "*store generic @0 4, reduce generic @2 8"},
		{"st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.f32", 3, "*store shared @0 16, reduce shared @2 8"},
		{"st.bulk.shared::cta", 3, "*store shared @0 0"},
		{"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.inc.u32", 3, "*reduce shared @0 4, reduce shared @2 8"},
		{"mbarrier.arrive.expect_tx.shared.b64", 3, "*atomic shared @1 8"},
		{"mbarrier.expect_tx.b64", 2, "*reduce generic @0 8"},
		{"mbarrier.test_wait.shared::cta.b64", 3, "*load shared @1 8"},
		{"mbarrier.inval.shared.b64", 1, "*store shared @0 8"},
		{"multimem.red.relaxed.sys.global.add.v4.f32", 2, "*reduce global @0 16"},
		{"multimem.ld_reduce.global.add.v2.bf16x2", 2, "*load global @1 8"},
		{"clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128", 2, "*store shared @0 16, reduce shared @1 8"},
		{"tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned", 3, "+store global @0 128, *load shared @1 128"},
		{"tex.2d.v4.f32.s32", 2, "~load tex @1 0"},
		{"sured.b.min.2d.s32.clamp", 2, "~reduce tex @0 0"},
		{"tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64", 1, "*reduce shared @0 8"},
		{"prefetch.global.L2", 1, ""},
	} {
		d, err := decode(c.opcode, c.operands)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := listAccesses(d); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.opcode, got, c.want)
		}
	}
}

func listAccesses(d *isa.Decoded) string {
	var words []string
	for _, a := range d.Accesses {
		mark := ""
		switch {
		case a.Indirect:
			mark = "~"
		case a == d.Access:
			mark = "*"
		case a == d.Copy:
			mark = "+"
		}
		words = append(words, fmt.Sprintf("%s%s %s @%d %d", mark, a.Kind, a.Space, a.Addr, a.Size))
	}
	return strings.Join(words, ", ")
}

func TestShape(t *testing.T) {
	for word, want := range map[string]isa.Shape{"m16n8k16": {M: 16, N: 8, K: 16}, "m64n256k8": {M: 64, N: 256, K: 8}, "m8n8": {M: 8, N: 8}} {
		if got, ok := isa.ParseShape(word); !ok || got != want {
			t.Errorf("%s: %+v, %v", word, got, ok)
		}
	}
	for _, word := range []string{"", "m", "m16", "m16n", "m16n8k", "n8m16", "m16n8k16x", "row", "mxn"} {
		if got, ok := isa.ParseShape(word); ok {
			t.Errorf("%q is no shape, got %+v", word, got)
		}
	}
	d, err := decode("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 4)
	if err != nil {
		t.Fatal(err)
	}
	if sh, ok := d.Shape(); !ok || sh != (isa.Shape{M: 16, N: 8, K: 8}) {
		t.Errorf("shape %+v, %v", sh, ok)
	}
	if d, err = decode("add.u32", 3); err != nil {
		t.Fatal(err)
	}
	if sh, ok := d.Shape(); ok {
		t.Errorf("add has shape %+v", sh)
	}
}
