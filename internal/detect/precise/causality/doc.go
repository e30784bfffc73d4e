// Package causality finds out what is ordered before what: threads with their warps, blocks and grids, what they
// release and acquire by strong accesses to locations, fences, barriers and observation, and the locks of the papers'
// model. Events of synchronisation enter; whoever has an entry of an earlier access asks whether it precedes the access
// in progress. It must know neither the record of accesses nor which accesses conflict.
package causality
