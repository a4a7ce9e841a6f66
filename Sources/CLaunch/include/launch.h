// What a process knows before its main function: the arguments that the system handed over, and the commit that it was
// built from.
#pragma once

/// The number of arguments, the program's name included; 0 where the system hands none to initialisers.
int understudy_argument_count(void);

/// Returns an argument by its place; NULL beyond the last.
const char *understudy_argument(int place);

/// The commit that the program was built from, as 12 digits and `-dirty` if the tree had changes; empty if unknown.
extern const char *const understudy_commit;
