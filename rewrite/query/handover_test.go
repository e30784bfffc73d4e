package query

import "testing"

// TestHandsOver: shuffles of what an atomic operation in the reserved shared memory returns, as in the barriers of
// cooperative groups.
func TestHandsOver(t *testing.T) {
	const head = `.reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %d<9>; .shared .b32 word;
	mov.u32 %r1, %reserved_smem_offset_1; cvt.u64.u32 %d1, %r1; cvta.shared.u64 %d1, %d1; add.s64 %d2, %d1, 4;
	mov.u32 %r2, %tid.x; setp.ne.u32 %p1, %r2, 0; mov.u32 %r3, 0;
	`
	const shuffle = "shfl.sync.idx.b32 %r4, %r3, 0, 31, -1;"
	for body, want := range map[string]bool{
		"@%p1 bra L; atom.or.acq_rel.cta.b32 %r3, [%d2], 1; L: " + shuffle:                                   true,
		"atom.or.acq_rel.cta.b32 %r3, [%d1+8], 1; " + shuffle:                                                true,
		"atom.shared.or.acq_rel.cta.b32 %r3, [%r1], 1; " + shuffle:                                           true,
		"atom.or.relaxed.cta.b32 %r3, [%d2], 1; " + shuffle:                                                  false,
		"atom.shared.or.acq_rel.cta.b32 %r3, [word], 1; " + shuffle:                                          false,
		"mov.u32 %r5, word; @%p1 mov.u32 %r5, %r1; atom.shared.or.acq_rel.cta.b32 %r3, [%r5], 1; " + shuffle: false,
		"atom.or.acq_rel.cta.b32 %r5, [%d2], 1; " + shuffle:                                                  false,
		shuffle: false,
	} {
		f := kernel(t, head+body+" st.shared.u32 [word], %r4; ret;")
		got := false
		for _, in := range f.Insts {
			got = got || HandsOver(in)
		}
		if got != want {
			t.Errorf("%s: %t, expected %t", body, got, want)
		}
	}
}
