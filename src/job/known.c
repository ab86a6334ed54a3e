/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of fio options that have no row in keys.c, so that a job file which uses one gets an
 * exact answer instead of "unknown". An option that regio learns moves from here to keys.c. */
#include "job/known.h"

/* clang-format off */
static const char *const unsupported[] = {
	"allow_file_create", "allow_mounted_write", "apptag", "apptag_mask", "arguments",
	"atomic", "ba", "bindname", "block_error_percentiles", "blockalign",
	"blocksize_unaligned", "brick", "bs_is_seq_rand", "bs_unaligned", "bssplit",
	"buffer_compress_chunk", "buffer_compress_percentage", "buffer_pattern", "busy_poll",
	"bwavgtime", "cgroup", "cgroup_nodelete", "cgroup_weight", "chunk_size", "clientname",
	"clocksource", "clustername", "cmd_type", "cmdprio", "cmdprio_bssplit", "cmdprio_class",
	"cmdprio_hint", "cmdprio_percentage", "cmdprio_split", "conf", "continue_on_error",
	"cpuchunks", "cpuload", "cpumask", "cpumode", "cpus_allowed_policy", "create_fsync",
	"create_only", "create_serialize", "cuda_io", "data_placement", "dataplacement", "deac",
	"dedupe_global", "dedupe_mode", "dedupe_percentage", "dedupe_working_set_percentage",
	"direct_write_to_pmem", "disable_bw", "disable_bw_measurement", "disable_clat",
	"disable_lat", "disable_slat", "disk_util", "do_verify", "donorname", "dp_scheme",
	"error_dump", "exec_postrun", "exec_prerun", "exit_on_io_done", "exit_what",
	"exitall_on_error", "experimental_verify", "fadvise_hint", "fdp", "fdp_pli",
	"fdp_pli_select", "file_append", "file_service_type", "filesize", "fill_device",
	"fill_fs", "flow", "flow_id", "flow_sleep", "force_async", "fsync_on_close", "gid",
	"gpu_dev_ids", "grace_time", "gtod_cpu", "gtod_reduce", "hdfs_use_direct",
	"hdfsdirectory", "hipri", "hipri_percentage", "hostname", "http_host", "http_mode",
	"http_pass", "http_s3_key", "http_s3_keyid", "http_s3_region", "http_s3_security_token",
	"http_s3_sse_customer_algorithm", "http_s3_sse_customer_key", "http_s3_storage_class",
	"http_swift_auth_token", "http_user", "http_verbose", "https", "hugepage-size",
	"ignore_error", "ignore_zone_limits", "inplace", "interface", "io_submit_mode", "iomem",
	"iomem_align", "iopsavgtime", "job_max_open_zones", "job_start_clock_id",
	"latency_percentile", "latency_run", "latency_target", "latency_window",
	"libblkio_driver", "libblkio_force_enable_completion_eventfd", "libblkio_num_entries",
	"libblkio_path", "libblkio_pre_connect_props", "libblkio_pre_start_props",
	"libblkio_queue_size", "libblkio_vectored", "libblkio_wait_mode",
	"libblkio_write_zeroes_on_trim", "listen", "lockfile", "lockmem", "log_alternate_epoch",
	"log_alternate_epoch_clock_id", "log_avg_msec", "log_compression", "log_compression_cpus",
	"log_entries", "log_hist_coarseness", "log_hist_msec", "log_issue_time", "log_max_value",
	"log_offset", "log_prio", "log_store_compressed", "log_unix_epoch", "log_window_value",
	"max_latency", "max_open_zones", "md_per_io_size", "mem", "mem_align",
	"merge_blktrace_file", "merge_blktrace_iters", "merge_blktrace_scalars", "mss",
	"namenode", "nice", "nodelay", "nonvectored", "nowait", "num_range", "numa_cpu_nodes",
	"numa_mem_policy", "object_mode", "offset_align", "opendir", "openfiles", "overwrite",
	"per_job_logs", "percentage_random", "percentage_sequential", "pi_act", "pi_chk",
	"pingpong", "plid_select", "plids", "pool", "port", "pre_read", "prio", "prioclass",
	"priohint", "profile", "program", "protocol", "ramp_size", "random_distribution",
	"random_generator", "random_sequence_stride", "rate_cycle", "rate_ignore_thinktime",
	"rate_iops_min", "rate_min", "rate_process", "ratecycle", "ratemin", "rbdname",
	"read_beyond_wp", "read_iolog", "read_iolog_chunked", "readfua",
	"recover_zbd_write_error", "replay_align", "replay_no_stall", "replay_redirect",
	"replay_scale", "replay_skip", "replay_time_scale", "rw_sequencer", "scramble_buffers",
	"serialize_overlap", "serverip", "sg_write_mode", "significant_figures",
	"single-instance", "skip_bad", "softrandommap", "spdk_conf", "spdk_json_conf", "spdk_mem",
	"spdk_rpc_listen_addr", "spdk_single_seg", "spr_cs", "spr_num_regions", "spr_op",
	"sprandom", "sqthread_poll", "sqthread_poll_cpu", "ss", "ss_dur", "ss_interval",
	"ss_ramp", "stat_type", "stats", "std_redirect", "steadystate",
	"steadystate_check_interval", "steadystate_duration", "steadystate_ramp_time",
	"stream_id", "sync_file_range", "sync_none", "thinkcycles", "thinktime_blocks_type",
	"thinktime_iotime", "thp", "touch_objects", "trim_backlog", "trim_backlog_batch",
	"trim_percentage", "trim_verify_zero", "ttl", "uid", "uncached", "unified_rw_reporting",
	"unique_filename", "unit_base", "unlink_each_loop", "uri", "userspace_reap", "verb",
	"verify", "verify_async", "verify_async_cpus", "verify_backlog", "verify_backlog_batch",
	"verify_dump", "verify_fatal", "verify_header_seed", "verify_interval", "verify_mode",
	"verify_offset", "verify_only", "verify_pattern", "verify_pattern_interval",
	"verify_policy", "verify_state_load", "verify_state_save", "verify_write_sequence",
	"volume", "wait_for", "window_size", "write_barrier", "write_bw_log", "write_hint",
	"write_hist_log", "write_iolog", "write_iops_log", "write_lat_log", "write_mode",
	"writefua", "xnvme_admin", "xnvme_async", "xnvme_dev_nsid", "xnvme_dev_subnqn",
	"xnvme_iovec", "xnvme_mem", "xnvme_sync", "zone_reset_frequency", "zone_reset_threshold",
	"zonecapacity", "zonemode", "zonerange", "zonesize", "zoneskip",
	NULL,
};
/* clang-format on */

/*
 * fio takes these in any job and does nothing with them: the options of its built-in profiles,
 * and what it has retired.
 */
static const struct known_without_effect without_effect[] = {
	{ "threads", "thread" },
	{ "dir", "directory" },
	{ "block", "bs" },
	{ "numruns", "loops" },
	{ "load", NULL },
	{ "prep", NULL },
	{ "device-names", "filename" },
	{ "test-duration", "runtime" },
	{ "threads-per-queue", "numjobs" },
	{ "read-req-num-512-blocks", NULL },
	{ "large-block-op-kbytes", NULL },
	{ "verifysort", NULL },
	{ "verifysort_nr", NULL },
	{ "flow_watermark", NULL },
	{ "rwmixcycle", NULL },
	{ NULL, NULL },
};

const char *const *known_unsupported(void)
{
	return unsupported;
}

const struct known_without_effect *known_without_effect(void)
{
	return without_effect;
}
