// The table: operations among the lanes of a warp.

package isa

// warpRows: communication between the lanes of a warp, PTX ISA 9.7.9.5, 9.7.9.6
// and 9.7.13.8 to 9.7.13.14. The forms without .sync are those that sm_70 dropped.
var warpRows = []row{
	{name: "shfl", since: 30, minSM: 30, ref: "9.7.9.5, 9.7.9.6", doc: "read another lane's register", effects: Convergent | Shuffles, forms: `
		.mode = up down bfly idx
		shfl.sync.mode.b32 d{|p:pred}, a, b, c, membermask ; 6.0 waits
		shfl.mode.b32 d{|p:pred}, a, b, c ; gone6.4`},
	{name: "vote", since: 12, minSM: 12, ref: "9.7.13.8, 9.7.13.9", doc: "reduce a predicate over the lanes", effects: Convergent, forms: `
		.mode = all any uni
		vote.sync.mode.pred d, {!}a, membermask:b32 ; 6.0 sm_30 waits agrees
		vote.sync.ballot.b32 d, {!}a:pred, membermask ; 6.0 sm_30 waits agrees
		vote.mode.pred d, {!}a ; gone6.4
		vote.ballot.b32 d, {!}a:pred ; 2.0 sm_20 gone6.4`},
	{name: "match", since: 60, minSM: 70, ref: "9.7.13.10", doc: "find the lanes that hold the same value", effects: Convergent | Synchronises, forms: `
		.type = b32 b64
		match.any.sync.type d:b32, a, membermask:b32
		match.all.sync.type d:b32{|p:pred}, a, membermask:b32 ; agrees`},
	{name: "activemask", since: 62, minSM: 30, ref: "9.7.13.11", doc: "mask of the lanes that execute together now", effects: Convergent | ReadsClock, forms: `
		activemask.b32 d`},
	{name: "redux", since: 70, minSM: 80, ref: "9.7.13.12", doc: "reduce a register over the lanes", effects: Convergent | Synchronises | Agrees, forms: `
		.op = add min max
		.type = u32 s32
		redux.sync.op.type d, a, membermask:b32
		.op = and or xor
		redux.sync.op.b32 d, a, membermask
		.op = min max
		redux.sync.op{.abs}{.NaN}.f32 d, a, membermask:b32 ; 8.6 sm_100f`},
	{name: "elect", since: 80, minSM: 90, ref: "9.7.13.14", doc: "elect one lane as leader", effects: Convergent | Synchronises | Elects, forms: `
		elect.sync d:b32|p:pred, membermask:b32`},
}
