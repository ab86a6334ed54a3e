/* SPDX-License-Identifier: GPL-2.0-or-later */
/* elf_file: finds a section by its name, and the end of the segments; nothing is trusted. */
#include "vm/elf_file.h"

#include <elf.h>
#include <string.h>

bool elf_is_x86_64(const void *data, size_t len)
{
	Elf64_Ehdr header;

	if (len < sizeof(header))
		return false;
	memcpy(&header, data, sizeof(header));
	return memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
	       header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_ident[EI_DATA] == ELFDATA2LSB &&
	       header.e_machine == EM_X86_64;
}

static bool is_inside(uint64_t offset, uint64_t size, size_t len)
{
	return offset <= len && size <= len - offset;
}

static bool read_section(const char *data, size_t len, const Elf64_Ehdr *header, unsigned number,
			 Elf64_Shdr *ret_section)
{
	uint64_t offset = header->e_shoff + (uint64_t)number * sizeof(*ret_section);

	if (offset < header->e_shoff || !is_inside(offset, sizeof(*ret_section), len))
		return false;
	memcpy(ret_section, data + offset, sizeof(*ret_section));
	return true;
}

static bool has_name(const char *data, size_t len, const Elf64_Shdr *names,
		     const Elf64_Shdr *section, const char *name)
{
	size_t name_len = strlen(name) + 1;

	return is_inside(names->sh_offset, names->sh_size, len) &&
	       is_inside(section->sh_name, name_len, names->sh_size) &&
	       memcmp(data + names->sh_offset + section->sh_name, name, name_len) == 0;
}

bool elf_find_section(const void *data, size_t len, const char *name, const void **ret_content,
		      size_t *ret_len)
{
	Elf64_Ehdr header;
	Elf64_Shdr names;

	if (!elf_is_x86_64(data, len))
		return false;
	memcpy(&header, data, sizeof(header));
	if (header.e_shentsize != sizeof(Elf64_Shdr) ||
	    !read_section(data, len, &header, header.e_shstrndx, &names))
		return false;
	for (unsigned i = 0; i < header.e_shnum; i++) {
		Elf64_Shdr section;

		if (!read_section(data, len, &header, i, &section))
			return false;
		if (section.sh_type == SHT_NOBITS || !has_name(data, len, &names, &section, name))
			continue;
		if (!is_inside(section.sh_offset, section.sh_size, len))
			return false;
		*ret_content = (const char *)data + section.sh_offset;
		*ret_len = section.sh_size;
		return true;
	}
	return false;
}

uint64_t elf_load_end(const void *data, size_t len)
{
	const char *bytes = data;
	Elf64_Ehdr header;
	uint64_t end = 0;

	if (!elf_is_x86_64(data, len))
		return 0;
	memcpy(&header, data, sizeof(header));
	for (unsigned i = 0; i < header.e_phnum; i++) {
		Elf64_Phdr segment;
		uint64_t offset = i * sizeof(segment);

		if (header.e_phoff > len ||
		    !is_inside(header.e_phoff + offset, sizeof(segment), len))
			return 0;
		memcpy(&segment, bytes + header.e_phoff + offset, sizeof(segment));
		if (segment.p_type == PT_LOAD && segment.p_paddr <= UINT64_MAX - segment.p_memsz &&
		    segment.p_paddr + segment.p_memsz > end)
			end = segment.p_paddr + segment.p_memsz;
	}
	return end;
}
