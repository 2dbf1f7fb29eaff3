#ifndef CEMULATOR_H
#define CEMULATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A terminal emulator in memory (libvterm). Feed it a program's output and read back the cells it
/// would show.
typedef struct ce_terminal ce_terminal;

ce_terminal *ce_new(int columns, int rows);
void ce_free(ce_terminal *terminal);
void ce_resize(ce_terminal *terminal, int columns, int rows);
void ce_feed(ce_terminal *terminal, const uint8_t *bytes, size_t count);

/// Takes the terminal's answers to queries (at most `limit` bytes); send them to the program.
/// Returns the number of bytes.
size_t ce_answer(ce_terminal *terminal, uint8_t *bytes, size_t limit);

typedef struct {
    uint32_t scalars[6];
    int width;
    bool isBold, isUnderlined, isReverse;
    /// A palette index; -1 for the terminal's default color, -2 for a color outside the palette.
    int color, background;
} ce_cell;

ce_cell ce_cell_at(ce_terminal *terminal, int column, int row);
void ce_cursor(ce_terminal *terminal, int *column, int *row);
bool ce_is_cursor_visible(const ce_terminal *terminal);
bool ce_is_alternate(const ce_terminal *terminal);

/// Starts a program on a new pseudo-terminal, as the leader of its own session, with an empty
/// signal mask. Stores the terminal's master side in `descriptor`. Returns the process id, or -1.
int ce_start(
    const char *path, char *const arguments[], char *const environment[], int columns, int rows,
    int *descriptor);

/// Makes the terminal stop accepting output (as after Ctrl-S), or accept it again. False if that
/// fails.
bool ce_hold_output(int descriptor, bool holds);

void ce_set_size(int descriptor, int columns, int rows);

#endif
