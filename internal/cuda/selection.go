// The choice of the launches that are checked.

package cuda

// Selection says which launches of an application are checked; others are only executed. The zero value chooses all.
type Selection struct {
	// Watch reports whether launches of a kernel are checked; nil for all kernels.
	Watch func(kernel string) bool
	// First and Last limit the launches by their number in the process, from 1; 0 for no limit.
	First, Last int
	// Of the launches that these choose, the first Skip of each process are left out, and the Count after them are
	// checked; 0 for all.
	Skip, Count int
}

// Selector applies a selection to the launches of one process.
type Selector struct {
	Selection
	launches int             // so far, with the one that is about to begin
	chosen   int             // of these by Watch, First and Last
	watches  map[string]bool // what Watch has said of kernels: to match names takes as long as to execute a small kernel
}

// Begin counts a launch, which is about to begin.
func (s *Selector) Begin(kernel string) {
	s.launches++
	if s.chooses(kernel) {
		s.chosen++
	}
}

// Checks reports whether the launch that was counted last is checked.
func (s *Selector) Checks(kernel string) bool {
	return s.chooses(kernel) && s.chosen > s.Skip && (s.Count == 0 || s.chosen-s.Skip <= s.Count)
}

func (s *Selector) chooses(kernel string) bool {
	if s.First > 0 && s.launches < s.First || s.Last > 0 && s.launches > s.Last {
		return false
	}
	return s.Watch == nil || s.isWatched(kernel)
}

func (s *Selector) isWatched(kernel string) bool {
	watch, known := s.watches[kernel]
	if !known {
		if s.watches == nil {
			s.watches = make(map[string]bool)
		}
		watch = s.Watch(kernel)
		s.watches[kernel] = watch
	}
	return watch
}
