package command

import (
	"io"
	"testing"
	"time"

	"github.com/urfave/cli/v2"
)

// TestTimeFlag: an integer is a number of seconds, and other times have a unit.
func TestTimeFlag(t *testing.T) {
	for _, c := range []struct {
		text string
		want time.Duration
		ok   bool
	}{
		{"5", 5 * time.Second, true},
		{"0", 0, true},
		{"-3", -3 * time.Second, true},
		{"1m30s", 90 * time.Second, true},
		{"250ms", 250 * time.Millisecond, true},
		{"1.5", 0, false},
		{"9223372036854775807", 0, false},
		{"soon", 0, false},
		{"", 0, false},
	} {
		var got time.Duration
		app := &cli.App{
			Writer: io.Discard, ErrWriter: io.Discard,
			Flags:  []cli.Flag{&TimeFlag{cli.DurationFlag{Name: "timeout", Aliases: []string{"t"}, Value: time.Hour}}},
			Action: func(c *cli.Context) error { got = c.Duration("timeout"); return nil },
		}
		for _, name := range []string{"--timeout=", "--t="} {
			if err := app.Run([]string{"x", name + c.text}); (err == nil) != c.ok || c.ok && got != c.want {
				t.Errorf("%s%s: got %s, %v", name, c.text, got, err)
			}
		}
	}
}
