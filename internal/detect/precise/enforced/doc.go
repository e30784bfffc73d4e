// Package enforced finds out which strong accesses the threads of a launch may make in another order, in other
// schedules, and whether that matters. Order is what holds in every schedule: that of programs, barriers and completed
// waits. Strong accesses enter, with the vector clocks of their threads; what leaves are the pairs whose order decides
// what is in memory, the accesses whose values depend on the order, and the waits that may end in another way. It must
// know neither PTX nor the record of accesses that races are found with.
package enforced
