/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report: metrics of monitors on their way into a result. */
#include "monitor/report.h"

#include <math.h>
#include <stdarg.h>

#include "base/strbuf.h"
#include "base/units.h"
#include "model/given.h"
#include "model/result.h"

/* Names of devices, interrupts and zones come from drivers. */
__attribute__((format(printf, 2, 0))) static void name_make(struct strbuf *name, const char *format,
							    va_list args)
{
	strbuf_vprintf(name, format, args);
	for (size_t i = 0; i < name->len; i++) {
		if (name->buf[i] <= ' ' || name->buf[i] > '~')
			name->buf[i] = '_';
	}
}

static void add(struct result *result, double value, const struct strbuf *name)
{
	if (isfinite(value))
		(void)given_append(&result->monitored, strbuf_str(name), value, 0);
}

void monitor_report(struct result *result, double value, const char *format, ...)
{
	CLEANUP(strbuf) struct strbuf name = STRBUF_INIT;
	va_list args;

	va_start(args, format);
	name_make(&name, format, args);
	va_end(args);
	add(result, value, &name);
}

void monitor_report_count(struct result *result, uint64_t delta, uint64_t elapsed_ns,
			  const char *format, ...)
{
	CLEANUP(strbuf) struct strbuf name = STRBUF_INIT;
	va_list args;

	if (elapsed_ns == 0)
		return;
	va_start(args, format);
	name_make(&name, format, args);
	va_end(args);
	add(result, (double)delta, &name);
	strbuf_add_str(&name, "_per_sec");
	add(result, (double)delta * NS_PER_S / (double)elapsed_ns, &name);
}
