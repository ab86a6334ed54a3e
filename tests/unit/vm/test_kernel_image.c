/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kernel_image: what is a kernel, and what is refused with which words. */
#include "vm/kernel_image.h"

#include <elf.h>
#include <string.h>
#include <zlib.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "make_module.h"
#include "test.h"

#define SETUP_BYTES (2 * 512)
#define HEADER_BYTES 0x250

static void put_u32(char *at, size_t value)
{
	for (unsigned i = 0; i < 4; i++)
		at[i] = (char)(value >> (8 * i));
}

/* One sector of boot code, one of setup, then the payload. */
static void make_bzimage(struct strbuf *out, const void *payload, size_t len)
{
	char setup[SETUP_BYTES] = { 0 };

	setup[0x1f1] = 1;
	memcpy(setup + 0x202, "HdrS", 4);
	setup[0x206] = 0x0f;
	setup[0x207] = 0x02;
	setup[0x20e] = 0x10; /* the text stands at 0x210 */
	memcpy(setup + 0x210, "5.10.0-test (x@y)", 18);
	put_u32(setup + 0x248, 0);
	put_u32(setup + 0x24c, len);
	strbuf_add(out, setup, sizeof(setup));
	strbuf_add(out, payload, len);
}

static void make_kernel(struct strbuf *out)
{
	static const char text[] = "Linux version of %s\0Linux version 6.1.0-1-test (x@y)";

	make_module(out, text, sizeof(text));
}

static void gzip(const struct strbuf *in, struct strbuf *out)
{
	z_stream stream = { .next_in = (Bytef *)in->buf, .avail_in = (uInt)in->len };
	char buf[4096];

	assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
	stream.next_out = (Bytef *)buf;
	stream.avail_out = sizeof(buf);
	assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
	strbuf_add(out, buf, stream.total_out);
	deflateEnd(&stream);
}

static void unpacks_a_bzimage(void **state)
{
	CLEANUP(strbuf) struct strbuf kernel = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf packed = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf image = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf out = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf release = STRBUF_INIT;

	(void)state;
	make_kernel(&kernel);
	gzip(&kernel, &packed);
	make_bzimage(&image, packed.buf, packed.len);
	assert_int_equal(kernel_image_check(image.buf, image.len, "k", NULL), 0);
	assert_true(kernel_image_release(image.buf, image.len, &release));
	assert_string_equal(strbuf_str(&release), "5.10.0-test");
	strbuf_reset(&release);
	assert_int_equal(kernel_image_unpack(image.buf, image.len, "k", &out, NULL), 0);
	assert_int_equal(out.len, kernel.len);
	assert_memory_equal(out.buf, kernel.buf, kernel.len);
	assert_true(kernel_image_release(out.buf, out.len, &release));
	assert_string_equal(strbuf_str(&release), "6.1.0-1-test");
}

static void assert_refused(const void *data, size_t len, const char *message)
{
	CLEANUP(strbuf) struct strbuf out = STRBUF_INIT;
	struct err err = { .code = 0 };

	assert_true(kernel_image_unpack(data, len, "k", &out, &err) < 0);
	assert_non_null(strstr(err.msg, message));
}

static void says_what_is_wrong(void **state)
{
	CLEANUP(strbuf) struct strbuf kernel = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf image = STRBUF_INIT;

	(void)state;
	assert_refused("hello", 5, "k: not a kernel: neither bzImage nor vmlinux");
	make_kernel(&kernel);
	kernel.buf[offsetof(Elf64_Ehdr, e_machine)] = EM_386;
	assert_refused(kernel.buf, kernel.len, "k: an ELF file, but not for x86-64");
	make_bzimage(&image, "no kernel at all", 16);
	assert_refused(image.buf, image.len, "k: a kernel of another architecture");
	put_u32(image.buf + 0x24c, 1U << 30);
	assert_refused(image.buf, image.len, "k: cut off");
	image.buf[0x206] = 7;
	assert_refused(image.buf, image.len, "k: its boot protocol is older");
}

static void no_length_is_read_past(void **state)
{
	CLEANUP(strbuf) struct strbuf kernel = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf packed = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf image = STRBUF_INIT;

	(void)state;
	make_kernel(&kernel);
	gzip(&kernel, &packed);
	make_bzimage(&image, packed.buf, packed.len);
	for (size_t len = 0; len < image.len; len++) {
		char *copy = xmalloc(len + 1);
		CLEANUP(strbuf) struct strbuf out = STRBUF_INIT;

		memcpy(copy, image.buf, len);
		assert_true(kernel_image_unpack(copy, len, "k", &out, NULL) < 0);
		free(copy);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(unpacks_a_bzimage),
		cmocka_unit_test(says_what_is_wrong),
		cmocka_unit_test(no_length_is_read_past),
	};

	return cmocka_run_group_tests_name("kernel_image", tests, NULL, NULL);
}
