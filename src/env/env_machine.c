/* SPDX-License-Identifier: GPL-2.0-or-later */
/* machine: what computer it is, real or virtual, and what it tells the time by. */
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "base/cleanup.h"
#include "base/file.h"
#include "env/env_table.h"
#include "env/facts.h"

#define DMI "/sys/class/dmi/id/"

static const struct fact_row rows[] = {
	{ "machine.vendor", DMI "sys_vendor", FACT_LINE },
	{ "machine.product", DMI "product_name", FACT_LINE },
	{ "machine.product", "/proc/device-tree/model", FACT_LINE },
	{ "machine.board", DMI "board_name", FACT_LINE },
	{ "machine.firmware", DMI "bios_version", FACT_LINE },
	{ "machine.container", "/run/systemd/container", FACT_LINE },
	{ "clocksource", "/sys/devices/system/clocksource/clocksource0/current_clocksource",
	  FACT_LINE },
};

static const struct hypervisor {
	const char *sign, *name;
} signatures[] = {
	/* CPUID leaf 0x40000000 */
	{ "KVMKVMKVM", "kvm" },	       { "TCGTCGTCGTCG", "qemu without kvm" },
	{ "Microsoft Hv", "hyper-v" }, { "VMwareVMware", "vmware" },
	{ "XenVMMXenVMM", "xen" },     { "bhyve bhyve ", "bhyve" },
	{ "VBoxVBoxVBox", "virtualbox" }, { "ACRNACRNACRN", "acrn" },
}, products[] = {
	/* vendor or product of the firmware's tables */
	{ "QEMU", "qemu" },	       { "KVM", "kvm" },
	{ "VMware", "vmware" },	       { "VirtualBox", "virtualbox" },
	{ "Xen", "xen" },	       { "Virtual Machine", "hyper-v" },
	{ "Amazon EC2", "amazon ec2" }, { "Google Compute Engine", "google compute engine" },
	{ "Bochs", "bochs" },	       { "Parallels", "parallels" },
};

/* What the CPU itself says; NULL where it says nothing. */
static const char *name_by_cpuid(void)
{
#if defined(__x86_64__) || defined(__i386__)
	const unsigned is_guest = 1U << 31; /* of ecx of leaf 1 */
	unsigned eax, words[3] = { 0 };
	char sign[sizeof(words) + 1] = "";

	if (!__get_cpuid(1, &eax, &words[0], &words[1], &words[2]) || !(words[1] & is_guest))
		return NULL;
	__cpuid(0x40000000, eax, words[0], words[1], words[2]);
	memcpy(sign, words, sizeof(words));
	for (size_t i = 0; i < sizeof(signatures) / sizeof(signatures[0]); i++) {
		if (!strcmp(sign, signatures[i].sign))
			return signatures[i].name;
	}
	return "unknown hypervisor";
#else
	return NULL;
#endif
}

static const char *name_by_product(const struct facts *facts)
{
	static const char *const files[] = { DMI "product_name", DMI "sys_vendor" };

	for (size_t file = 0; file < sizeof(files) / sizeof(files[0]); file++) {
		CLEANUP(free) char *path = facts_path(facts, "%s", files[file]);
		CLEANUP(free) char *text = fact_read(path, FACT_LINE);

		for (size_t i = 0; text && i < sizeof(products) / sizeof(products[0]); i++) {
			if (strstr(text, products[i].sign))
				return products[i].name;
		}
	}
	return NULL;
}

static void add_virtualisation(struct facts *facts)
{
	CLEANUP(free) char *path = facts_path(facts, "/sys/hypervisor/type");
	CLEANUP(free) char *type = fact_read(path, FACT_LINE);
	const char *name = facts->context->root ? NULL : name_by_cpuid();

	if (!name)
		name = type ? type : name_by_product(facts);
	facts_add(facts, name, "machine.virtualisation");
}

static void collect(struct facts *facts)
{
	facts_add_rows(facts, rows, sizeof(rows) / sizeof(rows[0]), "", NULL);
	add_virtualisation(facts);
}

const struct env_area env_machine = { .name = "machine", .collect = collect };
