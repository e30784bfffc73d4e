package precise

// LimitJournals sets how many bytes the journals of a detector may take, 0 for none.
func (d *Detector) LimitJournals(bytes uintptr) { d.journals = bytes }
