// Package devices has what sessions execute launches on: an emulated device, or a GPU that a driver runs, behind one
// interface.
//
// What enters is a module and a launch in the emulator's form; what leaves is memory, results and faults. It must not
// know programs of sessions, detectors and reports.
package devices
