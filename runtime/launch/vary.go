// Variations of a launch file: other numbers and contents than those that it gives.

package launch

import "slices"

// leastVaried is the least number that a variation changes: smaller ones are steps, radii or modes rather than sizes.
const leastVaried = 32

// WithNumbers returns the file with other integers as arguments and as fields of structs, where these may be sizes. Results that the
// file expects are not compared. It is nil if nothing changes.
func (f *File) WithNumbers(change func(n uint64) uint64) *File {
	other, changed := f.varied(), false
	var vary func(args []Arg) []Arg
	vary = func(args []Arg) []Arg {
		args = slices.Clone(args)
		for i := range args {
			a := &args[i]
			a.Fields = vary(a.Fields)
			if v := &a.Value; a.Kind == ArgNumber && !v.float && !v.neg && v.mag >= leastVaried && !a.Type.Float() {
				v.mag, changed = change(v.mag), true
			}
		}
		return args
	}
	for i := range other.Launches {
		other.Launches[i].Args = vary(other.Launches[i].Args)
	}
	return other.unless(!changed)
}

// WithSmall returns the file with random numbers from 0 to 7, which are good as indices, too, in place of zeros in those of its buffers
// that may change. Results that the file expects are not compared. It is nil if nothing changes.
func (f *File) WithSmall(may func(buffer string) bool) *File {
	other, changed := f.varied(), false
	for i := range other.Buffers {
		if b := &other.Buffers[i]; b.Zeroed() && may(b.Name) {
			b.Init, changed = Init{Kind: InitRandom, Seed: 1, Max: Int(7)}, true
		}
	}
	return other.unless(!changed)
}

// varied returns a copy whose launches and buffers can be changed, and which expects nothing.
func (f *File) varied() *File {
	other := *f
	other.Launches, other.Buffers, other.Expect = slices.Clone(f.Launches), slices.Clone(f.Buffers), nil
	return &other
}

// unless returns the file, or nil under a condition.
func (f *File) unless(same bool) *File {
	if same {
		return nil
	}
	return f
}
