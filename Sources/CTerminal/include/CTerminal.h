#ifndef CTERMINAL_H
#define CTERMINAL_H

#include <stdint.h>

/// The columns a character takes in a terminal (wcwidth(3)), which Swift's Glibc module hides.
/// -1 for a character that is not printable. Needs a UTF-8 LC_CTYPE.
int ct_columns(uint32_t scalar);

#endif
