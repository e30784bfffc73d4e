// Package query is the session in which an analysis asks the solver: what is known of the launches of a kernel, the
// budget of work, and the answers and refutations that are kept.
//
// What enters are launch facts (internal/static/facts), a budget and queries, each a goal that must hold for one or two
// threads, with facts that may be used. What leaves are answers: values that satisfy the goal, or the names of the facts
// by which there are none. Definitions among the facts are put into formulas before the solver gets them. [Proofs]
// records the refutations, or answers from a record without a search.
//
// The package must not know accesses of kernels, pairs and races.
package query
