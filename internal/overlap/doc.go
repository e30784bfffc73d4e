// Package overlap relates the accesses of kernels to other operations. It passes what the emulator's events tell of a
// launch to the order of operations (order.Tracker), for the streams of an application, and to a detector, for launches
// that may overlap each other by programmatic dependent launch: it judges their accesses thread by thread, as those of
// one launch (precise.Detector.RelateLaunches).
//
// It must not know who launches kernels and who reports races.
package overlap
