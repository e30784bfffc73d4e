package isa

import (
	"fmt"
	"strings"
)

// commonSets are the modifier sets that mean the same wherever the manual names
// them; a row's own definition comes first.
var commonSets = sets{
	"CmpOp":                     strings.Fields("eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan"),
	"BoolOp":                    strings.Fields("and or xor"),
	"rnd":                       strings.Fields("rn rz rm rp"),
	"scope":                     strings.Fields("cta cluster gpu sys"),
	"vec":                       strings.Fields("v2 v4 v8"),
	"level::cache_hint":         {"L2::cache_hint"},
	"level::prefetch_size":      strings.Fields("L2::64B L2::128B L2::256B"),
	"level1::eviction_priority": strings.Fields("L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate"),
	"level2::eviction_priority": strings.Fields("L2::evict_normal L2::evict_first L2::evict_last"),
	"completion_mechanism":      {"mbarrier::complete_tx::bytes"},
	"cta_group":                 {"cta_group::1", "cta_group::2"},
	"collector_usage":           collectorUsages(),
	"wgmma_shape":               wgmmaShapes(),
}

// wgmmaShapes are m64nNkK for every N that is a multiple of eight, and the K of
// dense and sparse multiplications (PTX ISA 9.7.15.2).
func wgmmaShapes() []string {
	var shapes []string
	for _, k := range []int{8, 16, 32, 64, 256} {
		for n := 8; n <= 256; n += 8 {
			shapes = append(shapes, fmt.Sprintf("m64n%dk%d", n, k))
		}
	}
	return shapes
}

// collectorUsages are the modifiers of tcgen05.mma's collector buffers.
func collectorUsages() []string {
	var usages []string
	for _, buffer := range []string{"a", "b0", "b1", "b2", "b3"} {
		for _, op := range []string{"fill", "use", "lastuse", "discard"} {
			usages = append(usages, "collector::"+buffer+"::"+op)
		}
	}
	return usages
}

// expand puts the opcode into forms that several opcodes share.
func expand(name, forms string) string { return strings.ReplaceAll(forms, "OP", name) }
