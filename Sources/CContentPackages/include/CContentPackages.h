// Raw deflate streams and CRC-32 by zlib, behind functions that Swift can call: zlib starts a
// stream by macros, which Swift does not import.
#pragma once
#include <stddef.h>
#include <stdint.h>

// How a step of a stream ended.
enum {
    CZ_MORE = 0,    // Wants more input or more room for output.
    CZ_END = 1,     // The stream is complete.
    CZ_DAMAGED = 2, // The input is no deflate stream.
    CZ_NO_MEMORY = 3
};

// A stream that inflates raw deflate data (RFC 1951); NULL without memory.
void *cz_inflater(void);
// A stream that deflates at a level of 1 to 9; NULL without memory.
void *cz_deflater(int level);

// Inflates input into output. `taken` and `made` are set to the bytes read and written. Returns how
// the step ended.
int cz_inflate(void *stream, const uint8_t *input, size_t length, size_t *taken, uint8_t *output,
               size_t room, size_t *made);
// As `cz_inflate`, for deflating; `ends` is not 0 if no input follows.
int cz_deflate(void *stream, const uint8_t *input, size_t length, size_t *taken, uint8_t *output,
               size_t room, size_t *made, int ends);

// Frees a stream.
void cz_close_inflater(void *stream);
void cz_close_deflater(void *stream);

// CRC-32 (ISO 3309) of the bytes of earlier calls and these bytes; begin with 0 as `crc`.
uint32_t cz_crc32(uint32_t crc, const uint8_t *bytes, size_t length);
