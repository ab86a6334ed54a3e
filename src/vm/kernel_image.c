/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kernel_image: bzImage and ELF kernels in memory. */
#include "vm/kernel_image.h"

#include <ctype.h>
#include <elf.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "vm/elf_file.h"
#include "vm/unpack.h"

/* Offsets of the x86 boot header. */
#define BOOT_SETUP_SECTS 0x1f1
#define BOOT_MAGIC 0x202
#define BOOT_VERSION 0x206
#define BOOT_KERNEL_VERSION 0x20e /* offset of a text, less one sector */
#define BOOT_PAYLOAD_OFFSET 0x248
#define BOOT_PAYLOAD_LENGTH 0x24c
#define BOOT_HEADER_END 0x250
#define BOOT_VERSION_2_08 0x208
#define SECTOR_BYTES 512U

#define MAX_KERNEL_BYTES (1UL << 30)

static uint32_t get_u32(const unsigned char *at)
{
	return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
	       (uint32_t)at[3] << 24;
}

static bool is_bzimage(const unsigned char *data, size_t len)
{
	return len >= BOOT_HEADER_END && memcmp(data + BOOT_MAGIC, "HdrS", 4) == 0;
}

int kernel_image_check(const void *data, size_t len, const char *what, struct err *err)
{
	if (is_bzimage(data, len) || elf_is_x86_64(data, len))
		return 0;
	if (len > SELFMAG && memcmp(data, ELFMAG, SELFMAG) == 0)
		return err_set(err, ERR_UNSUPPORTED, "%s: an ELF file, but not for x86-64", what);
	return err_set(err, ERR_INPUT, "%s: not a kernel: neither bzImage nor vmlinux", what);
}

static int unpack_bzimage(const unsigned char *data, size_t len, const char *what,
			  struct strbuf *out, struct err *err)
{
	unsigned sectors = data[BOOT_SETUP_SECTS] ? data[BOOT_SETUP_SECTS] : 4;
	uint64_t start = (sectors + 1) * SECTOR_BYTES;
	uint64_t payload = start + get_u32(data + BOOT_PAYLOAD_OFFSET);
	uint64_t payload_len = get_u32(data + BOOT_PAYLOAD_LENGTH);
	size_t before = out->len;
	int ret;

	if ((data[BOOT_VERSION] | data[BOOT_VERSION + 1] << 8) < BOOT_VERSION_2_08)
		return err_set(err, ERR_UNSUPPORTED, "%s: its boot protocol is older than 2.08",
			       what);
	if (payload > len || payload_len > len - payload || payload_len < 8)
		return err_set(err, ERR_INPUT, "%s: cut off: its payload ends behind the file",
			       what);
	/* But for gzip, which has its own, four bytes of length stand behind the stream. */
	if (data[payload] != 0x1f || data[payload + 1] != 0x8b)
		payload_len -= 4;
	ret = unpack_buffer(data + payload, payload_len, MAX_KERNEL_BYTES, what, out, err);
	if (ret == 0 && !elf_is_x86_64(out->buf + before, out->len - before))
		ret = err_set(err, ERR_UNSUPPORTED,
			      "%s: a kernel of another architecture, or packed in an unknown way",
			      what);
	return ret;
}

int kernel_image_unpack(const void *data, size_t len, const char *what, struct strbuf *out,
			struct err *err)
{
	int ret = kernel_image_check(data, len, what, err);

	if (ret < 0)
		return ret;
	if (is_bzimage(data, len))
		return unpack_bzimage(data, len, what, out, err);
	strbuf_add(out, data, len);
	return 0;
}

static bool add_release(const char *at, const char *end, struct strbuf *out)
{
	if (at >= end || !isdigit((unsigned char)*at))
		return false;
	for (; at < end && isgraph((unsigned char)*at); at++)
		strbuf_add_char(out, *at);
	return true;
}

bool kernel_image_release(const void *data, size_t len, struct strbuf *out)
{
	static const char prefix[] = "Linux version ";
	const char *at = data;
	const char *end = at + len;

	if (is_bzimage(data, len)) {
		const unsigned char *header = data;
		size_t text = SECTOR_BYTES +
			      (header[BOOT_KERNEL_VERSION] | header[BOOT_KERNEL_VERSION + 1] << 8);

		return text < len && add_release(at + text, end, out);
	}
	while ((at = memmem(at, (size_t)(end - at), prefix, strlen(prefix))) != NULL) {
		at += strlen(prefix);
		if (add_release(at, end, out))
			return true;
	}
	return false;
}

/* The notes of a section; each is padded to four bytes. */
static bool find_build_id(const unsigned char *notes, size_t len, struct strbuf *out)
{
	size_t at = 0;

	while (len - at >= sizeof(Elf64_Nhdr)) {
		Elf64_Nhdr note;
		size_t name = at + sizeof(note);
		size_t content;

		memcpy(&note, notes + at, sizeof(note));
		if (note.n_namesz > len || note.n_descsz > len)
			return false;
		content = name + ((note.n_namesz + 3UL) & ~3UL);
		at = content + ((note.n_descsz + 3UL) & ~3UL);
		if (at > len)
			return false;
		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 ||
		    memcmp(notes + name, "GNU", 4) != 0)
			continue;
		for (size_t i = 0; i < note.n_descsz; i++)
			strbuf_printf(out, "%02x", notes[content + i]);
		return true;
	}
	return false;
}

bool kernel_image_build_id(const void *data, size_t len, struct strbuf *out)
{
	const void *notes;
	size_t notes_len;

	return (elf_find_section(data, len, ".notes", &notes, &notes_len) ||
		elf_find_section(data, len, ".note.gnu.build-id", &notes, &notes_len)) &&
	       find_build_id(notes, notes_len, out);
}
