#include "CEmulator.h"

#include <stdlib.h>
#include <vterm.h>

struct ce_terminal {
    VTerm *machine;
    VTermScreen *screen;
    bool is_cursor_visible, is_alternate;
};

static int property(VTermProp name, VTermValue *value, void *user) {
    ce_terminal *terminal = user;
    if (name == VTERM_PROP_CURSORVISIBLE) terminal->is_cursor_visible = value->boolean;
    if (name == VTERM_PROP_ALTSCREEN) terminal->is_alternate = value->boolean;
    return 1;
}

static const VTermScreenCallbacks callbacks = {.settermprop = property};

ce_terminal *ce_new(int columns, int rows) {
    ce_terminal *terminal = calloc(1, sizeof *terminal);
    if (terminal == NULL) abort();
    terminal->is_cursor_visible = true;
    terminal->machine = vterm_new(rows, columns);
    vterm_set_utf8(terminal->machine, 1);
    terminal->screen = vterm_obtain_screen(terminal->machine);
    vterm_screen_enable_altscreen(terminal->screen, 1);
    vterm_screen_set_callbacks(terminal->screen, &callbacks, terminal);
    vterm_screen_reset(terminal->screen, 1);
    return terminal;
}

void ce_free(ce_terminal *terminal) {
    vterm_free(terminal->machine);
    free(terminal);
}

void ce_resize(ce_terminal *terminal, int columns, int rows) {
    vterm_set_size(terminal->machine, rows, columns);
}

void ce_feed(ce_terminal *terminal, const uint8_t *bytes, size_t count) {
    vterm_input_write(terminal->machine, (const char *)bytes, count);
}

size_t ce_answer(ce_terminal *terminal, uint8_t *bytes, size_t limit) {
    return vterm_output_read(terminal->machine, (char *)bytes, limit);
}

static int index_of(VTermColor color) {
    if (VTERM_COLOR_IS_DEFAULT_FG(&color) || VTERM_COLOR_IS_DEFAULT_BG(&color)) return -1;
    return VTERM_COLOR_IS_INDEXED(&color) ? color.indexed.idx : -2;
}

ce_cell ce_cell_at(ce_terminal *terminal, int column, int row) {
    VTermScreenCell cell = {0};
    vterm_screen_get_cell(terminal->screen, (VTermPos){.row = row, .col = column}, &cell);
    ce_cell copy = {
        .width = cell.width,
        .isBold = cell.attrs.bold,
        .isUnderlined = cell.attrs.underline != 0,
        .isReverse = cell.attrs.reverse,
        .color = index_of(cell.fg),
        .background = index_of(cell.bg),
    };
    for (int i = 0; i < 6 && i < VTERM_MAX_CHARS_PER_CELL; i++) copy.scalars[i] = cell.chars[i];
    return copy;
}

void ce_cursor(ce_terminal *terminal, int *column, int *row) {
    VTermPos place;
    vterm_state_get_cursorpos(vterm_obtain_state(terminal->machine), &place);
    *column = place.col;
    *row = place.row;
}

bool ce_is_cursor_visible(const ce_terminal *terminal) { return terminal->is_cursor_visible; }

bool ce_is_alternate(const ce_terminal *terminal) { return terminal->is_alternate; }
