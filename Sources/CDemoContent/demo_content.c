#include "CDemoContent.h"

#include <stddef.h>

// The demo's catalog and content, embedded in the program as they are in the repository. #embed is
// a directive of C23, which clang accepts in every mode; the compiler reports the embedded files to
// the build, which compiles this file again after a change.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_0[] = {
#embed "../../catalog.json"
};
static const unsigned char file_1[] = {
#embed "../../Content/field-guide/guide/01-reading-the-tide.txt"
};
static const unsigned char file_2[] = {
#embed "../../Content/field-guide/guide/02-telling-lights-apart.txt"
};
static const unsigned char file_3[] = {
#embed "../../Content/field-guide/guide/03-the-shore-at-low-water.txt"
};
static const unsigned char file_4[] = {
#embed "../../Content/field-guide/guide/ja/01-reading-the-tide.txt"
};
static const unsigned char file_5[] = {
#embed "../../Content/field-guide/tide-tables-2027/00-about.txt"
};
static const unsigned char file_6[] = {
#embed "../../Content/field-guide/tide-tables-2027/2027-01-january.txt"
};
static const unsigned char file_7[] = {
#embed "../../Content/field-guide/tide-tables-2027/2027-02-february.txt"
};
static const unsigned char file_8[] = {
#embed "../../Content/field-guide/tide-tables-2027/2027-03-march.txt"
};
static const unsigned char file_9[] = {
#embed "../../Content/field-guide/tide-tables-2027/2027-04-april.txt"
};
static const unsigned char file_10[] = {
#embed "../../Content/field-guide/tide-tables-2027/2027-05-may.txt"
};
static const unsigned char file_11[] = {
#embed "../../Content/field-guide/tide-tables-2027/2027-06-june.txt"
};
static const unsigned char file_12[] = {
#embed "../../Content/field-guide/tide-tables-2027/2027-07-july.txt"
};
static const unsigned char file_13[] = {
#embed "../../Content/field-guide/tide-tables-2027/2027-08-august.txt"
};
static const unsigned char file_14[] = {
#embed "../../Content/field-guide/tide-tables-2027/2027-09-september.txt"
};
static const unsigned char file_15[] = {
#embed "../../Content/field-guide/tide-tables-2027/2027-10-october.txt"
};
static const unsigned char file_16[] = {
#embed "../../Content/field-guide/tide-tables-2027/2027-11-november.txt"
};
static const unsigned char file_17[] = {
#embed "../../Content/field-guide/tide-tables-2027/2027-12-december.txt"
};
static const unsigned char file_18[] = {
#embed "../../Content/letters/2026-10/ja/letter.txt"
};
static const unsigned char file_19[] = {
#embed "../../Content/letters/2026-10/letter.txt"
};
static const unsigned char file_20[] = {
#embed "../../Content/letters/2026-11/ja/letter.txt"
};
static const unsigned char file_21[] = {
#embed "../../Content/letters/2026-11/letter.txt"
};
static const unsigned char file_22[] = {
#embed "../../Content/letters/2026-12/ja/letter.txt"
};
static const unsigned char file_23[] = {
#embed "../../Content/letters/2026-12/letter.txt"
};
static const unsigned char file_24[] = {
#embed "../../Content/letters/2027-01/ja/letter.txt"
};
static const unsigned char file_25[] = {
#embed "../../Content/letters/2027-01/letter.txt"
};
static const unsigned char file_26[] = {
#embed "../../Content/letters/2027-02/ja/letter.txt"
};
static const unsigned char file_27[] = {
#embed "../../Content/letters/2027-02/letter.txt"
};
static const unsigned char file_28[] = {
#embed "../../Content/letters/2027-03/ja/letter.txt"
};
static const unsigned char file_29[] = {
#embed "../../Content/letters/2027-03/letter.txt"
};
static const unsigned char file_30[] = {
#embed "../../Content/lighthouse-1/01-the-boat.txt"
};
static const unsigned char file_31[] = {
#embed "../../Content/lighthouse-1/02-the-log.txt"
};
static const unsigned char file_32[] = {
#embed "../../Content/lighthouse-1/03-the-relief.txt"
};
static const unsigned char file_33[] = {
#embed "../../Content/lighthouse-1/ja/01-the-boat.txt"
};
static const unsigned char file_34[] = {
#embed "../../Content/lighthouse-2/pictures/01-the-tower.txt"
};
static const unsigned char file_35[] = {
#embed "../../Content/lighthouse-2/pictures/02-skerrow.txt"
};
static const unsigned char file_36[] = {
#embed "../../Content/lighthouse-2/pictures/03-the-lens.txt"
};
static const unsigned char file_37[] = {
#embed "../../Content/lighthouse-2/pictures/04-the-night.txt"
};
static const unsigned char file_38[] = {
#embed "../../Content/lighthouse-2/text/01-the-wireless.txt"
};
static const unsigned char file_39[] = {
#embed "../../Content/lighthouse-2/text/02-the-weight.txt"
};
static const unsigned char file_40[] = {
#embed "../../Content/lighthouse-2/text/03-the-morning.txt"
};
static const unsigned char file_41[] = {
#embed "../../Content/lighthouse-2/text/ja/01-the-wireless.txt"
};
static const unsigned char file_42[] = {
#embed "../../Content/lighthouse-3/01-the-surveyor.txt"
};
static const unsigned char file_43[] = {
#embed "../../Content/lighthouse-3/02-the-visit.txt"
};
static const unsigned char file_44[] = {
#embed "../../Content/lighthouse-3/03-the-switch.txt"
};
static const unsigned char file_45[] = {
#embed "../../Content/lighthouse-3/ja/01-the-surveyor.txt"
};
static const unsigned char file_46[] = {
#embed "../../Content/atlas/01-skerrow-and-the-sound.txt"
};
static const unsigned char file_47[] = {
#embed "../../Content/atlas/02-the-outer-banks.txt"
};
static const unsigned char file_48[] = {
#embed "../../Content/atlas/ja/01-skerrow-and-the-sound.txt"
};
static const unsigned char file_49[] = {
#embed "../../Content/field-guide/anchorage/04-the-anchorage-nobody-marks.txt"
};
static const unsigned char file_50[] = {
#embed "../../Content/field-guide/anchorage/ja/04-the-anchorage-nobody-marks.txt"
};
static const unsigned char file_51[] = {
#embed "../../Content/lamp/01-the-reading-lamp.txt"
};
static const unsigned char file_52[] = {
#embed "../../Content/lamp/ja/01-the-reading-lamp.txt"
};

static const unsigned char trials[] = {
#embed "../../Documentation/trials.json"
};

static const struct cdc_file files[] = {
    {"catalog.json", file_0, sizeof file_0},
    {"Content/field-guide/guide/01-reading-the-tide.txt", file_1, sizeof file_1},
    {"Content/field-guide/guide/02-telling-lights-apart.txt", file_2, sizeof file_2},
    {"Content/field-guide/guide/03-the-shore-at-low-water.txt", file_3, sizeof file_3},
    {"Content/field-guide/guide/ja/01-reading-the-tide.txt", file_4, sizeof file_4},
    {"Content/field-guide/tide-tables-2027/00-about.txt", file_5, sizeof file_5},
    {"Content/field-guide/tide-tables-2027/2027-01-january.txt", file_6, sizeof file_6},
    {"Content/field-guide/tide-tables-2027/2027-02-february.txt", file_7, sizeof file_7},
    {"Content/field-guide/tide-tables-2027/2027-03-march.txt", file_8, sizeof file_8},
    {"Content/field-guide/tide-tables-2027/2027-04-april.txt", file_9, sizeof file_9},
    {"Content/field-guide/tide-tables-2027/2027-05-may.txt", file_10, sizeof file_10},
    {"Content/field-guide/tide-tables-2027/2027-06-june.txt", file_11, sizeof file_11},
    {"Content/field-guide/tide-tables-2027/2027-07-july.txt", file_12, sizeof file_12},
    {"Content/field-guide/tide-tables-2027/2027-08-august.txt", file_13, sizeof file_13},
    {"Content/field-guide/tide-tables-2027/2027-09-september.txt", file_14, sizeof file_14},
    {"Content/field-guide/tide-tables-2027/2027-10-october.txt", file_15, sizeof file_15},
    {"Content/field-guide/tide-tables-2027/2027-11-november.txt", file_16, sizeof file_16},
    {"Content/field-guide/tide-tables-2027/2027-12-december.txt", file_17, sizeof file_17},
    {"Content/letters/2026-10/ja/letter.txt", file_18, sizeof file_18},
    {"Content/letters/2026-10/letter.txt", file_19, sizeof file_19},
    {"Content/letters/2026-11/ja/letter.txt", file_20, sizeof file_20},
    {"Content/letters/2026-11/letter.txt", file_21, sizeof file_21},
    {"Content/letters/2026-12/ja/letter.txt", file_22, sizeof file_22},
    {"Content/letters/2026-12/letter.txt", file_23, sizeof file_23},
    {"Content/letters/2027-01/ja/letter.txt", file_24, sizeof file_24},
    {"Content/letters/2027-01/letter.txt", file_25, sizeof file_25},
    {"Content/letters/2027-02/ja/letter.txt", file_26, sizeof file_26},
    {"Content/letters/2027-02/letter.txt", file_27, sizeof file_27},
    {"Content/letters/2027-03/ja/letter.txt", file_28, sizeof file_28},
    {"Content/letters/2027-03/letter.txt", file_29, sizeof file_29},
    {"Content/lighthouse-1/01-the-boat.txt", file_30, sizeof file_30},
    {"Content/lighthouse-1/02-the-log.txt", file_31, sizeof file_31},
    {"Content/lighthouse-1/03-the-relief.txt", file_32, sizeof file_32},
    {"Content/lighthouse-1/ja/01-the-boat.txt", file_33, sizeof file_33},
    {"Content/lighthouse-2/pictures/01-the-tower.txt", file_34, sizeof file_34},
    {"Content/lighthouse-2/pictures/02-skerrow.txt", file_35, sizeof file_35},
    {"Content/lighthouse-2/pictures/03-the-lens.txt", file_36, sizeof file_36},
    {"Content/lighthouse-2/pictures/04-the-night.txt", file_37, sizeof file_37},
    {"Content/lighthouse-2/text/01-the-wireless.txt", file_38, sizeof file_38},
    {"Content/lighthouse-2/text/02-the-weight.txt", file_39, sizeof file_39},
    {"Content/lighthouse-2/text/03-the-morning.txt", file_40, sizeof file_40},
    {"Content/lighthouse-2/text/ja/01-the-wireless.txt", file_41, sizeof file_41},
    {"Content/lighthouse-3/01-the-surveyor.txt", file_42, sizeof file_42},
    {"Content/lighthouse-3/02-the-visit.txt", file_43, sizeof file_43},
    {"Content/lighthouse-3/03-the-switch.txt", file_44, sizeof file_44},
    {"Content/lighthouse-3/ja/01-the-surveyor.txt", file_45, sizeof file_45},
    {"Content/atlas/01-skerrow-and-the-sound.txt", file_46, sizeof file_46},
    {"Content/atlas/02-the-outer-banks.txt", file_47, sizeof file_47},
    {"Content/atlas/ja/01-skerrow-and-the-sound.txt", file_48, sizeof file_48},
    {"Content/field-guide/anchorage/04-the-anchorage-nobody-marks.txt", file_49, sizeof file_49},
    {"Content/field-guide/anchorage/ja/04-the-anchorage-nobody-marks.txt", file_50, sizeof file_50},
    {"Content/lamp/01-the-reading-lamp.txt", file_51, sizeof file_51},
    {"Content/lamp/ja/01-the-reading-lamp.txt", file_52, sizeof file_52},
};

int cdc_count(void) { return sizeof files / sizeof files[0]; }

const struct cdc_file *cdc_at(int number) {
    return number >= 0 && number < cdc_count() ? &files[number] : NULL;
}

struct cdc_file cdc_trials(void) {
    return (struct cdc_file){"trials.json", trials, sizeof trials};
}
