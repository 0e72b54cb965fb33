// Objects with something wrong:
//   clang --target=wasm32 -O1 -c -DNOSUCH wrong.c -o undefined.wasm
//   clang --target=wasm32-unknown-emscripten -O1 -c -fPIC wrong.c -o pic.wasm
//   clang --target=wasm32 -O1 -c -pthread -DATOMIC wrong.c -o threads.wasm
//   clang --target=wasm32 -O1 -nostdlib -Wl,--no-entry -Wl,--export=put wrong.c -o linked.wasm
long datum = 5;
#ifdef NOSUCH
extern long nosuch(long);
extern long nosuch_datum;
#define datum nosuch(n) + nosuch_datum
#endif
#ifdef ATOMIC
#define datum __atomic_add_fetch(&datum, n, __ATOMIC_SEQ_CST)
#endif
long put(char *text, long n) { return datum + n; }
void status(long code) {}
