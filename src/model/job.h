/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MODEL_JOB_H
#define REGIO_MODEL_JOB_H

/*
 * A job is one workload: the options of one job-file section after the defaults of the
 * [global] sections, the command line and the settings have been applied to it.
 * A job set is what one `regio run` measures: all jobs of all files given, in order.
 * Both are read-only once job_parse() of src/job has returned them; every string and array
 * lives in the arena of the set.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/engine_options.h"
#include "model/io.h"
#include "model/steady.h"

struct arena;
struct err;
struct pattern;

#define JOB_MAX_PERCENTILES 20 /* as fio */
#define JOB_MAX_CPUS 1024

/* rw=: directions and order, combined as flags. */
enum rw_flags {
	RW_READ = 1 << IO_READ,
	RW_WRITE = 1 << IO_WRITE,
	RW_TRIM = 1 << IO_TRIM,
	RW_DIR_MASK = RW_READ | RW_WRITE | RW_TRIM,
	RW_RANDOM = 1 << 3,
	RW_TRIM_THEN_WRITE = 1 << 4, /* (rand)trimwrite: trim a block, then write it */
};

enum sync_mode {
	SYNC_NONE,
	SYNC_SYNC,  /* O_SYNC */
	SYNC_DSYNC, /* O_DSYNC */
};

enum fallocate_mode {
	FALLOCATE_NATIVE, /* fallocate(2); silently skipped where the filesystem cannot */
	FALLOCATE_NONE,
	FALLOCATE_POSIX, /* posix_fallocate(3) */
	FALLOCATE_KEEP,	 /* fallocate(2) with FALLOC_FL_KEEP_SIZE */
	FALLOCATE_TRUNCATE,
};

/* unified_rw_reporting=: what the reports show of a job that reads and writes. */
enum unified_rw {
	UNIFIED_RW_NONE,  /* each direction */
	UNIFIED_RW_MIXED, /* all of them as one */
	UNIFIED_RW_BOTH,
};

struct cpu_list {
	uint64_t bits[JOB_MAX_CPUS / 64];
	size_t nr; /* number of CPUs set; 0 = not restricted */
};

/* log_window_value=: what stands for all values of a window of log_avg_msec. */
enum log_value {
	LOG_VALUE_MEAN,
	LOG_VALUE_MAX,
	LOG_VALUE_BOTH,
};

/* Logs of a job. A prefix is the first part of the file names: NULL no log, "" the job's name. */
struct job_log {
	const char *bw_prefix, *iops_prefix, *lat_prefix, *hist_prefix;
	uint64_t window_ms; /* 0: a line for each I/O */
	uint64_t hist_window_ms;
	unsigned hist_coarseness; /* pairs of buckets are added up so often */
	enum log_value value;
	bool offset, prio, issue_time; /* further columns */
	bool is_unix_time;	       /* times are those of clock_id, not since the job began */
	unsigned clock_id;
	bool is_shared; /* per_job_logs=0: one file for all clones */
	unsigned nr_entries;
	/* No effect: entries are written to the file while the job runs, so there are none to keep
	 * in memory, compressed or not. */
	unsigned compression_bytes;
	struct cpu_list compression_cpus;
	unsigned store_compressed;
};

/* verify=: what a block carries to be recognised by. In the order of the names in the table. */
enum verify_method {
	VERIFY_NONE,
	VERIFY_META, /* a header alone */
	VERIFY_MD5,
	VERIFY_CRC64,
	VERIFY_CRC32,
	VERIFY_CRC32C,
	VERIFY_CRC32C_INTEL,
	VERIFY_CRC16,
	VERIFY_CRC7,
	VERIFY_SHA1,
	VERIFY_SHA256,
	VERIFY_SHA512,
	VERIFY_SHA3_224,
	VERIFY_SHA3_256,
	VERIFY_SHA3_384,
	VERIFY_SHA3_512,
	VERIFY_XXHASH,
	VERIFY_PATTERN,	       /* no header, only the pattern */
	VERIFY_PATTERN_HEADER, /* both */
	VERIFY_NULL,	       /* read back, look at nothing */
	VERIFY_NR_METHODS,
};

/* A size or offset: bytes, or a share of the file or device. Unset: both zero. */
struct size_spec {
	uint64_t bytes;
	unsigned zones;	  /* given as a number of zones, of which bytes are made */
	unsigned percent; /* 1..100 when given as a percentage, else 0 */
	bool is_set;
};

/* One option as the user gave it, for reports and error messages. */
struct job_option {
	const char *key;    /* canonical name */
	const char *value;  /* text as typed, "" for a bare flag */
	const char *source; /* file name, "command line" or "setting" */
	unsigned line;	    /* 0 where the source has no lines */
};

struct job_options {
	struct job_option *items;
	size_t nr;
};

/* bssplit=: one block size and how much of the I/O has it. */
struct bs_share {
	uint64_t bytes;
	unsigned percent;
};

/* Ascending sizes; what is missing to 100 % has the last one. nr 0: no split. */
struct bs_split {
	const struct bs_share *items;
	size_t nr;
};

enum distribution_kind {
	DISTRIBUTION_UNIFORM,
	DISTRIBUTION_ZIPF,
	DISTRIBUTION_PARETO,
	DISTRIBUTION_NORMAL,
	DISTRIBUTION_ZONED,
	DISTRIBUTION_ZONED_BYTES,
};

/* One part of the space and how much of the I/O goes there. */
struct access_zone {
	unsigned access_percent;
	unsigned size_percent; /* DISTRIBUTION_ZONED */
	uint64_t size_bytes;   /* DISTRIBUTION_ZONED_BYTES */
};

struct access_zones {
	const struct access_zone *items;
	size_t nr;
};

/* random_distribution=: how often random offsets meet each block. */
struct distribution {
	enum distribution_kind kind;
	double parameter; /* zipf: theta; pareto: h; normal: deviation in % of the range */
	double center;	  /* most likely place, 0..1 of the range */
	bool has_center;  /* given; else zipf and pareto have likely blocks all over the range */
	struct access_zones zones[IO_NR_DATA_DIRS];
};

enum random_generator {
	RANDOM_TAUSWORTHE,
	RANDOM_LFSR, /* every block once, with norandommap as well */
	RANDOM_TAUSWORTHE64,
};

enum rw_sequencer {
	SEQUENCER_SEQUENTIAL,
	SEQUENCER_IDENTICAL, /* between two random offsets the first one again and again */
};

/* file_service_type=: which file the next I/O goes to. */
enum file_service {
	FILE_SERVICE_ROUNDROBIN,
	FILE_SERVICE_RANDOM,
	FILE_SERVICE_SEQUENTIAL,
	FILE_SERVICE_DISTRIBUTION,
};

/* fadvise_hint=: what the kernel is told of the order to come. */
enum fadvise_hint {
	FADVISE_NONE,
	FADVISE_BY_RW,
	FADVISE_RANDOM,
	FADVISE_SEQUENTIAL,
	FADVISE_NOREUSE,
};

enum zonemode {
	ZONEMODE_NONE,
	ZONEMODE_STRIDED,
};

/* continue_on_error=: failures that do not end the job. */
enum error_kinds {
	ERRORS_READ = 1 << 0,
	ERRORS_WRITE = 1 << 1, /* and trim, fsync */
	ERRORS_VERIFY = 1 << 2,
	ERRORS_ALL = ERRORS_READ | ERRORS_WRITE | ERRORS_VERIFY,
};

#define JOB_NR_ERROR_KINDS 3
#define JOB_MAX_IGNORED_ERRORS 16

/* ignore_error=: errno numbers of one kind that are no failures; nr 0: EIO and EILSEQ. */
struct ignored_errors {
	int numbers[JOB_MAX_IGNORED_ERRORS];
	size_t nr;
};

enum rate_process {
	RATE_LINEAR,
	RATE_POISSON, /* I/Os come by chance, not by the clock */
};

/* exit_what=: what exitall and exitall_on_error end. */
enum exit_what {
	EXIT_GROUP,
	EXIT_STONEWALL, /* all that run; those behind the next stonewall follow */
	EXIT_ALL,
};

enum cpus_policy {
	CPUS_SHARED,
	CPUS_SPLIT, /* one CPU for each clone, in turn */
};

enum numa_mode {
	NUMA_DEFAULT,
	NUMA_PREFER,
	NUMA_BIND,
	NUMA_INTERLEAVE,
	NUMA_LOCAL,
};

struct numa_policy {
	enum numa_mode mode;
	struct cpu_list nodes;
	bool is_set;
};

/* sync_file_range=: sync_file_range(2) after so many writes, over what they wrote. */
struct sync_range {
	unsigned flags; /* SYNC_FILE_RANGE_.. of the kernel */
	unsigned every; /* writes; 0 = never */
};

/* thinktime_blocks_type=: which I/Os thinktime_blocks= counts. */
enum think_blocks {
	THINK_COMPLETED,
	THINK_ISSUED,
};

/* mem=: where the I/O buffers come from. */
enum mem_kind {
	MEM_MALLOC,
	MEM_SHM,
	MEM_SHMHUGE,
	MEM_MMAP,
	MEM_MMAPHUGE,
	MEM_MMAPSHARED,
};

struct mem_source {
	enum mem_kind kind;
	const char *path; /* mmap of this file, or NULL */
};

enum clocksource {
	CLOCKSOURCE_CPU,
	CLOCKSOURCE_CLOCK_GETTIME,
	CLOCKSOURCE_GETTIMEOFDAY,
};

struct job {
	const char *name;    /* reported name */
	const char *section; /* section header: names the default data file */
	const char *description;
	const char *source;	    /* file the section stands in */
	unsigned line;		    /* of the section header */
	struct job_options options; /* the section's own, without the defaults */
	/* All options in force, from wherever they came, each key once, the last value given. */
	struct job_options effective;

	/* files */
	const char *filename;	     /* ':'-separated list, "\:" escapes; NULL = generated */
	const char *directory;	     /* ':'-separated list, spread over the clones; or NULL */
	const char *filename_format; /* never NULL: default "$jobname.$jobnum.$filenum" */
	unsigned nr_files;
	unsigned open_files; /* served at a time, 0 = all */
	enum file_service file_service;
	unsigned file_service_ios;			 /* in a row to one file */
	struct distribution file_distribution;		 /* FILE_SERVICE_DISTRIBUTION */
	uint64_t filesize_min_bytes, filesize_max_bytes; /* of each file; 0 = its share of `size` */
	struct size_spec size;				 /* region over all files of the job */
	struct size_spec io_size;			 /* amount to transfer, if not `size` */
	struct size_spec offset;			 /* start of the region in each file */
	struct size_spec offset_increment;		 /* added once per clone number */
	struct size_spec zone_skip;			 /* as given; see zone_skip_bytes */
	uint64_t offset_align_bytes; /* offsets in percent are rounded up to it; 0 = to a block */
	enum fallocate_mode fallocate;
	bool file_append; /* begins at the end of the file */
	bool fill_device; /* a full device or filesystem is the regular end */
	bool overwrite;	  /* lay out even what is only written */
	bool create_serialize;
	bool create_fsync; /* fsync after laying out */
	bool create_only;  /* lay out, and that is all */
	bool allow_file_create;
	bool allow_mounted_write;
	bool pre_read;
	bool fsync_on_close;
	enum fadvise_hint fadvise_hint;
	enum zonemode zonemode;
	uint64_t zone_size_bytes, zone_range_bytes, zone_skip_bytes;
	bool create_on_open;
	bool unlink;
	bool unlink_each_loop; /* between two loops: each but the first finds no file */
	bool invalidate;

	/* what is issued */
	unsigned rw;		  /* enum rw_flags */
	int64_t rw_step_bytes;	  /* rw=read:N, added between sequential I/Os; may be negative */
	unsigned rw_random_every; /* rw=randread:N, random offset every N I/Os; 0 or 1: always */
	unsigned rwmix_read_percent;
	uint64_t bs_min_bytes[IO_NR_DATA_DIRS]; /* bs= sets both; bsrange= a range */
	uint64_t bs_max_bytes[IO_NR_DATA_DIRS];
	struct bs_split bs_split[IO_NR_DATA_DIRS]; /* wins over the range, which holds its ends */
	bool bs_unaligned;
	uint64_t ba_bytes[IO_NR_DATA_DIRS]; /* unit of random offsets; 0 = the smallest block */
	uint64_t random_percent[IO_NR_DATA_DIRS]; /* of the offsets of a random job */
	struct distribution distribution;
	enum random_generator random_generator;
	enum rw_sequencer rw_sequencer;
	bool softrandommap;
	uint64_t number_ios; /* stop after so many completed; 0 = no limit */
	unsigned loops;
	bool norandommap;
	bool randrepeat;
	uint64_t randseed;
	bool refill_buffers;
	bool zero_buffers;
	bool scramble_buffers;
	unsigned buffer_compress_percent;
	uint64_t buffer_compress_chunk_bytes;
	unsigned dedupe_percent;
	const struct pattern *buffer_pattern; /* repeated over each write; or NULL */

	/* how it is issued */
	const char *ioengine; /* name in the engine table; looked up by whoever runs the job */
	bool direct;
	enum sync_mode sync;
	unsigned iodepth;
	unsigned iodepth_batch;		     /* I/Os per submit call, 1..iodepth */
	unsigned iodepth_batch_complete_min; /* events waited for, 0..iodepth; 0 = poll */
	unsigned iodepth_batch_complete_max; /* events taken at once, 1..iodepth, >= min */
	unsigned iodepth_low;		     /* when full, reap down to this, 1..iodepth */
	unsigned fsync_every;		     /* fsync after so many writes; 0 = never */
	unsigned fdatasync_every;
	bool end_fsync;
	struct sync_range sync_range;
	struct engine_options engine;

	struct mem_source mem;
	uint64_t iomem_align_bytes; /* of the first buffer; 0 = a page */

	/* pace */
	uint64_t rate_bytes_per_sec[IO_NR_DATA_DIRS]; /* 0 = not limited */
	uint64_t rate_iops[IO_NR_DATA_DIRS];
	enum rate_process rate_process;
	uint64_t rate_min_bytes_per_sec[IO_NR_DATA_DIRS]; /* less fails the job; 0 = not asked */
	uint64_t rate_min_iops[IO_NR_DATA_DIRS];
	uint64_t rate_cycle_ns; /* how long they are averaged */
	bool rate_ignore_thinktime;
	uint64_t thinktime_ns;
	uint64_t thinktime_iotime_ns; /* time of I/O between idle times; 0 = by blocks */
	uint64_t thinktime_spin_ns;
	unsigned thinktime_blocks;
	enum think_blocks thinktime_blocks_type;
	unsigned flow_weight; /* share of the I/O of all jobs with that flow_id; 0 = free */
	unsigned flow_id;
	uint64_t flow_sleep_ns;	    /* how long it waits when it is ahead */
	uint64_t latency_target_ns; /* look for the depth at which I/Os are in time; 0 = do not */
	uint64_t latency_window_ns; /* in which it is judged */
	double latency_percentile;  /* of the I/Os have to be in time */
	bool latency_run;	    /* adapt the depth until the job ends otherwise */
	struct steady_rule steady;
	uint64_t steady_duration_ns; /* it has to hold for so long; 0 = nobody looks */
	uint64_t steady_ramp_ns, steady_interval_ns;
	uint64_t max_latency_ns; /* a slower I/O fails the job; 0 = not limited */

	/* when, where and how many */
	unsigned nr_clones; /* numjobs */
	bool group_reporting;
	bool new_group;
	bool stonewall;
	bool thread;
	bool time_based;
	bool exitall;
	bool exitall_on_error;
	enum exit_what exit_what;
	const char *wait_for;	    /* name of the job whose end it waits for, or NULL */
	unsigned continue_on_error; /* enum error_kinds */
	struct ignored_errors ignored_errors[JOB_NR_ERROR_KINDS]; /* read, write, verify */
	bool error_dump;
	uint64_t runtime_ns; /* 0 = not limited */
	uint64_t ramp_time_ns;
	uint64_t startdelay_min_ns;
	uint64_t startdelay_max_ns;
	struct cpu_list cpus_allowed;
	enum cpus_policy cpus_allowed_policy;
	struct cpu_list numa_cpu_nodes; /* bits are nodes */
	struct numa_policy numa_mem_policy;
	int nice;
	unsigned prio; /* level of the I/O priority */
	bool has_prio;
	unsigned prioclass;
	unsigned priohint;		     /* what a device may make of it, Linux 6.5 */
	unsigned uid_plus_one, gid_plus_one; /* 0 = as regio itself */
	const char *exec_prerun;	     /* command of the shell before the job, or NULL */
	const char *exec_postrun;
	const char *ioscheduler; /* set by the target before the trial, restored after it */

	/* verification */
	unsigned verify;		      /* enum verify_method */
	unsigned verify_interval_bytes;	      /* from one header to the next; 0 = bs */
	unsigned verify_offset_bytes;	      /* place of the header in its interval */
	const struct pattern *verify_pattern; /* content instead of random data, or NULL */
	bool do_verify;			      /* read back what was written */
	bool verify_only;		      /* read back, but write nothing before */
	bool verify_fatal;		      /* the first wrong interval of an I/O is enough */
	bool verify_dump;		      /* wrong blocks into files */
	bool verify_state_save;
	bool verify_state_load;
	bool verify_write_sequence; /* a block has to be the newest write to its place */
	bool experimental_verify;   /* changes nothing: regio always knows what it wrote */
	unsigned verify_async;	    /* threads that compare; 0 = the worker itself */
	struct cpu_list verify_async_cpus;
	unsigned verify_backlog;       /* read back after so many writes; 0 = at the end */
	unsigned verify_backlog_batch; /* at once; 0 = all */
	unsigned trim_percentage;      /* of the blocks written */
	unsigned trim_backlog;	       /* after so many writes */
	unsigned trim_backlog_batch;   /* at once; 0 = all */
	bool trim_verify_zero;	       /* trimmed blocks read as zeros */
	bool serialize_overlap;	       /* no I/O while one on the same bytes is in flight */

	bool fio_strict; /* as fio also where fio surprises: model/trap.h */

	/* reporting */
	enum clocksource clocksource;
	bool gtod_reduce; /* implies the four below */
	bool disable_clat, disable_slat, disable_lat, disable_bw;
	unsigned kb_base; /* 1024 or 1000 */
	bool clat_percentiles;
	bool lat_percentiles;
	bool slat_percentiles;
	double percentiles[JOB_MAX_PERCENTILES]; /* ascending, 0..100 */
	size_t nr_percentiles;
	bool is_silent;	   /* stats=0: nothing of the job is counted */
	bool no_disk_util; /* disk_util=0 */
	enum unified_rw unified_rw;
	unsigned unit_base; /* 1: rates in bits, 8 or 0: in bytes */
	unsigned significant_figures;
	uint64_t bw_window_ns; /* of the bandwidth and IOPS samples; 0: as fio by default */
	uint64_t iops_window_ns;
	struct job_log log;

	/* follows from the order of the jobs */
	unsigned group_id; /* jobs with one id are reported together under group_reporting */
	unsigned phase;	   /* jobs of phase n+1 start when all of phase n have ended (stonewall) */
	unsigned first_clone; /* 0-based thread number of the first clone */
};

/* Something the user should know about the job set although it runs (fio prints such lines). */
struct job_warning {
	const char *text;   /* without the place */
	const char *source; /* NULL where there is no place */
	unsigned line;
	const char *trap; /* name of its row in model/trap.h, or NULL */
	unsigned nr_more; /* other places with that trap */
};

struct job_set {
	struct arena *arena; /* owned */
	struct job *jobs;
	size_t nr;
	size_t nr_clones; /* of all jobs together = number of workers */
	struct job_options global_options;
	struct job_warning *warnings;
	size_t nr_warnings;
	/* fio_strict: the jobs are run without the options of a file that could not be read, and
	 * the run has failed all the same; NULL: there is none. */
	const char *include_error;
};

void job_set_release(struct job_set *set);

/* The option of that canonical name as given in the section itself; NULL if it was not. */
const struct job_option *job_option_find(const struct job *job, const char *key);

/*
 * The data files of one clone: directory, filename list or filename_format applied.
 * Returns an array of *ret_nr strings in the arena; never fails (an empty name list is
 * refused by validation). clone is 0 .. nr_clones-1 within the job and is fio's $jobnum.
 * A filename= list is the same for all clones and stands in the first directory of the list.
 */
const char *const *job_file_names(const struct job *job, unsigned clone, struct arena *arena,
				  size_t *ret_nr);

/*
 * ret is the code of a failure and is returned, but what is wrong with a job that was typed is
 * -ERR_USAGE, and what is wrong with one of a file -ERR_INPUT.
 */
int job_err_code(const struct job *job, int ret, struct err *err);
/* The same, with "file:line: job 'name': " before the message, the place of the section if any. */
int job_err_prefix(const struct job *job, int ret, struct err *err);

/* True if the job has that direction in its rw mode. */
static inline bool job_does(const struct job *job, enum io_dir dir)
{
	return (job->rw & (1U << dir)) != 0;
}

/* "randread", "write", "rw" .. as fio prints rw=: a constant string without the step. */
const char *rw_name(unsigned rw);
/* The flags of one of fio's names, of which only len characters count. False: no such name. */
bool rw_from_name(const char *name, size_t len, unsigned *ret_rw);

#endif
