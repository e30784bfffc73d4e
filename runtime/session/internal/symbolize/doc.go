// Package symbolize gives findings the names and lines of the user's program: source lines, variables and elements of
// buffers, and what the code around the two accesses of a race shows for the advice.
//
// What enters is a race or fault of one launch, with the table of sites that its numbers refer to and the memory that
// its addresses lie in; what leaves is its entry of a report. It must not know sessions, detectors and how a launch was
// executed.
package symbolize
