// What the toolchain's Glibc module leaves out: epoll, eventfd, the GNU calls that set flags while they make a
// descriptor, and the wait of epoll that counts in nanoseconds. Nothing on other systems.
#pragma once
#if defined(__linux__)
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

// Glibc declares these two only under _GNU_SOURCE, which the module is built without.
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
extern int pipe2(int descriptors[2], int flags);

// Gives free memory back to the system; its header would bring others along.
extern int malloc_trim(size_t pad);

// Declared here rather than by <errno.h>, <unistd.h> and <time.h>: including those would make their names this module's.
long syscall(long number, ...);
int *__errno_location(void);
struct understudy_timespec {
    long long seconds;
    long long nanoseconds;
};

/// The scheduling of a thread, as the kernel takes and gives it (sched_setattr(2), version 0 of the structure).
struct understudy_scheduling {
    unsigned size;
    unsigned policy;
    unsigned long long flags;
    int nice;
    unsigned priority;
    unsigned long long runtime;
    unsigned long long deadline;
    unsigned long long period;
};

/// Asks for turns of that length for the calling thread. From Linux 6.12 on a thread with shorter turns that wakes up
/// takes the core from one with longer ones at once; each still has its fair share. Changes nothing on older kernels.
static inline void understudy_set_turn(unsigned long long nanoseconds) {
#if defined(__x86_64__)
    const long set = 314, get = 315;
#elif defined(__aarch64__)
    const long set = 274, get = 275;
#else
    const long set = -1, get = -1;
#endif
    struct understudy_scheduling scheduling = {.size = sizeof(struct understudy_scheduling)};
    // The usual policy alone has such turns; niceness stays as it is.
    if (syscall(get, (long)0, &scheduling, (long)sizeof scheduling, (long)0) != 0 || scheduling.policy != 0) return;
    scheduling.runtime = nanoseconds;
    syscall(set, (long)0, &scheduling, (long)0);
}

/// Waits for events, at most `microseconds` (negative: without limit). epoll_wait counts in milliseconds, which is
/// half of what an injected delay may be late; Linux 5.11 and newer count in nanoseconds. The call number is the same on
/// every architecture. Falls back to whole milliseconds, rounded up, on older kernels.
static inline int understudy_epoll_wait(int epoll, struct epoll_event *events, int count, long long microseconds) {
    static int is_missing = 0;
    if (!is_missing) {
        struct understudy_timespec limit = {microseconds / 1000000, (microseconds % 1000000) * 1000};
        int ready = (int)syscall(441, epoll, events, count, microseconds < 0 ? (void *)0 : &limit, (void *)0, (long)0);
        if (ready >= 0 || *__errno_location() != 38 /* ENOSYS */) return ready;
        is_missing = 1;
    }
    if (microseconds > 2000000000LL) microseconds = 2000000000LL;
    return epoll_wait(epoll, events, count, microseconds < 0 ? -1 : (int)((microseconds + 999) / 1000));
}
#endif
