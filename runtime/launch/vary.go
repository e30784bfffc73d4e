// Variations of a launch file: other numbers and contents than those that it gives.

package launch

import "slices"

// WithNumbers returns the file with other integers as arguments and as fields of structs, where these are not less than
// a number. Results that the file expects are not compared. It is nil if nothing changes.
func (f *File) WithNumbers(least uint64, change func(n uint64) uint64) *File {
	other, changed := f.varied(), false
	var vary func(args []Arg) []Arg
	vary = func(args []Arg) []Arg {
		args = slices.Clone(args)
		for i := range args {
			a := &args[i]
			a.Fields = vary(a.Fields)
			if v := &a.Value; a.Kind == ArgNumber && !v.float && !v.neg && v.mag >= least && !a.Type.Float() {
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

// WithSmall returns the file with random numbers from 0 to 7, which are good as indices, too, in those buffers of a
// template that may change and whose contents are guessed. Results that the file expects are not compared. It is nil if
// nothing changes.
func (f *File) WithSmall(may func(*Buffer) bool) *File {
	return f.WithContents(Init{Kind: InitRandom, Seed: 1, Max: Int(7)}, may)
}

// WithContents returns the file with other contents of those buffers of a template that may change and whose contents
// are guessed. Results that the file expects are not compared. It is nil if nothing changes.
func (f *File) WithContents(init Init, may func(*Buffer) bool) *File {
	other, changed := f.varied(), false
	for i := range other.Buffers {
		if b := &other.Buffers[i]; f.guesses(&b.Init) && may(b) {
			b.Init, changed = init, true
		}
	}
	return other.unless(!changed)
}

// guesses reports whether contents are such as a template guesses: zeros, but those of host code, and what differs from
// element to element.
func (f *File) guesses(in *Init) bool {
	zeros := in.Kind == InitNumber && in.Value.zero() && !f.Sized && f.Guess == nil
	return f.Guessed && (zeros || in.Kind == InitIota || in.Kind == InitRandom)
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
