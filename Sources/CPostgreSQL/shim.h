#ifndef STOREFRONT_POSTGRESQL_H
#define STOREFRONT_POSTGRESQL_H

#include <libpq-fe.h>

#endif
