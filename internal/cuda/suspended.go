// Launches that others overtake: kernels that spin until someone else has changed memory, and those that a schedule
// interrupts.

package cuda

// suspended is a launch that is executed while the process is locked, and lets others use the process now and then.
type suspended struct {
	p *Process
	l *Launch
	// suspend is called before others use the process, resume after that.
	suspend func() (resume func())
}

// shares reports whether there are others that the launch may wait for, or that may wait for it.
func (s *suspended) shares() bool {
	t := s.p.streams.tracker
	return t != nil && t.Matters()
}

// stalled returns Launch.Stalled for use while the process is locked, nil if no one can change what threads wait for.
func (s *suspended) stalled() func(changed bool) bool {
	if s.l.Stalled == nil || !s.shares() {
		return nil
	}
	return func(changed bool) (again bool) {
		s.l.overtaken = true
		s.meanwhile(func() { again = s.l.Stalled(changed) })
		return again
	}
}

// pause is stalled for Launch.Pause.
func (s *suspended) pause() func() (changed, alone bool) {
	if s.l.Pause == nil || !s.shares() {
		return nil
	}
	return func() (changed, alone bool) {
		s.meanwhile(func() { changed, alone = s.l.Pause() })
		s.l.overtaken = s.l.overtaken || changed
		return changed, alone
	}
}

// meanwhile calls f, in which others may use the process.
func (s *suspended) meanwhile(f func()) {
	p := s.p
	out, watch, resume := p.output, p.streams.watch.Suspend(), s.suspend()
	p.output = nil
	p.mu.Unlock()
	f()
	p.mu.Lock()
	resume()
	watch()
	p.output = out
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
