// SPDX-License-Identifier: MIT
// A stream read by calls that no hook sees (getc, fscanf) between calls that one does; a stream written by fprintf and putc.
#include <stdio.h>

int main(void)
{
    char bytes[100];
    FILE* stream = fopen("data.bin", "r");
    size_t got = fread(bytes, 1, 100, stream);
    for (int i = 0; i < 50; ++i) got += getc(stream) != EOF;
    got += fread(bytes, 1, 100, stream);
    got += getc(stream) != EOF;
    fclose(stream);
    printf("%zu read\n", got);
    stream = fopen("text.txt", "w");
    for (int i = 0; i < 100; ++i) fprintf(stream, "%d\n", i % 10);
    putc('x', stream);
    fwrite(bytes, 1, 9, stream);
    fclose(stream);
    return 0;
}
