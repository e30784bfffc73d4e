// Batches of accesses before a listener receives them, and cached descriptions of instructions.

package state

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// The assembly notes accesses and fences, and continues. When it returns, the engine emits them as one batch, before
// any other event.

// NotedAccesses are consecutive accesses and fences of a warp that the assembly has noted.
type NotedAccesses struct {
	X       *Engine
	Sites   []*NotedSite // by pc
	Notes   unsafe.Pointer
	At, End uint32       // byte offsets in notes
	Left    abi.Access   // rest of an access to several spaces; Mask is empty when there is none
	Of      *NotedSite   // Of that access
	Spread  []vector.Row // addresses of such accesses
	Batch   abi.Batch    // what has been read and not been emitted
}

// NotedSite is the static part of the accesses, or of the fences, of one instruction.
type NotedSite struct {
	Inst    *rewrite.Inst
	Ac      *Access // nil for a fence
	Space   isa.Space
	Plain   bool   // its values are not noted
	Writes  uint32 // all lanes if its accesses write, else none
	At      int    // for abi.Loops.Add
	Fact    *Facts
	Classes [isa.Spaces]*abi.AccessClass
}

// Repeats implements abi.Repeats. It skips accesses that repeat the latest period accesses, each at addresses as far
// from the repeated ones as those are from the ones before them, and returns their number. The latest two periods must
// have come from next with a note.
func (b *NotedAccesses) Repeats(period int) int {
	back := period * int(vector.NoteBytes)
	at := b.At
	for ; at != b.End; at += vector.NoteBytes {
		p := unsafe.Add(b.Notes, uintptr(at))
		t, u := (*vector.Note)(p), (*vector.Note)(unsafe.Add(p, -back))
		if t.PC != u.PC || t.Mask != u.Mask || !t.Even || t.Step != u.Step ||
			t.Base-u.Base != u.Base-(*vector.Note)(unsafe.Add(p, -2*back)).Base {
			break
		}
		if (t.Base^u.Base|(t.Base+31*t.Step)^u.Base)>>gmem.SlotBits != 0 { // generic addresses may be in another space
			break
		}
	}
	n := int((at - b.At) / vector.NoteBytes)
	b.At = at
	return n
}

// Emitter is the part of the engine that notifies a listener. The event and the batch are reused, so that emitting one
// does not allocate.
type Emitter struct {
	Listener abi.Receiver // nil when there is no listener
	Batches  abi.Receiver // receives the accesses that the assembly notes: not the recorder of a round
	Interest Interest     // of the listener
	Loops    bool         // the listener takes batches with loops
	All      bool         // the listener receives all accesses and barrier events, regardless of its interest

	Step Step
	Ev   abi.Event
	In   *rewrite.Inst // that of the event
	Made abi.Batch     // a batch of accesses that the assembly has not noted
	List [1]abi.Access // of a batch of one
	Each []abi.Access  // of a batch with an access for each run

	Described *rewrite.Func // function of the last event
	Facts     []Facts       // of its instructions

	Addrs, Aged [WarpSize]uint64
	Values      Values
	Op          uint64            // number of the last asynchronous operation
	Pipe        abi.Pipe          // of that operation, if it is of tcgen05
	Ages        *[WarpSize]uint64 // abi.Access.Ages of the next event, nil or &aged
	Repeated    bool              // abi.Access.Again of the next event
	Phases      uint32            // abi.Event.Phases of the current operation on an mbarrier
}

// Values holds the values of an access by lane. Of stores of more than eight bytes, New has a fingerprint of the bytes.
type Values struct {
	New  [32]uint64
	Old  [32]uint64 // Values that read-modify-write operations found in memory
	Done uint32     // lanes that have stored a value; a lane whose compare-and-swap fails stores none
}

// Facts are the fields of an instruction's events that are known before it is executed.
type Facts struct {
	Site     uint32
	Atomic   abi.AtomicOp
	Sem      abi.Semantics
	Scope    abi.Scope
	Proxy    abi.Proxy
	Mode     abi.BarrierMode
	Fence    abi.EventKind // of a fence
	Scalar   uint32
	Reduces  bool                         // an asynchronous reduction in bulk, which only reads what it reduces by
	Endpoint bool                         // it accesses a logical endpoint
	Silent   bool                         // the listener does not need its accesses
	Accessed bool                         // it has made an access
	Classes  [isa.Spaces]*abi.AccessClass // Classes of its last accesses, by space
	// TensorMap is the class of reads of tensor maps by a tensor copy, nil for none.
	TensorMap *abi.AccessClass
}

// eventFacts holds the facts of a machine's instructions.
type eventFacts struct {
	Known   map[*rewrite.Func][]Facts
	Classes map[abi.AccessClass]*abi.AccessClass // all classes so far
	Loops   abi.Loops                            // of the latest batch
}
