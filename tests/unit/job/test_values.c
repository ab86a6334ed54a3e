/* SPDX-License-Identifier: GPL-2.0-or-later */
/* keys: what each option does to its field, its default, and which values it refuses. */
#include "job/keys.h"

#include <string.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "job_test.h"
#include "test.h"

#define S UINT64_C(1000000000)
#define US UINT64_C(1000)

/* A number or bool of struct job after these lines. */
struct field_case {
	const char *options;
	size_t offset, size;
	int64_t expected;
};

#define V(lines, member, value)                                                                    \
	{                                                                                          \
		lines, offsetof(struct job, member), sizeof(((struct job *)0)->member), value      \
	}

static const struct field_case field_cases[] = {
	/* defaults */
	V("", nr_files, 1),
	V("", size.is_set, 0),
	V("", io_size.is_set, 0),
	V("", offset.is_set, 0),
	V("", fallocate, FALLOCATE_NATIVE),
	V("", create_on_open, 0),
	V("", unlink, 0),
	V("", invalidate, 1),
	V("", rw, RW_READ),
	V("", rw_step_bytes, 0),
	V("", rw_random_every, 0),
	V("", rwmix_read_percent, 50),
	V("", bs_min_bytes[IO_READ], 4096),
	V("", bs_max_bytes[IO_TRIM], 4096),
	V("", number_ios, 0),
	V("", loops, 1),
	V("", norandommap, 0),
	V("", randrepeat, 1),
	V("", randseed, 0x89),
	V("", refill_buffers, 0),
	V("", zero_buffers, 0),
	V("", direct, 0),
	V("", sync, SYNC_NONE),
	V("", iodepth, 1),
	V("", iodepth_batch, 1),
	V("", iodepth_batch_complete_min, 1),
	V("", iodepth_batch_complete_max, 1),
	V("", iodepth_low, 1),
	V("", fsync_every, 0),
	V("", fdatasync_every, 0),
	V("", end_fsync, 0),
	V("", rate_bytes_per_sec[IO_READ], 0),
	V("", rate_iops[IO_WRITE], 0),
	V("", thinktime_ns, 0),
	V("", thinktime_blocks, 1),
	V("", thinktime_blocks_type, THINK_COMPLETED),
	V("", sync_range.every, 0),
	V("", unlink_each_loop, 0),
	V("", verify_write_sequence, 1),
	V("", priohint, 0),
	V("", flow_weight, 0),
	V("", latency_target_ns, 0),
	V("", latency_window_ns, 0),
	V("", latency_run, 0),
	V("", steady.metric, STEADY_IOPS),
	V("", steady.is_slope, 1),
	V("", steady.is_percent, 1),
	V("", steady_duration_ns, 0),
	V("", steady_interval_ns, S),
	V("", nr_clones, 1),
	V("", group_reporting, 0),
	V("", thread, 0),
	V("", runtime_ns, 0),
	V("", ramp_time_ns, 0),
	V("", startdelay_max_ns, 0),
	V("", cpus_allowed.nr, 0),
	V("", kb_base, 1024),
	V("", clat_percentiles, 1),
	V("", lat_percentiles, 0),
	V("", slat_percentiles, 0),
	V("", is_silent, 0),
	V("", no_disk_util, 0),
	V("", unified_rw, UNIFIED_RW_NONE),
	V("", significant_figures, 4),
	V("", bw_window_ns, 500000000),
	V("", nr_percentiles, 17),

	/* files */
	V("nrfiles=8", nr_files, 8),
	V("nr_files=8", nr_files, 8),
	V("filename=a:b:c", nr_files, 3),
	V("filename=a:b\nnrfiles=7", nr_files, 2),
	V("size=1g", size.bytes, INT64_C(1) << 30),
	V("size=1g", size.is_set, 1),
	V("size=50%", size.percent, 50),
	V("size=50%", size.bytes, 0),
	V("size=100%", size.is_set, 1),
	V("size=1g\nsize=10%", size.bytes, 0),
	V("size=10%\nsize=8k", size.percent, 0),
	V("size=0", size.is_set, 0),
	V("io_size=2m", io_size.bytes, 2 << 20),
	V("io_limit=2m", io_size.bytes, 2 << 20),
	V("offset=25%", offset.percent, 25),
	V("fileoffset=4k", offset.bytes, 4096),
	V("offset_increment=1m", offset_increment.bytes, 1 << 20),
	V("fallocate=none", fallocate, FALLOCATE_NONE),
	V("fallocate=0", fallocate, FALLOCATE_NONE),
	V("fallocate=posix", fallocate, FALLOCATE_POSIX),
	V("fallocate=1", fallocate, FALLOCATE_POSIX),
	V("fallocate=keep", fallocate, FALLOCATE_KEEP),
	V("fallocate=truncate", fallocate, FALLOCATE_TRUNCATE),
	V("fallocate=native", fallocate, FALLOCATE_NATIVE),
	V("create_on_open=1", create_on_open, 1),
	V("unlink=1", unlink, 1),
	V("invalidate=0", invalidate, 0),

	/* what is issued */
	V("rw=randrw", rw, RW_READ | RW_WRITE | RW_RANDOM),
	V("readwrite=write", rw, RW_WRITE),
	V("rw=readwrite", rw, RW_READ | RW_WRITE),
	V("rw=randtrimwrite", rw, RW_WRITE | RW_TRIM | RW_RANDOM | RW_TRIM_THEN_WRITE),
	V("rw=read:512k", rw_step_bytes, 512 << 10),
	V("rw=write:-4k", rw_step_bytes, -4096),
	V("rw=randread:8", rw_random_every, 8),
	V("rw=randread:8", rw_step_bytes, 0),
	V("rw=read:8k\nrw=read", rw_step_bytes, 0),
	V("rw=randread:8\nrw=randread", rw_random_every, 0),
	V("rwmixread=70", rwmix_read_percent, 70),
	V("rwmixwrite=70", rwmix_read_percent, 30),
	V("rwmixread=70\nrwmixwrite=40", rwmix_read_percent, 60),
	V("rwmixwrite=40\nrwmixread=70", rwmix_read_percent, 70),
	V("rwmixread=0", rwmix_read_percent, 0),
	V("rwmixread=100", rwmix_read_percent, 100),
	V("bs=8k", bs_min_bytes[IO_TRIM], 8192),
	V("bs=8k", bs_max_bytes[IO_READ], 8192),
	V("blocksize=8k", bs_min_bytes[IO_READ], 8192),
	V("bs=4k,8k", bs_min_bytes[IO_READ], 4096),
	V("bs=4k,8k", bs_min_bytes[IO_WRITE], 8192),
	V("bs=4k,8k", bs_min_bytes[IO_TRIM], 8192),
	V("bs=4k,8k,16k", bs_min_bytes[IO_TRIM], 16384),
	V("bs=,8k", bs_min_bytes[IO_READ], 4096),
	V("bs=,8k", bs_max_bytes[IO_WRITE], 8192),
	V("bs=,8k", bs_max_bytes[IO_TRIM], 8192),
	V("bs=8k,", bs_max_bytes[IO_READ], 8192),
	V("bs=8k,", bs_max_bytes[IO_WRITE], 4096),
	V("bs=8k,,16k", bs_max_bytes[IO_WRITE], 4096),
	V("bs=8k,,16k", bs_max_bytes[IO_TRIM], 16384),
	V("bs=512,1k,2k,", bs_max_bytes[IO_TRIM], 2048),
	V("bsrange=4k-16k", bs_min_bytes[IO_WRITE], 4096),
	V("bsrange=4k-16k", bs_max_bytes[IO_WRITE], 16384),
	V("bsrange=16k-4k", bs_min_bytes[IO_READ], 4096),
	V("blocksize_range=1k:4k,8k:16k", bs_max_bytes[IO_READ], 4096),
	V("bsrange=1k:4k,8k:16k", bs_min_bytes[IO_TRIM], 8192),
	V("bsrange=4k-16k\nbs=8k", bs_max_bytes[IO_READ], 8192),
	V("bs=8k\nbsrange=4k-16k", bs_max_bytes[IO_READ], 16384),
	V("number_ios=1k", number_ios, 1024),
	V("loops=3", loops, 3),
	V("norandommap", norandommap, 1),
	V("norandommap=0", norandommap, 0),
	V("norandommap\nnorandommap=0", norandommap, 0),
	V("randrepeat=0", randrepeat, 0),
	V("allrandrepeat=0", randrepeat, 0),
	V("randseed=0x10", randseed, 16),
	V("randseed=5\nrandrepeat=0", randrepeat, 1),
	V("refill_buffers", refill_buffers, 1),
	V("zero_buffers=1", zero_buffers, 1),

	/* how it is issued */
	V("direct=1", direct, 1),
	V("buffered=0", direct, 1),
	V("direct=1\nbuffered=1", direct, 0),
	V("buffered=1\ndirect=1", direct, 1),
	V("sync=1", sync, SYNC_SYNC),
	V("sync=sync", sync, SYNC_SYNC),
	V("sync=dsync", sync, SYNC_DSYNC),
	V("sync=0", sync, SYNC_NONE),
	V("iodepth=64", iodepth, 64),
	V("iodepth=1k", iodepth, 1024),
	V("iodepth=0x20", iodepth, 32),
	V("fsync=1", fsync_every, 1),
	V("fdatasync=32", fdatasync_every, 32),
	V("sync_file_range=write", sync_range.every, 1),
	V("sync_file_range=wait_before,wait_after:32", sync_range.every, 32),
	V("sync_file_range=wait_before,wait_after:32", sync_range.flags, 5),
	V("thinktime_blocks_type=issue", thinktime_blocks_type, THINK_ISSUED),
	V("latency_target=5ms", latency_target_ns, 5000 * US),
	V("latency_window=100000", latency_window_ns, 100000 * US),
	V("ss=bw:3", steady.metric, STEADY_BW),
	V("ss=bw:3", steady.is_slope, 0),
	V("ss=bw:3", steady.is_percent, 0),
	V("steadystate=lat_slope:3%", steady.metric, STEADY_LAT),
	V("steadystate=lat_slope:3%", steady.is_slope, 1),
	V("ss_dur=30s\nss_ramp=5\nss_interval=500ms", steady_duration_ns, 30 * S),
	V("ss_dur=30s\nss_ramp=5\nss_interval=500ms", steady_ramp_ns, 5 * S),
	V("ss_dur=30s\nss_ramp=5\nss_interval=500ms", steady_interval_ns, S / 2),
	V("zonemode=strided\nzonesize=64k\nsize=4z", size.bytes, 4 << 16),
	V("size=4Z\nzonesize=64k\nzonemode=strided", size.bytes, 4 << 16),
	V("zonemode=strided\nzonesize=64k\nzoneskip=3z", zone_skip_bytes, 3 << 16),
	V("zonemode=strided\nzonesize=64k\nzoneskip=1000", zone_skip_bytes, 1000),
	V("ioengine=libaio\natomic=1", direct, 1),
	V("end_fsync=1", end_fsync, 1),
	V("ioengine=io_uring\nfixedbufs", engine.fixedbufs, 1),
	V("ioengine=io_uring\nregisterfiles=1", engine.registerfiles, 1),

	/* pace */
	V("rate=1m", rate_bytes_per_sec[IO_TRIM], 1 << 20),
	V("rate=1m,", rate_bytes_per_sec[IO_READ], 1 << 20),
	V("rate=1m,", rate_bytes_per_sec[IO_WRITE], 0),
	V("rate=,12500k", rate_bytes_per_sec[IO_READ], 0),
	V("rate=,12500k", rate_bytes_per_sec[IO_WRITE], 12500 << 10),
	V("rate_iops=100,200", rate_iops[IO_WRITE], 200),
	V("rate_iops=1k", rate_iops[IO_READ], 1024),
	V("thinktime=10", thinktime_ns, 10 * US),
	V("thinktime=10ms", thinktime_ns, 10000 * US),
	V("thinktime=10\nthinktime_spin=4", thinktime_spin_ns, 4 * US),
	V("thinktime=10\nthinktime_spin=40", thinktime_spin_ns, 10 * US),
	V("thinktime_blocks=8", thinktime_blocks, 8),

	/* when, where and how many */
	V("numjobs=24", nr_clones, 24),
	V("group_reporting", group_reporting, 1),
	V("new_group", new_group, 1),
	V("stonewall", stonewall, 1),
	V("wait_for_previous", stonewall, 1),
	V("stonewall=0", stonewall, 0),
	V("thread=1", thread, 1),
	V("exitall", exitall, 1),
	V("runtime=600", runtime_ns, 600 * S),
	V("timeout=10m", runtime_ns, 600 * S),
	V("runtime=300s\ntime_based", time_based, 1),
	V("ramp_time=5", ramp_time_ns, 5 * S),
	V("startdelay=5", startdelay_min_ns, 5 * S),
	V("startdelay=5", startdelay_max_ns, 5 * S),
	V("startdelay=10-5", startdelay_min_ns, 5 * S),
	V("startdelay=10-5", startdelay_max_ns, 10 * S),
	V("cpus_allowed=0,2-4", cpus_allowed.nr, 4),
	V("cpus_allowed=0,2-4", cpus_allowed.bits[0], 0x1d),
	V("cpus_allowed=3,3,3", cpus_allowed.nr, 1),
	V("cpus_allowed=64,1023", cpus_allowed.bits[1], 1),
	V("cpus_allowed=1\ncpus_allowed=2", cpus_allowed.bits[0], 4),

	/* numbers depend on kb_base, wherever it stands in its section */
	V("bs=4k\nkb_base=1000", bs_min_bytes[IO_READ], 4000),
	V("kb_base=1000\nsize=1m", size.bytes, 1000000),
	V("clat_percentiles=0", clat_percentiles, 0),
	V("lat_percentiles=1", lat_percentiles, 1),
	V("slat_percentiles=1", slat_percentiles, 1),
	V("stats=0", is_silent, 1),
	V("disk_util=0", no_disk_util, 1),
	V("unified_rw_reporting=1", unified_rw, UNIFIED_RW_MIXED),
	V("unified_rw_reporting=both", unified_rw, UNIFIED_RW_BOTH),
	V("unit_base=1", unit_base, 1),
	V("significant_figures=10", significant_figures, 10),
	V("bwavgtime=250", bw_window_ns, 250000000),
	V("iopsavgtime=1s", iops_window_ns, 1000000000),
	V("percentile_list=99.9:50", nr_percentiles, 2),
};

static int64_t field_value(const struct job *job, const struct field_case *row)
{
	const void *field = (const char *)job + row->offset;

	switch (row->size) {
	case sizeof(bool):
		return *(const bool *)field;
	case sizeof(unsigned):
		return *(const unsigned *)field;
	default:
		return *(const int64_t *)field;
	}
}

static void test_fields(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(field_cases) / sizeof(field_cases[0]); i++) {
		const struct field_case *row = &field_cases[i];
		struct job_set set = parse_options(row->options);
		int64_t value = field_value(&set.jobs[0], row);

		if (value != row->expected)
			fail_msg("row %zu, '%s': %lld instead of %lld", i, row->options,
				 (long long)value, (long long)row->expected);
		job_set_release(&set);
	}
}

/* Text fields, and those that hold no plain number. */
static void test_texts(void **state)
{
	struct job_set set = parse_options("");
	const struct job *job = &set.jobs[0];

	(void)state;
	assert_string_equal(job->name, "j");
	assert_string_equal(job->section, "j");
	assert_string_equal(job->ioengine, "psync");
	assert_string_equal(job->filename_format, "$jobname.$jobnum.$filenum");
	assert_null(job->filename);
	assert_null(job->directory);
	assert_null(job->description);
	assert_null(job->ioscheduler);
	assert_float_equal(job->percentiles[0], 1.0, 0);
	assert_float_equal(job->percentiles[16], 99.99, 0);
	job_set_release(&set);

	set = parse_options(
		"name=other name\ndescription=a = b\nfilename=/dev/sda\ndirectory=/mnt\n"
		"ioengine=libaio\nioscheduler=mq-deadline\nfilename_format=f.$jobnum\n"
		"percentile_list=99.9:50:99.99");
	job = &set.jobs[0];
	assert_string_equal(job->name, "other name");
	assert_string_equal(job->section, "j");
	assert_string_equal(job->description, "a = b");
	assert_string_equal(job->filename, "/dev/sda");
	assert_string_equal(job->directory, "/mnt");
	assert_string_equal(job->ioengine, "libaio");
	assert_string_equal(job->ioscheduler, "mq-deadline");
	assert_string_equal(job->filename_format, "f.$jobnum");
	assert_float_equal(job->percentiles[0], 50.0, 0);
	assert_float_equal(job->percentiles[1], 99.9, 0);
	assert_float_equal(job->percentiles[2], 99.99, 0);
	job_set_release(&set);
}

static const struct refusal {
	const char *option;
	const char *message; /* after "t.fio:2: " */
} refusals[] = {
	{ "bs=4kk", "bs: '4kk' is not a size" },
	{ "blocksize=4kk", "blocksize: '4kk' is not a size" },
	{ "bs=0", "bs: 0 is not in 1..1073741824" },
	{ "bs=2g", "bs: 2147483648 is not in 1..1073741824" },
	{ "bs=4k:8k", "bs: '4k:8k' is not a size" },
	{ "bs=4k-8k", "bs: '4k-8k' is not a size" },
	{ "bs=4k,x", "bs: 'x' is not a size" },
	{ "bs=4k,8k,16k,32k", "bs: '4k,8k,16k,32k' has more than three parts (read,write,trim)" },
	{ "bs=,", "bs: ',' gives no value" },
	{ "bsrange=4k", "bsrange: '4k' is not a range of sizes such as 4k-64k" },
	{ "bsrange=0-4k", "bsrange: 0 is not in 1..1073741824" },
	{ "bsrange=1k-2g", "bsrange: 2147483648 is not in 1..1073741824" },
	{ "rw=foo", "rw: 'foo' is not one of: read write trim randread randwrite randtrim "
		    "rw|readwrite randrw trimwrite randtrimwrite" },
	{ "rw=READ", "rw: 'READ' is not one of: read write trim randread randwrite randtrim "
		     "rw|readwrite randrw trimwrite randtrimwrite" },
	{ "rw=read:", "rw: '' is not a size" },
	{ "rw=read:x", "rw: 'x' is not a size" },
	{ "rw=randread:x", "rw: 'x' is not a number" },
	{ "rw=randread:-1", "rw: '-1' is not a number" },
	{ "rw=read:9223372036854775808", "rw: '9223372036854775808' is too large" },
	{ "rw=randread:4294967296", "rw: '4294967296' is too large" },
	{ "direct", "direct: a value is needed" },
	{ "direct=", "direct: the value is empty" },
	{ "direct=true", "direct: 'true' is not 0 or 1" },
	{ "direct=2", "direct: '2' is not 0 or 1" },
	{ "direct=-1", "direct: '-1' is not 0 or 1" },
	{ "group_reporting=yes", "group_reporting: 'yes' is not 0 or 1" },
	{ "thread=", "thread: the value is empty" },
	{ "iodepth=0", "iodepth: 0 is not in 1..65536" },
	{ "iodepth=-1", "iodepth: '-1' is not a number" },
	{ "iodepth=2,3", "iodepth: '2,3' is not a number: only one is expected" },
	{ "iodepth=1M", "iodepth: 1048576 is not in 1..65536" },
	{ "numjobs=0", "numjobs: 0 is not in 1..65536" },
	{ "numjobs=65537", "numjobs: 65537 is not in 1..65536" },
	{ "loops=0", "loops: 0 is less than 1" },
	{ "nrfiles=0", "nrfiles: 0 is not in 1..1000000" },
	{ "thinktime_blocks=0", "thinktime_blocks: 0 is less than 1" },
	{ "thinktime_blocks=4294967296", "thinktime_blocks: 4294967296 is not in 1..4294967295" },
	{ "rwmixread=101", "rwmixread: 101 is not in 0..100" },
	{ "rwmixwrite=101", "rwmixwrite: 101 is not in 0..100" },
	{ "rwmixread=-1", "rwmixread: '-1' is not a number" },
	{ "size=", "size: the value is empty" },
	{ "size", "size: a value is needed" },
	{ "size=0%", "size: '0%' is not in 1%..100%" },
	{ "size=101%", "size: '101%' is not in 1%..100%" },
	{ "size=x%", "size: 'x%' is not a size or percentage" },
	{ "size=%", "size: '%' is not a size or percentage" },
	{ "size=1.5k", "size: '1.5k' is not a size: it must be a whole number" },
	{ "size=16384p", "size: '16384p' is too large" },
	{ "size=8192p", "size: 9223372036854775808 is not in 0..9223372036854775807" },
	{ "runtime=abc", "runtime: 'abc' is not a time" },
	{ "runtime=1.5", "runtime: '1.5' is not a time: it must be a whole number" },
	{ "runtime=-1", "runtime: '-1' is not a time" },
	{ "startdelay=5,10", "startdelay: '5,10' is not a time: only one is expected" },
	{ "sync=2", "sync: '2' is not one of: none|0 sync|1 dsync" },
	{ "sync=syn", "sync: 'syn' is not one of: none|0 sync|1 dsync" },
	{ "fallocate=bad", "fallocate: 'bad' is not one of: native none|0 posix|1 keep truncate" },
	{ "fallocate=none|0", "fallocate: 'none|0' is not one of: native none|0 posix|1 keep "
			      "truncate" },
	{ "kb_base=512", "kb_base: '512' is not one of: 1024 1000" },
	{ "cpus_allowed=a", "cpus_allowed: 'a' is not a CPU or a range of CPUs" },
	{ "cpus_allowed=1-", "cpus_allowed: '1-' is not a CPU or a range of CPUs" },
	{ "cpus_allowed=4-2", "cpus_allowed: '4-2' is not a CPU or a range of CPUs" },
	{ "cpus_allowed=1,,2", "cpus_allowed: '' is not a CPU or a range of CPUs" },
	{ "cpus_allowed=1024", "cpus_allowed: '1024' is not in 0..1023" },
	{ "cpus_allowed=0-99999999999", "cpus_allowed: '0-99999999999' is not in 0..1023" },
	{ "percentile_list=a", "percentile_list: 'a' is not a number" },
	{ "percentile_list=50:101", "percentile_list: '101' is not in 0..100" },
	{ "percentile_list=-1", "percentile_list: '-1' is not in 0..100" },
	{ "percentile_list=50::99", "percentile_list: '' is not a number" },
	{ "percentile_list=1:2:3:4:5:6:7:8:9:10:11:12:13:14:15:16:17:18:19:20:21",
	  "percentile_list: the list has more than 20 percentiles" },
	{ "ioengine=", "ioengine: the value is empty" },
	{ "filename=", "filename: the value is empty" },
	{ "filename=::", "filename: '::' names no file" },
	{ "rate=1k,-1", "rate: '-1' is not a size" },
	{ "rate_iops=x", "rate_iops: 'x' is not a number" },
	{ "randseed=-1", "randseed: '-1' is not a number" },
	{ "randseed=18446744073709551616", "randseed: '18446744073709551616' is too large" },
};

static void test_refusals(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
		CLEANUP(strbuf) struct strbuf message = STRBUF_INIT;

		strbuf_printf(&text, "[j]\n%s\n", refusals[i].option);
		strbuf_printf(&message, "t.fio:2: %s", refusals[i].message);
		assert_refused(text.buf, ERR_INPUT, message.buf);
	}
}

static void test_unsupported_values(void **state)
{
	(void)state;
	assert_refused("[j]\nfilename=-\n", ERR_UNSUPPORTED,
		       "t.fio:2: filename: '-' (standard input or output) is not supported yet");
}

/* What the help, the completion and the man page are made of. */
static void test_rows_are_complete(void **state)
{
	size_t nr_rows;
	const struct key_row *rows = keys_table(&nr_rows);

	(void)state;
	for (size_t i = 0; i < nr_rows; i++) {
		const struct job_key_info *info = job_key_info(i);

		assert_ptr_equal(info, &rows[i].info);
		assert_true(strlen(info->name) > 0);
		assert_true(strlen(info->help) > 0);
		assert_true(strlen(info->values) > 0);
		assert_non_null(info->default_text);
		assert_non_null(rows[i].type);
		for (const char *c = info->name; *c; c++)
			assert_true((*c >= 'a' && *c <= 'z') || *c == '_');
	}
	assert_null(job_key_info(nr_rows));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_unsupported_values),
		cmocka_unit_test(test_rows_are_complete),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
