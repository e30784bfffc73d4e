// Merging of profiles for the compiler.

package main

import (
	"fmt"
	"os"

	"github.com/google/pprof/profile"
)

// mergeProfiles writes the sum of CPU profiles, for the compiler's -pgo. It omits times, durations and executables,
// which the compiler does not use.
func mergeProfiles(out string, names []string) error {
	var list []*profile.Profile
	for _, name := range names {
		p, err := readProfile(name)
		if err != nil {
			return err
		}
		list = append(list, p)
	}
	sum, err := profile.Merge(list)
	if err != nil {
		return err
	}
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	if err := sum.Write(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// readProfile reads a profile without the data that differ between machines and builds.
func readProfile(name string) (*profile.Profile, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	p, err := profile.Parse(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	p.TimeNanos, p.DurationNanos = 0, 0
	for _, m := range p.Mapping {
		m.File, m.BuildID, m.Start, m.Limit, m.Offset = "", "", 0, 0, 0
	}
	for _, f := range p.Function {
		f.Filename = ""
	}
	for _, l := range p.Location {
		l.Address = 0
	}
	return p, nil
}
