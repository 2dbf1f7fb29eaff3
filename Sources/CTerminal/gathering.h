#ifndef GATHERING_H
#define GATHERING_H

#include <stdbool.h>
#include <stdio.h>

// One write an update. curses writes to the terminal at each move of the cursor: dozens of writes,
// and a terminal may show what is between them. So it writes to a descriptor of its own, which
// points into memory while the screen is ours; what an update gathers there goes to the terminal in
// one piece.

/// So many cells, each with its place, its look and its marks, fit into a pipe many times over.
enum { GATHERED_CELLS_FEW = 400 };

/// What curses writes to; NULL if there is none to be had.
FILE *gathering_output(void);

/// From now on what curses writes is kept, until `release`. `is_little`: it is of no more than
/// `GATHERED_CELLS_FEW` cells.
void gather(bool is_little);

/// From now on it goes to the terminal itself, as setting its mode needs. After `release`.
void stop_gathering(void);

/// What was kept goes to the terminal, between `before` and `after`. A terminal that does not
/// understand the question may show half of it: so it is asked just before the screen is cleared.
void release(const char *before, const char *question, const char *after);

#endif
