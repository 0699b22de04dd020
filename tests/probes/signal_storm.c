// SPDX-License-Identifier: MIT
// A timer interrupts reads thousands of times; the handler reads the data file itself.
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>

static int fd;
static volatile sig_atomic_t handled, wrong;

static void onAlarm(int number)
{
    char bytes[32];
    (void)number;
    handled += 1;
    if (pread(fd, bytes, sizeof bytes, 250) != sizeof bytes || bytes[1] != 1) wrong += 1;
}

int main(void)
{
    struct sigaction action = {.sa_handler = onAlarm, .sa_flags = SA_RESTART};
    const struct itimerval every = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
    char bytes[500];
    fd = open("data.bin", O_RDONLY);
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &every, NULL);
    for (int i = 0; i < 200000 || handled < 500; ++i) wrong += pread(fd, bytes, sizeof bytes, 0) != sizeof bytes;
    setitimer(ITIMER_REAL, &never, NULL);
    printf("enough signals: %d, wrong reads: %d\n", handled >= 500, (int)wrong);
    return 0;
}
