// Package emu runs PTX without a GPU: a functional, deterministic emulator that
// reports what would go wrong on a device.
//
// A Machine is a module (rewrite.Module) that is loaded on a Device, alone or beside others. Launch runs a
// kernel to its end or to its first fault; device memory stays as it was then.
// Registers of a warp are vectors of 32 lanes and every instruction is dispatched
// once per warp through a function pointer decoded beforehand (inst.go), or, where the
// processor can, by handlers in assembly (vector_translate.go, vector_run.go), which compute
// and schedule exactly the same. Threads
// that run together form groups that split at divergent branches and meet again
// at immediate post-dominators (warp.go, warp_join.go, engine.go); which group runs next, and
// how long lanes wait for each other, is the policy's affair (sched.go). The same
// module, launches, policy and seed give the same interleaving, always; what a
// policy chose can be recorded, replayed and minimised (sched_replay.go,
// emu/schedule). Many schedules of one program are explored by Explore (explore.go).
//
// To emulate another opcode, add a decode function to the table of its chapter in
// sem_*.go. The arithmetic itself is in emu/num.
//
// What is modelled: all state spaces with bounds and alignment, generic
// addressing, independent thread scheduling with forward progress or the SIMT
// stack of older GPUs, barriers with numbers and counts, barrier objects,
// asynchronous copies, those of tiles and columns of tensors too, clusters with distributed
// shared memory, textures and surfaces, calls with recursion and function pointers, vprintf, assertions,
// device malloc, kernels that launch kernels (launch_grid.go).
//
// A launch whose blocks provably cannot see each other (parallel_independence.go) runs in parts,
// on several processors if Config.Workers says so (parallel_workers.go), also with a listener that
// needs none of its accesses (Needs.Skips).
//
// What is not: time, caches and weak memory (every run is a sequentially
// consistent interleaving, judging weak outcomes is up to listeners), separate
// samplers, interleaved tensors. New names those that a module needs;
// package support lists what is only approximated, too.
//
// # What enters, what leaves
//
// A module (rewrite.Module), launches and a Config enter. Results, faults, what the kernel prints
// and events (Listener) leave; device memory can be read after a launch. The package knows nothing
// of passes, detectors, launch files or reports.
//
// The engine is one package: warps, joins, the scheduler, the decoder and barriers work on the
// same state. What does not need that state is in packages below: internal/gmem (device memory),
// internal/texture, internal/tensor, internal/matrix, internal/tmem (tensor memory), internal/mbar, internal/printf,
// internal/scalar and num (arithmetic), internal/vector (programs in assembly), schedule (policies,
// schedules). Package support lists what is emulated.
//
// # Files
//
//	machine, device, loader, launch*   machines on devices; what a module needs; launches of grids
//	decode*, function, inst            instructions to inst values; calls in place, registers, joins
//	engine, warp*, frame, call         execution of one group; groups, joins, activations
//	sched*                             policies: which group is next, and for how long; replay
//	spin*                              groups that spin sleep until a word that they read changes; detection, wait sets, known rounds
//	barrier, cluster*, warpsync        lanes, warps and blocks that wait for each other
//	mem_*                              addresses to bytes, and the checks of an access
//	sem_*, texture, tensor_*, ...      semantics of instructions, by chapter of the manual
//	async_*, mbarrier                  operations that complete later
//	vector_*                           translation to programs in assembly, and running them
//	event*                             what listeners are handed
//	parallel_*                         blocks of one launch on several processors, where they are independent
//	device_*, extern                   the functions of the device runtime
//	fault, limits, verify, debug*      faults, limits, checks of the engine's state, text forms
//	explore*                           many schedules of one program
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
// One turn (engine.turn): blocks are admitted; the scheduler takes a group off its queue and says how
// many scheduling points it may pass; if the policy says so, groups of the warp at the same place
// are merged into it. The group runs in stretches: in assembly as far as there are handlers, else
// one body after the other. The turn ends when the points are used up or the group waits, spins, arrives at
// a join or exits. A group that still can run is queued again. Turns that are short, such as from
// barrier to barrier, the assembly takes for several warps of a block one after the other (vector_turns.go).
package emu
