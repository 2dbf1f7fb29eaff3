#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// Each update is sent in one write(2) that does not block. curses itself writes at each move of the
// cursor, dozens of times for an update, and a terminal may show the states in between. So curses
// gets a separate descriptor, which points to a file in memory while the screen is open. An update
// is read from that file and sent in one piece. Output that the terminal does not accept at once is
// kept, and `ct_wait` reports CT_OUTPUT when the terminal accepts more.

/// The stream that curses writes to, pointing to the terminal; NULL if it cannot be made.
FILE *output_stream(void);

/// Begins to keep the output of curses in memory, for `release`.
void gather(void);

/// Sends the queued sequences, `before`, the output kept since the last call, and `after`. A
/// terminal that does not understand the query `question` may print a part of it, so the query is
/// sent just before the sequence that clears the screen, if the output has one. "" for none.
void release(const char *before, const char *question, const char *after);

/// Waits until the terminal has accepted all output, at most this long. Returns whether it has.
bool drain(int milliseconds);

/// Drops the output that the terminal has not accepted, here and in the kernel, and sends these
/// bytes instead. Safe in a signal handler (signal-safety(7)).
void send_instead(const char *bytes, size_t length);

/// The descriptor to poll(2) for writing while output is kept; -1 if none is.
int waiting_output(void);

#endif
