#ifndef CEMULATOR_H
#define CEMULATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A terminal in memory (libvterm): what it is fed, it would show.
typedef struct ce_terminal ce_terminal;

ce_terminal *ce_new(int columns, int rows);
void ce_free(ce_terminal *terminal);
void ce_resize(ce_terminal *terminal, int columns, int rows);
void ce_feed(ce_terminal *terminal, const uint8_t *bytes, size_t count);

/// What the terminal says back, to be sent to the program on it.
size_t ce_answer(ce_terminal *terminal, uint8_t *bytes, size_t limit);

typedef struct {
    uint32_t scalars[6];
    int width;
    bool isBold, isUnderlined, isReverse;
    /// Of the palette; -1 for the terminal's own.
    int color, background;
} ce_cell;

ce_cell ce_cell_at(ce_terminal *terminal, int column, int row);
void ce_cursor(ce_terminal *terminal, int *column, int *row);
bool ce_is_cursor_visible(const ce_terminal *terminal);
bool ce_is_alternate(const ce_terminal *terminal);

/// Starts a program on a terminal of its own, as its session's leader, with a clear signal mask.
/// Returns its process id, or -1.
int ce_start(
    const char *path, char *const arguments[], char *const environment[], int columns, int rows,
    int *descriptor);

/// From now on the terminal takes no output, or takes it again. False if that cannot be said.
bool ce_hold_output(int descriptor, bool holds);

void ce_set_size(int descriptor, int columns, int rows);

#endif
