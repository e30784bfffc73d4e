// Functions in another file of the random programs.
static int *kept;
void keep(int *p) { kept = p; }
void change_kept(void) {
  if (kept)
    *kept = 64;
}
void change(int *p) { *p = 64; }
int opaque(int v) { return v; }
