// Package labels follows what the values of a run come from: the initial contents of which buffers, and which operations
// whose results depend on the order of threads. It finds out which of them decide where control went or which memory
// was accessed. A run whose control and addresses depend on nothing stands for every schedule and all contents.
//
// What enters are the events of launches, and for each kernel a Table: which instructions' values reach what it stores
// and what steers. Each word of memory has a label, a set of origins; an instruction's label is that of everything that
// it has read in the launch. What leaves are dependences (detect.Dependence) and the buffers whose contents decide
// nothing.
//
// The package must not know PTX, the emulator, nor which operations' results depend on the order: who asks says so.
package labels
