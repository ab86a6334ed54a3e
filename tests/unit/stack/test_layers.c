/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Device-mapper tables and module parameters as text: the kernel of the tests may have neither. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "host/dm.h"
#include "journal/journal.h"
#include "plant.h"
#include "stack/layer.h"
#include "stack/layer_scsi_debug.h"
#include "stack/stack.h"
#include "test.h"

#define NR(array) (sizeof(array) / sizeof((array)[0]))

/* The top of a stack is the layer under test. */
static const struct layer *top_of(const char *text, struct stack **ret_stack)
{
	struct err err = { .code = 0 };

	if (stack_parse(&(struct stack_request){ .text = text }, ret_stack, &err) < 0)
		fail_msg("%s: %s", text, err.msg);
	return &(*ret_stack)->layers[(*ret_stack)->nr - 1];
}

static const struct table_input inputs[] = {
	{ "7:0", 2048 }, { "7:1", 2048 }, { "7:2", 4096 }, { "7:3", 1000 }
};

static void assert_table(const char *text, size_t nr, const char *expected)
{
	CLEANUP(stack) struct stack *stack = NULL;
	CLEANUP(strbuf) struct strbuf out = STRBUF_INIT;
	struct err err = { .code = 0 };
	const struct layer *layer = top_of(text, &stack);

	if (layer->ops->table(layer, inputs, nr, &out, &err) < 0)
		assert_string_equal(err.msg, expected);
	else
		assert_string_equal(strbuf_str(&out), expected);
}

static void test_linear(void **state)
{
	(void)state;
	assert_table("loop:1M,linear", 1, "0 2048 linear 7:0 0\n");
	assert_table("loop:1M,loop:1M,loop:2M,linear:offset=512k", 3,
		     "0 1024 linear 7:0 1024\n1024 1024 linear 7:1 1024\n2048 3072 linear 7:2 "
		     "1024\n");
	assert_table("loop:1M,linear:offset=4k:size=8k", 1, "0 16 linear 7:0 8\n");
	assert_table("loop:1M,linear:offset=1M", 1,
		     "offset and size reach beyond the 1048576 bytes of the device below");
	assert_table("loop:1M,linear:size=2M", 1,
		     "offset and size reach beyond the 1048576 bytes of the device below");
}

static void test_striped(void **state)
{
	(void)state;
	assert_table("loop:1M:count=2,striped:4k", 2, "0 4096 striped 2 8 7:0 0 7:1 0\n");
	/* as many whole chunks as the smallest device has */
	assert_table("loop:1M:count=4,striped", 4,
		     "0 3584 striped 4 128 7:0 0 7:1 0 7:2 0 7:3 0\n");
	assert_table("loop:1M:count=4,striped:1M", 4,
		     "the devices below are smaller than one chunk");
}

static void test_delay(void **state)
{
	(void)state;
	assert_table("loop:1M,delay:read_ms=5", 1, "0 2048 delay 7:0 0 5\n");
	assert_table("loop:1M,delay:write_ms=7", 1, "0 2048 delay 7:0 0 0 7:0 0 7\n");
}

static void test_error(void **state)
{
	(void)state;
	assert_table("loop:1M,error", 1, "0 2048 error\n");
	assert_table("loop:1M,error:start=512k:size=4k", 1,
		     "0 1024 linear 7:0 0\n1024 8 error\n1032 1016 linear 7:0 1032\n");
	assert_table("loop:1M,error:start=512k", 1, "0 1024 linear 7:0 0\n1024 1024 error\n");
	assert_table("loop:1M,error:start=2M", 1,
		     "the bad part is not within the 1048576 bytes below");
}

static void test_flakey(void **state)
{
	(void)state;
	assert_table("loop:1M,flakey", 1, "0 2048 flakey 7:0 0 60 1\n");
	assert_table("loop:1M,flakey:up_s=3:down_s=4:fails=drop_writes", 1,
		     "0 2048 flakey 7:0 0 3 4 1 drop_writes\n");
	assert_table("loop:1M,flakey:fails=all", 1, "0 2048 flakey 7:0 0 60 1\n");
}

static void test_multipath(void **state)
{
	(void)state;
	assert_table("scsi_debug:1M:paths=2,multipath:selector=round-robin", 2,
		     "0 2048 multipath 2 queue_mode mq 0 1 1 round-robin 0 2 1 7:0 1 7:1 1\n");
	assert_table(
		"scsi_debug:1M:paths=2,multipath:queue_mode=bio", 2,
		"0 2048 multipath 2 queue_mode bio 0 1 1 service-time 0 2 2 7:0 1 1 7:1 1 1\n");
	assert_table(
		"scsi_debug:1M:paths=2,multipath:groups=each:queue_if_no_path=on:selector=queue-"
		"length:repeat=9",
		2,
		"0 2048 multipath 3 queue_if_no_path queue_mode mq 0 2 1 queue-length 0 1 1 7:0 "
		"9 queue-length 0 1 1 7:1 9\n");
	assert_table("scsi_debug:1M:paths=3,multipath", 3,
		     "its paths have different sizes, so they are not one unit");
}

static void test_cache(void **state)
{
	(void)state;
	assert_table("loop:1M,loop:1M,loop:2M,cache", 3,
		     "0 4096 cache 7:0 7:1 7:2 512 1 writeback smq 0\n");
	assert_table("loop:1M,loop:1M,loop:2M,cache:policy=mq:mode=writethrough:block_size=64k:"
		     "migration_threshold=8192",
		     3,
		     "0 4096 cache 7:0 7:1 7:2 128 1 writethrough mq 2 migration_threshold 8192\n");
	assert_table("loop:1M,loop:1M,loop:2M,cache:block_size=2M", 3,
		     "the fast device is smaller than one block");
}

static void assert_refused(const char *text, const char *message)
{
	CLEANUP(stack) struct stack *stack = NULL;
	struct err err = { .code = 0 };

	assert_int_equal(stack_parse(&(struct stack_request){ .text = text }, &stack, &err),
			 -ERR_USAGE);
	assert_string_equal(err.msg, message);
}

static void test_refused(void **state)
{
	(void)state;
	assert_refused("loop:1M,striped",
		       "--stack: layer 'striped': it takes at least 2 devices, and is given 1");
	assert_refused("loop:1M:count=2,striped:3k",
		       "--stack: layer 'striped': chunk '3k' is not a "
		       "power of two from 4k on");
	assert_refused("loop:1M:count=2,delay",
		       "--stack: layer 'delay': it takes 1 device, and is given 2");
	assert_refused("loop:1M,flakey:up_s=0:down_s=0",
		       "--stack: layer 'flakey': up_s and down_s are both 0");
	assert_refused("loop:1M,flakey:fails=reads",
		       "--stack: layer 'flakey': fails 'reads' is none "
		       "of all drop_writes error_writes error_reads");
	assert_refused("loop:1M:count=2,cache",
		       "--stack: layer 'cache': it takes at least 3 devices, and is given 2");
	assert_refused(
		"loop:1M:count=3,cache:block_size=48k",
		"--stack: layer 'cache': block_size '48k' is not a multiple of 32k up to 1G");
	assert_refused(
		"null_blk:1000",
		"--stack: layer 'null_blk': it needs a size in whole MiB, such as null_blk:1G");
	assert_refused("scsi_debug:8M:paths=99",
		       "--stack: layer 'scsi_debug': paths '99' is not 1 to 16");
	assert_refused("scsi_debug:8M:paths=2",
		       "--stack: layer 'scsi_debug': it makes 2 devices at the "
		       "top, where one is needed");
	assert_refused("brd:1000",
		       "--stack: layer 'brd': it needs a size in whole pages, such as brd:1G");
	assert_refused("loop:1M:count=2,raid0:100",
		       "--stack: layer 'raid0': chunk '100' is not a power of two from 4k on");
}

static void test_scsi_debug(void **state)
{
	CLEANUP(stack) struct stack *stack = NULL;
	CLEANUP(strbuf) struct strbuf out = STRBUF_INIT;

	(void)state;
	(void)top_of("scsi_debug:64M:paths=2:ndelay=20000:max_queue=64:fake_rw=on,multipath",
		     &stack);
	scsi_debug_params(&stack->layers[0], &out);
	assert_string_equal(
		strbuf_str(&out),
		"dev_size_mb=64 add_host=2 vpd_use_hostno=0 per_host_store=0 ndelay=20000 "
		"max_queue=64 fake_rw=1");
}

/* What the ioctl takes: targets one behind the other, each aligned, with the way to the next. */
static void test_packed_table(void **state)
{
	static const struct dm_target targets[] = { { 0, 8, "linear", "7:0 0" },
						    { 8, 16, "error", "" } };
	CLEANUP(free) void *data = NULL;
	size_t len = 0;
	uint32_t next = 0;

	(void)state;
	assert_int_equal(dm_table_pack(targets, NR(targets), &data, &len, NULL), 0);
	/* struct dm_target_spec: start, length, status, next, 16 bytes of type */
	assert_int_equal(len, 40 + 8 + 40 + 8);
	memcpy(&next, (char *)data + 20, sizeof(next));
	assert_int_equal(next, 48);
	assert_string_equal((char *)data + 24, "linear");
	assert_string_equal((char *)data + 40, "7:0 0");
	assert_int_equal(*(uint64_t *)(void *)((char *)data + 48), 8);
	assert_string_equal((char *)data + 48 + 24, "error");
}

struct loader {
	struct plant *plant;
	char *seen; /* "module params" of the last call */
	int nr_calls;
};

static int load_nothing(void *arg, const char *name, const char *params, struct err *err)
{
	struct loader *loader = arg;

	loader->nr_calls++;
	free(loader->seen);
	loader->seen = xasprintf("%s %s", name, params);
	return err_set(err, ERR_SYSTEM, "module %s not found", name);
}

/* A kernel without the driver: one line, nothing left in the journal. */
static void assert_no_driver(const char *text, bool is_guest, const char *loaded,
			     const char *message)
{
	CLEANUP(stack) struct stack *stack = NULL;
	struct plant plant;
	struct loader loader = { .plant = &plant };
	struct stack_built built = { .nr = 0 };
	struct journal *journal = NULL;
	struct err err = { .code = 0 };
	CLEANUP(free) char *place = NULL;

	plant_create(&plant);
	place = plant_path(&plant, "place");
	assert_int_equal(journal_open(plant.root, &journal, NULL), 0);
	if (stack_parse(&(struct stack_request){ .text = text, .place = place }, &stack, &err) < 0)
		fail_msg("%s", err.msg);
	assert_int_equal(stack_build(stack,
				     &(struct stack_context){ .sys_root = plant.root,
							      .dev_root = plant.root,
							      .is_guest = is_guest,
							      .load_module = load_nothing,
							      .arg = &loader },
				     journal, &built, &err),
			 -ERR_UNSUPPORTED);
	assert_string_equal(err.msg, message);
	assert_string_equal(loader.seen ? loader.seen : "", loaded);
	assert_int_equal(journal_mark(journal), 0);
	journal_close(journal);
	free(loader.seen);
	plant_remove(&plant);
}

static void test_no_driver(void **state)
{
	(void)state;
	assert_no_driver("brd:1G", false, "brd rd_nr=1 rd_size=1048576",
			 "--stack: layer 'brd': brd: this kernel has no such driver; use --on vm");
	assert_no_driver("brd:1G", true, "brd rd_nr=1 rd_size=1048576",
			 "--stack: layer 'brd': brd: this kernel has no such driver");
	assert_no_driver(
		"scsi_debug:8M", false, "sd_mod ",
		"--stack: layer 'scsi_debug': scsi_debug: this kernel has no such driver; use "
		"--on vm");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_linear),	   cmocka_unit_test(test_striped),
		cmocka_unit_test(test_delay),	   cmocka_unit_test(test_error),
		cmocka_unit_test(test_flakey),	   cmocka_unit_test(test_multipath),
		cmocka_unit_test(test_cache),	   cmocka_unit_test(test_refused),
		cmocka_unit_test(test_scsi_debug), cmocka_unit_test(test_packed_table),
		cmocka_unit_test(test_no_driver),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
