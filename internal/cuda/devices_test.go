// Memory and modules of several devices.

package cuda_test

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/cuda"
	"github.com/ptxsan/ptxsan/internal/cuda/library"
	"github.com/ptxsan/ptxsan/internal/order"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// storing has a kernel that stores a 7 at an address, and variables: one of each device, and one that all share.
const storing = `
.version 8.0
.target sm_80
.address_size 64
.visible .global .u32 own;
.visible .global .attribute(.managed) .u32 shared;
.visible .entry store(.param .u64 to)
{
	.reg .b64 %rd1;
	ld.param.u64 %rd1, [to];
	st.global.u32 [%rd1], 7;
	ret;
}
.visible .entry storeShared()
{
	st.global.u32 [shared], 7;
	ret;
}
`

// computer is a process with two devices, on each of which the module is loaded.
type computer struct {
	*cuda.Process
	t       *testing.T
	modules [2]uint64
}

func newComputer(t *testing.T) *computer {
	t.Helper()
	c := &computer{t: t, Process: newProcess(t, &cuda.Options{Devices: 2, Leaks: true})}
	for d := range c.modules {
		c.load(d)
	}
	return c
}

// load loads the module on a device.
func (c *computer) load(d int) {
	c.t.Helper()
	id, err := c.LoadModule([]byte(storing), on(d))
	c.must(err)
	c.modules[d] = id
}

func (c *computer) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

// on is a call that the host waits for while a device is current.
func on(d int) cuda.In {
	return cuda.In{Device: order.Device(d), Stream: order.Default(order.Device(d)), Sync: true}
}

// launch launches a kernel on a device, with addresses as parameters.
func (c *computer) launch(d int, name string, in cuda.In, addresses ...uint64) error {
	c.t.Helper()
	k, err := c.Kernel(c.modules[d], name)
	c.must(err)
	one := emu.Dim3{X: 1, Y: 1, Z: 1}
	l := &cuda.Launch{Kernel: k.ID, Grid: one, Block: one, In: in}
	for _, a := range addresses {
		l.Params = binary.LittleEndian.AppendUint64(l.Params, a)
	}
	return c.Launch(l, nil)
}

// store has a kernel of a device store at an address.
func (c *computer) store(d int, address uint64) error {
	c.t.Helper()
	return c.launch(d, "store", on(d), address)
}

// wantStores checks which devices can store at an address.
func (c *computer) wantStores(when string, address uint64, devices ...bool) {
	c.t.Helper()
	for d, can := range devices {
		if err := c.store(d, address); can {
			c.must(err)
		} else {
			wantResult(c.t, when, err, cuda.IllegalAddress)
		}
	}
}

func (c *computer) alloc(d int) uint64 {
	c.t.Helper()
	address, err := c.Alloc(64, cuda.OnDevice, on(d), nil)
	c.must(err)
	return address
}

func (c *computer) variable(d int, name string) uint64 {
	c.t.Helper()
	address, _, err := c.Variable(c.modules[d], name)
	c.must(err)
	return address
}

// TestPeerAccess: kernels access memory and variables of another device from the call that enables it to the one that
// disables it, in one direction; also memory that is allocated between.
func TestPeerAccess(t *testing.T) {
	c := newComputer(t)
	first, second, own := c.alloc(0), c.alloc(1), c.variable(1, "own")
	if own == c.variable(0, "own") {
		t.Error("devices share an ordinary variable")
	}
	c.wantStores("memory of device 0, at first", first, true, false)
	c.wantStores("memory of device 1, at first", second, false, true)
	c.wantStores("a variable of device 1, at first", own, false, true)
	faults := c.Report().Faults
	const why = "memory of device 0, to which device 1 has no peer access (cudaDeviceEnablePeerAccess; to memory of a pool, " +
		"cudaMemPoolSetAccess)"
	if len(faults) != 3 || !strings.Contains(faults[0].Message, why) {
		t.Errorf("faults %+v, want 3, the first with %q", faults, why)
	}

	c.must(c.EnablePeer(0, 1))
	wantResult(t, "enabled again", c.EnablePeer(0, 1), cuda.PeerAccessAlreadyEnabled)
	c.wantStores("memory of device 0, of which 1 is no peer", first, true, false)
	c.wantStores("memory of device 1, enabled", second, true, true)
	c.wantStores("a variable of device 1, enabled", own, true, true)
	c.wantStores("memory allocated later", c.alloc(1), true, true)

	c.must(c.DisablePeer(0, 1))
	wantResult(t, "disabled again", c.DisablePeer(0, 1), cuda.PeerAccessNotEnabled)
	c.wantStores("memory of device 1, disabled", second, false, true)
	c.wantStores("a variable of device 1, disabled", own, false, true)

	wantResult(t, "itself", c.EnablePeer(0, 0), cuda.InvalidDevice)
	wantResult(t, "a device that is not there", c.EnablePeer(0, 2), cuda.InvalidDevice)
	wantResult(t, "a number that is no device", c.EnablePeer(0, 1<<31), cuda.InvalidDevice)
	wantResult(t, "disabled for a device that is not there", c.DisablePeer(0, 2), cuda.InvalidDevice)
}

// TestOneDeviceMemory: without a second device, what the process does with the first is never a question of access.
func TestOneDeviceMemory(t *testing.T) {
	p := newProcess(t, &cuda.Options{})
	wantResult(t, "a peer", p.EnablePeer(0, 1), cuda.InvalidDevice)
	wantResult(t, "no peer", p.DisablePeer(0, 1), cuda.InvalidDevice)
	wantResult(t, "memory of device 1", second(p.Create(cuda.Granularity, 1, nil, waits)), cuda.InvalidDevice)
}

// TestPoolAccess: access to memory of pools is that of the pool; access of peers does not matter.
func TestPoolAccess(t *testing.T) {
	c := newComputer(t)
	address, err := c.AllocOfPool(64, 1, 0, on(0))
	c.must(err)
	if got := c.Pointer(address).Device; got != 1 {
		t.Errorf("the memory is of device %d", got)
	}
	c.must(c.EnablePeer(0, 1))
	c.wantStores("at first", address, false, true)
	c.must(c.AllowPool(address, emu.OnlyDevice(0)))
	c.must(c.DisablePeer(0, 1))
	c.wantStores("allowed", address, true, true)
	c.must(c.AllowPool(address, 0))
	c.wantStores("withdrawn", address, false, true)
	both, err := c.AllocOfPool(64, 0, emu.OnlyDevice(1), on(0))
	c.must(err)
	c.wantStores("of a pool that allows it", both, true, true)
	wantResult(t, "no memory", c.AllowPool(64, 1), cuda.InvalidValue)
	wantResult(t, "inside memory", c.AllowPool(address+4, 1), cuda.InvalidValue)
	_, err = c.AllocOfPool(64, 2, 0, on(0))
	wantResult(t, "a pool of no device", err, cuda.InvalidDevice)
}

// TestVirtualAccess: each device has access of its own to a mapping, wherever the memory is. Access of peers does not
// matter. A copy needs that of any device.
func TestVirtualAccess(t *testing.T) {
	c := newComputer(t)
	const size, none, readWrite = 2 * cuda.Granularity, 0, 3
	at, err := c.Reserve(size, 0)
	c.must(err)
	var handles [2]uint64
	for d := range handles {
		handles[d], err = c.Create(cuda.Granularity, order.Device(d), nil, on(0))
		c.must(err)
		c.must(c.Map(at+uint64(d)*cuda.Granularity, cuda.Granularity, handles[d], 0))
	}
	last := at + cuda.Granularity
	if got := c.Pointer(last).Device; got != 1 {
		t.Errorf("the second part is of device %d", got)
	}
	c.must(c.EnablePeer(0, 1))
	c.wantStores("at first", last, false, false)
	wantResult(t, "a copy at first", c.Write(last, []byte{1}, on(0)), cuda.InvalidValue)
	c.must(c.SetAccess(at, size, readWrite, 0))
	c.wantStores("the first part", at, true, false)
	c.wantStores("the second part", last, true, false)
	c.must(c.Write(last, []byte{1}, on(1)))
	c.must(c.SetAccess(last, cuda.Granularity, readWrite, 1))
	c.wantStores("the second part, for both", last, true, true)
	c.wantStores("the first part, beside it", at, true, false)
	c.must(c.SetAccess(last, cuda.Granularity, none, 0))
	c.wantStores("the second part, no more for device 0", last, false, true)
	for d, want := range []uint32{none, readWrite} {
		if got, err := c.Access(last, order.Device(d)); err != nil || got != want {
			t.Errorf("device %d has access %d, %v; want %d", d, got, err, want)
		}
	}
	wantResult(t, "access of no device", c.SetAccess(last, cuda.Granularity, readWrite, 2), cuda.InvalidDevice)
}

// TestOperandsOfDevices: what kernels of a device cannot access, functions of libraries cannot.
func TestOperandsOfDevices(t *testing.T) {
	c := newComputer(t)
	const readWrite = 3
	pooled, err := c.AllocOfPool(64, 1, 0, on(1))
	c.must(err)
	mapped, err := c.Reserve(cuda.Granularity, 0)
	c.must(err)
	handle, err := c.Create(cuda.Granularity, 1, nil, on(1))
	c.must(err)
	c.must(c.Map(mapped, cuda.Granularity, handle, 0))
	c.must(c.SetAccess(mapped, cuda.Granularity, readWrite, 1))
	word := func(w uint64) library.Arg { return library.Arg{Words: [2]uint64{w}} }
	for name, address := range map[string]uint64{
		"memory": c.alloc(1), "a variable": c.variable(1, "own"), "memory of a pool": pooled, "mapped memory": mapped,
	} {
		args := []library.Arg{word(1), word(address), word(1), word(address), word(1)}
		_, err := c.Library("cublasScopy_v2", args, on(0))
		wantResult(t, name, err, cuda.IllegalAddress)
		_, err = c.Library("cublasScopy_v2", args, cuda.In{Device: 0, Stream: order.Default(1), Sync: true})
		c.must(err) // the device of the stream executes it
	}
}

// TestStreamOfAnotherDevice: a kernel is launched into streams of the device that its module has been loaded on.
func TestStreamOfAnotherDevice(t *testing.T) {
	c := newComputer(t)
	address := c.alloc(0)
	wantResult(t, "the default stream of device 1", c.launch(0, "store", on(1), address), cuda.InvalidHandle)
	c.must(c.Order(cuda.OrderCreate, 1, 7, 0))
	into := func(d int) cuda.In { return cuda.In{Device: order.Device(d), Stream: 7, Sync: true} }
	wantResult(t, "a stream of device 1", c.launch(0, "store", into(0), address), cuda.InvalidHandle)
	c.must(c.launch(1, "store", into(1), c.alloc(1)))
	c.must(c.Write(address, []byte{1}, into(0)))
}

// TestManagedOfDevices: a managed variable is one memory for all devices, which all access, and which stays when the
// module of a device that did not bring it is unloaded.
func TestManagedOfDevices(t *testing.T) {
	c := newComputer(t)
	if c.variable(1, "shared") == c.variable(0, "shared") {
		t.Fatal("the variable is of both devices before it is managed")
	}
	c.must(c.Unload(c.modules[1]))
	mapped := func(_, size uint64) (cuda.Mapping, error) { return make(pages, size), nil }
	_, _, err := c.Managed(c.modules[0], "shared", mapped)
	c.must(err)
	c.load(1)
	address := c.variable(0, "shared")
	if other := c.variable(1, "shared"); other != address {
		t.Fatalf("addresses 0x%x and 0x%x", address, other)
	}
	if p := c.Pointer(address); !p.Shared || p.Device != 0 {
		t.Errorf("the address is %+v", p)
	}
	for d := range c.modules {
		c.must(c.Fill(address, 0, 4, 0, 1, 1, on(0)))
		c.must(c.launch(d, "storeShared", on(d)))
		c.wantValue(address, 7)
	}
	c.must(c.Unload(c.modules[1]))
	c.must(c.launch(0, "storeShared", on(0)))
}

// TestResetOfDevice: a reset ends what is of the current device, and access to and from it.
func TestResetOfDevice(t *testing.T) {
	var c *computer
	t.Run("reset", func(t *testing.T) {
		c = newComputer(t)
		in := on(1)
		in.Path = "9"
		lost, err := c.Alloc(1000, cuda.OnDevice, in, nil)
		c.must(err)
		c.resetSecond(c.alloc(0), lost)
	})
	faults := c.Report().Faults
	if !slices.ContainsFunc(faults, func(f *report.FaultEvent) bool { return f.Size == 1000 }) {
		t.Errorf("faults %+v without a leak of the memory of device 1", faults)
	}
}

// resetSecond resets device 1, given memory of device 0 and of device 1.
func (c *computer) resetSecond(kept, lost uint64) {
	c.must(c.EnablePeer(0, 1))
	c.must(c.EnablePeer(1, 0))
	c.must(c.Reset(1))
	if p := c.Pointer(lost); p.Known {
		c.t.Errorf("memory of device 1 is %+v after its reset", p)
	}
	_, err := c.Kernel(c.modules[1], "store")
	wantResult(c.t, "a module of device 1", err, cuda.InvalidHandle)
	c.load(1)
	c.wantStores("memory of device 0", kept, true, false)
	c.wantStores("new memory of device 1", c.alloc(1), false, true)
	c.must(c.EnablePeer(1, 0))
	c.must(c.EnablePeer(0, 1))
}

// wantValue checks a word.
func (c *computer) wantValue(address uint64, want uint32) {
	c.t.Helper()
	b := make([]byte, 4)
	c.must(c.Read(address, b, on(0)))
	if got := binary.LittleEndian.Uint32(b); got != want {
		c.t.Errorf("the word is %d, want %d", got, want)
	}
}
