#ifndef C_DEMO_CONTENT_H
#define C_DEMO_CONTENT_H

#include <stddef.h>

/// A file of the demo: its path relative to the catalog's folder, and its bytes. Both stay valid
/// until the program ends.
struct cdc_file {
    const char *path;
    const unsigned char *bytes;
    size_t length;
};

/// How many files the demo has.
int cdc_count(void);

/// The file with this number, from 0; NULL if there is none.
const struct cdc_file *cdc_at(int number);

/// The program's list of trials, which is no file of the demo.
struct cdc_file cdc_trials(void);

#endif
