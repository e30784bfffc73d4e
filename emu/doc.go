// Package emu runs PTX without a GPU: a functional, deterministic emulator that reports what would go wrong on a
// device.
//
// A Machine is a module (rewrite.Module) loaded on a Device, alone or with other modules. Launch runs a kernel to its
// end or to its first fault; the contents of device memory remain afterwards. Registers of a warp are vectors of 32
// lanes. Every instruction is dispatched once per warp: through a function pointer set at decode time (state.Inst) or,
// where the processor supports it, by handlers in assembly (internal/program, vector_run.go), which compute and
// schedule exactly the same. Threads that execute together form groups, which split at divergent branches and
// reconverge at immediate post-dominators (internal/groups). The scheduling policy decides which group runs next, and
// how long lanes wait at joins (internal/sched). The same module, launches, policy and seed always give the same
// interleaving. The choices of a policy can be recorded, replayed and minimised (internal/schedule). Package explore
// runs a program under many schedules.
//
// To emulate another opcode, add a decode function to the table of its chapter in internal/exec, async or mma. The
// arithmetic itself is in internal/num.
//
// The emulator models all state spaces with bounds and alignment checks, generic addressing, independent thread
// scheduling with forward progress or the SIMT stack of older GPUs, barriers with numbers and counts, barrier objects
// (mbarrier), asynchronous copies (also of tensor tiles and im2col columns), clusters with distributed shared memory,
// textures and surfaces, calls with recursion and function pointers, vprintf, assertions, device malloc, and kernels
// that launch kernels (internal/grids).
//
// A launch with provably independent blocks (parallel_independence.go) runs in parts, on several processors if
// Config.Workers allows it (parallel_workers.go), also with a listener that needs none of its accesses
// (abi.Needs.Skips).
//
// The emulator does not model time and caches; memory is sequentially consistent (listeners judge weak outcomes) unless
// Config.Memory says otherwise. There are no separate samplers and interleaved tensors. New names those that a module
// needs; package support also lists what is only approximated.
//
// # Inputs and outputs
//
// Inputs are a module (rewrite.Module), launches and a Config. Outputs are results, faults, the kernel's printed text
// and events (Listener); device memory can be read after a launch. The package does not depend on passes, detectors,
// launch files or reports.
//
// # Rooms
//
// The package itself is the face, machines and devices, and the engine's turn (engine.go, launch.go, vector_run.go,
// vector_turns.go), with launches in parts (parallel_*.go) and listings (debug*.go). What runs is data in
// internal/state: Engine, Machine, Launch, Warp, Group, Frame, Inst. Packages above it are functions on that data; each
// imports only what is above it in this list:
//
//	internal/state     machines, launches, blocks, warps, groups, frames, decoded instructions
//	internal/events    events for listeners
//	internal/faults    faults, limits of a launch
//	internal/decode    operands of instructions as slots of a frame
//	internal/memory    addresses to bytes, and the checks of accesses
//	internal/groups    groups of lanes, joins, activation frames
//	internal/weak      weak memory: values of loads, loads resolved late, order, explanations
//	internal/sched     policies, replay, the start of blocks, spin loops (groups sleep until what they read changes)
//	internal/flights   completion of asynchronous operations
//	internal/barriers  barriers: lanes, warps and blocks that wait for each other; the end of threads
//	internal/grids     checks of launches, grids that threads launch, progress
//	internal/async     semantics of asynchronous copies, mbarriers, tensor copies, tensor memory
//	internal/mma       semantics of matrix instructions
//	internal/exec      semantics of the other instructions, by chapter of the manual
//	internal/program   functions: inlining, loops, joins, translation to assembly; placing of variables
//
// Below all of them, without knowledge of the engine: internal/gmem (device memory), internal/texture, internal/tensor,
// internal/matrix, internal/tmem (tensor memory), internal/mbar, internal/printf, internal/scalar and num (arithmetic),
// internal/vector (programs in assembly), internal/weakmem, internal/schedule.
//
// # A group and its turn
//
// The states of a group (groupState):
//
//	           turn ends            a word changes
//	+---------------------> ready <---------------- parked
//	|                        | ^                      ^
//	|    Scheduler.Next      v | barrier completes    | a round of a loop changes nothing
//	+--------------------- (runs) --------------------+
//	                         |  \-----> barrier, sync  waits for others; then ready
//	                         |  \-----> pending        the other side of a branch runs first
//	                         v                          (policies with a SIMT stack); then ready
//	                        gone    merged into another group, arrived at a join, or exited
//
// One turn (turn): blocks are admitted. The scheduler takes a group off its queue and sets how many scheduling
// points it may pass. If the policy merges, groups of the warp at the same place are merged into it. The group executes
// in assembly where there are handlers, else one body after the other. The turn ends when the quantum is used up or the
// group waits, spins, arrives at a join or exits. A group that can still run is queued again. The assembly takes short
// turns, such as from barrier to barrier, of several warps of a block in a single run (vector_turns.go).
package emu
