// What is known of functions that the program does not define: the C and C++ libraries and the CUDA runtime.

package hostir

import (
	"strings"

	"github.com/ptxsan/ptxsan/internal/static/hostir/llvm"
	"github.com/ptxsan/ptxsan/internal/static/hostir/memory"
)

func setOf(words string) map[string]bool {
	set := make(map[string]bool)
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// effect is what a call of a function outside of the program may change on the host.
type effect uint8

const (
	changesAll     effect = iota // everything that other code can reach, at the call and later
	changesTargets               // what its arguments point to, at the call
	changesFirst                 // what its first argument points to, at the call
	changesSecond                // what its second argument points to, at the call
	changesNothing
)

// changes reports whether a function with an effect writes only to the targets of its arguments, and to that of this
// one.
func (e effect) changes(argument int) bool {
	switch e {
	case changesTargets:
		return true
	case changesFirst:
		return argument == 0
	case changesSecond:
		return argument == 1
	case changesAll, changesNothing:
	}
	return false
}

// effectOf returns the effect of a function, from its mangled name. Functions that start threads, call functions of the
// program, keep addresses, or are not listed here, may change everything.
func effectOf(m *llvm.Module, mangled string) effect {
	name := unprefixed(mangled)
	if e, known := effects[name]; known {
		return e
	}
	if strings.HasPrefix(name, "__cuda") {
		return changesNothing
	}
	if rest, ok := strings.CutPrefix(runtimeName(name), "cuda"); ok {
		return effectOfRuntime(rest)
	}
	for _, p := range libraryPrefixes {
		if strings.HasPrefix(name, p) && !ownStreams(m) {
			return changesTargets
		}
	}
	return changesAll
}

// effects gives the effects of functions of the C library, and of what C++ code calls of its runtime. Functions that
// change the target of their second argument alone return a pointer through it; those that change the targets of their
// arguments keep no addresses.
var effects = effectsByName(map[effect]string{
	changesNothing: `
puts fputs fopen perror strlen strcmp strncmp strcasecmp strncasecmp getenv exit isdigit memcmp putchar fputc clock
isspace isalpha isalnum toupper tolower sleep usleep rand srand drand48 srand48 lrand48 random srandom abort _exit
sqrt sqrtf pow powf exp expf log logf log2 log2f log10 fabs fabsf floor floorf ceil ceilf round roundf lround
lroundf llround llroundf trunc truncf fmod fmodf fmin fmax fminf fmaxf sin cos tan sinf cosf tanf asin acos atan
atan2 sinh cosh tanh cbrt hypot abs labs llabs div free _ZdlPv _ZdlPvm _ZdaPv _ZdaPvm __cxa_atexit
__cxa_guard_acquire __cxa_guard_release __cxa_guard_abort __cxa_throw_bad_array_new_length __clang_call_terminate
_ZSt9terminatev __cxa_allocate_exception __cxa_free_exception __cxa_throw __cxa_rethrow __cxa_begin_catch
__cxa_end_catch __gxx_personality_v0 __errno_location __assert_fail __assert __stack_chk_fail
`,
	changesFirst: `strcpy strncpy strcat strncat sprintf snprintf memcpy memmove memset bzero`,
	changesSecond: `
atoi atol atoll atof strtol strtoll strtoul strtoull strtod strtof stoi stol stoll stoul stoull stof stod
__isoc23_strtol __isoc23_strtoll __isoc23_strtoul __isoc23_strtoull
`,
	changesTargets: `
printf fprintf vprintf vfprintf sscanf fscanf scanf __isoc99_sscanf __isoc99_fscanf __isoc99_scanf __isoc23_sscanf
__isoc23_fscanf __isoc23_scanf fread fwrite fgets fgetc fclose fflush feof ferror getline time gettimeofday
clock_gettime nanosleep strdup strtok strtok_r strchr strrchr strstr frexp modf remquo
`,
})

func effectsByName(words map[effect]string) map[string]effect {
	out := make(map[string]effect)
	for e, list := range words {
		for _, name := range strings.Fields(list) {
			out[name] = e
		}
	}
	return out
}

// ownStreams reports whether the program has buffers of streams of its own, which are called where a stream is used.
func ownStreams(m *llvm.Module) bool {
	return m.Mentioned["_ZTISt15basic_streambufIcSt11char_traitsIcEE"]
}

// libraryPrefixes are those of mangled names of the C++ library that keep no addresses and call nothing of the program:
// streams, strings, memory, time, nodes of containers, exceptions that are thrown.
var libraryPrefixes = strings.Fields(`
_ZNSo _ZNKSo _ZNSi _ZNKSi _ZStls _ZStrs _ZSt4endl _ZSt5flush _ZSt4ends _ZSt7getline _ZNSs _ZNKSs _ZNSaI
_ZNSt7__cxx1112basic_string _ZNKSt7__cxx1112basic_string _ZNSt7__cxx1118basic_stringstream
_ZNKSt7__cxx1118basic_stringstream _ZNSt7__cxx1119basic_ostringstream _ZNKSt7__cxx1119basic_ostringstream
_ZNSt7__cxx1119basic_istringstream _ZNKSt7__cxx1119basic_istringstream _ZNSt8ios_base _ZNKSt8ios_base
_ZNSt9basic_ios _ZNKSt9basic_ios _ZNSt14basic_ifstream _ZNSt14basic_ofstream _ZNSt13basic_fstream
_ZNSt13basic_filebuf _ZNSt6chrono _ZNKSt6chrono _ZSt20__throw _ZSt17__throw _ZSt16__throw _ZSt19__throw
_ZSt24__throw _ZSt28__throw _ZSt25__throw _ZSt18_Rb_tree _ZSt29_Rb_tree _ZNSt8__detail15_List_node_base
_ZNKSt8__detail20_Prime_rehash_policy _ZNSt8__detail20_Prime_rehash_policy _ZNSt9exception _ZNSt13runtime_error
_ZNSt11logic_error _ZNSt12out_of_range _ZNSt16invalid_argument _ZNSt13random_device
`)

// printing lists functions that write to targets of their arguments only by %n, which texts of the command line are not
// for.
var printing = setOf("printf fprintf")

// effectOfRuntime returns the effect of a function of the CUDA runtime, from its name without cuda. A function that can
// start something which uses addresses later, and one that is not known, may change everything. Copies to the host are
// not here.
func effectOfRuntime(rest string) effect {
	for _, p := range runtimePrefixes {
		if strings.HasPrefix(rest, p) {
			return changesTargets
		}
	}
	return changesAll
}

// runtimePrefixes are those of names of the CUDA runtime, after cuda, whose functions write to the targets of their
// arguments at most (CUDA Runtime API).
var runtimePrefixes = strings.Fields(`
Free GetLastError PeekAtLastError GetError GetDevice GetDriver SetDevice SetValidDevices ChooseDevice InitDevice
DeviceSynchronize ThreadSynchronize ThreadExit DeviceReset DeviceGet DeviceSet DeviceCanAccessPeer
DeviceEnablePeerAccess DeviceDisablePeerAccess DeviceFlushGPUDirect StreamSynchronize StreamCreate StreamDestroy
StreamQuery StreamWaitEvent StreamGet StreamSetAttribute StreamIsCapturing StreamBeginCapture StreamEndCapture
EventCreate EventRecord EventSynchronize EventQuery EventElapsedTime EventDestroy FuncSet FuncGet Occupancy
MemGetInfo MemPrefetch MemAdvise MemRangeGet PointerGetAttributes RuntimeGetVersion DriverGetVersion Profiler
MallocArray Malloc3D MallocMipmapped CreateChannelDesc GetChannelDesc CreateTextureObject DestroyTextureObject
CreateSurfaceObject DestroySurfaceObject BindTexture UnbindTexture GetTexture BindSurface ArrayGet MemcpyToSymbol
MemcpyToArray Memcpy2DToArray MemPool CtxResetPersistingL2Cache IpcGet GetSymbolSize
`)

// runtimeFunction is a function of the CUDA runtime that is executed where it has at least so many arguments. Its
// result, an error code, is unknown.
type runtimeFunction struct {
	args int
	run  func(x cudaRuntime, args []memory.Value)
}

// runtimeFunctions gives the functions of the CUDA runtime that are executed, by their names.
var runtimeFunctions = map[string]runtimeFunction{
	"cudaLaunchKernel":            {7, func(x cudaRuntime, args []memory.Value) { x.launch(args, false) }},
	"cudaLaunchCooperativeKernel": {7, func(x cudaRuntime, args []memory.Value) { x.launch(args, true) }},

	"cudaMalloc":        {2, func(x cudaRuntime, args []memory.Value) { x.allocate(args, false) }},
	"cudaMallocAsync":   {2, func(x cudaRuntime, args []memory.Value) { x.allocate(args, false) }},
	"cudaMallocManaged": {2, func(x cudaRuntime, args []memory.Value) { x.allocate(args, true) }},
	"cudaMallocPitch":   {4, cudaRuntime.allocatePitch},
	"cudaMallocHost":    {2, func(x cudaRuntime, args []memory.Value) { x.allocateHost(args[0]) }},
	"cudaHostAlloc":     {2, func(x cudaRuntime, args []memory.Value) { x.allocateHost(args[0]) }},

	"cudaMemset":              {3, cudaRuntime.memset},
	"cudaMemsetAsync":         {3, cudaRuntime.memset},
	"cudaMemcpyToSymbol":      {2, func(x cudaRuntime, args []memory.Value) { x.givesDevice(args[1]) }},
	"cudaMemcpyToSymbolAsync": {2, func(x cudaRuntime, args []memory.Value) { x.givesDevice(args[1]) }},

	// Copies to the first argument, which may be memory of the host; later ones in the stream that is the argument with
	// a number.
	"cudaMemcpy": {3, copying(0)}, "cudaMemcpyAsync": {5, copying(4)},
	"cudaMemcpy2D": {3, copying(0)}, "cudaMemcpy2DAsync": {8, copying(7)},
	"cudaMemcpyFromSymbol": {3, copying(0)}, "cudaMemcpyFromSymbolAsync": {6, copying(5)},
	"cudaMemcpyFromArray": {3, copying(0)}, "cudaMemcpyFromArrayAsync": {7, copying(6)},
	"cudaMemcpy2DFromArray": {3, copying(0)}, "cudaMemcpy2DFromArrayAsync": {9, copying(8)},
	"cudaMemcpyPeer": {3, copying(0)}, "cudaMemcpyPeerAsync": {6, copying(5)},
	"cudaMemset2D": {3, copying(0)}, "cudaMemset2DAsync": {6, copying(5)},

	"cudaGetDeviceProperties_v2":                             {2, cudaRuntime.deviceProperties},
	"cudaDeviceGetAttribute":                                 {3, cudaRuntime.deviceAttribute},
	"cudaOccupancyMaxActiveBlocksPerMultiprocessor":          {4, cudaRuntime.resident},
	"cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags": {5, cudaRuntime.resident},

	"cudaDeviceSynchronize": {0, cudaRuntime.allSynchronised},
	"cudaThreadSynchronize": {0, cudaRuntime.allSynchronised},
	"cudaStreamSynchronize": {1, func(x cudaRuntime, args []memory.Value) { x.synchronised(args[0].Equal) }},
}

func copying(stream int) func(cudaRuntime, []memory.Value) {
	return func(x cudaRuntime, args []memory.Value) { x.copied(args, stream) }
}

// call executes a function of the CUDA runtime; ok is false for others.
func (x cudaRuntime) call(name string, args []memory.Value) (v memory.Value, ok bool) {
	if x.later && name != "" { // functions of the host may have run
		x.st.ForgetShared()
	}
	switch {
	case name == "__cudaPushCallConfiguration" && len(args) >= 5:
		return x.pushConfig(args), true
	case name == "__cudaPopCallConfiguration" && len(args) >= 4:
		x.popConfig(args)
		return constantOf(0), true
	}
	f, ok := runtimeFunctions[name]
	if !ok || len(args) < f.args {
		return memory.Value{}, false
	}
	f.run(x, args)
	return memory.Value{}, true
}

// runtimeStarts lists prefixes of names of functions after which kernels, copies or functions of the host may run at
// any time.
var runtimeStarts = strings.Fields(`
cudaGraph cudaLaunchHostFunc cudaStreamAddCallback cudaStreamBeginCapture cuGraph cuLaunchHostFunc
cuStreamAddCallback cuStreamBeginCapture
`)

// runtimeName returns the name of a function of the CUDA runtime without what says which stream is the default one; ""
// for functions of C++.
func runtimeName(mangled string) string {
	if !strings.HasPrefix(mangled, "cuda") && !strings.HasPrefix(mangled, "__cuda") {
		return ""
	}
	return strings.TrimSuffix(strings.TrimSuffix(mangled, "_ptds"), "_ptsz")
}

// heapAllocators gives the functions that return new memory of the host.
var heapAllocators = setOf(`
malloc calloc _Znwm _Znam _ZnwmSt11align_val_t _ZnamSt11align_val_t _ZnwmRKSt9nothrow_t _ZnamRKSt9nothrow_t
aligned_alloc
`)

// returnsTwice lists functions that may return again later, when variables have changed.
var returnsTwice = setOf("setjmp _setjmp __sigsetjmp sigsetjmp vfork getcontext")

// otherLaunchers lists parts of names of functions that launch kernels, or change what a launch is, in ways that are
// not read.
var otherLaunchers = strings.Fields("NodeSetParams GraphExecUpdate cuLaunch cuGraphAddKernelNode cuGraphAddNode")

// launchFunctions lists the functions of the runtime that launch a kernel.
var launchFunctions = setOf("cudaLaunchKernel cudaLaunchCooperativeKernel")

// ofStandard reports whether a mangled name belongs to the library of C++.
func ofStandard(name string) bool {
	for _, p := range strings.Fields(`
_ZSt _ZNSt _ZNKSt _ZNVSt _ZNS _ZNKS _ZN9__gnu_cxx _ZNK9__gnu_cxx _ZN10__cxxabiv1 _Zn _Zd _ZGV _ZTW
`) {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// asserting reports whether a function or macro that is not defined in the program checks a condition, by its name.
func asserting(name string) bool {
	l := strings.ToLower(name)
	return strings.HasSuffix(l, "assert") || strings.HasPrefix(l, "assert") || name == "CHECK" ||
		strings.HasPrefix(name, "CHECK_") || strings.HasPrefix(name, "DCHECK") ||
		strings.HasSuffix(name, "_CHECK") || strings.HasSuffix(name, "_ENFORCE")
}

// leavesGlobals reports whether a function only reads variables in device memory, or announces them to the runtime.
func leavesGlobals(name string) bool {
	return readsSymbol(name) || strings.HasPrefix(name, "__cudaRegister")
}

// noteCalls notes what calls in the program mean for it as a whole.
func (x *executor) noteCalls() {
	for _, f := range x.Order {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if in.Callee.Kind == llvm.OpGlobal {
					x.noteCall(unprefixed(in.Callee.Name))
				}
			}
		}
	}
}

func (x *executor) noteCall(name string) {
	for _, p := range runtimeStarts {
		x.later = x.later || strings.HasPrefix(name, p)
	}
	for _, part := range otherLaunchers {
		x.others = x.others || strings.Contains(name, part)
	}
}

// readsSymbol reports whether a function of the runtime with that name copies from a variable of device memory.
func readsSymbol(name string) bool { return strings.Contains(name, "cudaMemcpyFromSymbol") }

// maxPitch is the largest pitch that the runtime returns (cudaDeviceProp::memPitch).
const maxPitch = 1<<31 - 1
