/* SPDX-License-Identifier: GPL-2.0-or-later */
/* crc-tables: prints the tables of src/verify/crc.c as C, at build time. T[k][b] is the register
 * after byte b and k zero bytes, so that eight bytes are one step (Kounavis & Berry 2008,
 * "Novel table lookup-based algorithms for high-performance CRC generation", IEEE TC 57(11)). */
#include <inttypes.h>
#include <stdio.h>

#define NR_SLICES 8
#define NR_BYTES 256

struct code {
	const char *name;
	uint64_t polynomial; /* reflected, or in the upper bits */
	int is_reflected;
};

static const struct code codes[] = {
	{ "crc16", UINT64_C(0xa001), 1 },	      /* CRC-16/ARC */
	{ "crc32c", UINT64_C(0x82f63b78), 1 },	      /* Castagnoli */
	{ "crc64", UINT64_C(0x95ac9329ac4bc9b5), 1 }, /* Jones */
	{ "crc32", UINT64_C(0x04c11db7) << 32, 0 },   /* IEEE 802.3 */
	{ "crc7", UINT64_C(0x09) << 57, 0 },	      /* MMC */
};

static uint64_t shift_byte(const struct code *code, uint64_t value)
{
	for (int bit = 0; bit < 8; bit++) {
		if (code->is_reflected)
			value = value >> 1 ^ (value & 1 ? code->polynomial : 0);
		else
			value = value << 1 ^ (value >> 63 ? code->polynomial : 0);
	}
	return value;
}

static void print_code(const struct code *code)
{
	(void)printf("static const uint64_t %s_table[%d][%d] = {\n", code->name, NR_SLICES,
		     NR_BYTES);
	for (int slice = 0; slice < NR_SLICES; slice++) {
		(void)printf("\t{\n");
		for (uint64_t byte = 0; byte < NR_BYTES; byte++) {
			uint64_t value = code->is_reflected ? byte : byte << 56;

			for (int i = 0; i <= slice; i++)
				value = shift_byte(code, value);
			(void)printf("\t\tUINT64_C(0x%" PRIx64 "),\n", value);
		}
		(void)printf("\t},\n");
	}
	(void)printf("};\n");
}

int main(void)
{
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		print_code(&codes[i]);
	return 0;
}
