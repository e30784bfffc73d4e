// Modules: PTX that the driver compiles, their variables and kernels.

package gpu

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"unsafe"
)

// Module is PTX that the driver has compiled for a device.
type Module struct {
	dev       *Device
	handle    uintptr
	functions map[string]uintptr
	variables []uint64 // addresses of those that were added to Device.Describe
}

// Options of the driver's compiler (CUjit_option), and the maximum length of its log in bytes.
const (
	jitErrorLog, jitErrorLogSize = 5, 6
	logSize                      = 16 << 10
)

// Load compiles PTX. An error of the compiler contains its log, with lines of the PTX.
func (dev *Device) Load(ptx []byte) (*Module, error) {
	m := &Module{dev: dev, functions: map[string]uintptr{}}
	image := append(slices.Clip(ptx), 0)
	log := make([]byte, logSize)
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(&image[0])
	pin.Pin(&log[0])
	keys := [...]int32{jitErrorLog, jitErrorLogSize}
	values := [...]uintptr{uintptr(unsafe.Pointer(&log[0])), logSize - 1}
	return m, dev.do(func() error {
		r := dev.d.moduleLoadDataEx(&m.handle, unsafe.Pointer(&image[0]), uint32(len(keys)), &keys[0], &values[0])
		err := dev.d.check("cuModuleLoadDataEx", r)
		if text := strings.TrimSpace(cString(&log[0])); err != nil && text != "" {
			return fmt.Errorf("the driver refuses the PTX: %s: %w", text, err)
		}
		return err
	})
}

// Symbol returns the address and size of a variable. It also adds the variable to Device.Describe.
func (m *Module) Symbol(name string) (addr, size uint64, ok bool) {
	err := m.dev.do(func() error {
		return m.dev.d.check("cuModuleGetGlobal", m.dev.d.moduleGetGlobal(&addr, &size, m.handle, name))
	})
	if err != nil {
		return 0, 0, false
	}
	if !slices.Contains(m.variables, addr) {
		m.variables = append(m.variables, addr)
		m.dev.objects.Add(Object{Name: name, Addr: addr, Size: size})
	}
	return addr, size, true
}

// Unload unloads the module and its variables.
func (m *Module) Unload() error {
	m.dev.objects = slices.DeleteFunc(m.dev.objects, func(o Object) bool {
		return slices.Contains(m.variables,
			o.Addr)
	})
	return m.dev.do(func() error { return m.dev.d.check("cuModuleUnload", m.dev.d.moduleUnload(m.handle)) })
}

// StaticShared returns the static shared memory of a kernel, in bytes per block.
func (m *Module) StaticShared(kernel string) (uint64, error) {
	var n int32
	err := m.dev.do(func() error {
		f, err := m.kernel(kernel)
		if err != nil {
			return err
		}
		return m.dev.d.check("cuFuncGetAttribute", m.dev.d.funcGetAttribute(&n, attributeStaticShared, f))
	})
	return uint64(n), err
}

// kernel returns the handle of a kernel.
func (m *Module) kernel(name string) (uintptr, error) {
	if f, ok := m.functions[name]; ok {
		return f, nil
	}
	var f uintptr
	if r := m.dev.d.moduleGetFunction(&f, m.handle, name); r == notFound {
		return 0, errors.New("the module has no such kernel")
	} else if r != success {
		return 0, m.dev.d.check("cuModuleGetFunction", r)
	}
	m.functions[name] = f
	return f, nil
}
