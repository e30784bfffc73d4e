// Races in called functions: barriers around the calls in the kernel.

package repair

import "github.com/ptxsan/ptxsan/rewrite"

// aroundCalls proposes barriers between the calls in the kernel that execute the accesses. All threads of a block may
// reach these places together, which is unknown for places in the callee.
func (p *proposer) aroundCalls() {
	r := p.r
	if r.Kernel == nil {
		return
	}
	seconds := sites(r.Kernel, r.Second)
	for _, a := range sites(r.Kernel, r.First) {
		for _, b := range seconds {
			if a == r.First && b == r.Second {
				continue
			}
			lifted := *r
			lifted.First, lifted.Second = a, b
			q := &proposer{r: &lifted, at: newPlaces(r.Kernel), seen: p.seen}
			q.barriers()
			p.list = append(p.list, q.list...)
		}
	}
}

// sites returns the instructions of a kernel that execute an access: the access itself if it is in the kernel,
// otherwise each direct call of its function, or of a function that calls it directly or indirectly.
func sites(kernel *rewrite.Func, access *rewrite.Inst) (list []*rewrite.Inst) {
	if access.Func == kernel {
		return []*rewrite.Inst{access}
	}
	leads := map[*rewrite.Func]bool{access.Func: true}
	for _, in := range kernel.Insts {
		if c, ok := in.Call(); ok && c.Func != nil && callsTo(c.Func, leads, map[*rewrite.Func]bool{}) {
			list = append(list, in)
		}
	}
	return list
}

// callsTo reports whether a function is in leads, or calls one of leads directly or indirectly. It adds such functions
// to leads.
func callsTo(f *rewrite.Func, leads, seen map[*rewrite.Func]bool) bool {
	if leads[f] || seen[f] {
		return leads[f]
	}
	seen[f] = true
	for _, in := range f.Insts {
		if c, ok := in.Call(); ok && c.Func != nil && callsTo(c.Func, leads, seen) {
			leads[f] = true
			return true
		}
	}
	return false
}
