// The table: control flow.

package isa

// controlRows: PTX ISA 9.7.12. The operands of call are told apart by their
// syntax: an optional (result) list, the callee, an optional (argument) list, and
// for indirect calls a prototype or target list.
var controlRows = []row{
	{name: "bra", since: 10, ref: "9.7.12.3", doc: "branch to a label", effects: Branches, forms: `bra{.uni} tgt:label`},
	{name: "brx", since: 60, minSM: 30, ref: "9.7.12.4", doc: "branch to the i-th label of a list", effects: Branches, forms: `brx.idx{.uni} index:u32, tlist:symbol`},
	{name: "call", since: 10, ref: "9.7.12.5", doc: "call a function", effects: Calls, forms: `
		call{.uni} func:callee
		call{.uni} func:callee, (param_list):callee
		call{.uni} (ret_param):callee, func:callee, (param_list):callee
		# The prototype or target list of an indirect call may follow fewer operands: call (r), f, p; and call f, (a), p; the operands are told apart by their syntax.
		call{.uni} (ret_param):callee, fptr:callee, (param_list):callee, fproto:callee ; 2.1 sm_20`},
	{name: "ret", since: 10, ref: "9.7.12.6", doc: "return from a function", effects: Terminates, forms: `ret{.uni}`},
	{name: "exit", since: 10, ref: "9.7.12.7", doc: "end the thread", effects: Terminates | Exits, forms: `exit`},
}

// stackRows: PTX ISA 9.7.17.
var stackRows = []row{
	{name: "stacksave", calc: CalcAddress, since: 73, minSM: 52, ref: "9.7.17.1", doc: "read the stack pointer", forms: `
		.type = u32 u64
		stacksave.type d`},
	{name: "stackrestore", since: 73, minSM: 52, ref: "9.7.17.2", doc: "set the stack pointer back", forms: `
		.type = u32 u64
		stackrestore.type a`},
	{name: "alloca", calc: CalcAddress, since: 73, minSM: 52, ref: "9.7.17.3", doc: "allocate local memory on the stack", effects: ReadsClock, forms: `
		.type = u32 u64
		alloca.type =ptr, size{, immAlign:u32#any}`},
}

// miscRows: PTX ISA 9.7.19, and griddepcontrol of 9.7.13.
var miscRows = []row{
	{name: "brkpt", since: 10, minSM: 11, ref: "9.7.19.1", doc: "stop at a breakpoint", forms: `brkpt`},
	{name: "nanosleep", since: 63, minSM: 70, ref: "9.7.19.2", doc: "sleep for about so many nanoseconds", forms: `nanosleep.u32 t`},
	{name: "pmevent", since: 14, ref: "9.7.19.3", doc: "trigger performance monitor events", forms: `pmevent{.mask@30/20} a:u32#0..65535`},
	{name: "trap", since: 10, ref: "9.7.19.4", doc: "abort the grid", effects: Terminates | Aborts, forms: `trap`},
	{name: "setmaxnreg", since: 80, only: "sm_90a sm_100f sm_101f sm_120f", ref: "9.7.19.5", doc: "give up or ask for registers", effects: Convergent | Synchronises, forms: `
		.action = inc dec
		setmaxnreg.action.sync.aligned.u32 imm_reg_count#24..256/8`},
	{name: "griddepcontrol", since: 78, minSM: 90, ref: "9.7.13.13", doc: "order dependent grids", forms: `
		griddepcontrol.launch_dependents
		griddepcontrol.wait ; orders waits`},
}
