/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpio: writes the archive that a kernel unpacks into its first root filesystem. */
#include "vm/cpio.h"

#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

struct cpio_entry {
	const char *name;
	mode_t mode;
	unsigned major, minor; /* of a device */
	const void *data;
	size_t len;
};

static void pad(struct strbuf *data)
{
	while (data->len % 4)
		strbuf_add_char(data, '\0');
}

static void add_entry(struct cpio *cpio, const struct cpio_entry *entry)
{
	size_t name_len = strlen(entry->name) + 1;
	const size_t fields[] = {
		++cpio->nr_entries, /* inode */
		entry->mode,
		0, /* user */
		0, /* group */
		1, /* links */
		0, /* time */
		entry->len,
		0, /* device it is on */
		0,
		entry->major,
		entry->minor,
		name_len,
		0, /* no check sum */
	};

	strbuf_add_str(&cpio->data, "070701");
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		strbuf_printf(&cpio->data, "%08x", (unsigned)fields[i]);
	strbuf_add(&cpio->data, entry->name, name_len);
	pad(&cpio->data);
	if (entry->len)
		strbuf_add(&cpio->data, entry->data, entry->len);
	pad(&cpio->data);
}

void cpio_add_folder(struct cpio *cpio, const char *name)
{
	add_entry(cpio, &(struct cpio_entry){ .name = name, .mode = S_IFDIR | 0755 });
}

void cpio_add_file(struct cpio *cpio, const char *name, mode_t permissions, const void *data,
		   size_t len)
{
	add_entry(cpio,
		  &(struct cpio_entry){
			  .name = name, .mode = S_IFREG | permissions, .data = data, .len = len });
}

void cpio_add_char_device(struct cpio *cpio, const char *name, mode_t permissions, unsigned major,
			  unsigned minor)
{
	add_entry(cpio, &(struct cpio_entry){ .name = name,
					      .mode = S_IFCHR | permissions,
					      .major = major,
					      .minor = minor });
}

void cpio_add_link(struct cpio *cpio, const char *name, const char *target)
{
	add_entry(cpio, &(struct cpio_entry){ .name = name,
					      .mode = S_IFLNK | 0777,
					      .data = target,
					      .len = strlen(target) });
}

void cpio_finish(struct cpio *cpio)
{
	add_entry(cpio, &(struct cpio_entry){ .name = "TRAILER!!!" });
}
