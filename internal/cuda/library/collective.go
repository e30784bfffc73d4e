// NCCL of one rank: each collective operation is a copy.

package library

// collective copies what a rank sends to what it receives, of so many bytes. In place, the operation reads and writes
// its memory all the same.
func collective(c *call) {
	from, to, size := c.word(), c.word(), c.word()
	if c.err = c.memory.Holds(from, size); c.err == nil {
		c.err = c.memory.Holds(to, size)
	}
	b := []byte(nil)
	if c.err == nil {
		b = make([]byte, size)
		c.err = c.memory.Read(from, b)
	}
	if !c.failed() {
		c.err = c.memory.Write(to, b)
	}
}

// collectives are the operations of NCCL.
func collectives() []row {
	return []row{{
		".nccl{AllReduce,Reduce,Broadcast,Bcast,AllGather,ReduceScatter,Recv,AlltoAll,Gather,Scatter}", "",
		"p p l", collective,
	}}
}
