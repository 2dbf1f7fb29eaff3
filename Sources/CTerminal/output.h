#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// Each update is sent in one write(2) that does not block. curses itself writes at each move of the
// cursor, dozens of times for an update, and a terminal may show the states in between. So curses
// is given a descriptor of its own, which points to a file in memory while the screen is open. An
// update is read from there and sent in one piece. Output that the terminal does not take at once
// is kept, and `ct_wait` reports CT_OUTPUT when the terminal takes more.

/// The stream that curses writes to, pointing to the terminal; NULL if it cannot be made.
FILE *output_stream(void);

/// Begins to keep the output of curses in memory, for `release`.
void gather(void);

/// Sends the queued sequences, `before`, the output kept since the last call, and `after`. A
/// terminal that does not understand the query `question` may print a part of it, so the query is
/// sent just before the sequence that clears the screen, if the output has one. "" for none.
void release(const char *before, const char *question, const char *after);

/// Waits until the terminal has taken all output, at most for this time. Returns whether it has.
bool drain(int milliseconds);

/// Drops the output that the terminal has not taken, here and in the kernel, and sends these bytes.
/// Safe in a signal handler (signal-safety(7)).
void send_instead(const char *bytes, size_t length);

/// The descriptor to poll(2) for writing while output waits to be sent; -1 if none does.
int waiting_output(void);

#endif
