// Package emu runs PTX without a GPU: a functional, deterministic emulator that reports what would go wrong on a
// device.
//
// A Machine is a module (rewrite.Module) loaded on a Device, alone or with other modules. Launch runs a kernel to its
// end or to its first fault; the contents of device memory remain afterwards. Registers of a warp are vectors of 32
// lanes. Every instruction is dispatched once per warp: through a function pointer set at decode time (inst.go) or,
// where the processor supports it, by handlers in assembly (vector_translate.go, vector_run.go), which compute and
// schedule exactly the same. Threads that execute together form groups, which split at divergent branches and
// reconverge at immediate post-dominators (warp.go, warp_join.go, engine.go). The scheduling policy decides which group
// runs next, and how long lanes wait at joins (sched.go). The same module, launches, policy and seed always give the
// same interleaving. The choices of a policy can be recorded, replayed and minimised (sched_replay.go,
// emu/internal/schedule). Explore runs a program under many schedules (explore.go).
//
// To emulate another opcode, add a decode function to the table of its chapter in sem_*.go. The arithmetic itself is in
// emu/internal/num.
//
// The emulator models all state spaces with bounds and alignment checks, generic addressing, independent thread
// scheduling with forward progress or the SIMT stack of older GPUs, barriers with numbers and counts, barrier objects
// (mbarrier), asynchronous copies (also of tensor tiles and im2col columns), clusters with distributed shared memory,
// textures and surfaces, calls with recursion and function pointers, vprintf, assertions, device malloc, and kernels
// that launch kernels (launch_grid.go).
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
// The engine is one package, because warps, joins, the scheduler, the decoder and barriers work on the same state. Code
// that does not need that state is in packages below: internal/gmem (device memory), internal/texture, internal/tensor,
// internal/matrix, internal/tmem (tensor memory), internal/mbar, internal/printf, internal/scalar and num (arithmetic),
// internal/vector (programs in assembly), schedule (policies, schedules). Package support lists what is emulated.
//
// # Files
//
//	machine, device, loader, launch*   machines on devices; requirements of modules; launches of grids
//	decode*, function, inst            translation of instructions to inst values; inlining, registers, joins
//	engine, warp*, frame, call         execution of one group; groups, joins, activation frames
//	sched*                             scheduling policies: the next group and its quantum; replay
//	spin*                              spin loops: detection, wait sets (groups sleep until a word that they read changes), known rounds
//	barrier, cluster*, warpsync        barriers: lanes, warps and blocks that wait for each other
//	mem_*                              addresses to bytes, and the checks of accesses
//	sem_*, texture, tensor_*, ...      semantics of instructions, by chapter of the manual
//	async_*, mbarrier                  asynchronous operations and their completion
//	vector_*                           translation to programs in assembly, and running them
//	event*                             events for listeners
//	parallel_*                         independent blocks of one launch on several processors
//	device_*, extern                   the functions of the device runtime
//	fault, limits, verify, debug*      faults, limits, checks of the engine's state, text forms
//	weak*                              weak memory: values of loads, loads resolved late, whole warps, order, explanations
//
// # A group and its turn
//
// The states of a group (groupState):
//
//	           turn ends            a word changes
//	+---------------------> ready <---------------- parked
//	|                        | ^                      ^
//	|    scheduler.next      v | barrier completes    | a round of a loop changes nothing
//	+--------------------- (runs) --------------------+
//	                         |  \-----> barrier, sync  waits for others; then ready
//	                         |  \-----> pending        the other side of a branch runs first
//	                         v                          (policies with a SIMT stack); then ready
//	                        gone    merged into another group, arrived at a join, or exited
//
// One turn (engine.turn): blocks are admitted. The scheduler takes a group off its queue and sets how many scheduling
// points it may pass. If the policy merges, groups of the warp at the same place are merged into it. The group executes
// in assembly where there are handlers, else one body after the other. The turn ends when the quantum is used up or the
// group waits, spins, arrives at a join or exits. A group that can still run is queued again. The assembly takes short
// turns, such as from barrier to barrier, of several warps of a block in a single run (vector_turns.go).
package emu
