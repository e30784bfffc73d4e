//go:build linux && (amd64 || arm64)

// Libraries that compile kernels to machine code at run time.

package wire_test

import "testing"

// TestCompilers: NVRTC and nvJitLink, loaded from a folder of the application's, hand out PTX where machine code is
// asked for. A shared NVRTC compiles with lines and adds the source.
func TestCompilers(t *testing.T) {
	const source = "testdata/compilers.c"
	dir := libraries(t)
	static := cc(t, "libstatic.so", "-shared", "-fPIC", "-DPART=1", "-DSTATIC", source)
	shared := cc(t, "libnvrtc.so.13", "-shared", "-fPIC", "-s", "-DPART=1", source)
	app := cc(t, "app", "-DPART=2", source, "-L"+dir, "-lcuda", "-ldl", "-Wl,-rpath-link,"+dir)
	runApp(t, dir, 6, app, static)
	runApp(t, dir, 10, app, shared)
}
