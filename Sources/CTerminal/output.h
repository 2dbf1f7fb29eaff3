#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// One write an update, and none that waits. curses writes to the terminal at each move of the
// cursor: dozens of writes, and a terminal may show what is between them. So it writes to a
// descriptor of its own, which points to a file in memory while the screen is ours. An update goes
// from there to the terminal in one piece; what a terminal does not take at once stays here, and
// `ct_wait` tells when it takes more.

/// What curses writes to, pointing to the terminal; NULL if there is none to be had.
FILE *output_stream(void);

/// From now on what curses writes is kept, until `release`.
void gather(void);

/// What was kept goes to the terminal, between `before` and `after`. A terminal that does not
/// understand the question may show half of it: so it is asked just before the screen is cleared.
void release(const char *before, const char *question, const char *after);

/// Waits until the terminal has taken everything, but no longer than this. Whether it has.
bool drain(int milliseconds);

/// Forgets what the terminal has not taken, here and in the kernel, and sends this instead. Only
/// what may be called in a signal handler.
void send_instead(const char *bytes, size_t length);

/// A descriptor that poll(2) finds writable when the terminal takes more; -1 if nothing waits.
int waiting_output(void);

#endif
