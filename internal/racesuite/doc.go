// Package racesuite loads the programs with known answers that tests run detectors on: the race suite below
// examples/suite, its applications, and the examples. A case is a module with its launch file; a run is a plan of
// its launches with the options of sessions that play it, as the command check sets them up. The package's own tests
// compare what every detector reports with the answers that the launch files state. The package must not know command
// lines.
package racesuite
