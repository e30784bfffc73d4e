// Package iguard is the host half of iGUARD: Kamath and Basu, "iGUARD: In-GPU Advanced Race
// Detection", SOSP 2021. The race detector itself runs in the kernel
// (passes/device/lib/iguard.cu); this package lays out its memory before a launch (Prepare)
// and turns its race records into races after the launch (Collect).
//
// It must know neither PTX nor the emulator: it sees the device as abi.Device.
// docs/detectors/iguard.md describes the rules.
package iguard
