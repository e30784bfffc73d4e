// Package shadow is the record of accesses: for every byte, those that a later access may race with, in histories of
// lines, words and bytes, or in compact forms: cells of words that threads access strongly, tallies of many writes, and
// journals of regions whose accesses are deferred. Replayer takes the compact forms apart. The package must know
// neither which accesses conflict nor how accesses are made again.
package shadow
