// Package events makes events for the listener of a run: accesses, singly or many at a time, barriers, fences,
// asynchronous operations, branches. It asks the listener's needs first, and describes each instruction once.
//
// It must not know how memory is accessed or who runs next.
package events
