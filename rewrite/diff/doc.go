// Package diff compares two PTX texts and prints the differences.
//
// There are two ways to compare and four ways to show, and any goes with any:
//
//	Lines     ┐                     ┌ Unified     for patch(1) and people
//	          ├──▶ Diff (rows) ──▶ ─┤ SideBySide  two columns of a terminal
//	Semantic  ┘                     ├ HTML        one self-contained page
//	                                └ Stat        a table, one line per function
//
// Lines compares texts line by line. Semantic compares programs: function by
// function, statement by statement, without regard to layout, comments, debug
// information and the names of registers, labels and other symbols that a function
// declares. How statements are matched is written at Semantic.
//
// Time is close to linear in the size of the texts, and the result depends on nothing but them
// (align.go). The package uses syntax trees and the instruction table. It must know neither name
// resolution beyond a function, nor the Editor, nor passes: the caller says where a line came from
// (Program.Origin).
package diff
