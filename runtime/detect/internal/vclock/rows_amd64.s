//go:build !purego

#include "textflag.h"

// func latestAVX2(to, a, b *[Radix]Time)
TEXT ·latestAVX2(SB), NOSPLIT, $0-24
	MOVQ    to+0(FP), DI
	MOVQ    a+8(FP), SI
	MOVQ    b+16(FP), DX
	VMOVDQU (SI), Y0
	VMOVDQU 32(SI), Y1
	VMOVDQU 64(SI), Y2
	VMOVDQU 96(SI), Y3
	VPMAXUD (DX), Y0, Y0
	VPMAXUD 32(DX), Y1, Y1
	VPMAXUD 64(DX), Y2, Y2
	VPMAXUD 96(DX), Y3, Y3
	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	VMOVDQU Y2, 64(DI)
	VMOVDQU Y3, 96(DI)
	VZEROUPPER
	RET

// Y0 and Y1 gather the bits in which the latest times differ from a and from b.
#define COMPARE(OFFSET) \
	VMOVDQU OFFSET(SI), Y2 \
	VMOVDQU OFFSET(DX), Y3 \
	VPMAXUD Y2, Y3, Y4     \
	VPXOR   Y4, Y2, Y2     \
	VPXOR   Y4, Y3, Y3     \
	VPOR    Y2, Y0, Y0     \
	VPOR    Y3, Y1, Y1

// func exceedAVX2(a, b *[Radix]Time) (byA, byB bool)
TEXT ·exceedAVX2(SB), NOSPLIT, $0-18
	MOVQ    a+0(FP), SI
	MOVQ    b+8(FP), DX
	VPXOR   Y0, Y0, Y0
	VPXOR   Y1, Y1, Y1
	COMPARE(0)
	COMPARE(32)
	COMPARE(64)
	COMPARE(96)
	VPTEST  Y1, Y1
	SETNE   byA+16(FP)
	VPTEST  Y0, Y0
	SETNE   byB+17(FP)
	VZEROUPPER
	RET
