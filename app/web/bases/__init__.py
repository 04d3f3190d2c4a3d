"""A base of Obsidian as tables: its conditions, formulas and views, asked of the index."""
