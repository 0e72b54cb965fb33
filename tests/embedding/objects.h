// A host that counts the references to its objects, of which there are MOST. What is between IN_DROP and the end of its
// line is done whenever one is dropped.
static struct object {
    int references, drops;
} objects[MOST];
static int alive, wrong;

#ifndef IN_DROP
#define IN_DROP(own)
#endif

static void drop(void *object) {
    struct object *own = object;
    if (own->references == 0) wrong++;
    if (--own->references == 0) alive--;
    own->drops++;
    IN_DROP(own)
}

static void *get(int number) {
    if (objects[number].references++ == 0) alive++;
    return &objects[number];
}

#define GIVE(number) get(number), drop
