/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_JOB_KEY_H
#define REGIO_JOB_KEY_H

/*
 * A key is a job option: one field of struct job and one row of the table (keys_*.inc), which is
 * all that parsing, defaults, limits, help and completion know about it. How the text of a value
 * becomes the field is the type of the key; a new kind of value is a new type, not a new case.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "job/job_parse.h"

struct err;
struct job;
struct key_row;
struct number_reader;

struct key_type {
	bool is_bare_allowed;  /* "key" alone means "key=1" */
	bool is_empty_allowed; /* "key" and "key=" mean the empty value */
	/*
	 * Reads text (never NULL, not empty, lives as long as the job) into the field of the row.
	 * Fails like number_parse_size(): the message says what is wrong with the value, without
	 * the name of the key.
	 */
	int (*parse)(const struct key_row *row, const char *text, struct number_reader *reader,
		     struct job *job, struct err *err);
};

enum key_flags {
	KEY_NEGATED = 1 << 0, /* the field is the opposite: buffered and direct */
	KEY_FIRST = 1 << 1,   /* read before the others of its section: kb_base */
};

struct key_row {
	struct job_key_info info;
	const struct key_type *type;
	size_t offset;	     /* of the field in struct job */
	size_t offset_high;  /* types with two ends: of the upper end */
	uint64_t min, max;   /* numbers: limits, both included */
	uint64_t unit_ns;    /* times: what a plain number counts */
	const char *later;   /* values of fio that are not supported yet, separated by blanks */
	const char *engines; /* NULL, or the only engines that have it, separated by blanks */
	unsigned flags;	     /* enum key_flags */
};

/* The types. Fields are named as C types; [3] is one value for each direction. */
extern const struct key_type key_text;		  /* const char * */
extern const struct key_type key_prefix;	  /* const char *, may be empty */
extern const struct key_type key_flag;		  /* bool, set by the bare key */
extern const struct key_type key_bool;		  /* bool, 0 or 1 must be given */
extern const struct key_type key_choice;	  /* int-sized: position in info.values */
extern const struct key_type key_choice_unsigned; /* unsigned: the number that was chosen */
extern const struct key_type key_unsigned;	  /* unsigned */
extern const struct key_type key_percent;	  /* unsigned 0..100; KEY_NEGATED: 100 - value */
extern const struct key_type key_cpu;		  /* unsigned; bool at offset_high: it was given */
extern const struct key_type key_u64;		  /* uint64_t */
extern const struct key_type key_size;		  /* struct size_spec: bytes, N% or Nz */
extern const struct key_type key_zones;		  /* struct size_spec: bytes or Nz */
extern const struct key_type key_size_range;	  /* uint64_t at offset and offset_high */
extern const struct key_type key_time;		  /* uint64_t ns */
extern const struct key_type key_time_range;	  /* uint64_t ns, at offset and offset_high */
extern const struct key_type key_counts;	  /* uint64_t[3] */
extern const struct key_type key_sizes;	      /* uint64_t[3] at offset, and offset_high if any */
extern const struct key_type key_size_ranges; /* uint64_t[3] at offset and offset_high */
extern const struct key_type key_rw;	      /* rw, rw_step_bytes and rw_random_every */
extern const struct key_type key_cpus;	      /* struct cpu_list */
extern const struct key_type key_cpumask;     /* struct cpu_list, from a number */
extern const struct key_type key_nodes;	      /* struct cpu_list, of nodes */
extern const struct key_type key_numa_policy; /* struct numa_policy */
extern const struct key_type key_nice;	      /* int -20..19 */
extern const struct key_type key_prio;	      /* prio and has_prio */
extern const struct key_type key_plus_one;    /* unsigned: the number + 1 */
extern const struct key_type key_sync_range;  /* struct sync_range */
extern const struct key_type key_mem;	      /* struct mem_source */
extern const struct key_type key_percentiles; /* percentiles and nr_percentiles */
extern const struct key_type key_steady;      /* struct steady_rule */
extern const struct key_type key_share;	      /* double 0..100 */
extern const struct key_type key_pattern;     /* const struct pattern * */

extern const struct key_type key_bssplit;      /* struct bs_split[3] */
extern const struct key_type key_distribution; /* struct distribution */
extern const struct key_type key_file_service; /* file_service, .._ios, file_distribution */

extern const struct key_type key_error_kinds;	 /* unsigned, enum error_kinds */
extern const struct key_type key_ignored_errors; /* struct ignored_errors[3] */

/* The field of a row. */
static inline void *key_field(const struct key_row *row, struct job *job)
{
	return (char *)job + row->offset;
}

static inline void *key_field_high(const struct key_row *row, struct job *job)
{
	return (char *)job + row->offset_high;
}

#endif
