/* What every program needs: cells, counting, freeing, printing. Above this stands MOST_FIELDS, the largest cell. */

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __GNUC__
#define HELPER static inline __attribute__((unused))
#else
#define HELPER static inline
#endif

typedef struct cell cell;

typedef union {
    cell *ref;
    uint64_t word;
    double real;
} field;

/* References come first, then words. `capacity` is at least the number of both: dead cells of one capacity are one
   list, from which any node of that capacity takes its memory. */
struct cell {
    uint32_t kind;
    uint16_t refs;
    uint16_t capacity;
    union {
        uint64_t count;
        cell *next; /* of a dead cell */
    } is;
    field fields[];
};

/* A new node, and the field of the newest one behind it that is not written yet. */
typedef struct {
    cell *first;
    field *open;
} hole;

/* Static cells are retained and released as others are, and never die. */
#define STATIC_COUNT (UINT64_C(1) << 62)
#define BLOCK 32768

static cell *dead_cells[MOST_FIELDS + 1];

HELPER void stop(const char *message)
{
    fflush(stdout);
    fputs(message, stderr);
    exit(255);
}

/* More memory for cells of a capacity: the first one, and a list of the others. */
HELPER cell *more_cells(unsigned capacity)
{
    size_t bytes = sizeof(cell) + capacity * sizeof(field);
    size_t count = bytes < BLOCK ? BLOCK / bytes : 1;
    char *block = malloc(count * bytes);
    if (block == NULL)
        stop("Heap full.\n");
    for (size_t i = 1; i < count; i++) {
        cell *c = (cell *)(void *)(block + i * bytes);
        c->is.next = dead_cells[capacity];
        dead_cells[capacity] = c;
    }
    return (cell *)(void *)block;
}

HELPER cell *take(unsigned capacity)
{
    cell *c = dead_cells[capacity];
    if (c == NULL)
        return more_cells(capacity);
    dead_cells[capacity] = c->is.next;
    return c;
}

HELPER void give_back(cell *c, unsigned capacity)
{
    c->is.next = dead_cells[capacity];
    dead_cells[capacity] = c;
}

/* Makes memory a node; its fields are written after that. */
HELPER cell *node(cell *c, uint32_t kind, uint16_t refs, uint16_t capacity)
{
    c->kind = kind;
    c->refs = refs;
    c->capacity = capacity;
    c->is.count = 1;
    return c;
}

HELPER void retain(cell *c)
{
    c->is.count++;
}

/* Frees a cell and what it alone refers to. The dead are a chain: no stack is needed, however deep the data are. */
HELPER void free_all(cell *dead)
{
    dead->is.next = NULL;
    while (dead != NULL) {
        cell *c = dead;
        dead = c->is.next;
        for (unsigned i = 0; i < c->refs; i++) {
            cell *child = c->fields[i].ref;
            if (--child->is.count == 0) {
                child->is.next = dead;
                dead = child;
            }
        }
        give_back(c, c->capacity);
    }
}

HELPER void release(cell *c)
{
    if (--c->is.count == 0)
        free_all(c);
}

/* True if this is the last reference; else there is one less. */
HELPER int is_last(cell *c)
{
    if (c->is.count == 1)
        return 1;
    c->is.count--;
    return 0;
}

HELPER hole open_hole(cell *c, unsigned number)
{
    hole opened = {c, &c->fields[number]};
    return opened;
}

HELPER hole move_hole(hole at, cell *c, unsigned number)
{
    at.open->ref = c;
    at.open = &c->fields[number];
    return at;
}

HELPER cell *fill_hole(hole at, cell *c)
{
    at.open->ref = c;
    return at.first;
}

HELPER uint64_t divide(uint64_t a, uint64_t b)
{
    if (b == 0)
        stop("Integer division by zero.\n");
    if (b == UINT64_MAX && a == UINT64_C(1) << 63)
        stop("Integer overflow in division.\n");
    return (uint64_t)((int64_t)a / (int64_t)b);
}

HELPER uint64_t remainder_of(uint64_t a, uint64_t b)
{
    if (b == 0)
        stop("Integer division by zero.\n");
    return b == UINT64_MAX ? 0 : (uint64_t)((int64_t)a % (int64_t)b);
}

/* Copies of the sign come in from the left. */
HELPER uint64_t shift_signed(uint64_t a, uint64_t by)
{
    return a >> 63 ? ~(~a >> (by & 63)) : a >> (by & 63);
}

HELPER void print_int(uint64_t n)
{
    printf("%" PRId64, (int64_t)n);
}

HELPER void print_char(uint64_t c)
{
    putchar((int)(c & 255));
}
