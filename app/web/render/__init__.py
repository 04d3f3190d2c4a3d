"""A note's Markdown as HTML that shows it as Obsidian does, and does nothing else."""
