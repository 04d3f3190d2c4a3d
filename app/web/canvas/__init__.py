"""A canvas of Obsidian as a picture that one can move about in."""
