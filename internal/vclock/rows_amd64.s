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

// COMPARE adds 8 lanes to BX, those in which the later time is that of a, and to CX, those in which it is that of b.
#define COMPARE(OFFSET, SHIFT) \
	VMOVDQU   OFFSET(SI), Y2 \
	VMOVDQU   OFFSET(DX), Y3 \
	VPMAXUD   Y2, Y3, Y4     \
	VPCMPEQD  Y4, Y2, Y2     \
	VPCMPEQD  Y4, Y3, Y3     \
	VMOVMSKPS Y2, AX         \
	VMOVMSKPS Y3, R8         \
	SHLQ      $SHIFT, AX     \
	SHLQ      $SHIFT, R8     \
	ORQ       AX, BX         \
	ORQ       R8, CX

// func exceedAVX2(a, b *[Radix]Time) (byA, byB uint32)
TEXT ·exceedAVX2(SB), NOSPLIT, $0-24
	MOVQ a+0(FP), SI
	MOVQ b+8(FP), DX
	XORL BX, BX
	XORL CX, CX
	COMPARE(0, 0)
	COMPARE(32, 8)
	COMPARE(64, 16)
	COMPARE(96, 24)
	NOTL BX
	NOTL CX
	MOVL CX, byA+16(FP)
	MOVL BX, byB+20(FP)
	VZEROUPPER
	RET

// func exceedRowsAVX2(a, b *[Radix]Time, n int, byA, byB *laterLanes)
TEXT ·exceedRowsAVX2(SB), NOSPLIT, $0-40
	MOVQ a+0(FP), SI
	MOVQ b+8(FP), DX
	MOVQ n+16(FP), R9
	MOVQ byA+24(FP), R10
	MOVQ byB+32(FP), R11

row:
	XORL BX, BX
	XORL CX, CX
	COMPARE(0, 0)
	COMPARE(32, 8)
	COMPARE(64, 16)
	COMPARE(96, 24)
	NOTL BX
	NOTL CX
	MOVL CX, (R10)
	MOVL BX, (R11)
	ADDQ $128, SI
	ADDQ $128, DX
	ADDQ $4, R10
	ADDQ $4, R11
	DECQ R9
	JNZ  row
	VZEROUPPER
	RET

// func raiseRowsAVX2(rows, by *[Radix]Time, n int)
TEXT ·raiseRowsAVX2(SB), NOSPLIT, $0-24
	MOVQ rows+0(FP), DI
	MOVQ by+8(FP), SI
	MOVQ n+16(FP), CX

row:
	VMOVDQU (DI), Y0
	VMOVDQU 32(DI), Y1
	VMOVDQU 64(DI), Y2
	VMOVDQU 96(DI), Y3
	VPMAXUD (SI), Y0, Y0
	VPMAXUD 32(SI), Y1, Y1
	VPMAXUD 64(SI), Y2, Y2
	VPMAXUD 96(SI), Y3, Y3
	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	VMOVDQU Y2, 64(DI)
	VMOVDQU Y3, 96(DI)
	ADDQ    $128, DI
	ADDQ    $128, SI
	DECQ    CX
	JNZ     row
	VZEROUPPER
	RET
