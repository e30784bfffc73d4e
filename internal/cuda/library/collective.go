// Collective operations of NCCL: what each rank sends and receives.

package library

import "math/bits"

// Collective is a function of NCCL that communicates (NCCL API, "Collective Communication Functions" and "Point To
// Point Communication Functions"). Send and Recv together are an operation of two ranks, of which the first one, the
// root, sends. The numbers are those of nccl_communicator.c.
type Collective uint32

// Functions.
const (
	AllReduce Collective = iota
	Reduce
	ReduceScatter
	Broadcast
	AllGather
	AllToAll
	Gather
	Scatter
	Send
	Recv
)

// role is a set of ranks: those that send, or those that receive.
type role uint8

const (
	everyone role = iota
	root
	others
)

func (r role) has(rank, rootRank int) bool { return r == everyone || (r == root) == (rank == rootRank) }

// pattern says which ranks of a function send and receive. They send and receive parts, each of as many elements as the
// call says.
type pattern struct {
	name      string
	senders   role
	receivers role
	divided   bool // a rank sends a part for each rank, not one for all
	reduces   bool // a rank receives one reduction of the parts of all senders, not the parts one after the other
}

var patterns = [...]pattern{
	AllReduce:     {"ncclAllReduce", everyone, everyone, false, true},
	Reduce:        {"ncclReduce", everyone, root, false, true},
	ReduceScatter: {"ncclReduceScatter", everyone, everyone, true, true},
	Broadcast:     {"ncclBroadcast", root, everyone, false, false},
	AllGather:     {"ncclAllGather", everyone, everyone, false, false},
	AllToAll:      {"ncclAlltoAll", everyone, everyone, true, false},
	Gather:        {"ncclGather", everyone, root, false, false},
	Scatter:       {"ncclScatter", root, everyone, true, false},
	Send:          {"ncclSend", root, others, false, false},
	Recv:          {"ncclRecv", root, others, false, false},
}

// Valid reports whether the function exists.
func (f Collective) Valid() bool { return int(f) < len(patterns) }

// Name returns the name of the function.
func (f Collective) Name() string { return patterns[f].name }

// Transfers reports whether the function is Send or Recv.
func (f Collective) Transfers() bool { return f == Send || f == Recv }

// Reduces reports whether the function has a reduction.
func (f Collective) Reduces() bool { return patterns[f].reduces }

// Rooted reports whether one of the ranks is the root.
func (f Collective) Rooted() bool {
	return patterns[f].senders != everyone || patterns[f].receivers != everyone
}

// Divided reports whether a rank sends a part for each rank.
func (f Collective) Divided() bool { return patterns[f].divided }

// Sent returns the number of parts that a rank sends.
func (f Collective) Sent(rank, rootRank, ranks int) int {
	switch p := &patterns[f]; {
	case !p.senders.has(rank, rootRank):
		return 0
	case p.divided:
		return ranks
	}
	return 1
}

// Received returns the number of parts that a rank receives.
func (f Collective) Received(rank, rootRank, ranks int) int {
	switch p := &patterns[f]; {
	case !p.receivers.has(rank, rootRank):
		return 0
	case p.senders == everyone && !p.reduces:
		return ranks
	}
	return 1
}

// PartBytes returns the size of a part, and whether the parts of so many ranks can be in memory.
func PartBytes(count uint64, t Element, ranks int) (size uint64, ok bool) {
	over, size := bits.Mul64(count, t.Size())
	all, low := bits.Mul64(size, uint64(ranks))
	return size, over|all == 0 && low < 1<<62
}
