package emu

// semanticsTables are the semantics of PTX, opcode by opcode, one table per
// chapter of the manual. To emulate another opcode, add an entry to the table of
// its chapter.
var semanticsTables = []map[string]decodeFunc{
	semControl,
	semSync,
	semInt,
	semCompare,
	semLogic,
	semFloat,
	semMove,
	semConvert,
	semMemory,
	semCache,
	semAtomic,
	semAsync,
	semTensorMap,
	semBarrierObject,
	semCluster,
	semMatrix,
	semWarpgroup,
	semVideo,
	semStack,
	semTexture,
	semSurface,
}

// semantics is all of them.
var semantics = func() map[string]decodeFunc {
	all := map[string]decodeFunc{}
	for _, t := range semanticsTables {
		for name, f := range t {
			if all[name] != nil {
				panic("BUG: emu: " + name + " has two semantics")
			}
			all[name] = f
		}
	}
	return all
}()
