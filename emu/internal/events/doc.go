// Package events makes events for the listener of a run: accesses, singly or many at a time, barriers, fences,
// asynchronous operations, branches. It asks the listener's needs first, and describes each instruction once.
//
// The package must not know how memory is accessed, nor which group is scheduled next.
package events
