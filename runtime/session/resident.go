// Launches that are resident together: while one waits in Launch.Stalled, others execute on the device.

package session

// enter adds a launch to those that are resident, until leave is called.
func (s *Session) enter(b *boundLaunch) (leave func()) {
	if s.resident == nil {
		s.resident = make(map[*boundLaunch]bool)
	}
	s.resident[b] = true
	for other := range s.resident {
		other.beside = other.beside || len(s.resident) > 1
	}
	return func() { delete(s.resident, b) }
}

// stallable returns Launch.Stalled for use while the launch waits: the session is unlocked for others meanwhile. It is
// nil if the launch is executed several times.
func (s *Session) stallable(b *boundLaunch) func(changed bool) bool {
	if b.Stalled == nil || len(s.runs) > 1 {
		return nil
	}
	return func(changed bool) bool {
		s.mu.Unlock()
		defer s.mu.Lock()
		return b.Stalled(changed)
	}
}

// pausable is stallable for Launch.Pause.
func (s *Session) pausable(b *boundLaunch) func() (changed, alone bool) {
	if b.Pause == nil || len(s.runs) > 1 {
		return nil
	}
	return func() (changed, alone bool) {
		s.mu.Unlock()
		defer s.mu.Lock()
		return b.Pause()
	}
}

// idle returns the program, or another version of it, that no resident launch uses. A version has its own machine and
// detectors, since these serve one launch at a time. It is decoded for the facts at the time of its launch: those of
// later launches do not matter to a launch that is resident, whose conclusions are drawn from its own facts, too.
func (l *loadedProgram) idle() (*loadedProgram, error) {
	if !l.busy {
		return l, nil
	}
	for _, v := range l.versions {
		if !v.busy {
			return v, nil
		}
	}
	v := &loadedProgram{
		run: l.run, program: l.program, machine: l.placed, placed: l.placed, module: l.program.Module,
		launched: l.launched, latest: l.latest, shapes: l.shapes, repeated: l.repeated, privates: l.privates,
		described: l.described, first: l,
	}
	var err error
	if v.dets, err = l.run.apply(); err != nil {
		return nil, err
	}
	l.versions = append(l.versions, v)
	return v, nil
}

// all returns the program and its versions.
func (l *loadedProgram) all() []*loadedProgram { return append([]*loadedProgram{l}, l.versions...) }

// share makes the detector of a version record the executed accesses with that of the program.
func (l *loadedProgram) share(i int) {
	if l.first == nil {
		return
	}
	if of := l.first.dets[i].events; of != nil {
		l.dets[i].events.ShareExecuted(of)
	}
}
