/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpio: what libarchive, which knows the form, reads back. */
#include "vm/cpio.h"

#include <archive.h>
#include <archive_entry.h>
#include <string.h>
#include <sys/stat.h>

#include "test.h"

static void expect(struct archive *reader, const char *name, unsigned type, const char *content)
{
	struct archive_entry *entry;
	char got[64] = { 0 };

	assert_int_equal(archive_read_next_header(reader, &entry), ARCHIVE_OK);
	assert_string_equal(archive_entry_pathname(entry), name);
	assert_int_equal(archive_entry_filetype(entry), type);
	assert_int_equal(archive_entry_mtime(entry), 0);
	if (type == AE_IFREG) {
		assert_int_equal(archive_read_data(reader, got, sizeof(got)), strlen(content));
		assert_string_equal(got, content);
	}
	if (type == AE_IFLNK)
		assert_string_equal(archive_entry_symlink(entry), content);
}

static void is_read_back(void **state)
{
	struct cpio cpio = CPIO_INIT;
	struct archive *reader = archive_read_new();
	struct archive_entry *entry;

	(void)state;
	cpio_add_folder(&cpio, "sbin");
	cpio_add_file(&cpio, "init", 0755, "seven..", 7);
	cpio_add_file(&cpio, "empty", 0644, "", 0);
	cpio_add_link(&cpio, "sbin/modprobe", "/init");
	cpio_add_char_device(&cpio, "console", 0600, 5, 1);
	cpio_finish(&cpio);
	assert_int_equal(cpio.data.len % 4, 0);
	archive_read_support_format_cpio(reader);
	assert_int_equal(archive_read_open_memory(reader, cpio.data.buf, cpio.data.len),
			 ARCHIVE_OK);
	expect(reader, "sbin", AE_IFDIR, "");
	expect(reader, "init", AE_IFREG, "seven..");
	expect(reader, "empty", AE_IFREG, "");
	expect(reader, "sbin/modprobe", AE_IFLNK, "/init");
	expect(reader, "console", AE_IFCHR, "");
	assert_int_equal(archive_read_next_header(reader, &entry), ARCHIVE_EOF);
	archive_read_free(reader);
	strbuf_release(&cpio.data);
}

int main(void)
{
	static const struct CMUnitTest tests[] = { cmocka_unit_test(is_read_back) };

	return cmocka_run_group_tests_name("cpio", tests, NULL, NULL);
}
