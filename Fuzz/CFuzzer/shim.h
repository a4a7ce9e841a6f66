// The entry of libFuzzer, which comes with the toolchain as a library without a header.
#ifndef UNDERSTUDY_CFUZZER_H
#define UNDERSTUDY_CFUZZER_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*target)(const uint8_t *data, size_t size));

#endif
