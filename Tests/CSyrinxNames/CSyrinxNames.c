#define _GNU_SOURCE
#include "CSyrinxNames.h"
#include <dlfcn.h>
#include <netdb.h>
#include <string.h>
#include <unistd.h>

typedef int resolve(const char *, const char *, const struct addrinfo *, struct addrinfo **);

// The address that a label of `count` characters spells.
static void spell(const char *label, size_t count, char address[64]) {
    char mark = '.';
    if (*label == 'x') {
        mark = ':';
        label++;
        count--;
    }
    if (count > 63) count = 63;
    for (size_t i = 0; i < count; i++) address[i] = label[i] == '-' ? mark : label[i];
    address[count] = 0;
}

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
    resolve *system = (resolve *)dlsym(RTLD_NEXT, "getaddrinfo");
    if (name && strstr(name, ".hangs.test")) {
        sleep(20);
        return EAI_AGAIN;
    }
    const char *end = name ? strstr(name, ".addresses.test") : NULL;
    if (!end) return system(name, service, hints, result);
    // Each list is glibc's own, of one address and one use: joined, they are freed as one.
    struct addrinfo wanted = {.ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_STREAM, .ai_protocol = IPPROTO_TCP};
    struct addrinfo **next = result;
    *result = NULL;
    while (name < end) {
        size_t count = strcspn(name, ".");
        char address[64];
        spell(name, count, address);
        int failure = system(address, service, &wanted, next);
        if (failure) return failure;
        while (*next) next = &(*next)->ai_next;
        name += count + 1;
    }
    return 0;
}
