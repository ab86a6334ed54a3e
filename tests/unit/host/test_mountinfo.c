/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mountinfo: lines of the kernel's form, and what is above a path. */
#include "host/mountinfo.h"

#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "test.h"

#define TABLE                                                                                      \
	"21 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw,errors=remount-ro\n"                \
	"30 21 0:45 /@home /home rw,noatime shared:2 master:7 - btrfs /dev/sdb rw,subvol=/@home\n" \
	"a line of another form\n"                                                                 \
	"31 21 7:x / /bad rw - ext4 /dev/loop0 rw\n"                                               \
	"32 30 7:3 / /home/two\\040words\\134 rw shared:3 - xfs /dev/loop3 rw,attr2\n"             \
	"33 21 0:50 / /home/two rw - tmpfs none\n"                                                 \
	"34 33 0:51 / /home/two rw,ro - tmpfs later rw\n"

static void read_text(const char *text, struct mount_table *ret_table)
{
	char path[] = "/tmp/regio-mountinfo-XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	mount_table_read(path, ret_table);
	unlink(path);
}

static void reads_lines(void **state)
{
	CLEANUP(mount_table) struct mount_table table = { .nr = 0 };

	(void)state;
	read_text(TABLE, &table);
	assert_int_equal(table.nr, 5);
	assert_true(table.items[0].dev == makedev(8, 1));
	assert_string_equal(table.items[0].options, "rw,relatime");
	assert_string_equal(table.items[1].type, "btrfs");
	assert_string_equal(table.items[1].source, "/dev/sdb");
	assert_string_equal(table.items[1].fs_options, "rw,subvol=/@home");
	assert_string_equal(table.items[2].target, "/home/two words\\");
	assert_string_equal(table.items[3].fs_options, "");
}

static void finds_what_is_above(void **state)
{
	CLEANUP(mount_table) struct mount_table table = { .nr = 0 };

	(void)state;
	read_text(TABLE, &table);
	assert_string_equal(mount_table_holding(&table, "/etc/fstab")->source, "/dev/sda1");
	assert_string_equal(mount_table_holding(&table, "/home")->source, "/dev/sdb");
	assert_string_equal(mount_table_holding(&table, "/homes")->source, "/dev/sda1");
	assert_string_equal(mount_table_holding(&table, "/home/two words\\/a")->source,
			    "/dev/loop3");
	assert_string_equal(mount_table_holding(&table, "/home/two/a")->source, "later");
	assert_string_equal(mount_table_find(&table, "/home/two")->source, "later");
	assert_null(mount_table_find(&table, "/home/"));
}

static void broken_tables_are_empty(void **state)
{
	static const char *const texts[] = {
		"", "\n\n", " - ", "1 2 3 - ", "1 2 8:1 / /a rw -", "1 2 8:1 / /a rw - ext4"
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		CLEANUP(mount_table) struct mount_table table = { .nr = 0 };

		read_text(texts[i], &table);
		assert_int_equal(table.nr, 0);
		assert_null(mount_table_holding(&table, "/a"));
	}
	for (int i = 0; i < 2; i++) {
		CLEANUP(mount_table) struct mount_table table = { .nr = 0 };

		mount_table_read(i ? "/" : "/nonexistent/mountinfo", &table);
		assert_int_equal(table.nr, 0);
	}
}

static void undoes_octal_only(void **state)
{
	char text[] = "a\\040b\\011c\\\\ \\99 \\4";

	(void)state;
	mount_unescape(text);
	assert_string_equal(text, "a b\tc\\\\ \\99 \\4");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_lines),
		cmocka_unit_test(finds_what_is_above),
		cmocka_unit_test(broken_tables_are_empty),
		cmocka_unit_test(undoes_octal_only),
	};

	return cmocka_run_group_tests_name("mountinfo", tests, NULL, NULL);
}
