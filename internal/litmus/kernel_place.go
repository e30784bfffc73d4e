// Where the threads of a litmus test run: blocks, clusters, barriers.

package litmus

// warp is the number of threads in a warp.
const warp = 32

// place assigns the threads to places in the launch. GPUs become clusters where a test has several: only the nesting of
// scopes matters to the memory model. Where barriers have counts, each thread has a warp of its own, whose other lanes
// end at once: counts are multiples of a warp.
func (w *kernelWriter) place() error {
	t := w.test
	clustered := false
	for _, th := range t.Threads {
		w.gpusClusters = w.gpusClusters || th.GPU != t.Threads[0].GPU
		clustered = clustered || th.Cluster >= 0
		for _, in := range th.Instructions {
			clustered = clustered || in.Scope == "cluster"
		}
	}
	if w.gpusClusters && clustered {
		return errorAt(t.Threads[0].Pos,
			"a test of several GPUs and of clusters: a launch runs on one GPU, where clusters stand for several")
	}
	counted, err := t.countsBarriers()
	if err != nil {
		return err
	}
	w.stride = 1
	if counted {
		w.stride = warp
	}
	groups := [][][]int{} // threads by cluster and block
	for i, th := range t.Threads {
		groups = w.join(groups, i, th)
	}
	size, most := 0, 0
	for _, g := range groups {
		size = max(size, len(g))
		for _, b := range g {
			most = max(most, len(b))
		}
	}
	w.at = make([]spot, len(t.Threads))
	for n, g := range groups {
		for m, b := range g {
			for k, i := range b {
				w.at[i] = spot{n*size + m, k * w.stride}
			}
		}
	}
	w.blocks, w.width = len(groups)*size, most*w.stride
	if w.gpusClusters || clustered {
		w.cluster = size
		if size > 8 {
			return errorAt(t.Threads[0].Pos, "%d blocks in a cluster, expected at most 8", size)
		}
	}
	return nil
}

// join adds a thread to the groups.
func (w *kernelWriter) join(groups [][][]int, i int, th *Thread) [][][]int {
	for n, g := range groups {
		first := w.test.Threads[g[0][0]]
		if (!w.gpusClusters || th.GPU != first.GPU) && !th.SameCluster(first) {
			continue
		}
		for m, b := range g {
			if th.SameCTA(w.test.Threads[b[0]]) {
				groups[n][m] = append(b, i)
				return groups
			}
		}
		groups[n] = append(g, []int{i})
		return groups
	}
	return append(groups, [][]int{{i}})
}

// barrierKey names a barrier of a block.
type barrierKey struct {
	block    *Thread // the first thread of the block
	instance int
	id       int64
}

// barrierOf returns the barrier of an instruction. Errors are for identifiers that are not constant.
func (t *Test) barrierOf(th *Thread, in *Instruction) (barrierKey, error) {
	k := barrierKey{instance: in.Barrier}
	for _, x := range t.Threads {
		if k.block == nil && x.SameCTA(th) {
			k.block = x
		}
	}
	for _, v := range []*Value{in.ID, in.Quorum} {
		if v == nil {
			continue
		}
		if _, ok := th.constant(*v); !ok {
			return k, errorAt(in.Pos, `"%s": register %s changes, expected one that is constant: which threads a barrier expects is fixed in a litmus test`, in.Text, v.Reg)
		}
	}
	if in.ID != nil {
		k.id, _ = th.constant(*in.ID)
	}
	if in.Quorum != nil {
		if n, _ := th.constant(*in.Quorum); n < 1 || n > MaxThreads {
			return k, errorAt(in.Pos, `"%s": a barrier that expects %d threads, expected 1 to %d`, in.Text, n, MaxThreads)
		}
	}
	return k, nil
}

// BarrierName returns a name of the barrier of an instruction, which is comparable; nil if the identifier is not
// constant.
func (t *Test) BarrierName(th *Thread, in *Instruction) any {
	k, err := t.barrierOf(th, in)
	if err != nil {
		return nil
	}
	return k
}

// Participants returns, for each barrier instruction, the number of threads that it expects: its quorum, or without one
// the threads of the block that name the barrier. Errors are *Error.
func (t *Test) Participants() (map[*Instruction]int, error) {
	named := map[barrierKey]map[*Thread]bool{}
	for _, th := range t.Threads {
		for _, in := range th.Instructions {
			if in.Op == Barrier {
				k, err := t.barrierOf(th, in)
				if err != nil {
					return nil, err
				}
				if named[k] == nil {
					named[k] = map[*Thread]bool{}
				}
				named[k][th] = true
			}
		}
	}
	expects := map[*Instruction]int{}
	for _, th := range t.Threads {
		for _, in := range th.Instructions {
			if in.Op == Barrier {
				k, _ := t.barrierOf(th, in)
				expects[in] = len(named[k])
				if in.Quorum != nil {
					n, _ := th.constant(*in.Quorum)
					expects[in] = int(n)
				}
			}
		}
	}
	return expects, nil
}

// countsBarriers reports whether some barrier does not expect all threads of its block, or counts arrivals of threads
// that go on.
func (t *Test) countsBarriers() (counts bool, err error) {
	expects, err := t.Participants()
	for _, th := range t.Threads {
		all := 0
		for _, x := range t.Threads {
			if x.SameCTA(th) {
				all++
			}
		}
		for _, in := range th.Instructions {
			counts = counts || in.Op == Barrier && (expects[in] != all || in.Func == "arrive" || in.Quorum != nil)
		}
	}
	return counts, err
}

// maxBarriers is the number of barriers of a block.
const maxBarriers = 16

// nameBarriers gives barriers their numbers.
func (w *kernelWriter) nameBarriers() (err error) {
	w.barriers = map[barrierKey]int{}
	if w.expects, err = w.test.Participants(); err != nil {
		return err
	}
	next := map[*Thread]int{} // by block
	for _, th := range w.test.Threads {
		for _, in := range th.Instructions {
			if in.Op != Barrier {
				continue
			}
			k, _ := w.test.barrierOf(th, in)
			if _, ok := w.barriers[k]; ok {
				continue
			}
			if next[k.block] == maxBarriers {
				return errorAt(in.Pos, "more than %d barriers in a block", maxBarriers)
			}
			w.barriers[k] = next[k.block]
			next[k.block]++
		}
	}
	return nil
}

// barrier writes a barrier. A count is the number of threads of the launch: a warp for each thread of the test.
func (w *kernelWriter) barrier(th *Thread, in *Instruction) {
	k, _ := w.test.barrierOf(th, in)
	if w.stride == 1 {
		w.line("\tbarrier.cta.%s %d;", in.Func, w.barriers[k])
		return
	}
	w.line("\tbarrier.cta.%s %d, %d;", in.Func, w.barriers[k], warp*w.expects[in])
}
