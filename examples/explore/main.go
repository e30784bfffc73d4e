// Command explore runs a program and its launch file under 100 schedules, and prints in how many
// of them each race occurs. It is a small tool on the library runtime/session.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: explore NAME, for NAME.ptx and NAME.yaml")
		os.Exit(2)
	}
	if err := explore(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func explore(name string) error {
	text, err := os.ReadFile(name + ".ptx")
	if err != nil {
		return err
	}
	program, err := session.Parse(name+".ptx", text)
	if err != nil {
		return err
	}
	file, err := launch.Load(name+".yaml", launch.Options{})
	if err != nil {
		return err
	}
	plan, err := session.NewPlan(program, file, 0)
	if err != nil {
		return err
	}
	detectors, err := session.ParseDetectors("precise")
	if err != nil {
		return err
	}
	e := session.Exploration{
		Options:  session.Options{Detectors: detectors},
		Scenario: plan,
		Search:   session.Search{Name: "mixed", Runs: 100},
	}
	rep, err := e.Run(context.Background())
	if err != nil {
		return err
	}
	for _, race := range rep.Races {
		first, second := session.OwnPlace(&race.First), session.OwnPlace(&race.Second)
		fmt.Printf("%s:%d and %s:%d: %d of %d schedules\n", first.File, first.Line, second.File, second.Line,
			race.Schedules, rep.Exploration.Schedules)
	}
	return nil
}
