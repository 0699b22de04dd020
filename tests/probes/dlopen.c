// SPDX-License-Identifier: MIT
// Loads a library, calls it, unloads it, ten times; a failed lookup's message must be the program's own.
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int count, char** arguments)
{
    if (count < 2) return 1;
    for (int i = 0; i < 10; ++i) {
        void* const library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
        if (library == NULL) return 2;
        long (*readIt)(void);
        *(void**)&readIt = dlsym(library, "readIt");
        printf("%ld\n", readIt());
        dlclose(library);
    }
    printf("%d\n", dlerror() == NULL);
    return 0;
}
