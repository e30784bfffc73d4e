// Package racesuite loads the programs with known answers that tests run detectors on: the race suite below
// examples/suite, its applications, and the examples. It enters with a test and leaves with cases, each a module with
// its launch file, and with runs, in which a session is set up as the command check does it. Its own tests compare what
// every detector reports with the answers that the launch files state. The package must not know command lines.
package racesuite
