// Flags by which a launch tells another one, which may overlap it, that it has accessed memory.

package evidence

import "github.com/ptxsan/ptxsan/runtime/detect"

// Flag returns what is wrong with the flag by which the first of two threads tells the second one of its access, and
// the sites where the flag is written and read; nothing, if there is no flag.
func (e *Evidence) Flag(f *Finding) (fault detect.FlagFault, publish, observe uint32) {
	e.replayDeferred() // the journals may hold messages
	f.Relation = InterBlock
	m := e.findMessage(f)
	if m != nil && (e.launchesDiffer(m.writer, f.FirstUnit) || e.launchesDiffer(m.reader, f.SecondUnit)) {
		return "", 0, 0 // what lacks order is between other launches
	}
	switch {
	case m == nil:
		m = e.nearMessage(f)
		if m == nil || m.how == otherLanes || m.sent >= f.Since || m.writer.Unit>>radixBits != f.FirstUnit>>radixBits {
			return "", 0, 0
		}
		fault = detect.FlagEarly
	case m.released:
		fault = detect.FlagAcquire
	case e.hasAcquired(m):
		fault = detect.FlagRelease
	default:
		fault = detect.FlagBoth
	}
	return fault, m.write, m.read
}

// launchesDiffer reports whether a thread is of another grid than a unit.
func (e *Evidence) launchesDiffer(t thread, u unit) bool {
	return e.PlaceOf(t.Unit).Grid != e.PlaceOf(u).Grid
}
