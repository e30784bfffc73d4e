// Runs for one lane, which access memory and branch.

package main

import (
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Where one thread works for its warp or block, what a check costs is mostly the jumps from handler to handler, and
// values that one handler stores and the next one loads. A lone run has a handler for one lane only; for more lanes,
// its operations are executed as without it. It may access memory, and branch before its end. Therefore the program may
// be left in the middle of it: there, all results that later operations read must have been stored, so keeps has those
// that are read after the next access or branch.

// loneRuns are the lone runs. They are the usual paths through the hooks of iguard. A hook finds out whether the access
// must be checked, and which lane checks it. That lane locks the metadata entry, makes the tests that most accesses
// pass, and writes the entry back. Of runs with the same beginning the longest comes first.
var loneRuns = []run{
	{"LoneBegin", "Mov32 high>holds; " + loneUses, "holds,m,a,b,c,d"},
	{"LoneHeld", "Load32 t>v; SetGtS32Branch v,z>p", "v"},
	{"LoneHoldsLead", "Stop >; Or32 v,holds>all; " + loneLead + "; " + loneTake + "; " + loneTest, "all," + loneKeeps},
	{"LoneHoldsCheck", "Stop >; Or32 v,holds>all; " + loneTake + "; " + loneTest, "all," + loneKeeps},
	{"LoneHoldsLeadTake", "Stop >; Or32 v,holds>all; " + loneLead + "; " + loneTake, "all," + loneKeeps},
	{"LoneLead", loneLead + "; " + loneTake + "; " + loneTest, loneKeeps},
	{"LoneLeadTake", loneLead + "; " + loneTake, loneKeeps},
	{"LoneCheck", loneTake + "; " + loneTest, loneKeeps},
	{"LoneStored", "Stop >; Pack64 now,holds>sync; " + loneWrite, "sync,id,side"},
	{"LoneUpdated", "Stop >; AndOr32 info,kind,now>st; Pack64 st,holds>sync; " + loneWrite, "sync,id,side"},
	{"LoneLoaded", "Stop >; AndOr32 was,kind,now>st; Pack64 st,holds>sync; Store64 place,sync>; OrOr32 site,f,valid>i; Pack64 block,i>id; Store64 place,id>" + loneEnd, "sync,id"},
}

// Parts of lone runs. loneUses finds out what the launch has used so far, loneLead which lane checks. loneTake locks a
// metadata entry, and tests whether another thread holds the lock and whether the entry is valid. loneTest tests
// whether the access needs no further comparison. loneWrite writes the entry of a store, and loneEnd tests again
// whether another thread holds the lock.
const (
	loneUses  = "ActiveMask >m; LoadUniformV4x32 >a,b,c,d; SetEq32Branch d,z>p; SetEq32Branch d,one>q"
	loneLead  = "MatchAny64 x,m>s; AndSetNe32 s,lt,z>t,p; Branch p>"
	loneWrite = "Or32 site,valid>i; Pack64 block,i>id; MadWideU32 last,w,place>side; Store64 side,id>; Store64 side,sync>; Store64 place,sync>; Store64 place,id>" + loneEnd
	loneEnd   = "; Stop >; SetGtS32Branch hh,z>p"
	loneTake  = "Unpack64 x>lo,hi; ShrU32 lo,sh>a; Mad32 hi,slot,a>b; And32 b,k>c; AndAdd32 c,n,c>d,e; MadWideU32 e,w,base>place; " +
		"AtomExch64 place,busy>head; Unpack64 head>hl,hh; SetGtS32Branch z1,hh>p1; " +
		"Load64 place>sync; And32 hh,fm>f; Unpack64 sync>sl,shh; SetEq32Branch f,z2>q1"
	loneTest  = "XorAnd32 sl,now,k2>x1; XorOr32 hl,block,x1>x2; AndOr32 f,g,x2>x3; SetEq32Branch x3,z3>r"
	loneKeeps = "place,head,hl,hh,sync,f,sl,shh"
)

// emitLone emits the handler of a lone run.
func (r *run) emitLone() {
	findLane()
	e := &runEmitter{run: r, all: r.steps(), in: map[string][]VecPhysical{}}
	e.free = append(e.free, X0, X1, X2, X3, X4, X5, X6, X7, X8, X9, X10, X11, X12, X13)
	for i := range e.all {
		e.step(i)
	}
	ADDQ(U32(len(e.all)*inSz), R9)
	dispatch(current.field)
}

// putLone stores a predicate, which v has in all bits.
func putLone(v VecPhysical, mem Mem) {
	MOVL(mem, EDX)
	VMOVD(v, EAX)
	putPred()
}

// jumpLone executes the jump of operation i if the predicate in v, or its negation, holds.
func jumpLone(i int, v VecPhysical) {
	on := label("on")
	VMOVD(v, EAX)
	XORL(of(i, inC), EAX)
	TESTL(R11L, EAX)
	JEQ(LabelRef(on))
	skipTo(i)
	taken()
	Label(on)
}

// skipTo sets R9 to operation i.
func skipTo(i int) {
	if i > 0 {
		ADDQ(U32(i*inSz), R9)
	}
}

// pay is decrement for operation i.
func pay(i int) {
	paid := label("paid")
	MOVL(of(i, inCount), EAX)
	SUBQ(Imm(1), Mem{Base: RDI, Index: RAX, Scale: 1})
	JGE(LabelRef(paid))
	ADDQ(Imm(1), Mem{Base: RDI, Index: RAX, Scale: 1})
	skipTo(i)
	leave(exitCount)
	Label(paid)
}

// accesses reports whether an operation accesses memory, looks at other lanes or waits for them.
func accesses(op string) bool {
	return strings.HasPrefix(op, "Load") || strings.HasPrefix(op, "Store") || strings.HasPrefix(op, "Atom") ||
		op == "ActiveMask" || op == "MatchAny64" || op == "Stop"
}

// access emits such an operation, number i, with the sources a and the results d.
func (e *runEmitter) access(i int, a [3]VecPhysical, d []VecPhysical) {
	switch op := e.all[i].op; op {
	case "Stop":
		on := label("on")
		if i == 0 {
			stopUnless(on)
		} else {
			MOVL(of(i, inPC), EAX)
			CMPL(EAX, ctx(ctxStop))
			JNE(LabelRef(on))
			skipTo(i)
			dispatch(inOne) // the handler of Stop, or of a lone run that begins with it
		}
		Label(on)
	case "ActiveMask":
		pay(i)
		VMOVD(R11L, d[0])
	case "MatchAny64":
		together := label("together")
		VMOVD(a[1], EAX)
		CMPL(EAX, R11L)
		JEQ(LabelRef(together))
		skipTo(i)
		leave(exitSlow)
		Label(together)
		pay(i)
		VMOVD(R11L, d[0])
	case "LoadUniformV4x32":
		loneAddress(i, 16, nil)
		for k := range d {
			VMOVD(Mem{Base: RAX, Disp: 4 * k}, d[k])
		}
	case "Load32":
		loneAddress(i, 4, a[0])
		VMOVD(Mem{Base: RAX}, d[0])
	case "Load64":
		loneAddress(i, 8, a[0])
		VMOVQ(Mem{Base: RAX}, d[0])
	case "Store64":
		loneAddress(i, 8, a[0])
		VMOVQ(a[1], RDX)
		loneStore(i)
	case "AtomExch64":
		loneAddress(i, 8, a[0])
		VMOVQ(Mem{Base: RAX}, d[0])
		VMOVQ(a[1], RDX)
		loneStore(i)
	default:
		panic("BUG: no code for " + op + " in lone runs")
	}
}

// loneAddress sets RAX to the host's address of what operation i accesses, at the address in v, or at Imm. The
// operation is counted; if it accesses other memory than its site, Go executes it.
func loneAddress(i, size int, v Op) {
	on, slow := label("on"), label("slow")
	pay(i)
	MOVL(of(i, inSite), ECX)
	ADDQ(RSI, RCX)
	if v == nil {
		MOVQ(of(i, inImm), RAX)
	} else {
		VMOVQ(v, RAX)
		ADDQ(of(i, inImm), RAX)
	}
	SUBQ(Mem{Base: RCX, Disp: siteBase}, RAX)
	CMPQ(RAX, Mem{Base: RCX, Disp: siteLimit})
	JCC(LabelRef(slow))
	TESTB(U8(size-1), AL)
	JEQ(LabelRef(on))
	Label(slow)
	skipTo(i)
	MOVL(R11L, ctx(ctxRest))
	leave(exitRest)
	Label(on)
	ADDQ(Mem{Base: RCX, Disp: sitePtr}, RAX)
}

// loneStore stores RDX at RAX, and counts that if it changes memory.
func loneStore(i int) {
	same := label("unchanged")
	CMPQ(RDX, Mem{Base: RAX})
	JEQ(LabelRef(same))
	MOVQ(RDX, Mem{Base: RAX})
	MOVL(of(i, inTarget), EDX)
	INCQ(Mem{Base: RDI, Index: RDX, Scale: 1})
	Label(same)
}
