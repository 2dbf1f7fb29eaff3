#define _XOPEN_SOURCE 700
#include "CTerminal.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

int ct_columns(uint32_t scalar) { return wcwidth((wchar_t)scalar); }

static bool is_plain(const char *name) {
    return strcmp(name, "C") == 0 || strcmp(name, "POSIX") == 0;
}

/// Whether a locale's name has a charset, as in "de_DE.ISO-8859-1", and that is not UTF-8.
static bool names_other_charset(const char *name) {
    const char *charset = strchr(name, '.');
    if (charset == NULL) return false;
    charset++;
    size_t length = strcspn(charset, "@");
    return !(length == 5 && strncasecmp(charset, "UTF-8", length) == 0) &&
           !(length == 4 && strncasecmp(charset, "UTF8", length) == 0);
}

bool ct_asks_for_ascii(void) {
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *value = getenv(variables[i]);
        if (value != NULL && value[0] != 0) {
            return is_plain(value) || names_other_charset(value);
        }
    }
    return false;
}

void ct_adopt_locale(void) {
    const char *name = setlocale(LC_CTYPE, "");
    // In containers the locale named by LANG is often not installed, or no locale is named.
    if ((name == NULL || is_plain(name)) && !ct_asks_for_ascii()) {
        setlocale(LC_CTYPE, "C.UTF-8");
    } else if (name == NULL || !ct_is_utf8()) {
        // On such a terminal only ASCII is shown, so the tables of its charset are not loaded.
        setlocale(LC_CTYPE, "C");
    }
}

bool ct_is_utf8(void) { return strcmp(nl_langinfo(CODESET), "UTF-8") == 0; }
