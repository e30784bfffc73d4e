// Flags that are times.

package command

import (
	"errors"
	"flag"
	"math"
	"strconv"
	"time"

	"github.com/urfave/cli/v2"
)

// TimeFlag is a flag with a time as its value: an integer is a number of seconds, other times have a unit.
type TimeFlag struct{ cli.DurationFlag }

// Apply implements cli.Flag.
func (f *TimeFlag) Apply(set *flag.FlagSet) error {
	own := flag.NewFlagSet(f.Name, flag.ContinueOnError) // the library's value refuses integers
	if err := f.DurationFlag.Apply(own); err != nil {
		return err
	}
	own.VisitAll(func(x *flag.Flag) { set.Var(&timeValue{x.Value}, x.Name, x.Usage) })
	return nil
}

// timeValue is the value of a TimeFlag.
type timeValue struct{ flag.Value }

// Set implements flag.Value.
func (v *timeValue) Set(text string) error {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && -maxSeconds <= n && n <= maxSeconds {
		text += "s"
	}
	if v.Value.Set(text) != nil {
		return errors.New("expected a number of seconds, or a time with a unit such as 30s or 5m")
	}
	return nil
}

const maxSeconds = int64(math.MaxInt64 / time.Second)
