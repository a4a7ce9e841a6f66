// What the toolchain's Glibc module leaves out: epoll, eventfd, and the GNU calls that set flags while they make a
// descriptor. Nothing on other systems.
#pragma once
#if defined(__linux__)
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
// Glibc declares these two only under _GNU_SOURCE, which the module is built without.
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
extern int pipe2(int descriptors[2], int flags);
#endif
