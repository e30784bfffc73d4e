// Package library computes functions of CUDA's libraries (cuBLAS, cuRAND, cuFFT, cuSPARSE, NCCL) on the host, over
// memory of an emulated device, since NVIDIA's own are machine code.
//
// Design. A table (table.go) has a row for each function: its names, the kinds of its parameters, and what computes it.
//
//   - internal/cuda/shim generates a C function for each name from the table. It packs its arguments into one request, and
//     unpacks results that the host gets. What a library keeps in a handle for its callers (the stream, where scalars are,
//     math modes) is hand-written C there. Other objects, such as plans, generators and descriptors, are kept here in a
//     State, and the application has their numbers. All other names of a library exist and return "not supported".
//   - internal/cuda/wire receives the request and passes the arguments on.
//   - internal/cuda executes it: a call is one operation of its stream, named after the function, as a launch of a kernel is.
//     Each range that it reads or writes takes part in the order of streams (internal/order), in the protection of
//     memory that the host shares, and in the check for memory that nothing has written. A range outside of allocations is a
//     fault of the operation.
//   - This package reads the operands, computes, and writes the results. A strided operand is read as columns, and of a
//     triangular or symmetric matrix only the triangle that the function refers to is touched.
//
// Numbers. Real operands of all types are computed in double precision, complex ones in pairs of double precision, and
// are rounded to the type of the result once. gonum.org/v1/gonum does linear algebra and Fourier transforms. The
// results of NVIDIA's libraries have other rounding errors, which reports say once. cuBLAS's matrices are column-major
// and gonum's row-major: a matrix as it lies in memory is the transposed one to gonum, and functions exchange operands
// accordingly.
//
// NCCL. What the ranks of a communicator exchange goes through internal/cuda (communicator.go, collective.go). Here are
// the parts that each rank sends and receives (collective.go), and the reductions (reduction.go): ranks are combined in
// their order, integers modulo their size, floating point in double precision, rounded once.
//
// Sources: NVIDIA's documentation of the libraries; for random numbers, the publications of the generators (rand.go).
//
// It must not know the device, streams, processes, or how a call arrives.
package library
