// Shapes of control flow in which lanes of a warp part and meet again. Each kernel writes
// down which marks a thread passes. docs/lockstep.md compares where lanes meet under the
// policy lockstep with where ptxas has them meet for sm_60; shapes_test.go compares the
// marks with those of the same code on the processor (shapes.want).
//
// make shapes compiles it with clang 19, which needs no headers, and runs it as C++.

typedef unsigned u32;

#ifdef __CUDA__
#define KERNEL extern "C" __attribute__((global)) void
#define DEVICE __attribute__((device, noinline))
static inline __attribute__((device)) u32 thread() {
    u32 t;
    asm volatile("mov.u32 %0, %%tid.x;" : "=r"(t));
    return t;
}
#define BARRIER() __syncthreads()
// The performance monitor event is a mark that is seen in machine code; many stores keep
// ptxas from predicating instead of branching.
#define STORE(n) "st.volatile.global.u32 [%0], " #n ";"
#define MARK(n)                                                                                \
    asm volatile("pmevent.mask " #n ";" STORE(n) STORE(n) STORE(n) STORE(n) STORE(n) STORE(n)  \
                 STORE(n) STORE(n)::"l"(log++)                                                 \
                 : "memory")
#define TRAP() __builtin_trap()
#else
#define KERNEL extern "C" void
#define DEVICE static __attribute__((noinline))
static u32 current;
static u32 thread() { return current; }
#define BARRIER()
#define MARK(n) *log++ = n
#define TRAP() __builtin_trap()
#endif

// A shape's thread t reads q = in[t] and writes its marks to out[256 * t] and on.
#define SHAPE(name) KERNEL name(u32 *out, volatile u32 *in)
#define BEGIN                   \
    u32 t = thread();           \
    u32 *log = out + 256 * t;    \
    volatile u32 *q = in + t

// Branches whose sides may return.

SHAPE(plain) {
    BEGIN;
    if (t < 16) { MARK(1); } else { MARK(2); }
    MARK(3);
    BARRIER();
    MARK(4);
}

SHAPE(return_in_one_side) {
    BEGIN;
    if (t < 16) {
        MARK(1);
        if (*q == 7) return;
        MARK(2);
    } else {
        MARK(3);
    }
    BARRIER();
    MARK(4);
}

SHAPE(return_in_both_sides) {
    BEGIN;
    if (t < 16) {
        MARK(1);
        if (*q == 7) { MARK(5); return; }
        MARK(2);
    } else {
        MARK(3);
        if (*q == 8) { MARK(6); return; }
        MARK(4);
    }
    BARRIER();
    MARK(7);
}

SHAPE(return_early) {
    BEGIN;
    if (*q >= t) {
        MARK(1);
        BARRIER();
        MARK(2);
    }
}

SHAPE(return_after_work) {
    BEGIN;
    if (*q == 7) {
        MARK(1);
        for (u32 i = 0; i < *q; i++) MARK(2);
        return;
    }
    MARK(3);
    BARRIER();
    MARK(4);
}

SHAPE(return_of_the_other_side) {
    BEGIN;
    if (*q != 7) {
        MARK(1);
        BARRIER();
        MARK(2);
    } else {
        MARK(3);
        for (u32 i = 0; i < *q; i++) MARK(4);
        return;
    }
    MARK(5);
}

SHAPE(trap_in_one_side) {
    BEGIN;
    if (t < 16) {
        MARK(1);
        if (*q == 99) { MARK(2); TRAP(); }
        MARK(3);
    } else {
        MARK(4);
    }
    BARRIER();
    MARK(5);
}

SHAPE(endless_loop_in_one_side) {
    BEGIN;
    if (t < 16) {
        MARK(1);
        if (*q == 99) for (;;) MARK(2);
        MARK(3);
    } else {
        MARK(4);
    }
    BARRIER();
    MARK(5);
}

SHAPE(nested_returns) {
    BEGIN;
    if (t < 24) {
        MARK(1);
        if (t < 8) {
            MARK(2);
            if (*q == 7) return;
            MARK(3);
        } else {
            MARK(4);
            if (*q == 8) return;
            MARK(5);
        }
        MARK(6);
    } else {
        MARK(7);
    }
    BARRIER();
    MARK(8);
}

// Barriers in both sides of a branch that a warp takes as one.

SHAPE(barrier_in_both_sides) {
    BEGIN;
    if (t < 32) {
        MARK(1);
        if (*q == 7) return;
        MARK(2);
        BARRIER();
        MARK(3);
    } else {
        MARK(4);
        if (*q == 8) return;
        MARK(5);
        BARRIER();
        MARK(6);
    }
    MARK(7);
}

// Switches.

SHAPE(switch_without_default) {
    BEGIN;
    switch (*q & 3) {
    case 0: MARK(1); break;
    case 1: MARK(2); break;
    case 2: MARK(3); break;
    case 3: MARK(4); break;
    }
    BARRIER();
    MARK(5);
}

SHAPE(switch_by_table) {
    BEGIN;
    switch (*q & 7) {
    case 0: MARK(1); break;
    case 1: MARK(2); break;
    case 2: MARK(3); break;
    case 3: MARK(4); break;
    case 4: MARK(5); break;
    case 5: MARK(6); break;
    case 6: MARK(7); break;
    case 7: MARK(8); break;
    }
    BARRIER();
    MARK(9);
}

SHAPE(switch_that_returns) {
    BEGIN;
    switch (*q) {
    case 0: MARK(1);
    case 1: MARK(2); break;
    case 2: MARK(3);
    case 3: MARK(4); break;
    default: MARK(5); return;
    }
    BARRIER();
    MARK(6);
}

SHAPE(switch_with_many_returns) {
    BEGIN;
    switch (*q) {
    case 0: MARK(1); break;
    case 1: MARK(2); return;
    case 2: MARK(3); break;
    case 3: MARK(4); return;
    case 4: MARK(5); break;
    case 5: MARK(6); break;
    default: MARK(7); break;
    }
    MARK(8);
    BARRIER();
    MARK(9);
}

// Conditions of several parts.

SHAPE(both_conditions) {
    BEGIN;
    if (t < 16 && *q == 3) { MARK(1); } else { MARK(2); }
    MARK(3);
    BARRIER();
    MARK(4);
}

SHAPE(either_condition) {
    BEGIN;
    if (t < 16 || *q == 3) {
        MARK(1);
        BARRIER();
        MARK(2);
    } else {
        MARK(3);
    }
    MARK(4);
}

SHAPE(three_conditions) {
    BEGIN;
    if ((t < 16 && *q == 3) || *q == 5) { MARK(1); } else { MARK(2); if (*q == 7) return; }
    MARK(3);
    BARRIER();
    MARK(4);
}

// Loops.

SHAPE(loop) {
    BEGIN;
    for (u32 i = 0; i < *q; i++) MARK(1);
    MARK(2);
    BARRIER();
    MARK(3);
}

SHAPE(loop_do_continue) {
    BEGIN;
    u32 i = 0;
    do {
        MARK(1);
        if (*q == i) continue;
        MARK(2);
    } while (++i < *q);
    BARRIER();
    MARK(3);
}

// The lanes of one side have to go round before they can come to the other side.
SHAPE(loop_continue_before_break) {
    BEGIN;
    u32 i = 0;
    for (;;) {
        MARK(1);
        if (*q == i) {
            MARK(2);
        } else {
            MARK(3);
            if (i >= *q) break;
        }
        MARK(4);
        i++;
    }
    BARRIER();
    MARK(5);
}

SHAPE(loop_break_return) {
    BEGIN;
    for (u32 i = 0; i < *q; i++) {
        MARK(1);
        if (*q == 7) return;
        MARK(2);
        if (*q == 5) break;
        MARK(3);
    }
    BARRIER();
    MARK(4);
}

SHAPE(loop_in_one_side) {
    BEGIN;
    if (t < 16) {
        for (u32 i = 0; i < *q; i++) {
            MARK(1);
            if (*q == 7) return;
            MARK(2);
            if (*q == 5) break;
            MARK(3);
        }
        MARK(4);
    } else {
        MARK(5);
    }
    BARRIER();
    MARK(6);
}

SHAPE(loop_with_barrier) {
    BEGIN;
    for (u32 i = 0; i < 4; i++) {
        MARK(1);
        if (*q == i + 4) { MARK(2); return; }
        BARRIER();
        MARK(3);
    }
    MARK(4);
}

SHAPE(loop_with_exits) {
    BEGIN;
    u32 i = 0;
    for (;;) {
        MARK(1);
        if (*q <= i) { MARK(2); break; }
        if (*q == 9) { MARK(3); goto far; }
        if (*q == 10) return;
        i++;
        if (*q == 3) continue;
        MARK(4);
    }
    MARK(5);
    BARRIER();
    MARK(6);
far:
    MARK(7);
}

SHAPE(loops_left_at_once) {
    BEGIN;
    for (u32 i = 0; i < *q; i++) {
        MARK(1);
        for (u32 j = 0; j < *q; j++) {
            MARK(2);
            if (*q == 5) goto out;
            if (*q == 6) break;
            MARK(3);
        }
        MARK(4);
    }
    MARK(5);
out:
    MARK(6);
    BARRIER();
    MARK(7);
}

// The loop ends at its beginning or from the loop in it: where it ends at its beginning comes
// before out, also for lanes that have yet to go round again.
SHAPE(loop_left_from_inner_loop) {
    BEGIN;
    u32 left = 8 + *q % 5;
    for (;;) {
        MARK(1);
        if (--left == 0) goto out;
        if ((*q + left) % 3 == 0) break;
        do {
            MARK(2);
            if (--left == 0) goto out;
        } while ((*q + left) % 2);
    }
    MARK(3);
out:
    MARK(4);
    BARRIER();
    MARK(5);
}

// Jumps.

SHAPE(goto_end) {
    BEGIN;
    if (t < 16) {
        MARK(1);
        if (*q == 7) goto end;
        MARK(2);
    } else {
        MARK(3);
    }
    BARRIER();
    MARK(4);
end:
    MARK(5);
}

SHAPE(goto_crosswise) {
    BEGIN;
    if (t < 16) {
        MARK(1);
        if (*q == 3) goto a;
        MARK(2);
    } else {
        MARK(3);
        if (*q == 4) goto b;
        MARK(4);
    }
a:
    MARK(5);
b:
    MARK(6);
    BARRIER();
    MARK(7);
}

SHAPE(goto_one_of_two) {
    BEGIN;
    if (t < 16) {
        MARK(1);
        if (*q == 3) goto a;
        MARK(2);
        goto b;
    } else {
        MARK(3);
        if (*q == 4) goto b;
        MARK(4);
    }
a:
    MARK(5);
    goto c;
b:
    MARK(6);
c:
    BARRIER();
    MARK(7);
}

SHAPE(goto_steps) {
    BEGIN;
    if (*q == 1) {
        MARK(1);
        if (t < 9) goto x;
        MARK(2);
    } else {
        MARK(3);
        if (*q == 4) goto y;
        MARK(4);
    }
    MARK(5);
x:
    MARK(6);
y:
    MARK(7);
    BARRIER();
    MARK(8);
}

SHAPE(irreducible) {
    BEGIN;
    u32 n = 0;
    if (t < 16) goto b;
a:
    MARK(1);
    if (*q + n > 5) goto e;
b:
    MARK(2);
    if (*q == 2) goto f;
    n++;
    goto a;
e:
    MARK(3);
f:
    MARK(4);
    BARRIER();
    MARK(5);
}

// Calls.

DEVICE u32 with_return(u32 *log, volatile u32 *q, u32 t) {
    if (t < 16) {
        MARK(11);
        if (*q == 7) return 1;
        MARK(12);
    } else {
        MARK(13);
    }
    MARK(14);
    return *q;
}

DEVICE u32 with_branch(u32 *log, volatile u32 *q, u32 t) {
    if (t & 2) { MARK(21); } else { MARK(22); }
    MARK(23);
    return *q + 1;
}

DEVICE void with_barrier(u32 *log, volatile u32 *q, u32 t) {
    if (t < 16) {
        MARK(11);
        if (*q == 99) return;
        MARK(12);
    } else {
        MARK(13);
    }
    BARRIER();
    MARK(14);
}

DEVICE u32 down(u32 *log, volatile u32 *q, u32 t) {
    if (t == 0) return 1;
    *log++ = 30 + t;
    u32 r = down(log, q, t - 1);
    if (r == 3) return 4;
    return r + *q;
}

SHAPE(call_with_barrier) {
    BEGIN;
    MARK(1);
    with_barrier(log, q, t);
    log += 3;
    MARK(2);
}

SHAPE(call_in_both_sides) {
    BEGIN;
    u32 r;
    if (t < 8) { r = with_return(log, q, t); } else { r = with_branch(log, q, t); }
    BARRIER();
    log += 4;
    *log = r;
}

typedef u32 (*callee)(u32 *, volatile u32 *, u32);

SHAPE(call_through_table) {
    BEGIN;
    callee table[2] = {with_return, with_branch};
    MARK(1);
    u32 r = table[*q & 1](log, q, t);
    log += 4;
    MARK(2);
    BARRIER();
    *log = r;
}

SHAPE(call_through_table_in_loop) {
    BEGIN;
    callee table[2] = {with_return, with_branch};
    u32 r = 0;
    for (u32 i = 0; i < 3; i++) {
        r += table[(*q + i) & 1](log, q, t);
        log += 4;
        BARRIER();
    }
    *log = r;
}

SHAPE(recursion) {
    BEGIN;
    u32 r = down(log, q, t & 3);
    BARRIER();
    log[4] = r;
}

#ifndef __CUDA__
#include <cstdio>
#include <cstring>

#define SHAPES(S)                                                                              \
    S(plain) S(return_in_one_side) S(return_in_both_sides) S(return_early) S(return_after_work) \
    S(return_of_the_other_side) S(trap_in_one_side) S(endless_loop_in_one_side)                \
    S(nested_returns) S(barrier_in_both_sides) S(switch_without_default) S(switch_by_table)    \
    S(switch_that_returns) S(switch_with_many_returns) S(both_conditions) S(either_condition)  \
    S(three_conditions) S(loop) S(loop_do_continue) S(loop_continue_before_break)             \
    S(loop_break_return) S(loop_in_one_side)                                                   \
    S(loop_with_barrier) S(loop_with_exits) S(loops_left_at_once) S(loop_left_from_inner_loop) \
    S(goto_end) S(goto_crosswise) S(goto_one_of_two) S(goto_steps) S(irreducible)              \
    S(call_with_barrier) S(call_in_both_sides) S(call_through_table)                           \
    S(call_through_table_in_loop) S(recursion)

enum { threads = 64, entries = 256, patterns = 8 };

// Inputs: the same for all threads, or different ones side by side. shapes_test.go
// computes the same.
static u32 input(u32 pattern, u32 t) {
    switch (pattern) {
    case 0: return 0;
    case 1: return 3;
    case 2: return t & 3;
    case 3: return t % 11;
    case 4: return t < 16 ? 7 : 2;
    case 5: return t % 5 == 0 ? 7 : t % 5;
    case 6: return t * 7 % 11;
    default: return 5 + t / 20;
    }
}

// main prints, for every shape and pattern, a hash of what the kernel writes.
int main() {
#define RUN(name)                                                                              \
    for (u32 p = 0; p < patterns; p++) {                                                       \
        static u32 out[threads * entries], in[threads];                                        \
        memset(out, 0, sizeof out);                                                            \
        for (u32 t = 0; t < threads; t++) in[t] = input(p, t);                                 \
        for (current = 0; current < threads; current++) name(out, in);                         \
        unsigned long long h = 14695981039346656037ull;                                        \
        for (u32 i = 0; i < threads * entries; i++) h = (h ^ out[i]) * 1099511628211ull;       \
        printf("%s %u %016llx\n", #name, p, h);                                                \
    }
    SHAPES(RUN)
}
#endif
