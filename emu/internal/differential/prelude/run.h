// Runs the kernels of a batch: for each and every input, the input, memory and parameters come from
// standard input, and the memory goes to standard output.
struct Entry {
  void (*kernel)(const Input *, Memory *, Params);
  u32 grid, block;
};

static Entry *running;
static Input input;
static Memory memory;
static Params params;

static void run_thread() {
  running->kernel(&input, &memory, params);
  threads[current].done = true;
}

static void start_thread(u32 t) {
  static char stacks[max_threads][256 << 10];
  Thread &thread = threads[t];
  thread.done = thread.waiting = false;
  getcontext(&thread.context);
  thread.context.uc_stack.ss_sp = stacks[t];
  thread.context.uc_stack.ss_size = sizeof stacks[t];
  thread.context.uc_link = &scheduler;
  makecontext(&thread.context, run_thread, 0);
}

// run_turn lets every thread that does not wait run once, and reports how many ended and
// whether any ran.
static u32 run_turn(bool *ran) {
  u32 ended = 0;
  for (current = 0; current < number_of_threads; current++) {
    Thread &thread = threads[current];
    if (thread.done || thread.waiting) continue;
    swapcontext(&scheduler, &thread.context);
    ended += thread.done;
    *ran = true;
  }
  return ended;
}

static void run_block() {
  for (u32 t = 0; t < number_of_threads; t++) start_thread(t);
  for (u32 left = number_of_threads; left > 0;) {
    bool ran = false;
    left -= run_turn(&ran);
    if (!ran) fprintf(stderr, "all threads wait\n"), exit(3);
  }
}

static void transfer(size_t done, size_t size) {
  if (done != size) fprintf(stderr, "cannot transfer memory\n"), exit(4);
}

static void run_all(Entry *entries, u32 count, u32 inputs) {
  for (u32 i = 0; i < count * inputs; i++) {
    running = entries + i / inputs;
    transfer(fread(&input, 1, sizeof input, stdin), sizeof input);
    transfer(fread(&memory, 1, sizeof memory, stdin), sizeof memory);
    transfer(fread(&params, 1, sizeof params, stdin), sizeof params);
    number_of_threads = running->block;
    for (current_block = 0; current_block < running->grid; current_block++) run_block();
    transfer(fwrite(&memory, 1, sizeof memory, stdout), sizeof memory);
  }
}
