#include "CContentPackages.h"

#include <stdlib.h>
#include <zlib.h>

// zlib counts bytes as `uInt`, so one step handles at most 1 GiB.
static uInt part(size_t length) { return length > (1u << 30) ? (1u << 30) : (uInt)length; }

void *cz_inflater(void) {
    z_stream *stream = calloc(1, sizeof(z_stream));
    if (stream == NULL) return NULL;
    // A negative window: raw data, without a header of zlib's.
    if (inflateInit2(stream, -MAX_WBITS) == Z_OK) return stream;
    free(stream);
    return NULL;
}

void *cz_deflater(int level) {
    z_stream *stream = calloc(1, sizeof(z_stream));
    if (stream == NULL) return NULL;
    if (deflateInit2(stream, level, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK) {
        return stream;
    }
    free(stream);
    return NULL;
}

static void begin(z_stream *stream, const uint8_t *input, size_t length, uint8_t *output,
                  size_t room) {
    // zlib does not write to its input; the member is not const in its older declarations.
    stream->next_in = (Bytef *)(uintptr_t)input;
    stream->avail_in = part(length);
    stream->next_out = output;
    stream->avail_out = part(room);
}

static int ending(int result) {
    switch (result) {
    case Z_OK:
    case Z_BUF_ERROR: return CZ_MORE;
    case Z_STREAM_END: return CZ_END;
    case Z_MEM_ERROR: return CZ_NO_MEMORY;
    default: return CZ_DAMAGED;
    }
}

int cz_inflate(void *opened, const uint8_t *input, size_t length, size_t *taken, uint8_t *output,
               size_t room, size_t *made) {
    z_stream *stream = opened;
    begin(stream, input, length, output, room);
    int result = inflate(stream, Z_NO_FLUSH);
    *taken = part(length) - stream->avail_in;
    *made = part(room) - stream->avail_out;
    return ending(result);
}

int cz_deflate(void *opened, const uint8_t *input, size_t length, size_t *taken, uint8_t *output,
               size_t room, size_t *made, int ends) {
    z_stream *stream = opened;
    begin(stream, input, length, output, room);
    int result = deflate(stream, ends ? Z_FINISH : Z_NO_FLUSH);
    *taken = part(length) - stream->avail_in;
    *made = part(room) - stream->avail_out;
    return ending(result);
}

void cz_close_inflater(void *stream) {
    inflateEnd(stream);
    free(stream);
}

void cz_close_deflater(void *stream) {
    deflateEnd(stream);
    free(stream);
}

uint32_t cz_crc32(uint32_t crc, const uint8_t *bytes, size_t length) {
    return (uint32_t)crc32_z(crc, bytes, length);
}
