/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_IMPORT_HTML_H
#define REGIO_IMPORT_HTML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Length of the tag at text ("<b>", "</span>", "<!-- .. -->"); 0 if '<' means itself: only names
 * that HTML knows are tags. *ret_is_open: the tag does not end in this text, all of which belongs
 * to it. *ret_becomes: what the tag means in plain text: '\n', ' ' or '\0' for nothing.
 */
size_t html_tag_len(const char *text, size_t len, bool *ret_is_open, char *ret_becomes);

/* Length of the character reference at text ("&gt;", "&#177;") and its code point; 0 = none. */
size_t html_entity_len(const char *text, size_t len, uint32_t *ret_code);

#endif
