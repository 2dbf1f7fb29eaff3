#ifndef C_DEMO_CONTENT_H
#define C_DEMO_CONTENT_H

#include <stddef.h>

/// A file of the demo: its path relative to the catalog's folder, and its bytes, which stay where they
/// are for as long as the program runs.
struct cdc_file {
    const char *path;
    const unsigned char *bytes;
    size_t length;
};

/// How many files the demo has.
int cdc_count(void);

/// The file of this number, from 0; null for others.
const struct cdc_file *cdc_at(int number);

#endif
