/* SPDX-License-Identifier: GPL-2.0-or-later */
/* signature: what a device carries, by libblkid's low-level probing. Judging it is the guard's. */
#include "host/signature.h"

#include <blkid/blkid.h>
#include <stddef.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/strbuf.h"

#define SIGNATURE_MAX_FOUND 8 /* enough to recognise a disk by; keeps the message readable */

static void probe_release(blkid_probe *probe)
{
	blkid_free_probe(*probe);
}

CLEANUP_DEFINE(probe, blkid_probe, probe_release)

static const char *probe_value(blkid_probe probe, const char *name)
{
	const char *value = NULL;

	if (blkid_probe_lookup_value(probe, name, &value, NULL) < 0)
		return NULL;
	return value;
}

/* By sound: an ext4, an LVM2_member, a swap. */
static const char *article_for(const char *noun)
{
	return strchr("aeioAEFHILMNORSX", noun[0]) ? "an" : "a";
}

static void describe_found(blkid_probe probe, struct strbuf *out)
{
	const char *type = probe_value(probe, "TYPE");
	const char *table = probe_value(probe, "PTTYPE");
	const char *label = probe_value(probe, "LABEL");

	if (type)
		strbuf_printf(out, "%s %s signature", article_for(type), type);
	else if (table)
		strbuf_printf(out, "a %s partition table", table);
	else
		strbuf_add_str(out, "an unnamed signature");
	if (label)
		strbuf_printf(out, " labelled '%.64s'", label);
}

void signature_describe(int fd, struct strbuf *out)
{
	CLEANUP(probe) blkid_probe probe = blkid_new_probe();
	size_t nr = 0;
	int ret;

	if (!probe || blkid_probe_set_device(probe, fd, 0, 0) != 0 ||
	    blkid_probe_enable_superblocks(probe, 1) != 0 ||
	    /* a damaged signature is a sign of data as well */
	    blkid_probe_set_superblocks_flags(probe, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_LABEL |
							     BLKID_SUBLKS_BADCSUM) != 0 ||
	    blkid_probe_enable_partitions(probe, 1) != 0 ||
	    blkid_probe_set_partitions_flags(probe, BLKID_PARTS_FORCE_GPT) != 0) {
		strbuf_add_str(out, "content that cannot be read");
		return;
	}
	while (nr < SIGNATURE_MAX_FOUND && (ret = blkid_do_probe(probe)) == 0) {
		if (nr++)
			strbuf_add_str(out, " and ");
		describe_found(probe, out);
	}
	if (nr == 0 && ret < 0)
		strbuf_add_str(out, "content that cannot be read");
}
