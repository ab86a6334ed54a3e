/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of requests as numbers, and the format of a tracepoint. */
#include "monitor/dispatch_order.h"

#include <string.h>

#include "machine.h"
#include "monitor/tracepoint_format.h"
#include "test.h"

#define BLOCK_SECTORS 8

static void assert_numbers(const uint64_t *sectors, size_t nr,
			   const struct dispatch_numbers *expected)
{
	struct dispatch_order order = { .nr_requests = 0 };
	struct dispatch_numbers numbers;

	for (size_t i = 0; i < nr; i++)
		dispatch_order_add(&order, sectors[i], BLOCK_SECTORS);
	assert_true(dispatch_order_numbers(&order, &numbers));
	assert_true(numbers.sequential_percent == expected->sequential_percent);
	assert_true(numbers.backwards_percent == expected->backwards_percent);
	assert_true(numbers.mean_bytes == expected->mean_bytes);
	assert_true(numbers.median_bytes == expected->median_bytes);
}

static void counts_steps(void **state)
{
	static const uint64_t forwards[] = { 0, 8, 16, 24, 32 };
	/* as a plug list that is taken from its end */
	static const uint64_t backwards[] = { 32, 24, 16, 8, 0 };
	static const uint64_t mixed[] = { 100, 108, 16, 1024, 1032 };

	(void)state;
	assert_numbers(forwards, 5, &(struct dispatch_numbers){ .sequential_percent = 100 });
	assert_numbers(backwards, 5,
		       &(struct dispatch_numbers){ .backwards_percent = 100,
						   .mean_bytes = 16 * 512,
						   .median_bytes = 16 * 512 });
	/* steps of 0, -100, +1000 and 0 sectors */
	assert_numbers(mixed, 5,
		       &(struct dispatch_numbers){ .sequential_percent = 50,
						   .backwards_percent = 25,
						   .mean_bytes = 275 * 512 });
}

static void one_request_has_no_order(void **state)
{
	struct dispatch_order order = { .nr_requests = 0 };
	struct dispatch_numbers numbers;

	(void)state;
	assert_false(dispatch_order_numbers(&order, &numbers));
	dispatch_order_add(&order, 100, 8);
	assert_false(dispatch_order_numbers(&order, &numbers));
}

static const char format[] = "name: x\nID: 7\nformat:\n"
			     "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
			     "\tfield:sector_t sector;\toffset:8;\tsize:8;\tsigned:0;\n"
			     "\tfield:unsigned int nr_sector;\toffset:16;\tsize:4;\tsigned:0;\n"
			     "\tfield:char rwbs[4];\toffset:20;\tsize:4;\tsigned:0;\n"
			     "\tfield:int odd;\toffset:24;\tsize:3;\tsigned:0;\n"
			     "\tfield:int cut;\toffset:4";

static void reads_a_format(void **state)
{
	struct tracepoint_field field;

	(void)state;
	assert_true(tracepoint_find_field(format, strlen(format), "sector", &field));
	assert_int_equal(field.offset, 8);
	assert_int_equal(field.size, 8);
	assert_true(tracepoint_find_field(format, strlen(format), "nr_sector", &field));
	assert_int_equal(field.offset, 16);
	assert_true(tracepoint_find_field(format, strlen(format), "rwbs", &field));
	assert_int_equal(field.size, 4);
	assert_false(tracepoint_find_field(format, strlen(format), "ector", &field));
	assert_false(tracepoint_find_field(format, strlen(format), "cut", &field));
	assert_false(tracepoint_find_field(format, strlen(format), "none", &field));
}

static void reads_a_record(void **state)
{
	unsigned char raw[27] = { 0 };
	const uint64_t sector = UINT64_C(0x1122334455667788);
	const uint32_t nr_sectors = 256;
	struct tracepoint_field field;
	uint64_t value = 0;

	(void)state;
	memcpy(raw + 8, &sector, sizeof(sector));
	memcpy(raw + 16, &nr_sectors, sizeof(nr_sectors));
	memcpy(raw + 20, "FWSD", 4); /* without an end */
	assert_true(tracepoint_find_field(format, strlen(format), "sector", &field));
	assert_true(tracepoint_read_number(raw, sizeof(raw), &field, &value));
	assert_true(value == sector);
	assert_false(tracepoint_read_number(raw, 15, &field, &value)); /* cut off */
	assert_true(tracepoint_find_field(format, strlen(format), "nr_sector", &field));
	assert_true(tracepoint_read_number(raw, sizeof(raw), &field, &value));
	assert_int_equal(value, 256);
	assert_true(tracepoint_find_field(format, strlen(format), "odd", &field));
	assert_false(tracepoint_read_number(raw, sizeof(raw), &field, &value));
	assert_true(tracepoint_find_field(format, strlen(format), "rwbs", &field));
	assert_true(tracepoint_has_char(raw, sizeof(raw), &field, 'D'));
	assert_false(tracepoint_has_char(raw, sizeof(raw), &field, 'R'));
	assert_false(tracepoint_has_char(raw, 23, &field, 'D'));
}

/* A machine without tracefs, and one without a disk. */
static void says_what_is_absent(void **state)
{
	struct machine *machine = *state;

	machine->disks[machine->nr_disks++] = "sda";
	machine_file(machine, "sys/block/sda/dev", "8:0\n");
	machine_watch(machine, "order");
	machine_round(machine, 0, MONITOR_FIRST);
	machine_round(machine, 1, MONITOR_LAST);
	machine_report(machine);
	assert_absence(machine, "order (no tracepoint block/block_rq_issue in ");
	assert_none(machine, "order.");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_steps),
		cmocka_unit_test(one_request_has_no_order),
		cmocka_unit_test(reads_a_format),
		cmocka_unit_test(reads_a_record),
		cmocka_unit_test_setup_teardown(says_what_is_absent, machine_setup,
						machine_teardown),
	};

	return cmocka_run_group_tests_name("dispatch_order", tests, NULL, NULL);
}
