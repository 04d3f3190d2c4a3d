"""A folder of notes: its files read and written safely, and what Obsidian's settings say of it."""
