// Launches that wait for others: kernels that spin until someone else has changed memory.

package cuda

// stallable returns Launch.Stalled of a launch that begins, for use while the process is locked: others may use the
// process meanwhile. suspend is called before. The result is nil if no one can change what the threads wait for.
func (p *Process) stallable(l *Launch, suspend func() (resume func())) func(changed bool) bool {
	if t := p.streams.tracker; l.Stalled == nil || t == nil || !t.Matters() {
		return nil
	}
	return func(changed bool) bool {
		l.suspended = true
		out, watch, resume := p.output, p.streams.watch.Suspend(), suspend()
		p.output = nil
		again := p.unlocked(func(bool) bool { return l.Stalled(changed) })
		resume()
		watch()
		p.output = out
		return again
	}
}

// Overlaps reports whether a launch may wait for others that change memory: if there are any.
func (p *Process) Overlaps() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.streams.tracker
	return t != nil && t.Matters()
}

// unlocked calls Stalled, unless it is nil, for what has changed no memory; others may use the process meanwhile.
func (p *Process) unlocked(stalled func(changed bool) bool) bool {
	if stalled == nil {
		return false
	}
	p.mu.Unlock()
	defer p.mu.Lock()
	return stalled(false)
}
