// Package sched has the scheduling policies, their recording and replay, the start of blocks, and groups that spin:
// they sleep until a word that they read changes.
//
// The package must not know instructions, except that some may be observed.
package sched
