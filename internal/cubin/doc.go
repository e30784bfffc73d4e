// Package cubin takes PTX out of machine code: compilers that are asked for line information (-lineinfo, -G) put the
// text that they assembled into the cubin, without the directives of lines.
//
// What enters is the bytes of a cubin, an ELF file. What leaves is PTX as the compiler made it, one text for each
// translation unit, with .loc and .file directives that are made of the cubin's line tables. Lines keep their numbers:
// each directive stands where the compiler's own one has left an empty line.
//
// It must not know instructions, nor where cubins come from. Nothing read is trusted: what is refused has an error
// with an offset, and work is bounded by the size of the cubin.
package cubin
