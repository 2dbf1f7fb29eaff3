#define _XOPEN_SOURCE 700
#include "CTerminal.h"

#include <wchar.h>

int ct_columns(uint32_t scalar) { return wcwidth((wchar_t)scalar); }
