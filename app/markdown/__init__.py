"""Read what Obsidian reads in a note: properties, links, tags, headings, tasks and blocks."""
