// Operands that must be constants with certain values.

package isa

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Constant says which values an operand that must be a constant may have.
type Constant struct {
	ranges []constantRange // none for any constant
}

// constantRange is the values from least to most in steps.
type constantRange struct{ least, most, step int64 }

// parseConstant parses the text after #: "any", or values and ranges such as 4|8|16, 0..15, 0.. and 24..256/8.
func parseConstant(s string) (*Constant, error) {
	c := &Constant{}
	if s == "any" {
		return c, nil
	}
	for part := range strings.SplitSeq(s, "|") {
		r := constantRange{most: math.MaxInt64, step: 1}
		word, step, stepped := strings.Cut(part, "/")
		least, most, ranged := strings.Cut(word, "..")
		var err1, err2, err3 error
		if r.least, err1 = strconv.ParseInt(least, 10, 64); !ranged {
			r.most = r.least
		}
		if most != "" {
			r.most, err2 = strconv.ParseInt(most, 10, 64)
		}
		if stepped {
			r.step, err3 = strconv.ParseInt(step, 10, 64)
		}
		if err1 != nil || err2 != nil || err3 != nil || r.step < 1 {
			return nil, fmt.Errorf("bad constant %q", s)
		}
		c.ranges = append(c.ranges, r)
	}
	return c, nil
}

// Admits reports whether a constant has one of the values.
func (c *Constant) Admits(value int64) bool {
	return len(c.ranges) == 0 || slices.ContainsFunc(c.ranges, func(r constantRange) bool {
		return value >= r.least && value <= r.most && (value-r.least)%r.step == 0
	})
}

// Example returns one of the values.
func (c *Constant) Example() int64 {
	if len(c.ranges) == 0 {
		return 0
	}
	return c.ranges[len(c.ranges)-1].least
}

// String returns the values for a message: "4, 8 or 16", "0 to 15", "24 to 256 in steps of 8".
func (c *Constant) String() string {
	if len(c.ranges) == 0 {
		return "any"
	}
	words := make([]string, len(c.ranges))
	for i, r := range c.ranges {
		words[i] = r.String()
	}
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

func (r constantRange) String() string {
	s := strconv.FormatInt(r.least, 10)
	switch {
	case r.most == math.MaxInt64:
		s += " or more"
	case r.most != r.least:
		s += fmt.Sprintf(" to %d", r.most)
	}
	if r.step > 1 {
		s += fmt.Sprintf(" in steps of %d", r.step)
	}
	return s
}
