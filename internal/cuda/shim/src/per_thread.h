// Functions with per-thread default streams, whose names end in _ptsz or _ptds: they are those without the ending, while the
// default stream is that of the thread (CUDA Runtime API, "Stream synchronization behavior").
#ifndef PTXSAN_PER_THREAD_H
#define PTXSAN_PER_THREAD_H

#include "wire.h"

// IN_THREAD defines such a function, other, of a function of up to 11 parameters, which have the types in params. Parameters are
// numbered from the last to the first.
#define IN_THREAD(result, name, other, params) \
	EXPORT result other(THREAD_TYPES(params)) { return WITH_THREAD(name(THREAD_VALUES(params))); }

// WITH_THREAD is the value of a call, while the default stream is that of the thread.
#define WITH_THREAD(call)                      \
	({                                         \
		int thread_outer = wire_per_thread(1); \
		int thread_result = (call);            \
		wire_per_thread(thread_outer);         \
		thread_result;                         \
	})

#define THREAD_JOINED(a, b) a##b
#define THREAD_JOIN(a, b) THREAD_JOINED(a, b)
#define THREAD_NUMBER(t11, t10, t9, t8, t7, t6, t5, t4, t3, t2, t1, n, ...) n
#define THREAD_COUNT(...) THREAD_NUMBER(__VA_ARGS__, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define THREAD_TYPES(params) THREAD_JOIN(THREAD_T, THREAD_COUNT params) params
#define THREAD_VALUES(params) THREAD_JOIN(THREAD_V, THREAD_COUNT params)

#define THREAD_T1(t) __typeof__(t) p1
#define THREAD_T2(t, ...) __typeof__(t) p2, THREAD_T1(__VA_ARGS__)
#define THREAD_T3(t, ...) __typeof__(t) p3, THREAD_T2(__VA_ARGS__)
#define THREAD_T4(t, ...) __typeof__(t) p4, THREAD_T3(__VA_ARGS__)
#define THREAD_T5(t, ...) __typeof__(t) p5, THREAD_T4(__VA_ARGS__)
#define THREAD_T6(t, ...) __typeof__(t) p6, THREAD_T5(__VA_ARGS__)
#define THREAD_T7(t, ...) __typeof__(t) p7, THREAD_T6(__VA_ARGS__)
#define THREAD_T8(t, ...) __typeof__(t) p8, THREAD_T7(__VA_ARGS__)
#define THREAD_T9(t, ...) __typeof__(t) p9, THREAD_T8(__VA_ARGS__)
#define THREAD_T10(t, ...) __typeof__(t) p10, THREAD_T9(__VA_ARGS__)
#define THREAD_T11(t, ...) __typeof__(t) p11, THREAD_T10(__VA_ARGS__)
#define THREAD_V1 p1
#define THREAD_V2 p2, THREAD_V1
#define THREAD_V3 p3, THREAD_V2
#define THREAD_V4 p4, THREAD_V3
#define THREAD_V5 p5, THREAD_V4
#define THREAD_V6 p6, THREAD_V5
#define THREAD_V7 p7, THREAD_V6
#define THREAD_V8 p8, THREAD_V7
#define THREAD_V9 p9, THREAD_V8
#define THREAD_V10 p10, THREAD_V9
#define THREAD_V11 p11, THREAD_V10

#endif
