// Package session is the engine of ptxsan as a library: it checks kernels for data races
// on an emulated GPU.
//
// A Program is a PTX module. A Session is a device with memory on which kernels are
// launched one after the other, under detectors; its Report has the races and faults of
// all launches so far, with the names and lines of the user's source. Explore runs a
// Scenario, which is a function that sets up and uses a session, under many schedules.
// A Plan is the scenario that a launch file describes.
//
// A launch is executed once as the program is: detectors that listen are notified of its events.
// For each detector inside the kernel it is executed once more, instrumented, on another device
// that has the same contents. The arguments and sizes of a launch decide which accesses cannot
// race and need no check; later launches need not be known (package proofs).
//
// This package joins the layers below it: passes, emu, runtime/detect, runtime/launch and
// runtime/report. It must not know command lines, files and exit codes: errors are values, and
// errors about the input are *InputError.
package session
