/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The smallest ELF file that says something about itself. */
#include "make_module.h"

#include <elf.h>
#include <string.h>

static const char names[] = "\0.modinfo\0.shstrtab";

void make_module(struct strbuf *out, const char *modinfo, size_t len)
{
	Elf64_Ehdr header = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, 1 },
		.e_type = ET_REL,
		.e_machine = EM_X86_64,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = 3,
		.e_shstrndx = 2,
		.e_shoff = sizeof(header) + len + sizeof(names),
	};
	Elf64_Shdr sections[3] = {
		[1] = { .sh_name = 1,
			.sh_type = SHT_PROGBITS,
			.sh_offset = sizeof(header),
			.sh_size = len },
		[2] = { .sh_name = 10,
			.sh_type = SHT_STRTAB,
			.sh_offset = sizeof(header) + len,
			.sh_size = sizeof(names) },
	};

	strbuf_add(out, &header, sizeof(header));
	strbuf_add(out, modinfo, len);
	strbuf_add(out, names, sizeof(names));
	strbuf_add(out, sections, sizeof(sections));
}
