/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of job options that regio supports, in the order of the help. What a value means is
 * up to its type (key_number.c, key_word.c) and to whoever reads the field of struct job. */
#include "job/keys.h"

#include <limits.h>

#include "model/job.h"

#define MAX_BLOCK_BYTES (UINT64_C(1) << 30) /* a buffer of that size for every I/O in flight */
#define MAX_FILES 1000000
#define MAX_IODEPTH 65536 /* the kernel's own limit of libaio (fs.aio-max-nr) */

#define NS_PER_US UINT64_C(1000)
#define NS_PER_S UINT64_C(1000000000)

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
#define PERCENT(member)                                                                            \
	.type = &key_percent, .info.values = "0..100", .offset = FIELD(member, unsigned), .max = 100
#define SIZE(member)                                                                               \
	.type = &key_size, .info.values = "SIZE|N%", .offset = FIELD(member, struct size_spec),    \
	.max = INT64_MAX
#define TIME(member, unit)                                                                         \
	.type = &key_time, .info.values = "TIME", .offset = FIELD(member, uint64_t),               \
	.unit_ns = (unit)
#define TIME_RANGE(member, high_member, unit)                                                      \
	.type = &key_time_range, .info.values = "TIME[-TIME]", .offset = FIELD(member, uint64_t),  \
	.offset_high = FIELD(high_member, uint64_t), .unit_ns = (unit)
#define SIZES(member)                                                                              \
	.type = &key_sizes, .info.values = "SIZE[,SIZE[,SIZE]]",                                   \
	.offset = FIELD(member, uint64_t[IO_NR_DATA_DIRS]), .max = UINT64_MAX
#define COUNTS(member)                                                                             \
	.type = &key_counts, .info.values = "NUMBER[,NUMBER[,NUMBER]]",                            \
	.offset = FIELD(member, uint64_t[IO_NR_DATA_DIRS]), .max = UINT64_MAX
#define BLOCK_SIZES(key_type_of_it, values_text)                                                   \
	.type = &(key_type_of_it), .info.values = (values_text),                                   \
	.offset = FIELD(bs_min_bytes, uint64_t[IO_NR_DATA_DIRS]),                                  \
	.offset_high = FIELD(bs_max_bytes, uint64_t[IO_NR_DATA_DIRS]), .min = 1,                   \
	.max = MAX_BLOCK_BYTES

static const struct key_row rows[] = {
	/* the job */
	{ KEY("name", NULL, "", "name in reports; on the command line it starts a job"),
	  TEXT(name) },
	{ KEY("description", NULL, "", "text printed with the results"), TEXT(description) },
	{ KEY("kb_base", NULL, "1024", "what k, m, g mean in sizes: powers of 1024 or of 1000"),
	  .type = &key_choice_unsigned, .info.values = "1024 1000",
	  .offset = FIELD(kb_base, unsigned), .flags = KEY_FIRST },

	/* files */
	{ KEY("filename", NULL, "", "files or devices, separated by ':' (\\: is a colon)"),
	  TEXT(filename) },
	{ KEY("directory", NULL, "", "where the files are; ':' separates several, one per clone"),
	  TEXT(directory) },
	{ KEY("filename_format", NULL, "$jobname.$jobnum.$filenum", "how to name files"),
	  TEXT(filename_format) },
	{ KEY("nrfiles", "nr_files", "1", "files of each clone"),
	  UNSIGNED(nr_files, 1, MAX_FILES) },
	{ KEY("size", NULL, "", "region in which the job does its I/O, over all its files"),
	  SIZE(size) },
	{ KEY("io_size", "io_limit", "", "bytes to transfer, if not size"), SIZE(io_size) },
	{ KEY("offset", "fileoffset", "", "start of the region in each file"), SIZE(offset) },
	{ KEY("offset_increment", NULL, "", "added to the offset for each further clone"),
	  SIZE(offset_increment) },
	{ KEY("fallocate", NULL, "native", "how new files get their blocks"),
	  CHOICE(fallocate, "native none|0 posix|1 keep truncate") },
	{ KEY("create_on_open", NULL, "0", "create files when they are opened, lay out nothing"),
	  BOOL(create_on_open) },
	{ KEY("unlink", NULL, "0", "remove the files after the job"), BOOL(unlink) },
	{ KEY("invalidate", NULL, "1", "drop the cached pages of the files before the job"),
	  BOOL(invalidate) },

	/* what is issued */
	{ KEY("rw", "readwrite", "read", "direction and order; :N adds a step or a run length"),
	  .type = &key_rw, .offset = FIELD(rw, unsigned),
	  .info.values = "read write trim randread randwrite randtrim rw|readwrite randrw "
			 "trimwrite randtrimwrite" },
	{ KEY("rwmixread", NULL, "50", "percentage of reads in a mix"),
	  PERCENT(rwmix_read_percent) },
	{ KEY("rwmixwrite", NULL, "", "percentage of writes in a mix"), PERCENT(rwmix_read_percent),
	  .flags = KEY_NEGATED },
	{ KEY("bs", "blocksize", "4k", "bytes of each I/O, or read,write,trim"),
	  BLOCK_SIZES(key_sizes, "SIZE[,SIZE[,SIZE]]") },
	{ KEY("bsrange", "blocksize_range", "", "smallest and largest I/O"),
	  BLOCK_SIZES(key_size_ranges, "SIZE-SIZE[,..]") },
	{ KEY("number_ios", NULL, "", "end after so many I/Os"), U64(number_ios, 0, UINT64_MAX) },
	{ KEY("loops", NULL, "1", "times to run the job"), UNSIGNED(loops, 1, UINT_MAX) },
	{ KEY("norandommap", NULL, "0", "random offsets may repeat before all were used"),
	  FLAG(norandommap) },
	{ KEY("randrepeat", "allrandrepeat", "1", "same random offsets in every run"),
	  BOOL(randrepeat) },
	{ KEY("randseed", NULL, "0x89", "seed of offsets and data"), U64(randseed, 0, UINT64_MAX) },
	{ KEY("refill_buffers", NULL, "0", "new data for every write"), FLAG(refill_buffers) },
	{ KEY("zero_buffers", NULL, "0", "write zeroes"), FLAG(zero_buffers) },

	/* how it is issued */
	{ KEY("ioengine", NULL, "psync", "how I/O reaches the kernel"), TEXT(ioengine) },
	{ KEY("direct", NULL, "0", "bypass the page cache (O_DIRECT)"), BOOL(direct) },
	{ KEY("buffered", NULL, "", "use the page cache: the opposite of direct"), BOOL(direct),
	  .flags = KEY_NEGATED },
	{ KEY("sync", NULL, "none", "open with O_SYNC or O_DSYNC"),
	  CHOICE(sync, "none|0 sync|1 dsync") },
	{ KEY("iodepth", NULL, "1", "I/Os kept in flight by each clone"),
	  UNSIGNED(iodepth, 1, MAX_IODEPTH) },
	{ KEY("iodepth_batch", "iodepth_batch_submit", "1", "I/Os per submit call; 0: iodepth"),
	  UNSIGNED(iodepth_batch, 0, UINT_MAX) },
	{ KEY("iodepth_batch_complete_min", "iodepth_batch_complete", "1",
	      "completions waited for at once; 0: do not wait"),
	  UNSIGNED(iodepth_batch_complete_min, 0, UINT_MAX) },
	{ KEY("iodepth_batch_complete_max", NULL, "", "completions taken at once"),
	  UNSIGNED(iodepth_batch_complete_max, 0, UINT_MAX) },
	{ KEY("iodepth_low", NULL, "", "when iodepth is reached, wait until it fell to this"),
	  UNSIGNED(iodepth_low, 0, UINT_MAX) },
	{ KEY("fsync", NULL, "0", "fsync after so many writes"),
	  UNSIGNED(fsync_every, 0, UINT_MAX) },
	{ KEY("fdatasync", NULL, "0", "fdatasync after so many writes"),
	  UNSIGNED(fdatasync_every, 0, UINT_MAX) },
	{ KEY("end_fsync", NULL, "0", "fsync at the end of the job"), BOOL(end_fsync) },
	{ KEY("fixedbufs", NULL, "0", "register the buffers with the kernel"), FLAG(fixedbufs),
	  .engines = "io_uring" },
	{ KEY("registerfiles", NULL, "0", "register the files with the kernel"),
	  FLAG(registerfiles), .engines = "io_uring" },

	/* pace */
	{ KEY("rate", NULL, "", "limit of bytes/s of each clone and direction"),
	  SIZES(rate_bytes_per_sec) },
	{ KEY("rate_iops", NULL, "", "limit of I/O/s of each clone and direction"),
	  COUNTS(rate_iops) },
	{ KEY("thinktime", NULL, "0", "idle time between I/Os, plain number: us"),
	  TIME(thinktime_ns, NS_PER_US) },
	{ KEY("thinktime_spin", NULL, "0", "part of thinktime to spend busy, plain number: us"),
	  TIME(thinktime_spin_ns, NS_PER_US) },
	{ KEY("thinktime_blocks", NULL, "1", "I/Os between idle times"),
	  UNSIGNED(thinktime_blocks, 1, UINT_MAX) },

	/* when, where and how many */
	{ KEY("numjobs", NULL, "1", "clones of the job"), UNSIGNED(nr_clones, 1, JOB_MAX_CLONES) },
	{ KEY("group_reporting", NULL, "0", "report the group as one"), FLAG(group_reporting) },
	{ KEY("new_group", NULL, "0", "start a new group of reports"), FLAG(new_group) },
	{ KEY("stonewall", "wait_for_previous", "0", "start when all jobs before have ended"),
	  FLAG(stonewall) },
	{ KEY("thread", NULL, "0", "threads instead of processes; regio always uses threads"),
	  FLAG(thread) },
	{ KEY("runtime", "timeout", "", "longest run, plain number: s"),
	  TIME(runtime_ns, NS_PER_S) },
	{ KEY("time_based", NULL, "0", "repeat until runtime is over"), FLAG(time_based) },
	{ KEY("ramp_time", NULL, "0", "time before anything is measured, plain number: s"),
	  TIME(ramp_time_ns, NS_PER_S) },
	{ KEY("startdelay", NULL, "0", "wait before the start, plain number: s"),
	  TIME_RANGE(startdelay_min_ns, startdelay_max_ns, NS_PER_S) },
	{ KEY("exitall", NULL, "0", "end all jobs when this one ends"), FLAG(exitall) },
	{ KEY("cpus_allowed", NULL, "", "CPUs to run on"), .type = &key_cpus, .info.values = "LIST",
	  .offset = FIELD(cpus_allowed, struct cpu_list) },
	{ KEY("ioscheduler", NULL, "", "I/O scheduler of the device during the run"),
	  TEXT(ioscheduler) },

	/* reports */
	{ KEY("clat_percentiles", NULL, "1", "percentiles of completion latency"),
	  BOOL(clat_percentiles) },
	{ KEY("lat_percentiles", NULL, "0", "percentiles of total latency"),
	  BOOL(lat_percentiles) },
	{ KEY("slat_percentiles", NULL, "0", "percentiles of submission latency"),
	  BOOL(slat_percentiles) },
	{ KEY("percentile_list", NULL, "1:5:10:20:30:40:50:60:70:80:90:95:99:99.5:99.9:99.95:99.99",
	      "percentiles to report, separated by ':'"),
	  .type = &key_percentiles, .info.values = "LIST",
	  .offset = FIELD(percentiles, double[JOB_MAX_PERCENTILES]) },
};

const struct key_row *keys_table(size_t *ret_nr)
{
	*ret_nr = sizeof(rows) / sizeof(rows[0]);
	return rows;
}

const struct job_key_info *job_key_info(size_t index)
{
	return index < sizeof(rows) / sizeof(rows[0]) ? &rows[index].info : NULL;
}
