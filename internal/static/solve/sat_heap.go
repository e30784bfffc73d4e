// The variables of the Boolean solver in the order in which they are decided: a heap by activity.

package solve

// bump raises the activity of a variable.
func (s *sat) bump(v int32) {
	if s.activity[v] += s.step; s.activity[v] > 1e100 {
		for i := range s.activity {
			s.activity[i] *= 1e-100
		}
		s.step *= 1e-100
	}
	if s.place[v] >= 0 {
		s.rise(int(s.place[v]))
	}
}

// before is the order of the heap: by activity, then by number.
func (s *sat) before(a, b int32) bool {
	return s.activity[a] > s.activity[b] || s.activity[a] == s.activity[b] && a < b
}

// push adds a variable to the heap.
func (s *sat) push(v int32) {
	if s.place[v] >= 0 {
		return
	}
	s.place[v] = int32(len(s.heap))
	s.heap = append(s.heap, v)
	s.rise(len(s.heap) - 1)
}

// rise moves an entry of the heap up.
func (s *sat) rise(i int) {
	v := s.heap[i]
	for i > 0 && s.before(v, s.heap[(i-1)/2]) {
		s.heap[i] = s.heap[(i-1)/2]
		s.place[s.heap[i]] = int32(i)
		i = (i - 1) / 2
	}
	s.heap[i], s.place[v] = v, int32(i)
}

// pop removes the first entry of the heap.
func (s *sat) pop() int32 {
	top, last := s.heap[0], s.heap[len(s.heap)-1]
	s.heap, s.place[top] = s.heap[:len(s.heap)-1], -1
	if top == last {
		return top
	}
	i := 0
	for {
		k := 2*i + 1
		if k+1 < len(s.heap) && s.before(s.heap[k+1], s.heap[k]) {
			k++
		}
		if k >= len(s.heap) || !s.before(s.heap[k], last) {
			break
		}
		s.heap[i] = s.heap[k]
		s.place[s.heap[i]] = int32(i)
		i = k
	}
	s.heap[i], s.place[last] = last, int32(i)
	return top
}
