// What the toolchain's Glibc module leaves out: epoll and eventfd. Nothing on other systems.
#pragma once
#if defined(__linux__)
#include <sys/epoll.h>
#include <sys/eventfd.h>
#endif
