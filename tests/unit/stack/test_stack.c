/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stack/stack.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "plant.h"
#include "test.h"

static char *describe(const char *text)
{
	CLEANUP(stack) struct stack *stack = NULL;
	CLEANUP(strbuf) struct strbuf out = STRBUF_INIT;
	struct err err = { .code = 0 };

	if (stack_parse(&(struct stack_request){ .text = text, .place = "/place" }, &stack, &err) <
	    0)
		return xstrdup(err.msg);
	stack_describe(stack, &out);
	return strbuf_take(&out);
}

/* What it is told as is also a stack file that means the same. */
static void assert_again(const char *described)
{
	struct plant plant;
	CLEANUP(free) char *path = NULL;
	CLEANUP(free) char *again = NULL;

	plant_create(&plant);
	plant_file(&plant, "again.yaml", described);
	path = plant_path(&plant, "again.yaml");
	again = describe(path);
	plant_remove(&plant);
	assert_string_equal(again, described);
}

static void assert_stack(const char *text, const char *expected)
{
	CLEANUP(free) char *described = describe(text);

	assert_string_equal(described, expected);
	assert_again(described);
}

static void assert_refused(const char *text, enum err_code code, const char *message)
{
	CLEANUP(stack) struct stack *stack = NULL;
	struct err err = { .code = 0 };

	assert_int_equal(stack_parse(&(struct stack_request){ .text = text }, &stack, &err),
			 -(int)code);
	assert_int_equal(err.code, code);
	assert_string_equal(err.msg, message);
}

static void test_line(void **state)
{
	(void)state;
	assert_stack("loop:2G,btrfs", "- {type: loop, name: loop, size: \"2G\"}\n- {type: btrfs, "
				      "name: btrfs, on: [loop]}\n");
	assert_stack("zram:64M:algorithm=zstd",
		     "- {type: zram, name: zram, size: \"64M\", algorithm: \"zstd\"}\n");
	assert_stack("loop:1G,ext4:mkfs=-N 4096:mkfs=-O ^has_journal:mount=noatime:mount=nobarrier",
		     "- {type: loop, name: loop, size: \"1G\"}\n"
		     "- {type: ext4, name: ext4, mkfs: \"-N 4096 -O ^has_journal\", mount: "
		     "\"noatime,nobarrier\", on: [loop]}\n");
	assert_stack("device:/dev/sdb,xfs", "- {type: device, name: device, path: \"/dev/sdb\"}\n- "
					    "{type: xfs, name: xfs, on: [device]}\n");
}

static void test_what_a_layer_builds_on(void **state)
{
	(void)state;
	assert_stack("file:1G,loop", "- {type: file, name: file, size: \"1G\"}\n- {type: loop, "
				     "name: loop, on: [file]}\n");
	assert_stack("loop:1G,loop:2G,btrfs",
		     "- {type: loop, name: loop, size: \"1G\"}\n- {type: loop, name: loop2, size: "
		     "\"2G\"}\n- {type: btrfs, name: btrfs, on: [loop, loop2]}\n");
	assert_stack("loop:1G:count=3,btrfs",
		     "- {type: loop, name: loop, count: 3, size: \"1G\"}\n- {type: btrfs, name: "
		     "btrfs, on: [loop]}\n");
	assert_stack("zram:1G,loop,xfs",
		     "- {type: zram, name: zram, size: \"1G\"}\n- {type: loop, name: loop, on: "
		     "[zram]}\n- {type: xfs, name: xfs, on: [loop]}\n");
}

static void test_places(void **state)
{
	CLEANUP(stack) struct stack *stack = NULL;
	CLEANUP(stack) struct stack *other = NULL;

	(void)state;
	assert_int_equal(
		stack_parse(&(struct stack_request){ .text = "loop:2G,ext4", .place = "/place" },
			    &stack, NULL),
		0);
	assert_string_equal(stack_device_path(stack), "/place/device");
	assert_string_equal(stack_mount_path(stack), "/place/mount");
	assert_int_equal(stack_parse(&(struct stack_request){ .text = "loop:2G" }, &other, NULL),
			 0);
	assert_null(stack_mount_path(other));
	assert_non_null(strstr(stack_device_path(other), "/regio-stack-"));
}

static void test_line_refused(void **state)
{
	(void)state;
	assert_refused("lopp:2G", ERR_USAGE,
		       "--stack: there is no layer 'lopp'; did you mean 'loop'");
	assert_refused("loop:2G,btrsf", ERR_USAGE,
		       "--stack: there is no layer 'btrsf'; did you mean 'btrfs'");
	assert_refused("", ERR_USAGE, "--stack: there is no layer ''");
	assert_refused("loop:2G,", ERR_USAGE, "--stack: there is no layer ''");
	assert_refused("loop:2Q", ERR_USAGE,
		       "--stack: layer 'loop': size '2Q' is not a size such as 512M");
	assert_refused("loop:0", ERR_USAGE,
		       "--stack: layer 'loop': size '0' is not a size such as 512M");
	assert_refused("loop", ERR_USAGE,
		       "--stack: layer 'loop': it needs a size, such as loop:1G");
	assert_refused("loop:1G:colour=on", ERR_USAGE,
		       "--stack: layer 'loop': loop has no option 'colour'");
	assert_refused("loop:1G:direct_oi=on", ERR_USAGE,
		       "--stack: layer 'loop': loop has no option 'direct_oi'; did you mean "
		       "'direct_io'");
	assert_refused("loop:1G:direct_io=maybe", ERR_USAGE,
		       "--stack: layer 'loop': direct_io 'maybe' is neither on nor off");
	assert_refused("loop:1G:size=2G", ERR_USAGE, "--stack: layer 'loop': size is given twice");
	assert_refused("loop:1G:block_size=3k", ERR_USAGE,
		       "--stack: layer 'loop': block_size '3k' is none of 512, 1k, 2k, 4k");
	assert_refused("loop:1G:count=0", ERR_USAGE,
		       "--stack: layer 'loop': count '0' is not a number from 1 to 64");
	assert_refused("ext4", ERR_USAGE,
		       "--stack: layer 'ext4': there is nothing below it to build on");
	assert_refused("btrfs", ERR_USAGE,
		       "--stack: layer 'btrfs': it takes at least 1 device, and is given 0");
	assert_refused("loop:1G,ext4:noatime", ERR_USAGE,
		       "--stack: layer 'ext4': 'noatime' is not OPTION=VALUE");
	assert_refused("loop:1G,ext4,xfs", ERR_USAGE,
		       "--stack: layer 'xfs': it cannot build on the filesystem 'ext4'");
	assert_refused(
		"file:1G,ext4", ERR_USAGE,
		"--stack: layer 'ext4': it needs a block device, and 'file' is a file: put a "
		"loop layer between them");
	assert_refused("loop:1G:count=2,ext4", ERR_USAGE,
		       "--stack: layer 'ext4': it takes 1 device, and is given 2");
	assert_refused(
		"loop:1G,zram:1G", ERR_USAGE,
		"--stack: layer 'zram': a stack has one top, but nothing builds on it nor on "
		"'loop'");
	assert_refused("loop:1G:count=2", ERR_USAGE,
		       "--stack: layer 'loop': it makes 2 devices at the top, where one is needed");
	assert_refused("loop:1G:name=a b,ext4", ERR_USAGE,
		       "--stack: layer 'loop': name 'a b' is not a letter followed by letters, "
		       "digits, - and _");
	assert_refused("none.yaml", ERR_SYSTEM, "open none.yaml: No such file or directory");
}

/* The stack file of that content, in the plant; its messages start with the path. */
/* "layer key number @ns" of each event, in order. */
static void assert_events(const char *text, const char *expected)
{
	CLEANUP(stack) struct stack *stack = NULL;
	CLEANUP(strbuf) struct strbuf out = STRBUF_INIT;
	struct stack_event *events = NULL;
	struct err err = { .code = 0 };
	size_t nr;

	if (stack_parse(&(struct stack_request){ .text = text }, &stack, &err) < 0)
		fail_msg("%s", err.msg);
	nr = stack_list_events(stack, &events);
	for (size_t i = 0; i < nr; i++)
		strbuf_printf(&out, "%s %u @%llu; ", events[i].key, events[i].number,
			      (unsigned long long)events[i].at_ns);
	free(events);
	assert_string_equal(strbuf_str(&out), expected);
}

static void test_events(void **state)
{
	(void)state;
	assert_events("scsi_debug:64M", "");
	assert_events("scsi_debug:64M:paths=2:offline=2@50ms:online=2@1s,multipath:fail=1@60ms:"
		      "reinstate=1@55ms:fail=2@2s",
		      "offline 2 @50000000; reinstate 1 @55000000; fail 1 @60000000; "
		      "online 2 @1000000000; fail 2 @2000000000; ");
	assert_stack("scsi_debug:64M:offline=1@50ms:offline=1@70ms",
		     "- {type: scsi_debug, name: scsi_debug, size: \"64M\", offline: "
		     "\"1@50ms 1@70ms\"}\n");
	assert_refused("scsi_debug:64M:offline=2@50ms", ERR_USAGE,
		       "--stack: layer 'scsi_debug': offline: there is no path 2 among 1");
	assert_refused("scsi_debug:64M:offline=1", ERR_USAGE,
		       "--stack: layer 'scsi_debug': offline '1' is not NUMBER@TIME, a device and "
		       "a time such as 2@50ms");
	assert_refused("scsi_debug:64M:offline=0@1s", ERR_USAGE,
		       "--stack: layer 'scsi_debug': offline '0@1s' is not NUMBER@TIME, a device "
		       "and a time such as 2@50ms");
	assert_refused("scsi_debug:64M:offline=1@soon", ERR_USAGE,
		       "--stack: layer 'scsi_debug': offline '1@soon' is not NUMBER@TIME, a device "
		       "and a time such as 2@50ms");
}

static void assert_file(const struct plant *plant, const char *content, const char *expected)
{
	CLEANUP(free) char *path = plant_path(plant, "s.yaml");
	CLEANUP(free) char *described = NULL;
	const char *text;

	plant_file(plant, "s.yaml", content);
	described = describe(path);
	text = !strncmp(described, path, strlen(path)) ? described + strlen(path) : described;
	assert_string_equal(text, expected);
}

static void test_yaml(void **state)
{
	const struct plant *plant = *state;

	assert_file(plant,
		    "- type: loop\n  size: 2G\n  name: disk\n  direct_io: on\n"
		    "- type: btrfs\n  on: disk\n  mount: [noatime, ssd]\n  mkfs: -m single\n",
		    "- {type: loop, name: disk, size: \"2G\", direct_io: \"on\"}\n"
		    "- {type: btrfs, name: btrfs, mount: \"noatime,ssd\", mkfs: \"-m single\", on: "
		    "[disk]}\n");
	assert_file(plant, "stack:\n- loop:1G\n- ext4\n",
		    "- {type: loop, name: loop, size: \"1G\"}\n- {type: ext4, name: ext4, on: "
		    "[loop]}\n");
	assert_file(plant,
		    "- {type: btrfs, on: [b, a]}\n- {type: zram, size: 1G, name: a}\n"
		    "- {type: loop, size: 1G, name: b}\n",
		    "- {type: zram, name: a, size: \"1G\"}\n- {type: loop, name: b, size: "
		    "\"1G\"}\n- {type: btrfs, name: btrfs, on: [b, a]}\n");
}

static void test_yaml_refused(void **state)
{
	const struct plant *plant = *state;

	assert_file(plant, "- type: loop\n  size: 1G\n- type: btfs\n",
		    ":3: there is no layer 'btfs'; did you mean 'btrfs'");
	assert_file(plant, "- type: loop\n  size: 1G\n  sice: 3\n",
		    ":3: layer 'loop': loop has no option 'sice'; did you mean 'size'");
	assert_file(plant, "- type: loop\n  size: [1G, 2G]\n",
		    ":2: layer 'loop': size is given twice");
	assert_file(plant, "- size: 1G\n", ":1: a layer needs a type, such as type: loop");
	assert_file(plant, "- [loop]\n", ":1: a layer is a mapping such as {type: loop, size: 2G}");
	assert_file(plant, "- {type: loop, size: {a: b}}\n",
		    ":1: size is neither a value nor a list of values");
	assert_file(plant, "layers: 3\n", ": there is no list of layers");
	assert_file(plant, "", ": there is no list of layers");
	assert_file(plant, "[]", ": there is no layer");
	assert_file(plant, "- loop:1G\n- {type: ext4, on: lop}\n",
		    ":2: layer 'ext4': on: there is no layer named 'lop'; did you mean 'loop'");
	assert_file(plant,
		    "- {type: loop, name: a, size: 1G}\n\n- {type: zram, name: a, size: 1G}\n",
		    ":3: layer 'a': there are two layers of that name");
	assert_file(plant,
		    "- {type: loop, name: a, on: c}\n- {type: loop, name: b, on: a}\n"
		    "- {type: loop, name: c, on: b}\n- {type: ext4, on: c}\n",
		    ":1: layer 'a': the stack is a circle: a on c on b on a");
	assert_file(plant, "- {type: loop, name: a, on: a}\n",
		    ":1: layer 'a': the stack is a circle: a on a");
}

/* The stack under one change, or the message that refuses it. */
static void assert_changed(const char *text, struct stack_change change, const char *expected)
{
	CLEANUP(stack) struct stack *stack = NULL;
	CLEANUP(strbuf) struct strbuf out = STRBUF_INIT;
	struct err err = { .code = 0 };
	const struct stack_request request = {
		.text = text,
		.place = "/place",
		.changes = &change,
		.nr_changes = 1,
	};

	if (stack_parse(&request, &stack, &err) < 0)
		strbuf_add_str(&out, err.msg);
	else
		stack_describe(stack, &out);
	assert_string_equal(strbuf_str(&out), expected);
}

static void test_changes(void **state)
{
	(void)state;
	assert_changed("loop:1G,ext4:mount=noatime", (struct stack_change){ "fs", "xfs", NULL },
		       "- {type: loop, name: loop, size: \"1G\"}\n"
		       "- {type: xfs, name: xfs, on: [loop]}\n");
	assert_changed("loop:1G,ext4:mount=noatime", (struct stack_change){ "fs", "ext4", NULL },
		       "- {type: loop, name: loop, size: \"1G\"}\n"
		       "- {type: ext4, name: ext4, mount: \"noatime\", on: [loop]}\n");
	assert_changed("loop:1G,ext4", (struct stack_change){ "fs", "none", NULL },
		       "- {type: loop, name: loop, size: \"1G\"}\n");
	assert_changed("loop:1G", (struct stack_change){ "fs", "btrfs", NULL },
		       "- {type: loop, name: loop, size: \"1G\"}\n"
		       "- {type: btrfs, name: btrfs, on: [loop]}\n");
	assert_changed("loop:1G", (struct stack_change){ "loop.size", "2G", NULL },
		       "- {type: loop, name: loop, size: \"2G\"}\n");
	assert_changed("loop:1G:direct_io=on", (struct stack_change){ "loop.direct_io", "", NULL },
		       "- {type: loop, name: loop, size: \"1G\"}\n");
	assert_changed(
		"loop:1G", (struct stack_change){ "fs", "loop", NULL },
		"setting 'stack.fs=loop': 'loop' is no filesystem: ext4, xfs, btrfs or none");
	assert_changed("loop:1G", (struct stack_change){ "lop.size", "2G", NULL },
		       "setting 'stack.lop.size=2G': there is no layer named 'lop'; did you mean "
		       "'loop'");
	assert_changed("loop:1G", (struct stack_change){ "loop.sizes", "2G", NULL },
		       "setting 'stack.loop.sizes=2G': loop has no option 'sizes'; did you mean "
		       "'size'");
	assert_changed("loop:1G", (struct stack_change){ "loop.size", "x", NULL },
		       "setting 'stack.loop.size=x': size 'x' is not a size such as 512M");
	assert_changed("loop:1G", (struct stack_change){ "size", "2G", NULL },
		       "setting 'stack.size=2G': it is neither stack.fs nor stack.LAYER.OPTION");
	assert_changed("loop:1G", (struct stack_change){ "loop.on", "x", NULL },
		       "setting 'stack.loop.on=x': 'on' of a layer cannot be changed");
}

static int setup(void **state)
{
	struct plant *plant = xcalloc(1, sizeof(*plant));

	plant_create(plant);
	*state = plant;
	return 0;
}

static int teardown(void **state)
{
	plant_remove(*state);
	free(*state);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_line),
		cmocka_unit_test(test_what_a_layer_builds_on),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_line_refused),
		cmocka_unit_test(test_changes),
		cmocka_unit_test(test_events),
		cmocka_unit_test_setup_teardown(test_yaml, setup, teardown),
		cmocka_unit_test_setup_teardown(test_yaml_refused, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
