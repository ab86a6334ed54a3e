/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of job options that regio supports, in the order of the help. What a value means is
 * up to its type (key_number.c, key_word.c) and to whoever reads the field of struct job. */
#include "job/keys.h"

#include <limits.h>
#include <string.h>

#include "base/units.h"
#include "base/words.h"
#include "model/job.h"

#define MAX_BLOCK_BYTES (UINT64_C(1) << 30) /* a buffer of that size for every I/O in flight */
#define MAX_FILES 1000000
#define MAX_IODEPTH 65536 /* the kernel's own limit of libaio (fs.aio-max-nr) */

#define MAX_VERIFY_THREADS 256
#define MAX_BACKLOG 1048576 /* each is remembered */

/* Offset of a field of struct job; does not compile unless the field has that type. */
#define FIELD(member, field_type)                                                                  \
	(offsetof(struct job, member) +                                                            \
	 0 * sizeof(char[__builtin_types_compatible_p(__typeof__(((struct job *)0)->member),       \
						      field_type)                                  \
				 ? 1                                                               \
				 : -1]))

/* The columns of a row: KEY, one of the types below, then what is special about it. */
#define KEY(key_name, other_name, default_value, help_text)                                        \
	.info.name = (key_name), .info.alias = (other_name), .info.default_text = (default_value), \
	.info.help = (help_text)

#define TEXT(member) .type = &key_text, .info.values = "TEXT", .offset = FIELD(member, const char *)
#define PREFIX(member)                                                                             \
	.type = &key_prefix, .info.values = "PREFIX", .offset = FIELD(member, const char *)
#define FLAG(member) .type = &key_flag, .info.values = "0 1", .offset = FIELD(member, bool)
#define BOOL(member) .type = &key_bool, .info.values = "0 1", .offset = FIELD(member, bool)
#define CHOICE(member, names)                                                                      \
	.type = &key_choice, .info.values = (names),                                               \
	.offset = FIELD(member, __typeof__(((struct job *)0)->member))
#define UNSIGNED(member, low, high)                                                                \
	.type = &key_unsigned, .info.values = "NUMBER", .offset = FIELD(member, unsigned),         \
	.min = (low), .max = (high)
#define U64(member, low, high)                                                                     \
	.type = &key_u64, .info.values = "NUMBER", .offset = FIELD(member, uint64_t),              \
	.min = (low), .max = (high)
#define BYTES(member)                                                                              \
	.type = &key_u64, .info.values = "SIZE", .offset = FIELD(member, uint64_t), .max = INT64_MAX
#define PERCENT(member)                                                                            \
	.type = &key_percent, .info.values = "0..100", .offset = FIELD(member, unsigned), .max = 100
#define SIZE(member)                                                                               \
	.type = &key_size, .info.values = "SIZE|N%|Nz", .offset = FIELD(member, struct size_spec), \
	.max = INT64_MAX
#define ZONES(member)                                                                              \
	.type = &key_zones, .info.values = "SIZE|Nz", .offset = FIELD(member, struct size_spec),   \
	.max = INT64_MAX
#define TIME(member, unit)                                                                         \
	.type = &key_time, .info.values = "TIME", .offset = FIELD(member, uint64_t),               \
	.unit_ns = (unit)
#define TIME_RANGE(member, high_member, unit)                                                      \
	.type = &key_time_range, .info.values = "TIME[-TIME]", .offset = FIELD(member, uint64_t),  \
	.offset_high = FIELD(high_member, uint64_t), .unit_ns = (unit)
#define SIZE_RANGE(member, high_member)                                                            \
	.type = &key_size_range, .info.values = "SIZE[-SIZE]", .offset = FIELD(member, uint64_t),  \
	.offset_high = FIELD(high_member, uint64_t), .max = INT64_MAX
#define SIZES(member)                                                                              \
	.type = &key_sizes, .info.values = "SIZE[,SIZE[,SIZE]]",                                   \
	.offset = FIELD(member, uint64_t[IO_NR_DATA_DIRS]), .max = UINT64_MAX
#define PATTERN(member)                                                                            \
	.type = &key_pattern, .info.values = "PATTERN",                                            \
	.offset = FIELD(member, const struct pattern *)
#define COUNTS(member)                                                                             \
	.type = &key_counts, .info.values = "NUMBER[,NUMBER[,NUMBER]]",                            \
	.offset = FIELD(member, uint64_t[IO_NR_DATA_DIRS]), .max = UINT64_MAX
#define PERCENTS(member)                                                                           \
	.type = &key_counts, .info.values = "0..100[,0..100[,0..100]]",                            \
	.offset = FIELD(member, uint64_t[IO_NR_DATA_DIRS]), .max = 100
#define BLOCK_SIZES(key_type_of_it, values_text)                                                   \
	.type = &(key_type_of_it), .info.values = (values_text),                                   \
	.offset = FIELD(bs_min_bytes, uint64_t[IO_NR_DATA_DIRS]),                                  \
	.offset_high = FIELD(bs_max_bytes, uint64_t[IO_NR_DATA_DIRS]), .min = 1,                   \
	.max = MAX_BLOCK_BYTES

/* One array, so that a row has a number; one file for each theme. */
static const struct key_row rows[] = {
#include "job/keys_job.inc"
#include "job/keys_files.inc"
#include "job/keys_issue.inc"
#include "job/keys_engine.inc"
#include "job/keys_engine_options.inc"
#include "job/keys_pace.inc"
#include "job/keys_run.inc"
#include "job/keys_verify.inc"
#include "job/keys_report.inc"
};

const struct key_row *keys_table(size_t *ret_nr)
{
	*ret_nr = sizeof(rows) / sizeof(rows[0]);
	return rows;
}

bool key_is_of_engine(const struct key_row *row, const char *engine)
{
	return !row->engines || words_have(row->engines, engine, strlen(engine));
}

const struct job_key_info *job_key_info(size_t index)
{
	return index < sizeof(rows) / sizeof(rows[0]) ? &rows[index].info : NULL;
}
