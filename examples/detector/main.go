// Command detector checks a program by a race detector of its own, which detector.go has: a hundred lines.
//
// The detector is a listener: the emulator notifies it of the events of a launch, warp by warp. It needs no
// instrumentation and does not depend on PTX.
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: detector NAME, for NAME.ptx and NAME.yaml")
		os.Exit(2)
	}
	rep, err := check(os.Args[1])
	if err == nil {
		err = print(os.Stdout, rep)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

// check runs the launches of NAME.yaml with the detector.
func check(name string) (*report.Report, error) {
	text, err := os.ReadFile(name + ".ptx")
	if err != nil {
		return nil, err
	}
	program, err := session.Parse(name+".ptx", text)
	if err != nil {
		return nil, err
	}
	file, err := launch.Load(name+".yaml", launch.Options{})
	if err != nil {
		return nil, err
	}
	plan, err := session.NewPlan(program, file, 0)
	if err != nil {
		return nil, err
	}
	own, err := session.NewDetector("last-writer", newDetector)
	if err != nil {
		return nil, err
	}
	s, err := session.Open(session.Options{Detectors: []*session.Detector{own}})
	if err != nil {
		return nil, err
	}
	return plan.Check(context.Background(), s)
}

// print writes a line for each race.
func print(w io.Writer, rep *report.Report) error {
	for _, r := range rep.Races {
		first, second := session.OwnPlace(&r.First), session.OwnPlace(&r.Second)
		if _, err := fmt.Fprintf(w, "%s:%d and %s:%d: %s\n", first.File, first.Line, second.File, second.Line,
			r.Kind); err != nil {
			return err
		}
	}
	return nil
}
